"""Figures of a report, including leagues in which nothing differs."""

from arena.reports.figures import draw_intervals


def test_bots_that_all_made_nothing_have_a_figure() -> None:
    figure = draw_intervals([("a", 0.0, None), ("b", 0.0, None)])
    assert figure.count("<circle") == 2
