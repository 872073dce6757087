"""Matches played outside a league, as a table of the bots' totals."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final

from rich.status import Status
from rich.table import Table
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.reports.display import RunDisplay
from arena.reports.terminal import console, faults_text, show_prose

if TYPE_CHECKING:
    from arena.tasks.match import BotMatch
    from arena.tasks.match_results import Total, Trouble

_PATIENCE_S: Final = 30.0
"""Seconds without a finished seating after which a bot may hang."""


class MatchProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The number of seatings played; after a long time without one, it says what to do."""

    def __init__(self, match: "BotMatch", bot: Path) -> None:
        super().__init__()
        self._played = len(match.store.stored())
        self._of = self._played + len(match.remaining())
        self._live = self._status = Status(self._line(), console=self._console)
        what = f"no seating is finished after {_PATIENCE_S:g} s"
        command = shlex.join(("arena", "check", str(bot)))
        hanging = f"{what}; if a bot hangs, {command} tells why in seconds"
        self._patience = Timer(_PATIENCE_S, self.say, [hanging])
        self._patience.daemon = True
        if not self._played:
            self._patience.start()

    def _end(self) -> None:
        self._patience.cancel()

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        """A seating is played."""
        self._patience.cancel()
        self._played += 1
        self._status.update(self._line())

    def _line(self) -> str:
        return f"{self._played} of {self._of} seatings played"


def show_match(match: "BotMatch", totals: "Sequence[Total]") -> None:
    """Print a line for each bot, then a line about the deals and seatings."""
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("stakes", "stakes/deal", "games"):
        table.add_column(name, justify="right")
    table.add_column("faults")
    for total in totals:
        table.add_row(
            Text(total.bot),
            f"{total.stakes:+d}",
            f"{total.stakes_per_deal:+z.3f}",
            str(total.games),
            faults_text(total.faults),
        )
    out.print(table)
    show_plan(match)


def show_plan(match: "BotMatch") -> None:
    """Print the line about the deals: how many, in which seatings, by which seed."""
    deals = count(match.terms.deals, "deal")
    seatings = count(sum(map(match.terms.games_of, match.terms.lineups)), "seating")
    line = f"{deals} in {seatings}, seed {match.seeds[0]}"
    show_prose(console(), f"{line}, isolation {match.roster.isolation.level}")


def show_troubles(troubles: "Sequence[Trouble]") -> None:
    """Print each bot's fault, the end of its stderr, and how to look closer."""
    out = console()
    for each in troubles:
        what = f"{each.kind} in {deal_name(each.deal)}"
        notes = [f"{each.count - 1} more like it"] if each.count > 1 else []
        if each.forfeited:
            notes.append(f"{count(each.forfeited, 'more deal')} forfeited")
        if each.unready:
            what = "was never ready"
            notes = [f"{count(each.count + each.forfeited, 'deal')} forfeited"]
        more = f" ({'; '.join(notes)})" if notes else ""
        out.print()
        show_prose(out, Text(f"{each.bot}: {what}{more}", "bold"))
        show_prose(out, f"  {harmless(each.detail)}", hanging=2)
        if each.answer is not None:
            out.print(Text(f"  ← {harmless(each.answer)}"), soft_wrap=True)
        if each.stderr:
            out.print("  the end of its stderr in the match:")
        for line in each.stderr:
            out.print(Text(f"  | {harmless(line)}", "dim"), soft_wrap=True)
        if each.disqualified:
            out.print("  It was disqualified.")
        out.print(Text(f"  look closer: {each.look}"), soft_wrap=True)
