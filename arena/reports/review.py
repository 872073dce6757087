"""Reviews as people read them: the progress, a table for each bot, the moments that cost most."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.status import Status
from rich.table import Table
from rich.text import Text

from arena.base.words import count, deal_name, duration, in_words
from arena.record.deals import replay_command
from arena.reports.cards import cards
from arena.reports.display import RunDisplay
from arena.reports.numbers import share
from arena.reports.terminal import console, show_prose, show_table
from arena.review.summary import PHASES, ROLES, BotReview, CostlyMoment, ReviewLine
from arena.stats.figures import Share
from arena.zole.state import GAMES

if TYPE_CHECKING:
    from arena.tasks.review import DealToReview, ReviewDocument, Reviewed


class ReviewProgress(RunDisplay["DealToReview", "Reviewed"]):
    """The progress of a review in one line."""

    def __init__(self, deals: int) -> None:
        super().__init__("deals")
        self._deals = deals
        self._kept = self._done = self.failed = 0
        if self._in_terminal:
            self._live = Status(f"{count(deals, 'deal')} to review", console=self._console)

    def skipped(self, deals: int) -> None:
        """Deals were reviewed before."""
        self._kept += deals

    def finished(self, deal: "DealToReview", found: "Reviewed") -> None:
        """A deal is reviewed and kept."""
        self._done += len(deal.matches)
        if self._live or self._line_is_due():
            self._show(self._line())

    def void(self, deal: "DealToReview", why: str, failed: bool) -> None:
        """A deal was not reviewed; it is tried again, unless that failed too often."""
        self.say(f"Not reviewed: {deal.name}: {why}")
        if failed:
            self.failed += len(deal.matches)
            self.say(f"Given up: {deal.name}")

    def over(self, path: Path) -> None:
        """Everything is reviewed; say where it is kept."""
        done = f"{count(self._kept + self._done, 'deal')} reviewed, {self._done} of them now"
        self.say(f"{done}; kept in {path}")

    def interrupted(self) -> None:
        """The user stopped the run."""
        done = f"stopped after {self._kept + self._done} of {count(self._deals, 'deal')}"
        self.say(f"{done}; every reviewed deal is kept. The same command again goes on")

    def _line(self) -> str:
        spent = monotonic() - self._began
        done = self._kept + self._done
        left = spent / self._done * (self._deals - done)
        each = spent / self._done
        rest = f"{each:.1f} s a deal, about {duration(left)} left"
        return f"{done} of {count(self._deals, 'deal')} reviewed, {rest}"


def show_review(document: "ReviewDocument", openly: bool) -> None:
    """Print all tables, and the meaning of their figures."""
    out = console()
    bots = document.bots
    if not bots:
        out.print("nothing was decided in these deals")
        return
    lost = {each.bot: each for each in bots}
    out.print(Text("Stakes lost by what the seat knew", "bold"), soft_wrap=True)
    show_table(out, _losses(bots), ("sound %", "blunders %"))
    for title, names, lines in (
        ("Lost a decision, by phase", PHASES, {bot: it.phases for bot, it in lost.items()}),
        ("Lost a decision, by role", ROLES, {bot: it.roles for bot, it in lost.items()}),
        ("Lost a decision, by contract", GAMES, {bot: it.contracts for bot, it in lost.items()}),
    ):
        _show_lines(title, names, lines)
    out.print()
    out.print(Text("Stakes won a deal, and where", "bold"), soft_wrap=True)
    show_table(out, _splits(bots), ("rest",))
    out.print()
    out.print(Text("Clear mistakes in 100 deals, by kind", "bold"), soft_wrap=True)
    show_table(out, _mistakes(bots))
    if document.worst:
        out.print()
        out.print(Text("Costliest mistakes", "bold"), soft_wrap=True)
        for number, moment in enumerate(document.worst, 1):
            _show_moment(number, moment, document.league, openly)
    out.print()
    show_prose(out, _legend(document))


def _show_lines(
    title: str, names: Sequence[str], lines: Mapping[str, Mapping[str, ReviewLine]]
) -> None:
    out = console()
    found = [name for name in names if any(name in each for each in lines.values())]
    if not found:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=8)
    for name in found:
        table.add_column(in_words(name), justify="right", no_wrap=True)
    for bot, its in lines.items():
        table.add_row(Text(bot), *(_loss(its[name].loss) if name in its else "-" for name in found))
    out.print()
    out.print(Text(title, "bold"), soft_wrap=True)
    show_table(out, table)


def _losses(bots: Sequence[BotReview]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=8)
    for name in (
        *("deals", "lost/deal", "decisions", "lost/decision"),
        *("clear %", "blunders %", "sound %"),
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for each in bots:
        table.add_row(
            Text(each.bot),
            str(each.per_deal.of),
            _loss(each.per_deal),
            str(each.all.loss.of),
            _loss(each.all.loss),
            _percent(each.all.clear),
            _percent(each.blunders),
            _percent(each.sound),
        )
    return table


def _splits(bots: Sequence[BotReview]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=8)
    for name in ("stakes/deal", "contract", "play", "rest"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in bots:
        split = each.split
        parts = (split.stakes, split.contract, split.play, split.rest)
        table.add_row(Text(each.bot), *map(share, parts))
    return table


def _mistakes(bots: Sequence[BotReview]) -> Table:
    kinds = sorted({kind for each in bots for kind in each.mistakes})
    table = Table(box=None, pad_edge=False)
    table.add_column("mistake")
    for each in bots:
        table.add_column(each.bot, justify="right", overflow="fold")
    for kind in kinds:
        rates = (each.mistakes.get(kind, 0) * 100 / each.per_deal.of for each in bots)
        table.add_row(kind, *(f"{rate:.1f}" for rate in rates))
    return table


def _show_moment(number: int, moment: CostlyMoment, league: str, openly: bool) -> None:
    out, verdict = console(), moment.verdict
    where = f"match {moment.match}, {deal_name(verdict.deal)}"
    role = "" if moment.role is None else f", {moment.role} in {in_words(verdict.contract or '')}"
    trick = "" if verdict.trick is None else f", trick {verdict.trick}"
    kind = "" if moment.mistake in (None, moment.phase) else f": {moment.mistake}"
    bid = "" if moment.bid is None else f", after its bid {in_words(moment.bid)}"
    head = f"{number:>2}. {moment.bot}, {where}{role}{trick}, {moment.phase}{kind}{bid}"
    show_prose(out, head, hanging=4)
    out.print(Text.assemble("    held ", cards(".".join(moment.hand))), soft_wrap=True)
    if moment.trick_so_far:
        out.print(Text.assemble("    to   ", cards(".".join(moment.trick_so_far))), soft_wrap=True)
    error = "" if verdict.exact else f" ± {verdict.error:.2f}"
    answers = {each.answer: each for each in verdict.answers}
    given, best = answers[verdict.given], answers[verdict.best]
    line = Text.assemble(
        *("    chose ", _answer(given.answer), f" ({given.known:+z.2f})"),
        *(", better ", _answer(best.answer), f" ({best.known:+z.2f})"),
        f": lost {verdict.loss:.2f}{error}",
    )
    if openly:
        line.append(f"; with open hands {given.open:+z.2f} and {best.open:+z.2f}")
    show_prose(out, line, hanging=4)
    for command in moment_commands(moment, league):
        out.print(Text(f"    {command}", "dim"), soft_wrap=True)


def _answer(answer: str) -> Text:
    """A bid in words, or cards with their signs."""
    parts = answer.split(".")
    if all(len(part) == 2 and part[1] in "CSHD" for part in parts):
        return cards(answer)
    return Text(in_words(answer))


def moment_commands(moment: CostlyMoment, league: str) -> tuple[str, str]:
    """The commands that replay a moment's deal, and that ask a bot the same again."""
    named, verdict = shlex.quote(league), moment.verdict
    return (
        replay_command(league, moment.match, verdict.deal),
        f"arena rerun {named} {moment.match} --seat {verdict.seat} --until {moment.request}",
    )


def _legend(document: "ReviewDocument") -> str:
    return (
        "Values are stakes. The loss of a decision is how much more the best answer was worth on"
        f" average over deals that the seat could not tell apart, at most {document.worlds}, each"
        " played on with open hands; ± is a 95 % interval by deals, in a moment one standard error;"
        " moments are in the order of the loss less two of these."
        " This is a diagnosis, not a rating: no standings read it. docs/review.md says more."
    )


def _loss(found: Share) -> str:
    if found.value is None:
        return "-"
    half = "" if found.plus_minus is None else f"±{found.plus_minus:.3f}"
    return f"{found.value:.3f}{half}"


def _percent(found: Share) -> str:
    if found.value is None:
        return "-"
    half = "" if found.plus_minus is None else f"±{found.plus_minus * 100:.1f}"
    return f"{found.value * 100:.1f}{half}"
