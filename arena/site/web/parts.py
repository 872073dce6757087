"""The parts of a page that news may change, and which of them have changed since a mark."""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from arena.site.web.answers import FinishedAnswer

_BEGINS: Final = re.compile(r'<(\w+)\b[^<>]* id="([\w-]+)"[^<>]* data-live>')
_REMEMBERED: Final = 4
"""The number of earlier marks of a page whose parts are remembered."""


def live_parts(page: str) -> dict[str, str]:
    """Return the elements of a page that are marked `data-live`, by their ids.

    Its text is escaped, so that whatever looks like a tag is one.
    """
    found = {}
    for begins in _BEGINS.finditer(page):
        depth = 0
        for tag in re.compile(rf"<(/?){begins[1]}\b[^>]*>").finditer(page, begins.start()):
            depth += -1 if tag[1] else 1
            if not depth:
                found[begins[2]] = page[begins.start() : tag.end()]
                break
    return found


def hashes_with(page: FinishedAnswer) -> Mapping[str, Mapping[str, int]]:
    """Return the hashes of a page's parts by its last marks, this one among them."""
    own = {name: hash(text) for name, text in page.parts.items()}
    return dict([*chain(page.earlier.items(), [(page.mark, own)])][-_REMEMBERED:])


def changed_parts(page: FinishedAnswer, since: str) -> str:
    """Return those parts of a page that differ from what they were at a mark; all if it is old."""
    if since == page.mark:
        return ""
    was = page.earlier.get(since, {})
    return "".join(text for name, text in page.parts.items() if was.get(name) != hash(text))
