"""The group of commands about a site: with its file alone it starts the site."""

import click

from arena.cli.serve_accounts import accounts, assign, audit, invite, revoke
from arena.cli.serve_copies import backup, restore
from arena.cli.serve_leagues import show
from arena.cli.serve_start import start, upgrade
from arena.cli.serve_status import status
from arena.cli.serve_stops import bench, pause, resume
from arena.cli.serve_words import announce, announced


class _Serve(click.Group):
    """A group that takes a file in place of a command as the site to start."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        option = args and args[0].startswith("-") and args[0] not in ctx.help_option_names
        if option or (args and args[0].endswith(".toml")):
            args = ["start", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Serve,
    epilog="Example:  arena serve site.toml",
    subcommand_metavar="SITE.toml | COMMAND SITE.toml ...",
    no_args_is_help=True,
)
def serve() -> None:
    """Serve the site of an open league: standings for all, a way in for authors.

    With the file of a site it is started; the commands below are for its organiser, also while it
    runs.
    """


for command in (
    start,
    status,
    upgrade,
    invite,
    accounts,
    assign,
    revoke,
    announce,
    announced,
    show,
    bench,
    resume,
    pause,
    audit,
    backup,
    restore,
):
    serve.add_command(command)
