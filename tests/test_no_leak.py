"""Nothing that a seat is sent or shown depends on what it may not know, on any face of a match.

Each match is compared with another that the seat cannot tell from it (`tests.support.alike`): the
hidden cards are redealt, the others' private words and the future differ. The lines to the seat,
the terminal, the page, exports and bundles must stay the same bytes.
"""

import asyncio
import contextlib
import io
import random
import socket
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.types import Message

from arena.match import board, projection
from arena.match import replay as views
from arena.match.commands import FAULT_WORDS, Fault, Question
from arena.match.log import LoggedFailure
from arena.match.projection import keep_private_text_of, seen_by
from arena.match.projection import public as for_public
from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import FaultSeen, encode, message_in
from arena.people.advice import open_decision, seat_deal
from arena.people.pages import SeatSite
from arena.people.seat import PersonSeat
from arena.people.seat import watched as watched_line
from arena.record.export import TABLES, public_log, seat_log, whole_log
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch, seen
from arena.record.store import Store
from arena.reports.page import page_review, replay_page
from arena.reports.played import bundle_lines, show_deal
from arena.review import verdict as verdicts
from arena.review.decisions import decisions
from arena.review.verdict import Verdict, verdict
from arena.review.worlds import known
from arena.zole import view
from arena.zole.cards import names
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import preset
from arena.zole.state import State
from tests.support.alike import BOTS, CANARY, Alike, Place, Step, alike, mixed, played, stored
from tests.support.browser import Browser
from tests.support.made_up import ByChance
from tests.support.records import at, record_of
from tests.support.scripted import plan_of

RULES = {
    "pagat": preset(),
    "corrected": preset("piedalies", {"conduct": {"corrections": 2}}),
    "substituted": preset("gamerules", {"conduct": {"on_fault": "substitute"}}),
    "lzsf": preset("lzsf"),
    "five": preset("lzsf", {"players": 5, "conduct": {"corrections": 1, "on_fault": "substitute"}}),
    "blind": preset(
        "pagat", {"players": 4, "auction": {"contracts": ["ordinary", "solo", "blind"]}}
    ),
    "talon plays": preset("pagat", {"all_pass": "table", "table": {"talon": "first_two_tricks"}}),
}
PAIRS = 14
MANY = 60
counts = pytest.mark.parametrize("count", [PAIRS, pytest.param(MANY, marks=pytest.mark.slow)])
"""How many pairs of matches are compared."""

ASKS = ("blind", "bid", "talon", "discard", "play", "surrender", "offer")


@cache
def pairs(name: str, public: bool = False, count: int = PAIRS) -> list[Alike]:
    """Matches that look alike to a seat, or to who has none."""
    tried = (alike(RULES[name], seed, public) for seed in range(4 * count))
    return list(islice((pair for pair in tried if pair is not None), count))


@cache
def replayed(name: str, public: bool, count: int) -> list[tuple[Place, list[ReplayedMatch]]]:
    """The same pairs played to the end, for all faces of an arena that leaks nothing."""
    return [(pair.place, pair.matches()) for pair in pairs(name, public, count)]


def encoded(found: SeenMatch) -> str:
    return msgspec.json.encode(found).decode()


def shown(found: SeenMatch, deals: Sequence[SeenDeal] | None = None) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for deal in found.deals if deals is None else deals:
            show_deal(found, deal)
    return out.getvalue()


# --- the faces of a match, each as far as a seat's view goes at a place ---


def lines_by(match: ReplayedMatch, place: Place) -> tuple[list[bytes], bool]:
    """The lines to a seat up to a moment, and whether the last of them is still to be answered."""
    lines = [encode(match.match.hellos[seat_of(place)])]
    past = sum(len(game.steps) for game in match.deals[: place.deal]) + place.ply
    over = place.ply == len(match.deals[place.deal].steps)
    for game in match.deals:
        for step in game.asked:
            question = step.question
            if past == 0:
                asked = question.seat == place.viewer and not over
                return (lines + [encode(question.line)] * asked), asked
            past -= 1
            lines += [encode(question.line)] * (question.seat == place.viewer)
        lines.append(encode(game.ends[seat_of(place)]))
    return lines, False


def seat_of(place: Place) -> int:
    assert isinstance(place.viewer, int)
    return place.viewer


def wire(match: ReplayedMatch, place: Place) -> object:
    return lines_by(match, place)[0]


def streamed(match: ReplayedMatch, place: Place) -> object:
    return asyncio.run(_streamed(lines_by(match, place)[0]))


async def _streamed(lines: list[bytes]) -> list[bytes]:
    ours, theirs = socket.socketpair()
    seat = PersonSeat(theirs, 300.0)
    for line in lines:
        seat.hear(line.rstrip(), 0.0)
    with ours, theirs:
        return [
            part for after in (0, len(lines) - 1) for part in await _sent(seat, after, len(lines))
        ]


async def _sent(seat: PersonSeat, after: int, last: int) -> list[bytes]:
    """What a stream sends up to an event, but for the seconds that are left."""
    sent: list[bytes] = []

    async def send(message: Message) -> None:
        sent.append(message.get("body", b""))

    async def receive() -> Message:
        while not any(b"id: %d\n" % last in each for each in sent):
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    query = f"after={after}".encode()
    scope = {"type": "http", "method": "GET", "headers": [], "query_string": query}
    site = SeatSite[PersonSeat](frozenset(), "", [])
    await site.stream(Request(scope), seat, watching=False)(scope, receive, send)
    return [each for each in sent if b"left_s" not in each]


def advised(match: ReplayedMatch, place: Place) -> object:
    lines, asked = lines_by(match, place)
    told = seat_deal(lines)
    if not asked or told is None:
        return None
    made = open_decision(told)
    judged = verdict(ByChance(), made, "key", 4) if len(made.answers) > 1 else None
    return known(made.past, seat_of(place)), made.answers, judged


def document(match: ReplayedMatch, place: Place) -> object:
    return encoded(seen_by(at(seen(match), place.deal, place.ply), seat_of(place)))


def printed(match: ReplayedMatch, place: Place) -> object:
    """The deals printed whole, up to the line of a step."""
    given = seen_by(seen(match), seat_of(place))
    lines = shown(given, [given.deals[place.deal]]).splitlines()
    ends = (number for number, line in enumerate(lines) if line.startswith(f"{place.ply + 1:4} "))
    return shown(given, given.deals[: place.deal]), lines[: next(ends, None)]


def exported(match: ReplayedMatch, place: Place) -> object:
    sent, asked = lines_by(match, place)
    lines = seat_log(match, seat_of(place), private=True).splitlines()
    return lines[: 1 + len(sent) - asked]


def bundled(match: ReplayedMatch, place: Place) -> object:
    return [
        msgspec.structs.replace(each, forfeited=0)  # which is told once the match is over
        for each in bundles(match, "L")
        if each.seat == place.viewer and (each.deal, each.ply) <= (place.deal, place.ply)
    ]


def public(match: ReplayedMatch, place: Place) -> object:
    head, *deals = map(msgspec.json.decode, public_log(match).splitlines())
    moments = seen(match).deals[place.deal].moments
    now = deals[place.deal]
    if place.ply < len(moments):
        happened = 1 + sum(len(moment.events) for moment in moments[: place.ply])
        now = {"events": now["events"][:happened]}
    return head, deals[: place.deal], now


def watched(match: ReplayedMatch, place: Place) -> object:
    return [
        watched_line(message_in(line))
        for seat in range(match.plan.rules.players)
        for line in lines_by(match, msgspec.structs.replace(place, viewer=seat))[0]
    ]


Face = Callable[[ReplayedMatch, Place], object]


PUBLIC: list[Face] = [
    public,  # what `export --view public` has of what happened so far
    watched,  # what those are sent who watch behind a person, whichever seat that has
]
FACES: list[Face] = [
    wire,  # what the seat was sent
    streamed,  # what a person's browser is sent, from the first line and resumed at the last
    advised,  # what a hint to a person is made from, where one is asked
    document,  # what may be shown of the match, for whatever face
    printed,
    exported,  # what `export --view seat:S` has of the exchange so far
    bundled,  # what is kept of the seat's own faults so far
    *PUBLIC,
]


def compare(face: Face, found: Iterable[tuple[Place, Sequence[ReplayedMatch]]]) -> None:
    for place, (one, other) in found:
        known = face(one, place)
        assert known == face(other, place), f"{face.__name__} tells apart what {place} cannot"


@counts
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("face", FACES)
def test_a_face_is_the_same_whatever_is_hidden(face: Face, name: str, count: int) -> None:
    compare(face, replayed(name, face in PUBLIC, count))


@pytest.mark.parametrize("name", RULES)
def test_enough_matches_equal_name_to_mean_something(name: str) -> None:
    assert len(pairs(name)) >= PAIRS // 2
    assert sum(pair.redealt for pair in pairs(name)) >= PAIRS // 3
    assert len(pairs(name, public=True)) >= PAIRS // 2


def test_the_matches_have_all_that_could_tell_something() -> None:
    found = [
        (pair.place, moment, match.deals[0])
        for name in RULES
        for pair in pairs(name)
        for match in (at(seen(pair.matches()[0]), pair.place.deal, pair.place.ply),)
        for moment in match.deals[0].moments
    ]
    for own in (False, True):
        mine = [each for place, each, _ in found if (each.seat == place.viewer) is own]
        assert any(moment.note for moment in mine)
        assert any("is not one of" in moment.refused.detail for moment in mine if moment.refused)
        assert any("is not one of" in moment.fault.detail for moment in mine if moment.fault)
    assert any(moment.board.unlooked for _, moment, _ in found)
    assert any(moment.board.winner == "talon" for _, moment, _ in found)
    assert any(place.viewer not in deal.active for place, _, deal in found)
    assert any(deal.result is not None for _, _, deal in found)
    assert {moment.ask for _, moment, _ in found} == set(ASKS)
    answers = {(moment.ask, moment.answer) for _, moment, _ in found}
    assert answers >= {("surrender", "no"), ("offer", "no"), ("blind", "yes"), ("talon", "give")}


# --- in a browser ---


def page_of(
    match: ReplayedMatch, place: Place, browser: Browser, file: Path, review: bool = True
) -> object:
    """Everything a reader of the page can see, also after asking for faults, mistakes, results."""
    file.write_text(
        replay_page(seen(match), review=reviewed(match) if review else None), encoding="utf-8"
    )
    browser.open(file, f"#deal={place.deal + 1}&ply={place.ply}&seat={place.viewer}")
    at_once = browser.shown()
    browser.press("f", "m", "r")
    told = browser.shown()
    browser.press("Shift+m")
    return at_once, told, browser.shown()


def reviewed(match: ReplayedMatch) -> dict[str, object]:
    """A review in which every value hangs on all cards, open or not."""
    found: dict[int, list[Verdict]] = {}
    for each in decisions(match.deals):
        if each.kind in ("play", "discard", "surrender", "offer"):
            found.setdefault(each.deal, []).append(verdict(ByChance(), each, "key", 4))
    by_deal = {deal: tuple(each) for deal, each in found.items()}
    return page_review(seen(match), by_deal, "arena review")


@pytest.mark.parametrize("count", [1, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RULES)
def test_a_page_is_the_same_whatever_is_hidden(
    name: str, count: int, browser: Browser, tmp_path: Path
) -> None:
    for pair in pairs(name)[:count]:
        one, other = (
            page_of(match, pair.place, browser, tmp_path / "match.html") for match in pair.matches()
        )
        assert one == other, pair.place


# --- a seat that sits out ---


def unheard(name: str) -> list[tuple[ReplayedMatch, Place]]:
    """Two matches of one deal with other cards and bids, each in its middle, as its dealer looks.

    The dealer sits out, and is sent nothing before the deal is over.
    """
    found = []
    for seed in (1, 2):
        dice = random.Random(seed)
        cards = from_deck(shuffled(f"unheard {seed}"), RULES[name], 0)
        plan = plan_of(RULES[name], [cards])
        match = stored(plan, played(plan, partial(by_dice, dice))[1])
        place = Place(0, 5 + seed, cards.dealer)
        assert lines_by(match, place) == ([encode(match.match.hellos[cards.dealer])], False)
        assert cards.dealer not in match.deals[0].state.active
        found.append((match, place))
    return found


def by_dice(dice: random.Random, _: int, question: Question) -> Step:
    return mixed(dice, question)


sitting_out = pytest.mark.parametrize("name", ["five", "blind"])


@sitting_out
def test_a_seat_that_sits_out_knows_nothing_before_the_deal_is_over(name: str) -> None:
    one, other = (document(*each) for each in unheard(name))
    assert one == other


@sitting_out
def test_a_page_tells_a_seat_that_sits_out_nothing_before_the_deal_is_over(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    one, other = (page_of(*each, browser, tmp_path / "match.html") for each in unheard(name))
    assert one == other


# --- leaks that are planted ---


BLAME = board.Board.blame


def with_detail(self: board.Board, fault: Fault) -> None:
    BLAME(self, fault)
    place = next(i for i, each in enumerate(self.events) if isinstance(each, FaultSeen))
    self.events[place] = FaultSeen(fault.seat, fault.kind, fault.detail)


def next_hand(state: State, seat: int) -> tuple[str, ...]:
    return names(state.hands[(seat + 1) % len(state.hands)])


LEAKS: dict[str, tuple[Any, str, Any, set[Face]]] = {
    "hands": (view, "_sees_hand", lambda *_: True, {document, printed}),
    "talon": (view, "_talon_seen", lambda *_: (0, 1), {document, printed}),
    "discards": (view, "_sees_discards", lambda *_: True, {document}),
    "requests": (view, "hand", next_hand, {wire, exported, bundled}),
    "words": (projection, "_without_words", lambda moment: moment, {document, printed}),
    "answers": (views, "_told", lambda *known: known[2], {document, printed}),
    "details": (board.Board, "blame", with_detail, {wire, document, exported, bundled, *PUBLIC}),
}
"""What is replaced by what, and which faces must show it."""


@pytest.mark.parametrize(
    ("leak", "face"), [(leak, face) for leak in LEAKS for face in FACES if face in LEAKS[leak][3]]
)
def test_a_planted_leak_is_seen(leak: str, face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [pair for name in RULES for pair in pairs(name, face in PUBLIC)]  # nothing leaks yet
    monkeypatch.setattr(*LEAKS[leak][:3])
    with pytest.raises(AssertionError, match="tells apart"):
        compare(face, ((pair.place, pair.matches()) for pair in made))


def differ_on_the_page(
    looked: list[Alike], browser: Browser, file: Path, review: bool = True
) -> bool:
    shown = (
        [page_of(match, pair.place, browser, file, review) for match in pair.matches()]
        for pair in looked
    )
    return any(one != other for one, other in shown)


@pytest.mark.parametrize("leak", ["hands", "talon", "answers"])
def test_a_leak_that_is_planted_is_seen_on_the_page(
    leak: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = [pair for pair in pairs("pagat") if pair.place.ply > 3][:8]
    monkeypatch.setattr(*LEAKS[leak][:3])
    assert differ_on_the_page(looked, browser, tmp_path / "match.html", review=False)


def test_a_review_that_tells_what_its_seat_did_not_know_is_seen_on_the_page(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = [pair for pair in pairs("pagat") if pair.redealt and pair.place.ply > 8][:4]
    monkeypatch.setattr(verdicts, "known", lambda past, seat, usual: past[-1])
    monkeypatch.setattr(verdicts, "Worlds", RealDeal)
    assert differ_on_the_page(looked, browser, tmp_path / "match.html")


class RealDeal:
    """In the place of worlds: the deal as it was."""

    placings = 10**9

    def __init__(self, state: State) -> None:
        self._state = state

    def sample(self, count: int, _: str) -> tuple[State, ...]:
        return (self._state,) * count


# --- what a bot says to its author alone: notes, stderr and details of faults ---

SEATS = range(3)


@cache
def matches() -> list[ReplayedMatch]:
    """Matches in which every bot has faulted and was refused something, and all wrote notes."""
    found = []
    for corrections in (0, 1):
        plan = plan_of(preset("pagat", {"conduct": {"corrections": corrections}}), 12)
        _, log = played(plan, partial(by_dice, random.Random(corrections)))
        found.append(stored(plan, log))
    return found


def canaries(text: str) -> set[str]:
    return {bot for bot in BOTS[:3] if f"{CANARY}{bot}" in text}


def tables(match: ReplayedMatch, private: bool, folder: Path) -> str:
    """Tables of an export, from a record of the match alone."""
    with contextlib.closing(Store.open(record_of(match, folder))) as store:
        shown = ("moves", "faults", "games")
        return "\n".join(str(row) for what in shown for row in TABLES[what](store, None, private))


def bundled_lines(match: ReplayedMatch) -> str:
    return "\n".join(line.plain for each in bundles(match, "L") for line in bundle_lines(each))


def public_texts(match: ReplayedMatch, folder: Path) -> list[str]:
    """All that the public may be shown of a match."""
    found = for_public(seen(match))
    return [
        *(encoded(found), shown(found), replay_page(found), tables(match, False, folder)),
        *(whole_log(match, private=False), public_log(match)),
        *(seat_log(match, seat, private=False) for seat in SEATS),
    ]


def test_the_organiser_reads_all_private_words_and_the_public_none(tmp_path: Path) -> None:
    for match in matches():
        found = seen(match)
        texts = [encoded(found), shown(found), replay_page(found), bundled_lines(match)]
        texts += [tables(match, True, tmp_path), whole_log(match, private=True)]
        assert [canaries(text) for text in texts] == [set(BOTS[:3])] * 6
        assert [canaries(text) for text in public_texts(match, tmp_path)] == [set()] * 9


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_and_an_author_read_their_own_and_of_others_the_arenas_words(seat: int) -> None:
    for match in matches():
        found = seen_by(seen(match), seat)
        of_author = keep_private_text_of(seen(match), (seat,))
        texts = [encoded(found), encoded(of_author), shown(found)]
        texts.append(seat_log(match, seat, private=True))
        assert [canaries(text) for text in texts] == [{BOTS[seat]}] * 4
        others = [each for deal in found.deals for each in deal.moments if each.seat != seat]
        faults = [each.fault for each in others if each.fault]
        assert faults
        assert all(each.detail == FAULT_WORDS[each.kind] for each in faults)
        assert not any(each.refused for each in others)


def refusals(found: SeenMatch) -> list[LoggedFailure]:
    return [each.refused for deal in found.deals for each in deal.moments if each.refused]


def test_only_its_own_bot_and_the_organiser_read_why_an_answer_was_refused() -> None:
    match = matches()[1]
    refused, told = refusals(seen(match)), refusals(for_public(seen(match)))
    assert [each.kind for each in told] == [each.kind for each in refused]
    assert all(each.detail == FAULT_WORDS[each.kind] for each in told)
    reasons = {each.detail for each in refused if "is not one of" in each.detail}
    assert reasons
    texts = [encoded(for_public(seen(match)))]
    texts += [seat_log(match, seat, private=False) for seat in SEATS]
    assert not any(reason in text for reason in reasons for text in texts)
    own = "".join(seat_log(match, seat, private=True) for seat in SEATS)
    assert all(reason in own for reason in reasons)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("_without_words", lambda moment: moment),
        ("exchange_without_words", lambda line, came: (line, came)),
    ],
)
def test_private_words_that_are_left_in_would_be_seen(
    name: str, instead: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches()
    monkeypatch.setattr(projection, name, instead)
    exchange = projection.exchange_without_words
    monkeypatch.setattr("arena.record.export.exchange_without_words", exchange)
    assert any(canaries(text) for match in matches() for text in public_texts(match, tmp_path))
