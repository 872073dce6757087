"""Fetches the logs of an author's matches from a site into a folder, each time the new ones."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file, write_whole
from arena.base.refusals import Busy, OverQuota
from arena.site.api import OwnMatch, Pulled
from arena.site.client.client import LONGEST_WAIT_S, Pending, Remote, in_path

STATE: Final = "pulled.json"
"""The file that notes which site's logs a folder has, and how far."""

KINDS: Final = (("/log", ".jsonl"), ("/stderr", ".stderr.txt"), ("/faults", ".faults.json"))
"""The files of a match: the end of the address at the site, and the end of the file's name."""

_TOGETHER: Final = 4
"""The number of matches whose files are asked for at once: a site lets few requests wait."""

_PATIENCE: Final = 120
"""The number of times that a file which is not cut yet is asked for."""


class PulledSoFar(msgspec.Struct, frozen=True):
    """A folder's site, the last match that was noted, and the matches still to be fetched."""

    site: str
    after: int
    waiting: tuple[OwnMatch, ...] = ()


def look(remote: Remote, folder: Path, most: int) -> int:
    """Note the newest of one's own matches that a folder lacks, besides those it waits for.

    Returns the number of older ones, which it will not get. Raises `ArenaError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = _read(folder, remote.address)
    found = remote.get(f"pull?after={state.after}&most={most}", Pulled)
    if found.matches:
        last = found.matches[-1].number
        _write(folder, PulledSoFar(remote.address, last, state.waiting + found.matches))
    return found.left


def pull(remote: Remote, folder: Path) -> Iterator[OwnMatch]:
    """Fetch the matches that a folder waits for, the oldest first, and yield each once it is there.

    What is interrupted goes on from there the next time. Raises `ArenaError`.
    """
    state = _read(folder, remote.address)
    while state.waiting:
        together = state.waiting[:_TOGETHER]
        _bring(remote, dict(item for match in together for item in _files(match, folder)))
        state = msgspec.structs.replace(state, waiting=state.waiting[_TOGETHER:])
        _write(folder, state)
        yield from together


def _files(match: OwnMatch, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the paths of a match's files at the site and in the folder.

    Whatever a bot is called, the latter lead to no other folder.
    """
    for bot in match.bots:
        name = re.sub(r"[^\w.+ -]", "_", bot)
        for end, suffix in KINDS:
            path = f"matches/{match.number}/seat/{in_path(bot)}{end}"
            yield path, folder / f"{match.number}.{name}{suffix}"


def _bring(remote: Remote, files: dict[str, Path]) -> None:
    """Fetch files as the site cuts them out of its record. Raises `ArenaError`."""
    for _ in range(_PATIENCE):
        wait_s = 0.0
        for path, target in [*files.items()]:
            try:
                remote.fetch(path, target)
            except Pending as pending:
                wait_s = max(wait_s, pending.wait_s)
            except (OverQuota, Busy) as busy:
                if busy.wait_s is None:
                    raise
                wait_s = max(wait_s, min(busy.wait_s, LONGEST_WAIT_S))
                break  # others would be refused, too
            else:
                del files[path]
                if target.stat().st_size <= 2:  # a bot that wrote nothing, or made no fault: []
                    target.unlink()
        if not files:
            return
        remote.sleep(wait_s)
    what = f"the site has not made {len(files)} files yet"
    raise ArenaError(Mistake(what, remote.address, "try again later"))


def _read(folder: Path, address: str) -> PulledSoFar:
    """Return what a folder has and waits for. Raises `ArenaError` if it belongs to another site."""
    path = folder / STATE
    if not path.exists():
        return PulledSoFar(address, 0)
    try:
        state = msgspec.json.decode(read_file(path, 1 << 20), type=PulledSoFar)
    except msgspec.MsgspecError as error:
        raise ArenaError(Mistake(f"this does not name a site: {error}", str(path))) from None
    if state.site != address:
        what = f"this folder has the logs of {state.site}"
        raise ArenaError(Mistake(what, str(folder), "name another folder"))
    return state


def _write(folder: Path, state: PulledSoFar) -> None:
    write_whole(folder / STATE, msgspec.json.encode(state))
