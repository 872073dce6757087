"""The guide to the protocol of this arena, as pages of a site."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from markupsafe import Markup

from arena.bots.templates import shipped
from arena.site.pages.markdown import rendered_own

Part = Literal["guide", "deals"]

_FILES: Final[Mapping[Part, str]] = {"guide": "README.md", "deals": "deals.md"}

_ADDRESSES: Final = {
    "README.md": "/start/guide",
    "deals.md": "/start/deals",
    "../docs/rules.md": "/rules",
}
"""Where the guide's links lead on a site; what else lies beside it, a site does not have."""


@cache
def guide() -> Mapping[Part, Markup]:
    """Return each part of the guide as HTML; read from the package once, when a site begins."""
    return {part: _page(file) for part, file in _FILES.items()}


def _page(file: str) -> Markup:
    text = (shipped("protocol") / file).read_text(encoding="utf-8")
    return rendered_own(re.sub(r"^<!--.*-->\n", "", text, flags=re.MULTILINE), _ADDRESSES)
