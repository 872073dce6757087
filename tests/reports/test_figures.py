"""Figures of a report, including leagues in which nothing differs."""

from arena.reports.figures import Interval, draw_intervals


def test_bots_that_all_made_nothing_have_a_figure() -> None:
    lines = [Interval("a", 0.0, None), Interval("b", 0.0, None)]
    figure = draw_intervals(lines, "Stakes per deal")
    assert figure.count("<circle") == 2
