"""Checks of bots for workers, each with the build of the bot."""

from collections.abc import Sequence
from typing import Final

import msgspec

from arena import __version__
from arena.base.isolation_levels import IsolationLevel
from arena.cluster.answers import OrderAnswer, read_answer
from arena.cluster.kind import WorkKind
from arena.cluster.orders import Demand, Order
from arena.match.commands import MatchVoid
from arena.tasks.check_sent import CheckedBot, SentBot

CHECKING_S: Final = 1800.0
"""Seconds that a worker may take for a check besides the build; it needs half a minute."""

_BOT_BYTES: Final = 4 << 20


class CheckOrder(Order, frozen=True):
    """Bots to build and check."""

    jobs: tuple[SentBot, ...]


class CheckWork(WorkKind[SentBot, CheckedBot]):
    """Bots to check. Nothing shows whether what a worker says of them is true."""

    def __init__(self, level: IsolationLevel, read_only: tuple[str, ...]) -> None:
        self.demand = Demand(__version__, level, read_only)

    def order(self, jobs: Sequence[SentBot], number: int, core: int | None) -> CheckOrder:
        """An order to check bots."""
        return CheckOrder(number, core, tuple(jobs))

    def longest_s(self, jobs: Sequence[SentBot]) -> float:
        """The seconds of builds and checks."""
        return sum(CHECKING_S + job.build_s for job in jobs)

    def read(self, said: bytes, jobs: Sequence[SentBot]) -> list[CheckedBot | MatchVoid]:
        """What a worker says of some bots. Raises `Wrong`."""
        return read_answer(said, jobs, _decoder, _BOT_BYTES * len(jobs))


_decoder: Final = msgspec.msgpack.Decoder(OrderAnswer[CheckedBot])
