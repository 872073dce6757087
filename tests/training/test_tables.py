"""Many tables at once are the pure rules, and what seats are shown of them as numbers."""

from functools import reduce
from itertools import product

import numpy as np
import pytest

from arena.training.actions import ACTIONS, DISCARD, PASS, PLAY, PLAY_ON, SURRENDER, TAKE
from arena.training.arrays import CONTRACT, Arrays
from arena.training.observation import (
    HISTORY,
    HISTORY_SIZE,
    LARGEST_NUMBERS,
    OBSERVATION_SIZE,
    PLANES,
    UNSEEN,
    WHERE,
)
from arena.training.payments import Payments
from arena.training.policies import by_chance
from arena.training.tables import Tables
from arena.zole.cards import INDEX, NAMES
from arena.zole.deal import Deal, active_seats, flaw, from_deck, shuffled
from arena.zole.rules import Contract, Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, contract_payments, level_of, settle, table_payments
from arena.zole.state import Illegal
from tests.support.positions import Position, begin, deals_of, legal_actions, observe, step, unseen
from tests.zole.test_traces import TRACES, Fields, deal_of, rules_of

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


def same(rules: Rules, count: int, steps: int, seed: int, surrenders: bool) -> int:
    """Follow tables by the pure rules for some steps; the number of deals that ended."""
    tables = Tables(rules, count, seed, surrenders, history=True)
    random, ended = np.random.default_rng(seed), 0
    positions = [begin(rules, deal, surrenders) for deal in deals_of(tables)]
    for _ in range(steps):
        masks, seats = tables.masks(), tables.seats.tolist()
        assert seats == [each.seat for each in positions]
        assert np.array_equal(masks, [legal_actions(each) for each in positions])
        both = list(zip(positions, seats, strict=True))
        differ = tables.observations() != [observe(*each, history=True) for each in both]
        wrong = [it.name for it in (*PLANES, *HISTORY) if differ[:, WHERE[it.name]].any()]
        assert not wrong, (wrong, positions)
        assert np.array_equal(tables.unseen(), [unseen(*each) for each in both])
        actions = by_chance(masks, random)
        done, paid = tables.step(actions), tables.payments()
        positions = [step(each, act) for each, act in zip(positions, actions.tolist(), strict=True)]
        assert done.tolist() == [each.seat is None for each in positions]
        for table, position in enumerate(positions):
            due = settle(position.state, Pools()).payments if done[table] else (0,) * rules.players
            assert tuple(paid[table].tolist()) == due, position
        tables.redeal()
        for table in np.flatnonzero(done).tolist():
            new = deals_of(tables)[table]
            assert new.dealer == (positions[table].state.deal.dealer + 1) % rules.players
            positions[table] = begin(rules, new, surrenders)
        ended += int(done.sum())
    return ended


@pytest.mark.parametrize(
    ("count", "steps", "least"), [(3, 34, 3), pytest.param(64, 300, 501, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("surrenders", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_tables_ask_allow_show_and_pay_what_the_rules_do(
    name: str, surrenders: bool, count: int, steps: int, least: int
) -> None:
    assert same(RULES[name], count, steps, 1 + surrenders, surrenders) >= least


def test_a_step_with_an_illegal_action_changes_nothing() -> None:
    tables = Tables(preset(), 5, seed=1)
    before = tables.observations()
    all_tables = [([PASS, PASS, PASS, wrong, wrong],) for wrong in (TAKE, -1, 64)]
    for asked in (*all_tables, ([PASS, TAKE], [1, 3])):
        with pytest.raises(Illegal, match="table 3"):
            tables.step(*asked)
    with pytest.raises(ValueError, match="5 actions"):
        tables.step([PASS])
    assert np.array_equal(before, tables.observations())


def test_a_step_at_some_tables_leaves_the_others_as_they_are() -> None:
    tables, whole = Tables(preset(), 4, seed=1), Tables(preset(), 4, seed=1)
    tables.step([PASS, PASS], [2, 0])
    whole.step([PASS] * 4)
    assert np.array_equal(tables.observations([2, 0]), whole.observations()[[2, 0]])
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
    last, _, other = deals_of(tables)
    tables.deal([last, last, other])
    done = [tables.step([PASS, PASS, ACTIONS.index("ordinary")]).tolist()]
    for _ in range(2):  # the last table discards; the others pass twice more and are over
        done.append(tables.step([PASS, PASS, int(tables.masks([2])[0].argmax())]).tolist())
    assert [*done, tables.over.tolist()] == [*[[False] * 3] * 2, *[[True, True, False]] * 2]
    assert tables.seats.tolist()[:2] == [-1, -1]
    nothing = (tables.masks([0, 1]), tables.observations([0, 1]), tables.payments())
    assert [each.any() for each in nothing] == [False] * 3
    assert not tables.step([TAKE, PASS, int(tables.masks()[2].argmax())]).any()
    assert deals_of(tables)[0] == last
    assert not tables.payments().any()
    tables.redeal()
    assert not tables.over.any()
    assert len({last, *deals_of(tables)[:2]}) == 3
    assert [deal.dealer for deal in deals_of(tables)[:2]] == [1, 1]


MAY = {"bid": ("", "legal"), "discard": ("discard ", "hand"), "play": ("play ", "legal")}
"""What the actions that are asked for begin with, and the field with all that are legal."""


def follow(tables: Tables, event: Fields) -> bool:
    """Do the next event of a worked deal, which its seat is asked for and may do."""
    kind, choice = event["type"], event.get("choice")
    if kind != "surrender" and tables.masks()[0, SURRENDER]:
        tables.step([PLAY_ON])
    assert tables.seats[0] == event["seat"]
    if kind in MAY:
        word, field = MAY[kind]
        names = [ACTIONS[action] for action in np.flatnonzero(tables.masks()[0])]
        allowed = {name for name in names if name.startswith(word)}
        assert allowed == {f"{word}{each}" for each in event[field]}
    actions: dict[str, list[str]] = {
        "surrender": ["surrender"],
        "blind": ["blind" if choice == "blind" else "look"],
        "bid": [f"{choice}"],
        "discard": [f"discard {card}" for card in choice or ()],
        "offer": ["offer", "accept" if event.get("answer") == "accept" else "play_on"],
        "play": [f"play {event.get('card')}"],
    }
    done = [tables.step([ACTIONS.index(action)]).tolist() for action in actions[kind]]
    return bool(done[-1] == [True])


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deal_goes_and_pays_at_a_table_as_its_source_says(trace: Fields) -> None:
    rules, want = rules_of(trace["rules"]), trace["result"]
    tables = Tables(rules, 1, seed=1, surrenders=True)
    tables.deal([deal_of(trace)])
    assert deals_of(tables) == (deal_of(trace),)
    events = [each for each in trace["events"] if each["type"] not in ("trick", "talon_card")]
    assert [follow(tables, event) for event in events] == [False] * (len(events) - 1) + [True]
    due = want.get("base_payments", want["payments"])  # those without the tokens of a pool
    assert tables.payments()[0].tolist() == [due.get(str(seat), 0) for seat in range(rules.players)]


CONTRACTS: tuple[Contract, ...] = ("ordinary", "solo", "small_solo", "blind")
SETTLEMENTS = ("most_tricks_pays", "most_points_pays", "fewest_tricks_collects")


def paid(rules: Rules, state: Arrays) -> list[tuple[int, ...]]:
    return [*map(tuple, Payments(rules).of(state, np.arange(state.count)).tolist())]


@pytest.mark.parametrize("scoring", ["as_opponent", "none"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_contract_pays_by_its_level_at_every_edge(players: int, scoring: str) -> None:
    rules = preset("lzsf", {"players": players, "sitout": {"scoring": scoring}})
    edges = (0, 30, 31, 60, 61, 90, 91, 120)
    cases = list(product(CONTRACTS, edges, (0, 1, 7, 8), range(players), range(3)))
    state, due = Arrays(len(cases)), []
    for table, (contract, points, tricks, dealer, place) in enumerate(cases):
        state.contract[table], state.tricks[table, place] = CONTRACT[contract], tricks
        state.dealer[table], state.declarer[table] = dealer, place
        state.aside_points[table] = aside = min(points, 7) if contract == "ordinary" else 0
        state.points[table, place] = points - aside
        active, level = active_seats(players, dealer), level_of(rules, contract, points, tricks)
        due.append(contract_payments(rules, active, active[place], contract, level, Pools())[0])
    assert paid(rules, state) == due


@pytest.mark.parametrize("settlement", SETTLEMENTS)
def test_a_table_game_pays_by_the_rules_in_every_tie(settlement: str) -> None:
    rules = preset("pagat", {"players": 4, "table": {"settlement": settlement, "stake": 3}})
    cases = list(product(product(range(4), repeat=3), product((0, 1, 120), repeat=3)))
    state, due = Arrays(len(cases)), []
    state.contract[:], state.declarer[:] = CONTRACT["table"], -1
    for table, (tricks, points) in enumerate(cases):
        state.dealer[table], active = table % 4, active_seats(4, table % 4)
        state.tricks[table, :3], state.points[table, :3] = tricks, points
        of_seats = (dict(zip(active, each, strict=True)) for each in (tricks, points))
        taken, made = (tuple(each.get(seat, 0) for seat in range(4)) for each in of_seats)
        due.append(table_payments(rules, active, taken, made))
    assert paid(rules, state) == due


def plane(position: Position, seat: int, name: str) -> list[int]:
    """The places of the ones in a plane of a seat's observation."""
    return np.flatnonzero(observe(position, seat)[WHERE[name]]).tolist()


def cards(position: Position, seat: int, name: str) -> str:
    return " ".join(NAMES[card] for card in plane(position, seat, name))


def played(position: Position, *actions: str) -> Position:
    return reduce(step, map(ACTIONS.index, actions), position)


def test_planes_fill_the_vector_without_a_gap_and_each_says_what_it_is() -> None:
    """The list of actions has each card twice."""
    ends = [WHERE[each.name] for each in (*PLANES, *HISTORY)]
    assert [each.start for each in ends] == [0, *(each.stop for each in ends[:-1])]
    assert ends[len(PLANES) - 1].stop == OBSERVATION_SIZE == len(LARGEST_NUMBERS)
    assert ends[-1].stop == OBSERVATION_SIZE + HISTORY_SIZE
    assert all(each.about for each in (*PLANES, *HISTORY, *UNSEEN))
    assert len(WHERE) == len(PLANES) + len(HISTORY)
    assert len(set(ACTIONS)) == len(ACTIONS) == 64
    named = [ACTIONS[each] for each in (PLAY + INDEX["JD"], DISCARD + INDEX["JD"], SURRENDER)]
    assert named == ["play JD", "discard JD", "surrender"]


def test_a_declarer_sees_the_talon_and_discards_one_card_after_the_other() -> None:
    position = played(begin(preset(), from_deck(shuffled("1"), preset(), 2)), "ordinary")
    hand = cards(position, 0, "hand").split()
    assert len(hand) == 10
    assert {*cards(position, 0, "talon").split()} < {*hand}
    first = played(position, f"discard {hand[3]}")
    seen = (cards(first, 0, "aside"), {*cards(first, 0, "hand").split()})
    assert seen == (hand[3], {*hand} - {hand[3]})
    with pytest.raises(Illegal):
        played(first, f"discard {hand[3]}")
    second = played(first, f"discard {hand[0]}")
    assert {*cards(second, 0, "aside").split()} == {hand[0], hand[3]}
    assert (cards(second, 1, "aside"), cards(second, 1, "talon")) == ("", "")
    assert [plane(second, seat, "declarer") for seat in range(3)] == [[0], [2], [1]]


def test_a_seat_that_did_not_follow_has_no_card_of_that_suit_as_others_see_it() -> None:
    hands = [
        "QC QS QH QD JC JS JH JD",  # seat 0 leads a trump
        "AC TC KC 9C AS TS KS 9S",
        "AD TD KD 9D 8D AH TH KH",
    ]
    deal = Deal(2, tuple(sum(1 << INDEX[c] for c in hand.split()) for hand in hands), (13, 25))
    position = played(begin(preset(), deal), "solo", "play QC", "play AC")
    assert cards(position, 2, "left_may").split()[:3] == ["QS", "QH", "QD"]
    assert not any(INDEX[card] < 14 for card in cards(position, 2, "right_may").split())
    assert not any(INDEX[card] < 14 for card in cards(position, 0, "left_may").split())
    assert cards(position, 2, "taking") == "QC"
    assert cards(position, 2, "trick") == "QC AC"
    assert observe(position, 2)[WHERE["trick_points"]] == 14
    assert plane(position, 2, "taker") == plane(position, 2, "leader") == [1]
