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
    for actions in ([PASS, PASS, PASS, wrong, wrong] for wrong in (TAKE, -1, 64)):
        with pytest.raises(Illegal, match="table 3"):
            tables.step(actions)
    with pytest.raises(Illegal, match="table 3"):
        tables.step([PASS, TAKE], [1, 3])
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
    assert done == [[False] * 3, [False] * 3, [True, True, False]]
    assert tables.over.tolist() == done[-1]
    assert tables.seats.tolist()[:2] == [-1, -1]
    assert not tables.masks([0, 1]).any()
    assert not tables.observations([0, 1]).any()
    assert not tables.step([TAKE, PASS, int(tables.masks()[2].argmax())]).any()
    assert deals_of(tables)[0] == last
    assert not tables.payments().any()
    tables.redeal()
    assert not tables.over.any()
    assert len({last, *deals_of(tables)[:2]}) == 3
    assert [deal.dealer for deal in deals_of(tables)[:2]] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("surrenders", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_tables_are_the_rules_for_thousands_of_deals(name: str, surrenders: bool) -> None:
    assert same(RULES[name], 64, 300, seed=3, surrenders=surrenders) > 500


def allowed(tables: Tables, kind: str) -> list[str]:
    """The legal actions at the only table that begin with a word, without it."""
    names = [ACTIONS[action] for action in np.flatnonzero(tables.masks()[0])]
    return sorted(name.removeprefix(kind).strip() for name in names if name.startswith(kind))


def follow(tables: Tables, event: Fields) -> bool:
    """Do the next event of a worked deal, which its seat is asked for and may do."""
    if event["type"] != "surrender" and tables.masks()[0, SURRENDER]:
        tables.step([PLAY_ON])
    assert tables.seats[0] == event["seat"]
    match event["type"]:
        case "surrender":
            actions = ["surrender"]
        case "blind":
            actions = ["blind" if event["choice"] == "blind" else "look"]
        case "bid":
            assert allowed(tables, "") == sorted(event["legal"])
            actions = [event["choice"]]
        case "discard":
            assert allowed(tables, "discard") == sorted(event["hand"])
            actions = [f"discard {card}" for card in event["choice"]]
        case "offer":
            actions = ["offer", "accept" if event["answer"] == "accept" else "play_on"]
        case "play":
            assert allowed(tables, "play ") == sorted(event["legal"])
            actions = [f"play {event['card']}"]
        case other:
            raise AssertionError(other)
    steps = [tables.step([ACTIONS.index(action)]).tolist() for action in actions]
    return bool(steps[-1] == [True])


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deal_goes_and_pays_at_a_table_as_its_source_says(trace: Fields) -> None:
    rules, want = rules_of(trace["rules"]), trace["result"]
    tables = Tables(rules, 1, seed=1, surrenders=True)
    tables.deal([deal_of(trace)])
    assert deals_of(tables) == (deal_of(trace),)
    events = [each for each in trace["events"] if each["type"] not in ("trick", "talon_card")]
    done = [follow(tables, event) for event in events]
    assert done == [False] * (len(events) - 1) + [True]
    due = want.get("base_payments", want["payments"])  # those without the tokens of a pool
    assert tables.payments()[0].tolist() == [due.get(str(seat), 0) for seat in range(rules.players)]


CONTRACTS: tuple[Contract, ...] = ("ordinary", "solo", "small_solo", "blind")
SETTLEMENTS = ("most_tricks_pays", "most_points_pays", "fewest_tricks_collects")


def paid(rules: Rules, state: Arrays) -> list[tuple[int, ...]]:
    rows = Payments(rules).of(state, np.arange(state.count)).tolist()
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("scoring", ["as_opponent", "none"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_contract_pays_by_its_level_at_every_edge(players: int, scoring: str) -> None:
    rules = preset("lzsf", {"players": players, "sitout": {"scoring": scoring}})
    edges = (0, 30, 31, 60, 61, 90, 91, 120)
    cases = list(product(CONTRACTS, edges, (0, 1, 7, 8), range(players), range(3)))
    state = Arrays(len(cases))
    due = []
    for table, (contract, points, tricks, dealer, place) in enumerate(cases):
        state.contract[table] = CONTRACT[contract]
        state.dealer[table], state.declarer[table] = dealer, place
        state.aside_points[table] = aside = min(points, 7) if contract == "ordinary" else 0
        state.points[table, place] = points - aside
        state.tricks[table, place] = tricks
        active = active_seats(players, dealer)
        level = level_of(rules, contract, points, tricks)
        made = contract_payments(rules, active, active[place], contract, level, Pools())
        due.append(made[0])
    assert paid(rules, state) == due


@pytest.mark.parametrize("settlement", SETTLEMENTS)
def test_a_table_game_pays_by_the_rules_in_every_tie(settlement: str) -> None:
    rules = preset("pagat", {"players": 4, "table": {"settlement": settlement, "stake": 3}})
    cases = list(product(product(range(4), repeat=3), product((0, 1, 120), repeat=3)))
    state = Arrays(len(cases))
    due = []
    for table, (tricks, points) in enumerate(cases):
        dealer = table % 4
        active = active_seats(4, dealer)
        state.contract[table], state.declarer[table] = CONTRACT["table"], -1
        state.dealer[table] = dealer
        state.tricks[table, :3], state.points[table, :3] = tricks, points
        by_seat = [
            tuple(dict(zip(active, each, strict=True)).get(seat, 0) for seat in range(4))
            for each in (tricks, points)
        ]
        due.append(table_payments(rules, active, by_seat[0], by_seat[1]))
    assert paid(rules, state) == due


def plane(position: Position, seat: int, name: str) -> list[int]:
    """The places of the ones in a plane of a seat's observation."""
    return np.flatnonzero(observe(position, seat)[WHERE[name]]).tolist()


def cards(position: Position, seat: int, name: str) -> str:
    return " ".join(NAMES[card] for card in plane(position, seat, name))


def played(position: Position, *actions: str) -> Position:
    return reduce(step, map(ACTIONS.index, actions), position)


def test_planes_fill_the_vector_without_a_gap_and_each_says_what_it_is() -> None:
    ends = [WHERE[each.name] for each in (*PLANES, *HISTORY)]
    assert [each.start for each in ends] == [0, *(each.stop for each in ends[:-1])]
    assert ends[len(PLANES) - 1].stop == OBSERVATION_SIZE == len(LARGEST_NUMBERS)
    assert ends[-1].stop == OBSERVATION_SIZE + HISTORY_SIZE
    assert all(each.about for each in (*PLANES, *HISTORY, *UNSEEN))
    assert len(WHERE) == len(PLANES) + len(HISTORY)


def test_the_list_of_actions_has_each_card_twice() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS) == 64
    assert ACTIONS[PLAY + INDEX["JD"]] == "play JD"
    assert ACTIONS[DISCARD + INDEX["JD"]] == "discard JD"
    assert ACTIONS[SURRENDER] == "surrender"


def test_a_declarer_sees_the_talon_and_discards_one_card_after_the_other() -> None:
    rules = preset()
    position = played(begin(rules, from_deck(shuffled("1"), rules, 2)), "ordinary")
    hand = cards(position, 0, "hand").split()
    assert len(hand) == 10
    assert {*cards(position, 0, "talon").split()} < {*hand}
    position = played(position, f"discard {hand[3]}")
    assert cards(position, 0, "aside") == hand[3]
    assert hand[3] not in cards(position, 0, "hand").split()
    with pytest.raises(Illegal):
        played(position, f"discard {hand[3]}")
    position = played(position, f"discard {hand[0]}")
    assert {*cards(position, 0, "aside").split()} == {hand[0], hand[3]}
    assert (cards(position, 1, "aside"), cards(position, 1, "talon")) == ("", "")
    assert [plane(position, seat, "declarer") for seat in range(3)] == [[0], [2], [1]]


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
