"""One seat of a match: its process, what it is asked, and why it is lost, if it is."""

import msgspec

from arena.engine.deadlines import OpenQuestions
from arena.engine.process import Process
from arena.match.commands import Failed
from arena.sandbox.core_use import CoreUse


class BotSeat:
    """A process, its open questions, and why it is lost, if it is."""

    def __init__(self, process: Process | None, lost: Failed | None = None) -> None:
        self.process = process
        self.pipes = None if process is None else process.pipes
        self.questions = OpenQuestions()
        self.use = CoreUse()
        self.greeted = False
        """Whether it has been ready, or failed to be."""
        self.lost = lost

    @property
    def asked(self) -> object:
        """What it is asked first of all, None if nothing; until it is ready, to be that."""
        if not self.greeted:
            return None if self.process is None else "ready"
        return next(iter(self.questions.open), None)

    def lose(self, failed: Failed) -> Failed:
        """Kill the process: whatever it is asked from now on fails for the same reason."""
        self.lost = msgspec.structs.replace(failed, us=0)
        if self.process is not None:
            self.process.kill()
        return failed
