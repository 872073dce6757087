"""A deal as an environment of PettingZoo: the seats act one after another (AEC).

A deal is an episode, and nothing is carried from one to the next: there are no tokens on the table.
Rewards are stakes, paid when the deal ends, also to the seats that sit out. Needs the extra
`training`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.base.installation import how_to_install
from arena.training.actions import ACTIONS
from arena.training.observation import UNSEEN_SIZE, largest
from arena.training.tables import Tables
from arena.zole.cards import NAMES
from arena.zole.deal import Deal, from_deck
from arena.zole.rules import DEFAULT, Rules, largest_payment, preset

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    error.add_note(how_to_install("training"))
    raise

Observation = dict[str, Any]
"""`observation`: `OBSERVATION_SIZE` numbers of int8, with a history `HISTORY_SIZE` more;
`action_mask`: 1 for each legal action. Both are zeros for a seat that is not asked."""


def env(
    rules: str | Rules = DEFAULT,
    players: int = 3,
    surrenders: bool = False,
    render_mode: str | None = None,
    history: bool = False,
) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the deal.

    It costs the seat the largest payment of the rules (`largest_payment`), and the others nothing.
    """
    raw = Environment(rules, players, surrenders, render_mode, history)
    _, worst = largest_payment(raw.rules)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-worst)
    return wrappers.OrderEnforcingWrapper(wrapped)


class Environment(AECEnv[str, Observation, int]):  # type: ignore[misc] # PettingZoo has no types
    """The environment itself. Its agents are the seats of the table: `seat_0`, `seat_1` ...

    `rules` are a preset's name, played by `players`, or `Rules` (which have the number of players).
    Raises `Illegal` for an illegal action.

    As PettingZoo has them: `metadata`, `agents` and `possible_agents`, and by agent
    `observation_spaces`, `action_spaces`, `rewards`, `terminations` and `truncations`.
    `state_space` is that of `state()`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo reads it from the class and defines its type)
        "name": "zole_v1",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str | Rules = DEFAULT,
        players: int = 3,
        surrenders: bool = False,
        render_mode: str | None = None,
        history: bool = False,
    ) -> None:
        super().__init__()
        self.rules: Rules = preset(rules, {"players": players}) if isinstance(rules, str) else rules
        self.render_mode = render_mode
        self.possible_agents: list[str] = [f"seat_{seat}" for seat in range(self.rules.players)]
        most = largest(history)
        unhidden = np.concatenate((most, np.ones(UNSEEN_SIZE, np.int8)))
        self.state_space: spaces.Box = spaces.Box(
            np.zeros_like(unhidden), unhidden, unhidden.shape, np.int8
        )
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(most), most, most.shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(len(ACTIONS)) for agent in self.possible_agents
        }
        self._nothing = {
            "observation": np.zeros_like(most),
            "action_mask": np.zeros(len(ACTIONS), np.int8),
        }
        self._random = np.random.default_rng()
        self._tables = Tables(self.rules, 1, self._random, surrenders, history)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a deal. A seed fixes this one and those after it; `options["deal"]` is a `Deal`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        deal = (options or {}).get("deal") or self._shuffled()
        self._tables.deal([deal])
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent; None once the deal is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        ended = self._tables.step([action])
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        if ended[0]:
            paid = self._tables.payments()[0].tolist()
            self.rewards = dict(zip(self.possible_agents, map(float, paid), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """The observation of the seat that is asked, and its legal actions; zeros for others."""
        if agent != self.agent_selection or self.terminations[agent]:
            return self._nothing
        mask = self._tables.masks()[0].view(np.int8)
        return {"observation": self._tables.observations()[0], "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """What the asked seat sees, then what it may not know: for critics only."""
        return np.concatenate((self._tables.observations()[0], self._tables.unseen()[0]))

    def render(self) -> str | None:
        """The table with all cards, as text: returned (`ansi`) or printed (`human`)."""
        picture = self._tables.text(0)
        if self.render_mode == "ansi":
            return picture
        if self.render_mode == "human":
            print(picture)
        return None

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self._tables.seats[0]]

    def _shuffled(self) -> Deal:
        dealer = int(self._random.integers(self.rules.players))
        deck = self._random.permutation(len(NAMES)).tolist()
        return from_deck(tuple(deck), self.rules, dealer)
