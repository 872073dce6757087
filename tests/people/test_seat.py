"""A person's seat: its answers and clock, its watchers, whole matches of people, and its hints.

A hint is a sensible answer, what is said of it is true, and it knows what its seat knows.
"""

import random
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from itertools import pairwise, permutations, product
from operator import xor

import msgspec
import pytest

from arena.base.refusals import Conflict
from arena.engine.job import Job, PersonLink
from arena.engine.players import LEFT
from arena.engine.worker import play_match
from arena.match.commands import Failed, MatchPlan, Outcome, PlayedDeal, Question, Said, Tell
from arena.match.log import LogWriter, answer_text
from arena.match.logged import play_again, verify
from arena.match.match import Match, play_through
from arena.match.record import MatchRecord
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    BidReply,
    Bye,
    Hello,
    Limits,
    Malformed,
    Refused,
    Request,
    ToBot,
    decode,
    encode,
)
from arena.people.advice import hint, open_decision, seat_deal, seat_decisions, verdicts
from arena.people.reasons import avoids_tricks, by_custom, reasons
from arena.people.seat import READY, Conversation, watched
from arena.people.server import PLAY_PAGE
from arena.people.terminal import reason_words
from arena.reports.language import ENGLISH, Language, Phrase
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.review.verdict import Valued, Verdict
from arena.review.worlds import KnownCards, known
from arena.sandbox.isolation import choose_isolation
from arena.zole import play
from arena.zole.cards import (
    BEATEN_BY,
    INDEX,
    NAMES,
    POINTS,
    SUIT_OF,
    TRUMPS,
    Card,
    Cards,
    mask,
    members,
    names,
    points,
    winner,
)
from arena.zole.deal import Seat
from arena.zole.rules import preset, preset_names
from arena.zole.state import Play, State
from tests.match.test_record import played as match_by_chance
from tests.support.alike import mixed, played
from tests.support.people import by_chance
from tests.support.present import present
from tests.support.scripted import ASKS_ALL, drive, exchanged, plan_of
from tests.support.transcripts import simple

by_every_preset = pytest.mark.parametrize(
    ("name", "players"), [(name, players) for name in preset_names() for players in (3, 4)]
)


@by_every_preset
def test_watchers_are_told_all_that_all_seats_are_told(name: str, players: int) -> None:
    dice = random.Random(3)
    plan = plan_of(preset(name, {"players": players}), 3)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    again = play_again(plan, log)
    known = {"type", "deal", "events", "rules", "players"}
    for seat in range(players):
        sent = [line for line, _ in again.transcript(seat)]
        lines = [msgspec.json.decode(line) for line in map(watched, sent) if line]
        assert lines[0]["type"] == "hello"
        for line in lines:
            assert {*line} - known == ({"result"} if line["type"] == "deal_end" else set())
        for deal, game in enumerate(again.deals):
            mine = [line for line in lines if line.get("deal") == deal]
            assert [line["type"] for line in mine] == ["told"] * (len(mine) - 1) + ["deal_end"]
            expected = msgspec.json.decode(msgspec.json.encode(game.events))
            del expected[0]["seat"]
            assert [event for line in mine for event in line["events"]] == expected
            assert mine[-1]["result"] == msgspec.json.decode(msgspec.json.encode(game.result))


REQUEST = AskBid(1, 0, 0, 0, (), 120.0, ("7C",), ("pass", "ordinary"))


def test_a_hint_is_noted_with_the_answer_that_follows_it_and_answers_nothing_twice() -> None:
    talk = Conversation()
    talk.hear(msgspec.json.encode(REQUEST), 0.0)
    reply = BidReply(id=1, bid="pass")
    talk.hint(reply)
    noted = msgspec.structs.replace(reply, note="hint: pass")
    assert decode(talk.reply(msgspec.json.encode(reply))) == noted
    again, greeting = map(msgspec.json.encode, (reply, READY))
    for line, error in ((again, Conflict), (b"?", Malformed), (greeting, Conflict)):
        with pytest.raises(error):
            talk.reply(line)


def test_the_seconds_left_are_those_of_the_first_time_it_was_asked() -> None:
    talk = Conversation()
    assert talk.left_s(1.0) is None
    talk.hear(msgspec.json.encode(REQUEST), 10.0)
    assert talk.left_s(40.0) == 90.0
    talk.reply(msgspec.json.encode(BidReply(id=1, bid="all")))
    assert talk.request is None
    talk.hear(msgspec.json.encode(Refused(1, "illegal", "no")), 50.0)
    assert talk.request == REQUEST
    assert [talk.left_s(now) for now in (60.0, 600.0)] == [70.0, 0.0]


# --- whole matches ---


class Person(threading.Thread):
    """Somebody at the other end: answers by chance, may leave, and may forget to answer."""

    def __init__(
        self, end: socket.socket, seed: int, leaves_after: int | None = None, sleeps: bool = False
    ) -> None:
        super().__init__()
        self.asked, self.heard, self.talk = Counter[str](), list[ToBot](), Conversation()
        self._end, self._dice = end, random.Random(seed)
        self._leaves_after, self._sleeps = leaves_after, sleeps
        self.start()

    def run(self) -> None:
        with self._end, self._end.makefile("rb") as file:
            for line in file:
                said = self.talk.hear(line.strip(), 0.0)
                self.heard.append(said)
                if isinstance(said, Bye):
                    return
                if sum(self.asked.values()) == self._leaves_after:
                    self._end.shutdown(socket.SHUT_RDWR)
                    return
                if answer := self._answer(said):  # an answer is waited for, what is told is not
                    self._end.sendall(answer)

    def _answer(self, said: ToBot) -> bytes:
        if isinstance(said, Hello):
            return msgspec.json.encode(READY) + b"\n"
        request = self.talk.request
        if request is None:
            return b""
        if isinstance(said, Refused):
            self.asked["again"] += 1
        if isinstance(said, AnyRequest):
            self.asked[str(said.__struct_config__.tag)] += 1
            if self._sleeps:
                return b""
        return self.talk.reply(msgspec.json.encode(by_chance(request, self._dice, 0.03)))


def sit(
    plan: MatchPlan, move_s: float | None = None, **of_first: object
) -> tuple[MatchRecord, Sequence[Person], MatchPlan]:
    """Play a match of people alone, the first of them in a way of its own; verify its record."""
    untimed = Limits(None, None, 65536)
    limits = dict.fromkeys(range(plan.rules.players), untimed)
    limits[0] = msgspec.structs.replace(untimed, move_s=move_s)
    plan = msgspec.structs.replace(plan, people=limits)
    with ExitStack() as stack:
        links, people = [], []
        for seat in limits:
            ours, theirs = socket.socketpair()
            links.append(PersonLink("person", stack.enter_context(ours)))
            more = of_first if seat == 0 else {}
            people.append(Person(theirs, seat, **more))  # type: ignore[arg-type]
        record = play_match(Job(plan, tuple(links), choose_isolation("none")))
    for person in people:
        person.join()
    verify(plan, record)
    return record, people, plan


def faults_of_first(record: MatchRecord) -> list[tuple[str, str]]:
    faults = [each.fault for each in record.results.faults]
    return [(fault.kind, fault.detail) for fault in faults if fault.seat == 0]


@by_every_preset
def test_people_play_by_every_preset(name: str, players: int) -> None:
    record, people, plan = sit(plan_of(preset(name, {"players": players}), 6))
    assert len(record.results.payments) == 6
    again = play_again(plan, record.log, record.results)
    for seat, person in enumerate(people):
        told = [line for line, _ in again.transcript(seat)]
        assert person.heard == told, "what a person is told is what a bot would be told"


def test_people_are_asked_all_that_can_be_asked() -> None:
    settings: dict[str, object] = {
        "auction": {"contracts": ["ordinary", "solo", "blind"]},
        "surrender": {"declarer": "before_lead_3", "defender": True},
        "conduct": {"corrections": 1, "on_fault": "substitute"},
    }
    corrected: dict[str, object] = {"conduct": {"corrections": 1}}
    every = (preset("lzsf", settings), preset("piedalies", corrected), preset("pagat"))
    asked = {kind for it in every for person in sit(plan_of(it, 12))[1] for kind in person.asked}
    assert asked == {"bid", "talon", "discard", "play", "surrender", "offer", "blind", "again"}


def test_leaving_costs_what_a_bots_leaving_costs() -> None:
    record, _, plan = sit(plan_of(deals=5, max_faults=3), leaves_after=4)
    assert faults_of_first(record) == [("exited", LEFT)] * 3
    assert record.results.disqualified == (0,)
    assert record.stderr == ("",) * plan.rules.players


def test_a_clock_that_runs_out_is_a_fault_and_the_table_goes_on() -> None:
    rules = preset("pagat", {"conduct": {"on_fault": "substitute"}})
    record, people, _ = sit(plan_of(rules, 1), 0.02, sleeps=True)
    mine = faults_of_first(record)
    assert set(mine) == {("timeout", "no answer within 0.02 s")}
    assert len(mine) == sum(people[0].asked.values())
    assert people[0].heard[-1] == Bye("the match is over")


# --- hints ---

TALON: dict[str, object] = {"all_pass": "table", "table": {"talon": "first_two_tricks"}}
RULES = {
    "pagat": preset(),
    "lzsf": preset("lzsf"),
    "table": preset("gamerules"),
    "talon": preset("pagat", TALON),
    "four": preset("pagat", {"players": 4}),
}


def by_dice(plan: MatchPlan, seed: int = 1) -> tuple[Decision, ...]:
    return tuple(decisions(play_again(plan, match_by_chance(plan, seed, 0.0)[1].log).deals))


def verdict_with(
    decision: Decision,
    best: str,
    ahead: float = 0.0,
    alike: Collection[str] = (),
    won: Sequence[float] = (0.4, 0.58),
) -> Verdict:
    """A verdict: the best answer and those alike are ahead of the others, which are worth 1.

    They have won in the second share of worlds, and the others in the first.
    """
    state, leads = decision.state, {best, *alike}
    values = {each: 1.0 + ahead * (each in leads) for each in decision.answers}
    return Verdict(
        deal=decision.deal,
        step=decision.step,
        seat=decision.seat,
        kind=decision.kind,
        contract=state.contract,
        declarer=state.declarer,
        trick=1,
        place=1,
        answers=tuple(
            Valued(each, value, 0.0, won[each in leads]) for each, value in values.items()
        ),
        given=decision.given,
        best=best,
        loss=0.0,
        error=0.0,
        open_loss=0.0,
        worlds=4,
        exact=False,
    )


def in_itself(decision: Decision, found: Verdict, given: str = "") -> Phrase | None:
    """What a reason tells of the card, not of what came of it."""
    first = reasons(decision, found, given)[0]
    return None if first.message == "why-wins" else first


def reason(decision: Decision, found: Verdict, given: str = "") -> str:
    said = reasons(decision, found, given)
    return " ".join(reason_words(Language(ENGLISH), each) for each in said)


def taker(state: State, card: Card, dice: random.Random) -> Seat | None:
    """Who takes the trick to which a card is played, with the others' cards by chance."""
    now = play.apply(state, Play(card))
    while now.completed == state.completed and now.phase == "play":
        now = play.apply(now, dice.choice(play.legal(now)))
    gone = (after - before for after, before in zip(now.tricks, state.tricks, strict=True))
    return next((seat for seat, took in enumerate(gone) if took), None)


def others(decision: Decision) -> Cards:
    hands = enumerate(decision.state.hands)
    return mask(card for seat, hand in hands if seat != decision.seat for card in members(hand))


def partner_takes(decision: Decision, card: Card, dice: random.Random) -> bool:
    took = taker(decision.state, card, dice)
    return took not in (None, decision.seat, decision.state.declarer)


def partner_has_it(decision: Decision, card: Card) -> bool:
    """Whether the seat knows that its partner takes the trick."""
    state = decision.state
    laid = (*state.trick, card)
    best = laid[winner(laid)]
    owner = state.order[winner(laid)]
    higher = known(decision.past, decision.seat).hidden & BEATEN_BY[best]
    holds = len(laid) == len(state.order) or not higher
    return holds and owner != decision.seat and state.declarer not in (None, decision.seat, owner)


def is_highest(decision: Decision, answer: str) -> bool:
    """Whether a card is plain, and others have only lower ones of its suit, and some."""
    card = INDEX[answer]
    left = known(decision.past, decision.seat).hidden & SUIT_OF[card] & ~TRUMPS
    return left > 0 and not left & BEATEN_BY[card]


def may_have(decision: Decision, seat: Seat | None, cards: Cards) -> bool:
    """Whether a seat may have one of some cards, as far as another knows."""
    seen = known(decision.past, decision.seat)
    return any(place.where == seat and seen.hidden & cards & ~place.barred for place in seen.places)


def leaves_none(decision: Decision, card: Card) -> bool:
    """Whether a card is its player's last of a plain suit, of which others may have some."""
    suit, hand = SUIT_OF[card], decision.state.hands[decision.seat]
    hidden = known(decision.past, decision.seat).hidden
    return suit != TRUMPS and hand & suit == 1 << card and hidden & suit > 0


def sets_up(decision: Decision, card: Card) -> bool:
    """Whether one card that others may hold stands between the seat and a suit's highest."""
    own = decision.state.hands[decision.seat] & SUIT_OF[card] & ~(1 << card)
    seats = decision.state.active
    theirs = [
        each
        for each in members(SUIT_OF[card] & ~TRUMPS)
        if any(may_have(decision, seat, 1 << each) for seat in seats)
    ]
    above = [each for each in theirs if BEATEN_BY[card] >> each & 1]
    best = min(members(own), key=lambda mine: sum(BEATEN_BY[mine] >> it & 1 for it in theirs))
    return len(above) == 1 and [it for it in theirs if BEATEN_BY[best] >> it & 1] == above


def shown_void(decision: Decision, suit: Cards) -> bool:
    """Whether an opponent has not followed this suit, and may have trumps."""
    shown = dict.fromkeys(decision.state.active, 0)
    for before, after in pairwise(decision.past):
        laid = [card for card in after.trick if card not in before.trick]
        if after.completed > before.completed:
            hands = zip(before.hands, after.hands, strict=True)
            laid = [card for one, other in hands for card in members(one & ~other)]
        if before.phase == "play" and before.trick and laid:
            led = SUIT_OF[before.trick[0]]
            if (laying := before.order[len(before.trick)]) is not None:
                shown[laying] |= 0 if led >> laid[0] & 1 else led
    seat, declarer = decision.seat, decision.state.declarer
    opponents = [each for each in shown if each != seat and declarer in (seat, each)]
    return any(shown[each] & suit == suit and shown[each] & TRUMPS != TRUMPS for each in opponents)


CLAIMS: dict[str, Callable[[Decision, Card, random.Random], bool]] = {
    "No card that is left beats it": lambda it, card, _: not others(it) & BEATEN_BY[card],
    "It draws the": lambda it, card, _: (
        bool(TRUMPS >> card & 1 and others(it) & TRUMPS) and it.seat == it.state.declarer
    ),
    "Only a trump beats it": lambda it, card, _: (
        not TRUMPS >> card & 1
        and not others(it) & BEATEN_BY[card] & ~TRUMPS
        and not shown_void(it, SUIT_OF[card])
    ),
    "So far it takes the trick": lambda it, card, _: (
        winner((*it.state.trick, card)) == len(it.state.trick)
    ),
    "It takes the trick": lambda it, card, dice: taker(it.state, card, dice) == it.seat,
    "Your side gets the trick": lambda it, card, dice: (
        taker(it.state, card, dice) not in (None, it.state.declarer)
    ),
    "Your partner takes the trick": partner_takes,
    "So far your partner has": lambda it, card, _: (
        it.state.order[winner((*it.state.trick, card))] not in (it.seat, it.state.declarer)
    ),
    "you can trump that suit": lambda it, card, _: (
        leaves_none(it, card)
        and it.state.hands[it.seat] & TRUMPS > 0
        and (known(it.past, it.seat).hidden & SUIT_OF[card]).bit_count() > 1
    ),
    "you can throw away high cards": lambda it, card, _: (
        leaves_none(it, card) and avoids_tricks(it.state, it.seat) and not it.state.trick
    ),
    "in its suit": lambda it, card, _: (
        known(it.past, it.seat).hidden & BEATEN_BY[card] & SUIT_OF[card] > 0
        and avoids_tricks(it.state, it.seat)
        and not it.state.trick
    ),
    "The fewer cards of its suit": lambda it, card, _: (
        not TRUMPS >> card & 1
        and it.state.hands[it.seat] & SUIT_OF[card] != 1 << card
        and known(it.past, it.seat).hidden & SUIT_OF[card] > 0
        and avoids_tricks(it.state, it.seat)
        and not it.state.trick
    ),
    "It does not take the trick": lambda it, card, dice: taker(it.state, card, dice) != it.seat,
    "the fewest points": lambda it, card, _: (
        POINTS[card] == min(POINTS[INDEX[each]] for each in it.answers)
        and POINTS[card] < max(POINTS[INDEX[each]] for each in it.answers)
        and not partner_has_it(it, card)
        and not any(
            winner((*it.state.trick, INDEX[each])) == len(it.state.trick) for each in it.answers
        )
    ),
    "It keeps your trumps": lambda it, card, _: (
        not TRUMPS >> card & 1 and any(TRUMPS >> INDEX[each] & 1 for each in it.answers)
    ),
    "It has no points": lambda _, card, __: POINTS[card] == 0,
    "It is the weakest": lambda it, card, _: all(
        INDEX[each] == card or BEATEN_BY[card] >> INDEX[each] & 1 for each in it.answers
    ),
    "It takes a trick whenever": lambda it, card, dice: (
        taker(it.state, card, dice) == it.seat and not others(it) & BEATEN_BY[card]
    ),
    "You get rid of the strongest": lambda it, card, _: all(
        INDEX[each] == card or BEATEN_BY[INDEX[each]] >> card & 1 for each in it.answers
    ),
    "It keeps the": lambda it, card, _: (
        avoids_tricks(it.state, it.seat)  # then it says "which is weaker", too
        or any(
            BEATEN_BY[card] >> INDEX[each] & 1 or (is_highest(it, each) and INDEX[each] != card)
            for each in it.answers
        )
    ),
    "which is weaker": lambda it, card, _: (
        avoids_tricks(it.state, it.seat)
        and any(BEATEN_BY[INDEX[each]] >> card & 1 for each in it.answers)
    ),
    "only a trump beats that": lambda it, card, _: (
        not is_highest(it, NAMES[card]) and any(is_highest(it, each) for each in it.answers)
    ),
    "Your partner has none of this suit": lambda it, card, _: (
        POINTS[card] > 0
        and winner((*it.state.trick, card)) == it.state.order.index(it.state.declarer)
        and not may_have(it, it.state.order[-1], SUIT_OF[it.state.trick[0]])
    ),
    "Your partner plays last": lambda it, card, _: (
        POINTS[card] > 0
        and len(it.state.trick) + 2 == len(it.state.order)
        and winner((*it.state.trick, card)) == it.state.order.index(it.state.declarer)
        and may_have(
            it,
            it.state.order[-1],
            BEATEN_BY[it.state.trick[it.state.order.index(it.state.declarer)]],
        )
    ),
    "It is harder to beat": lambda it, card, _: any(
        BEATEN_BY[INDEX[each]] >> card & 1 for each in it.answers
    ),
    "Take its points now": lambda it, card, _: (
        not (it.state.trick or TRUMPS >> card & 1 or others(it) & BEATEN_BY[card] & ~TRUMPS)
        and (known(it.past, it.seat).hidden & SUIT_OF[card]).bit_count() > 1
    ),
    "you have the highest card of its suit": lambda it, card, _: sets_up(it, card),
    "more, but keeps the": lambda it, card, _: any(
        BEATEN_BY[card] >> INDEX[each] & 1 and POINTS[INDEX[each]] < POINTS[card]
        for each in it.answers
    ),
    "It costs fewer points": lambda it, card, _: (
        POINTS[card] < max(POINTS[INDEX[each]] for each in it.answers)
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_what_is_said_of_a_card_is_true(name: str) -> None:
    dice, said, told = random.Random(1), set[str](), set[str]()
    for decision in by_dice(plan_of(RULES[name], 30)):
        if decision.kind != "play" or OFFER_WORD in decision.answers:
            continue
        for best in decision.answers:
            rest = [each for each in decision.answers if each != best]
            suit = [each for each in rest if SUIT_OF[INDEX[each]] == SUIT_OF[INDEX[best]]]
            alikes = [suit, *(rest[:number] for number in range(min(3, len(rest))))]
            for alike, given in (*product(alikes, [""]), ((), rest[0])) if rest else ():
                found = verdict_with(decision, best, 1.0, alike)
                words = reason(decision, found, given)
                told |= {each.message for each in reasons(decision, found, given)}
                for claim in (each for each in CLAIMS if each in words):
                    said.add(claim)
                    assert CLAIMS[claim](decision, INDEX[best], dice), (words, best, decision)
    assert len(said) >= 4, said
    page = PLAY_PAGE.read_text()
    assert [each for each in told if f"\\n{each} =" not in page] == [], "the page cannot say it"
    if name == "pagat":
        assert said == CLAIMS.keys()


def test_trumps_that_nobody_can_have_are_not_told_of() -> None:
    met = 0
    for decision in by_dice(plan_of(deals=300)):
        seen, seats = known(decision.past, decision.seat), decision.state.active
        held = [seen.hidden & ~place.barred for place in seen.places if place.where in seats]
        if decision.kind != "play" or not seen.hidden & TRUMPS or any(it & TRUMPS for it in held):
            continue
        for best in set(decision.answers) - {OFFER_WORD}:
            met += 1
            said = reason(decision, verdict_with(decision, best, 1.0))
            assert not re.search("draws|Only a trump", said)
    assert met >= 5


SHARED: dict[str, Callable[[Decision, Card, Card], bool]] = {
    "why-risks-less": lambda _, card, after: POINTS[card] < POINTS[after],
    "why-no-points": lambda _, card, after: POINTS[card] == 0 < POINTS[after],
    "why-fewest-points": lambda it, card, _: (
        POINTS[card] == min(POINTS[INDEX[each]] for each in it.answers)
    ),
    "why-keeps-trumps": lambda _, card, after: TRUMPS >> after & 1 > TRUMPS >> card & 1,
    "why-keeps-higher": lambda _, card, after: BEATEN_BY[card] >> after & 1 == 1,
    "why-keeps-winner": lambda it, _, after: is_highest(it, NAMES[after]),
    "why-takes-now": lambda it, card, _: winner((*it.state.trick, card)) == len(it.state.trick) > 0,
}


def test_what_a_hint_says_of_its_card_holds_of_each_that_is_as_good() -> None:
    met = Counter[str]()
    for decision in by_dice(plan_of(deals=30)):
        if decision.kind != "play" or OFFER_WORD in decision.answers:
            continue
        for best, other in permutations(decision.answers, 2):
            worse = [each for each in decision.answers if each not in (best, other)]
            after = decision.given if decision.given in worse else next(iter(worse), None)
            for each in reasons(decision, verdict_with(decision, best, 1.0, [other])):
                if after is not None and each.message in SHARED:
                    met[each.message] += 1
                    for card in (best, other):
                        assert SHARED[each.message](decision, INDEX[card], INDEX[after]), each
    assert min(met[each] for each in SHARED) >= 5, met


OF_ONE: dict[str, Callable[[Decision, Card], bool]] = {
    "why-no-points": lambda _, card: POINTS[card] == 0,
    "why-keeps-trumps": lambda _, card: not TRUMPS >> card & 1,
    "why-fewest-points": lambda it, card: (
        POINTS[card] == min(POINTS[INDEX[each]] for each in it.answers)
    ),
}


def test_what_sets_a_card_above_others_holds_of_no_worse_one() -> None:
    met = Counter[str]()
    for decision in by_dice(plan_of(deals=20)):
        if decision.kind != "play" or OFFER_WORD in decision.answers:
            continue
        for best, given in permutations(decision.answers, 2):
            worse = {INDEX[each] for each in decision.answers if each != best}
            for each in reasons(decision, verdict_with(decision, best, 1.0), given):
                if each.message in OF_ONE:
                    met[each.message] += 1
                    shared = [card for card in worse if OF_ONE[each.message](decision, card)]
                    assert shared == [], (each, names(mask(shared)), best, given, decision)
    assert min(met[each] for each in OF_ONE) >= 5, met


def test_a_hint_tells_its_card_from_the_next_best() -> None:
    told = 0
    for made in by_dice(plan_of(deals=10)):
        if made.kind != "play" or OFFER_WORD in made.answers:
            continue
        for best, after in permutations(made.answers, 2):
            decision = msgspec.structs.replace(made, given=best)
            found = verdict_with(decision, best, 1.0)
            order = sorted(found.answers, key=lambda each: each.answer != after)
            found = msgspec.structs.replace(found, answers=tuple(order))
            of_next = in_itself(decision, verdict_with(decision, after, 1.0), best)
            [worth] = [each for each in reasons(decision, found) if each.message == "why-wins"]
            pays = made.state.contract == "table"
            assert worth.values == {
                "end": "pays" if pays else "more",
                "won": 42 if pays else 58,
                "less": 60 if pays else 40,
                "ahead": 1.0,
                "card": after,
            }
            against = in_itself(decision, found, after)
            if against is not None:
                told += 1
                assert in_itself(decision, found) == against
                assert against != of_next
    assert told >= 100


def is_sure(decision: Decision, answer: str) -> bool:
    """Whether a trick with this card goes to the seat or its partner, whatever comes."""
    state, card = decision.state, INDEX[answer]
    laid = (*state.trick, card)
    best = winner(laid)
    seen, declares = known(decision.past, decision.seat), decision.seat == state.declarer
    mine = best == len(state.trick) or state.declarer not in (decision.seat, state.order[best])
    return mine and not any(
        seen.hidden & ~place.barred & BEATEN_BY[laid[best]]
        for place in seen.places
        if place.where in state.order[len(laid) :]
        if declares or place.where == state.declarer
    )


def leaves_a_suit(decision: Decision, answer: str) -> bool:
    """Whether a declarer that lays two cards aside has none of some suit that it had."""
    laid = {INDEX[card] for card in answer.split(".")}
    suits = (
        {*members(decision.state.hands[decision.seat] & SUIT_OF[INDEX[f"A{it}"]])} for it in "CSH"
    )
    return any(suit and suit <= laid for suit in suits)


def count_in(reason: Phrase) -> int:
    count = reason.values["count"]
    assert isinstance(count, int)
    return count


TAKES = ("why-takes", "why-takes-now", "why-unbeatable", "why-side-takes")


def test_what_holds_for_the_answer_given_is_no_reason_for_a_better_one() -> None:
    met = Counter[str]()
    for decision in by_dice(plan_of(deals=10)):
        if decision.kind not in ("play", "discard"):
            continue
        answers = [each for each in decision.answers if each != OFFER_WORD]
        pairs = (*pairwise(answers), *pairwise(answers[::-1]))
        rest = [[each for each in answers if each not in pair] for pair in pairs]
        for (best, given), alike in (
            *zip(pairs, rest, strict=True),
            *((pair, ()) for pair in pairs),
        ):
            of_given = in_itself(decision, verdict_with(decision, given, 1.0))
            said = reasons(decision, verdict_with(decision, best, 1.0, alike), given)
            if of_given is not None and not of_given.message.startswith("why-better"):
                met["compared"] += 1
                assert of_given not in said
            messages = {each.message for each in said}
            met.update(messages)
            if "why-keeps-higher" in messages:
                assert BEATEN_BY[INDEX[best]] >> INDEX[given] & 1
            if "why-risks-less" in messages:
                assert POINTS[INDEX[best]] < POINTS[INDEX[given]]
                assert not is_sure(decision, given)
            assert "why-takes-now" not in messages or present(of_given).message not in TAKES
            for each in said:
                if of_given is not None and each.message == of_given.message == "why-takes":
                    met["takes more"] += 1
                    assert count_in(each) - count_in(of_given) >= 4, (each, of_given)
            if "why-only-trumps" in messages:
                card = INDEX[given]
                assert not (TRUMPS >> card & 1 and not others(decision) & BEATEN_BY[card]), given
            if "why-keeps-at-a-price" in messages:
                assert POINTS[INDEX[best]] > POINTS[INDEX[given]]
                assert BEATEN_BY[INDEX[best]] >> INDEX[given] & 1
            if decision.kind == "discard" and leaves_a_suit(decision, given):
                met["a suit"] += 1
                assert "why-void" not in messages
    assert met["compared"] >= 50
    compares = ("keeps-higher", "keeps-at-a-price", "risks-less", "only-trumps")
    assert min(met["takes more"], met["a suit"], *(met[f"why-{each}"] for each in compares)) >= 5, (
        met
    )


def test_a_review_says_that_the_rule_of_the_lesson_failed() -> None:
    met = Counter[bool]()
    for decision in by_dice(plan_of(deals=30)):
        if decision.kind != "play" or OFFER_WORD in decision.answers:
            continue
        state, own = decision.state, decision.state.hands[decision.seat]
        declares = decision.seat == state.declarer and not avoids_tricks(state, decision.seat)
        for (best, given), ahead in product(permutations(decision.answers, 2), (0.3, 0.5)):
            found = verdict_with(decision, best, ahead)
            fails = any(it.message == "why-rule-fails" for it in reasons(decision, found, given))
            higher = BEATEN_BY[INDEX[given]]
            beaten = own & higher or any(may_have(decision, it, higher) for it in state.active)
            highest = TRUMPS >> INDEX[given] & 1 and not beaten
            assert fails == bool(declares and not state.trick and highest and ahead == 0.5)
            met[fails] += 1
    assert met[True] >= 20


def first(kind: str) -> Decision:
    return next(each for each in by_dice(plan_of(deals=20)) if each.kind == kind)


def test_a_hint_says_how_far_its_answer_is_ahead() -> None:
    card, bid = first("play"), first("bid")
    ends = {
        (0.4, 0.58): "Of 100 deals that fit what you saw, you win 58 with it, 40 with the {card}.",
        (0.57, 0.58): "With the {card} you win as often, but get 1.2 stakes less on average.",
        (0.0, 0.004): "With the {card} you lose, too, and 1.2 stakes more on average.",
        (1.0, 1.0): "With the {card} you win, too, but 1.2 stakes less on average.",
        (0.6, 0.58): "On average 1.2 stakes better for you than the {card}.",
    }
    for won, end in ends.items():
        said = reason(card, verdict_with(card, card.answers[0], 1.25, won=won))
        assert said.endswith(end.format(card="eight of diamonds"))
    given = verdict_with(card, "QS", 1.0, card.answers[:-1])
    assert "you win 58 with it, 40 with the ten of hearts." in reason(card, given, "TH")
    even = reason(card, verdict_with(card, "QS", 1.0, ["JC"]))
    assert even.endswith("Just as good on average: jack of clubs.")
    same = reason(card, verdict_with(card, "QS", 1.0, ["QC"]))
    assert same.endswith("Just as good on average: queen of clubs.")
    several = reason(card, verdict_with(card, "QS", 1.0, card.answers[:3]))
    assert several.endswith("Just as good on average: queen of clubs, jack of clubs.")
    assert reason(card, verdict_with(card, "QS")) == (
        "It makes no difference: with each card you win about 58 "
        "of 100 deals that fit what you saw."
    )
    most = reason(card, verdict_with(card, "QS", 1.0, card.answers[:-1]))
    assert most.endswith(
        "Just as good on average: any card that you may play, except ten of hearts."
    )
    assert reason(bid, verdict_with(bid, "pass")).endswith(
        "Less than half a stake apart is too close to tell."
    )
    assert reason(bid, verdict_with(bid, bid.answers[1], 0.5)) == (
        "In this hand: trumps 5, queens 2, other aces 1. "
        "Your stakes on average: Play +1.5. Pass +1.0. Zole +1.0."
    )
    hand = set(names(bid.state.hands[bid.seat]))
    assert len(hand & {"QC", "QS", "QH", "QD"}) == 2
    assert len([card for card in hand if card[0] in "QJ" or card[1] == "D"]) == 5
    assert len(hand & {"AC", "AS", "AH"}) == 1


def test_what_is_laid_aside_leaves_a_suit_or_keeps_points() -> None:
    decision, told = first("discard"), set()
    hand = decision.state.hands[decision.seat]
    for best in decision.answers:
        laid = mask(INDEX[each] for each in best.split("."))
        words = reason(decision, verdict_with(decision, best))
        assert "and others." in words
        second = next(each for each in decision.answers if each != best)
        pair = reason(decision, verdict_with(decision, best, 1.0, [second]))
        listed = ", ".join(Language(ENGLISH).card(each) for each in second.split("."))
        assert pair.endswith(f"About as good on average: {listed}.")
        for suit in ("clubs", "spades", "hearts"):
            if f"With no {suit} left," in words:
                told.add("suit")
                assert members(hand & SUIT_OF[INDEX[f"A{suit[0].upper()}"]] & ~laid) == ()
                assert hand & SUIT_OF[INDEX[f"A{suit[0].upper()}"]]
        if found := re.search(r"keep (\d+) points", words):
            told.add("points")
            assert int(found[1]) == points(laid)
    assert told == {"suit", "points"}


def test_no_hidden_card_changes_what_is_said() -> None:
    compared = 0
    for decision in by_dice(plan_of(deals=10), seed=2):
        state = decision.state
        one, other, *_ = (seat for seat in state.active if seat != decision.seat)
        is_even = state.hands[one].bit_count() == state.hands[other].bit_count()
        if (decision.kind, state.contract, is_even) != ("play", "solo", True):
            continue
        swapped = [0] * len(state.hands)
        swapped[one] = swapped[other] = state.hands[one] | state.hands[other]
        past = (
            msgspec.structs.replace(each, hands=tuple(map(xor, each.hands, swapped)))
            for each in decision.past
        )
        moved = msgspec.structs.replace(decision, past=tuple(past))
        for best in set(decision.answers) - {OFFER_WORD}:
            found = verdict_with(decision, best)
            assert reason(moved, found) == reason(decision, found)
            compared += 1
    assert compared


def trumps(answer: str) -> int:
    return sum(TRUMPS >> INDEX[card] & 1 for card in answer.split("."))


def test_by_custom_one_gives_to_sure_tricks_keeps_trumps_and_ducks_where_tricks_cost() -> None:
    met: Counter[str] = Counter()
    rules = preset("gamerules", {"auction": {"contracts": ["ordinary", "small_solo"]}})
    for decision in by_dice(plan_of(rules, 30)):
        usual, answers = by_custom(decision)[0], decision.answers
        assert sorted(by_custom(decision)) == sorted(answers)
        if decision.kind == "discard":
            met["discard"] += 1
            assert trumps(usual) == min(map(trumps, answers))
        if decision.kind != "play" or OFFER_WORD in answers:
            continue
        trick = decision.state.trick
        sure = [each for each in answers if is_sure(decision, each)]
        if not avoids_tricks(decision.state, decision.seat):
            if not sure:
                met["keeps"] += 1
                cheap = [each for each in answers if POINTS[INDEX[each]] < 10] or answers
                assert trumps(usual) == min(map(trumps, cheap))
                aces = [each for each in answers if each in ("AC", "AS", "AH")]
                leads_ace = aces and decision.seat == decision.state.declarer and not trick
                assert usual in (aces if leads_ace else cheap)
            elif trick:
                met["gives"] += 1
                most = max(POINTS[INDEX[each]] for each in sure)
                assert POINTS[INDEX[usual]] == most or most < 4
            else:
                met["leads"] += 1
            assert usual in sure or not sure
        elif trick:
            met["avoids"] += 1
            takes = {each: winner((*trick, INDEX[each])) == len(trick) for each in answers}
            assert takes[usual] == all(takes.values())
    assert min(met[each] for each in ("discard", "keeps", "gives", "leads", "avoids")) >= 5, met


@pytest.mark.parametrize(("ahead", "follows"), [(0.08, False), (0.12, True)])
def test_a_hint_and_a_review_follow_no_difference_that_chance_makes(
    monkeypatch: pytest.MonkeyPatch, ahead: float, follows: bool
) -> None:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")

    def made(_: object, decision: Decision, *__: object, whole: bool) -> Verdict:
        assert whole, "answers known from different worlds would be compared"
        chance = ahead if decision.kind == "play" else 5 * ahead  # in fewer worlds
        return verdict_with(decision, decision.answers[0], chance)

    monkeypatch.setattr("arena.review.verdict.verdict", made)
    driven = drive(plan_of(preset("pagat"), 6), lambda _, request: simple()(request))
    told = [line for line in driven.lines_to(0) if isinstance(line, ToBot)]
    met = Counter[str]()
    for until in [n for n, line in enumerate(told, 1) if isinstance(line, Request)]:
        lines = [encode(line) for line in told[:until]]
        decision = open_decision(present(seat_deal(lines)))
        if len(decision.answers) > 1 and decision.kind in ("play", "discard"):
            met[decision.kind] += 1
            wanted = decision.answers[0] if follows else by_custom(decision)[0]
            assert answer_text(hint(lines)[0]) == wanted
    assert min(met[each] for each in ("play", "discard")) >= 2, met

    lines, replies = exchanged(driven)
    asked = seat_decisions(present(seat_deal(lines, replies, 0)))
    usual = [
        each.answers[0] if follows else by_custom(each)[0]
        for each in asked
        if len(each.answers) > 1
    ]
    assert [verdict.best for verdict, _ in verdicts(lines, replies, 0)] == usual
    assert len(usual) >= 3


def test_a_review_finds_best_what_a_hint_did() -> None:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    driven = drive(plan_of(deals=2), lambda _, request: simple()(request))
    lines, replies = exchanged(driven)
    hints = [hint(lines[:number]) for number in replies]
    hinted = [answer_text(best) for best, why in hints if why[0].message != "why-only"]
    found = [each for deal in (0, 1) for each in verdicts(lines, replies, deal)]
    assert [verdict.best for verdict, _ in found] == hinted
    worse = [verdict for verdict, _ in found if verdict.given != verdict.best]
    assert len(hinted) > len(worse) >= 5


# --- a deal made from a seat's lines ---


def knowledge(past: Sequence[State]) -> KnownCards:
    """What seat 0 knew; in which order it took the talon's cards, it is not told."""
    seen = known(past, 0)
    first, second = seen.talon
    if first is None or second is None or seen.table.contract != "ordinary":
        return seen
    return msgspec.structs.replace(seen, talon=(min(first, second), max(first, second)))


def told_of(decision: Decision) -> tuple[object, ...]:
    past = knowledge(decision.past)
    return decision.kind, decision.answers, decision.given, past, decision.pools


@by_every_preset
def test_what_a_seat_knew_is_found_from_its_lines(name: str, players: int) -> None:
    """At each question to seat 0 and, with its answers, when a deal is over."""
    plan, dice = plan_of(preset(name, {"players": players}), 4), random.Random(2)
    playing, log = Match(plan, in_order=True), LogWriter()
    readies = (ASKS_ALL,) * players
    log.start(readies)
    lines, replies = [encode(playing.hellos[0])], dict[int, AnyReply]()
    past, kinds = list[State](), set[str]()

    def answered(question: Question) -> Outcome:
        state = playing._in_play[0].board.state
        if not past or state is not past[-1]:
            past.append(state)
        if question.seat == 0:
            lines.append(encode(question.line))
            told = present(seat_deal(lines))
            made = open_decision(told)
            kinds.add(made.kind)
            assert told.last == question.request
            assert knowledge(made.past) == knowledge(past)
        if dice.random() < 0.01:
            return Failed("timeout", "no answer")
        reply = by_chance(question.request, dice, 0.05)
        if question.seat == 0:
            replies[len(lines)] = reply
        return Said(reply, 1)

    for command in play_through(playing, readies, answered):
        if isinstance(command, Tell) and command.seat == 0:
            lines.append(encode(command.line))
        if isinstance(command, PlayedDeal):
            log.deal(command)
            past.clear()
    assert "play" in kinds
    logged = list(decisions(play_again(plan, log.close()).deals))
    for number in range(len(plan.deals)):
        made = seat_decisions(present(seat_deal(lines, replies, number)))
        assert [
            told_of(each) for each in made if len(each.answers) > 1 and each.given in each.answers
        ] == [told_of(each) for each in logged if (each.seat, each.deal) == (0, number)]
