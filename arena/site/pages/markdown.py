"""Renders the organiser's Markdown as HTML that can do no harm."""

from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

_MARKDOWN: Final = MarkdownIt("js-default").disable("image")
"""It passes no tags on, and links only to what a browser may be led to; pictures are not shown."""

_LEAST: Final = 6


def rendered(text: str, below: int = 1) -> Markup:
    """Return Markdown as HTML; its headings stand `below` that many others of the page."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LEAST, int(token.tag[1]) + below)}"
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
