"""The bots that may play in a league: the league's own copies, and the programs made of them."""

from pathlib import Path

from arena.engine.builds import Copy, install
from arena.engine.program import Program
from arena.sandbox.isolation import Isolation


class Roster:
    """Copies and programs by the bots' names; they grow as bots come.

    `home` is the folder of the league's copies.
    """

    def __init__(self, home: Path, isolation: Isolation) -> None:
        self.home = home
        self.isolation = isolation
        self.copies: dict[str, Copy] = {}
        self.programs: dict[str, Program] = {}
        home.mkdir(exist_ok=True)

    def add(self, copy: Copy) -> None:
        """Make a bot's program from its copy. Raises `ArenaError`."""
        bot = copy.bot
        program = install(bot, copy.digest, self.home, self.isolation, copy.allowed)
        self.copies[bot.name], self.programs[bot.name] = copy, program
