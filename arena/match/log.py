"""The log of a match as lines: causes only, written as they occur and read back.

The first line has each seat's answer to `hello`; then comes one line per deal, with each answer as
one word and its microseconds, or why no answer came.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from arena.match.commands import Failed, PlayedDeal, Said
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    BidReply,
    BlindReply,
    DiscardReply,
    FaultKind,
    OfferReply,
    PlayReply,
    Ready,
    SurrenderReply,
    TalonReply,
)
from arena.zole.cards import INDEX
from arena.zole.deal import Seat, deal_text

Microseconds = Annotated[int, Meta(ge=0, lt=1 << 53)]

_T = TypeVar("_T")


class LoggedFailure(msgspec.Struct, frozen=True, array_like=True):
    """Why no readable answer came."""

    kind: FaultKind
    detail: str


class LoggedStart(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a log: each seat's answer to `hello`, or why there was no usable one.

    A log that leaves its league has the `hello.seed` of each seat, too.
    """

    ready: dict[Seat, Ready]
    failed: dict[Seat, LoggedFailure] = {}
    seeds: tuple[int, ...] = ()


class LoggedDeal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a log: one deal.

    `cards` are the deal as `arena.zole.deal` writes it. A step is seat, answer (None if it
    failed) and microseconds; notes, failures and the lines of answers that were not allowed, as
    sent, belong to steps, by index. So do the microseconds `withheld` from a bot: it was ready to
    run and others used its core, and what it wrote to `stderr` meanwhile.
    """

    deal: int
    cards: str
    steps: tuple[tuple[Seat, str | None, Microseconds], ...]
    notes: dict[int, str] = {}
    failed: dict[int, LoggedFailure] = {}
    sent: dict[int, str] = {}
    withheld: dict[int, int] = {}
    stderr: dict[int, str] = {}


LARGEST_LOG: Final = 256 << 20
"""The most bytes of an unpacked log: an attacker can make one that packs to almost nothing."""

NOTED: Final = 128 << 20
"""Bytes after which bots' notes are omitted: the log would be too large to be read."""

STDERR: Final = 1 << 18
"""Characters of stderr that a log has of all bots together; what is written later is omitted."""

_LONGEST_LINE: Final = 16 << 20


class LogMismatch(ValueError):
    """A stored match does not follow from its own log; the text says where."""


class LogWriter:
    """Collects the lines of a match's log and compresses them at once."""

    def __init__(self) -> None:
        # In gzip's format, without a file's name or a time of day: equal matches have equal logs.
        self._packing = zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
        self._packed: list[bytes] = []
        self._size = 0
        self._stderr = STDERR

    def start(self, outcomes: tuple[Ready | Failed, ...], seeds: tuple[int, ...] = ()) -> None:
        """Log the seats' answers to `hello`, and their seeds if no league will know them."""
        ready = {seat: said for seat, said in enumerate(outcomes) if isinstance(said, Ready)}
        failed = {
            seat: LoggedFailure(said.kind, said.detail)
            for seat, said in enumerate(outcomes)
            if isinstance(said, Failed)
        }
        self._line(LoggedStart(ready, failed, seeds))

    def deal(self, played: PlayedDeal) -> None:
        """Log one finished deal."""
        steps: list[tuple[Seat, str | None, int]] = []
        notes: dict[int, str] = {}
        failed: dict[int, LoggedFailure] = {}
        withheld: dict[int, int] = {}
        stderr: dict[int, str] = {}
        for number, step in enumerate(played.steps):
            outcome, word = step.outcome, None
            if outcome.withheld_us:
                withheld[number] = outcome.withheld_us
            if outcome.stderr and self._stderr > 0:
                stderr[number] = outcome.stderr
                self._stderr -= len(outcome.stderr)
            if type(outcome) is Said:
                word = answer_text(outcome.reply)
                if outcome.reply.note is not None and self._size < NOTED:
                    notes[number] = outcome.reply.note
            else:
                assert type(outcome) is Failed
                failed[number] = LoggedFailure(outcome.kind, outcome.detail)
            steps.append((step.seat, word, outcome.us))
        cards, sent = deal_text(played.deal), played.sent
        line = LoggedDeal(played.number, cards, tuple(steps), notes, failed, sent, withheld, stderr)
        self._line(line)

    def close(self) -> bytes:
        """The whole log, gzip-compressed JSON lines."""
        return b"".join((*self._packed, self._packing.flush()))

    def _line(self, line: LoggedStart | LoggedDeal) -> None:
        data = _encoder.encode(line) + b"\n"
        self._size += len(data)
        self._packed.append(self._packing.compress(data))


_encoder = msgspec.json.Encoder()
YES_NO = {True: "yes", False: "no"}
_ODD = "?"
"""Marks words that are not cards, so that no bot's words are misread."""


def answer_text(reply: AnyReply) -> str:
    """The single word that a log keeps of an answer."""
    match reply:
        case PlayReply():
            card = reply.card
            return card if card in INDEX else "offer" if card is None else _ODD + card
        case BidReply(bid=bid):
            return bid
        case DiscardReply(cards=cards):
            known = all(card in INDEX for card in cards)
            return ".".join(cards) if known else _ODD + msgspec.json.encode(cards).decode()
        case TalonReply(choice=choice):
            return choice
        case BlindReply(blind=said) | SurrenderReply(surrender=said) | OfferReply(accept=said):
            return YES_NO[said]


def answer_line(answer: Ready | AnyReply | Said) -> str:
    """An answer as sent if its line was kept; else as a line of JSON.

    The type and the id come first, and fields that may be left out are left out.
    """
    if isinstance(answer, Said):
        return answer.line.decode(errors="replace") or answer_line(answer.reply)
    fields = msgspec.to_builtins(answer)
    for each in msgspec.structs.fields(answer):
        if getattr(answer, each.name) == each.default:
            del fields[each.encode_name]
    front = {key: fields.pop(key) for key in ("type", "id") if key in fields}
    return msgspec.json.encode({**front, **fields}).decode()


def answer_from(text: str, request: AnyRequest, note: str | None = None) -> AnyReply:
    """The answer that a log's word stands for, given the request."""
    number = request.id
    match request:
        case AskPlay():
            if text == "offer":
                return PlayReply(id=number, note=note, offer=True)
            return PlayReply(id=number, note=note, card=text.removeprefix(_ODD))
        case AskBid():
            return BidReply(id=number, note=note, bid=text)
        case AskDiscard():
            return DiscardReply(id=number, note=note, cards=_pair(text))
        case AskTalon():
            return TalonReply(id=number, note=note, choice=text)
        case AskBlind():
            return BlindReply(id=number, note=note, blind=_yes(text))
        case AskSurrender():
            return SurrenderReply(id=number, note=note, surrender=_yes(text))
        case AskOffer():
            return OfferReply(id=number, note=note, accept=_yes(text))


def _yes(text: str) -> bool:
    if text not in YES_NO.values():
        raise LogMismatch(f"{text!r} is neither yes nor no")
    return text == YES_NO[True]


def _pair(text: str) -> tuple[str, str]:
    try:
        if text.startswith(_ODD):
            return msgspec.json.decode(text.removeprefix(_ODD), type=tuple[str, str])
        first, second = text.split(".")
    except ValueError:
        raise LogMismatch(f"{text} is not a discard") from None
    return first, second


def read_log(log: bytes) -> tuple[LoggedStart, Iterator[LoggedDeal]]:
    """The lines of a log, its deals read one by one. Raises `LogMismatch`, on access too."""
    lines = _lines(log)
    start = _decoded(next(lines, b""), _start_decoder)
    return start, (_decoded(line, _deal_decoder) for line in lines)


def _lines(log: bytes) -> Iterator[bytes]:
    left = LARGEST_LOG
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(log)) as file:
            while line := file.readline(_LONGEST_LINE + 1):
                left -= len(line)
                if left < 0 or len(line) > _LONGEST_LINE:
                    what = f"{LARGEST_LOG >> 20} MiB, or {_LONGEST_LINE >> 20} MiB in a line"
                    raise LogMismatch(f"the log has more than {what}")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise LogMismatch(f"the log cannot be read: {error}") from None


def _decoded(line: bytes, decoder: msgspec.json.Decoder[_T]) -> _T:
    try:
        return decoder.decode(line)
    except (ValueError, RecursionError) as error:
        raise LogMismatch(f"the log cannot be read: {error}") from None


_start_decoder = msgspec.json.Decoder(LoggedStart)
_deal_decoder = msgspec.json.Decoder(LoggedDeal)
