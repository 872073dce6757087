"""Payments: the cases that the sources stress, and sums always zero."""

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.zole.cards import mask, points
from arena.zole.deal import active_seats, from_deck
from arena.zole.play import apply, start
from arena.zole.rules import (
    LARGEST_PAYMENT,
    POINTS_ROWS,
    Contract,
    Rules,
    Settings,
    contradictions,
    largest_payment,
    merged,
    preset,
    preset_names,
    preset_settings,
)
from arena.zole.scoring import (
    Level,
    Pools,
    contract_payments,
    fault_at_table,
    level_of,
    settle,
    sides,
    stakes_of,
    table_payments,
)
from arena.zole.state import Say
from tests.zole.test_play import RULESETS, random_play

RULES = preset()


@pytest.mark.parametrize(
    ("own", "tricks", "level"),
    [
        (61, 5, "ge61"),
        (60, 5, "31_60"),
        (90, 6, "ge61"),
        (91, 6, "ge91"),
        (31, 3, "31_60"),
        (30, 3, "le30"),
        (120, 7, "ge91"),
        (98, 8, "all_tricks"),
        (22, 0, "no_tricks"),
        (0, 1, "le30"),
    ],
)
def test_levels_go_by_points_unless_all_or_no_tricks_were_taken(
    own: int, tricks: int, level: Level
) -> None:
    assert level_of(RULES, "ordinary", own, tricks) == level
    assert level_of(RULES, "solo", own, tricks) == level
    small = "lost" if tricks else "made"  # a small solo goes by tricks alone
    assert level_of(RULES, "small_solo", own, tricks) == small


CONTRACTS: tuple[Contract, ...] = ("ordinary", "solo", "blind", "small_solo")
LEVELS: list[tuple[Contract, Level]] = [
    *((contract, level) for contract in CONTRACTS[:3] for level in POINTS_ROWS),
    *(("small_solo", "made"), ("small_solo", "lost")),
]


@pytest.mark.parametrize("payer", ["offender", "side"])
@pytest.mark.parametrize("sitout", ["as_opponent", "none"])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", preset_names())
def test_payments_of_every_level_are_zero_in_sum(
    name: str, players: int, sitout: str, payer: str
) -> None:
    changes: Settings = {"players": players, "sitout": {"scoring": sitout}}
    rules = preset(name, {**changes, "conduct": {"fault_payer": payer}})
    for dealer in range(players):
        active = active_seats(players, dealer)
        declarer, partner, _ = active
        before = (Pools(), Pools(1), Pools(0, (0, 1, 2)), Pools(2, (declarer,)))
        for (contract, level), pools, guilty in product(LEVELS, before, (None, partner)):
            paid, after = contract_payments(rules, active, declarer, contract, level, pools, guilty)
            assert sum(paid) == 0
            assert (paid[declarer] > 0) is (stakes_of(rules, contract, level) > 0)
            change = after.collective + len(after.personal) - pools.collective
            assert abs(change - len(pools.personal)) <= 1


@pytest.mark.parametrize(
    ("changes", "level", "guilty", "paid"),
    [
        ({}, "no_tricks", None, (-8, 4, 4)),
        ({}, "ge61", 2, (2, 0, -2)),  # the offender pays for its innocent partner
        ({"conduct": {"fault_payer": "side"}}, "ge61", 2, (2, -1, -1)),
    ],
)
def test_an_ordinary_game_pays_by_its_level_and_by_the_fault(
    changes: Settings, level: Level, guilty: int | None, paid: tuple[int, ...]
) -> None:
    rules = preset("pagat", changes)
    found = contract_payments(rules, (0, 1, 2), 0, "ordinary", level, Pools(), guilty)
    assert found == (paid, Pools())


def test_a_fault_at_the_table_costs_its_stake_to_each_other_player() -> None:
    assert fault_at_table(RULES, (0, 1, 2), 1) == (2, -4, 2)
    four = preset("pagat", {"players": 4})
    assert fault_at_table(four, (1, 2, 3), 3) == (0, 2, 2, -4)


@pytest.mark.parametrize(
    ("name", "tricks", "points", "paid"),
    [
        ("pagat", (5, 2, 1), (20, 60, 40), (-4, 2, 2)),
        ("pagat", (3, 3, 2), (45, 40, 30), (-4, 2, 2)),
        ("pagat", (4, 4, 0), (50, 60, 0), (2, -4, 2)),
        ("pagat", (3, 3, 2), (40, 40, 30), (-2, -2, 4)),
        ("pagat", (2, 2, 2), (30, 30, 30), (0, 0, 0)),
        ("lzsf", (1, 3, 4), (50, 40, 20), (4, -2, -2)),
        ("lzsf", (2, 2, 4), (30, 10, 70), (-2, 4, -2)),
        ("lzsf", (0, 0, 8), (0, 0, 110), (2, 2, -4)),
        ("lzsf", (2, 2, 2), (30, 30, 30), (0, 0, 0)),
    ],
)
def test_at_the_table_most_tricks_pay_and_by_lzsf_fewest_tricks_collect(
    name: str, tricks: tuple[int, ...], points: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    assert table_payments(preset(name), (0, 1, 2), tricks, points) == paid


POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}


@pytest.mark.parametrize(
    ("pools", "paid", "after"),
    [
        (Pools(), (2, -1, -1), Pools()),
        (Pools(1), (4, -2, -2), Pools(0)),
        (Pools(2), (4, -2, -2), Pools(1)),
        (Pools(1, (0,)), (2, -1, -1), Pools(1)),  # the own pool first, without money
        (Pools(0, (0, 0)), (2, -1, -1), Pools(0, (0,))),
        (Pools(1, (1,)), (4, -2, -2), Pools(0, (1,))),  # collective before another's
        (Pools(0, (1,)), (5, -4, -1), Pools()),
        (Pools(0, (2, 1)), (5, -1, -4), Pools(0, (1,))),  # the oldest token first
        (Pools(0, (1, 2, 1)), (5, -4, -1), Pools(0, (2, 1))),
        (Pools(0, (3, 2)), (5, -1, -4, 0), Pools(0, (3,))),  # not that of an unscored seat
    ],
)
def test_a_win_takes_one_pool_in_order(pools: Pools, paid: tuple[int, ...], after: Pools) -> None:
    rules = preset("pagat", {**POOLS, "players": len(paid), "sitout": {"scoring": "none"}})
    assert contract_payments(rules, (0, 1, 2), 0, "ordinary", "ge61", pools) == (paid, after)


@pytest.mark.parametrize(
    ("name", "contract", "adds"),
    [
        ("pagat", "ordinary", True),
        ("pagat", "solo", True),
        ("piedalies", "ordinary", True),
        ("piedalies", "solo", False),
        ("piedalies", "small_solo", False),
    ],
)
def test_a_loss_owes_a_pool_where_there_is_one_and_the_contract_counts(
    name: str, contract: Contract, adds: bool
) -> None:
    rules = preset(name, POOLS)
    level: Level = "lost" if contract == "small_solo" else "31_60"
    for pools in (Pools(1), Pools(0, (2,))):
        after = contract_payments(rules, (0, 1, 2), 0, contract, level, pools)[1]
        assert after == (Pools(pools.collective, (*pools.personal, 0)) if adds else pools)
    assert contract_payments(rules, (0, 1, 2), 0, contract, level, Pools())[1] == Pools()


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_payments_of_any_deal_are_zero_in_sum_and_its_sides_share_all_points_and_tricks(
    rules: Rules, seed: int
) -> None:
    """The talon is the declarer's by its discards, the defenders' in a solo, or nobody's."""
    state = random_play(rules, seed)[-1]
    for pools in (Pools(), Pools(2, (0, 1)), Pools(0, (2, 2, 1))):
        payments = settle(state, pools if rules.pools.enabled else Pools()).payments
        assert (len(payments), sum(payments)) == (rules.players, 0)
    if state.declarer is None or rules.play.tricks < 8:
        return
    count = sides(state)
    talon = points(mask(state.deal.talon)) if state.contract == "small_solo" else 0
    assert count.declarer_points + count.defender_points == 120 - talon
    assert count.declarer_tricks + count.defender_tricks == 8
    assert count.declarer_points == state.points[state.declarer] + points(state.discards)
    assert state.discards.bit_count() == (2 if state.contract == "ordinary" else 0)


def test_a_deal_that_is_not_over_has_no_settlement_and_at_first_no_sides() -> None:
    states = random_play(RULES, 1)[:-1]
    with pytest.raises(ValueError, match="no sides"):
        sides(states[0])
    for state in states:
        with pytest.raises(ValueError, match="not over"):
            settle(state, Pools())


@pytest.mark.parametrize(("all_pass", "tokens"), [("pool", 2), ("redeal", 1)])
def test_a_deal_thrown_in_costs_nothing_and_may_leave_a_pool(all_pass: str, tokens: int) -> None:
    rules = preset("pagat", {"all_pass": all_pass, "pools": {"enabled": all_pass == "pool"}})
    state = start(rules, from_deck(tuple(range(26)), rules, 0))
    for _ in range(3):
        state = apply(state, Say("pass"))
    settlement = settle(state, Pools(1, (2,)))
    assert (settlement.level, settlement.payments) == (None, (0, 0, 0))
    assert settlement.pools == Pools(tokens, (2,))


def payments_of(rules: Rules) -> list[int]:
    """Every payment that a deal can come to: each contract, level and token, at the table too."""
    paid: list[int] = []
    for dealer in range(rules.players):
        active = active_seats(rules.players, dealer)
        declarer, first, _ = active
        owned = [Pools(0, (seat,)) for seat in range(rules.players)]
        tokens = [Pools(), Pools(1), *owned] if rules.pools.enabled else [Pools()]
        for (contract, level), pools, guilty in product(LEVELS, tokens, (None, first)):
            payments, _ = contract_payments(rules, active, declarer, contract, level, pools, guilty)
            paid += payments
        paid += fault_at_table(rules, active, first)
        for tricks in ((8, 0, 0), (4, 4, 0), (0, 4, 4)):
            by_seat = dict(zip(active, tricks, strict=True))
            counts = tuple(by_seat.get(seat, 0) for seat in range(rules.players))
            paid += table_payments(rules, active, counts, counts)
    return paid


LARGE = st.sampled_from([1, 4095, 4096, 8191, 8192, 16383, 16384, 32767])
SIX = st.builds(lambda won, lost: [won, won, won, -lost, -lost, -lost], LARGE, LARGE)


@st.composite
def rules_of_large_stakes(draw: st.DrawFn) -> Rules:
    pools = draw(st.booleans())
    changes: Settings = {
        "players": draw(st.sampled_from([3, 4, 5])),
        "all_pass": "pool" if pools else "table",
        "scoring": {
            "ordinary": draw(SIX),
            "solo": draw(SIX),
            "blind": draw(SIX),
            "small_solo": [draw(LARGE), -draw(LARGE)],
        },
        "table": {
            "stake": draw(LARGE),
            "settlement": draw(st.sampled_from(["most_tricks_pays", "fewest_tricks_collects"])),
        },
        "pools": {
            "enabled": pools,
            "collective_stake": draw(LARGE),
            "personal_stake": draw(LARGE),
            "won_by": list(CONTRACTS),
        },
        "sitout": {"scoring": draw(st.sampled_from(["as_opponent", "none"]))},
    }
    return msgspec.convert(merged(preset_settings("pagat"), changes), Rules)


@given(rules_of_large_stakes())
def test_no_payment_is_larger_than_rules_say_and_what_is_accepted_fits_a_record(
    rules: Rules,
) -> None:
    largest = max(map(abs, payments_of(rules)))
    assert largest <= largest_payment(rules)[1]
    assert largest <= LARGEST_PAYMENT or list(contradictions(rules))


def test_the_largest_payment_fits_the_16_bits_that_a_record_keeps() -> None:
    assert LARGEST_PAYMENT == (1 << 15) - 1
