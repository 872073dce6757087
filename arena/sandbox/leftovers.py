"""The leftovers of a killed arena, found and cleared away at the next start.

Boxes, control groups and scratch folders carry the mark of the process that made them. If that has
ended, they are abandoned: it was killed while starting a box or before it could clean up.
"""

import contextlib
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.base.marks import MARK_PREFIX, forsaken, mark
from arena.sandbox.cgroup import remove_groups
from arena.sandbox.isolation import Isolation
from arena.sandbox.removal import remove_folder


@contextmanager
def scratch(mode: int = 0o711) -> Iterator[str]:
    """A scratch folder that bots may enter as other users; removed afterwards with its content."""
    folder = tempfile.mkdtemp(prefix=mark())
    os.chmod(folder, mode)
    try:
        yield folder
    finally:
        remove_folder(folder)


@contextmanager
def scratch_each(isolation: Isolation, programs: int) -> Iterator[list[str]]:
    """A scratch folder for each of some programs, removed afterwards; no bot can guess its name.

    A box of bubblewrap has its own, so its name here is empty.
    """
    if isolation.level == "bubblewrap":
        yield [""] * programs
        return
    with scratch() as folder:
        yield [tempfile.mkdtemp(dir=folder) for _ in range(programs)]


def sweep() -> None:
    """Kill the boxes and remove the scratch folders and control groups whose makers are gone."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if _forsaken_process(process):
                os.kill(int(process.name), signal.SIGKILL)
    for folder in Path(tempfile.gettempdir()).glob(f"{MARK_PREFIX}*"):
        if forsaken(folder.name):
            remove_folder(folder)
    remove_groups()


def _forsaken_process(process: Path) -> bool:
    """Whether the maker of a box, or of a process's scratch folder, has ended."""
    title = _beginning(process / "cmdline", 256).partition(b"\0")[0].decode(errors="replace")
    if title.startswith(MARK_PREFIX):
        return forsaken(title)
    environment = _beginning(process / "environ", 4096).split(b"\0")
    scratch = [entry.decode(errors="replace") for entry in environment if b"TMPDIR=" in entry[:7]]
    return any(forsaken(part) for path in scratch for part in path.split("/"))


def _beginning(path: Path, size: int) -> bytes:
    """The first bytes of a file in `/proc`, which a process may have made very long."""
    with path.open("rb", buffering=0) as file:
        return file.read(size) or b""
