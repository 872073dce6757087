"""Lays out the documentation site: `python -m tools.docs_site FOLDER`, for `scripts/docs`.

`python -m tools.docs_site publish BUILT FOLDER` puts what was built beside other versions.

The pages lie at the paths that they have in the project, and say the same. What changes: a README
is its folder's first page, a code block that is a file has the file's name as its title, and a
link to a source or a folder leads to a page that shows it. The navigation is the list in
`docs/index.md`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import arena
from tools import reference
from tools.reference import ROOT

CONFIG = ROOT / "docs/site"
"""What the builder reads, and the scripts and styles of the site."""

PAGES = (
    *("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGES.md"),
    *("docs/**/*.md", "protocol/*.md"),
)

AS_IT_IS = (".json", ".jsonl", ".svg", ".png", ".webp", ".npz", ".bin")
"""Ends of files that a link leads to as they are."""

LANGUAGES = {"py": "python", "js": "javascript", "rs": "rust", "pl": "perl", "": "text"}
"""What code is called whose file ends otherwise."""

CODE = re.compile(r"(^```.*?^```$|`[^`]+`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#:]+)((?:#[^)\s]*)?)\)")
NAMED = re.compile(r"^```(\w+) ([\w./-]+)$", re.MULTILINE)


def pages() -> list[str]:
    """The pages that people wrote, by their paths in the project."""
    found = {it for each in PAGES for it in ROOT.glob(each) if CONFIG not in it.parents}
    return sorted(str(it.relative_to(ROOT)) for it in found)


def placed(page: str) -> str:
    """Where a page of the project lies on the site."""
    return re.sub(r"(^|/)README\.md$", r"\1index.md", page)


def files(folder: str) -> list[str]:
    """The project's files in a folder and in those within, by their paths in the project."""
    words = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder)
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    return sorted(filter(None, listed.stdout.decode().split("\0")))


def links(page: str) -> dict[str, str]:
    """The files and folders that a page links: as the page has it, the path in the project."""
    text = "".join(CODE.split((ROOT / page).read_text(encoding="utf-8"))[::2])
    folder = os.path.dirname(page)
    return {it: os.path.normpath(os.path.join(folder, it)) for it, _ in LINK.findall(text)}


def navigation() -> Iterator[str]:
    """The readers, their sections and pages that `docs/index.md` lists, for the builder's file."""
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    yield "nav:"
    yield "  - index.md"
    yield "  - docs/index.md"
    within = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"(##|###) (.+)", line):
            within = "  " * (2 * len(heading[1]) - 3)
            yield f"{within}- {heading[2]}:"
        elif listed := re.match(r"- \[([^]]+)\]\(([^)]+)\)", line):
            there = os.path.normpath(f"docs/{listed[2]}")
            path = f"{there}/index.md" if (ROOT / there).is_dir() else placed(there)
            yield f'{within}    - "{listed[1]}": {path}'
            if there == "docs/python.md":
                yield f"{within}    - Python reference:"
                yield from (f"{within}        - {it}" for it in reference.pages())


class Layout:
    """The site before it is built: what its pages say, by path, and the files beside them."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.beside: set[str] = set()
        self._shown: dict[str, list[str]] = {}
        own = pages()
        for there in sorted({it for page in own for it in links(page).values()}):
            if there.endswith(AS_IT_IS):
                self.beside.add(there)
            elif (ROOT / there).is_dir():
                self._shown.setdefault(there, [])
                for path in files(there):
                    self._shown.setdefault(os.path.dirname(path), []).append(path)
            elif there not in own:
                self._shown.setdefault(os.path.dirname(there), []).append(there)
        for page in own:
            text = (ROOT / page).read_text(encoding="utf-8")
            self.pages[placed(page)] = self._as_placed(page, text)
        self.pages |= reference.pages()
        self.pages["index.md"] = (CONFIG / "home.md").read_text(encoding="utf-8")
        for folder, shown in self._shown.items():
            if f"{folder}/index.md" not in self.pages:
                self.pages[f"{folder}/index.md"] = self._folder(folder, sorted({*shown}))

    def _as_placed(self, page: str, text: str) -> str:
        parts = CODE.split(text)
        for at in range(0, len(parts), 2):
            parts[at] = LINK.sub(lambda it: f"]({self._target(page, it[1])}{it[2]})", parts[at])
        return NAMED.sub(r'``` { .\1 title="\2" }', "".join(parts))

    def _target(self, page: str, link: str) -> str:
        """Where a page's link to a file or folder leads on the site."""
        here = os.path.dirname(page)
        there = os.path.normpath(os.path.join(here, link))
        if (ROOT / there).is_dir():
            return os.path.relpath(f"{there}/index.md", here or ".")
        if placed(there) in self.pages or there in pages():
            return os.path.relpath(placed(there), here or ".")
        if there.endswith(AS_IT_IS):
            return link
        folder, name = os.path.split(there)
        anchor = re.sub(r"[^\w-]", "", name.lower())
        return f"{os.path.relpath(f'{folder}/index.md', here or '.')}#{anchor}"

    def _folder(self, folder: str, shown: list[str]) -> str:
        """A page of a folder: the folders within, and the files shown of it."""
        within = [it for it in self._shown if os.path.dirname(it) == folder]
        text = [
            "---\nsearch:\n  exclude: true\n---",  # nobody looks for words of sources
            f"# {folder}/",
            "".join(f"- [{it}/]({os.path.basename(it)}/index.md)\n" for it in within),
        ]
        for path in shown:
            name = os.path.basename(path)
            if path.endswith(AS_IT_IS):
                self.beside.add(path)
                text.append(f"- [{name}]({name})")
                continue
            said = (ROOT / path).read_text(encoding="utf-8").rstrip()
            text.append(f"## {name}")
            if path.endswith(".md"):
                text.append(re.sub(r"^#", "##", self._as_placed(path, said), flags=re.MULTILINE))
            else:
                kind = name.rpartition(".")[2] if "." in name else ""
                text.append(f"````{LANGUAGES.get(kind, kind)}\n{said}\n````")
        return "\n\n".join(text).replace(")\n\n- [", ")\n- [") + "\n"

    def write(self, to: Path) -> None:
        """Write the pages and all that lies beside them into a folder, and the builder's file."""
        source = to / "docs.pages"
        for path, text in self.pages.items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_text(text, encoding="utf-8")
        for path in self.beside:
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, source / path)
        shutil.copytree(CONFIG, source / "site", ignore=shutil.ignore_patterns("*.yml", "*.md"))
        config = (CONFIG / "mkdocs.yml").read_text(encoding="utf-8")
        (to / "mkdocs.yml").write_text("\n".join([config, *navigation(), ""]), encoding="utf-8")


def publish(built: Path, to: Path) -> None:
    """Put a built site beside those of other versions, and lead from their folder to the newest."""
    shutil.rmtree(to / arena.__version__, ignore_errors=True)
    rooted = shutil.ignore_patterns("404.html", "sitemap.xml")  # they need to know their address
    shutil.copytree(built, to / arena.__version__, ignore=rooted)
    found = [it.parent.name for it in to.glob("*/index.html")]
    versions = sorted(found, key=lambda it: [*map(int, re.findall(r"\d+", it))], reverse=True)
    (to / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    leads = f'<!doctype html><meta http-equiv="refresh" content="0; url={versions[0]}/">'
    (to / "index.html").write_text(leads, encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            Layout().write(Path(folder))
        case ["publish", built, folder]:
            publish(Path(built), Path(folder))
