"""The table of an open league says what holds however often one looks, and who has left."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.league.config import OpenConfig
from arena.league.ledger import Committed, Joined, Left, Ordered
from arena.league.schedule import commitment
from arena.record import summary
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.reports.language import ENGLISH, Language
from arena.reports.standings import progress, remarks, show_analysis, standings_table
from arena.site.report import write_report
from arena.zole.rules import preset
from tests.cli.test_standings import made_up

_ROWS = {f"{bot} " for bot in "abcd"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of four bots, of which the last has left."""
    path = made_up(tmp_path_factory.mktemp("open"), deals=40).with_suffix(".db")
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


def test_the_field_comes_first_with_what_holds_at_all_looks(record: Path) -> None:
    with closing(Store.open(record)) as store:
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


def reported(store: Store, record: Path) -> dict[str, str]:
    """The pages of a report by the names of their files."""
    out = record.with_name("x.html")
    write_report(store, out, "none", ENGLISH)
    found = (out, *out.with_suffix(".pages").glob("*.html"))
    return {path.name: path.read_text(encoding="utf-8") for path in found}


def test_the_terminal_and_the_page_say_so_far(record: Path) -> None:
    with closing(Store.open(record)) as store:
        found = summarize_fully(store)
        pages = reported(store, record)
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
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Store.open(record)) as store:
        whole = summarize_fully(store)
        monkeypatch.setattr(summary, "MANY", 3)
        found = summarize_fully(store)
        pages = reported(store, record)
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
