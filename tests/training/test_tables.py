"""N tables at once are the pure rules: the same questions, legal actions, sights and payments."""

from functools import reduce
from operator import or_

import numpy as np
import pytest

from arena.training.actions import ACTIONS, BLIND, DISCARD, GIVE, LOOK, PASS, PLAY, TAKE
from arena.training.observation import BIDS, HISTORY, PLANES, WHERE
from arena.training.tables import Tables
from arena.zole.cards import mask, members
from arena.zole.deal import flaw
from arena.zole.play import apply, start
from arena.zole.play import legal as actions_of
from arena.zole.rules import Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Action, Choose, Discard, Illegal, Play, Say, SayBlind
from tests.support.positions import begin, deals_of, legal_actions, observe, step, unseen

ALL: Settings = {
    "auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "blind", "small_solo"]}
}
OTHERS: dict[str, tuple[str, Settings]] = {
    "ranked": ("pagat", ALL),
    "most points": ("pagat", {"table": {"settlement": "most_points_pays"}}),
    "thrown in": ("piedalies", {"all_pass": "redeal"}),
    "talon plays": ("zole_net", {"table": {"talon": "first_two_tricks"}}),
    "sitting out unpaid": ("pagat", {"players": 4, "sitout": {"scoring": "none"}}),
    "pools": ("pagat", {"all_pass": "pool", "pools": {"enabled": True}}),
    "five tricks": ("lzsf", {"play": {"tricks": 5}, "surrender": {"declarer": "before_lead_3"}}),
}

RULES = {
    f"{name} {players}": preset(name, {"players": players})
    for name in preset_names()
    for players in (3, 4, 5)
} | {name: preset(base, changes) for name, (base, changes) in OTHERS.items()}


def by_chance(masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A legal action for each row of a mask."""
    return np.asarray(np.where(masks, random.random(masks.shape), -1.0).argmax(axis=1))


def same(rules: Rules, count: int, steps: int, seed: int, surrenders: bool) -> int:
    """Follow tables by the pure rules for some steps; the number of deals that ended."""
    tables = Tables(rules, count, seed, surrenders, history=True)
    random = np.random.default_rng(seed)
    positions = [begin(rules, deal, surrenders) for deal in deals_of(tables)]
    ended = 0
    for _ in range(steps):
        seats, sights, masks = tables.seats, tables.observations(), tables.masks()
        concealed = tables.unseen()
        for table, position in enumerate(positions):
            assert seats[table] == position.seat
            assert np.array_equal(masks[table], legal_actions(position))
            seen = observe(position, seats[table], history=True)
            planes = (*PLANES, *HISTORY)
            wrong = [p.name for p in planes if (seen != sights[table])[WHERE[p.name]].any()]
            assert not wrong, (wrong, position)
            assert np.array_equal(concealed[table], unseen(position, seats[table]))
        actions = by_chance(masks, random)
        done, paid = tables.step(actions), tables.payments()
        tables.redeal()
        positions = [step(each, act) for each, act in zip(positions, actions.tolist(), strict=True)]
        new = deals_of(tables)
        for table, position in enumerate(positions):
            assert done[table] == (position.seat is None)
            due = settle(position.state, Pools()).payments if done[table] else (0,) * rules.players
            assert tuple(paid[table].tolist()) == due, position
            if done[table]:
                assert new[table].dealer == (position.state.deal.dealer + 1) % rules.players
                positions[table] = begin(rules, new[table], surrenders)
                ended += 1
    return ended


@pytest.mark.parametrize("name", RULES)
def test_tables_ask_allow_show_and_pay_what_the_rules_do(name: str) -> None:
    assert same(RULES[name], 3, 34, seed=1, surrenders=False) >= 3
    assert same(RULES[name], 3, 34, seed=2, surrenders=True) >= 3


def test_a_step_with_an_illegal_action_changes_nothing() -> None:
    tables = Tables(preset(), 5, seed=1)
    before = tables.observations()
    for wrong in (TAKE, -1, 64):
        with pytest.raises(Illegal, match="table 3"):
            tables.step([PASS, PASS, PASS, wrong, wrong])
    with pytest.raises(ValueError, match="5 actions"):
        tables.step([PASS])
    with pytest.raises(Illegal, match="table 3"):
        tables.step([PASS, TAKE], [1, 3])
    assert np.array_equal(before, tables.observations())


def test_a_step_at_some_tables_leaves_the_others_as_they_are() -> None:
    tables, whole = Tables(preset(), 4, seed=1), Tables(preset(), 4, seed=1)
    tables.step([PASS, PASS], [2, 0])
    whole.step([PASS] * 4)
    assert np.array_equal(tables.observations([0, 2]), whole.observations([0, 2]))
    assert np.array_equal(tables.seats == whole.seats, [True, False, True, False])


def test_a_seed_fixes_the_deals_and_the_dealers_go_round() -> None:
    first, again, other = (Tables(preset("pagat", {"players": 5}), 7, seed) for seed in (1, 1, 2))
    assert deals_of(first) == deals_of(again)
    assert not {*deals_of(first)} & {*deals_of(other)}
    assert [deal.dealer for deal in deals_of(first)] == [0, 1, 2, 3, 4, 0, 1]
    assert not any(map(flaw, deals_of(first)))
    first.deal(deals_of(other))
    assert deals_of(first) == deals_of(other)
    with pytest.raises(ValueError, match="there must be 7 deals, not 1"):
        first.deal(deals_of(other)[:1])


def test_a_table_that_is_over_waits_until_it_is_dealt_anew() -> None:
    tables = Tables(preset("gamerules", {"all_pass": "redeal"}), 3, seed=1)
    one = ACTIONS.index("ordinary")
    last, _, other = deals_of(tables)
    tables.deal([last, last, other])
    assert not tables.step([PASS, PASS, one]).any()
    first = tables.masks([2])[0].argmax()
    assert not tables.step([PASS, PASS, first]).any()
    second = tables.masks([2])[0].argmax()
    assert tables.step([PASS, PASS, second]).tolist() == [True, True, False]
    assert tables.over.tolist() == [True, True, False]
    assert tables.seats.tolist() == [-1, -1, tables.seats[2]]
    assert not tables.masks([0, 1]).any()
    assert not tables.observations([0, 1]).any()
    play = int(tables.masks()[2].argmax())
    assert not tables.step([TAKE, PASS, play]).any()
    assert deals_of(tables)[0] == last
    assert not tables.payments().any()
    tables.redeal()
    assert not tables.over.any()
    assert len({last, *deals_of(tables)[:2]}) == 3
    assert [deal.dealer for deal in deals_of(tables)[:2]] == [1, 1]


def test_some_tables_are_seen_in_the_order_in_which_they_are_named() -> None:
    tables = Tables(preset(), 3, seed=1)
    assert np.array_equal(tables.observations([2, 0]), tables.observations()[[2, 0]])


@pytest.mark.slow
@pytest.mark.parametrize("surrenders", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_tables_are_the_rules_for_thousands_of_deals(name: str, surrenders: bool) -> None:
    assert same(RULES[name], 64, 300, seed=3, surrenders=surrenders) > 500


SAID: dict[int, Action] = {
    **{number: Say(bid) for number, bid in enumerate(BIDS[:4])},
    BLIND: SayBlind(True),
    LOOK: SayBlind(False),
    TAKE: Choose("take"),
    GIVE: Choose("give"),
}
NUMBER = {action: number for number, action in SAID.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_tables_allow_and_pay_what_the_rules_do_in_a_hundred_thousand_deals(name: str) -> None:
    rules = RULES[name]
    tables = Tables(rules, 2048, seed=4)
    random = np.random.default_rng(4)
    states = [start(rules, deal) for deal in deals_of(tables)]
    aside: list[int | None] = [None] * 2048
    ended = 0
    while ended < 100_000:
        masks = tables.masks()
        packed = np.packbits(masks, axis=1, bitorder="little").view("<u8").ravel().tolist()
        actions = by_chance(masks, random)
        done, paid = tables.step(actions), tables.payments()
        tables.redeal()
        over = set()
        for table, action in enumerate(actions.tolist()):
            state, first = states[table], aside[table]
            free = actions_of(state)
            if state.phase == "play":
                cards = mask(each.card for each in free if isinstance(each, Play))
                assert packed[table] == cards << PLAY
                state = apply(state, Play(action - PLAY))
            elif state.phase != "discard":
                assert packed[table] == sum(1 << NUMBER[each] for each in free)
                state = apply(state, SAID[action])
            else:
                pairs = {each.cards for each in free if isinstance(each, Discard)}
                cards = packed[table] >> DISCARD
                assert packed[table] == cards << DISCARD
                if first is None:
                    assert len(pairs) == 45
                    assert cards == reduce(or_, pairs)
                    aside[table] = action - DISCARD
                    continue
                assert {1 << card | 1 << first for card in members(cards)} == {
                    pair for pair in pairs if pair >> first & 1
                }
                state = apply(state, Discard(1 << first | 1 << (action - DISCARD)))
                aside[table] = None
            states[table] = state
            if state.phase == "over":
                assert paid[table].tolist() == list(settle(state, Pools()).payments)
                over.add(table)
        assert over == set(np.flatnonzero(done).tolist())
        new = sorted(over)
        dealt = deals_of(tables)
        for table in new:
            states[table] = start(rules, dealt[table])
        ended += len(new)
