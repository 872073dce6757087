"""The folder for files that the arena keeps for this user outside any league's folder."""

import os
from pathlib import Path


def caches() -> Path:
    """The arena's folder among the user's caches; it may not exist yet."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    own = "/var/cache" if is_root else Path.home() / ".cache"  # root's home is closed
    return Path(os.environ.get("XDG_CACHE_HOME") or own, "zole-arena")
