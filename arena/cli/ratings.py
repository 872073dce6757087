"""The command that rates bots over all leagues they have played."""

from pathlib import Path

import click

from arena.cli.options import FILE, json_option, print_json


@click.command(epilog="Example:  arena ratings --history leagues", no_args_is_help=True)
@click.option(
    "--history",
    "folder",
    type=FILE,
    required=True,
    metavar="FOLDER",
    help="The records (.db) in this folder, leagues' and comparisons'.",
)
@click.option(
    "--anchor",
    metavar="BOT",
    help="The bot rated 1500: its folder, its name, or the first digits of its content's hash."
    "  [default: the sample bot sampler]",
)
@json_option
def ratings(folder: Path, anchor: str | None, as_json: bool) -> None:
    """Rate all bots of a folder's records together, relative to one that never changes.

    All stored sets are fitted at once. A bot is identified by its content, not by its name, so a
    new version is a new bot and nothing decays. Each set of rules has a table of its own.
    """
    from arena.record.collection import collect, find_anchor
    from arena.reports.history import show_history, tell_unread
    from arena.stats.history import history

    past, unread = collect(folder)
    found = history(past, find_anchor(past, anchor))
    tell_unread(unread)
    if as_json:
        print_json(found)
    else:
        show_history(found)
