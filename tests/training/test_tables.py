"""N tables at once are the pure rules: the same questions, legal actions, sights and payments."""

import numpy as np
import pytest

from arena.training.observation import PLANES, WHERE, observe
from arena.training.position import begin, legal, step
from arena.training.tables import Tables
from arena.zole.rules import Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, settle

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
    tables = Tables(rules, count, seed, surrenders)
    random = np.random.default_rng(seed)
    positions = [begin(rules, deal, surrenders) for deal in tables.deals()]
    ended = 0
    for _ in range(steps):
        seats, sights, masks = tables.seats, tables.observations(), tables.masks()
        for table, position in enumerate(positions):
            assert seats[table] == position.seat
            assert np.array_equal(masks[table], legal(position))
            seen = observe(position, seats[table])
            wrong = [p.name for p in PLANES if (seen != sights[table])[WHERE[p.name]].any()]
            assert not wrong, (wrong, position)
        actions = by_chance(masks, random)
        done, paid = tables.step(actions)
        positions = [step(each, act) for each, act in zip(positions, actions.tolist(), strict=True)]
        new = tables.deals()
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
