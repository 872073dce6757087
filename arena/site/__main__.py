"""Runs one process of a site: python -m arena.site NAME SITE.toml."""

import os
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

from arena.base.errors import ArenaError
from arena.base.files import allow_descriptors
from arena.site.config import PROCESSES, WEB, read_site
from arena.site.process import run_process

_DESCRIPTORS: Final = 4096


# Run a process until it is asked to stop; the web process may be given a socket that listens.
def _run(name: str, path: str, *descriptors: str) -> None:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else NumPy starts a thread for each core
    allow_descriptors(_DESCRIPTORS)
    try:
        site, work = read_site(Path(path)), resolve_name(PROCESSES[name])
        if name == WEB:
            work(site, *map(int, descriptors))
        else:
            run_process(site, name, work)
    except ArenaError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    _run(*sys.argv[1:])
