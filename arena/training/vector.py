"""N tables as a vector environment of Gymnasium: a learner at each, and opponents around it.

A deal is an episode, its reward the stakes that the learner's seat is paid at the end. Needs the
extra `training`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.base.installation import how_to_install
from arena.training.actions import ACTIONS
from arena.training.arrays import Indices, SmallInts
from arena.training.observation import largest
from arena.training.policies import Pool, choose_actions
from arena.training.tables import Tables
from arena.zole.rules import DEFAULT, Rules, preset

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    error.add_note(how_to_install("training"))
    raise

Infos = dict[str, Any]
"""`action_mask`: rows of what the learner may do. Where a deal ended, `_final_obs` is true and
`final_obs` has its last observation, all zeros."""


_LEARNER = -1
"""Sits where the learner does, instead of the number of a policy."""


class VectorEnvironment(VectorEnv):  # type: ignore[misc] # mypy is not shown Gymnasium's types
    """Tables that advance by themselves to the learner's next decision.

    At each table an opponent of the pool, drawn again for every deal, has all other seats. The
    learner's place goes round, and it never sits out. A deal that ends within a step is followed by
    the next at once (`SAME_STEP`); one that ends before the learner is asked is left out. Raises
    `ValueError` for an empty pool, and `Illegal` for an illegal action: take them from the mask.
    `rules` are those of the tables; `metadata` is what Gymnasium asks for.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (theirs)

    def __init__(
        self,
        num_envs: int,
        opponents: Pool,
        rules: str | Rules = DEFAULT,
        players: int = 3,
        surrenders: bool = False,
        history: bool = False,
    ) -> None:
        if not opponents.policies:
            raise ValueError("the pool has no opponents")
        self.num_envs = num_envs
        self.rules: Rules = preset(rules, {"players": players}) if isinstance(rules, str) else rules
        most = largest(history)
        self.single_observation_space = spaces.Box(np.zeros_like(most), most, most.shape, np.int8)
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponents = opponents
        self._surrenders, self._history = surrenders, history
        self._random = np.random.default_rng()
        self._tables: Tables
        self._own: Indices = np.zeros(num_envs, np.intp)
        self._sitting: SmallInts = np.zeros((num_envs, self.rules.players), np.int8)
        self._deals: Indices = np.arange(num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SmallInts, Infos]:
        """Begin deals at all tables. A seed fixes them, those after them, and who is met."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            self._deals = np.arange(self.num_envs)
        self._tables = Tables(
            self.rules, self.num_envs, self._random, self._surrenders, self._history
        )
        self._seat(np.arange(self.num_envs))
        self._go_on(np.zeros(self.num_envs, np.bool_))
        return self._tables.observations(), {"action_mask": self._tables.masks().astype(np.int8)}

    def step(
        self, actions: Indices
    ) -> tuple[SmallInts, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take the learner's action at each table, and advance to its next decision."""
        self._tables.step(actions)
        rewards, ended = self._go_on(np.ones(self.num_envs, np.bool_))
        infos = {
            "action_mask": self._tables.masks().astype(np.int8),
            "final_obs": np.zeros(self.observation_space.shape or (), np.int8),
            "_final_obs": ended,
        }
        never = np.zeros(self.num_envs, np.bool_)
        return self._tables.observations(), rewards, ended, never, infos

    def _go_on(self, acted: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Let opponents act until the learner is asked everywhere; what it is paid, and where."""
        tables, every = self._tables, np.arange(self.num_envs)
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        while True:
            over = np.flatnonzero(tables.over)
            if len(over):
                counts = over[acted[over]]
                rewards[counts] = tables.payments(counts)[np.arange(len(counts)), self._own[counts]]
                ended[counts] = True
                acted = acted & ~tables.over
                tables.redeal()
                self._seat(over)
            due = every[tables.seats != self._own]
            if not len(due):
                return rewards, ended
            tables.step(choose_actions(tables, self._opponents.policies, self._sitting, due), due)

    def _seat(self, which: Indices) -> None:
        players = self.rules.players
        against = self._opponents.draw(len(which), self._random)
        places = self._deals[which] // players % 3  # dealers go round with the deals
        self._own[which] = self._tables.active[which, places]
        self._sitting[which] = against[:, None]
        self._sitting[which, self._own[which]] = _LEARNER
        self._deals[which] += 1
