"""Every package that the arena asks for or brings along has a licence that goes with its own."""

import pytest

from tools.licences import COMPATIBLE, Licensed, asked_for, bundled, words


@pytest.mark.parametrize("each", [*asked_for(), *bundled()], ids=lambda each: each.name)
def test_a_licence_is_known_and_compatible(each: Licensed) -> None:
    assert [*words(each.licence)], "add what it says to tools/licences.py"
    assert {*words(each.licence)} <= COMPATIBLE


def test_what_runs_and_what_is_in_the_pages_is_looked_at() -> None:
    assert {"numpy", "wasmtime", "dask"} <= {each.name for each in asked_for()}
    assert {each.name for each in bundled()} == {"@fluent/bundle", "preact"}
