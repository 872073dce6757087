"""Commands about a league's record: report, export, verify, ledger, backup."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import harmless_json
from arena.base.words import count, deal_name
from arena.cli.options import (
    FILE,
    check_language,
    json_option,
    match_argument,
    open_record,
    print_json,
    print_result,
    print_text,
    private_option,
    refuse_folder,
    say,
)
from arena.record.audit import ledger_flaws
from arena.record.backup import backup as copy_league
from arena.record.export import TABLES, viewed_log
from arena.record.matches import find_match, stored_matches, verify_all
from arena.record.publishing import PublicLedger, public_ledger
from arena.record.store import Store
from arena.record.summary import summarize
from arena.reports.language import languages_with
from arena.reports.standings import standings_table
from arena.reports.table import write_csv

if TYPE_CHECKING:
    from arena.site.report import Replays


@click.command(
    epilog="Example:  arena report leagues/spring.toml --replays all", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--out", type=FILE, metavar="FILE", help="[default: spring.html by spring.toml]")
@click.option(
    "--replays",
    type=click.Choice(["none", "few", "faults", "all"]),
    default="few",
    show_default=True,
    help="Which matches to write replay pages for: a few (the most frequent faults, the largest"
    " swings, the last), those with faults, all, or none.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="TAG",
    help="The language of the pages: en or lv. A replay is in its reader's.",
)
@private_option
def report(
    league: Path, out: Path | None, replays: "Replays", language: str, private: bool
) -> None:
    """Write a league's pages from its record: standings, crosstable, a page for each bot, matches.

    They are the pages of a site, and need no network: the standings are in FILE, the others in a
    folder beside it, with replay pages, the deals that bots played most differently and the details
    of faults; those that an earlier report wrote there are removed. Commands on the pages are for
    LEAGUE's folder.

    Of an open league, matches that its publish = "..." keeps back have no replay without --private.
    """
    check_language(language, languages_with("league"))
    store = open_record(league)
    out = out or store.path.with_suffix(".html")
    refuse_folder(out)
    from arena.site.report import write_report  # only pages need what draws them

    made = write_report(store, league, out, replays, language, private)
    say(f"written: {out}", err=True)
    if made.removed:
        say(f"removed: {count(made.removed, 'page')} of an earlier report", err=True)
    deals = f" and {count(made.deals, 'deal')}" if made.deals else ""
    replays_and_deals = f"{count(made.replays, 'replay')}{deals}"
    told = replays_and_deals if made.replays else count(made.pages, "page")
    say(f"written: {told} in {made.folder}, {made.size / 1e6:.1f} MB", err=True)


@click.command(
    epilog="Example:  arena export leagues/spring.toml logs 17 --view seat:careful",
    no_args_is_help=True,
)
@click.argument("file", type=FILE, metavar="LEAGUE")
@click.argument(
    "what",
    type=click.Choice(
        ["standings", "sets", "matches", "games", "moves", "faults", "reviews", "deals", "logs"]
    ),
)
@match_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="[default: csv; logs are always JSON lines, deals lines of text unless asked]",
)
@click.option(
    "--view",
    metavar="VIEW",
    help="Logs as everybody saw them (public), or as one seat did (seat:NAME).",
)
@private_option
def export(
    file: Path, what: str, match: int | None, form: str | None, view: str | None, private: bool
) -> None:
    """Print a part of a league's record, for all matches or for one.

    games has a row for each deal, moves a row for each answer, reviews a row for each decision that
    arena review has valued, deals the compact text that arena match --deals reads. arena pull FILE
    makes a record of logs, unless a --view hides what that seat could not know.
    """
    if view is not None and what != "logs":
        raise ArenaError(Mistake("only logs have a view", "--view"))
    store = open_record(file)
    if match is not None:
        find_match(store, match)
    if what == "logs":
        _export_logs(store, match, view, private)
        return
    if what == "standings":
        rows: Iterator[Mapping[str, object]] = standings_table(summarize(store)).plain()
    else:
        rows = TABLES[what](store, match, private)
    if form == "jsonl":
        for row in rows:
            print_text(harmless_json(f"{msgspec.json.encode(row).decode()}\n"))
    elif what == "deals" and form is None:
        for row in rows:
            print_text(f"{row['text']}\n")
    else:
        write_csv(rows, sys.stdout)


def _export_logs(store: Store, match: int | None, view: str | None, private: bool) -> None:
    found = False
    for each in stored_matches(store, match):
        text = viewed_log(each, view, private)
        if text is not None:
            found = True
            print_text(text)
    if not found and view is not None:
        remedy = "it is public, or seat: and a seat's number or a bot's name"
        raise ArenaError(Mistake(f"no match has a view {view}", "--view", remedy))


@click.command(epilog="Example:  arena verify leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def verify(league: Path, as_json: bool) -> None:
    """Replay every stored match by the rules and compare. Exit 1 if one differs.

    Of an open league, the ledger is checked too: its chain of hashes, its season's secret,
    and every draw, which is made again from what was stored before it.
    """
    store = open_record(league)
    seeded, verified, wrong = bool(store.facts().seeds), 0, []
    for match, spec, problem in verify_all(store):
        verified += 1
        if problem is not None:
            name = f"{', '.join(spec.seats)} from {deal_name(spec.first)}"
            wrong.append({"number": match, "match": name, "problem": problem})
    ledger = list(ledger_flaws(store))
    if as_json:
        print_json({"matches": verified, "seeded": seeded, "wrong": wrong, "ledger": ledger})
    else:
        found = [f"match {it['number']} ({it['match']}): {it['problem']}" for it in wrong]
        for flaw in (*ledger, *found):
            say(f"{store.path}: {flaw}")
        say(f"{verified - len(wrong)} of {verified} matches replay to what is stored")
        if not seeded:
            say("none was compared with a seed: this record has logs, without that of their league")
    sys.exit(1 if wrong or ledger else 0)


@click.command(epilog="Example:  arena ledger leagues/ladder.toml --json", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def ledger(league: Path, as_json: bool) -> None:
    """Show the ledger of an open league: its commitment, its last line, and its secret at the end.

    The deals of an order come from the season's secret and the hash of the order's own line. The
    secret's SHA-256 is written down before anything else, the secret itself when the season is
    over. Publish the hash of the last line now and then: it shows whether any line before was
    changed. With --json every line is shown; arena protocol deals says how to check them.
    """
    print_result(as_json, public_ledger(open_record(league)), _show_ledger)


def _show_ledger(found: PublicLedger) -> None:
    say(f"committed  {found.commitment}")
    if found.secret:
        say(f"secret     {found.secret}")
    if found.practice:
        say("This league is for practice: its secret is the seed that was given.")
    say(f"line {found.lines[-1].number}: {found.hash}")


@click.command(
    epilog="Example:  arena backup leagues/spring.toml /backups/spring-monday", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.argument("place", type=FILE, metavar="FOLDER")
def backup(league: Path, place: Path) -> None:
    """Copy a league into a new folder, even while it plays.

    FOLDER gets the record as it stands at one moment, its reviews, the league's file and the bots'
    copies, and its name once all is written and checked. It holds the seeds that are still secret,
    so only you may read it. Copied back to an empty folder, the league goes on from there.
    """
    done = copy_league(league, place)
    copied = f"{count(done.matches, 'match')} and {count(done.bots, 'bot')}"
    say(f"{done.folder}: {copied} copied and checked")
