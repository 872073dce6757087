"""Payments of many tables are those of the rules at every edge of a level and in every tie."""

from itertools import product

import numpy as np
import pytest

from arena.training.arrays import CONTRACT, Arrays
from arena.training.payments import Payments
from arena.zole.deal import active_seats
from arena.zole.rules import Contract, Rules, preset
from arena.zole.scoring import Pools, contract_payments, level_of, table_payments

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
