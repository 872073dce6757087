"""The command `arena`."""

import contextlib
import errno
import os
import sys

import click


def main() -> None:
    """Run the command line. Mistakes are told in one line each; the README has the exit codes."""
    from arena.base.errors import ArenaError
    from arena.cli import arena

    try:
        code = arena.main(prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except ArenaError as error:
        for mistake in error.mistakes:
            print(mistake, file=sys.stderr)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _stopped()
    except BaseExceptionGroup as group:  # trio's, where Ctrl-C came while something was waited for
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        _stopped()
    except BrokenPipeError:  # the reader of our output has left, as head does
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        with contextlib.suppress(OSError):
            what = error.filename or "the output"
            print(f"{what}: no space left to write this", file=sys.stderr)
        sys.exit(3)
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """Have the interpreter's own end write what is left of the output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stopped() -> None:
    print("stopped", file=sys.stderr)
    sys.exit(130)


if __name__ == "__main__":
    main()
