"""Commands about submitted bots: list them, withdraw them, let them play again."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from arena.cli.options import FILE, json_option, print_json, say
from arena.cli.records import open_record
from arena.cli.site_client import ask_about_bot
from arena.league.config import OpenConfig
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.submissions import Listed, Submission, listed
from arena.reports.table import Column, Table
from arena.reports.terminal import show_table

_SUBMISSIONS: Final[tuple[Column[Submission], ...]] = (
    Column("name", "plays as", wraps=True),
    Column("version", "version", lambda it: it.manifest.version, priority=2, wraps=True),
    Column("author", "author", lambda it: it.manifest.author, priority=3, wraps=True),
    Column("at", "submitted (UTC)", lambda it: it.at[:19].replace("T", " "), wraps=True),
    Column("digest", "content", lambda it: it.digest[:16], priority=1, wraps=True),
    Column("state", "state", lambda it: _state(it), wraps=True),
)

league_option = click.option(
    "--league", "league", type=FILE, metavar="LEAGUE.toml", help="The league's file."
)
site_option = click.option(
    "--to", "site", metavar="URL", help="The site of the league, after arena login."
)


def refuse_both(league: Path | None, site: str | None) -> None:
    """Raise a mistake in usage unless exactly one of them is named."""
    if (league is None) == (site is None):
        raise click.UsageError("Name the league's file with --league, or its site with --to.")


@click.command(epilog="Example:  arena submissions leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def submissions(league: Path, as_json: bool) -> None:
    """List the bots submitted to a league, and the state of each.

    In an open league a bot waits until the league lets it in, which takes a second while it is
    played. A bot that failed too often is benched, and its state says why; without --json the same
    is said of bots that the league's file names.
    """
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
        if entries:
            show_table(Table(_SUBMISSIONS, entries))
        else:
            say("Nothing has been submitted yet.")
        for name in sorted(benched.keys() - {entry.name for entry in entries}):
            say(f"{name} of the league's file is benched: {benched[name]}")


@click.command(
    epilog="Example:  arena withdraw mybot --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@league_option
@site_option
def withdraw(name: str, league: Path | None, site: str | None) -> None:
    """Withdraw a submitted bot from a league; what it has played stays."""
    refuse_both(league, site)
    if league is None:
        sys.exit(ask_about_bot(name, "withdraw", site))

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
    refuse_both(league, site)
    if league is None:
        sys.exit(ask_about_bot(name, "resume", site))

    with closing(Store.write(record_path(league))) as record:
        record.resume(name)
    say(f"{name} plays again as soon as the league is played", err=True)


def _state(entry: Submission) -> str:
    if isinstance(entry, Listed):
        if entry.why:
            return f"{entry.state}: {entry.why}"
        if entry.state == "waiting":
            return "waiting for the league to be played"
    return entry.state
