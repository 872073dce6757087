"""A worker's answer: the record of each match of an order, or why there is none."""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from arena.base.harmless import harmless
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord

_LONGEST: Final = 1000
"""Characters of a stranger's words that are shown."""


class PlayedMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that was played, or why it is void. `work` is the hash of its `RemoteJob`."""

    work: bytes
    result: MatchRecord | None = None
    void: Annotated[str, Meta(max_length=4000)] | None = None


class OrderAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer: the matches it played, in order, or why it could play none."""

    done: tuple[PlayedMatch, ...] = ()
    refusal: Annotated[str, Meta(max_length=4000)] | None = None


class Wrong(Exception):
    """A worker's answer cannot be used; says why."""


def encode_answer(
    jobs: Sequence[msgspec.Struct], results: Sequence[MatchRecord | MatchVoid]
) -> bytes:
    """The answer of a worker that played the first of some matches."""
    done = [
        PlayedMatch(_hash(job), void=str(result)[:4000])
        if isinstance(result, MatchVoid)
        else PlayedMatch(_hash(job), result)
        for job, result in zip(jobs, results, strict=False)
    ]
    return msgspec.msgpack.encode(OrderAnswer(tuple(done)))


def encode_refusal(why: str) -> bytes:
    """The answer of a worker that cannot play any of them."""
    return msgspec.msgpack.encode(OrderAnswer(refusal=why[:4000]))


def read_answer(
    said: bytes, jobs: Sequence[msgspec.Struct], most: int
) -> list[MatchRecord | MatchVoid]:
    """The results of some matches, not yet compared with the rules. Raises `Wrong`.

    The answer has `most` bytes at most.
    """
    if len(said) > most:
        raise Wrong(f"an answer of {len(said)} bytes, more than {most}")
    try:
        answer = _decoder.decode(said)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Wrong(f"an answer that cannot be read: {one_line(error)}") from None
    if answer.refusal is not None:
        raise Wrong(one_line(answer.refusal))
    if len(answer.done) != len(jobs):
        raise Wrong(f"{len(answer.done)} results of {len(jobs)} jobs")
    found: list[MatchRecord | MatchVoid] = []
    for done, job in zip(answer.done, jobs, strict=True):
        if done.work != _hash(job):
            raise Wrong("the result of another job")
        if done.result is None:
            found.append(MatchVoid(one_line(done.void or "it is void on another machine")))
        else:
            found.append(done.result)
    return found


def one_line(text: object) -> str:
    """The beginning of the first line of a stranger's words."""
    line = harmless(str(text)[: 2 * _LONGEST].partition("\n")[0])
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _hash(job: msgspec.Struct) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(job)).digest()


_decoder: Final = msgspec.msgpack.Decoder(OrderAnswer)
