"""The command line: each command is in a file of this folder, which is loaded when it is called."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from difflib import get_close_matches
from importlib import import_module
from typing import Final

import click
from click.shell_completion import CompletionItem

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.base.installation import form

_FIRST = """\
An arena for bots that play Zole. Begin with:

  arena init                         a league, sample bots and a bot of your own, in this folder
  arena league league.toml           play the league and print its standings
  arena check mine                   put your bot through everything that a match can ask
  arena match mine careful random    play bots against each other
  arena replay league.toml 1         show a match step by step

All commands: arena --help   The guide for bots: arena protocol
In a clone, type scripts/arena instead of arena."""

# The names of the commands, in the sections of the help
SECTIONS: Final = {
    "To begin with": "init new protocol rules doctor".split(),
    "Bots": "check test watch match compare history tune play".split(),
    "Leagues": "league season standings report verify ledger backup".split(),
    "Bots of others": "submit submissions withdraw resume".split(),
    "A site": "login uploads pull challenge serve".split(),
    "What was played": "replay review deals deal faults rerun save export".split(),
}

# The files that have several commands; each other command has a file of its own name
_FILES: Final = {
    "new": "init new protocol rules",
    "bots": "check match compare rerun doctor",
    "league": "league season",
    "record": "standings report verify ledger backup export",
    "authors": "submit submissions withdraw resume login uploads pull challenge",
    "replay": "replay review faults deal deals",
    "testing": "save test watch history tune",
}

_FILE_OF: Final = {name: file for file, names in _FILES.items() for name in names.split()}

# The commands that start bots or workers, or keep others from doing so; only for Linux
PLAYING: Final = frozenset(
    "check test watch match play tune compare league season backup serve submit rerun doctor"
    " review".split()
)


@contextmanager
def _notes_dropped() -> Iterator[None]:
    with open(os.devnull, "w", encoding="utf-8") as nothing, redirect_stderr(nothing):
        yield


def _quieten(ctx: click.Context, _: click.Parameter, quiet: bool) -> None:
    if quiet:
        ctx.with_resource(_notes_dropped())  # errors are told after its end


def _explain(_: click.Context, __: click.Parameter, verbose: bool) -> None:
    if verbose:
        import logging  # which takes as long to import as all else here

        line = "%(relativeCreated)d ms: %(message)s"
        logging.basicConfig(level=logging.DEBUG, format=line, force=True)


# The options of every command, wherever they stand
def _of_all(hidden: bool) -> list[click.Option]:
    about = {"is_flag": True, "expose_value": False, "hidden": hidden}
    quiet, verbose = "Say nothing but results and errors.", "Say what is done, and where."
    return [
        click.Option(["-q", "--quiet"], help=quiet, callback=_quieten, **about),
        click.Option(["-v", "--verbose"], help=verbose, callback=_explain, **about),
    ]


# A group that imports a command when it is called, and lists all by their names
class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        if sys.platform != "linux" and cmd_name in PLAYING:
            what = f"only Linux has what bots are run with, so arena {cmd_name} does not work here"
            remedy = "use WSL on Windows (wsl --install), or a virtual machine"
            raise MachineError(Mistake(what, "", remedy))
        file = import_module(f"arena.cli.{_FILE_OF.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(file, cmd_name)
        below = command.commands.values() if isinstance(command, click.Group) else ()
        for each in (command, *below):
            if not any("--quiet" in option.opts for option in each.params):
                each.params += _of_all(hidden=True)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named, or suggest one."""
        if args[0] in self.list_commands(ctx) or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = get_close_matches(args[0], self.list_commands(ctx), 1)
        remedy = f"did you mean {near[0]}?" if near else "arena --help lists all"
        raise click.UsageError(f"there is no command {args[0]}; {remedy}", ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help league` as `league --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(title, ", ".join(names)) for title, names in SECTIONS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete options and the names of commands, without importing these."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*map(CompletionItem, names), *options]


@click.group(
    cls=_LazyGroup,
    params=[*_of_all(hidden=False)],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(
    __version__, prog_name="arena", message=f"%(prog)s, version %(version)s\n{form()}"
)
@click.pass_context
def arena(ctx: click.Context) -> None:
    """An arena for bots that play Zole: matches, leagues, standings.

    Results go to standard output, everything else to standard error. What a command does is
    described by arena COMMAND --help.
    """
    if ctx.invoked_subcommand is None:
        from arena.cli.options import print_text  # the help needs none of its imports

        print_text(f"{_FIRST}\n")
