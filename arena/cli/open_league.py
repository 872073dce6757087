"""Plays an open league for `arena league`, and lets a benched bot play again."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.options import print_json

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel
    from arena.engine.runner import Crew
    from arena.engine.worker import Job
    from arena.league.schedule import MatchSpec
    from arena.match.record import MatchRecord
    from arena.tasks.open_league import OpenLeague

    CrewOf = Callable[[OpenLeague, Callable[[str], None], dict[str, str]], Crew[Job, MatchRecord]]


def play_open(
    file: Path,
    seed: int | None,
    level: "IsolationLevel | None",
    most: int | None,
    crew_of: "CrewOf",
    timed: bool,
    fixed: bool,
    as_json: bool,
) -> None:
    """Play an open league until it is stopped, or for `most` orders; for 0, only begin it.

    With a `fixed` crew, which plays the bots that it began with, each newcomer has another. Raises
    `ArenaError`.
    """
    from arena.engine.runner import STOPPING, Interrupted, play_all
    from arena.record.summary import summarize
    from arena.reports.isolation import tell_isolation
    from arena.reports.open_progress import OpenProgress
    from arena.reports.standings import show_summary
    from arena.tasks.open_league import open_open_league

    with open_open_league(file, seed, level) as league:
        tell_isolation(league.isolation)
        store = league.store
        with OpenProgress(
            summarize(store),
            lambda: summarize(store),
            lambda: league.under_way,
            lambda: league.waits,
        ) as progress:
            if most == 0:
                progress.begun(store.path)
            else:
                progress.begin(store.path)
            league.listen(progress.tell)

            def finished(spec: "MatchSpec", record: "MatchRecord") -> None:
                if league.finished(spec, record):
                    progress.order_played()
                progress.finished(spec, record)

            def void(spec: "MatchSpec", why: str) -> None:
                store.add_void(spec, why)
                progress.void(spec, why)

            refused: dict[str, str] = {}
            try:
                while most != 0 and not league.over:
                    play_all(
                        league.jobs(most, timed, fixed),
                        crew_of(league, progress.tell, refused),
                        progress.started,
                        finished,
                        void,
                        stopping=lambda: progress.tell(STOPPING),
                    )
            except Interrupted as stop:
                progress.interrupted(shlex.join(["arena", *sys.argv[1:]]))
                sys.exit(stop.code)
        result = summarize(store)
        if as_json:
            print_json(result)
        else:
            show_summary(result, store.path)
