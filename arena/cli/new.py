"""Commands to begin with: a starter, a bot; the protocol and the rules to read."""

import shlex
from pathlib import Path

import click

from arena.bots.templates import (
    KITS,
    STARTER_BOT,
    STARTER_LEAGUE,
    begin_bot,
    missing_programs,
    shipped,
    write_starter,
)
from arena.cli.options import FILE, json_option, print_result, print_text, say

LANGUAGES = ("python", "javascript", "java", "rust", "cpp", "c", "go", "perl", "shell")


@click.command(epilog="Example:  arena init zole")
@click.argument("folder", required=False, default=".", type=FILE)
def init(folder: Path) -> None:
    """Fill a folder with a league, sample bots and a first bot of your own.

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
    """Begin a bot: a folder with a manifest, a source file that can already play, and a README.

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


def _lacking(language: str) -> str:
    lacking = " and ".join(missing_programs(language))
    return f"lacks {lacking}: {KITS[language].get}" if lacking else ""


@click.command(epilog="Example:  arena protocol schema > schema.json")
@click.argument("part", type=click.Choice(("guide", "schema", "deals")), default="guide")
def protocol(part: str) -> None:
    """Print what bots and the arena say to each other: the guide, the JSON Schema, or the deals."""
    file = {"guide": "README.md", "schema": "schema.json", "deals": "deals.md"}[part]
    print_text((shipped("protocol") / file).read_text(encoding="utf-8"))


@click.command(epilog="Example:  arena rules --diff pagat lzsf")
@click.argument("rules", nargs=-1, metavar="[PRESET|FILE]...")
@click.option("--diff", is_flag=True, help="Show where two of them differ.")
@json_option
def rules(rules: tuple[str, ...], diff: bool, as_json: bool) -> None:
    """List the presets, print one with the source of every value, or compare two.

    A file of rules stands for the preset it names, with its own changes.
    """
    if len(rules) != (2 if diff else min(len(rules), 1)):
        raise click.UsageError("name one preset or file, or two with --diff")
    from arena.league.file import preset_of, rules_from
    from arena.reports.rules import show_difference, show_presets, show_rules
    from arena.zole.sources import sources, values

    resolved = [values(rules_from(name)) for name in rules]
    if diff:
        one, other = resolved
        keys = {key: (one[key], other[key]) for key in one if one[key] != other[key]}
        print_result(as_json, keys, show_difference, rules, keys)
    elif resolved:
        [name], [found] = rules, resolved
        print_result(as_json, rules_from(name), show_rules, name, preset_of(name), found)
    else:
        print_result(as_json, sources().titles, lambda _: show_presets())
