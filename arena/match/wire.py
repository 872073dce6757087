"""The wire, version 1: every message between the arena and a bot, as structs and as bytes.

`protocol/README.md` explains them to bot authors; `protocol/schema.json` is generated from here.
The file is long because people read the contract, and compare it with the guide, as a whole.
"""

from inspect import cleandoc
from typing import Annotated, Literal, final

import msgspec
from msgspec import Meta

from arena.match.unreadable import MOST_NESTED, is_too_deep, why_unreadable
from arena.zole.cards import NAMES
from arena.zole.deal import Seat
from arena.zole.rules import Bid, Rules
from arena.zole.scoring import Level, Pools
from arena.zole.state import Choice, Game

PROTOCOL = 1
NOTE_BYTES = 1024

FaultKind = Literal[
    "illegal", "malformed", "timeout", "exited", "flooded", "unready", "resource", "internal"
]
Ask = Literal["surrender", "offer"]

CardName = Annotated[str, Meta(pattern="^[AKQJT987][CSHD]$", examples=["QC", "TD", "9H"])]
Stakes = Annotated[int, Meta(description="stakes, negative when paid")]
Count = Annotated[int, Meta(ge=0)]


class Wire(msgspec.Struct, frozen=True, gc=False):
    """A part of a message; unknown fields are ignored when it is read.

    Frozen values cannot refer to themselves, so the cycle collector need not visit them.
    """


# --- events ----------------------------------------------------------------------------------


class Event(Wire, frozen=True, tag_field="event"):
    """Something that happened at the table and that the reader may know."""


class Dealt(Event, frozen=True, tag="deal"):
    """A `deal` of the match begins, with its `dealer` and the seats that play, forehand first.

    These are `active`, and `seat` is the reader's own. `pools` and `totals` (stakes by seat) are
    those before the deal.
    """

    deal: Count
    dealer: Seat
    active: tuple[Seat, ...]
    seat: Seat
    pools: Pools
    totals: tuple[Stakes, ...]


class BlindSaid(Event, frozen=True, tag="blind"):
    """A `seat` said whether it plays a `blind` game."""

    seat: Seat
    blind: bool


class BidMade(Event, frozen=True, tag="bid"):
    """A `seat` made its `bid`, which may be to pass."""

    seat: Seat
    bid: Bid


class TalonChosen(Event, frozen=True, tag="talon"):
    """The declarer's `seat` made its `choice`, where the rules ask after the bid: take or give."""

    seat: Seat
    choice: Choice


class ContractMade(Event, frozen=True, tag="contract"):
    """The auction is over: the `contract`, and who is `forehand` and leads.

    The `declarer` is null in a table game and when the deal is thrown in.
    """

    declarer: Seat | None
    contract: Game
    forehand: Seat


class CardPlayed(Event, frozen=True, tag="card"):
    """A `card` joined the trick, by a `seat` or from the talon."""

    seat: Seat | Literal["talon"]
    card: CardName


class TrickTaken(Event, frozen=True, tag="trick"):
    """A trick is complete: its `number` from 1, its `winner`, and its card `points`."""

    number: Annotated[int, Meta(ge=1)]
    winner: Seat | Literal["talon"]
    points: Count


class Surrendered(Event, frozen=True, tag="surrender"):
    """The declarer's `seat` gave up."""

    seat: Seat


class Offered(Event, frozen=True, tag="offer"):
    """A defender's `seat` offered its side's surrender, and the declarer `accepted` or did not."""

    seat: Seat
    accepted: bool


class FaultSeen(Event, frozen=True, tag="fault"):
    """A `fault` of a `seat`. The `detail` is the arena's own words, never a bot's."""

    seat: Seat
    fault: FaultKind
    detail: str


AnyEvent = (
    Dealt
    | BlindSaid
    | BidMade
    | TalonChosen
    | ContractMade
    | CardPlayed
    | TrickTaken
    | Surrendered
    | Offered
    | FaultSeen
)
"""Whatever can happen at a table."""


# --- arena to bot ----------------------------------------------------------------------------


class Limits(Wire, frozen=True):
    """The limits on a bot. Times are seconds; null means that nothing is timed."""

    move_s: float | None
    start_s: float | None
    line_bytes: int


class Message(Wire, frozen=True, tag_field="type"):
    """One line to a bot."""


class Hello(Message, frozen=True, tag="hello"):
    """The first line. The seed is for a bot that wants its chance to be repeatable."""

    protocol: int
    arena: str
    rules: Rules
    limits: Limits
    players: int
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)]


class Request(Message, frozen=True):
    """The part that all requests share.

    `id` is answered with, `table` is always 0 now, `deal` counts the match's deals from 0, `seat`
    is the reader's, and `events` are what happened since its last line. `clock_s` is the time left
    for the answer in seconds, null if nothing is timed.
    """

    id: Count
    table: Count
    deal: Count
    seat: Seat
    events: tuple[AnyEvent, ...]
    clock_s: float | None


class AskBlind(Request, frozen=True, tag="blind"):
    """Declare a blind game? The hand is shown only after the answer."""


class AskBid(Request, frozen=True, tag="bid"):
    """The seat's turn in the auction: its `hand`, and the bids that are `legal`."""

    hand: tuple[CardName, ...]
    legal: tuple[Bid, ...]


class AskTalon(Request, frozen=True, tag="talon"):
    """The declarer takes the talon (an ordinary game) or gives it away (a solo).

    It has its `hand`, and the answers that are `legal`.
    """

    hand: tuple[CardName, ...]
    legal: tuple[Choice, ...]


class AskDiscard(Request, frozen=True, tag="discard"):
    """The declarer of an ordinary game lays two cards of its `hand` of ten aside.

    The cards of the `talon` are in it.
    """

    hand: tuple[CardName, ...]
    talon: tuple[CardName, ...]


class AskSurrender(Request, frozen=True, tag="surrender"):
    """Give up now, with this `hand`?

    Only for a declarer that asked to be asked, before the leads 1, 2 and 3.
    """

    hand: tuple[CardName, ...]


class AskOffer(Request, frozen=True, tag="offer"):
    """The defender `from_` offers its side's surrender: accept, with this `hand`?

    Only for a declarer that asked to be asked.
    """

    hand: tuple[CardName, ...]
    from_: Seat = msgspec.field(name="from")


class Placed(Wire, frozen=True):
    """A `card` of the current trick, and the `seat` that laid it."""

    seat: Seat | Literal["talon"]
    card: CardName


class AskPlay(Request, frozen=True, tag="play"):
    """The seat's turn to play a card of its `hand` to the `trick`, one of those that are `legal`.

    `may_offer` is whether it may offer its side's surrender instead.
    """

    hand: tuple[CardName, ...]
    trick: tuple[Placed, ...]
    legal: tuple[CardName, ...]
    may_offer: bool


class Refused(Message, frozen=True, tag="error"):
    """The answer to a request was refused and may be corrected on the same clock."""

    id: Count
    fault: FaultKind
    detail: str


class FaultShown(Wire, frozen=True):
    """The `fault` that ended or marked a deal, and whose `seat`'s it was."""

    seat: Seat
    fault: FaultKind


class Tally(Wire, frozen=True):
    """Tricks or card points of a deal, of the `declarer` and of the `defenders` together.

    These include talon and discards, and are null in a deal without a declarer; `seats` (by seat)
    and `talon` count what was taken in tricks.
    """

    declarer: int | None
    defenders: int | None
    seats: tuple[int, ...]
    talon: int


class Result(Wire, frozen=True):
    """A finished deal with everything shown.

    `hands` (by seat) and the `talon` are as dealt; `discards` are the declarer's. `contract` and
    `declarer` are null where no game was made. `points` and `tricks` are what was taken, `level` is
    the row of the payments, `payments` are stakes by seat, and `pools` those after the deal.
    `fault` is the one that ended or marked it, if any.
    """

    hands: tuple[tuple[CardName, ...], ...]
    talon: tuple[CardName, ...]
    discards: tuple[CardName, ...]
    contract: Game | None
    declarer: Seat | None
    points: Tally
    tricks: Tally
    level: Level | None
    payments: tuple[Stakes, ...]
    pools: Pools
    fault: FaultShown | None


class DealEnd(Message, frozen=True, tag="deal_end"):
    """A deal is over; sent to every seat, also to one that sat out."""

    table: Count
    deal: Count
    events: tuple[AnyEvent, ...]
    result: Result


class Bye(Message, frozen=True, tag="bye"):
    """The last line; then the input ends."""

    reason: str


AnyRequest = AskBlind | AskBid | AskTalon | AskDiscard | AskSurrender | AskOffer | AskPlay
"""Whatever a seat can be asked."""
ToBot = Hello | AnyRequest | Refused | DealEnd | Bye


# --- bot to arena ----------------------------------------------------------------------------

Word = Annotated[str, Meta(max_length=16)]
Note = Annotated[str, Meta(max_length=NOTE_BYTES, description="at most 1,024 bytes, for the log")]


class Answer(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """One line from a bot."""


@final
class Ready(Answer, frozen=True, tag="ready"):
    """The answer to `hello`. Only `protocol` is needed."""

    protocol: int
    name: str | None = None
    version: str | None = None
    tables: Annotated[int, Meta(ge=1)] = 1
    asks: tuple[Ask, ...] = ()


class Reply(Answer, frozen=True, kw_only=True):
    """The part that all answers to requests share."""

    id: Annotated[int, Meta(ge=0, lt=1 << 53)]
    note: Note | None = None


class BlindReply(Reply, frozen=True, tag="blind"):
    blind: bool


class BidReply(Reply, frozen=True, tag="bid"):
    bid: Word


class TalonReply(Reply, frozen=True, tag="talon"):
    choice: Word


class DiscardReply(Reply, frozen=True, tag="discard"):
    cards: tuple[Word, Word]


class SurrenderReply(Reply, frozen=True, tag="surrender"):
    surrender: bool


class OfferReply(Reply, frozen=True, tag="offer"):
    accept: bool


@final
class PlayReply(Reply, frozen=True, tag="play"):
    """A card, or `offer` true where the request's `may_offer` was."""

    card: Word | None = None
    offer: bool = False


AnyReply = (
    BlindReply | BidReply | TalonReply | DiscardReply | SurrenderReply | OfferReply | PlayReply
)
FromBot = Ready | AnyReply

REPLY_TO: dict[type[AnyRequest], type[AnyReply]] = {
    AskBlind: BlindReply,
    AskBid: BidReply,
    AskTalon: TalonReply,
    AskDiscard: DiscardReply,
    AskSurrender: SurrenderReply,
    AskOffer: OfferReply,
    AskPlay: PlayReply,
}


# --- bytes -----------------------------------------------------------------------------------


class Malformed(ValueError):
    """Bytes that are not an answer; the text explains why, without quoting them at length."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromBot)
_told = msgspec.json.Decoder(ToBot)


def encode(message: ToBot) -> bytes:
    """The line of a message, including its newline."""
    return _encoder.encode(message) + b"\n"


def message_in(line: bytes) -> ToBot:
    """The message in a line to a bot, read by programs that take a bot's place."""
    message: ToBot = _told.decode(line)
    return message


def write(message: ToBot, to: bytearray) -> None:
    """Append the line of a message."""
    _encoder.encode_into(message, to, -1)
    to += b"\n"


def decode(line: bytes) -> FromBot:
    """The answer in a bot's line. Raises `Malformed` for any bytes that are not one."""
    try:
        answer: FromBot = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(why_unreadable(line, error)) from None
    if len(line) > 2 * MOST_NESTED and is_too_deep(line):
        raise Malformed(f"the line is nested more than {MOST_NESTED} deep")
    note = None if type(answer) is Ready else answer.note
    if note is not None and len(note.encode()) > NOTE_BYTES:
        raise Malformed(f"the note is longer than {NOTE_BYTES} bytes")
    return answer


def decode_ready(line: bytes) -> Ready:
    """The answer to `hello` in a bot's line. Raises `Malformed`, also for another protocol."""
    answer = decode(line)
    if not isinstance(answer, Ready):
        raise Malformed(f"answers {_type(answer)}, asked hello: the first answer is ready")
    if answer.protocol != PROTOCOL:
        raise Malformed(f"this arena speaks protocol {PROTOCOL}, not {answer.protocol}")
    return answer


def reply_to(request: AnyRequest, answer: FromBot) -> AnyReply:
    """The answer, checked against this very request. Raises `Malformed` for another type or id."""
    if type(answer) is Ready or type(answer) is not REPLY_TO[type(request)]:
        raise Malformed(f"answers {_type(answer)}, asked {_type(request)}")
    if answer.id != request.id:
        raise Malformed(f"answers id {answer.id}, asked {request.id}")
    if type(answer) is PlayReply and answer.offer is (answer.card is not None):
        raise Malformed("a play is either a card or an offer")
    return answer


def _type(message: msgspec.Struct) -> str:
    return str(message.__struct_config__.tag)


def schema() -> dict[str, object]:
    """The JSON Schema of the protocol: `to_bot`, `from_bot` and their parts."""
    (to_bot, from_bot), parts = msgspec.json.schema_components(
        (ToBot, FromBot), ref_template="#/$defs/{name}"
    )
    for part in parts.values():
        if "description" in part:  # a docstring, which is indented until Python 3.13
            part["description"] = cleandoc(part["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Zole Arena protocol, version 1",
        "description": f"Cards are {len(NAMES)} of rank and suit; one JSON object a line.",
        "$defs": {**parts, "to_bot": to_bot, "from_bot": from_bot},
        "oneOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
    }
