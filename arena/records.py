"""The record of a match: its log, its results, and the proof that these follow from that.

A log keeps causes only: who was ready, each deal, each answer with its microseconds, each failure.
Replaying is the referee again, answered from the log.
"""

import gzip
import io
from collections.abc import Iterator

import msgspec

from arena.messages import (
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
from arena.referee import (
    Failed,
    Fault,
    Finished,
    Game,
    MatchPlan,
    Outcome,
    Question,
    Said,
    Start,
    conduct,
)
from arena.zole.cards import INDEX, NAMES, mask, names
from arena.zole.deal import Deal, Seat


class LoggedFailure(msgspec.Struct, frozen=True, array_like=True):
    """Why no readable answer came."""

    kind: FaultKind
    detail: str


class LoggedStart(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a log: what each seat said to `hello`, or why it said nothing usable."""

    ready: dict[Seat, Ready]
    failed: dict[Seat, LoggedFailure] = {}


class LoggedDeal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a log: one deal.

    Cards are joined by dots. A step is seat, answer (None where it failed) and microseconds; notes
    and failures belong to steps, by index.
    """

    deal: int
    dealer: Seat
    hands: tuple[str, ...]
    talon: str
    steps: tuple[tuple[Seat, str | None, int], ...]
    notes: dict[int, str] = {}
    failed: dict[int, LoggedFailure] = {}


class DealFault(msgspec.Struct, frozen=True):
    """A fault and the deal of the match in which it came."""

    deal: int
    fault: Fault


class MatchRecord(msgspec.Struct, frozen=True):
    """All that is kept of a match.

    `payments` are stakes by deal and seat; shorter than the plan's deals only where a seat was
    disqualified. `stderr` is each seat's, head and tail.
    """

    payments: tuple[tuple[int, ...], ...]
    faults: tuple[DealFault, ...]
    disqualified: tuple[Seat, ...]
    decisions: int
    log: bytes
    stderr: tuple[str, ...]


class Unfaithful(Exception):
    """A stored match does not follow from its own log; says where."""


class LogWriter:
    """Collects the lines of a match's log, compressed as they come."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        # No file name and no time of day: equal matches have equal logs.
        self._gzip = gzip.GzipFile("", "wb", 6, self._buffer, mtime=0)

    def start(self, outcomes: tuple[Ready | Failed, ...]) -> None:
        """Log what the seats said to `hello`."""
        ready = {seat: said for seat, said in enumerate(outcomes) if isinstance(said, Ready)}
        failed = {
            seat: LoggedFailure(said.kind, said.detail)
            for seat, said in enumerate(outcomes)
            if isinstance(said, Failed)
        }
        self._line(LoggedStart(ready, failed))

    def game(self, game: Game) -> None:
        """Log one finished deal."""
        steps: list[tuple[Seat, str | None, int]] = []
        notes: dict[int, str] = {}
        failed: dict[int, LoggedFailure] = {}
        for seat, outcome in game.steps:
            us = round(outcome.seconds * 1e6)
            if isinstance(outcome, Failed):
                failed[len(steps)] = LoggedFailure(outcome.kind, outcome.detail)
                steps.append((seat, None, us))
                continue
            if outcome.reply.note is not None:
                notes[len(steps)] = outcome.reply.note
            steps.append((seat, answer_text(outcome.reply), us))
        hands = tuple(".".join(names(hand)) for hand in game.deal.hands)
        talon = ".".join(NAMES[card] for card in game.deal.talon)
        self._line(
            LoggedDeal(game.number, game.deal.dealer, hands, talon, tuple(steps), notes, failed)
        )

    def close(self) -> bytes:
        """The whole log, gzip-compressed JSON lines."""
        self._gzip.close()
        return self._buffer.getvalue()

    def _line(self, line: LoggedStart | LoggedDeal) -> None:
        self._gzip.write(_encoder.encode(line) + b"\n")


_encoder = msgspec.json.Encoder()
_YES_NO = {True: "yes", False: "no"}


def answer_text(reply: AnyReply) -> str:
    """An answer as the one word that a log keeps of it."""
    match reply:
        case PlayReply():
            return "offer" if reply.card is None else reply.card
        case BidReply(bid=bid):
            return bid
        case DiscardReply(cards=cards):
            return ".".join(cards)
        case TalonReply(choice=choice):
            return choice
        case BlindReply(blind=said) | SurrenderReply(surrender=said) | OfferReply(accept=said):
            return _YES_NO[said]


def answer_from(text: str, request: AnyRequest, note: str | None = None) -> AnyReply:
    """The answer to a request that a log's word stands for."""
    number = request.id
    match request:
        case AskPlay():
            if text == "offer":
                return PlayReply(id=number, note=note, offer=True)
            return PlayReply(id=number, note=note, card=text)
        case AskBid():
            return BidReply(id=number, note=note, bid=text)
        case AskDiscard():
            first, _, second = text.partition(".")
            return DiscardReply(id=number, note=note, cards=(first, second))
        case AskTalon():
            return TalonReply(id=number, note=note, choice=text)
        case AskBlind():
            return BlindReply(id=number, note=note, blind=text == "yes")
        case AskSurrender():
            return SurrenderReply(id=number, note=note, surrender=text == "yes")
        case AskOffer():
            return OfferReply(id=number, note=note, accept=text == "yes")


def read_log(log: bytes) -> tuple[LoggedStart, list[LoggedDeal]]:
    """The lines of a log. Raises `Unfaithful` where it cannot be read."""
    try:
        head, *lines = gzip.decompress(log).splitlines()
        start = msgspec.json.decode(head, type=LoggedStart)
        return start, [msgspec.json.decode(line, type=LoggedDeal) for line in lines]
    except (OSError, EOFError, ValueError) as error:
        raise Unfaithful(f"the log cannot be read: {error}") from None


def logged_deal(line: LoggedDeal) -> Deal:
    """The deal of a log's line. Raises `Unfaithful` for cards that are none."""
    try:
        hands = tuple(
            mask(INDEX[card] for card in hand.split(".")) if hand else 0 for hand in line.hands
        )
        first, second = line.talon.split(".")
        return Deal(line.dealer, hands, (INDEX[first], INDEX[second]))
    except (KeyError, ValueError):
        raise Unfaithful(f"deal {line.deal}: unknown cards") from None


def replay(plan: MatchPlan, log: bytes) -> Iterator[Game]:
    """The games of a match again, from its log. The plan's own deals are compared with the log's.

    Raises `Unfaithful` at the first place where the log cannot be what happened.
    """
    start, lines = read_log(log)
    for line, deal in zip(lines, plan.deals, strict=False):
        if logged_deal(line) != deal:
            raise Unfaithful(f"deal {line.deal}: not the deal that the seed gives")
    if len(lines) > len(plan.deals):
        raise Unfaithful(f"the log has {len(lines)} deals of {len(plan.deals)}")
    answers = _Answers(start, lines)
    procedure = conduct(msgspec.structs.replace(plan, deals=plan.deals[: len(lines)]))
    outcome: Outcome = None
    try:
        while True:
            command = procedure.send(outcome)
            match command:
                case Start(hellos):
                    outcome = answers.started(len(hellos))
                case Question(seat, _, request, _):
                    outcome = answers.next(seat, request)
                case Finished(game):
                    answers.finished(game.number)
                    outcome = None
                    yield game
                case _:
                    outcome = None
    except StopIteration:
        return


class _Answers:
    """A log's answers, handed out in the order in which the referee asks."""

    def __init__(self, start: LoggedStart, lines: list[LoggedDeal]) -> None:
        self._start = start
        self._lines = lines
        self._deal = 0
        self._step = 0

    def started(self, seats: int) -> tuple[Ready | Failed, ...]:
        said: list[Ready | Failed] = []
        for seat in range(seats):
            if seat in self._start.ready:
                said.append(self._start.ready[seat])
            elif seat in self._start.failed:
                failed = self._start.failed[seat]
                said.append(Failed(failed.kind, failed.detail))
            else:
                raise Unfaithful(f"the log does not say how seat {seat} started")
        return tuple(said)

    def next(self, seat: Seat, request: AnyRequest) -> Said | Failed:
        line = self._lines[self._deal]
        place = self._place()
        if self._step >= len(line.steps):
            raise Unfaithful(f"{place}: the log ends, but seat {seat} was to be asked")
        who, text, us = line.steps[self._step]
        if who != seat:
            raise Unfaithful(f"{place}: seat {who} answered, but seat {seat} was to be asked")
        failed = line.failed.get(self._step)
        note = line.notes.get(self._step)
        self._step += 1
        if failed is not None:
            return Failed(failed.kind, failed.detail, us / 1e6)
        if text is None:
            raise Unfaithful(f"{place}: neither an answer nor a failure")
        return Said(answer_from(text, request, note), us / 1e6)

    def finished(self, number: int) -> None:
        line = self._lines[self._deal]
        if line.deal != number:
            raise Unfaithful(f"deal {line.deal} stands in the place of deal {number}")
        if self._step < len(line.steps):
            raise Unfaithful(f"{self._place()}: the deal was over, but the log goes on")
        self._deal, self._step = self._deal + 1, 0

    def _place(self) -> str:
        return f"deal {self._lines[self._deal].deal}, step {self._step + 1}"


def verify(plan: MatchPlan, record: MatchRecord) -> None:
    """Replay a stored match and compare all that was stored. Raises `Unfaithful` with the place."""
    payments: list[tuple[int, ...]] = []
    faults: list[DealFault] = []
    for game in replay(plan, record.log):
        payments.append(game.result.payments)
        faults += (DealFault(game.number, fault) for fault in game.faults)
        stored = record.payments[game.number : game.number + 1]
        if stored != (game.result.payments,):
            raise Unfaithful(f"deal {game.number}: paid {game.result.payments}, stored {stored}")
    counts = [0] * plan.rules.players
    for entry in faults:
        counts[entry.fault.seat] += 1
    out = tuple(seat for seat, count in enumerate(counts) if count >= plan.max_faults)
    _same("results", tuple(payments), record.payments)
    _same("faults", tuple(faults), record.faults)
    _same("disqualified seats", out, record.disqualified)
    if not out and len(payments) != len(plan.deals):
        raise Unfaithful(f"{len(payments)} of {len(plan.deals)} deals were played")


def _same(what: str, replayed: object, stored: object) -> None:
    if replayed != stored:
        raise Unfaithful(f"the {what} stored are not those of the log")
