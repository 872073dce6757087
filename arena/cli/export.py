"""The command that writes a league's record for other programs."""

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import harmless_cell, harmless_json
from arena.cli.options import FILE, match_argument, print_text, private_option
from arena.cli.records import open_record
from arena.record.export import TABLES, viewed_log
from arena.record.matches import find_match, stored_matches


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
    lines: Iterator[Mapping[str, object]]
    if match is not None:
        find_match(store, match)
    if what == "logs":
        found = False
        for each in stored_matches(store, match):
            text = viewed_log(each, view, private)
            if text is not None:
                found = True
                print_text(text)
        if not found and view is not None:
            remedy = "it is public, or seat: and a seat's number or a bot's name"
            raise ArenaError(Mistake(f"no match has a view {view}", "--view", remedy))
        return
    if what == "standings":
        from arena.record.summary import summarize  # no other export needs these
        from arena.reports.standings import standings_table

        lines = standings_table(summarize(store)).plain()
    else:
        lines = TABLES[what](store, match, private)
    if form == "jsonl":
        for row in lines:
            print_text(harmless_json(f"{msgspec.json.encode(row).decode()}\n"))
    elif what == "deals" and form is None:
        for row in lines:
            print_text(f"{row['text']}\n")
    else:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        for number, row in enumerate(lines):
            if number == 0:
                writer.writerow(row)
            writer.writerow(map(harmless_cell, row.values()))
