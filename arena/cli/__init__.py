"""The command line: one file for each group of commands, nothing heavy imported before its use."""

import sys

import click

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.base.installation import form
from arena.cli.backup import backup
from arena.cli.check import check
from arena.cli.compare import compare
from arena.cli.deals import deal, deals
from arena.cli.doctor import doctor
from arena.cli.export import export
from arena.cli.league import league, verify
from arena.cli.ledger import ledger
from arena.cli.match import match
from arena.cli.new import init, new, protocol
from arena.cli.options import print_text
from arena.cli.play import play
from arena.cli.replay import faults, replay
from arena.cli.report import report
from arena.cli.rerun import rerun
from arena.cli.review import review
from arena.cli.rules import rules
from arena.cli.season import season
from arena.cli.serve import serve
from arena.cli.shell import completion, man
from arena.cli.site_client import challenge, login, pull, uploads
from arena.cli.standings import standings
from arena.cli.submissions import resume, submissions, submit, withdraw

_FIRST = """\
An arena for bots that play Zole. Begin with:

  arena init                         a league, sample bots and a bot of your own, in this folder
  arena league league.toml           play the league and print its standings
  arena check mine                   put your bot through everything that a match can ask
  arena match mine careful random    play bots against each other
  arena replay league.toml 1         watch a match step by step

All commands: arena --help   The guide for bots: arena protocol
In a clone, type scripts/arena in place of arena."""

SECTIONS = {
    "To begin with": (init, new, protocol, rules, doctor),
    "Bots": (check, match, play, compare),
    "Leagues": (league, season, standings, report, verify, ledger, backup),
    "Bots of others": (submit, submissions, withdraw, resume),
    "A site": (login, uploads, pull, challenge, serve),
    "What was played": (replay, review, deals, deal, faults, rerun, export),
    "The shell": (completion, man),
}


PLAYING = (
    check,
    match,
    play,
    compare,
    league,
    season,
    backup,
    serve,
    submit,
    rerun,
    doctor,
    review,
)
"""The commands that start bots or workers, or keep others from doing so; not for Windows."""


_LONGEST = 200
"""More characters than the first sentence of any command has."""


class _Sections(click.Group):
    """A group whose help lists its commands in sections."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help league` as `league --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if sys.platform == "win32" and command in PLAYING and not {"-h", "--help"} & {*rest}:
            what = f"Windows lacks what bots are run with, so arena {name} does not work there"
            raise MachineError(Mistake(what, "", "use WSL, where everything does: wsl --install"))
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for title, commands in SECTIONS.items():
            with formatter.section(click.style(title, bold=True)):
                formatter.write_dl(
                    [
                        (
                            f"{each.name:<{width}}",
                            each.get_short_help_str(_LONGEST),  # folded if it is too long
                        )
                        for each in commands
                    ]
                )


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


for section in SECTIONS.values():
    for command in section:
        arena.add_command(command)
