"""Where bots stood in the past: the same whether it is worked out at once or as tables come in."""

from contextlib import closing
from pathlib import Path

import msgspec

from arena.site.publish.growth import Past, PlayedSoFar, grown
from arena.site.publish.league_state import LeagueState
from arena.stats.standings import standings
from tests.support.open_record import Opened


def played(folder: Path, orders: int) -> PlayedSoFar:
    """What was played in a league of four, written one order a second; d came after six orders."""
    league = Opened(folder / "ladder.db", "abcd")
    with closing(league.store) as store:
        league.go_on(orders)
        with closing(LeagueState(store)) as state:
            state.read_lines()
            state.read_blocks()
            ats = [float(number) for number in range(orders)]
            came = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 6.0}
            return msgspec.structs.replace(state.played(), ats=ats, came=came)


def test_a_bot_is_shown_as_it_stood_after_some_of_its_tables(tmp_path: Path) -> None:
    league = played(tmp_path, 14)
    tables = [number for number, block in enumerate(league.blocks, 1) if "a" in block.lineup]
    found = grown({}, league)["a"]
    at = [tables[count - 1] for count in (2, 3, 5, 7, 10) if count <= len(tables)]
    assert [moment.at for moment in found.moments] == [number - 1.0 for number in at]
    for number, moment in zip(at, found.moments, strict=True):
        rows = standings(league.blocks[:number], league.bots, {}, league.field(number - 1.0))
        [row] = [row for row in rows if row.bot == "a"]
        assert (moment.sets, moment.strength) == (row.sets, row.strength)


def test_the_past_goes_on_from_where_it_is_known(tmp_path: Path) -> None:
    league = played(tmp_path, 14)
    some = msgspec.structs.replace(league, blocks=league.blocks[:8], ats=league.ats[:8])
    known = grown({}, some)
    assert grown(known, league) == grown({}, league)
    changed = msgspec.structs.replace(known["b"], moments=())
    assert (
        grown(known | {"b": changed}, league)["b"].moments
        == (grown({}, league)["b"].moments[len(known["b"].moments) :])
    ), "what is known is not worked out again"


def test_a_field_is_of_who_had_come_and_not_left(tmp_path: Path) -> None:
    league = PlayedSoFar("abc", (), (), {"a": 1.0, "b": 2.0, "c": 2.0}, {"b": 3.0})
    assert [league.field(at) for at in (0.0, 1.0, 2.0, 3.0)] == [set(), {*"a"}, {*"abc"}, {*"ac"}]
    assert grown({}, league) == dict.fromkeys("abc", Past())
