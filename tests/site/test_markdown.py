"""The organiser's Markdown: what becomes of it, and that nothing of it runs or fetches."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.site.pages.markdown import rendered

_TAGS = {
    *("p", "em", "strong", "a", "ul", "ol", "li", "code", "pre", "blockquote", "hr", "br", "s"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"href", "title", "start", "class", "style"}


class Seen(HTMLParser):
    """The tags of a text, and where it leads to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]


def test_markdown_is_drawn_below_the_heading_of_its_page() -> None:
    text = rendered("# Title\n\n*a* [b](/me) `c`\n\n- d\n\n| e |\n|---|\n| f |\n")
    seen = Seen(text)
    assert {"h2", "em", "a", "code", "ul", "table"} <= seen.tags
    assert seen.links == ["/me"]
    assert "<h6>" in rendered("##### x", 3)
    assert rendered("![a *cake*](cake.png)") == "<p>a cake</p>\n", "pictures are told, not shown"


@pytest.mark.parametrize(
    "text",
    [
        "<script>hit()</script>",
        "<img src=x onerror=hit()>",
        "[x](javascript:hit)",
        "[x](JaVaScRiPt:hit)",
        "[x](data:text/html,hit)",
        "[x](vbscript:hit)",
        "![x](https://elsewhere.example/x.png)",
        "<https://a.example/\"onmouseover='hit()'>",
        "```html\n<script>hit()</script>\n```",
        "[x]: javascript:hit\n\n[x]",
    ],
)
def test_nothing_of_it_runs_or_fetches(text: str) -> None:
    seen = Seen(rendered(text))
    assert seen.tags <= _TAGS
    assert seen.attributes <= _ATTRIBUTES
    assert all(link.startswith(("https://", "http://", "/")) for link in seen.links)


@given(st.text(alphabet="<>[]()!`*_#&;:\"'=\\ \nscriptjavaonerror/.x", max_size=80))
def test_no_text_becomes_another_tag(text: str) -> None:
    seen = Seen(rendered(text))
    assert seen.tags <= _TAGS
    assert seen.attributes <= _ATTRIBUTES
    assert not any(link.lower().startswith(("javascript:", "data:")) for link in seen.links)
