"""The command `arena`. Its workers import this file too, so little is loaded here."""

import contextlib
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO, cast

from arena.base.files import allow_descriptors
from arena.base.harmless import HarmlessStream

if TYPE_CHECKING:
    from arena.base.errors import Mistake

CRASHED = 70
"""The exit code of a run that ended by a mistake of the arena's own."""

_DESCRIPTORS = 4096
"""Workers with many bots need more than the 64 or 256 open files that some systems begin with."""

READER_LEFT = 141
"""The exit code of a run whose reader has left: 128 and the number of SIGPIPE."""

_MACHINE = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
}
"""Errors of a machine that lacks something; any other refusal of a named file is the user's."""


def main() -> None:
    """Run the command line. Mistakes are a line each; docs/commands.md has the exit codes."""
    _prepare_streams()
    allow_descriptors(_DESCRIPTORS)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else NumPy starts a thread for each core
    try:
        code = _run()
    except KeyboardInterrupt:  # while modules were loaded
        code = _stopped()
    except (Exception, BaseExceptionGroup) as error:  # nothing runs after it
        from arena.cli.crash import report_crash

        _finish_output()
        report_crash(error)
        code = CRASHED
    sys.exit(code)


def _run() -> int:
    """Run the command, report what the user can fix, and return the exit code."""
    import click

    from arena.base.errors import ArenaError, Mistake
    from arena.cli import arena

    output, errors = sys.stdout, sys.stderr
    try:
        try:
            code = arena.main(prog_name="arena", standalone_mode=False)
        except SystemExit as end:
            # click makes an exit with 1 of a BrokenPipeError, and may replace the stream
            if sys.stdout is not output or isinstance(end.__context__, BrokenPipeError):
                sys.stdout = output
                raise BrokenPipeError from None
            code = end.code
        finally:
            sys.stderr = errors  # click closes no context whose arguments are wrong
        sys.stdout.flush()
    except ArenaError as error:
        if "logging" in sys.modules:
            sys.modules["logging"].debug("the error came from here", exc_info=True)
        _tell(*map(str, error.mistakes))
        return _failed(error.exit_code, *error.mistakes)
    except click.ClickException as error:
        told = io.StringIO()  # click has its own way to the stream
        error.show(told)
        _tell(told.getvalue().rstrip())
        return _failed(error.exit_code, Mistake(error.format_message()))
    except (click.Abort, KeyboardInterrupt):
        return _stopped()
    except BaseExceptionGroup as group:  # trio's, where Ctrl-C came while something was waited for
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        return _stopped()
    except BrokenPipeError:  # the reader of our output has left, as head does
        _drop_output()
        return READER_LEFT
    except OSError as error:
        return _refused(error)
    return code if isinstance(code, int) else 0


def _refused(error: OSError) -> int:
    """Report which file the system refused, or that it refused our output. Raises other errors."""
    if error.filename is None and error.errno != errno.ENOSPC:
        raise error
    _finish_output()
    from arena.base.errors import Mistake

    if error.errno == errno.ENOSPC:
        _tell(f"{error.filename or 'the output'}: no space left to write this")
        return 3
    mistake = Mistake((error.strerror or str(error)).lower(), os.fsdecode(error.filename))
    _tell(str(mistake))
    return _failed(3 if error.errno in _MACHINE else 2, mistake)


def _failed(code: int, *mistakes: "Mistake") -> int:
    """Print what is wrong as JSON if that was asked for and nothing was printed; return `code`."""
    if "--json" in sys.argv[1:] and getattr(sys.stdout, "unused", False):
        import msgspec

        from arena.base.harmless import harmless_values

        errors = harmless_values([vars(each) for each in mistakes])
        document = msgspec.json.encode({"errors": errors, "exit_code": code})
        with contextlib.suppress(OSError):
            print(document.decode(), flush=True)
    return code


def _tell(*lines: str) -> None:
    with contextlib.suppress(OSError):  # standard error may be full, too
        print(*lines, sep="\n", file=sys.stderr, flush=True)


def _prepare_streams() -> None:
    """Guard the output, and open the null device for streams that the caller has closed.

    A file of ours would take their place otherwise.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be text
    sys.stdout = cast(TextIO, HarmlessStream(sys.stdout))
    sys.stderr = cast(TextIO, HarmlessStream(sys.stderr))


def _finish_output() -> None:
    """Write the rest of the output, or drop it if that is refused."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Send the rest of the output, which the interpreter writes at its end, to the null device."""
    with contextlib.suppress(OSError):  # a stream without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stopped() -> int:
    _tell("stopped")
    return 130


if __name__ == "__main__":
    main()
