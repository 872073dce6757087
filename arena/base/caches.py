"""Where the arena keeps for this user what lies in no league's folder."""

import os
from pathlib import Path


def caches() -> Path:
    """The arena's folder among the user's caches; nothing makes it here."""
    own = "/var/cache" if os.geteuid() == 0 else Path.home() / ".cache"  # root's home is closed
    return Path(os.environ.get("XDG_CACHE_HOME") or own, "zole-arena")
