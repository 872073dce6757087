"""The command that verifies a league's record."""

import sys
from pathlib import Path

import click

from arena.base.words import deal_name
from arena.cli.options import FILE, json_option, print_json, say
from arena.cli.records import open_record
from arena.record.audit import ledger_flaws
from arena.record.matches import verify_all


@click.command(epilog="Example:  arena verify leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def verify(league: Path, as_json: bool) -> None:
    """Replay every stored match by the rules and compare. Exit 1 if one differs.

    Of an open league, the ledger is checked too: its chain of hashes, its season's secret,
    and every draw, which is made again from what was stored before it.
    """
    store = open_record(league)
    seeded, count = bool(store.facts().seeds), 0
    wrong: list[dict[str, str | int]] = []
    for number, spec, problem in verify_all(store):
        count += 1
        if problem is not None:
            name = f"{', '.join(spec.seats)} from {deal_name(spec.first)}"
            wrong.append({"number": number, "match": name, "problem": problem})
    ledger = list(ledger_flaws(store))
    if as_json:
        print_json({"matches": count, "seeded": seeded, "wrong": wrong, "ledger": ledger})
    else:
        for flaw in ledger:
            say(f"{store.path}: {flaw}")
        for each in wrong:
            say(f"{store.path}: match {each['number']} ({each['match']}): {each['problem']}")
        say(f"{count - len(wrong)} of {count} matches replay to what is stored")
        if not seeded:
            say("none was compared with a seed: this record has logs, without that of their league")
    sys.exit(1 if wrong or ledger else 0)
