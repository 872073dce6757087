"""Renders the organiser's Markdown as HTML that can do no harm."""

from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_MARKDOWN: Final = MarkdownIt("js-default")
"""It passes no tags on, and links only to what a browser may be led to."""

_LEAST: Final = 6


def rendered(text: str, below: int = 1) -> Markup:
    """Return Markdown as HTML; its headings stand `below` that many others of the page."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        for part in token.children or ():
            if part.type == "image":  # its description alone is shown
                part.type, part.content = "text", _told(part)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LEAST, int(token.tag[1]) + below)}"
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _told(picture: Token) -> str:
    """Return the description of a picture, without its emphasis."""
    return "".join(part.content for part in picture.children or ())
