"""A user's file of deals: one a line, blank lines between them, each mistake with its line."""

from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.league.file import read_deals
from arena.zole.deal import deal_text, from_deck, shuffled
from arena.zole.rules import preset

DEALS = [from_deck(shuffled(f"file {number}"), preset(), number % 3) for number in range(3)]


def test_blank_lines_between_deals_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("\n".join(["", *map(deal_text, DEALS[:2]), "  ", deal_text(DEALS[2]), ""]))
    assert read_deals(path, 3) == DEALS


def test_every_line_that_is_wrong_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{deal_text(DEALS[0])}\nnonsense\n\nmore\n")
    with pytest.raises(ArenaError) as told:
        read_deals(path, 3)
    assert [mistake.place for mistake in told.value.mistakes] == [f"{path}:2", f"{path}:4"]


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"\n\n", "there are no deals"), (b"\xff\n", "not valid UTF-8"), (None, "this is a folder")],
)
def test_a_file_without_deals_says_what_is_wrong(
    content: bytes | None, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "deals.txt"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(ArenaError, match=what):
        read_deals(path, 3)
