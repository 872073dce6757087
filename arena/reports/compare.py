"""A comparison of two bots as people read it: while it is played, and at the end."""

import shlex
from typing import TYPE_CHECKING, Final

from rich.status import Status

from arena.base.words import are, count
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.reports.display import RunDisplay
from arena.reports.faults import fault_lines
from arena.reports.terminal import console, show_prose
from arena.stats.sprt import SprtDecision, SprtDoubt

if TYPE_CHECKING:
    from arena.tasks.compare import Comparison, ComparisonResult


_DOUBTS: Final[dict[SprtDoubt, str]] = {
    "few runs": "too few sets to tell how far they spread",
    "skew": "some of their gaps are large and have come too seldom",
    "rare gaps": "large gaps, too rare to have come yet, could turn it",
}


class ComparisonProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The progress of a comparison in one line."""

    def __init__(self, comparison: "Comparison") -> None:
        super().__init__()
        self._comparison = comparison
        self._counted = comparison.counted
        if self._in_terminal and not comparison.decided:
            self._live = Status(self._line(), console=self._console)

    def begin(self) -> None:
        """Say what is about to be played."""
        begun = "going on with" if self._comparison.decision.sets else "beginning"
        if not self._comparison.decided:
            self.say(f"{begun} {self._comparison.store.path}, at most {self._sets()} sets")

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        """A match is stored."""
        for line in fault_lines(self._comparison.store, spec, record):
            self.say(line)
        for seat in record.results.disqualified:
            self.say(f"{spec.seats[seat]} is disqualified; the sets are void")
        if self._comparison.counted > self._counted:
            self._counted = self._comparison.counted
            self._show(self._line())

    def void(self, spec: MatchSpec, why: str, failed: bool) -> None:
        """A match failed by no bot's fault."""
        self.say(f"Void, to be played again: {why}")

    def interrupted(self) -> None:
        """The user stopped the run."""
        self.say("stopped; every finished match is stored. The same command again goes on")

    def _line(self) -> str:
        decision = self._comparison.decision
        lower, upper = self._comparison.config.hypotheses.bounds
        so_far = f"{decision.sets} of {self._sets()} sets"
        if decision.gap is not None:
            so_far += f": {decision.gap:+z.3f} stakes/deal{_95(decision)}"
        if decision.llr is None:
            return f"{so_far}; nothing is decided before {self._comparison.first_look}"
        ends = f"better at {upper:+.2f}, not better at {lower:+.2f}"
        return f"{so_far}; log likelihood ratio {decision.llr:+z.2f} ({ends})"

    def _sets(self) -> int:
        return self._comparison.max_sets


def show_comparison(result: "ComparisonResult") -> None:
    """Print the verdict, the figures behind it, and what to do if there is none."""
    out = console()
    for line in _lines(result):
        show_prose(out, line)


def _lines(result: "ComparisonResult") -> list[str]:
    decision, delta = result.decision, result.hypotheses.delta
    lower, upper = result.bounds
    lines = [_verdict(result)]
    if decision.gap is not None:
        lines.append(
            f"Gap: {decision.gap:+z.3f} stakes/deal{_95(decision)}"
            f" after {count(decision.sets, 'set')}"
        )
    ratio = "none yet" if decision.llr is None else f"{decision.llr:+z.3f}"
    risks = f"alpha {result.hypotheses.alpha:g}, beta {result.hypotheses.beta:g}"
    lines.append(
        f"Test: 0 or less against {delta:g} or more, {risks};"
        f" log likelihood ratio (LLR) {ratio}, bounds {lower:+z.3f} and {upper:+z.3f}"
    )
    with_whom = f"with {', '.join(result.thirds)}" if result.thirds else "in mirror sets"
    lines.append(f"Played {with_whom}, isolation {', '.join(result.isolation) or '-'}")
    if decision.more_sets is not None:
        more = f"{count(decision.more_sets, 'set')} more"
        guess = f"at least {more}" if decision.llr is None else f"about {more}, if the gap stays so"
        lines.append(f"To decide it takes {guess}: raise --max-sets")
    if result.void_sets:
        void = result.void_sets
        lines.append(f"{count(void, 'set')} {are(void)} void: a bot was disqualified there")
    if result.later_sets:
        lines.append(f"{count(result.later_sets, 'set')} played after it was decided: not counted")
    for bot, kinds in sorted(result.faults.items()):
        lines.append(f"Faults of {bot}: {', '.join(f'{n} {kind}' for kind, n in kinds.items())}")
    if result.practice:
        lines.append(f"Practice seed: {result.seed}")
    elif result.seed is None:
        lines.append(f"Commitment to the secret seed: SHA-256 {result.commitment}")
    else:
        lines.append(f"Seed: {result.seed} (SHA-256 {result.commitment})")
    command = shlex.join(("arena", "verify", result.record))
    lines.append(f"Record: {result.record}   Check it: {command}")
    return lines


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


def _95(decision: SprtDecision) -> str:
    if decision.ci95 is None:
        return ""
    return f" ({decision.ci95[0]:+z.3f} to {decision.ci95[1]:+z.3f}, 95 % at any stop)"
