"""Reviews as people read them: the progress, a table for each bot, the moments that cost most."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from arena.base.words import count, deal_name, in_words
from arena.record.deals import replay_command
from arena.reports.progress import RunDisplay
from arena.reports.tables import Column, Table, share
from arena.reports.terminal import answer_as_text, cards, show_lines, show_prose, show_table
from arena.review.summary import PHASES, ROLES, BotReview, CostlyMoment, ReviewLine
from arena.stats.figures import Share
from arena.zole.state import GAMES

if TYPE_CHECKING:
    from arena.tasks.review import DealToReview, ReviewDocument, Reviewed


class ReviewProgress(RunDisplay["DealToReview", "Reviewed"]):
    """The progress of a review in one line."""

    what = "deals"
    kept = "every reviewed deal is kept. Run the same command to continue"

    def __init__(self, deals: int) -> None:
        self._deals = deals
        self._kept = 0
        self._done = 0
        self.failed: int = 0
        super().__init__()

    def skipped(self, deals: int) -> None:
        self._kept += deals

    def finished(self, deal: "DealToReview", found: "Reviewed") -> None:
        self._done += len(deal.matches)

    def void(self, deal: "DealToReview", why: str, failed: bool) -> None:
        self.say(f"Not reviewed: {deal.name}: {why}")
        if failed:
            self.failed += len(deal.matches)
            self.say(f"Given up: {deal.name}")

    def over(self, path: Path) -> None:
        """Everything is reviewed; print where it is kept."""
        done = f"{count(self._kept + self._done, 'deal')} reviewed, {self._done} of them now"
        self.say(f"{done}; kept in {path}")

    def line(self) -> str:
        return f"{self._kept + self._done} of {count(self._deals, 'deal')} reviewed"


def show_review(document: "ReviewDocument", openly: bool) -> None:
    bots = document.bots
    if not bots:
        show_lines("nothing was decided in these deals")
        return
    _show("Stakes lost by what the seat knew", _LOSSES, bots)
    for what, names in (("phase", PHASES), ("role", ROLES), ("contract", GAMES)):
        columns = (_lost(name, attrgetter(f"{what}s")) for name in names)
        _show(f"Stakes lost per decision, by {what}", (_BOT, *columns), bots)
    _show("Stakes won per deal, by source", _SPLITS, bots)
    kinds = sorted({kind for each in bots for kind in each.mistakes})
    rates = (Column("", each.bot, format=_rate(each)) for each in bots)
    _show("Clear mistakes in 100 deals, by kind", (_KIND, *rates), kinds)
    if document.worst:
        show_lines("Costliest mistakes", style="bold")
        for number, moment in enumerate(document.worst, 1):
            _show_moment(number, moment, document.league, openly)
        show_lines("")
    show_prose(_legend(document))


# Print a table with its title, unless it has nothing but the names of its rows
def _show(title: str, columns: Sequence[Column[Any]], rows: Sequence[Any]) -> None:
    table = Table(columns, rows, title)
    if table.shown[1:]:
        show_table(table)
        show_lines("")


def _show_moment(number: int, moment: CostlyMoment, league: str, openly: bool) -> None:
    verdict = moment.verdict
    where = f"match {moment.match}, {deal_name(verdict.deal)}"
    role = "" if moment.role is None else f", {moment.role} in {in_words(verdict.contract or '')}"
    trick = "" if verdict.trick is None else f", trick {verdict.trick}"
    kind = "" if moment.mistake in (None, moment.phase) else f": {moment.mistake}"
    bid = "" if moment.bid is None else f", after its bid {in_words(moment.bid)}"
    head = f"{number:>2}. {moment.bot}, {where}{role}{trick}, {moment.phase}{kind}{bid}"
    show_prose(head, hanging=4)
    trick_so_far = [Text.assemble("    to   ", cards(moment.trick_so_far))]
    held = Text.assemble("    held ", cards(moment.hand))
    show_lines(held, *(trick_so_far if moment.trick_so_far else []))
    error = "" if verdict.exact else f" ± {verdict.error:.2f}"
    answers = {each.answer: each for each in verdict.answers}
    given, best = answers[verdict.given], answers[verdict.best]
    openings = f"; with open hands {given.open:+z.2f} and {best.open:+z.2f}" if openly else ""
    line = Text.assemble(
        *("    chose ", answer_as_text(in_words(given.answer)), f" ({given.known:+z.2f})"),
        *(", better ", answer_as_text(in_words(best.answer)), f" ({best.known:+z.2f})"),
        f": lost {verdict.loss:.2f}{error}{openings}",
    )
    show_prose(line, hanging=4)
    replay = replay_command(league, moment.match, verdict.deal)
    rerun = f"arena rerun {shlex.quote(league)} {moment.match} --seat {verdict.seat}"
    save = f"arena save {shlex.quote(league)} {moment.match} --deal {verdict.deal + 1}"
    save += f" --ply {verdict.step + 1} --expect {verdict.best}"
    show_lines(f"    {replay}", f"    {rerun} --until {moment.request}", f"    {save}", style="dim")


def _legend(document: "ReviewDocument") -> str:
    return (
        "Values are stakes. The loss of a decision is how much more the best answer was worth on"
        f" average over deals that the seat could not tell apart, at most {document.worlds}, each"
        " played on with open hands; ± is a 95 % interval by deals, in a moment one standard error;"
        " moments are in the order of the loss less two of these."
        " This is a diagnosis, not a rating: no standings read it. docs/review.md says more."
    )


def _figure(found: Share, scale: int = 1, places: int = 3) -> str:
    if found.value is None:
        return "-"
    half = "" if found.pm is None else f"±{found.pm * scale:.{places}f}"
    return f"{found.value * scale:.{places}f}{half}"


def _percent(found: Share) -> str:
    return _figure(found, 100, 1)


def _lost(name: str, of: Callable[[BotReview], Mapping[str, ReviewLine]]) -> Column[BotReview]:
    return Column(
        "",
        in_words(name),
        format=lambda it: _figure(of(it)[name].loss) if name in of(it) else "-",
    )


def _rate(bot: BotReview) -> Callable[[str], str]:
    return lambda kind: f"{bot.mistakes.get(kind, 0) * 100 / bot.per_deal.of:.1f}"


_BOT: Final[Column[BotReview]] = Column("bot", "bot", wraps=True)
_KIND: Final[Column[str]] = Column("", "mistake", format=str, wraps=True)

_LOSSES: Final[tuple[Column[BotReview], ...]] = (
    _BOT,
    Column("", "deals", format=lambda it: it.per_deal.of),
    Column("", "lost/deal", format=lambda it: _figure(it.per_deal), priority=9),
    Column("", "decisions", format=lambda it: it.all.loss.of),
    Column("", "lost/decision", format=lambda it: _figure(it.all.loss), priority=9),
    Column("", "clear %", format=lambda it: _percent(it.all.clear)),
    Column("", "blunders %", format=lambda it: _percent(it.blunders), priority=2),
    Column("", "sound %", format=lambda it: _percent(it.sound), priority=1),
)

_SPLITS: Final[tuple[Column[BotReview], ...]] = (
    _BOT,
    Column("", "stakes/deal", format=lambda it: share(it.split.stakes), priority=9),
    Column("", "contract", format=lambda it: share(it.split.contract)),
    Column("", "play", format=lambda it: share(it.split.play)),
    Column("", "rest", format=lambda it: share(it.split.rest), priority=1),
)
