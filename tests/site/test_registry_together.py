"""Many processes at one registry: no quota is overrun, nothing done twice, whoever is killed."""

import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.check_step import CheckStep
from arena.base.refusals import OverQuota, Refusal
from arena.site.config import Quotas
from arena.site.registry import Registry
from arena.site.registry.accounts import (
    DAY_S,
    Account,
    accept,
    account_of,
    accounts,
    invite,
)
from arena.site.registry.bots import FAILED, bots, quotas
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    Archive,
    Challenge,
    OwnLogs,
    SiteJob,
    add_step,
    ask_for,
    forget,
    jobs,
    may_enter,
    queue,
    spooled,
    take,
)
from tests.support.registry import (
    Clock,
    account,
    answer,
    at_once,
    comes_in,
    decline,
    enter,
    killed,
    opened,
    send,
    take_upload,
)

NAMES = ("anna", "juris", "liga")


def tried(act: Callable[[], object]) -> str:
    """What became of something: done, or the name of the refusal."""
    try:
        act()
    except Refusal as refusal:
        return type(refusal).__name__
    return "done"


@pytest.mark.parametrize(
    ("digests", "others"),
    [(range(1, 9), "OverQuota"), ([1] * 8, "known")],
    ids=["different archives", "the same archive"],
)
def test_of_archives_sent_by_many_at_once_one_is_taken(
    digests: Sequence[int], others: str, tmp_path: Path
) -> None:
    with opened(tmp_path) as registry:
        anna = comes_in(registry, "anna")

    def sends(number: int) -> str:
        with opened(tmp_path) as own:
            try:
                _, new = send(own, anna, digests[number])
            except OverQuota:
                return "OverQuota"
            return "new" if new else "known"

    assert Counter(at_once(8, sends)) == {"new": 1, others: 7}


def test_challenges_asked_by_many_at_once_overrun_no_quota(tmp_path: Path) -> None:
    quotas = Quotas(challenges=5)
    with opened(tmp_path, quotas) as registry:
        anna = comes_in(registry, "anna")

    def asks(number: int) -> list[str]:
        asked = []
        with opened(tmp_path, quotas) as own:
            for turn in range(3):
                about = Challenge((f"{number} {turn}", "b", "c"))
                asked.append(tried(lambda about=about: ask_for(own, anna, about)))  # type: ignore[misc]
                if number == 0 and (held := take(own, (Challenge,))) is not None:
                    answer(own, held)
        return asked

    done = at_once(6, asks)
    assert Counter(each for asked in done for each in asked) == {"done": 5, "OverQuota": 13}


QUOTAS = Quotas(bots=2, uploads=4, challenges=3)


def a_day(
    folder: Path,
    seed: int,
    said: Callable[[str], None],
    turns: int,
    days: int = 0,
    works: bool = True,
) -> None:
    """What authors do at random, and whoever `works`, at a clock that runs; what is done is said.

    The clock begins so many `days` behind its usual time.
    """
    dice, clock = Random(seed), Clock(Clock().now + days * DAY_S)
    with opened(folder, QUOTAS, clock) as registry:
        known = accounts(registry)
        said("begun")
        for _ in range(turns):
            clock.now += dice.choice((0, 1, 70, 2000))
            with suppress(Refusal):
                _do(registry, dice, dice.choice(known), said, works)


def _do(
    registry: Registry, dice: Random, who: Account, said: Callable[[str], None], works: bool = True
) -> None:
    """One thing that somebody does; only one process works."""
    match dice.randrange(5 if works else 2):
        case 0:
            found, new = send(registry, who, dice.randrange(9), dice.random() < 0.5)
            if new:
                said(f"upload {found.id}")
        case 1:
            asked, new = ask_for(registry, who, Challenge((str(dice.random()), "b", "c")))
            if new:
                said(f"request {asked.id}")
        case 2:
            held = take(registry, (Challenge,))
            if held is not None:
                answer(registry, held)
                said(f"answered {held.id}")
        case _:
            held_upload = take_upload(registry)
            if held_upload is None:
                return
            add_step(registry, held_upload, CheckStep("manifest", True, ""))
            called = dice.choice("abc")
            try:
                may_enter(registry, held_upload, called)
            except OverQuota:
                decline(registry, held_upload, "too many")
            else:
                name = f"{called}.{held_upload.number}"
                enter(registry, held_upload, name, called)
                said(f"entered {held_upload.id} {name}")


def check_sound(registry: Registry, said: list[str]) -> None:
    """All that was said to be done is there, once; nobody has more than the quotas give."""
    with closing(sqlite3.connect(registry.path)) as sql:
        assert sql.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
    sent: dict[str, SiteJob] = {}
    names: list[str] = []
    for each in accounts(registry):
        own = [one for one in jobs(registry, each, 10**6) if isinstance(one.about, Archive)]
        sent |= {one.id: one for one in own}
        assert sum(one.ended is None for one in own) <= 1
        for failed, most in ((False, QUOTAS.uploads), (True, int(QUOTAS.uploads / FAILED))):
            times = sorted(one.at for one in own if (one.state == "failed") == failed)
            for first, later in zip(times, times[most:], strict=False):
                assert later - first >= 86400
        playing = [bot for bot in bots(registry, each) if bot.state == "playing"]
        assert len(playing) <= QUOTAS.bots
        assert len({bot.called for bot in playing}) == len(playing)
        names += [bot.name for bot in bots(registry, each)]
        assert quotas(registry, each)["bots"].left == QUOTAS.bots - len(
            {bot.called for bot in playing}
        ) or any(one.state == "taken" for one in own)
    assert sorted(names) == sorted(one.name for one in sent.values() if one.name)
    with registry.reading() as sql:
        asked = dict(sql.execute("SELECT id, state FROM jobs"))
    for what, id, *name in (line.split() for line in said if line != "begun"):
        match what:
            case "upload":
                assert id in sent
            case "entered":
                assert (sent[id].state, sent[id].name) == ("done", name[0])
            case "request":
                assert id in asked
            case "answered":
                assert asked[id] == "done"


@settings(max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_whatever_many_do_at_once_no_quota_is_overrun(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("registry")
    with opened(folder, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)

    def act(number: int) -> list[str]:
        said: list[str] = []
        a_day(folder, seed + number, said.append, 25, works=number == 0)
        return said

    done = [line for said in at_once(4, act) for line in said]
    with opened(folder, QUOTAS) as registry:
        check_sound(registry, done)


def kill_often(folder: Path, count: int) -> int:
    """Kill a process that does all of it, so many times at random moments; how much it said."""
    dice = Random(20)
    with opened(folder, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)
    done: list[str] = []
    for turn in range(count):
        with killed(lambda said, turn=turn: a_day(folder, turn, said, 10**6, 2 * turn)) as (  # type: ignore[misc]
            line,
            kill,
        ):
            done += [line() for _ in range(dice.randrange(1, 4))]
            time.sleep(dice.uniform(0, 0.03))
            done += kill()
        with opened(folder, QUOTAS) as registry:
            check_sound(registry, done)
    return len(done)


def test_a_process_that_is_killed_loses_nothing_it_has_said(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 12) > 5


@pytest.mark.slow
def test_a_process_that_is_killed_very_often_loses_nothing_it_has_said(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 400) > 50


def test_an_invitation_is_whole_or_not_taken_whenever_its_taker_is_killed(tmp_path: Path) -> None:
    dice = Random(3)
    for turn in range(10):
        with opened(tmp_path) as registry:
            code = invite(registry, f"author{turn}")

        def take(said: Callable[[str], None], code: str = code) -> None:
            with opened(tmp_path) as own:
                said("begun")
                said(accept(own, code).token)
                signal.pause()

        with killed(take) as (begun, kill):
            begun()
            time.sleep(dice.uniform(0, 0.02))
            said = kill()
        with opened(tmp_path) as registry:
            known = f"author{turn}" in {each.name for each in accounts(registry)}
            assert (tried(lambda: accept(registry, code)) == "done") != known  # noqa: B023
            if said:
                assert known
                assert account_of(registry, said[0]) is not None


def test_no_statement_goes_through_a_table_that_grows_with_the_years(tmp_path: Path) -> None:
    statements: list[str] = []
    with opened(tmp_path, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)
        with registry.reading() as sql:
            sql.set_trace_callback(statements.append)
        dice = Random(1)
        for turn in range(60):
            with suppress(Refusal):
                _do(registry, dice, dice.choice(accounts(registry)), lambda _: None)
            with suppress(Refusal):
                ask_for(registry, dice.choice(accounts(registry)), OwnLogs(turn % 4, 1))
                held = take(registry, FILE_REQUESTS)
                if held is not None:
                    answer(registry, held, b"a log")
        quotas(registry, account(registry, "anna"))
        forget(registry, 0)
        assert spooled(registry)
        assert queue(registry) >= 0
        with registry.reading() as sql:
            sql.set_trace_callback(None)
            found = set()
            for each in set(statements):
                if each.startswith(("SELECT", "UPDATE", "DELETE")):
                    for *_, plan in sql.execute(f"EXPLAIN QUERY PLAN {each}"):
                        if plan.startswith("SCAN") and "CONSTANT" not in plan:
                            found.add((plan, " ".join(each.split())[:60]))
    assert {plan for plan, _ in found} <= {
        "SCAN accounts",
        "SCAN (subquery-2)",
        "SCAN (subquery-1)",
    }, found
