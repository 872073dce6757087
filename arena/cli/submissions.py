"""Commands that submit bots to a league, list them and withdraw them."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.check import show_steps
from arena.cli.options import FILE, isolation_option, json_option, print_json, say

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel

league_option = click.option(
    "--league", "league", type=FILE, required=True, metavar="LEAGUE.toml", help="The league's file."
)


@click.command(
    epilog="Example:  arena submit mybot.zip --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("bot", type=FILE, metavar="FOLDER|ARCHIVE")
@league_option
@click.option(
    "--any-author", is_flag=True, help="Let it replace a bot of the same name by another author."
)
@isolation_option
@json_option
def submit(
    bot: Path, league: Path, any_author: bool, level: "IsolationLevel | None", as_json: bool
) -> None:
    """Submit a bot to a league: it is copied, built, checked by the league's rules, and entered.

    The next arena league plays it, and an open league that is being played within a second or
    so. It replaces a bot of the same name that its author submitted
    before; what that one has played stays. Exit 0 if it was entered, 1 if a step failed.
    """
    from arena.tasks.submissions import submit as steps_of

    show_steps(steps_of(bot, league, level, any_author), as_json)


@click.command(epilog="Example:  arena submissions leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def submissions(league: Path, as_json: bool) -> None:
    """List the bots submitted to a league, and the state of each.

    In an open league a bot waits until the league lets it in, which takes a second while it is
    played. A bot that failed too often is benched, and its state says why.
    """
    from arena.record.paths import record_path
    from arena.record.store import Store
    from arena.record.submissions import listed
    from arena.reports.submissions import show_submissions

    store = Store.open(record_path(league))
    entries = store.submissions()
    if store.terms().open is not None:
        entries = [*listed(entries, store.field())]
    if as_json:
        print_json(entries)
    else:
        show_submissions(entries)


@click.command(
    epilog="Example:  arena withdraw mybot --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@league_option
def withdraw(name: str, league: Path) -> None:
    """Withdraw a submitted bot from a league; what it has played stays."""
    from arena.record.paths import record_path
    from arena.record.writer import Writer

    with closing(Writer.open(record_path(league))) as record:
        record.withdraw(name)
    say(f"{name} is withdrawn", err=True)


@click.command(
    epilog="Example:  arena resume mybot --league leagues/ladder.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@league_option
def resume(name: str, league: Path) -> None:
    """Let a benched bot of an open league play again, which it may once.

    arena submissions says why it was benched. After a second time only a new version plays.
    """
    from arena.record.paths import record_path
    from arena.record.writer import Writer

    with closing(Writer.open(record_path(league))) as record:
        record.resume(name)
    say(f"{name} plays again as soon as the league is played", err=True)
