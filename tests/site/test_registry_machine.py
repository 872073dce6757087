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
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from arena.base.refusals import Busy, Forbidden, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.config import DRAWING_ORDERS, UPLOADS, Quotas
from arena.site.registry.accounts import revoke
from arena.site.registry.bots import FAILED, Allowed, BotState, OwnBot, bots, note_states, quotas
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
AUTHORS = ("anna", "juris")
WHO = st.sampled_from(AUTHORS)
NAMES = st.sampled_from("xyz")

# The kind, words and wait of a refusal; None where there is none.
Expected = tuple[type[Refusal], str, int | None] | None
SHUT_OUT: Expected = (Forbidden, "shut out", None)


class Sent(msgspec.Struct):
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


class Together(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.stack, self.clock = ExitStack(), Clock()
        folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.registry = self.stack.enter_context(opened(folder, QUOTAS, self.clock))
        self.accounts = {name: comes_in(self.registry, name) for name in AUTHORS}
        self.bots: dict[str, dict[str, OwnBot]] = {name: {} for name in AUTHORS}
        self.sent: list[Sent] = []
        self.asked: list[Sent] = []
        self.taken: Any = None
        self.stopped: set[str] = set()
        """The parts that are paused, and the accounts that are shut out."""

    def teardown(self) -> None:
        self.stack.close()

    # --- what the model predicts ---

    def under_way(self, who: str | None = None) -> list[Sent]:
        return [it for it in self.sent if it.ended is None and who in (None, it.who)]

    def field(self, who: str) -> dict[str, str]:
        """The names of an author's bots in the field, by what their manifests call them."""
        found = self.bots[who].values()
        return {bot.called: bot.name for bot in found if bot.state in ("playing", "benched")}

    def left(self, who: str) -> dict[str, int]:
        since = self.clock.now - DAY_S
        recent = [it for it in self.sent if it.who == who and it.at > since]
        left = {
            "bots": QUOTAS.bots
            - len({it.entering for it in self.under_way(who) if it.entering} | {*self.field(who)}),
            "uploads": QUOTAS.uploads - sum(FAILED if it.state == "failed" else 1 for it in recent),
            "build_minutes": QUOTAS.build_minutes_a_day - sum(it.build_s / 60 for it in recent),
            "challenges": QUOTAS.challenges
            - sum(it.who == who and it.at > since for it in self.asked),
        }
        return {name: max(0, math.ceil(number)) for name, number in left.items()}

    def used_up(self, who: str, name: Any, words: str) -> tuple[bool, Expected]:
        wait_s = quotas(self.registry, self.accounts[who])[name].wait_s
        return not self.left(who)[name], (OverQuota, words, wait_s)

    def ask(self, act: Callable[[], Any], *reasons: tuple[object, Expected]) -> Any:
        """What comes of an act; None where it is refused, for the first reason that holds."""
        expected = next((refusal for holds, refusal in reasons if holds), None)
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
        known = [it for it in self.sent if (it.who, it.digest) == (who, number)]
        same = bool(known) and (known[-1].ended is None or not again)
        found = self.ask(
            partial(send, self.registry, self.accounts[who], number, again),
            (who in self.stopped, SHUT_OUT),
            (same, None),
            (UPLOADS in self.stopped, (Busy, "uploads are paused: exams", 600)),
            (self.under_way(who), (OverQuota, "is still being checked", CHECK_S)),
            self.used_up(who, "uploads", "3 uploads in 24 h"),
            self.used_up(who, "build_minutes", "4 minutes for"),
        )
        if found is not None:
            job, new = found
            assert (new, same and known[-1].id) == (not same, same and job.id)
            self.sent += [Sent(job.id, who, number, self.clock.now)] if new else []

    @rule(askers=st.lists(WHO, min_size=1, max_size=4))
    def challenge(self, askers: list[str]) -> None:
        for who in askers:
            about = Challenge((str(len(self.asked)), who, "c"))
            asked = self.ask(
                partial(ask_for, self.registry, self.accounts[who], about),
                (who in self.stopped, SHUT_OUT),
                self.used_up(who, "challenges", "2 challenges in 24 hours"),
            )
            self.asked += [] if asked is None else [Sent(asked[0].id, who, 0, self.clock.now)]

    @rule(
        who=WHO,
        called=NAMES,
        seconds=st.sampled_from((0.0, 200.0, 290.0)),
        passes=st.sampled_from((True, True, False, None)),
    )
    def come_through(self, who: str, called: str, seconds: float, passes: bool | None) -> None:
        """Send a bot that nobody has sent, and have the next upload checked, maybe to its end."""
        self.send(who, len(self.sent) + 10, False)
        self.begin_check()
        if self.taken is not None:
            self.admit(called)
            self.build(seconds)
            if passes is not None:
                self.end_check(passes)
                self.enter()

    # --- what the processes do ---

    @rule()
    def begin_check(self) -> None:
        waiting = [it for it in self.under_way() if it.state in ("waiting", "taken")]
        wanted = waiting[0] if waiting and UPLOADS not in self.stopped else None
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
        full, why = self.used_up(it.who, "bots", "2 bots of an author")
        refused = full and called not in self.field(it.who)
        self.ask(partial(may_enter, self.registry, self.taken, called), (refused, why))
        if not refused and it.state == "taken":
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
        it, was_taken = self.checking(), self.checking().state == "taken"
        if passes and it.entering:
            bot = Bot(it.entering, "1", it.who, ("./bot",))
            passed(self.registry, self.taken, bot, digest(it.digest))
            it.state = "checked" if was_taken else it.state
        else:
            assert finish(self.registry, self.taken, "failed", "no") == was_taken
            if was_taken:
                it.end(self.clock.now, "failed", "no")
        self.taken = None

    @rule()
    def enter(self) -> None:
        it = next((it for it in self.sent if it.state == "checked"), None)
        found = next_passed(self.registry)
        assert (found and found[0].id) == (it and it.id)
        if found is None or it is None or it.entering is None:
            return
        job, called, own = found[0], it.entering, self.bots[it.who]
        name, now = f"{called}.{job.number}", self.clock.now
        assert found[1] == Passed(Bot(called, "1", it.who, ("./bot",)), digest(it.digest))
        assert entered(self.registry, job, name, called)
        assert not entered(self.registry, job, name, called)
        if (old := self.field(it.who).get(called)) is not None:
            own[old] = OwnBot(old, called, "replaced", f"by {name}", now)
        own[name] = OwnBot(name, called, "playing", "", now)
        it.end(now, "done", name=name)

    @rule(who=WHO, called=NAMES, state=st.sampled_from(("playing", "benched", "withdrawn")))
    def note_state(self, who: str, called: str, state: BotState) -> None:
        if (name := self.field(who).get(called)) is None:
            return
        old, new = self.bots[who][name], OwnBot(name, called, state, "so it is", self.clock.now)
        states: Any = {name: (state, "so it is"), "stranger": ("playing", "")}
        note_states(self.registry, states)
        self.bots[who][name] = old if (old.state, old.why) == states[name] else new
        before = self.registry.version()
        note_states(self.registry, states)
        assert self.registry.version() == before, "nothing differed"

    @rule(times=st.integers(1, MOST_TRIES))
    def begin_anew(self, times: int) -> None:
        """The process that checks was killed, and starts again, and is killed over it again."""
        for _ in range(times):
            left_behind = [it for it in self.sent if it.state == "taken"]
            assert len(take_back(self.registry, (Archive,))) == len(left_behind) <= 1
            for it in left_behind:
                it.tries, it.state, it.entering = it.tries + 1, "waiting", None
                if it.tries == MOST_TRIES:
                    why = "the site itself failed 3 times over it; tell the organiser"
                    it.end(self.clock.now, "failed", why)
                    assert audit(self.registry)[0].what == "gave up"
            self.begin_check()

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
            stops = DRAWING_ORDERS in self.stopped
            waiting = [] if stops else [it for it in self.asked if it.ended is None]
            wanted = min(waiting, key=self.turn, default=None)
            found = take(self.registry, (Challenge,))
            assert (found and found.id) == (wanted and wanted.id)
            if found is not None and wanted is not None:
                assert finish(self.registry, found, "done" if well else "failed", "so")
                wanted.ended = self.clock.now

    def turn(self, challenge: Sent) -> int:
        """How many challenges its author had asked for in the last 24 hours before this one."""
        before = self.asked[: self.asked.index(challenge)]
        return sum(it.who == challenge.who and it.at > self.clock.now - DAY_S for it in before)

    @rule(seconds=st.sampled_from((1.0, 3600.0, DAY_S / 2, DAY_S)))
    def go_on(self, seconds: float) -> None:
        self.clock.now += seconds
        forget(self.registry, 600.0)

    # --- what the organiser does ---

    @rule(part=st.sampled_from((UPLOADS, DRAWING_ORDERS)))
    def pause_or_go_on(self, part: str) -> None:
        if part in self.stopped:
            assert resume(self.registry, "part", part)
            assert not resume(self.registry, "part", part)
        else:
            pause(self.registry, "part", part, "exams")
        self.stopped ^= {part}

    @rule(who=WHO)
    def shut_out_or_let_in(self, who: str) -> None:
        if who in self.stopped:
            assert comes_in(self.registry, who).number == self.accounts[who].number
        else:
            revoke(self.registry, who, "rude")
            for it in (*self.under_way(who), *self.asked):
                if (it.who, it.ended) == (who, None):
                    it.end(self.clock.now, "failed", "the account was revoked")
        self.stopped ^= {who}

    # --- what must hold ---

    @invariant()
    def agrees(self) -> None:
        places = {it.id: place for place, it in enumerate(self.under_way(), 1)}
        for who, account in self.accounts.items():
            found = jobs(self.registry, account, 10_000)
            seen = [it for it in reversed(found) if isinstance(it.about, Archive)]
            assert [(it.id, it.state, it.name, it.answer, it.ended, it.place) for it in seen] == [
                (it.id, state, it.name, it.answer, it.ended, places.get(it.id))
                for it in self.sent
                for state in ["taken" if it.state == "checked" else it.state]
                if it.who == who
            ]
            waiting = {it.id for it in found if isinstance(it.about, Challenge) and not it.ended}
            assert waiting == {it.id for it in self.asked if (it.who, it.ended) == (who, None)}
            assert {bot.name: bot for bot in bots(self.registry, account)} == self.bots[who]
            assert len(self.field(who)) <= QUOTAS.bots

    @invariant()
    def keeps_archives_that_are_needed(self) -> None:
        """Those that are under way, and for an hour those that ended: a backup may copy them."""
        assert spooled(self.registry) == {
            spool_file(self.accounts[it.who], digest(it.digest))
            for it in self.sent
            if it.ended is None or it.ended > self.clock.now - 3600
        }

    @invariant()
    def gives_again_after_the_wait(self) -> None:
        """A used up quota has something left when its wait is over, and not a second before."""
        now = self.clock.now
        for who in AUTHORS:
            for name, quota in self.check_quotas(who).items():
                assert quota.left or name == "bots" or quota.wait_s
                for waited, has_some in ((-1, False), (0, True)) if quota.wait_s else ():
                    self.clock.now = now + (quota.wait_s or 0) + waited
                    assert bool(self.check_quotas(who)[name].left) == has_some
                self.clock.now = now

    def check_quotas(self, who: str) -> dict[Any, Allowed]:
        found = quotas(self.registry, self.accounts[who])
        assert {name: quota.left for name, quota in found.items()} == self.left(who)
        return {**found}


TestTogether = Together.TestCase
TestTogether.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
