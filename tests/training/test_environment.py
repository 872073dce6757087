"""Environments for one or several learners, and the policies that sit in them."""

from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.env import AECEnv

from arena.stats.sets import Floats
from arena.training.actions import ACTIONS
from arena.training.environment import Environment, env
from arena.training.observation import HISTORY_SIZE, OBSERVATION_SIZE, WHERE
from arena.training.policies import Policy, Pool, choose_actions
from arena.training.tables import Tables
from arena.training.vector import VectorEnvironment
from arena.zole.cards import NAMES
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import largest_payment, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Illegal
from tests.support.positions import begin, legal_actions, step

GAMES = [(name, players) for name in preset_names() for players in (3, 4, 5)]


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


def first_legal(table: AECEnv) -> dict[str, float]:
    """Play a deal with the first legal action each time; the rewards by agent."""
    paid: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        paid[agent] = paid.get(agent, 0) + reward
        table.step(None if over else int(seen["action_mask"].argmax()))
    return paid


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_learner_is_asked_at_every_table_whatever_the_rules(name: str, players: int) -> None:
    table = VectorEnvironment(40, Pool([first, last]), name, players, surrenders=True, history=True)
    seen, infos = table.reset(seed=1)
    dice, ended, paid = np.random.default_rng(1), 0, 0.0
    for _ in range(20):
        masks = infos["action_mask"]
        assert seen.shape == (40, OBSERVATION_SIZE + HISTORY_SIZE)
        assert table.observation_space.contains(seen)
        assert masks.any(axis=1).all()
        assert (seen[:, WHERE["question"]].sum(axis=1) == 1).all()
        actions = np.where(masks, dice.random(masks.shape), -1).argmax(axis=1)
        seen, rewards, over, cut, infos = table.step(actions)
        assert not cut.any()
        assert not rewards[~over].any()
        assert np.array_equal(infos["_final_obs"], over)
        ended += int(over.sum())
        paid += float(np.abs(rewards).sum())
    assert ended > 20
    assert paid > 0


def test_a_seed_fixes_the_deals_and_the_opponents_and_places_go_round() -> None:
    def run(seed: int) -> tuple[bytes, Floats]:
        """All that is told in 60 steps, and how often the learner sits in each place."""
        table = VectorEnvironment(12, Pool([first, last]), preset("lzsf", {"players": 4}))
        seen, infos = table.reset(seed=seed)
        told, places = seen.tobytes(), np.zeros(3)
        for _ in range(60):
            places += seen[:, WHERE["place"]].sum(axis=0)
            seen, rewards, *_, infos = table.step(infos["action_mask"].argmax(axis=1))
            told += seen.tobytes() + rewards.tobytes()
        return told, places

    (told, places), (again, _), (other, _) = run(3), run(3), run(2)
    assert (told == again, told == other) == (True, False)
    assert places.min() > 0.25 * places.sum() * 0.9
    with pytest.raises(ValueError, match="no opponents"):
        VectorEnvironment(2, Pool())


def first(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.argmax(axis=1))


def last(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def test_each_policy_decides_in_its_seats_alone() -> None:
    tables = Tables(preset(), 30, 1)
    sitting = np.tile([0, 1, 1], (30, 1))
    while not tables.over.all():
        masks, seats = tables.masks(), tables.seats
        actions = choose_actions(tables, (first, last), sitting)
        wanted = np.where(seats == 0, first(masks, masks), last(masks, masks))
        assert np.array_equal(actions[seats >= 0], wanted[seats >= 0])
        due = np.flatnonzero(seats == 0)
        assert np.array_equal(choose_actions(tables, (first, last), sitting, due), actions[due])
        tables.step(actions)
    assert not choose_actions(tables, (first, last), sitting).any()


def test_a_pool_keeps_its_first_policies_and_the_last_added_ones() -> None:
    pool = Pool([first], most=2)
    added: list[Policy] = [partial(np.full_like, fill_value=number) for number in range(3)]
    for each in added:
        pool.add(each)
    assert pool.policies == (first, *added[1:])


@pytest.mark.parametrize("players", [3, 5])
def test_a_learner_meets_one_opponent_at_a_share_of_the_tables(players: int) -> None:
    sitting = Pool([first, last]).seat(3000, players, 0.25, np.random.default_rng(1))
    met = sitting[sitting.any(axis=1)]
    assert len(met) / 3000 == pytest.approx(0.25, abs=0.03)
    seats = {(*sorted(row),) for row in met.tolist()}
    assert seats == {(0, *[opponent] * (players - 1)) for opponent in (1, 2)}
    assert {*np.argwhere(met == 0)[:, 1].tolist()} == {*range(players)}
    assert not Pool().seat(9, players, 1.0, np.random.default_rng(1)).any()
