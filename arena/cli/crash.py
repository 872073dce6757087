"""Reports an internal error: a line, and a file with its traceback."""

import platform
import shlex
import sys
import tempfile
import traceback
from contextlib import suppress

from arena import __version__
from arena.base.installation import form


def report_crash(error: BaseException) -> None:
    """Print the error in a line, with the file to which its traceback was written."""
    where = trace = "".join(traceback.format_exception(error))
    what = " ".join("".join(traceback.format_exception_only(error)).split())[:250]
    ours, python = f"arena {__version__} ({form()})", f"Python {platform.python_version()}"
    head = f"{ours}, {python}, {platform.platform()}"
    with suppress(OSError):
        with tempfile.NamedTemporaryFile(
            "w", prefix="arena-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(f"{head}\n{shlex.join(sys.argv)}\n\n{trace}")
        where = f"the traceback is in {file.name}; please report it"
    with suppress(OSError):
        print(f"internal error ({what}); {where}", file=sys.stderr, flush=True)
