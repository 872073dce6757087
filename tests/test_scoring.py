"""Payments: the cases that the sources stress, and sums that are always zero."""

from itertools import product

import pytest

from arena.zole.deal import active_seats
from arena.zole.rules import ROWS, Contract, Settings, preset, preset_names
from arena.zole.scoring import (
    Level,
    Pools,
    contract_payments,
    fault_at_table,
    level_of,
    stakes_of,
    table_payments,
)

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


def test_a_small_solo_goes_by_tricks_alone() -> None:
    assert level_of(RULES, "small_solo", 61, 0) == "made"
    assert level_of(RULES, "small_solo", 0, 1) == "lost"


def test_declarer_without_a_trick_pays_four() -> None:
    paid, _ = contract_payments(RULES, (0, 1, 2), 0, "ordinary", "no_tricks", Pools())
    assert paid == (-8, 4, 4)


CONTRACTS: tuple[Contract, ...] = ("ordinary", "solo", "blind", "small_solo")
SITOUTS = ("as_opponent", "none")


@pytest.mark.parametrize(
    ("name", "players", "sitout"), list(product(preset_names(), (3, 4, 5), SITOUTS))
)
def test_payments_of_every_level_are_zero_in_sum(name: str, players: int, sitout: str) -> None:
    changes: Settings = {"players": players, "sitout": {"scoring": sitout}}
    for payer in ("offender", "side"):
        rules = preset(name, {**changes, "conduct": {"fault_payer": payer}})
        for dealer in range(players):
            active = active_seats(players, dealer)
            for contract in CONTRACTS:
                levels: tuple[Level, ...] = ("made", "lost") if contract == "small_solo" else ROWS
                for level, pools, fault_by in product(
                    levels,
                    (Pools(), Pools(1), Pools(0, (0, 1, 2)), Pools(2, (active[0],))),
                    (None, active[1]),
                ):
                    paid, after = contract_payments(
                        rules, active, active[0], contract, level, pools, fault_by
                    )
                    assert sum(paid) == 0
                    assert (paid[active[0]] > 0) is (stakes_of(rules, contract, level) > 0)
                    change = after.collective + len(after.personal) - pools.collective
                    assert abs(change - len(pools.personal)) <= 1


def test_the_offender_pays_for_its_innocent_partner() -> None:
    paid, _ = contract_payments(RULES, (0, 1, 2), 0, "ordinary", "ge61", Pools(), fault_by=2)
    assert paid == (2, 0, -2)
    side = preset("pagat", {"conduct": {"fault_payer": "side"}})
    paid, _ = contract_payments(side, (0, 1, 2), 0, "ordinary", "ge61", Pools(), fault_by=2)
    assert paid == (2, -1, -1)


def test_a_fault_at_the_table_costs_its_stake_to_each_other_player() -> None:
    assert fault_at_table(RULES, (0, 1, 2), 1) == (2, -4, 2)
    four = preset("pagat", {"players": 4})
    assert fault_at_table(four, (1, 2, 3), 3) == (0, 2, 2, -4)


@pytest.mark.parametrize(
    ("tricks", "points", "paid"),
    [
        ((5, 2, 1), (20, 60, 40), (-4, 2, 2)),
        ((3, 3, 2), (45, 40, 30), (-4, 2, 2)),
        ((4, 4, 0), (50, 60, 0), (2, -4, 2)),
        ((3, 3, 2), (40, 40, 30), (-2, -2, 4)),
        ((2, 2, 2), (30, 30, 30), (0, 0, 0)),
    ],
)
def test_at_the_table_most_tricks_pays(
    tricks: tuple[int, ...], points: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    assert table_payments(RULES, (0, 1, 2), tricks, points) == paid


@pytest.mark.parametrize(
    ("tricks", "points", "paid"),
    [
        ((1, 3, 4), (50, 40, 20), (4, -2, -2)),
        ((2, 2, 4), (30, 10, 70), (-2, 4, -2)),
        ((0, 0, 8), (0, 0, 110), (2, 2, -4)),
        ((2, 2, 2), (30, 30, 30), (0, 0, 0)),
    ],
)
def test_by_002_fewest_tricks_collects(
    tricks: tuple[int, ...], points: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    assert table_payments(preset("lzsf"), (0, 1, 2), tricks, points) == paid


def test_a_pool_of_an_unscored_sitter_cannot_be_won() -> None:
    rules = preset(
        "pagat",
        {
            "players": 4,
            "all_pass": "pool",
            "pools": {"enabled": True},
            "sitout": {"scoring": "none"},
        },
    )
    paid, after = contract_payments(rules, (0, 1, 2), 0, "ordinary", "ge61", Pools(0, (3, 2)))
    assert paid == (5, -1, -4, 0)
    assert after == Pools(0, (3,))
