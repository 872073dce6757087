"""The command `arena`."""

import os
import sys

import click


def main() -> None:
    """Run the command line. Mistakes are told in one line each; the README has the exit codes."""
    from arena.cli import arena
    from arena.errors import ArenaError

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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _stopped() -> None:
    print("stopped", file=sys.stderr)
    sys.exit(130)


if __name__ == "__main__":
    main()
