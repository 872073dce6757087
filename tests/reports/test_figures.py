"""Figures of a report, including leagues in which nothing differs and leagues of many bots."""

import re
from itertools import pairwise

import pytest

from arena.reports.figures import Interval, draw_growth, draw_intervals
from arena.stats.figures import Point


def test_bots_that_all_made_nothing_have_a_figure() -> None:
    lines = [Interval("a", 0.0, None), Interval("b", 0.0, None)]
    figure = draw_intervals(lines, "Stakes per deal")
    assert figure.count("<circle") == 2


def growth(last: list[float]) -> str:
    """A figure of bots that end where `last` says, best first."""
    none = (0.1,) * len(last)
    points = [Point(each, each, tuple(last), none) for each in (10, 20)]
    return draw_growth(points, [f"bot {number}" for number in range(len(last))], range(len(last)))


def test_forty_bots_have_forty_different_lines() -> None:
    lines = re.findall('<polyline class="([^"]*)"', growth([number / 7 for number in range(40)]))
    assert len(set(lines)) == len(lines) == 40


def test_names_beside_lines_keep_their_order_and_have_a_line_each() -> None:
    for last in ([3.0 - number / 100 for number in range(14)], [5.0, 5.0, 5.0, -5.0, -5.0]):
        figure = growth(last)
        height = float(re.findall(r'height="(\d+)"', figure)[1])
        found = re.findall(r'<text class="name" x="38" y="([\d.]+)">bot (\d+)<', figure)
        places = [float(y) for y, _ in found]
        assert [int(bot) for _, bot in found] == list(range(len(last)))
        assert all(below - above >= 16.9 for above, below in pairwise(places))
        assert places[0] > 0
        assert places[-1] <= height + 4


def test_a_name_moves_no_further_from_its_line_than_it_must() -> None:
    figure = growth([2.0, 0.0, -2.0])
    ends = re.findall(r'd="M2 ([\d.]+) L10 ([\d.]+) H32"', figure)
    assert all(end == label for end, label in ends)


@pytest.mark.parametrize("tiny", [0.0, -0.0, 5e-324, 1e-320, 1e-300, -3e-17, 1e-12])
def test_bots_that_are_tied_but_for_the_last_bits_have_a_figure(tiny: float) -> None:
    drawn = draw_intervals([Interval("a", tiny, (-abs(tiny), abs(tiny)))] * 2, "Tied")
    ticks = re.findall(r'class="tick"[^>]*>([^<]*)<', drawn)
    assert [each for each in ticks if each[1:] != "0.1"] == ["0"]
    assert drawn.count("<circle") == 2


def test_tied_bots_have_lines_over_time() -> None:
    assert growth([0.0, 0.0, 0.0]).count("<polyline") == 3
