"""The registry against a model: whatever authors, processes and the organiser do, and in any order.

A model in plain Python says of each call what must come of it; at the end of each step the two
agree on every upload, request, bot and quota.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.base.refusals import Refusal
from arena.bots.manifest import Bot
from arena.site.config import DRAWING_ORDERS, UPLOADS, Quotas
from arena.site.registry.accounts import Account, revoke
from arena.site.registry.bots import FAILED, bots, quotas
from arena.site.registry.jobs import (
    MOST_TRIES,
    Archive,
    Challenge,
    ask_for,
    built,
    entered,
    finish,
    forget,
    give_back,
    jobs,
    may_enter,
    next_passed,
    passed,
    take,
    take_back,
)
from arena.site.registry.organiser import go_on, stop
from tests.support.registry import Clock, comes_in, digest, opened, send

DAY_S = 86400.0
QUOTAS = Quotas(bots=2, uploads=3, challenges=2, build_minutes=5, build_minutes_a_day=4)
WHO = st.sampled_from(("anna", "juris"))
NAMES = st.sampled_from("xyz")


class Sent(msgspec.Struct):
    """An upload as the model has it."""

    id: str
    who: str
    digest: int
    at: float
    state: str = "waiting"
    tries: int = 0
    build_s: float = 0.0
    entering: str | None = None
    name: str = ""


class Author(msgspec.Struct):
    """An account as the model has it: its bots by their manifests' names, and its challenges."""

    account: Account
    revoked: bool = False
    field: set[str] = set()
    challenged: list[float] = []
    waiting: list[str] = []


class Together(RuleBasedStateMachine):
    """Everybody at one registry."""

    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.clock = Clock()
        self.registry = self.stack.enter_context(opened(folder, QUOTAS, self.clock))
        self.authors = {name: Author(comes_in(self.registry, name)) for name in ("anna", "juris")}
        self.sent: list[Sent] = []
        self.taken: Any = None
        self.paused: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # --- what the model says ---

    def under_way(self, who: str | None = None) -> list[Sent]:
        open_now = ("waiting", "taken", "checked")
        return [it for it in self.sent if it.state in open_now and who in (None, it.who)]

    def may_send(self, who: str) -> bool:
        recent = [it for it in self.sent if it.who == who and it.at > self.clock.now - DAY_S]
        counts = sum(FAILED if it.state == "failed" else 1 for it in recent)
        return (
            not self.authors[who].revoked
            and UPLOADS not in self.paused
            and not self.under_way(who)
            and counts < QUOTAS.uploads
            and sum(it.build_s for it in recent) < 60 * QUOTAS.build_minutes_a_day
        )

    def is_refused(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except Refusal:
            return True
        return False

    # --- what authors do ---

    @rule(who=WHO, number=st.integers(0, 4), again=st.booleans())
    def send(self, who: str, number: int, again: bool) -> None:
        author = self.authors[who]
        known = [it for it in self.sent if (it.who, it.digest) == (who, number)]
        same = bool(known) and (known[-1] in self.under_way() or not again)
        may = not author.revoked and (same or self.may_send(who))
        found: list[Any] = []
        refused = self.is_refused(
            lambda: found.append(send(self.registry, author.account, number, again))
        )
        assert refused == (not may)
        if found and not same:
            assert found[0][1]
            self.sent.append(Sent(found[0][0].id, who, number, self.clock.now))
        elif found:
            assert (found[0][0].id, found[0][1]) == (known[-1].id, False)

    @rule(who=WHO)
    def challenge(self, who: str) -> None:
        author = self.authors[who]
        recent = [at for at in author.challenged if at > self.clock.now - DAY_S]
        may = not author.revoked and len(recent) < QUOTAS.challenges
        about = Challenge((f"{len(author.challenged)}", who, "c"))
        assert self.is_refused(lambda: ask_for(self.registry, author.account, about)) != may
        if may:
            author.challenged.append(self.clock.now)
            author.waiting.append(about.bots[0])

    @rule(
        who=WHO,
        called=NAMES,
        seconds=st.sampled_from((0.0, 200.0, 290.0)),
        ends=st.sampled_from(("passes", "fails", "dies", "waits", "is shut out")),
    )
    def come_through(self, who: str, called: str, seconds: float, ends: str) -> None:
        """Send a bot that nobody has sent, and have the next upload checked, to some end."""
        self.send(who, len(self.sent) + 10, False)
        self.begin_check()
        if self.taken is None:
            return
        self.admit(called)
        self.build(seconds)
        self.agrees()
        if ends in ("passes", "fails"):
            self.end_check(ends == "passes")
            self.enter()
        elif ends == "dies":
            for _ in range(MOST_TRIES):
                self.begin_anew()
                self.begin_check()
        elif ends == "is shut out":
            self.shut_out_or_let_in(self.checking().who)

    # --- what the processes do ---

    @rule()
    def begin_check(self) -> None:
        waiting = [it for it in self.under_way() if it.state in ("waiting", "taken")]
        wanted = waiting[0] if waiting and UPLOADS not in self.paused else None
        self.taken = take(self.registry, (Archive,))
        assert (self.taken and self.taken.id) == (wanted and wanted.id)
        if wanted is not None:
            wanted.state, wanted.entering = "taken", None

    def checking(self) -> Sent:
        return next(it for it in self.sent if it.id == self.taken.id)

    @precondition(lambda self: self.taken is not None)
    @rule(called=NAMES)
    def admit(self, called: str) -> None:
        it = self.checking()
        field = self.authors[it.who].field
        there = field | ({it.entering} if it.entering else set())
        may = called in field or len(there) < QUOTAS.bots
        assert self.is_refused(lambda: may_enter(self.registry, self.taken, called)) != may
        if may and it.state == "taken":
            it.entering = called

    @precondition(lambda self: self.taken is not None)
    @rule(seconds=st.sampled_from((1.0, 100.0, 299.0)))
    def build(self, seconds: float) -> None:
        built(self.registry, self.taken, seconds)
        self.checking().build_s += seconds

    @precondition(lambda self: self.taken is not None)
    @rule(passes=st.booleans())
    def end_check(self, passes: bool) -> None:
        it = self.checking()
        if passes and it.entering:
            bot = Bot(it.entering, "1", it.who, ("./bot",))
            passed(self.registry, self.taken, bot, digest(it.digest))
            if it.state == "taken":
                it.state = "checked"
        else:
            ended = finish(self.registry, self.taken, "failed", "no")
            assert ended == (it.state == "taken")
            it.state, it.entering = "failed", None
        self.taken = None

    @rule()
    def enter(self) -> None:
        waiting = [it for it in self.sent if it.state == "checked"]
        found = next_passed(self.registry)
        assert (found is None) == (not waiting)
        if found is None:
            return
        it, (job, left) = waiting[0], found
        name = f"{left.bot.name}.{job.number}"
        assert entered(self.registry, job, name, left.bot.name)
        assert not entered(self.registry, job, name, left.bot.name)
        self.authors[it.who].field.add(left.bot.name)
        it.state, it.name, it.entering = "done", name, None

    @rule()
    def begin_anew(self) -> None:
        """The process that checks was killed, and starts again."""
        left_behind = [it for it in self.sent if it.state == "taken"]
        assert len(take_back(self.registry, (Archive,))) == len(left_behind) <= 1
        for it in left_behind:
            it.tries += 1
            it.state, it.entering = "failed" if it.tries == MOST_TRIES else "waiting", None
        self.taken = None

    @precondition(lambda self: self.taken is not None)
    @rule()
    def end_well(self) -> None:
        it = self.checking()
        give_back(self.registry, self.taken)
        if it.state == "taken":
            it.state, it.entering = "waiting", None
        self.taken = None

    @rule(well=st.booleans())
    def answer(self, well: bool) -> None:
        found = take(self.registry, (Challenge,))
        waiting = {name for name, author in self.authors.items() if author.waiting}
        assert (found is None) == (not waiting or DRAWING_ORDERS in self.paused)
        if found is not None:
            author = self.authors[found.owner.name]
            assert isinstance(found.about, Challenge)
            assert found.about.bots[0] == author.waiting.pop(0), "each author's in their order"
            assert finish(self.registry, found, "done" if well else "failed", "so")

    @rule(seconds=st.sampled_from((1.0, 3000.0, DAY_S / 2, DAY_S)))
    def go_on(self, seconds: float) -> None:
        self.clock.now += seconds
        forget(self.registry, 600.0)

    # --- what the organiser does ---

    @rule(part=st.sampled_from((UPLOADS, DRAWING_ORDERS)))
    def pause_or_go_on(self, part: str) -> None:
        if part in self.paused:
            assert go_on(self.registry, "part", part)
        else:
            stop(self.registry, "part", part, "exams")
        self.paused ^= {part}

    @rule(who=WHO)
    def shut_out_or_let_in(self, who: str) -> None:
        author = self.authors[who]
        if author.revoked:
            assert comes_in(self.registry, who).number == author.account.number
        else:
            revoke(self.registry, who, "rude")
            author.waiting.clear()
            for it in self.under_way(who):
                it.state, it.entering = "failed", None
        author.revoked = not author.revoked

    # --- what must hold ---

    @invariant()
    def agrees(self) -> None:
        shown = {"checked": "taken"}
        for who, author in getattr(self, "authors", {}).items():
            own = [it for it in self.sent if it.who == who]
            found = jobs(self.registry, author.account, 10_000)
            seen = [it for it in found if isinstance(it.about, Archive)]
            assert [(it.id, it.state, it.name) for it in reversed(seen)] == [
                (it.id, shown.get(it.state, it.state), it.name) for it in own
            ]
            queue = self.under_way()
            places = {it.id: place for place, it in enumerate(queue, 1)}
            assert {it.id: it.place for it in seen if it.place} == {
                it.id: places[it.id] for it in queue if it.who == who
            }
            playing = [bot for bot in bots(self.registry, author.account) if bot.in_field]
            assert sorted(bot.called for bot in playing) == sorted(author.field)
            assert len(author.field) <= QUOTAS.bots
            quota = quotas(self.registry, author.account)
            there = author.field | {it.entering for it in own if it.entering}
            assert quota["bots"].left == max(0, QUOTAS.bots - len(there))
            recent = [at for at in author.challenged if at > self.clock.now - DAY_S]
            assert quota["challenges"].left == QUOTAS.challenges - len(recent)
            waiting = [it for it in found if isinstance(it.about, Challenge) and not it.ended]
            assert len(waiting) == len(author.waiting)


TestTogether = Together.TestCase
TestTogether.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
