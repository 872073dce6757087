"""One seat of a match: its player, its open questions, and why it is lost, if it is."""

import msgspec

from arena.engine.deadlines import OpenQuestions
from arena.engine.function import FunctionSeat
from arena.engine.player import SeatPlayer
from arena.engine.process import Process
from arena.match.commands import Failed
from arena.sandbox.core_use import CoreUse


class BotSeat:
    """A player, its open questions, and why it is lost, if it is."""

    def __init__(
        self,
        player: SeatPlayer | None,
        lost: Failed | None = None,
        function: FunctionSeat | None = None,
    ) -> None:
        self.player = player
        self.function = function
        """What answers in place of a player, if anything does."""
        self.process = player if isinstance(player, Process) else None
        """The player if it is a process, whose use of the core is watched."""
        self.pipes = None if player is None else player.pipes
        self.questions = OpenQuestions()
        self.use = CoreUse()
        self.greeted = False
        """Whether it has been ready, or failed to be."""
        self.lost = lost

    @property
    def asked(self) -> object:
        """The number of its oldest open request, None without one; "ready" until it is greeted."""
        if not self.greeted:
            return None if self.player is None else "ready"
        return next(iter(self.questions.open), None)

    def lose(self, failed: Failed) -> Failed:
        """Kill the player: every question from now on fails for the same reason."""
        self.lost = msgspec.structs.replace(failed, us=0)
        if self.player is not None:
            self.player.kill()
        return failed
