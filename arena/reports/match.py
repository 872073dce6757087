"""Bots played outside a league: a match, and the comparison of two of them."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.base.words import are, count, deal_name
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.store import IN_MEMORY
from arena.reports.progress import RunDisplay, fault_lines
from arena.reports.terminal import show_lines, show_prose, show_table

if TYPE_CHECKING:
    from arena.stats.sprt import SprtDecision
    from arena.tasks.compare import Comparison, ComparisonResult
    from arena.tasks.match import BotMatch
    from arena.tasks.match_results import Total, Trouble

# Seconds without a finished seating after which a bot may hang
_PATIENCE_S: Final = 30.0

_DOUBTS: Final[dict[str, str]] = {
    "few runs": "too few sets to tell how far they spread",
    "skew": "some of their gaps are large and have come too seldom",
    "rare gaps": "large gaps, too rare to have come yet, could turn it",
}


class MatchProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The number of seatings played; after a long time without one, it says what to do."""

    def __init__(self, match: "BotMatch", bot: Path) -> None:
        super().__init__()
        self._played = len(match.store.stored())
        self._all = self._played + len(match.remaining())
        self._check = shlex.join(("arena", "check", str(bot)))

        self._is_kept = match.store.path != IN_MEMORY

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        self._played += 1

    def interrupted(self) -> None:
        if self._is_kept:
            super().interrupted()
        else:
            self.say("stopped; without a --record nothing is kept")

    def how_far(self) -> str:
        return f"{self._played} of {count(self._all, 'seating')}"

    def line(self) -> str:
        if self._played or self._spent < _PATIENCE_S:
            return self.how_far()
        what = f"no seating is finished after {self._spent:.0f} s"
        return f"{what}; if a bot hangs, {self._check} tells why in seconds"


def show_match(match: "BotMatch", totals: "Sequence[Total]") -> None:
    """Print a line for each bot, then a line about the deals and seatings."""
    from arena.reports.numbers import faults_text, signed  # the first seating waits for neither
    from arena.reports.table import Column, Table

    columns: tuple[Column[Total], ...] = (
        Column("bot", "bot", wraps=True),
        Column("stakes", "stakes", format=lambda it: f"{it.stakes:+d}"),
        Column("stakes_per_deal", "stakes/deal", format=lambda it: signed(it.stakes_per_deal)),
        Column("games", "games", priority=1),
        Column("faults", "faults", format=lambda it: faults_text(it.faults), wraps=True),
    )
    show_table(Table(columns, totals))
    show_plan(match)


def show_plan(match: "BotMatch") -> None:
    """Print the line about the deals: how many, in which seatings, by which seed."""
    deals = count(match.terms.deals, "deal")
    seatings = count(sum(map(match.terms.games_of, match.terms.lineups)), "seating")
    line = f"{deals} in {seatings}, seed {match.seeds[0]}"
    show_prose(f"{line}, isolation {match.roster.isolation.level}")


def show_troubles(troubles: "Sequence[Trouble]") -> None:
    """Print each bot's fault, the end of its stderr, and how to look closer."""
    for each in troubles:
        what = f"{each.kind} in {deal_name(each.deal)}"
        notes = [f"{each.count - 1} more like it"] if each.count > 1 else []
        if each.forfeited:
            notes.append(f"{count(each.forfeited, 'more deal')} forfeited")
        if each.unready:
            what = "was never ready"
            notes = [f"{count(each.count + each.forfeited, 'deal')} forfeited"]
        more = f" ({'; '.join(notes)})" if notes else ""
        show_lines("", Text(f"{each.bot}: {what}{more}", "bold"))
        show_prose(f"  {each.detail}", hanging=2)
        lines: list[str | Text] = [] if each.answer is None else [f"  ← {each.answer}"]
        if each.stderr:
            lines += ["  the end of its stderr in the match:"]
            lines += (Text(f"  | {line}", "dim") for line in each.stderr)
        lines += ["  It was disqualified."] if each.disqualified else []
        show_lines(*lines, f"  look closer: {each.look}")


class ComparisonProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The progress of a comparison in one line."""

    def __init__(self, comparison: "Comparison") -> None:
        super().__init__(not comparison.decided)
        self._comparison = comparison

    def begin(self) -> None:
        """Say what is about to be played."""
        if not self._comparison.decided:
            begun = "continuing with" if self._comparison.decision.sets else "beginning"
            most = f"at most {self._comparison.max_sets} sets"
            self.say(f"{begun} {self._comparison.store.path}, {most}")

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        for line in fault_lines(self._comparison.store, spec, record):
            self.say(line)

    def how_far(self) -> str:
        return f"{self._comparison.decision.sets} of {self._comparison.max_sets} sets"

    def line(self) -> str:
        decision = self._comparison.decision
        lower, upper = self._comparison.config.hypotheses.bounds
        so_far = self.how_far()
        if decision.gap is not None:
            so_far += f": {decision.gap:+z.3f} stakes/deal{_95(decision)}"
        if decision.llr is None:
            return f"{so_far}; nothing is decided before {self._comparison.first_look}"
        ends = f"better at {upper:+.2f}, not better at {lower:+.2f}"
        return f"{so_far}; log likelihood ratio {decision.llr:+z.2f} ({ends})"


def show_comparison(result: "ComparisonResult") -> None:
    """Print the verdict, the figures behind it, and what to do if there is none."""
    from arena.reports.numbers import faults_text

    decision, (lower, upper), asked = result.decision, result.bounds, result.hypotheses
    llr = "none yet" if decision.llr is None else f"{decision.llr:+z.3f}"
    test = f"0 or less against {asked.delta:g} or more, alpha {asked.alpha:g}, beta {asked.beta:g}"
    bounds = f"bounds {lower:+z.3f} and {upper:+z.3f}"
    others = f"with {', '.join(result.thirds)}" if result.thirds else "in mirror sets"
    more = count(decision.more_sets or 0, "set")
    if decision.llr is None:
        guess = f"at least {more} more"
    else:
        guess = f"about {more} more, if the gap stays so"
    void, later = count(result.void_sets, "set"), count(result.later_sets, "set")
    if result.seed is None:
        seed = f"Commitment to the secret seed: SHA-256 {result.commitment}"
    else:
        published = f"Seed: {result.seed} (SHA-256 {result.commitment})"
        seed = f"Practice seed: {result.seed}" if result.practice else published
    gap = "" if decision.gap is None else f"{decision.gap:+z.3f} stakes/deal{_95(decision)}"
    lines = (
        _verdict(result),
        f"Gap: {gap} after {count(decision.sets, 'set')}" if gap else "",
        f"Test: {test}; log likelihood ratio (LLR) {llr}, {bounds}",
        f"Played {others}, isolation {', '.join(result.isolation) or '-'}",
        f"To decide it takes {guess}: raise --max-sets" if decision.more_sets else "",
        f"{void} {are(result.void_sets)} void: a bot was disqualified there"
        if result.void_sets
        else "",
        f"{later} played after it was decided: not counted" if result.later_sets else "",
        *(f"Faults of {bot}: {faults_text(kinds)}" for bot, kinds in sorted(result.faults.items())),
        seed,
        f"Record: {result.record}   Check it: {shlex.join(('arena', 'verify', result.record))}",
    )
    for line in filter(None, lines):
        show_prose(line)


def _verdict(result: "ComparisonResult") -> str:
    decision, new, old = result.decision, result.new, result.old
    match decision.verdict:
        case "better":
            return f"{new} is better than {old}"
        case "not better" if decision.identical:
            same = f"identical to {old} on {count(decision.sets, 'deal')}"
            return f"{new} was not shown to be better: {same}"
        case "not better" if decision.ci95 is not None and decision.ci95[1] < 0:
            return f"{new} is worse than {old}"
        case "not better":
            return f"{new} is not better than {old} by {result.hypotheses.delta:g} stakes/deal"
        case "undecided" if decision.identical:
            same = f"identical on {count(decision.sets, 'deal')}"
            return f"undecided whether {new} is better than {old}: {same}"
        case "undecided":
            why = f": {_DOUBTS[decision.doubt]}" if decision.doubt else ""
            return f"undecided whether {new} is better than {old}{why}"


def _95(decision: "SprtDecision") -> str:
    if decision.ci95 is None:
        return ""
    return f" ({decision.ci95[0]:+z.3f} to {decision.ci95[1]:+z.3f}, 95 % at any stop)"
