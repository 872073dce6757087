"""The environment keeps PettingZoo's contract, by every preset at every size of table."""

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.env import AECEnv

from arena.training.actions import ACTIONS
from arena.training.environment import Environment, env
from arena.training.observation import WHERE
from arena.zole.cards import NAMES
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import largest_payment, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Illegal
from tests.support.positions import begin, legal_actions, step

GAMES = [(name, players) for name in preset_names() for players in (3, 4, 5)]


def first_legal(table: AECEnv) -> dict[str, float]:
    """Play a deal with the first legal action each time; the rewards by agent."""
    paid: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        paid[agent] = paid.get(agent, 0) + reward
        table.step(None if over else int(seen["action_mask"].argmax()))
    return paid


# PettingZoo's own games of cards have observations with masks too; its test knows them by name.
# Who is not asked sees nothing but zeros.
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_an_environment_passes_the_tests_of_pettingzoo(
    name: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(name, players, surrenders=True), num_cycles=60)
    seed_test(lambda: env(name, players), num_cycles=10)
    render_test(lambda render_mode: env(name, players, render_mode=render_mode))
    assert " is asked: " in capsys.readouterr().out


def test_a_deal_pays_each_seat_its_stakes_once() -> None:
    rules = preset("lzsf", {"players": 5})
    deal = from_deck(shuffled("3"), rules, 1)
    table, position = env(rules), begin(rules, deal)
    table.reset(options={"deal": deal})
    while position.seat is not None:
        position = step(position, int(legal_actions(position).argmax()))
    due = settle(position.state, Pools()).payments
    assert first_legal(table) == {f"seat_{seat}": paid for seat, paid in enumerate(due)}


@pytest.mark.filterwarnings("ignore:.*Illegal move:UserWarning")
def test_an_illegal_action_is_refused_or_with_wrappers_costs_the_most() -> None:
    bare, table = Environment(), env()
    bare.reset(seed=1)
    with pytest.raises(Illegal):
        bare.step(ACTIONS.index("take"))
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(ACTIONS.index("take"))
    costs = {other: paid for other, paid in table.rewards.items() if paid}
    assert costs == {agent: -largest_payment(preset())[1]}


def test_only_the_agent_that_is_asked_sees_anything_and_may_act() -> None:
    table = Environment("pagat", 4)
    table.reset(seed=1)
    sights = {agent: table.observe(agent) for agent in table.agents}
    for part in ("action_mask", "observation"):
        seeing = [agent for agent, seen in sights.items() if seen[part].any()]
        assert seeing == [table.agent_selection]
    assert all(np.isin(seen["action_mask"], (0, 1)).all() for seen in sights.values())


def test_a_state_is_what_the_asked_seat_sees_and_all_that_it_may_not_know() -> None:
    table = env(history=True)
    table.reset(seed=1)
    for agent in table.agent_iter():
        seen, _, over, _, _ = table.last()
        state = table.state()
        assert table.unwrapped.state_space.contains(state)
        if not over:
            assert table.observation_space(agent).contains(seen)
            sight = seen["observation"]
            assert np.array_equal(state[: len(sight)], sight)
            hands = state[len(sight) :].reshape(-1, len(NAMES))[:3]
            assert np.array_equal(hands[0], sight[WHERE["hand"]])
            assert hands.sum() + sight[WHERE["trick"]].sum() > 0
        table.step(None if over else int(seen["action_mask"].argmax()))
