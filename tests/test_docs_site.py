"""The documentation site: its list has every page, and what is built opens from disk by itself."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import griffe
import pytest

import arena
from tests.support.browser import Browser, axe
from tools import reference
from tools.docs_site import CODE, Layout, links, navigation, pages, placed, publish
from tools.reference import ROOT

LOADED: Final = {"script": "src", "img": "src", "link": "href", "iframe": "src"}
"""What a page loads by itself, and the attribute that says from where."""

ELSEWHERE: Final = {
    "https://caddyserver.com",
    # not there until the project is published
    "https://github.com/zole-arena/zole-arena/security/advisories/new",
    "https://projectfluent.org/fluent/guide/",
    "https://semver.org",
    "https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html",
}
"""Links that no test can follow: whoever adds one has opened it."""

FOUND: Final = """(() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((it) =>
        it.shadowRoot ? [it, ...all(it.shadowRoot)] : [it]);
    return all(document).filter((it) => it.matches("a[href*='statistics']")
        && /disqualified/.test(it.textContent)).length;
})()"""


class Page(HTMLParser):
    """What an HTML page names, links and loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {key: value or "" for key, value in attrs}
        self.names |= {said[key] for key in ("id", "name") if key in said}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        if LOADED.get(tag, "") in said and said.get("rel") not in ("next", "prev"):
            self.loads.append(said[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew with warnings as errors."""
    builder, folder = Path(sys.executable).parent / "zensical", tmp_path_factory.mktemp("site")
    if not builder.exists():
        pytest.skip("there is no zensical: run scripts/docs")
    Layout().write(folder)
    words = (builder, "build", "--strict", "--config-file", "mkdocs.yml")
    built = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "docs"


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address at which the files of a folder are served."""
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def read(site: Path) -> dict[Path, Page]:
    """Every page that people read, as it was built, by its path; 404.html is a server's."""
    found = sorted(path for path in site.glob("**/*.html") if path.name != "404.html")
    return {path: Page(path.read_text(encoding="utf-8")) for path in found}


def test_every_page_is_in_the_list_of_the_site_once() -> None:
    listed = [path for line in navigation() for path in re.findall(r"[\w./-]+\.md", line)]
    apart = {placed(page) for page in pages() if re.match(r"docs/decisions/\d", page)}
    assert {placed(page) for page in pages()} - apart <= {*listed}
    assert sorted(listed) == sorted({*listed})


def test_what_a_page_links_is_laid_out_and_a_block_that_is_a_file_has_its_name_as_a_title() -> None:
    layout = Layout()
    for page in pages():
        for there in links(page).values():
            shown = f"{there}/index.md" if (ROOT / there).is_dir() else placed(there)
            holder = f"{Path(there).parent}/index.md"
            assert {shown, holder} & {*layout.pages} or there in layout.beside, f"{page}: {there}"
    assert '``` { .toml title="first/bot.toml" }' in layout.pages["protocol/index.md"]


def test_pages_link_nothing_elsewhere_but_what_somebody_has_opened() -> None:
    found = re.compile(r"\]\((https://[^)\s]+)\)|<(https://[^>\s]+)>")
    texts = ((ROOT / page).read_text(encoding="utf-8") for page in pages())
    prose = "".join(part for text in texts for part in CODE.split(text)[::2])
    assert {a or b for a, b in found.findall(prose)} == ELSEWHERE


def target(page: Path, link: str) -> tuple[Path | None, str]:
    """The file that a link leads to, None for a stranger's host, and the name within it."""
    parts = urlsplit(link)
    there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    there = there / "index.html" if there.is_dir() else there
    return (None if parts.scheme else there), unquote(parts.fragment)


@pytest.mark.slow
def test_every_page_was_built_and_its_links_lead_somewhere_and_load_nothing_from_elsewhere(
    read: dict[Path, Page], site: Path
) -> None:
    assert {(site / path).with_suffix(".html") for path in Layout().pages} <= {*read}
    for path, page in read.items():
        for link in (*page.links, *page.loads):
            there, wanted = target(path, link)
            assert there is None or there.exists(), f"{path}: {link}"
            assert there or link not in page.loads, f"{path} loads {link}"
            named = read[there].names if there in read else {wanted}
            assert not wanted or wanted in named, f"{path}: {link}"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark")])
def test_axe_finds_nothing_wrong(
    page: Browser, read: dict[Path, Page], width: int, scheme: str
) -> None:
    page.window(width, 900, scheme)
    for path in read:
        page.open(path)
        assert page.problems == [], path
        assert [it for it in page.requests if not it.startswith(("file:", "data:"))] == [], path
        assert axe(page) == [], path


@pytest.mark.slow
def test_a_page_from_disk_can_be_searched(page: Browser, site: Path) -> None:
    page.window(1280, 900)
    page.open(site / "docs/index.html")
    page.value("document.querySelector('.md-search__button').click()")
    page.until("document.activeElement?.shadowRoot?.activeElement?.matches('input')")
    page.press(*"disqualified")
    page.until(f"{FOUND} > 0")
    assert page.problems == []


@pytest.mark.slow
def test_versions_lie_side_by_side_and_lead_to_each_other(
    page: Browser, site: Path, tmp_path: Path
) -> None:
    publish(site, tmp_path)
    (tmp_path / arena.__version__).rename(tmp_path / "0.9.0")
    (tmp_path / "0.9.0" / "docs" / "faq.html").unlink()
    publish(site, tmp_path)
    with serving(tmp_path) as address:
        page.window(1280, 900)
        page.visit(f"{address}/")
        chosen = "document.querySelector('.versions')"
        page.until(f"{chosen}?.value === '{arena.__version__}'")
        assert axe(page) == []
        page.value(f"{chosen}.value = '0.9.0'")
        page.value(f"{chosen}.dispatchEvent(new Event('change'))")
        page.until(f"location.pathname === '/0.9.0/index.html' && {chosen}?.value === '0.9.0'")
        for at, leads in (("index", "docs/index.html"), ("faq", "")):
            page.visit(f"{address}/{arena.__version__}/docs/{at}.html")
            page.until(f"{chosen} !== null")
            page.value(f"{chosen}.value = '0.9.0'")
            page.value(f"{chosen}.dispatchEvent(new Event('change'))")
            page.until(f"location.pathname === '/0.9.0/{leads}' && {chosen}?.value === '0.9.0'")


def test_the_reference_has_every_public_name_with_all_its_fields_explained() -> None:
    whole = "".join(reference.pages().values())
    for name, of in reference.public().items():
        assert f" {{ #{name} }}\n" in whole
        assert of.docstring is not None, name
        if isinstance(of, griffe.Class):
            bases = (it for it in (of, *of.resolved_bases) if it.docstring)
            said = "".join(it.docstring.value for it in bases if it.docstring)
            assert [it.name for it in reference.fields(of) if f"`{it.name}`" not in said] == [], (
                name
            )
