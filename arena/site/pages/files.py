"""The files that the pages of a site fetch, and the policies that browsers hold pages to."""

import hashlib
import mimetypes
from pathlib import Path
from typing import Final

import msgspec

from arena.reports.look import page_part

HERE: Final = Path(__file__).parent
"""The folder of the pages' templates, styles and scripts."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
    " frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of every page that `Drawing` draws."""


class StaticFile(msgspec.Struct, frozen=True):
    """A file that pages fetch.

    Its `address` has a hash of its content, so a cache is never stale.
    """

    address: str
    kind: str
    content: bytes


def static_files() -> dict[str, StaticFile]:
    """Return the files that pages fetch, by their names."""
    contents = {name: _read(name) for name in ("site.css", "site.js", "tv.js", "icon.svg")}
    contents["site.css"] = page_part("style.css") + page_part("card.css") + contents["site.css"]
    return {name: _static_file(name, text.encode()) for name, text in contents.items()}


def _static_file(name: str, content: bytes) -> StaticFile:
    stem, _, ending = name.rpartition(".")
    kind = mimetypes.types_map.get(f".{ending}", "text/plain")
    named = f"/static/{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    return StaticFile(
        named, kind if kind.startswith("image") else f"{kind}; charset=utf-8", content
    )


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
