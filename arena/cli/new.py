"""Commands for bot authors: begin a bot, read the protocol."""

import shlex
from pathlib import Path

import click

from arena.cli.options import json_option, print_json

LANGUAGES = ("python", "javascript", "java", "rust", "cpp", "c", "go", "perl", "shell")


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
@json_option
def new(name: Path | None, language: str, listed: bool, as_json: bool) -> None:
    """Begin a bot: a folder with a manifest, a source file that can already play, and a README.

    NAME is the name of the folder and of the bot.
    """
    from arena.bots.templates import begin, missing

    if listed:
        found = {each: missing(each) for each in LANGUAGES}
        if as_json:
            print_json(found)
            return
        for each, lacking in found.items():
            state = f"needs {', '.join(lacking)}" if lacking else "ready"
            click.echo(f"{each:<11} {state}")
        return
    if name is None:
        raise click.UsageError("name the bot, or ask for --list")
    begin(name, language)
    lacking = missing(language)
    if lacking:
        click.echo(f"note: this machine has no {', '.join(lacking)}", err=True)
    if as_json:
        print_json({"folder": str(name), "language": language})
    else:
        click.echo(
            f"{name}/ can already play. Check it: {shlex.join(['arena', 'check', str(name)])}"
        )


@click.command(epilog="Example:  arena protocol schema > schema.json")
@click.argument("part", type=click.Choice(("guide", "schema", "deals")), default="guide")
def protocol(part: str) -> None:
    """Print what bots and the arena say to each other: the guide, the JSON Schema, or the deals."""
    from arena.bots.templates import shipped

    file = {"guide": "README.md", "schema": "schema.json", "deals": "deals.md"}[part]
    click.echo((shipped("protocol") / file).read_text(encoding="utf-8"), nl=False)
