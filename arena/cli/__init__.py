"""The command line: one file for each group of commands, loaded when one of them is called."""

import sys
from importlib import import_module
from typing import Final

import click

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.base.installation import form
from arena.cli.options import print_text

_FIRST = """\
An arena for bots that play Zole. Begin with:

  arena init                         a league, sample bots and a bot of your own, in this folder
  arena league league.toml           play the league and print its standings
  arena check mine                   put your bot through everything that a match can ask
  arena match mine careful random    play bots against each other
  arena replay league.toml 1         watch a match step by step

All commands: arena --help   The guide for bots: arena protocol
In a clone, type scripts/arena in place of arena."""

SECTIONS: Final = {
    "To begin with": "init new protocol rules doctor".split(),
    "Bots": "check match play compare".split(),
    "Leagues": "league season standings report verify ledger backup".split(),
    "Bots of others": "submit submissions withdraw resume".split(),
    "A site": "login uploads pull challenge serve".split(),
    "What was played": "replay review deals deal faults rerun export".split(),
    "The shell": "completion man".split(),
}
"""The names of the commands, in the sections of the help."""

_FILES: Final = {
    "new": "init new protocol",
    "deals": "deals deal",
    "league": "league verify",
    "replay": "replay faults",
    "shell": "completion man",
    "site_client": "login uploads pull challenge",
    "submissions": "submit submissions withdraw resume",
}
"""The files that have several commands; each other command has a file of its own name."""

_FILE_OF: Final = {name: file for file, names in _FILES.items() for name in names.split()}

PLAYING: Final = frozenset(
    "check match play compare league season backup serve submit rerun doctor review".split()
)
"""The commands that start bots or workers, or keep others from doing so; only for Linux."""

_LONGEST: Final = 200
"""More characters than the first sentence of any command has."""


class _Sections(click.Group):
    """A group whose help lists its commands in sections, and that loads a command when asked."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        file = import_module(f"arena.cli.{_FILE_OF.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(file, cmd_name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help league` as `league --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if sys.platform != "linux" and name in PLAYING and not {"-h", "--help"} & {*rest}:
            what = f"only Linux has what bots are run with, so arena {name} does not work here"
            remedy = "use WSL on Windows (wsl --install), or a virtual machine"
            raise MachineError(Mistake(what, "", remedy))
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for title, names in SECTIONS.items():
            rows: list[tuple[str, str]] = []
            for name in names:
                command = self.get_command(ctx, name)
                assert command is not None
                help_text = command.get_short_help_str(_LONGEST)  # folded if it is too long
                rows.append((f"{name:<{width}}", help_text))
            with formatter.section(click.style(title, bold=True)):
                formatter.write_dl(rows)


@click.group(
    cls=_Sections,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(
    __version__, prog_name="arena", message=f"%(prog)s, version %(version)s\n{form()}"
)
@click.pass_context
def arena(ctx: click.Context) -> None:
    """An arena for bots that play Zole: matches, leagues, standings.

    Results go to standard output, everything else to standard error.
    """
    if ctx.invoked_subcommand is None:
        print_text(f"{_FIRST}\n")
