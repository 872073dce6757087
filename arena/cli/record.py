"""Commands about a league's record: standings, report, export, verify, ledger, backup."""

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
    print_json,
    print_result,
    print_text,
    private_option,
    record_argument,
    say,
)
from arena.league.config import TournamentConfig
from arena.record.audit import ledger_flaws
from arena.record.export import TABLES, viewed_log
from arena.record.matches import find_match, stored_matches, verify_all
from arena.record.publishing import public_ledger
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.reports.language import languages_with
from arena.reports.standings import analysis_table, show_analysis, show_summary, standings_table
from arena.reports.tables import write_csv
from arena.reports.terminal import show_lines

if TYPE_CHECKING:
    from arena.site.report import Replays


@click.command(
    epilog="Example:  arena standings leagues/spring.toml --crosstable --roles",
    no_args_is_help=True,
)
@record_argument
@click.option("--crosstable", is_flag=True, help="Every pair of bots, and who is surely better.")
@click.option("--roles", is_flag=True, help="As declarer, as defender and at the table.")
@click.option("--seats", is_flag=True, help="As forehand, middlehand and rearhand.")
@click.option("--company", is_flag=True, help="What two authors' bots gave each other, by pairs.")
@click.option("--all", "everything", is_flag=True, help="All of these tables.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print one table as comma-separated values.")
def standings(
    store: Store,
    crosstable: bool,
    roles: bool,
    seats: bool,
    company: bool,
    everything: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the standings.

    They come from the record, even while the league is being played.
    docs/statistics.md explains every column. --json always has everything; --csv has
    the standings, or the one table that is named.
    """
    flags = {"crosstable": crosstable, "roles": roles, "seats": seats, "company": company}
    named = [name for name, flag in flags.items() if flag]
    if as_csv and (as_json or everything or len(named) > 1):
        what = "--csv prints one table"
        raise ArenaError(Mistake(what, "", "name one of the tables, and neither --all nor --json"))
    once = isinstance(store.terms().config, TournamentConfig)
    if once and named:
        what = "a tournament has no such table: each of its tables plays a deal once"
        raise ArenaError(Mistake(what, str(store.path)))
    found = summarize_fully(store)
    if as_json:
        print_json(found)
    elif as_csv:
        table = analysis_table(found.analysis, named[0]) if named else standings_table(found)
        print_text(table.csv())
    else:
        if everything or not named:
            show_summary(found, store)
        for name in flags if everything and not once else named:
            show_analysis(found, name)


@click.command(
    epilog="Example:  arena report leagues/spring.toml --replays all", no_args_is_help=True
)
@record_argument
@click.option("--out", type=FILE, metavar="FILE", help="[default: spring.html by spring.toml]")
@click.option(
    "--replays",
    type=click.Choice(["none", "few", "all"]),
    default="few",
    show_default=True,
    help="Which matches have replay pages: a few (those with most faults, the largest swings, the"
    " last), all, or none.",
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
    store: Store, out: Path | None, replays: "Replays", language: str, private: bool
) -> None:
    """Write a league's pages.

    They are the pages of a site, and need no network: the standings are in FILE, the others in a
    folder next to it, which replaces that of an earlier report. Commands on the pages are for the
    record's folder.

    Of an open league, matches that its publish = "..." keeps back have no replay without --private.
    """
    check_language(language, languages_with("league"))
    from arena.site.report import write_report  # only pages need what draws them

    out = out or store.path.with_suffix(".html")
    folder = write_report(store, out, replays, language, private)
    say(f"written: {out} and {folder}", err=True)


@click.command(
    epilog="Example:  arena export leagues/spring.toml logs 17 --view seat:careful",
    no_args_is_help=True,
)
@record_argument
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
    store: Store, what: str, match: int | None, form: str | None, view: str | None, private: bool
) -> None:
    """Export a part of a record.

    games has a row for each deal, moves a row for each answer, reviews a row for each decision that
    arena review has valued, deals the compact text that arena match --deals reads. arena pull FILE
    makes a record of logs, unless a --view hides what that seat could not know.
    """
    if view is not None and what != "logs":
        raise ArenaError(Mistake("only logs have a view", "--view"))
    if match is not None:
        find_match(store, match)
    if what == "logs":
        viewed = 0
        for each in stored_matches(store, match):
            text = viewed_log(each, view, private)
            viewed += text is not None
            print_text(text or "")
        if not viewed and view is not None:
            remedy = "it is public, or seat: and a seat's number or a bot's name"
            raise ArenaError(Mistake(f"no match has a view {view}", "--view", remedy))
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


@click.command(epilog="Example:  arena verify leagues/spring.toml", no_args_is_help=True)
@record_argument
@json_option
def verify(store: Store, as_json: bool) -> None:
    """Replay every stored match and compare. Exit 1 if one differs.

    Of an open league, the ledger is checked too: its chain of hashes, its season's secret,
    and every draw, which is made again from what was stored before it.
    """
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
@record_argument
@json_option
def ledger(store: Store, as_json: bool) -> None:
    """Show the ledger of an open league.

    The deals of an order come from the season's secret and the hash of the order's own line. The
    secret's SHA-256 is written down before anything else, the secret itself when the season is
    over. Publish the hash of the last line now and then: it shows whether any line before was
    changed. With --json every line is shown; arena protocol deals explains how to check them.
    """
    found = public_ledger(store)
    secret = f"secret     {found.secret or 'is shown when the season is over'}"
    last = f"line {found.lines[-1].number}: {found.hash}"
    print_result(as_json, found, show_lines, f"committed  {found.commitment}", secret, last)


@click.command(
    epilog="Example:  arena backup leagues/spring.toml /backups/spring-monday", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.argument("place", type=FILE, metavar="FOLDER")
def backup(league: Path, place: Path) -> None:
    """Copy a league into a new folder.

    The league may be played meanwhile.
    FOLDER gets the record as it stands at one moment, its reviews, the league's file and the bots'
    copies, and its name once all is written and checked. It holds the seeds that are still secret,
    so only you may read it. Copied back to an empty folder, the league continues from there.
    """
    from arena.record.backup import backup as copy_league  # which knows of reviews

    done = copy_league(league, place)
    copied = f"{count(done.matches, 'match')} and {count(done.bots, 'bot')}"
    say(f"{done.folder}: {copied} copied and checked")
