"""Commands to begin with: a starter, a bot; the protocol and the rules to read."""

import shlex
import sys
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

import click
import msgspec

from arena.base.installation import shipped
from arena.bots.templates import (
    KITS,
    STARTER_BOT,
    STARTER_LEAGUE,
    begin_bot,
    missing_programs,
    write_starter,
)
from arena.cli.options import FILE, json_option, print_result, print_text, say

LANGUAGES = tuple(
    "python javascript java kotlin rust cpp c csharp go perl ruby lua learned llm shell".split()
)


@click.command(epilog="Example:  arena init zole")
@click.argument("folder", required=False, default=".", type=FILE)
def init(folder: Path) -> None:
    """Create a folder with a league, sample bots and a bot of your own.

    FOLDER is the current one by default, and is made if it is missing. Nothing is overwritten.
    """
    write_starter(folder)
    league, own = str(folder / STARTER_LEAGUE), str(folder / STARTER_BOT)
    commands = (["league", league], ["replay", league, "1"], ["check", own])
    said = ("plays it", "shows its first match", "checks your bot, in bot.py there")
    say(f"{league} has a league, {own}/ your own bot. Next:")
    lines = [shlex.join(["arena", *words]) for words in commands]
    for line, what in zip(lines, said, strict=True):
        say(f"  {line:<{max(map(len, lines))}}   # {what}")


@click.command(epilog="Example:  arena new mybot --lang rust", no_args_is_help=True)
@click.argument("name", required=False, type=click.Path(path_type=Path))
@click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default="python", show_default=True
)
@click.option(
    "--list",
    "listed",
    is_flag=True,
    help="List the languages, and what this machine lacks for them.",
)
def new(name: Path | None, language: str, listed: bool) -> None:
    """Create a bot that can already play.

    NAME is the name of the folder and of the bot.
    """
    if listed:
        for each in LANGUAGES:
            say(f"{each:<11} {_lacking(each) or 'ready'}")
        return
    if name is None:
        raise click.UsageError("name the bot, or ask for --list")
    begin_bot(name, language)
    lacking = _lacking(language)
    if lacking:
        say(f"note: this machine {lacking}", err=True)
    say(f"{name}/ can already play. Check it: {shlex.join(['arena', 'check', str(name)])}")
    if "train.py" in KITS[language].examples:
        say(f"Train it: {shlex.join([sys.executable, str(name / 'train.py'), str(name)])}")


def _lacking(language: str) -> str:
    lacking = " and ".join(missing_programs(language))
    return f"lacks {lacking}: {KITS[language].get}" if lacking else ""


@click.command(epilog="Example:  arena protocol schema > schema.json")
@click.argument("part", type=click.Choice(("guide", "schema", "deals")), default="guide")
def protocol(part: str) -> None:
    """Print the protocol, its JSON Schema, or how deals are made."""
    file = {"guide": "README.md", "schema": "schema.json", "deals": "deals.md"}[part]
    print_text((shipped("protocol") / file).read_text(encoding="utf-8"))


@click.command(epilog="Example:  arena rules pagat")
@click.argument("name", required=False, metavar="[PRESET|FILE]")
@json_option
def rules(name: str | None, as_json: bool) -> None:
    """List presets of rules, or print one with its sources.

    A file of rules stands for the preset it names, with its own changes.
    """
    from arena.league.file import preset_of, rules_from
    from arena.zole.rules import preset
    from arena.zole.sources import sources, values

    known = sources()
    if name is None:
        rows = [*known.titles.items()]
        print_result(as_json, known.titles, _show_rows, "", rows, "preset", "source")
        return
    found, base = rules_from(name), preset_of(name)
    plain, said = values(preset(base)), []
    for key, value in values(found).items():
        origin = known.keys[key]
        source = "ours: " + (origin.ours or "the source is silent; as in pagat")
        if value != plain[key]:
            source = f"changed by {name}"
        elif base in origin.said:
            source = origin.said[base]
        said.append((key, msgspec.json.encode(value).decode(), source))
    title = f"{base}: {known.titles[base]}"
    print_result(as_json, found, _show_rows, title, said, "key", "value", "source")


def _show_rows(title: str, rows: Sequence[tuple[str, ...]], *headings: str) -> None:
    from arena.reports.tables import Column, Table
    from arena.reports.terminal import show_table

    columns = [
        Column("", heading, format=itemgetter(place), wraps=True)
        for place, heading in enumerate(headings)
    ]
    show_table(Table(columns, rows, title))
