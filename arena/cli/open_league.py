"""Plays an open league for `arena league`, and lets a benched bot play again."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.options import print_json

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel
    from arena.cli.crews import CrewOf
    from arena.league.schedule import MatchSpec
    from arena.match.record import MatchRecord


def play_open(
    file: Path,
    seed: int | None,
    level: "IsolationLevel | None",
    most: int | None,
    crew_of: "CrewOf",
    timed: bool,
    fixed: bool,
    as_json: bool,
    ending: bool = False,
) -> None:
    """Play an open league until it is stopped, or for `most` orders; for 0, only begin it.

    With a `fixed` crew, which plays the bots that it began with, each newcomer has another. The
    `ending` of a season is to play what was ordered, then its final. Raises `ArenaError`.
    """
    from arena.engine.runner import STOPPING, Interrupted, play_all
    from arena.record.summary import summarize
    from arena.reports.isolation import tell_isolation
    from arena.reports.open_progress import OpenProgress
    from arena.reports.standings import show_summary
    from arena.tasks.open_league import open_open_league
    from arena.tasks.season_end import close_season, seal_season

    with open_open_league(file, seed, level, ending) as league:
        tell_isolation(league.isolation)
        store = league.store
        with OpenProgress(
            summarize(store),
            lambda: summarize(store),
            lambda: league.under_way,
            lambda: league.waits,
        ) as progress:
            if most == 0 and not ending:
                progress.begun(store.path)
            else:
                progress.begin(store.path)
            league.listen(progress.tell)

            def finished(spec: "MatchSpec", record: "MatchRecord") -> None:
                if league.finished(spec, record):
                    progress.order_played()
                progress.finished(spec, record)

            def void(spec: "MatchSpec", why: str) -> None:
                league.writer.add_void(spec, why)
                progress.void(spec, why)

            refused: dict[str, str] = {}

            def play() -> None:
                play_all(
                    league.jobs(most, timed, fixed),
                    crew_of(league, progress.tell, refused),
                    progress.started,
                    finished,
                    void,
                    stopping=lambda: progress.tell(STOPPING),
                )

            try:
                while not (ending or most == 0 or league.over):
                    play()
                if ending:
                    play()
                    progress.tell(close_season(league))
                    play()
                    progress.tell(seal_season(league))
            except Interrupted as stop:
                progress.interrupted(shlex.join(["arena", *sys.argv[1:]]))
                sys.exit(stop.code)
        result = summarize(store)
        if as_json:
            print_json(result)
        else:
            show_summary(result, store.path)
