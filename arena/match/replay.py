"""A match as people look at it: each request, what came of it, and what lay on the table then."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from arena.match.commands import Fault, Finished, MatchPlan, PlayedDeal, Question, Said
from arena.match.log import LoggedFailure, answer_text
from arena.match.logged import LoggedMatch
from arena.match.wire import (
    AnyEvent,
    BidMade,
    BlindSaid,
    CardPlayed,
    ContractMade,
    FaultSeen,
    Placed,
    Refused,
    Result,
    ToBot,
    TrickTaken,
)
from arena.zole.cards import INDEX, mask, names
from arena.zole.deal import Seat, active_seats
from arena.zole.rules import Rules


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lies where. Hands and discards are cards joined by dots, by seat.

    `trick` is the last one laid to, with its `winner` once it is complete; `points` and `tricks`
    count complete tricks by seat, `talon_points` those that fell to the talon. The declarer of an
    ordinary game holds the talon as soon as there is a contract (`taken`). `unlooked` are seats
    that may still declare a blind game and therefore do not know their own hand.
    """

    hands: tuple[str, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    talon_points: int = 0
    trick: tuple[Placed, ...] = ()
    winner: Seat | Literal["talon"] | None = None
    declarer: Seat | None = None
    contract: str | None = None
    taken: bool = False
    discards: str = ""
    unlooked: tuple[Seat, ...] = ()


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request to a seat, what came of it, and the board afterwards.

    `ask` is the request's type, `id` its number, `answer` the log's word, None where none came.
    `fault` is what the answer, or its absence, was blamed for; `refused` what it was sent back for.
    """

    seat: Seat
    ask: str
    id: int
    answer: str | None
    seconds: float
    events: tuple[AnyEvent, ...]
    board: Board
    note: str | None = None
    fault: LoggedFailure | None = None
    refused: LoggedFailure | None = None


class SeenDeal(msgspec.Struct, frozen=True):
    """A deal from `begin`, the board as dealt, to its result. `first` are the events before all."""

    deal: int
    dealer: Seat
    active: tuple[Seat, ...]
    talon: tuple[str, ...]
    first: tuple[AnyEvent, ...]
    begin: Board
    moments: tuple[Moment, ...]
    result: Result


class SeenMatch(msgspec.Struct, frozen=True):
    """A whole match. `bots` are by seat; `stderr` is there only where it was asked for.

    `match` is its number in the league's record. `deals` are numbered from 0 as the bots saw them.
    """

    league: str | None
    match: int | None
    bots: tuple[str, ...]
    rules: Rules
    isolation: str
    deals: tuple[SeenDeal, ...]
    stderr: tuple[str, ...] = ()


def seen_deals(plan: MatchPlan, log: bytes) -> Iterator[SeenDeal]:
    """The deals of a match from its log. Raises `Unfaithful` as `LoggedMatch` does."""
    asked: list[tuple[int, Question]] = []
    told = [0] * plan.rules.players
    for command, _ in LoggedMatch(plan, log).commands():
        match command:
            case Question(seat, line, request):
                if line is request:  # else it is asked again, and there is no news in that
                    told[seat] += len(request.events)
                asked.append((told[seat], command))
            case Finished(played):
                yield _seen(played, asked, "blind" in plan.rules.auction.contracts)
                asked = []
                told = [0] * plan.rules.players


def seen_by(board: Board, seat: Seat) -> Board:
    """The board as a seat knows it: each card whose place it cannot know is a question mark.

    What it may know is decided by what it was dealt, took and laid aside, and what lies open.
    """
    hands = tuple(
        hand if who == seat and seat not in board.unlooked else _covered(hand)
        for who, hand in enumerate(board.hands)
    )
    discards = board.discards if board.declarer == seat else _covered(board.discards)
    return msgspec.structs.replace(board, hands=hands, discards=discards)


def _covered(cards: str) -> str:
    return ".".join("?" for _ in cards.split(".")) if cards else ""


def public(match: SeenMatch) -> SeenMatch:
    """The match without what is private to its bots: notes, stderr and the details of faults."""
    deals = tuple(
        msgspec.structs.replace(deal, moments=tuple(map(_public, deal.moments)))
        for deal in match.deals
    )
    return msgspec.structs.replace(match, deals=deals, stderr=())


def _public(moment: Moment) -> Moment:
    return msgspec.structs.replace(
        moment,
        note=None,
        fault=moment.fault and LoggedFailure(moment.fault.kind, ""),
        refused=moment.refused and LoggedFailure(moment.refused.kind, ""),
    )


def _seen(game: PlayedDeal, asked: Sequence[tuple[int, Question]], blind: bool) -> SeenDeal:
    """A game with its events shared out among the requests that they followed.

    `asked` has every request with the number of events before it; `blind` says whether the rules
    have a game that is declared before one has looked at one's cards.
    """
    result = game.result
    active = active_seats(game.deal.players, game.deal.dealer)
    nothing = (0,) * len(result.hands)
    hands = tuple(map(".".join, result.hands))
    begin = Board(hands, nothing, nothing, unlooked=active if blind else ())
    bounds = [before for before, _ in asked] + [len(game.events)]
    first = game.events[: bounds[0]]
    board = _after(begin, first, result)
    faults = iter(game.faults)
    moments: list[Moment] = []
    for number, (seat, outcome) in enumerate(game.steps):
        request = asked[number][1].request
        ask = str(request.__struct_config__.tag)
        events = game.events[bounds[number] : bounds[number + 1]]
        board = _after(board, events, result)
        refused = _refusal(asked[number + 1][1].line) if number + 1 < len(asked) else None
        if ask == "discard" and refused is None:
            board = _laid_aside(board, result.discards)
        faulted = any(isinstance(event, FaultSeen) for event in events)
        moments.append(
            Moment(
                seat,
                ask,
                request.id,
                answer_text(outcome.reply) if isinstance(outcome, Said) else None,
                outcome.us / 1e6,
                events,
                board,
                outcome.reply.note if isinstance(outcome, Said) else None,
                _blame(next(faults)) if faulted else None,
                refused,
            )
        )
    return SeenDeal(
        game.number, game.deal.dealer, active, result.talon, first, begin, tuple(moments), result
    )


def _blame(fault: Fault) -> LoggedFailure:
    return LoggedFailure(fault.kind, fault.detail)


def _refusal(line: ToBot) -> LoggedFailure | None:
    """Why the line before was sent back, if that is what a line says."""
    return LoggedFailure(line.fault, line.detail) if isinstance(line, Refused) else None


def _after(board: Board, events: Sequence[AnyEvent], result: Result) -> Board:
    """The board when these events have happened."""
    for event in events:
        match event:
            case ContractMade(declarer, contract):
                taken = contract == "ordinary" and declarer is not None
                hands = board.hands
                if taken and declarer is not None:
                    hands = _with_hand(board, declarer, (*_held(board, declarer), *result.talon))
                board = msgspec.structs.replace(
                    board,
                    declarer=declarer,
                    contract=contract,
                    taken=taken,
                    hands=hands,
                    unlooked=(),
                )
            case BlindSaid(seat) | BidMade(seat):
                unlooked = tuple(each for each in board.unlooked if each != seat)
                board = msgspec.structs.replace(board, unlooked=unlooked)
            case CardPlayed(seat, card):
                board = _laid(board, seat, card)
            case TrickTaken(_, winner, points):
                board = _gathered(board, winner, points)
            case _:
                pass
    return board


def _laid(board: Board, seat: Seat | Literal["talon"], card: str) -> Board:
    """A card joins the trick, a new one if the last was complete."""
    trick = board.trick if board.winner is None else ()
    hands = board.hands
    if not isinstance(seat, str):
        hands = _with_hand(board, seat, [held for held in _held(board, seat) if held != card])
    return msgspec.structs.replace(
        board, hands=hands, trick=(*trick, Placed(seat, card)), winner=None
    )


def _gathered(board: Board, winner: Seat | Literal["talon"], points: int) -> Board:
    if isinstance(winner, str):
        return msgspec.structs.replace(
            board, winner=winner, talon_points=board.talon_points + points
        )
    return msgspec.structs.replace(
        board,
        winner=winner,
        points=_plus(board.points, winner, points),
        tricks=_plus(board.tricks, winner, 1),
    )


def _laid_aside(board: Board, discards: Sequence[str]) -> Board:
    """The declarer's two cards leave its hand; none where the deal was over before."""
    if board.declarer is None:
        return board
    kept = [card for card in _held(board, board.declarer) if card not in discards]
    hands = _with_hand(board, board.declarer, kept)
    return msgspec.structs.replace(board, hands=hands, discards=".".join(discards))


def _held(board: Board, seat: Seat) -> list[str]:
    return board.hands[seat].split(".") if board.hands[seat] else []


def _with_hand(board: Board, seat: Seat, cards: Iterable[str]) -> tuple[str, ...]:
    """All hands, one of them anew, in the order of strength."""
    hand = ".".join(names(mask(INDEX[card] for card in cards)))
    return (*board.hands[:seat], hand, *board.hands[seat + 1 :])


def _plus(counts: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])
