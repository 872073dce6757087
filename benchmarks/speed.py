"""Decisions per second of one worker, as a share of what a C parent reaches with the same bots."""

import subprocess
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from arena.engine.job import Job
from arena.engine.worker import play_match
from arena.league.config import LINE_BYTES, START_S
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.zole.rules import preset
from benchmarks.figures import Row, Rows, Run, Times, compared, low, relative, walls
from benchmarks.places import Spent

HERE = Path(__file__).parent
ROUND_TRIPS = 200_000
DEALS = 2000
TABLES = (1, 8, 64)


def measure(run: Run) -> Rows:
    """One table and many, as shares of C parents on the same core and relative to one another."""
    limits: dict[int, list[Spent]] = {1: [], 3: []}
    times: dict[int, Times] = {tables: defaultdict(list) for tables in TABLES}
    for places in run.in_turn():
        for bots, trips in limits.items():
            words = (run.parent, run.bot, str(ROUND_TRIPS), str(bots))
            trips.append(run.places[0].command(*words).each(ROUND_TRIPS))
        for tables in TABLES:
            for place in places:
                played = place.play(run.bot, DEALS, tables)
                times[tables][place.name].append(played.spent.each(played.decisions))
    for what, tables, bots in (
        ("one table, as a share of a C parent with the same three bots", 1, 3),
        ("one table, as a share of a C parent with one bot", 1, 1),
        (f"{TABLES[-1]} tables, as a share of a C parent with one bot", TABLES[-1], 1),
    ):
        yield compared(what, times[tables], partial(share, limits[bots]))
    for tables in TABLES[1:]:
        figures = map(relative, times[tables].values(), times[1].values())
        yield Row(f"{tables} tables, relative to one", tuple(figures))


def share(limit: Sequence[Spent], spent: Sequence[Spent]) -> str:
    """What decisions reach of a limit, and how long one takes."""
    return f"{relative(spent, limit)}; {1e6 * low(walls(spent)):.1f} µs a decision"


def build(name: str, folder: str) -> str:
    """Compile a C program of this folder; returns its path."""
    target = f"{folder}/{name}"
    subprocess.run(["cc", "-O2", "-o", target, HERE / f"{name}.c"], check=True)
    return target


def match_of(bot: Path, deals: int, apart: Isolation, tables: int = 1) -> Job:
    """A match of three instant bots that can play at this many tables."""
    rules = preset()
    limits = Limits(rules.conduct.move_limit_s, START_S, LINE_BYTES)
    some = league_deals(rules, "7", ("a", "b", "c"), 0, deals)
    plan = MatchPlan(rules, limits, rules.conduct.max_faults, some, seat_seeds(rules, "7", some))
    bot.parent.chmod(0o755)  # bots may be other users
    program = Program("bot", (f"./{bot.name}", str(tables)), str(bot.parent))
    return Job(plan, (program,) * 3, apart)


def arena_speed(job: Job) -> float:
    """Decisions per second of a whole match: full rules, log, results, start and end included."""
    began = perf_counter()
    record = play_match(job)
    spent = perf_counter() - began
    if record.results.faults:
        raise SystemExit(f"the bot faulted: {record.results.faults[0]}")
    return record.results.decisions / spent
