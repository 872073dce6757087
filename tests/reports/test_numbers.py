"""Numbers as people read them."""

import pytest

from arena.reports.tables import in_print, share, signed
from arena.stats.figures import Share


@pytest.mark.parametrize("value", [-0.0, -0.0004, 0.0004])
def test_what_rounds_to_nothing_has_one_sign(value: float) -> None:
    assert signed(value) == "+0.000"
    assert signed(value, 2, 0.0) == "+0.00±0.00"
    assert share(Share(value, None, 1)) == "+0.00"


def test_what_there_is_none_of_is_a_dash() -> None:
    assert (signed(None), share(Share(None, None, 0))) == ("-", "-")


def test_a_figure_is_printed_with_signs_of_its_own() -> None:
    minus, dash = "\N{MINUS SIGN}", "\N{EN DASH}"
    told = ("-0.42±0.11", "+1.00", "3-5", "31 (29-33)", "-")
    assert [in_print(each) for each in told] == [
        *(f"{minus}0.42±0.11", "+1.00", f"3{dash}5", f"31 (29{dash}33)", dash),
    ]
