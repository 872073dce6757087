"""The lock that keeps all but one arena from playing a league.

It is a file beside the record, named after the record's identity and not after its path: a record
that is renamed, or copied within its folder, keeps its identity.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.record.store import IN_MEMORY, Store


@contextmanager
def lock(store: Store) -> Iterator[None]:
    """Keep others from playing a league. Raises `ArenaError` if somebody plays it."""
    if store.path == IN_MEMORY:
        yield
        return
    path = store.path.resolve().parent / f".{store.facts().identity}.lock"
    try:
        file = _take(path)
    except BlockingIOError:
        what = "this is being played by another arena right now"
        raise ArenaError(Mistake(what, str(store.path), "wait for it, or stop it")) from None
    except OSError as error:
        what = f"the record cannot be written: {error.strerror}"
        raise MachineError(Mistake(what, str(store.path))) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _take(path: Path) -> int:
    """Lock the file at this path. Raises `BlockingIOError` if another holds it, `OSError`."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # network file systems need writing
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        except FileNotFoundError:
            pass
        except BlockingIOError:
            os.close(file)
            raise
        os.close(file)  # its last user has just removed it
