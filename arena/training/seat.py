"""A learner's seat as an environment of Gymnasium; policies sit in the others.

Importing it needs Gymnasium, which then makes it by its name; also before, with the module's:
`gymnasium.make("arena.training.seat:zole/Seat-v0")`. `make_vec` makes a `VectorEnvironment`.
"""

from typing import Any

import numpy as np

from arena.base.installation import how_to_install
from arena.training.arrays import SmallInts
from arena.training.policies import Pool, by_chance
from arena.zole.rules import DEFAULT, Rules

try:
    import gymnasium
    from gymnasium import spaces

    from arena.training.vector import Infos, VectorEnvironment
except ModuleNotFoundError as error:
    error.add_note(how_to_install("training"))
    raise


class SeatEnvironment(gymnasium.Env[SmallInts, Any]):
    """One table, at which every deal is an episode; the reward, in stakes, comes at its end.

    The learner's place goes round. Each deal it meets one of the `opponents`, who sits in all other
    seats; without any they act by chance. `info["action_mask"]` has the legal actions; any other
    raises `Illegal`. The other arguments, and `observation_space` and `action_space`, are as for a
    table of `VectorEnvironment`.
    """

    def __init__(
        self,
        opponents: Pool | None = None,
        rules: str | Rules = DEFAULT,
        players: int = 3,
        surrenders: bool = False,
        history: bool = False,
    ) -> None:
        met = opponents or Pool([lambda _, masks: by_chance(masks, self.np_random)])
        self._table = VectorEnvironment(1, met, rules, players, surrenders, history)
        self.observation_space: spaces.Space[SmallInts] = self._table.single_observation_space
        self.action_space: spaces.Space[Any] = self._table.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SmallInts, Infos]:
        """Deal. A seed fixes this deal, those after it, and who is met."""
        super().reset(seed=seed)  # which seeds what chance decides
        seen, infos = self._table.reset(seed=seed)
        return seen[0], {"action_mask": infos["action_mask"][0]}

    def step(self, action: int) -> tuple[SmallInts, float, bool, bool, Infos]:
        """Take an action, and go on to the learner's next decision or the end of the deal."""
        seen, rewards, over, _, infos = self._table.step(np.array([action]))
        last = infos["final_obs"] if over[0] else seen
        mask = np.zeros_like(infos["action_mask"][0]) if over[0] else infos["action_mask"][0]
        return last[0], float(rewards[0]), bool(over[0]), False, {"action_mask": mask}


gymnasium.register(
    id="zole/Seat-v0",
    entry_point="arena.training.seat:SeatEnvironment",
    vector_entry_point="arena.training.vector:VectorEnvironment",
)
