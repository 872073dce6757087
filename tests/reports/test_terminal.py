"""Tables and progress in a terminal: what fits, what a plain terminal shows, and what holds."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, redirect_stderr, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from rich.console import Console, Group
from rich.status import Status
from rich.text import Text

from arena.base.harmless import HarmlessStream
from arena.base.run_events import Completed, Interrupted, Playing
from arena.league.config import OpenConfig
from arena.league.ledger import Committed, Joined, Left, Ordered
from arena.league.schedule import commitment
from arena.match.record import MatchRecord
from arena.record import summary
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.reports.language import ENGLISH, Language
from arena.reports.progress import LeagueProgress, RunDisplay
from arena.reports.standings import progress, remarks, show_analysis, standings_table
from arena.reports.tables import Column, Table, in_print, share, signed
from arena.reports.terminal import answer_as_text, console, show_table, with_signs
from arena.site.report import write_report
from arena.stats.figures import HeadToHead, Share
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from arena.tasks.open_league import resume_open
from arena.zole.rules import preset
from tests.cli import test_standings
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.present import present
from tests.support.scripted import made_up, plan_of


class Bot(NamedTuple):
    name: str
    elo: int
    sets: int
    faults: str


COLUMNS: tuple[Column[Bot], ...] = (
    Column("name", "bot", wraps=True),
    Column("elo", "Elo", priority=1, format=lambda it: f"{it.elo}±19"),
    Column("sets", "sets", priority=2),
    Column("faults", "faults", wraps=True),
    Column("squared", value=lambda it: (it.elo, it.elo**2), parts=("", "2")),
)
TABLE = Table(
    COLUMNS, [Bot("careful", 1740, 750, ""), Bot("=lazy", 1300, 750, "")], "Some bots: so far"
)


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (
            80,
            [
                "Some bots: so far",
                "bot           Elo  sets",
                "careful   1740±19   750",
                "=lazy     1300±19   750",
            ],
        ),
        (
            20,
            [
                "Some bots: so far",
                "bot       sets",
                "careful    750",
                "=lazy      750",
                "hidden to fit the",
                "terminal: Elo (needs",
                "22 columns)",
            ],
        ),
    ],
)
def test_a_terminal_has_every_column_in_which_there_is_anything_or_names_those_it_lacks(
    width: int, lines: list[str]
) -> None:
    screen = Console(file=io.StringIO(), width=width)
    with screen.capture() as captured:
        show_table(TABLE, screen)
    assert [line.rstrip() for line in captured.get().splitlines()] == lines


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


def coloured(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A file that is both standard streams, for which colours are asked."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    into = io.StringIO()
    for name in ("sys.stdout", "sys.stderr"):
        monkeypatch.setattr(name, HarmlessStream(into))
    return into


def test_forced_colour_moves_no_cursor_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    into = coloured(monkeypatch)
    shown = RunDisplay[int, int]()
    with Status("1 of 2", console=shown._console):
        shown.say("x" * 300)
        shown._console.print(Text("a fault", "yellow"))
    assert not shown._console.is_terminal
    assert into.getvalue() == f"{'x' * 300}\n\x1b[33ma fault\x1b[0m\n"


def test_only_the_arena_s_own_styles_reach_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    into = coloured(monkeypatch)
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
    styled, style = into.getvalue(), r"\x1b\[[0-9;]*m"
    assert {"\x1b[1m", "\x1b[32m"} <= set(re.findall(style, styled))
    assert [" ".join(line.split()) for line in re.sub(style, "", styled).split("\n")] == [
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


def test_what_rounds_to_nothing_has_one_sign_and_what_there_is_none_of_is_a_dash() -> None:
    for value in (-0.0, -0.0004, 0.0004):
        found = (signed(value), signed(value, 2, 0.0), share(Share(value, None, 1)))
        assert found == ("+0.000", "+0.00±0.00", "+0.00")
    assert (signed(None), share(Share(None, None, 0))) == ("-", "-")


def test_a_figure_is_printed_with_signs_of_its_own() -> None:
    told = ("-0.42±0.11", "+1.00", "3-5", "31 (29-33)", "-")
    assert list(map(in_print, told)) == [
        "\N{MINUS SIGN}0.42±0.11",
        "+1.00",
        "3\N{EN DASH}5",
        "31 (29\N{EN DASH}33)",
        "\N{EN DASH}",
    ]


DEALS = 4


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return played(plan_of(deals=DEALS), 1)[1]


def test_a_log_is_told_how_far_a_league_is(tmp_path: Path, record: MatchRecord) -> None:
    err, lines = io.StringIO(), []
    asked = request_league(write_league(tmp_path, "abc", DEALS), 1)
    with (
        redirect_stderr(err),
        resume_closed(asked, "none") as league,
        suppress(Interrupted),
        LeagueProgress(league) as progress,
    ):
        progress.begin()
        progress.show(Playing())
        lines.append(progress.line())
        for spec in league.remaining():
            league.take(Completed(spec, record))
            progress.show(Completed(spec, record))
            lines.append(progress.line())
        raise Interrupted(130)
    begun, _, told, *_, stopped = err.getvalue().splitlines()
    assert begun.startswith("league: beginning, 24 deals, record ")
    assert told.startswith("4 of 24 deals, ")
    assert stopped.startswith("stopped; every finished match is stored.")
    assert lines[0] == "0 of 24 deals, the first matches are being played"
    assert re.match(r"4 of 24 deals, [\d,]+ decisions a second, about .* left$", lines[1])


Picture = Callable[[LeagueProgress], list[str]]


@pytest.fixture
def picture(monkeypatch: pytest.MonkeyPatch) -> Picture:
    """What a terminal of 60 columns shows of the progress of a league, in lines."""
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)

    def shown(progress: LeagueProgress) -> list[str]:
        with screen.capture() as captured:
            screen.print(progress.picture())
        return [line.rstrip() for line in captured.get().splitlines()]

    return shown


def test_a_terminal_has_a_table_above_which_the_progress_stands(
    tmp_path: Path, record: MatchRecord, picture: Picture
) -> None:
    asked = request_league(write_league(tmp_path, "abc", DEALS), 1)
    with resume_closed(asked, "none") as league:
        specs, progress = league.remaining(), LeagueProgress(league)
        assert picture(progress)[0].startswith("0 of 24 deals")
        for spec in specs:
            league.take(Completed(spec, record))
        progress.finished(specs[0], record)
        told = picture(progress)
    assert told[0].startswith("4 of 24 deals, ")
    assert "league: 4 of 4 sets, complete, practice deals" in told
    assert any("stakes/deal" in line for line in told)


@pytest.mark.usefixtures("quick_house")
def test_an_open_league_tells_its_orders_and_what_it_waits_for(
    tmp_path: Path, picture: Picture
) -> None:
    path = write_league(tmp_path)
    path.write_text(path.read_text().replace("deals = 5", 'format = "open"'))
    with resume_open(request_league(path, 1), orders=2) as league:
        league.begin()
        for number, job in enumerate(league.jobs()):
            if number < 6:
                league.take(Completed(present(job)[0], made_up([(0, 0, 0)] * 10)))
        with LeagueProgress(league) as progress:
            told = "1 order played, 1 under way, "
            assert f"{told}0 decisions a second" in "\n".join(picture(progress))
            league.waits = "waiting for bots that can meet"
            assert f"{told}waiting for bots that can meet" in "\n".join(picture(progress))


@pytest.fixture(scope="module")
def record_of_four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a league of four bots, of which the last has left."""
    path = test_standings.made_up(tmp_path_factory.mktemp("open"), deals=40).with_suffix(".db")
    with closing(Store.write(path)) as writer:
        begun, config = writer.terms(), OpenConfig(rules=preset())
        terms = msgspec.structs.replace(begun, config=config, blocks=(), retired=("d",))
        writer.set_facts(terms=terms, seeds=("0" * 64,))
        bots = [Joined(bot, it.digest, it.author, False) for bot, it in terms.bots.items()]
        orders = (
            Ordered(number, lineup, 0, 40, 0, "table")
            for number, lineup in enumerate(begun.lineups, 1)
        )
        writer.append([Committed(commitment("0" * 64)), *bots, *orders, Left("d", "withdrawn")])
    return path


@pytest.fixture
def league(record_of_four: Path) -> Iterator[Store]:
    with closing(Store.open(record_of_four)) as store:
        yield store


def test_the_field_comes_first_with_what_holds_at_all_looks(league: Store) -> None:
    found = summarize(league)
    *field, last = found.standings
    assert (last.bot, last.left, last.ranks, last.anytime_ci95) == ("d", True, None, None)
    assert last.strength is not None
    assert sum(present(line.strength) for line in field) == pytest.approx(0, abs=1e-5)
    for line in field:
        assert present(line.anytime_ci95)[0] < present(line.strength_ci95)[0]
        assert line.anytime_ranks is not None
    assert Language(ENGLISH).said(progress(found)) == "160 sets so far, practice deals"


def reported(store: Store, folder: Path) -> dict[str, str]:
    write_report(store, folder / "x.html", "none", ENGLISH)
    return {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}


def test_the_terminal_and_the_page_say_so_far(league: Store, tmp_path: Path) -> None:
    found, pages = summarize_fully(league), reported(league, tmp_path)
    table = standings_table(found)
    assert [column.heading for column in table.shown][:6] == [
        *("#", "ranks so far", "bot", "strength so far", "at one look", "stakes/deal")
    ]
    assert "hold however often one looks" in " ".join(map(Language(ENGLISH).said, remarks(found)))
    for words in ("at all looks together", "holds at all looks", "hold however often one looks"):
        assert words in pages["x.html"]
    assert "strength so far" in pages["bot-1.html"]
    left = {"bot": "d", "left": "yes", "strength_anytime_low": None, "anytime_ranks_best": None}
    assert list(table.plain())[-1].items() >= left.items()


def test_where_many_have_played_only_those_that_play_are_compared(
    league: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = summarize_fully(league)
    monkeypatch.setattr(summary, "MANY", 3)
    found, pages = summarize_fully(league), reported(league, tmp_path)
    assert found.standings == whole.standings
    assert found.analysis.bots == ("a", "b", "c")

    def met(pairs: Iterable[HeadToHead]) -> list[object]:
        return [(it.bot, it.other, it.sets, pytest.approx(present(it.met).pm)) for it in pairs]

    assert met(found.analysis.pairs) == met(
        it for it in whole.analysis.pairs if "d" not in (it.bot, it.other)
    )
    assert found.analysis.roles == tuple(it for it in whole.analysis.roles if it.bot != "d")
    show_analysis(found, "crosstable")
    rows = {line[:2] for line in capsys.readouterr().out.splitlines()}
    assert rows & {"a ", "b ", "c ", "d "} == {"a ", "b ", "c "}
    assert "d against" not in pages["crosstable.html"]
    assert "c against b" in pages["crosstable.html"]
