"""The policy of complete pages, which hold their scripts and styles: they may use these alone."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

import arena

PLAY_PAGE: Final = Path(arena.__file__).parent / "viewer" / "play.html"
"""The page at which a person plays."""

_INLINE: Final = re.compile(rb"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


def policy(page: bytes, framed_by: str = "'none'") -> str:
    """The content security policy of a page: its own scripts and styles, and this site alone.

    `framed_by` are the pages that may show it inside them.
    """
    hashes: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for kind, text in _INLINE.findall(page):
        hashes[kind].append(f"'sha256-{b64encode(sha256(text).digest()).decode()}'")
    scripts, styles = (" ".join(each) or "'none'" for each in hashes.values())
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self';"
        f" img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors {framed_by}"
    )
