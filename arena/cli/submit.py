"""The command that submits a bot to a league."""

import sys
from pathlib import Path

import click

from arena.base.isolation_levels import IsolationLevel
from arena.cli.check import show_steps
from arena.cli.options import FILE, isolation_option, json_option
from arena.cli.site_client import send_bot
from arena.cli.submissions import league_option, refuse_both, site_option
from arena.tasks.submissions import EntryTerms
from arena.tasks.submissions import submit as steps_of


@click.command(
    epilog="Example:  arena submit mybot.zip --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("bot", type=FILE, metavar="FOLDER|ARCHIVE")
@league_option
@site_option
@click.option("--wait", is_flag=True, help="With --to: follow the check to its end.")
@click.option("--again", is_flag=True, help="With --to: check the same archive another time.")
@click.option(
    "--any-author", is_flag=True, help="Let it replace a bot of the same name by another author."
)
@isolation_option
@json_option
def submit(
    bot: Path,
    league: Path | None,
    site: str | None,
    wait: bool,
    again: bool,
    any_author: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Submit a bot to a league: it is copied, built, checked by the league's rules, and entered.

    With --to it is sent to the site of a league, where the same is done in its turn; the account
    there is the author, and --wait shows the steps as they come.

    The next arena league plays it, and an open league that is being played within a second or
    so. It replaces a bot of the same name that its author submitted
    before; what that one has played stays. Exit 0 if it was entered, 1 if a step failed.
    """
    refuse_both(league, site)
    if league is None:
        sys.exit(send_bot(bot, site, wait, again, as_json))

    done = show_steps(steps_of(bot, league, level, EntryTerms(any_author)), as_json)
    sys.exit(1 if any(step.failed for step in done) else 0)
