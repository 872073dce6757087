"""The command `arena`."""

import sys


def main() -> None:
    """Run the command line; a mistake of the user's is told in one line each."""
    from arena.cli import arena
    from arena.errors import ArenaError

    try:
        arena.main(prog_name="arena", standalone_mode=True)
    except ArenaError as error:
        for mistake in error.mistakes:
            print(mistake, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
