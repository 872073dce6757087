"""Trials of a bot's parameters, in a terminal and as a plot."""

from collections.abc import Sequence
from itertools import accumulate

from rich.text import Text

from arena.reports.terminal import show_lines
from arena.tasks.tune import DoneTrial, arguments

_WIDTH, _HEIGHT, _EDGE = 640, 320, 48


def show_trial(trial: DoneTrial, of: int, best: DoneTrial) -> None:
    """Print a trial in a line, marked if it is the best so far."""
    words = " ".join(arguments(trial.parameters))
    line = f"{trial.number:4d} of {of}  {trial.stakes:+z.3f}  {words}"
    show_lines(Text(line, "green" if trial == best else ""))


def plot(trials: Sequence[DoneTrial]) -> str:
    """The stakes per deal of all trials as an SVG: a dot for each, a line for the best so far."""
    stakes = [each.stakes for each in trials]
    low, high = min(stakes), max(stakes)
    across = (_WIDTH - 2 * _EDGE) / max(len(trials) - 1, 1)
    up = (_HEIGHT - 2 * _EDGE) / ((high - low) or 1)

    def point(place: int, value: float) -> tuple[str, str]:
        return f"{_EDGE + place * across:.1f}", f"{_HEIGHT - _EDGE - (value - low) * up:.1f}"

    dots = (point(*each) for each in enumerate(stakes))
    best = " ".join(",".join(point(*each)) for each in enumerate(accumulate(stakes, max)))
    marks = "".join(
        f'<circle cx="{x}" cy="{y}" r="3" fill="#1757c2"><title>{each.number}: {each.stakes:+.3f} '
        f"{' '.join(arguments(each.parameters))}</title></circle>"
        for (x, y), each in zip(dots, trials, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="13" role="img" aria-label="stakes per deal by trial">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>'
        f'<polyline points="{best}" fill="none" stroke="#c4161c" stroke-width="2"/>{marks}'
        f'<text x="4" y="{_EDGE}">{high:+.2f}</text><text x="4" y="{_HEIGHT - _EDGE}">{low:+.2f}'
        f'</text><text x="{_EDGE}" y="24">stakes per deal; red: the best so far</text>'
        f'<text x="{_EDGE}" y="{_HEIGHT - 12}">trial 1 to {len(trials)}</text></svg>\n'
    )
