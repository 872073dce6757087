"""What a terminal is too narrow or too plain for is left out or spelt in letters, and said."""

import io

import pytest
from rich.console import Console
from rich.table import Table

from arena.reports.terminal import console, show_table


def shown(width: int, least: tuple[str, ...]) -> list[str]:
    table = Table(title="Some bots: so far", box=None, pad_edge=False)
    table.add_column("bot", no_wrap=True)
    for name in ("Elo", "±", "sets"):
        table.add_column(name, no_wrap=True)
    table.add_row("careful", "1740", "19", "750")
    screen = Console(file=io.StringIO(), width=width)
    with screen.capture() as captured:
        show_table(screen, table, least)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_wide_terminal_has_every_column() -> None:
    assert shown(80, ("±", "Elo")) == [
        "Some bots: so far",
        "bot      Elo   ±   sets",
        "careful  1740  19  750",
    ]


def test_a_narrow_terminal_lacks_the_least_columns_and_says_so() -> None:
    title, head, _, *said = shown(20, ("±", "Elo"))
    assert (title, head) == ("Some bots: so far", "bot      Elo   sets")
    assert " ".join(said) == "left out for want of room: ± (23 columns show them)"


@pytest.mark.parametrize("stderr", [False, True])
def test_an_encoding_without_suits_gets_letters(
    monkeypatch: pytest.MonkeyPatch, stderr: bool
) -> None:
    into = io.BytesIO()
    stream = io.TextIOWrapper(into, "ascii", write_through=True)
    monkeypatch.setattr("sys.stderr" if stderr else "sys.stdout", stream)
    console(stderr).print("9♥ ± … Ķ")
    assert into.getvalue() == b"9H +- ... \\u0136\n"
