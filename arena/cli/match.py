"""The command that plays bots outside any league."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    print_json,
    seed_option,
)

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel


@click.command(
    epilog="Example:  arena match sample_bots/careful sample_bots/random sample_bots/lazy",
    no_args_is_help=True,
)
@click.argument("bots", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="BOT...")
@click.option("--rules", default="pagat", metavar="PRESET|FILE", show_default=True)
@click.option("--deals", default="20", metavar="N|FILE", show_default=True)
@click.option(
    "--seatings",
    type=click.Choice(["all", "one"]),
    default="all",
    show_default=True,
    help="Every seating of each deal, or only the order given.",
)
@click.option("--check-tie", is_flag=True, help="Exit 1 unless all bots come out exactly equal.")
@seed_option
@jobs_option
@no_timeout_option
@isolation_option
@json_option
def match(
    bots: tuple[Path, ...],
    rules: str,
    deals: str,
    seatings: str,
    check_tie: bool,
    seed: int | None,
    jobs: int | None,
    no_timeout: bool,
    level: "IsolationLevel | None",
    as_json: bool,
) -> None:
    """Play bots against each other; nothing is kept.

    Each BOT is a folder with a bot.toml. Two bots mirror: A A B and A B B, in all seatings. With
    --check-tie one bot is enough: it plays against its own copies.
    """
    from arena.engine.runner import Interrupted
    from arena.engine.workers import cores
    from arena.reports.friendly import show_friendly
    from arena.reports.isolation import tell_isolation
    from arena.reports.terminal import console
    from arena.sandbox.isolation import choose_isolation
    from arena.tasks.friendly import (
        FriendlyRequest,
        friendly_document,
        is_tie,
        play_friendly,
        prepare_friendly,
        totals,
    )

    apart = choose_isolation(level)
    tell_isolation(apart)
    asked = FriendlyRequest(
        folders=bots,
        rules=rules,
        deals=deals,
        seed=seed,
        all_seatings=seatings == "all",
        copies=check_tie,
    )
    friendly = prepare_friendly(asked, apart)
    with console(stderr=True).status("") as status:

        def progress(played: int) -> None:
            status.update(f"{played} of {len(friendly.seats)} seatings played")

        try:
            records = play_friendly(friendly, jobs or len(cores()), not no_timeout, progress)
        except Interrupted as stop:
            click.echo("stopped; a match outside a league leaves nothing behind", err=True)
            sys.exit(stop.code)
    if as_json:
        print_json(friendly_document(friendly, records))
    else:
        show_friendly(friendly, totals(friendly, records))
    if check_tie:
        tied = is_tie(friendly, records)
        click.echo("an exact tie" if tied else "no tie: the results differ", err=True)
        sys.exit(0 if tied else 1)
