"""Reviews of a league of sample bots, as `arena review` makes them on one core."""

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Final

from benchmarks.figures import Rows, Run, Times, compared, took

ROOT: Final = Path(__file__).parent.parent
BOTS: Final = ("careful", "bold", "lazy")
DEALS: Final = 2
SEATINGS: Final = 6


def measure(run: Run) -> Rows:
    """What the review of a deal takes, the command's own start and end included."""
    times: Times = defaultdict(list)
    for places in run.in_turn():
        for place in places:
            with tempfile.TemporaryDirectory() as home:
                file = Path(home, "league.toml")
                bots = [f"{ROOT}/sample_bots/{each}" for each in BOTS]
                file.write_text(f"deals = {DEALS}\nbots = {bots}\n")
                place.arena("league", str(file), "--seed", "7", "--jobs", "1")
                spent = place.arena("review", str(file), "--jobs", "1")
            times[place.name].append(spent.each(DEALS * SEATINGS))
    yield compared("the review of a deal", times, took)
