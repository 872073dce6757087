"""Keeps this user's tokens for sites, in one file that nobody else may read."""

import os
import shlex
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import read_file

_MOST: Final = 1 << 20


def tokens_path() -> Path:
    """Return the path of the file, among the user's settings."""
    own = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(own, "zole-arena", "tokens.json")


def keep_token(address: str, token: str) -> None:
    """Keep the token of a site in place of an earlier one. Raises `ArenaError`."""
    path = tokens_path()
    kept = {**_read(path), address: token}
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(kept), indent=1))
        draft.replace(path)
    except OSError as error:
        what = f"the token cannot be kept: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None


def find_token(address: str | None) -> tuple[str, str]:
    """Return the address and the token of a site, or of the only one if none is named.

    Raises `ArenaError` if none is known.
    """
    kept = _read(tokens_path())
    if address is None and len(kept) == 1:
        return next(iter(kept.items()))
    if address is None:
        known = f"known are {', '.join(kept)}" if kept else "arena login URL makes one known"
        raise ArenaError(Mistake("which site?", "", known))
    if address not in kept:
        raise ArenaError(
            Mistake("there is no token for this site", address, f"arena login {address}")
        )
    return address, kept[address]


def _read(path: Path) -> dict[str, str]:
    """Return the tokens by the addresses of their sites. Raises `ArenaError`."""
    if not path.exists():
        return {}
    if os.name == "posix" and path.stat().st_mode & 0o077:
        what = "others may read the tokens in this file"
        raise ArenaError(
            Mistake(what, str(path), f"chmod 600 {shlex.quote(str(path))}, and make new tokens")
        )
    try:
        return msgspec.json.decode(read_file(path, _MOST), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise ArenaError(Mistake(f"this holds no tokens: {error}", str(path))) from None
