"""The pages that everybody may see: where each lies, what is published for it, how it is shown.

A page shows a document and nothing of who looks at it, so that it is made once for all.
"""

import hashlib
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import jinja2
import msgspec

from arena.site.config import Site

TEMPLATES: Final = Path(__file__).with_name("templates")
STATIC: Final = Path(__file__).with_name("static")

_KEPT: Final = 256
"""So many pages are kept as they were made."""

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
}


class Page(msgspec.Struct, frozen=True):
    """A page at a path, and as JSON at `path + ".json"`.

    `key` is that of the document it shows, with parts of the path in it; a page with a `list` shows
    rows of that instead, and one with neither is the same for ever and has no JSON. `document` is
    the struct that is published; without one a page gets its document as it is.
    """

    path: str
    template: str
    summary: str
    key: str = ""
    list: str = ""
    document: Any = None

    @property
    def json_path(self) -> str:
        """The path of its document as JSON."""
        return "/standings.json" if self.path == "/" else f"{self.path}.json"


PAGES: Final = (
    Page("/", "document.html", "The live standings.", "standings"),
    Page("/bots/{bot}", "document.html", "A bot.", "bots/{bot}"),
    Page("/matches", "document.html", "Matches, the last first.", list="matches"),
    Page("/matches/{match}", "document.html", "A match.", "matches/{match}"),
    Page("/deals/{deal:path}", "document.html", "A deal and its travellers.", "deals/{deal}"),
    Page("/epochs", "document.html", "Epochs with their seeds and proofs.", "epochs"),
    Page("/rules", "document.html", "The rules that are played.", "rules"),
    Page("/tv", "document.html", "Deals played again at a person's pace.", "tv"),
    Page("/start", "start.html", "How to begin."),
)


class Pages:
    """Templates, and the files that they use."""

    def __init__(self, site: Site) -> None:
        self.files = {name: data for path in STATIC.iterdir() for name, data in [_file(path)]}
        """The style, the script and the fonts by the names under `/static/`."""
        self._names = {_plain(name): f"/static/{name}" for name in self.files}
        self._kept: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._words = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
        )
        self._words.globals.update(
            site={"title": site.title, "address": site.address}, static=self._names.__getitem__
        )

    def render(self, template: str, **values: object) -> bytes:
        """A page made of some values."""
        return self._words.get_template(template).render(values).encode()

    def show(self, page: Page, path: str, version: int, data: bytes) -> bytes:
        """A page of a document; the last ones are kept, and not made anew."""
        name = page.template, path, str(version)
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        document = msgspec.json.decode(data, type=Any if page.document is None else page.document)
        made = self.render(page.template, document=document, page=page, path=path)
        self._kept[name] = made
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return made


def content_type(name: str) -> str:
    """The type of a static file."""
    return _TYPES[Path(name).suffix]


def _file(path: Path) -> tuple[str, bytes]:
    """A file under a name that changes with it: browsers may keep it for ever."""
    data = path.read_bytes()
    return f"{path.stem}.{hashlib.sha256(data).hexdigest()[:12]}{path.suffix}", data


def _plain(name: str) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem.rpartition('.')[0]}.{ending}"
