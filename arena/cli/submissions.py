"""Commands that submit bots to a league, list them and withdraw them."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.check import show_steps
from arena.cli.options import FILE, isolation_option, json_option, open_record, print_json, say

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel

league_option = click.option(
    "--league", "league", type=FILE, metavar="LEAGUE.toml", help="The league's file."
)
site_option = click.option(
    "--to", "site", metavar="URL", help="The site of the league, after arena login."
)


def _refuse_both(league: Path | None, site: str | None) -> None:
    """Raise a mistake in usage unless exactly one of them is named."""
    if (league is None) == (site is None):
        raise click.UsageError("Name the league's file with --league, or its site with --to.")


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
    level: "IsolationLevel | None",
    as_json: bool,
) -> None:
    """Submit a bot to a league: it is copied, built, checked by the league's rules, and entered.

    With --to it is sent to the site of a league, where the same is done in its turn; the account
    there is the author, and --wait shows the steps as they come.

    The next arena league plays it, and an open league that is being played within a second or
    so. It replaces a bot of the same name that its author submitted
    before; what that one has played stays. Exit 0 if it was entered, 1 if a step failed.
    """
    _refuse_both(league, site)
    if league is None:
        from arena.cli.site_client import send_bot

        sys.exit(send_bot(bot, site, wait, again, as_json))
    from arena.tasks.submissions import EntryTerms
    from arena.tasks.submissions import submit as steps_of

    done = show_steps(steps_of(bot, league, level, EntryTerms(any_author)), as_json)
    sys.exit(1 if any(step.failed for step in done) else 0)


@click.command(epilog="Example:  arena submissions leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def submissions(league: Path, as_json: bool) -> None:
    """List the bots submitted to a league, and the state of each.

    In an open league a bot waits until the league lets it in, which takes a second while it is
    played. A bot that failed too often is benched, and its state says why; without --json the same
    is said of bots that the league's file names.
    """
    from arena.league.config import OpenConfig
    from arena.record.submissions import listed
    from arena.reports.submissions import show_submissions

    store = open_record(league)
    entries = store.submissions()
    benched: dict[str, str] = {}
    if isinstance(store.terms().config, OpenConfig):
        ledger = store.fold()
        benched = ledger.benched
        entries = [*listed(entries, ledger)]
    if as_json:
        print_json(entries)
    else:
        show_submissions(entries, benched)


@click.command(
    epilog="Example:  arena withdraw mybot --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@league_option
@site_option
def withdraw(name: str, league: Path | None, site: str | None) -> None:
    """Withdraw a submitted bot from a league; what it has played stays."""
    _refuse_both(league, site)
    if league is None:
        from arena.cli.site_client import ask_about_bot

        sys.exit(ask_about_bot(name, "withdraw", site))
    from arena.record.paths import record_path
    from arena.record.store import Store

    with closing(Store.write(record_path(league))) as record:
        record.withdraw(name)
    say(f"{name} is withdrawn", err=True)


@click.command(
    epilog="Example:  arena resume mybot --league leagues/ladder.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@league_option
@site_option
def resume(name: str, league: Path | None, site: str | None) -> None:
    """Let a benched bot of an open league play again, which it may once.

    arena submissions says why it was benched. After a second time only a new version plays.
    """
    _refuse_both(league, site)
    if league is None:
        from arena.cli.site_client import ask_about_bot

        sys.exit(ask_about_bot(name, "resume", site))
    from arena.record.paths import record_path
    from arena.record.store import Store

    with closing(Store.write(record_path(league))) as record:
        record.resume(name)
    say(f"{name} plays again as soon as the league is played", err=True)
