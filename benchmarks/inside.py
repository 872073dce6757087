"""Plays matches of instant bots on request, with whatever arena PYTHONPATH names.

`places.py` runs it. A request is a line of JSON, the arguments of `Place.play`; the answer is how
many decisions a match had. It uses only what every commit to compare with has.
"""

import json
import sys
from pathlib import Path
from time import perf_counter

from arena.sandbox import isolation
from benchmarks.speed import arena_speed, match_of


def main() -> None:
    """Answer requests until the input ends."""
    names = vars(isolation)
    choose = names.get("choose_isolation") or names["isolation"]  # its name in early commits
    levels = {}
    for line in sys.stdin:
        bot, deals, tables, level, times = json.loads(line)
        if level not in levels:
            levels[level] = choose(level)
        job = match_of(Path(bot), deals, levels[level], tables)
        for _ in range(times):
            began = perf_counter()
            decisions = arena_speed(job) * (perf_counter() - began)
        print(json.dumps(decisions), flush=True)


if __name__ == "__main__":
    main()
