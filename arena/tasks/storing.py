"""A run whose matches go into a record as they end, before whoever watches it is told."""

from arena.base.observer import Relay
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.writer import Writer


class Storing(Relay[MatchSpec, MatchRecord]):
    """Stores what is played, and hands it on."""

    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self.writer = writer
        self.store = writer.store

    def finished(self, spec: MatchSpec, record: MatchRecord, /) -> None:
        self.writer.add(spec, record)
        self.stored(spec)
        super().finished(spec, record)

    def stored(self, spec: MatchSpec) -> None:
        """Do what a subclass does once a match is stored, before the watcher is told of it."""

    def void(self, spec: MatchSpec, why: str, /) -> None:
        self.writer.add_void(spec, why)
        super().void(spec, why)
