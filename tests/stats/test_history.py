"""Many leagues are fitted together, whatever bots were called; what cannot count is reported."""

import msgspec
import numpy as np
import pytest

from arena.stats.blocks import Block
from arena.stats.elo import MEAN, ratings
from arena.stats.floats import Floats
from arena.stats.history import History, HistoryLine, PastRecord, RulesTable, history, rules_hash
from arena.stats.sets import SetBlock
from arena.stats.strengths import gap_between, strengths
from arena.zole.rules import preset
from tests.support.worked import worked_league

RULES = preset()
CHANCE = np.random.default_rng(12)


def block(lineup: tuple[str, ...], stakes: Floats | None, first: int = 0, sets: int = 20) -> Block:
    played = None if stakes is None else SetBlock(tuple(range(len(lineup))), stakes)
    sets = sets if stakes is None else len(stakes)
    return Block(lineup, first, sets, 6, sets, played, None, {})


def past(
    record: str, bots: dict[str, str], *blocks: Block, seed: str = "", rules: str = "pagat"
) -> PastRecord:
    seeds = (seed or record,) * len(blocks)
    return PastRecord(record, preset(rules), bots, blocks, seeds, 1)


def noise(bots: int = 3, sets: int = 20) -> Floats:
    stakes = CHANCE.normal(size=(sets, bots))
    return np.asarray(stakes - stakes.mean(axis=1, keepdims=True))


def only_table(found: History) -> RulesTable:
    [table] = found.tables
    return table


def by_name(table: RulesTable) -> dict[str, HistoryLine]:
    return {line.bot: line for line in table.lines}


def test_two_halves_of_a_league_are_the_league() -> None:
    names, blocks, expected = worked_league()
    contents = {name: f"content of {name}" for name in names}
    halves = [
        past(
            record,
            contents,
            *(block(tuple(names[bot] for bot in each.bots), each.stakes[part]) for each in blocks),
        )
        for record, part in (("one", slice(0, 12)), ("two", slice(12, None)))
    ]
    table = only_table(history(halves, contents[names[0]]))
    assert (table.sets, table.parts, table.anchored) == (100, 1, 1)
    elo, rated, strong = expected["elo_set_bt"], ratings(blocks, 4), strengths(blocks, 4)
    for number, name in enumerate(names):
        line = by_name(table)[name]
        assert line.elo == pytest.approx(MEAN + elo[name] - elo[names[0]], abs=0.006)
        apart = gap_between(strong, number, 0)
        assert apart is not None
        assert line.strength == pytest.approx(apart.stakes, abs=1e-6)
        if number:
            assert line.strength_pm == pytest.approx(apart.plus_minus, abs=1e-6)
            cov = rated.covariance
            error = (cov[number, number] + cov[0, 0] - 2 * cov[number, 0]) ** 0.5
            assert line.elo_pm == pytest.approx(1.984984 * error, abs=0.006)
    assert by_name(table)[names[0]].elo == MEAN
    assert by_name(table)[names[0]].elo_pm is None


def test_a_renamed_bot_is_one_bot_under_the_name_it_had_last() -> None:
    first = past("one", {"a": "A", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()))
    second = past("two", {"anna": "A", "b": "B", "d": "D"}, block(("anna", "b", "d"), noise()))
    table = only_table(history([first, second], "B"))
    assert {(line.bot, line.content) for line in table.lines} == {
        ("anna", "A"),
        ("b", "B"),
        ("c", "C"),
        ("d", "D"),
    }
    assert (by_name(table)["anna"].sets, by_name(table)["anna"].leagues) == (40, 2)
    assert (by_name(table)["c"].sets, by_name(table)["c"].leagues) == (20, 1)


def test_a_new_version_is_another_bot_under_the_same_name() -> None:
    first = past("one", {"a": "A1", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()))
    second = past("two", {"a": "A2", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()))
    table = only_table(history([first, second], "B"))
    assert sorted(line.content for line in table.lines if line.bot == "a") == ["A1", "A2"]


def test_other_rules_make_another_table() -> None:
    bots = {"a": "A", "b": "B", "c": "C"}
    found = history(
        [
            past("one", bots, block(("a", "b", "c"), noise(sets=30))),
            past("two", bots, block(("a", "b", "c"), noise()), rules="zole_net"),
        ],
        "A",
    )
    assert [(table.rules, table.sets) for table in found.tables] == [
        ("pagat", 30),
        ("zole_net", 20),
    ]
    mine = preset("pagat", {"table": {"stake": 7}})
    own = msgspec.structs.replace(past("one", bots, block(("a", "b", "c"), noise())), rules=mine)
    assert only_table(history([own], "A")).rules == rules_hash(mine)[:8]


def test_parts_that_never_met_are_told_apart() -> None:
    first = past("one", {"a": "A", "b": "B", "c": "C"}, block(("a", "b", "c"), noise(sets=40)))
    second = past("two", {"x": "X", "y": "Y"}, block(("x", "y"), noise(2)))
    table = only_table(history([first, second], "X"))
    assert (table.parts, table.anchored) == (2, 2)
    assert [line.part for line in table.lines] == [2, 2, 1, 1, 1]
    assert by_name(table)["x"].elo == MEAN
    rest = [by_name(table)[name].elo for name in "abc"]
    assert sum(elo for elo in rest if elo is not None) == pytest.approx(3 * MEAN, abs=0.02)


def test_the_strongest_bot_comes_first_whatever_its_content() -> None:
    stakes = noise() + np.array([-5.0, 0.0, 5.0])
    only = past("one", {"a": "A", "b": "B", "c": "C"}, block(("a", "b", "c"), stakes))
    assert [line.bot for line in only_table(history([only], "B")).lines] == ["c", "b", "a"]


def test_bots_that_did_the_same_are_in_the_order_of_their_contents() -> None:
    """None is the stronger one by the dust of sums."""
    names = {"a": "A", "b": "B", "c": "C"}
    for seed in range(12):
        chance = np.random.default_rng(seed)
        one = chance.integers(-9, 10, 40)
        other = chance.permutation(one)
        stakes = np.stack([one, other, -one - other], axis=1) / 6
        only = past("one", names, block(("a", "b", "c"), stakes))
        lines = only_table(history([only], "C")).lines
        assert [line.bot for line in lines if line.bot != "c"] == ["a", "b"]


def test_without_the_anchor_the_mean_is_1500() -> None:
    only = past("one", {"a": "A", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()))
    table = only_table(history([only], "Z"))
    assert table.anchored is None
    assert sum(line.strength for line in table.lines) == pytest.approx(0, abs=1e-5)
    assert all(line.elo_pm is not None for line in table.lines)


def test_void_sets_and_sets_with_one_bot_under_two_names_are_left_out() -> None:
    bots = {"a": "A", "b": "B", "c": "C", "twin": "A"}
    found = history(
        [
            past(
                "one",
                bots,
                block(("a", "b", "c"), noise()),
                block(("a", "b", "twin"), noise()),
                block(("b", "c", "twin"), noise()),
                block(("a", "b", "c"), None, first=20),
            )
        ],
        "B",
    )
    assert [(each.lineup, each.sets, each.why) for each in found.left_out] == [
        (("a", "b", "twin"), 20, "one bot under two names"),
        (("a", "b", "c"), 20, "void"),
    ]
    assert found.aliases == (("a", "twin"),)
    table = only_table(found)
    assert table.sets == 40
    assert len(table.lines) == 3
    assert {line.content: line.sets for line in table.lines} == {"A": 40, "B": 40, "C": 40}


def test_a_copy_of_a_record_counts_once_and_what_was_added_to_it_counts() -> None:
    bots, stakes = {"a": "A", "b": "B", "c": "C"}, noise(sets=30)
    one = past("one", bots, block(("a", "b", "c"), stakes[:20]), seed="7")
    more = past("two", bots, block(("a", "b", "c"), stakes), seed="7")
    found = history([one, more], "A")
    assert only_table(found).sets == 30
    assert [(each.record, each.sets) for each in found.left_out] == [("two", 20)]
    assert not found.shared_deals
    whole = only_table(history([more], "A"))
    assert [line.elo for line in only_table(found).lines] == [line.elo for line in whole.lines]


def test_other_bots_on_the_same_deals_are_noted() -> None:
    one = past("one", {"a": "A", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()), seed="7")
    two = past("two", {"a": "A2", "b": "B", "c": "C"}, block(("a", "b", "c"), noise()), seed="7")
    found = history([one, two], "B")
    assert found.shared_deals
    assert only_table(found).sets == 40
