"""Answers of workers: what the rules do not bear out is refused, and nothing else ever happens."""

import gzip
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from arena.base.resources import STANDARD
from arena.bots.manifest import Bot
from arena.cluster.answers import Wrong, encode_answer, encode_refusal, one_line
from arena.cluster.matches import RemoteJob, read_matches
from arena.engine.builds import Copy
from arena.engine.job import Job, Program
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.isolation import NO_ISOLATION
from tests.match.test_record import altered, played
from tests.support.scripted import plan_of

PLAN = plan_of(deals=3)
OTHER = plan_of(deals=2)


def record(plan: MatchPlan, seed: int = 1) -> MatchRecord:
    _, found = played(plan, seed)
    seats = plan.rules.players
    return msgspec.structs.replace(found, stderr=("",) * seats, held_s=(0.25,) * seats)


def job(plan: MatchPlan) -> Job:
    return Job(plan, (Program("bot", ("bot",), "/"),) * plan.rules.players, NO_ISOLATION)


def remote(plan: MatchPlan, digests: str = "abc") -> RemoteJob:
    return RemoteJob(
        plan, tuple(Copy(Bot("bot", "1", "tests", ("bot",)), each, STANDARD) for each in digests)
    )


GOOD = record(PLAN)
SAID = encode_answer([remote(PLAN)], [GOOD])


def read(said: bytes) -> list[MatchRecord | MatchVoid]:
    return read_matches(said, [remote(PLAN)], [job(PLAN)])


def changed(change: Callable[[Any], None]) -> bytes:
    """An honest answer after a change of its parts."""
    parts = msgspec.msgpack.decode(SAID)
    change(parts)
    return msgspec.msgpack.encode(parts)


def log_with(old: bytes, new: bytes) -> MatchRecord:
    lines = gzip.decompress(GOOD.log)
    assert old in lines
    return msgspec.structs.replace(GOOD, log=gzip.compress(lines.replace(old, new, 1)))


def test_an_honest_answer_is_what_was_played() -> None:
    assert read(SAID) == [GOOD]
    (void,) = read(encode_answer([remote(PLAN)], [MatchVoid("late\x1b[2J\nand more")]))
    assert str(void) == r"late\x1b[2J"


WRONG: list[tuple[bytes, str]] = [
    (
        encode_answer([remote(PLAN)], [altered(GOOD, payments=((9, -9, 0),) * 3)]),
        "deal 1: paid",
    ),
    (encode_answer([remote(PLAN)], [altered(GOOD, decisions=1)]), "decisions"),
    (encode_answer([remote(PLAN)], [altered(GOOD, disqualified=(1,))]), "disqualified seats"),
    (encode_answer([remote(PLAN)], [record(OTHER)]), "not the deal|deals were played"),
    (encode_answer([remote(OTHER)], [record(OTHER)]), "the result of another job"),
    (encode_answer([remote(PLAN, "acb")], [GOOD]), "the result of another job"),
    (encode_answer([], []), "0 results of 1 jobs"),
    (encode_answer([remote(PLAN)] * 2, [GOOD] * 2), "2 results of 1 jobs"),
    (
        encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, isolation="landlock")]),
        "not played at the level none",
    ),
    (encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, stderr=())]), "stderr of 0 bots"),
    (
        encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, stderr=("e" * 99999,) * 3)]),
        "more of a bot's stderr",
    ),
    *(
        (
            encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, held_s=used)]),
            "no seconds of",
        )
        for used in ((1.0,), (1.0, -1.0, 0.0), (1.0, 0.0, float("nan")), (1.0, 1e99, 0.0))
    ),
    (
        encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, log=GOOD.log + b"more")]),
        "something after it",
    ),
    (
        encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, log=GOOD.log[:-9])]),
        "cut off|cannot be read",
    ),
    (
        encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, log=b"\xff" * 100)]),
        "cannot be read",
    ),
    (encode_answer([remote(PLAN)], [log_with(b",1000]", b",-1000]")]), ">= 0"),
    (encode_answer([remote(PLAN)], [log_with(b",1000]", b",1" + b"0" * 400 + b"]")]), "int"),
    (encode_refusal("its disk is full\x1b[31m\nand more"), r"full\\x1b\[31m$"),
    (b"", "cannot be read"),
    (b"\x91" * 100000, "cannot be read"),
    (b"\0" * (8 << 20), "bytes, more than "),
    (changed(lambda parts: parts.update(more=1)), "unknown field"),
    (changed(lambda parts: parts.update(done=7)), "Expected `array`"),
    (changed(lambda parts: parts["done"][0]["result"].update(log="text")), "bytes"),
]


@pytest.mark.parametrize(("said", "why"), WRONG)
def test_what_was_not_played_is_refused(said: bytes, why: str) -> None:
    with pytest.raises(Wrong, match=why):
        read(said)


def test_a_log_that_swells_is_refused() -> None:
    bomb = msgspec.structs.replace(GOOD, log=gzip.compress(b" " * (16 << 20)))
    with pytest.raises(Wrong, match="its log is longer than"):
        read(encode_answer([remote(PLAN)], [bomb]))


def test_spoilt_bytes_are_refused_or_change_nothing_that_counts() -> None:
    dice = random.Random(5)
    lines = gzip.decompress(GOOD.log)
    for _ in range(150):
        spoilt = bytearray(SAID)
        spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
        log = bytearray(lines)
        log[dice.randrange(len(log))] = dice.choice(b'0123456789"[]{},.AKQJ')
        packed = gzip.compress(bytes(log), 1)
        forged = encode_answer([remote(PLAN)], [msgspec.structs.replace(GOOD, log=packed)])
        for said in (bytes(spoilt), forged):
            try:
                (found,) = read(said)
            except Wrong:
                continue
            assert isinstance(found, MatchRecord)
            assert found.results == GOOD.results


def test_strangers_words_are_one_line_of_harmless_signs() -> None:
    assert one_line("a\x1b[31m\nb") == r"a\x1b[31m"
    assert len(one_line("x" * 5000)) == 1001
    assert one_line(ValueError("\u202e")) == r"\u202e"
