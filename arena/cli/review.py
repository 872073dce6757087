"""The command that reviews bots' decisions in stored matches."""

import sys
from contextlib import closing
from pathlib import Path

import click

from arena.base.errors import MachineError, Mistake
from arena.base.run_events import Completed
from arena.base.words import count
from arena.cli.options import FILE, Whole, json_option, match_argument, print_json
from arena.cli.records import open_record
from arena.engine.runner import Interrupted, run
from arena.engine.workers import LocalExecutor, cores
from arena.record.matches import check_bot, find_match
from arena.record.reviews import Reviews, reviews_path
from arena.reports.review import ReviewProgress, show_review
from arena.review.verdict import WORLDS
from arena.tasks.review import ReviewRequest, deals_to_review, missing, review_deal, sum_up

_WORST = 20


@click.command(
    epilog="Example:  arena review leagues/spring.toml 17 --bot careful", no_args_is_help=True
)
@click.argument("file", type=FILE, metavar="LEAGUE")
@match_argument
@click.option("--bot", metavar="NAME", help="Only this bot's decisions: a third of the time.")
@click.option(
    "--worst",
    type=Whole(0),
    default=_WORST,
    show_default=True,
    metavar="N",
    help="How many of the costliest moments to list.",
)
@click.option(
    "--worlds",
    type=Whole(8),
    metavar="N",
    help="The most deals of the hidden cards to value a decision in.  [default: 60]",
)
@click.option("--open", "openly", is_flag=True, help="List what moments cost with open hands, too.")
@click.option(
    "--jobs",
    type=Whole(1),
    metavar="N",
    help="Deals at a time, each on a core.  [default: all cores]",
)
@json_option
def review(
    file: Path,
    match: int | None,
    bot: str | None,
    worst: int,
    worlds: int | None,
    openly: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """What would have been better? Values every legal answer of every decision.

    By what the seat knew, over sampled deals of the hidden cards, and with open hands. Takes about
    a second a deal. What was reviewed is kept in a file beside the record, and the same command
    goes on where it was stopped. Needs the extra review. A diagnosis, never a rating:
    see docs/review.md.
    """
    store = open_record(file)
    if match is not None:
        find_match(store, match)
    if bot is not None:
        check_bot(bot, store.terms().bots, "--bot")
    asked = ReviewRequest(None if match is None else (match,), bot, worlds or WORLDS)
    with closing(Reviews.open(reviews_path(store.path), create=True)) as kept:
        with ReviewProgress(deals_to_review(store, asked)) as progress:
            try:
                deals = missing(store, asked, kept, progress.skipped)
                workers = LocalExecutor([None] * (jobs or len(cores())), review_deal)
                with closing(workers) as executor:
                    for event in run(((deal, deal) for deal in deals), executor):
                        if isinstance(event, Completed):
                            kept.keep(asked.worlds, zip(event.key.keys, event.result, strict=True))
                        progress.show(event)
            except Interrupted as stop:
                progress.interrupted()
                sys.exit(stop.code)
            progress.over(kept.path)
        document = sum_up(store, asked, kept, str(file), worst)
    if as_json:
        print_json(document)
    else:
        show_review(document, openly)
    if progress.failed:
        what = f"{count(progress.failed, 'deal')} could not be reviewed"
        raise MachineError(Mistake(what, str(file), "the lines above say why"))
