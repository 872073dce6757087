"""Remarks below the standings say what readers would else take for a mistake."""

import msgspec
import pytest

from arena.reports.language import Saying
from arena.reports.sentences import elo_remarks
from tests.support.made_site import MadeSite


@pytest.mark.parametrize(
    ("elos", "told"),
    [
        ((1600, 1550, 1500), False),
        ((1550, 1600, 1500), True),
        ((1600, None, 1500), False),
        ((1600, 1500, 1500), False),
    ],
)
def test_a_table_that_elo_would_order_otherwise_says_why(
    elos: tuple[float | None, ...], told: bool
) -> None:
    lines = MadeSite().standings().lines
    some = [msgspec.structs.replace(line, elo=elo) for line, elo in zip(lines, elos, strict=False)]
    assert (list(elo_remarks(some)) == [Saying("elo-disagrees")]) is told


def test_a_bound_and_another_group_are_not_compared() -> None:
    first, second, *_ = MadeSite().standings().lines
    higher = msgspec.structs.replace(second, elo=2000.0)
    for other in ({"elo_bound": ">"}, {"part": 2}, {"ranks": None}):
        assert not list(elo_remarks([first, msgspec.structs.replace(higher, **other)]))
    assert list(elo_remarks([first, higher]))
