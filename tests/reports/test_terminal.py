"""What a terminal is too narrow or too plain for is left out or spelt in letters, and said."""

import io
import re
from typing import NamedTuple

import pytest
from rich.console import Console, Group
from rich.status import Status
from rich.text import Text

from arena.base.harmless import HarmlessStream
from arena.reports.progress import RunDisplay
from arena.reports.tables import Column, Table
from arena.reports.terminal import answer_as_text, console, show_table, with_signs


class Bot(NamedTuple):
    name: str
    elo: int
    sets: int
    faults: str = ""


COLUMNS: tuple[Column[Bot], ...] = (
    Column("name", "bot", wraps=True),
    Column("elo", "Elo", priority=1, format=lambda it: f"{it.elo}±19"),
    Column("sets", "sets", priority=2),
    Column("faults", "faults", wraps=True),
    Column("squared", value=lambda it: (it.elo, it.elo**2), parts=("", "2")),
)
TABLE = Table(COLUMNS, [Bot("careful", 1740, 750), Bot("=lazy", 1300, 750)], "Some bots: so far")


def shown(width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width)
    with screen.capture() as captured:
        show_table(TABLE, screen)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_wide_terminal_has_every_column_in_which_there_is_anything() -> None:
    assert shown(80) == [
        "Some bots: so far",
        "bot           Elo  sets",
        "careful   1740±19   750",
        "=lazy     1300±19   750",
    ]


def test_a_narrow_terminal_lacks_the_least_columns_and_says_so() -> None:
    title, head, _, _, *told = shown(20)
    assert (title, head) == ("Some bots: so far", "bot       sets")
    assert " ".join(told) == "hidden to fit the terminal: Elo (needs 22 columns)"


def test_programs_read_every_part_of_a_column_and_no_formula() -> None:
    assert TABLE.csv().splitlines() == [
        "name,elo,sets,faults,squared,squared_2",
        "careful,1740,750,,1740,3027600",
        "'=lazy,1300,750,,1300,1690000",
    ]


@pytest.mark.parametrize("stderr", [False, True])
def test_an_encoding_without_suits_gets_letters(
    monkeypatch: pytest.MonkeyPatch, stderr: bool
) -> None:
    into = io.BytesIO()
    stream = io.TextIOWrapper(into, "ascii", write_through=True)
    monkeypatch.setattr("sys.stderr" if stderr else "sys.stdout", stream)
    console(stderr).print("9♥ ± … Ķ")
    assert into.getvalue() == b"9H +- ... \\u0136\n"


def test_forced_colour_moves_no_cursor_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    into = io.StringIO()
    monkeypatch.setattr("sys.stderr", HarmlessStream(into))
    shown = RunDisplay[int, int]()
    with Status("1 of 2", console=shown._console):
        shown.say("x" * 300)
        shown._console.print(Text("a fault", "yellow"))
    assert not shown._console.is_terminal
    assert into.getvalue() == f"{'x' * 300}\n\x1b[33ma fault\x1b[0m\n"


def test_only_the_arena_s_own_styles_reach_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    into = io.StringIO()
    monkeypatch.setattr("sys.stdout", HarmlessStream(into))
    table = Table(
        (
            Column("0", "h\x1b[31m", format=lambda it: it[0], wraps=True),
            Column("1", "n", format=lambda it: it[1]),
        ),
        [(Text.assemble("a", ("\u202eb", "bold"), "c"), "1"), ("[red]\x9b2J", "2")],
    )
    out = console()
    show_table(table, out)
    out.print(Group(Text("x\n\x1b]8;;http://x\x1b\\y"), Text("z\u2028", "green")))
    out.print("[bold]\x1b[1m:smile:")
    styled = into.getvalue()
    assert {"\x1b[1m", "\x1b[32m"} <= set(re.findall(r"\x1b\[[0-9;]*m", styled))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", styled)
    assert [" ".join(line.split()) for line in plain.split("\n")] == [
        "h\\x1b[31m n",
        "a\\u202ebc 1",
        "[red]\\x9b2J 2",
        "x\\n\\x1b]8;;http://x\\x1b\\y",
        "z\\u2028",
        "[bold]\\x1b[1m:smile:",
        "",
    ]
    assert "\x1b[1m\\u202eb\x1b[0m" in styled


def test_tens_are_10_in_answers_and_in_what_is_said_of_them() -> None:
    assert answer_as_text("TD.9H").plain == "10♦ 9♥"
    assert answer_as_text("?TX").plain == "TX"
    assert with_signs("TD is not one of KH TH") == "10♦ is not one of K♥ 10♥"
