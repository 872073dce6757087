"""A worker's answers about its matches: believed as far as the rules bear them out."""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from arena.base.harmless import harmless
from arena.engine.builds import Copy
from arena.engine.excerpt import KEPT
from arena.engine.worker import Job
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.log import Unfaithful
from arena.match.logged import verify
from arena.match.record import MatchRecord

DEAL_BYTES: Final = 1 << 20
"""The most bytes that a log keeps of a deal: answers, with notes and lines that were sent back."""

HEAD_BYTES: Final = 1 << 20
"""The most bytes of a match's answer besides its deals and the bots' answers to `hello`."""

MOST_S: Final = 1e9
"""More processor seconds than any bot uses in a match."""

ESCAPED: Final = 6
"""The most bytes that JSON needs for one byte."""

STDERR_SIGNS: Final = 2 * KEPT + 100
"""The most characters of a seat's stderr: both ends, and the line between them."""

_LONGEST: Final = 1000
"""Characters of a stranger's words that are shown."""


class RemoteJob(msgspec.Struct, frozen=True):
    """A match to play on another machine: its plan, and the bot of each seat."""

    plan: MatchPlan
    bots: tuple[Copy, ...]


class _Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that was played, or why it is void. `match` is the hash of its job."""

    match: bytes
    record: MatchRecord | None = None
    void: Annotated[str, Meta(max_length=4000)] | None = None


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer: the matches it played, in order, or why it could not play at all."""

    played: tuple[_Played, ...] = ()
    refusal: Annotated[str, Meta(max_length=4000)] | None = None


class Wrong(Exception):
    """A worker's answer cannot be used; says why."""


def encode_answer(jobs: Sequence[RemoteJob], results: Sequence[MatchRecord | MatchVoid]) -> bytes:
    """The answer of a worker that played the first of some jobs."""
    played = [
        _Played(_hash(job), void=str(result)[:4000])
        if isinstance(result, MatchVoid)
        else _Played(_hash(job), result)
        for job, result in zip(jobs, results, strict=False)
    ]
    return msgspec.msgpack.encode(_Answer(tuple(played)))


def encode_refusal(why: str) -> bytes:
    """The answer of a worker that cannot play."""
    return msgspec.msgpack.encode(_Answer(refusal=why[:4000]))


def read_answer(
    said: bytes, remote: Sequence[RemoteJob], jobs: Sequence[Job]
) -> list[MatchRecord | MatchVoid]:
    """The results of some matches, each replayed from its log. Raises `Wrong`.

    A match that keeps to the rules may still have answers in its log that no bot chose.
    """
    most = sum(_most(job.plan) for job in jobs)
    if len(said) > most:
        raise Wrong(f"an answer of {len(said)} bytes, more than {most}")
    try:
        answer = msgspec.msgpack.decode(said, type=_Answer)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Wrong(f"an answer that cannot be read: {one_line(error)}") from None
    if answer.refusal is not None:
        raise Wrong(one_line(answer.refusal))
    if len(answer.played) != len(jobs):
        raise Wrong(f"{len(answer.played)} results of {len(jobs)} matches")
    return [
        _checked(played, its, job)
        for played, its, job in zip(answer.played, remote, jobs, strict=True)
    ]


def one_line(text: object) -> str:
    """The beginning of the first line of a stranger's words."""
    line = harmless(str(text)[: 2 * _LONGEST].partition("\n")[0])
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _checked(played: _Played, remote: RemoteJob, job: Job) -> MatchRecord | MatchVoid:
    """The result of a match. Raises `Wrong` if it is that of another match."""
    if played.match != _hash(remote):
        raise Wrong("the result of another match")
    record = played.record
    if record is None:
        return MatchVoid(one_line(played.void or "it is void on another machine"))
    if record.isolation != job.isolation.level:
        raise Wrong(f"a match that was not played at the level {job.isolation.level}")
    if len(record.stderr) != len(job.programs):
        raise Wrong(f"stderr of {len(record.stderr)} bots, not of {len(job.programs)}")
    if max(map(len, record.stderr)) > STDERR_SIGNS:
        raise Wrong("more of a bot's stderr than is kept")
    held = record.held_s
    if len(held) not in (0, len(job.programs)) or not all(0 <= each < MOST_S for each in held):
        raise Wrong("no seconds of the bots' answers")
    try:
        _bound(record.log, _most(job.plan))
        verify(job.plan, record)
    except Unfaithful as error:
        raise Wrong(f"a match that is not what was played: {one_line(error)}") from None
    return record


def _most(plan: MatchPlan) -> int:
    """The most bytes that the answer about a match, or its log unpacked, may have."""
    hellos = ESCAPED * plan.limits.line_bytes * plan.rules.players
    return HEAD_BYTES + hellos + DEAL_BYTES * len(plan.deals)


def _bound(log: bytes, most: int) -> None:
    """Raise `Unfaithful` if a log is not one stream that unpacks to `most` bytes at most."""
    unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        length = len(unpacked.decompress(log, most + 1))
    except zlib.error as error:
        raise Unfaithful(f"the log cannot be read: {error}") from None
    if length > most:
        raise Unfaithful(f"its log is longer than {most} bytes")
    if unpacked.unused_data or not unpacked.eof:
        raise Unfaithful("its log is cut off, or has something after it")


def _hash(job: RemoteJob) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(job)).digest()
