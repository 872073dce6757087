"""What a bot keeps from deal to deal: memory that grows, and answers that hang on earlier deals."""

from collections.abc import Sequence
from itertools import product
from time import monotonic
from typing import Final

from arena.base.words import count, deal_on_wire
from arena.bots.tree import MIB
from arena.record.faults import asked_in_words
from arena.record.matches import ReplayedMatch
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.tasks.check_match import CheckFailed, on_one_core
from arena.tasks.rerun import Answers, RerunRequest, in_a_word, rerun
from arena.zole.deal import Seat

_LEAST_DEALS: Final = 10
_GROWTH_BYTES: Final = 4096
"""The deals of a quarter of a session from which memory is compared, and the growth with each of
them that is remarked on: a page."""

_SEEDS: Final = 8
"""Other seeds with which a bot that answers otherwise in a fresh process is asked again."""


def memory_of_deals(memory: Sequence[int]) -> str:
    """Compare the bytes in use after each deal of a session, and at its end.

    Raises `CheckFailed`, a remark, if they grew in both of the last quarters.
    """
    deals = len(memory) - 1
    quarter = deals // 4
    if quarter < _LEAST_DEALS:
        return f"not compared: {count(deals, 'deal')} are too few"
    half, later, last = (memory[-1 - quarter * place] for place in (2, 1, 0))
    grown = min(later - half, last - later) / quarter
    if grown < _GROWTH_BYTES:
        return f"it does not grow with each of {count(deals, 'deal')}"
    raise CheckFailed(
        f"it uses {grown / 1024:.0f} KiB more after each deal: {half / MIB:.1f} MiB after"
        f" {deals - 2 * quarter} deals, {last / MIB:.1f} MiB after {deals}",
        remark=True,
    )


class FreshAnswers:
    """A bot's answers in later deals of a match, each asked of a fresh process without the others.

    `changed` is the first that is not as it was after the earlier deals, `count` their number.
    """

    def __init__(
        self, match: ReplayedMatch, seat: Seat, program: Program, isolation: Isolation
    ) -> None:
        self._match, self._seat, self._program, self._isolation = match, seat, program, isolation
        later = match.deals[len(match.deals) // 2 :]
        self._answers = {deal.number: self._alone(deal.number) for deal in later}
        found = [each for answers in self._answers.values() for each in answers]
        self.count: int = len(found)
        self.changed: Answers | None = next((each for each in found if not each.same), None)

    def by_chance(self, most_s: float) -> bool:
        """Whether they change with `hello.seed`, or from run to run; tried for some seconds."""
        end = monotonic() + most_s
        for seed, (deal, answers) in product(range(_SEEDS), self._answers.items()):
            if _words(answers) != _words(self._alone(deal, seed)):
                return True
            if monotonic() > end:
                break
        return False

    def told(self, changed: Answers) -> str:
        """An answer that changed, in words."""
        then, now = in_a_word(changed.then), in_a_word(changed.now)
        return (
            f"{deal_on_wire(changed.deal)}, answer {changed.number}: {then} after"
            f" {count(changed.deal, 'other deal')}, {now} in a fresh process: it keeps something of"
            " earlier deals"
        )

    def asked(self, changed: Answers) -> str:
        """The request of an answer, in words."""
        steps = self._match.deals[changed.deal].asked
        return next(asked_in_words(it) for it in steps if it.question.line is changed.line)

    def _alone(self, deal: int, seed: int | None = None) -> list[Answers]:
        found: list[Answers] = []
        asked = RerunRequest(
            self._match,
            self._seat,
            self._program,
            self._isolation,
            every=True,
            deal=deal,
            seed=seed,
        )
        with on_one_core():
            rerun(asked, found.append, lambda pid: None)
        return found[1:]


def _words(answers: Sequence[Answers]) -> list[str]:
    return [in_a_word(each.now) for each in answers]
