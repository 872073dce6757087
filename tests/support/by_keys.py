"""Keys that give a certain answer at a person's screen."""

from collections.abc import Iterator

from arena.match.wire import AnyReply, DiscardReply, PlayReply
from arena.people.terminal_face import Act, Face

RIGHT, ENTER = "\x1b[C", "\r"


def keys_shown(face: Face, reply: AnyReply) -> Iterator[str]:
    """The keys that the screen shows for an answer."""
    assert face.table is not None
    hand = face.table.hand
    match reply:
        case DiscardReply(cards=cards):
            yield from (_number(hand, card) for card in cards)
            yield ENTER
        case PlayReply(card=card) if card is not None:
            yield _number(hand, card)
        case PlayReply():
            yield from "oy"
        case _:
            yield next(each.letter for each in face.words if each.reply == reply)


def arrows(face: Face, reply: AnyReply) -> Iterator[str]:
    """The same answer by arrow keys and Enter."""
    match reply:
        case DiscardReply(cards=cards):
            for card in cards:
                yield from _to(face, face.legal.index(card))
                yield " "
        case PlayReply(card=card) if card is not None:
            yield from _to(face, face.legal.index(card))
        case _:
            replies = [each.reply for each in face.words]
            yield from _to(face, len(face.legal) + replies.index(reply))
    yield ENTER
    if isinstance(reply, PlayReply) and reply.offer:
        yield "y"


def answered(face: Face, keys: Iterator[str]) -> Act | None:
    """What the face gives for some keys, all of which it needs."""
    acts = [face.press(key) for key in keys]
    assert not any(acts[:-1])
    return acts[-1]


def _number(hand: tuple[str, ...], card: str) -> str:
    return str((hand.index(card) + 1) % 10)


def _to(face: Face, place: int) -> Iterator[str]:
    """Keys that move the cursor to one of the places where it can be."""
    places = [*face.legal, *range(len(face.words))]
    while face.cursor != places[place]:
        yield RIGHT
