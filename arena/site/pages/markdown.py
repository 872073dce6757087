"""Renders Markdown as HTML: the organiser's, so that it can do no harm, and the arena's own."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from markupsafe import Markup

from arena.base.installation import shipped

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LEAST: Final = 6


# It passes no tags on, and links only to what a browser may be led to.
@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # the web process is back sooner without it

    return MarkdownIt("js-default")


def rendered(text: str, below: int = 1) -> Markup:
    """Return Markdown as HTML; its headings stand `below` that many others of the page."""
    markdown = _markdown()
    tokens = markdown.parse(text)
    for token in tokens:
        for part in token.children or ():
            if part.type == "image":  # its description alone is shown
                part.type, part.content = "text", _told(part)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LEAST, int(token.tag[1]) + below)}"
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))


# Return the description of a picture, without its emphasis.
def _told(picture: "Token") -> str:
    return "".join(part.content for part in picture.children or ())


# Where the guide's links lead on a site; a site does not have the other files next to it.
_ADDRESSES: Final = {
    "README.md": "/start/guide",
    "deals.md": "/start/deals",
    "../docs/rules.md": "/rules",
}


@cache
def guide(part: Literal["README", "deals"]) -> Markup:
    """Return a part of the guide to the protocol of this arena; its headings have names."""
    text = (shipped("protocol") / f"{part}.md").read_text(encoding="utf-8")
    markdown = _markdown()
    tokens = markdown.parse(re.sub(r"^<!--.*-->\n", "", text, flags=re.MULTILINE))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag != "h1":
            name = re.sub(r"[^\w -]", "", inline.content.lower()).replace(" ", "-")
            opening.attrSet("id", name)
    for token in tokens:
        token.children = token.children and list(_led(token.children))
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))


# The parts of a line, with links as a site has them; without a page there, only the words are left.
def _led(tokens: list["Token"]) -> Iterator["Token"]:
    leads = True
    for token in tokens:
        if token.type == "link_open":
            page, mark, name = str(token.attrs["href"]).partition("#")
            leads = not page or "://" in page or page in _ADDRESSES
            token.attrSet("href", _ADDRESSES.get(page, page) + mark + name)
        if leads or token.type not in ("link_open", "link_close"):
            yield token
