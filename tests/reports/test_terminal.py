"""Tables and progress in a terminal: what fits, what a plain terminal shows, and what holds."""

import contextlib
import io
import re
from contextlib import closing, suppress
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
from arena.stats.figures import Share
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from arena.tasks.open_league import resume_open
from arena.zole.rules import preset
from tests.cli import test_standings
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.scripted import made_up, plan_of


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


DEALS = 4


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return played(plan_of(deals=DEALS), 1)[1]


def test_a_log_is_told_how_far_a_league_is(tmp_path: Path, record: MatchRecord) -> None:
    err = io.StringIO()
    asked = request_league(write_league(tmp_path, "abc", DEALS), 1)
    with (
        contextlib.redirect_stderr(err),
        resume_closed(asked, "none") as league,
        suppress(Interrupted),
        LeagueProgress(league) as progress,
    ):
        progress.begin()
        progress.show(Playing())
        lines = [progress.line()]
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


def test_a_terminal_has_a_table_above_which_the_progress_stands(
    tmp_path: Path, record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    asked = request_league(write_league(tmp_path, "abc", DEALS), 1)
    with resume_closed(asked, "none") as league:
        specs = league.remaining()
        progress = LeagueProgress(league)
        with screen.capture() as before:
            screen.print(progress.picture())
        for spec in specs:
            league.take(Completed(spec, record))
        progress.finished(specs[0], record)
        with screen.capture() as after:
            screen.print(progress.picture())
    assert before.get().startswith("0 of 24 deals")
    told = [line.rstrip() for line in after.get().splitlines()]
    assert told[0].startswith("4 of 24 deals, ")
    assert "league: 4 of 4 sets, complete, practice deals" in told
    assert any("stakes/deal" in line for line in told)


@pytest.mark.usefixtures("quick_house")
def test_an_open_league_tells_its_orders_and_what_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    path = write_league(tmp_path)
    path.write_text(path.read_text().replace("deals = 5", 'format = "open"'))
    with resume_open(request_league(path, 1), orders=2) as league:
        league.begin()
        for number, job in enumerate(league.jobs()):
            assert job is not None
            if number < 6:
                league.take(Completed(job[0], made_up([(0, 0, 0)] * 10)))
        with LeagueProgress(league) as progress:
            with screen.capture() as playing:
                screen.print(progress.picture())
            with screen.capture() as waiting:
                league.waits = "waiting for bots that can meet"
                screen.print(progress.picture())
    assert "1 order played, 1 under way, 0 decisions a second" in playing.get()
    assert "1 order played, 1 under way, waiting for bots that can meet" in waiting.get()


_ROWS = {f"{bot} " for bot in "abcd"}


@pytest.fixture(scope="module")
def league_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of four bots, of which the last has left."""
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


def test_the_field_comes_first_with_what_holds_at_all_looks(league_record: Path) -> None:
    with closing(Store.open(league_record)) as store:
        found = summarize(store)
    *field, last = found.standings
    assert (last.bot, last.left, last.ranks, last.anytime_ci95) == ("d", True, None, None)
    assert last.strength is not None
    assert sum(line.strength or 0 for line in field) == pytest.approx(0, abs=1e-5)
    for line in field:
        assert line.strength_ci95 is not None
        assert line.anytime_ci95 is not None
        assert line.anytime_ci95[0] < line.strength_ci95[0]
        assert line.anytime_ranks is not None
    assert Language(ENGLISH).said(progress(found)) == "160 sets so far, practice deals"


def reported(store: Store, league_record: Path) -> dict[str, str]:
    """The pages of a report by the names of their files."""
    out = league_record.with_name("x.html")
    write_report(store, out, "none", ENGLISH)
    found = (out, *out.with_suffix(".pages").glob("*.html"))
    return {path.name: path.read_text(encoding="utf-8") for path in found}


def test_the_terminal_and_the_page_say_so_far(league_record: Path) -> None:
    with closing(Store.open(league_record)) as store:
        found = summarize_fully(store)
        pages = reported(store, league_record)
    table = standings_table(found)
    assert [column.heading for column in table.shown][:6] == [
        *("#", "ranks so far", "bot", "strength so far", "at one look", "stakes/deal")
    ]
    said = " ".join(map(Language(ENGLISH).said, remarks(found)))
    assert "hold however often one looks" in said
    for words in ("at all looks together", "holds at all looks", "hold however often one looks"):
        assert words in pages["x.html"]
    assert "strength so far" in pages["bot-1.html"]
    *_, last = table.plain()
    assert (last["bot"], last["left"], last["strength_anytime_low"]) == ("d", "yes", None)
    assert last["anytime_ranks_best"] is None


def test_where_many_have_played_only_those_that_play_are_compared(
    league_record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Store.open(league_record)) as store:
        whole = summarize_fully(store)
        monkeypatch.setattr(summary, "MANY", 3)
        found = summarize_fully(store)
        pages = reported(store, league_record)
    assert found.standings == whole.standings
    assert found.analysis.bots == ("a", "b", "c")
    pairs = {(pair.bot, pair.other): pair for pair in whole.analysis.pairs}
    assert [(pair.bot, pair.other) for pair in found.analysis.pairs] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    for pair in found.analysis.pairs:
        before = pairs[pair.bot, pair.other]
        assert pair.sets == before.sets
        assert pair.met is not None
        assert before.met is not None
        assert pair.met.plus_minus == pytest.approx(before.met.plus_minus)
    lines = {role.bot: role for role in whole.analysis.roles}
    assert [role.bot for role in found.analysis.roles] == ["a", "b", "c", None]
    assert all(role == lines[role.bot] for role in found.analysis.roles)
    show_analysis(found, "crosstable")
    rows = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:2] in _ROWS]
    assert set(rows) == {"a", "b", "c"}
    assert "d against" not in pages["crosstable.html"]
    assert "c against b" in pages["crosstable.html"]
