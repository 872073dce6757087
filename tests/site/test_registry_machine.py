"""The registry compared with a model, whatever authors, processes and the organiser do.

The model in plain Python predicts the result of each call, and of a refusal its kind and wait.
After each step both agree on every upload, challenge, bot and quota, and on the spool.
"""

import math
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.base.refusals import Busy, Forbidden, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.config import DRAWING_ORDERS, UPLOADS, Quotas
from arena.site.registry.accounts import Account, revoke
from arena.site.registry.bots import FAILED, Allowed, BotState, QuotaName, bots, note_states, quotas
from arena.site.registry.jobs import (
    CHECK_S,
    MOST_TRIES,
    Archive,
    Challenge,
    Passed,
    ask_for,
    build_seconds,
    built,
    entered,
    finish,
    forget,
    give_back,
    jobs,
    may_enter,
    next_passed,
    passed,
    spool_file,
    spooled,
    take,
    take_back,
)
from arena.site.registry.organiser import audit, pause, resume
from tests.support.registry import Clock, comes_in, digest, opened, send

DAY_S = 86400.0
QUOTAS = Quotas(bots=2, uploads=3, challenges=2, build_minutes=3, build_minutes_a_day=4)
WHO = st.sampled_from(("anna", "juris"))
NAMES = st.sampled_from("xyz")


# The kind, words and wait of a refusal; None where there is none.
Expected = tuple[type[Refusal], str, int | None] | None


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
    answer: str = ""
    ended: float | None = None

    def end(self, at: float, state: str, answer: str = "", name: str = "") -> None:
        self.state, self.answer, self.name = state, answer, name
        self.ended, self.entering = at, None


class Asked(msgspec.Struct):
    who: str
    at: float
    is_waiting: bool = True


class Entered(msgspec.Struct):
    called: str
    state: BotState = "playing"
    why: str = ""

    def is_in_field(self) -> bool:
        return self.state in ("playing", "benched")


class Author(msgspec.Struct):
    """An account as the model has it, with its bots by name."""

    account: Account
    revoked: bool = False
    bots: dict[str, Entered] = {}

    def field(self) -> dict[str, str]:
        """The names of the bots in the field, by what their manifests call them."""
        return {bot.called: name for name, bot in self.bots.items() if bot.is_in_field()}


class Together(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.clock = Clock()
        self.registry = self.stack.enter_context(opened(folder, QUOTAS, self.clock))
        self.authors = {name: Author(comes_in(self.registry, name)) for name in ("anna", "juris")}
        self.sent: list[Sent] = []
        self.asked: list[Asked] = []
        self.taken: Any = None
        self.paused: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # --- what the model predicts ---

    def under_way(self, who: str | None = None) -> list[Sent]:
        open_now = ("waiting", "taken", "checked")
        return [it for it in self.sent if it.state in open_now and who in (None, it.who)]

    def left(self, who: str) -> dict[str, int]:
        """What is left of each quota of an account."""
        since = self.clock.now - DAY_S
        recent = [it for it in self.sent if it.who == who and it.at > since]
        sent = sum(FAILED if it.state == "failed" else 1 for it in recent)
        minutes = sum(it.build_s / 60 for it in recent)
        asked = sum(it.who == who and it.at > since for it in self.asked)
        entering = {it.entering for it in self.under_way(who) if it.entering}
        there = entering | {*self.authors[who].field()}
        left = {
            "bots": QUOTAS.bots - len(there),
            "uploads": QUOTAS.uploads - sent,
            "build_minutes": QUOTAS.build_minutes_a_day - minutes,
            "challenges": QUOTAS.challenges - asked,
        }
        return {name: max(0, math.ceil(number)) for name, number in left.items()}

    def refused_upload(self, who: str) -> Expected:
        if UPLOADS in self.paused:
            return Busy, "uploads are paused: exams", 600
        if self.under_way(who):
            return OverQuota, "one of your uploads is still being checked", CHECK_S
        for name, words in (("uploads", "3 uploads in 24 h"), ("build_minutes", "4 minutes for")):
            if not self.left(who)[name]:
                return OverQuota, words, self.wait_s(who, name)
        return None

    def wait_s(self, who: str, name: Any) -> int | None:
        return quotas(self.registry, self.authors[who].account)[name].wait_s

    def ask(self, act: Callable[[], Any], expected: Expected) -> Any:
        """What comes of an act that is accepted; None where it is refused as the model predicts."""
        if expected is None:
            return act()
        kind, words, wait_s = expected
        with pytest.raises(kind, match=words) as told:
            act()
        assert told.value.wait_s == wait_s
        return None

    # --- what authors do ---

    @rule(who=WHO, number=st.integers(0, 4), again=st.booleans())
    def send(self, who: str, number: int, again: bool) -> None:
        author = self.authors[who]
        known = [it for it in self.sent if (it.who, it.digest) == (who, number)]
        same = bool(known) and (known[-1] in self.under_way() or not again)
        expected = None if same else self.refused_upload(who)
        if author.revoked:
            expected = Forbidden, "shut out", None
        found = self.ask(lambda: send(self.registry, author.account, number, again), expected)
        if found is not None:
            job, new = found
            assert (new, same and known[-1].id) == (not same, same and job.id)
            self.sent += [Sent(job.id, who, number, self.clock.now)] if new else []

    @rule(askers=st.lists(WHO, min_size=1, max_size=4))
    def challenge(self, askers: list[str]) -> None:
        for who in askers:
            author = self.authors[who]
            expected: Expected = None
            if author.revoked:
                expected = Forbidden, "shut out", None
            elif not self.left(who)["challenges"]:
                expected = OverQuota, "2 challenges in 24 hours", self.wait_s(who, "challenges")
            about = Challenge((str(len(self.asked)), who, "c"))
            self.ask(partial(ask_for, self.registry, author.account, about), expected)
            if expected is None:
                self.asked.append(Asked(who, self.clock.now))

    @rule(
        who=WHO,
        called=NAMES,
        seconds=st.sampled_from((0.0, 200.0, 290.0)),
        ends=st.sampled_from(("passes", "fails", "dies", "waits", "is given back", "is shut out")),
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
        self.gives_again_after_the_wait()
        if ends in ("passes", "fails"):
            self.end_check(ends == "passes")
            self.enter()
        elif ends == "dies":
            for _ in range(MOST_TRIES):
                self.begin_anew()
                self.begin_check()
        elif ends == "is given back":
            self.end_well()
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
        expected: Expected = None
        if called not in self.authors[it.who].field() and not self.left(it.who)["bots"]:
            expected = OverQuota, "2 bots of an author", None
        self.ask(lambda: may_enter(self.registry, self.taken, called), expected)
        if expected is None and it.state == "taken":
            it.entering = called

    @precondition(lambda self: self.taken is not None)
    @rule(seconds=st.sampled_from((1.0, 100.0, 299.0)))
    def build(self, seconds: float) -> None:
        it = self.checking()
        built(self.registry, self.taken, seconds)
        it.build_s += seconds
        minutes = min(QUOTAS.build_minutes, self.left(it.who)["build_minutes"])
        assert build_seconds(self.registry, self.taken) == 60 * minutes

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
            if ended:
                it.end(self.clock.now, "failed", "no")
        self.taken = None

    @rule()
    def enter(self) -> None:
        waiting = [it for it in self.sent if it.state == "checked"]
        found = next_passed(self.registry)
        assert (found is None) == (not waiting)
        if found is None:
            return
        it, (job, left) = waiting[0], found
        assert (job.id, left) == (it.id, Passed(left.bot, digest(it.digest)))
        called, author = left.bot.name, self.authors[it.who]
        assert called == it.entering
        name = f"{called}.{job.number}"
        assert entered(self.registry, job, name, called)
        assert not entered(self.registry, job, name, called)
        if (old := author.field().get(called)) is not None:
            author.bots[old] = Entered(called, "replaced", f"by {name}")
        author.bots[name] = Entered(called)
        it.end(self.clock.now, "done", name=name)

    @rule(who=WHO, called=NAMES, state=st.sampled_from(("playing", "benched", "withdrawn")))
    def note_state(self, who: str, called: str, state: BotState) -> None:
        author = self.authors[who]
        if (name := author.field().get(called)) is None:
            return
        states: dict[str, tuple[BotState, str]] = {
            name: (state, "so it is"),
            "stranger": ("playing", ""),
        }
        note_states(self.registry, states)
        author.bots[name] = Entered(called, state, "so it is")
        before = self.registry.version()
        note_states(self.registry, states)
        assert self.registry.version() == before, "nothing differed"

    @rule()
    def begin_anew(self) -> None:
        """The process that checks was killed, and starts again."""
        left_behind = [it for it in self.sent if it.state == "taken"]
        assert len(take_back(self.registry, (Archive,))) == len(left_behind) <= 1
        for it in left_behind:
            it.tries += 1
            it.state, it.entering = "waiting", None
            if it.tries == MOST_TRIES:
                why = "the site itself failed 3 times over it; tell the organiser"
                it.end(self.clock.now, "failed", why)
                assert audit(self.registry)[0].what == "gave up"
        self.taken = None

    @precondition(lambda self: self.taken is not None)
    @rule()
    def end_well(self) -> None:
        it = self.checking()
        give_back(self.registry, self.taken)
        if it.state == "taken":
            it.state, it.entering = "waiting", None
        self.taken = None

    @rule(count=st.integers(1, 3), well=st.booleans())
    def answer(self, count: int, well: bool) -> None:
        """Play those of the authors who asked for fewest in the last 24 hours."""
        for _ in range(count):
            found: Any = take(self.registry, (Challenge,))
            waiting = [number for number, it in enumerate(self.asked) if it.is_waiting]
            if not waiting or DRAWING_ORDERS in self.paused:
                assert found is None
                return
            number = min(waiting, key=lambda number: (self.turn(number), number))
            assert found.about.bots[0] == str(number)
            assert finish(self.registry, found, "done" if well else "failed", "so")
            self.asked[number].is_waiting = False

    def turn(self, number: int) -> int:
        """How many challenges its author had asked for in the last 24 hours before this one."""
        who, since = self.asked[number].who, self.clock.now - DAY_S
        return sum(it.who == who and it.at > since for it in self.asked[:number])

    @rule(seconds=st.sampled_from((1.0, 3600.0, DAY_S / 2, DAY_S)))
    def go_on(self, seconds: float) -> None:
        self.clock.now += seconds
        forget(self.registry, 600.0)

    # --- what the organiser does ---

    @rule(part=st.sampled_from((UPLOADS, DRAWING_ORDERS)))
    def pause_or_go_on(self, part: str) -> None:
        if part in self.paused:
            assert resume(self.registry, "part", part)
            assert not resume(self.registry, "part", part)
        else:
            pause(self.registry, "part", part, "exams")
        self.paused ^= {part}

    @rule(who=WHO)
    def shut_out_or_let_in(self, who: str) -> None:
        author = self.authors[who]
        if author.revoked:
            assert comes_in(self.registry, who).number == author.account.number
        else:
            revoke(self.registry, who, "rude")
            for it in self.under_way(who):
                it.end(self.clock.now, "failed", "the account was revoked")
            for asked in self.asked:
                asked.is_waiting &= asked.who != who
        author.revoked = not author.revoked

    # --- what must hold ---

    @invariant()
    def agrees(self) -> None:
        shown, queue = {"checked": "taken"}, self.under_way()
        for who, author in self.authors.items():
            own = [it for it in self.sent if it.who == who]
            found = jobs(self.registry, author.account, 10_000)
            seen = [it for it in found if isinstance(it.about, Archive)]
            assert [(it.id, it.state, it.name, it.answer, it.ended) for it in reversed(seen)] == [
                (it.id, shown.get(it.state, it.state), it.name, it.answer, it.ended) for it in own
            ]
            assert {it.id: it.place for it in seen if it.place} == {
                it.id: place for place, it in enumerate(queue, 1) if it.who == who
            }
            waiting = sum(isinstance(it.about, Challenge) and not it.ended for it in found)
            assert waiting == sum(it.who == who and it.is_waiting for it in self.asked)
            of_author = bots(self.registry, author.account)
            assert {
                bot.name: Entered(bot.called, bot.state, bot.why) for bot in of_author
            } == author.bots
            assert {bot.called: bot.name for bot in of_author if bot.in_field} == author.field()
            assert len(author.field()) <= QUOTAS.bots

    @invariant()
    def keeps_archives_that_are_needed(self) -> None:
        """Those that are under way, and for an hour those that ended: a backup may copy them."""
        assert spooled(self.registry) == {
            spool_file(self.authors[it.who].account, digest(it.digest))
            for it in self.sent
            if it.ended is None or it.ended > self.clock.now - 3600
        }

    @invariant()
    def gives_again_after_the_wait(self) -> None:
        """A used up quota has something left when its wait is over, and not a second before."""
        for who in self.authors:
            now, allowed = self.clock.now, self.check_quotas(who)
            for name, quota in allowed.items():
                if quota.wait_s is None:
                    assert quota.left or name == "bots"
                    continue
                for waited, has_some in ((quota.wait_s - 1, False), (quota.wait_s, True)):
                    self.clock.now = now + waited
                    assert bool(self.check_quotas(who)[name].left) == has_some
                self.clock.now = now

    def check_quotas(self, who: str) -> dict[QuotaName, Allowed]:
        found = quotas(self.registry, self.authors[who].account)
        assert {name: quota.left for name, quota in found.items()} == self.left(who)
        return found


TestTogether = Together.TestCase
TestTogether.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
