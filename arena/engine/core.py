"""The core that the bots of a table share: the time that others took from one, and priorities.

Nothing is read of a bot's use of it as long as it answers between two polls of the watch. Once a
question is found open at two polls, the figures of its bot are read at each poll.
"""

import contextlib
import math
import os
from collections.abc import Sequence
from typing import Final

from arena.sandbox.box import task_state, tasks, text_of
from arena.sandbox.watch import ResourceWatch

_JUDGED_S: Final = 0.1  # how long a bot must have been asked before its share is judged

# A bot kept from its core for more of its time than this has less than a third of it, which it
# would have next to two programs that compute in one task each.
_KEPT_FROM: Final = 0.7

_FEW: Final = 2  # tasks that a bot may have ready at a time without being lowered
_LOWEST: Final = 19  # the nice value of the lowest priority, a seventieth of the ordinary weight


class CoreUse:
    """One bot's use of its core while it is asked, from poll to poll.

    `withheld` are the seconds, since the start, in which it was asked and ready, but others ran.
    Such time is counted between two polls as the least of

    - the time in which none of its tasks ran: computing is charged, in however many tasks;
    - the sum of its tasks' waits: a bot that sleeps waits for nothing.

    The kernel counts for each task (`schedstat`) how long it ran, how long it was ready without
    running, and its turns. It adds a wait only at its end: a task that has not run since the last
    poll, and is ready, has waited all the time.
    """

    def __init__(self, watch: ResourceWatch) -> None:
        self.withheld: float = 0.0
        self._watch = watch
        self._nice = 0
        self._question: object = None
        self._looked: float | None = None
        self._cpu_s = self._asked_s = self._kept_s = 0.0
        self._tasks: dict[str, list[int]] = {}

    @property
    def starves(self) -> bool:
        """Whether it has less of its core than next to two programs that compute in a task each."""
        return self._asked_s > _JUDGED_S and self._kept_s > _KEPT_FROM * self._asked_s

    def look(self, question: object, now: float) -> None:
        """Read its figures if the same question as at the last poll, not None, is open."""
        if question is None or question != self._question:
            self._question, self._looked = question, None
            self._asked_s = self._kept_s = 0.0
            return
        before, self._tasks = self._tasks, _figures(self._watch.pids)
        cpu_s, self._cpu_s = self._cpu_s, self._watch.cpu_s
        looked, self._looked = self._looked, now
        if looked is None:
            return
        wall, ran, waited = now - looked, 0.0, 0.0
        for task, figures in self._tasks.items():
            if figures == (old := before.get(task)):
                waited += wall if task_state(task) == "R" else 0.0
            elif old is not None:
                ran += (figures[0] - old[0]) / 1e9
                waited += (figures[1] - old[1]) / 1e9
        ran = max(ran, self._watch.cpu_s - cpu_s)  # which has tasks that came and went meanwhile
        kept = max(0.0, min(wall - ran, waited))
        self.withheld += kept
        self._asked_s += wall
        self._kept_s += kept

    def lower(self) -> None:
        """Lower its priority if it has many tasks ready: together they weigh no more than one.

        One with few is never lowered, so that none can starve and thereby lower others.
        """
        all_tasks = [task for pid in self._watch.pids for task in tasks(pid)]
        ready = sum(task_state(task) == "R" for task in all_tasks)
        if ready > _FEW:
            self._nice = max(self._nice, lowered(ready))
            value = min(os.getpriority(os.PRIO_PROCESS, 0) + self._nice, _LOWEST)
            for task in all_tasks:
                with contextlib.suppress(OSError):  # it has ended
                    os.setpriority(os.PRIO_PROCESS, int(os.path.basename(task)), value)


def make_room(shares: Sequence[CoreUse]) -> None:
    """Lower the bots that share a core with one that starves.

    Where the kernel divides the core between sessions or control groups, none does.
    """
    starving = [share for share in shares if share.starves]
    for share in shares:
        if any(each is not share for each in starving):
            share.lower()


def lowered(ready: int) -> int:
    """The increase of the nice value at which several tasks together weigh no more than one.

    Each step takes a fifth of a task's weight (the kernel's `sched_prio_to_weight`).
    """
    return min(math.ceil(math.log(max(1, ready), 1.25)), _LOWEST)


def _figures(pids: Sequence[int]) -> dict[str, list[int]]:
    read = {task: text_of(f"{task}/schedstat") for pid in pids for task in tasks(pid)}
    return {task: [*map(int, text.split())] for task, text in read.items() if text}
