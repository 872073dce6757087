"""Environments and what they show, which no hidden card changes; `examples/train.py` learns."""

import json
import random
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.env import AECEnv

from arena.base.installation import how_to_install
from arena.stats.sets import Floats
from arena.training.actions import ACTIONS, DISCARD, PLAY, PLAY_ON
from arena.training.environment import Environment, env
from arena.training.observation import HISTORY_SIZE, OBSERVATION_SIZE, WHERE
from arena.training.policies import Policy, Pool, by_chance, choose_actions
from arena.training.tables import Tables
from arena.training.vector import VectorEnvironment
from arena.zole import view
from arena.zole.cards import NAMES, members
from arena.zole.deal import Deal, Seat, from_deck, shuffled
from arena.zole.rules import Rules, largest_payment, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Illegal, State
from examples import train
from examples.thumbs import thumbs
from tests.support.adapter import ADAPTER, adapter
from tests.support.alike import redealt
from tests.support.positions import Position, begin, legal_actions, observe, step

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


def test_a_seat_of_gymnasium_repeats_by_its_seed_and_pays_at_the_end_of_each_deal() -> None:
    def played(seed: int) -> list[tuple[float, bool]]:
        table = gymnasium.make("arena.training.seat:zole/Seat-v0")
        chance, found = np.random.default_rng(1), list[tuple[float, bool]]()
        _, info = table.reset(seed=seed)
        while len(found) < 300:
            action = chance.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, cut, info = table.step(action)
            found.append((float(reward), over))
            assert not cut
            if over:
                assert not info["action_mask"].any()
                _, info = table.reset()
        return found

    first = played(1)
    assert first == played(1) != played(2)
    assert all(reward == 0 for reward, over in first if not over)
    paid = [reward for reward, over in first if over]
    assert len({*paid}) > 3
    assert sum(paid) != 0


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


RULES = {
    f"{name} {players}": preset(name, {"players": players})
    for name in preset_names()
    for players in (3, 4, 5)
}


class Pair(NamedTuple):
    """Two positions that a seat cannot tell apart, after the same actions as far as it saw them."""

    one: Position
    other: Position
    viewer: Seat

    @property
    def looks_same(self) -> bool:
        """Whether the seat is shown the same, and may do the same."""
        one, other = (
            (
                observe(each, self.viewer, history=True).tobytes(),
                legal_actions(each).tobytes() if each.seat == self.viewer else b"",
            )
            for each in (self.one, self.other)
        )
        return one == other


def pairs(rules: Rules, count: int) -> list[Pair]:
    """Some pairs whose hidden cards differ."""
    return list(islice(filter(None, (pair(rules, seed) for seed in range(4 * count))), count))


def pair(rules: Rules, seed: int) -> Pair | None:
    """A random moment of a deal, and it with hidden cards redealt; None where it cannot be."""
    dice = random.Random(seed)
    deal = from_deck(shuffled(f"train {seed}"), rules, seed % rules.players)
    past, actions = [begin(rules, deal, surrenders=True)], list[int]()
    while past[-1].seat is not None:
        free = np.flatnonzero(legal_actions(past[-1])).tolist()
        actions.append(PLAY_ON if PLAY_ON in free else dice.choice(free))
        past.append(step(past[-1], actions[-1]))
    moment = dice.randrange(len(actions))
    viewer = dice.choice(past[0].state.active)
    deals = redealt if dice.random() < 0.5 else swapped
    other = begin(rules, deals(past[moment].state, viewer, dice), surrenders=True)
    laid = {action - PLAY for action in actions[:moment] if PLAY <= action < DISCARD}
    with suppress(Illegal):
        for position, action in zip(past, actions[:moment], strict=False):
            if (position.seat, position.question) != (other.seat, other.question):
                return None
            unseen = position.question in ("discard", "second") and position.seat != viewer
            other = step(other, unseen_discard(other, laid, action) if unseen else action)
        same = (past[moment].seat, past[moment].question) == (other.seat, other.question)
        return Pair(past[moment], other, viewer) if same and other.state.deal != deal else None
    return None


def swapped(state: State, viewer: int, dice: random.Random) -> Deal:
    """Another deal that looks the same to a viewer: two hidden cards change places."""
    hidden = members(view.hidden(state, viewer))
    if len(hidden) < 2:
        return state.deal
    first, second = dice.sample(hidden, 2)
    both = 1 << first | 1 << second
    hands = (hand ^ both if (hand & both).bit_count() == 1 else hand for hand in state.deal.hands)
    one, other = ({first: second, second: first}.get(card, card) for card in state.deal.talon)
    return Deal(state.deal.dealer, tuple(hands), (one, other))


def unseen_discard(position: Position, laid: set[int], action: int) -> int:
    """The same card laid aside if it can be, or another that the seat does not play later."""
    free = np.flatnonzero(legal_actions(position)).tolist()
    return action if action in free else next(each for each in free if each - DISCARD not in laid)


@pytest.mark.parametrize("name", RULES)
def test_a_seat_is_shown_the_same_whatever_it_may_not_know(name: str) -> None:
    found = pairs(RULES[name], 40)
    assert len(found) == 40
    assert {each.one.state.phase for each in found} >= {"bid", "play"}
    assert any(each.one.state.completed > 2 for each in found)
    assert [each for each in found if not each.looks_same] == []


def test_a_planted_leak_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows by the queen of clubs whether seat 0 was dealt it."""
    hidden, found = view.hidden, pairs(RULES["pagat 3"], 30)
    monkeypatch.setattr(
        view,
        "hidden",
        lambda state, viewer: hidden(state, viewer) & ~(state.deal.hands[0] & 1),
    )
    assert not all(each.looks_same for each in found)


CURVE = Path(train.__file__).with_name("learned.jsonl")
"""The curve of the run that made the weights of `sample_bots/learned`."""


def test_the_first_round_of_the_committed_run_comes_out_again() -> None:
    first, *_, last = map(json.loads, CURVE.read_text().splitlines())
    network = train.Network(np.random.default_rng(1))
    error = train.train(network, preset(), 1, 0, 1, train.Plan(last["deals"] // train.TABLES))
    assert first["deals"] == train.TABLES
    assert first["steps"] == network.steps
    assert error == pytest.approx(first["error"], abs=2e-3)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "TABLES", 12)
    monkeypatch.setattr(train, "BATCH", 40)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("share", [0.0, 0.6], ids=["against itself", "against earlier selves too"])
def test_a_run_repeats_exactly_where_it_was_interrupted(tmp_path: Path, share: float) -> None:
    runs = []
    for name in ("whole", "parts"):
        run = train.Run(tmp_path / name, seed=3)
        for last in (2, 4, 6):
            plan = train.Plan(6, share=share, pool=run.pool)
            train.train(run.network, preset(), 3, run.round, last, plan)
            run.round = last
            run.keep({})
            if name == "parts":
                run = train.Run(tmp_path / name, seed=99)
            assert len(run.pool.policies) == 1 + last // 2
        runs.append(run)
    whole, parts = runs
    assert parts.network.steps == whole.network.steps > 6
    for one, other in zip(whole.network.arrays, parts.network.arrays, strict=True):
        assert np.array_equal(one, other)
    saved = [np.load(tmp_path / name / train.WEIGHTS) for name in ("whole", "parts")]
    assert all(np.array_equal(saved[0][name], saved[1][name]) for name in saved[0].files)


def test_only_decisions_of_the_network_are_learned_from() -> None:
    dice = np.random.default_rng(1)
    network, plan = train.Network(dice), train.Plan(1, share=1.0, pool=Pool([thumbs]))
    own = train.play(network, preset(), 200, 0.0, dice, plan)
    everywhere = train.play(network, preset(), 200, 0.0, dice)
    assert 0.2 < len(own.actions) / len(everywhere.actions) < 0.5


def test_rules_of_thumb_beat_chance_by_far() -> None:
    dice, tables = np.random.default_rng(1), Tables(preset(), 600, 1)
    own = np.arange(600) // 3 % 3
    sitting = (np.arange(3) != own[:, None]).astype(np.int8)

    def chance(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return by_chance(masks, dice)

    while not tables.over.all():
        tables.step(choose_actions(tables, (thumbs, chance), sitting))
    assert tables.payments()[np.arange(600), own].mean() > 1


def test_learning_brings_values_to_the_stakes_paid() -> None:
    dice = np.random.default_rng(1)
    network = train.Network(dice)
    it = train.play(network, preset(), 100, 1.0, dice)
    some = train.Decisions(it.seen[:500], it.actions[:500], it.stakes[:500])
    errors = [network.learn(some, 1e-3) for _ in range(60)]
    assert errors[-1] < 0.5 * errors[0]


def test_a_networks_slopes_are_those_of_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some weights in each layer, by differences of the error."""
    dice = np.random.default_rng(2)
    network, told = train.Network(dice), list[list[np.ndarray]]()
    decisions = train.play(network, preset(), 20, 1.0, dice)
    monkeypatch.setattr(network, "_descend", lambda slopes, rate: told.append(slopes))
    network.learn(decisions, 0)
    network.arrays = [array.astype(np.float64) for array in network.arrays]
    for array, slope in zip(network.arrays, told[0], strict=True):
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        sides = []
        for shift in (1e-4, -2e-4):
            array[place] += shift
            sides.append(network.learn(decisions, 0))
        array[place] += 1e-4
        assert (sides[0] - sides[1]) / 4e-4 == pytest.approx(slope[place], rel=0.01)


def test_the_adapter_values_actions_as_the_network_that_was_saved(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    network, tables = train.Network(random), Tables(preset(), 8, 5)
    network.save(tmp_path / "weights.npz")
    player = adapter().Network(str(tmp_path / "weights.npz"))
    for _ in range(12):
        masks, looks = tables.masks(), tables.observations()
        for mask, look, values in zip(masks, looks, network.layers(looks)[-1], strict=True):
            told = player.values(look.tobytes(), mask.tobytes())
            assert list(told) == np.flatnonzero(mask).tolist()
            assert list(told.values()) == pytest.approx(values[mask].tolist(), abs=0.02)
        tables.step(by_chance(masks, random))


def test_a_run_begins_a_bot_with_nothing_but_adapter_weights_and_manifest(tmp_path: Path) -> None:
    run = train.Run(tmp_path / "mine", seed=1)
    run.keep({"deals": 0})
    sample = {path.name for path in ADAPTER.parent.iterdir()} - {"__pycache__", "README.md"}
    assert {path.name for path in run.bot.iterdir()} == sample
    assert sample == {"player.py", "weights.npz", "bot.toml"}
    assert (run.bot / "player.py").read_bytes() == ADAPTER.read_bytes()
    assert 'name = "mine"' in (run.bot / "bot.toml").read_text()


def test_a_run_keeps_the_weights_that_the_bot_had_and_goes_on_with_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    had = shutil.copytree(ADAPTER.parent, tmp_path / "mine") / "weights.npz"
    before = had.read_bytes()
    arguments = ["train.py", str(had.parent), "--rounds", "3", "--deals", "0"]
    monkeypatch.setattr(train, "TABLES", 64)
    monkeypatch.setattr(sys, "argv", arguments)
    for _ in range(2):
        train.main()
    assert had.read_bytes() != before
    assert (tmp_path / "mine.training" / "before.npz").read_bytes() == before
    told, said = capsys.readouterr()
    assert said.count("are kept: ") == 1
    assert [json.loads(line)["deals"] for line in told.splitlines()] == [64, 128, 192]
    assert "NaN" not in told


def test_without_the_extra_an_import_says_how_to_install_it() -> None:
    for name in ("environment", "vector", "seat"):
        program = f"import sys; sys.modules['gymnasium'] = None; import arena.training.{name}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.stderr.endswith(f"{how_to_install('training')}\n")
