"""Plays a league that a command has opened, and shows what came of it."""

import shlex
import sys
from typing import TYPE_CHECKING

from arena.cli.options import print_json

if TYPE_CHECKING:
    from arena.cli.crews import CrewOf
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague


def play_league(
    league: "ClosedLeague | OpenLeague",
    crew_of: "CrewOf",
    timed: bool,
    fixed: bool,
    as_json: bool,
    begin: bool = False,
) -> None:
    """Play a league until it is over or stopped, or only `begin` it. Raises `MachineError`.

    A `fixed` crew plays the bots that it began with; for newcomers there is another.
    """
    from arena.engine.runner import Interrupted, play_all
    from arena.record.summary import summarize
    from arena.reports.isolation import tell_isolation
    from arena.reports.progress import progress_of
    from arena.reports.standings import show_summary

    tell_isolation(league.roster.isolation)
    with progress_of(league, plays=not begin) as progress:
        if begin:
            progress.begun()
        else:
            progress.begin()
        league.watch(progress)
        try:
            for jobs in () if begin else league.runs(timed, fixed):
                crew = crew_of(league.roster, progress.tell)
                play_all(jobs, crew, league, known=league.known)
        except Interrupted as stop:
            progress.interrupted(shlex.join(["arena", *sys.argv[1:]]))
            sys.exit(stop.code)
    result = summarize(league.store)
    if as_json:
        print_json(result)
    else:
        show_summary(result, league.store.path)
