"""A kind of work for workers: which bots it needs, how it is ordered, and how answers are read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from arena.cluster.orders import Demand, Order
from arena.engine.builds import Copy
from arena.match.commands import MatchVoid

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")


class WorkKind(ABC, Generic[_Work, _Result]):
    """A kind of work. Workers must meet its `demand`."""

    demand: Demand

    @property
    def described(self) -> str:
        """What a worker does of it, in words."""
        return f"isolation {self.demand.level}"

    @property
    def copies(self) -> Mapping[str, Copy]:
        """The bots that a worker must have, by name."""
        return {}

    @property
    def home(self) -> Path:
        """The folder of these bots. Raises `LookupError` if there are none."""
        raise LookupError("no bots")

    @abstractmethod
    def order(self, jobs: Sequence[_Work], number: int, core: int | None) -> Order:
        """The order to a worker; see `Order`."""

    @abstractmethod
    def longest_s(self, jobs: Sequence[_Work]) -> float:
        """The seconds that a worker may take for some jobs."""

    @abstractmethod
    def read(self, said: bytes, jobs: Sequence[_Work]) -> list[_Result | MatchVoid]:
        """The results that a worker tells, as far as they can be believed. Raises `Wrong`."""
