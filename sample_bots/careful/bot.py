"""A careful player: declares on trumps and aces, counts what is out, feeds its partner.

It remembers the cards that were played, so it knows which of its own are the highest left.
"""

import json
import sys

TRUMPS = ["QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D"]
DECK = TRUMPS + [rank + suit for suit in "CSH" for rank in "ATK9"]
STRENGTH = {card: -place for place, card in enumerate(TRUMPS)}  # the higher, the stronger
STRENGTH |= {rank + suit: -20 - place for suit in "CSH" for place, rank in enumerate("ATK9")}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}

ORDINARY = 6.6  # the worth of a hand from which it declares
SOLO = 9.4


def suit(card: str) -> str:
    """The suit a card belongs to; queens, jacks and diamonds are trumps."""
    return "trump" if card in TRUMPS else card[1]


def points(card: str) -> int:
    return POINTS[card[0]]


def beats(card: str, other: str) -> bool:
    """Whether a card laid later takes the trick from the card that holds it."""
    if suit(card) == suit(other):
        return STRENGTH[card] > STRENGTH[other]
    return suit(card) == "trump"


def worth(hand: list[str]) -> float:
    """What a hand is worth to a declarer, in about tricks."""
    trumps = [card for card in hand if suit(card) == "trump"]
    value = 0.75 * len(trumps)
    value += sum({"Q": 0.8, "J": 0.4, "A": 0.2, "T": 0.1}.get(card[0], 0) for card in trumps)
    for plain in "CSH":
        cards = [card for card in hand if suit(card) == plain]
        ranks = {card[0] for card in cards}
        if not cards:
            value += 0.6
        elif "A" in ranks:
            value += 1.1 - 0.15 * (len(cards) - 1)
        elif "T" in ranks and len(cards) > 1:
            value += 0.2
    return value


class Player:
    """What it knows of the deal in progress."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.declarer: int | None = None

    def learn(self, events: list[dict]) -> None:
        """Take in what happened since the last line."""
        for event in events:
            match event["event"]:
                case "deal":
                    self.seen.clear()
                    self.declarer = None
                case "contract":
                    self.declarer = event["declarer"]
                case "card":
                    self.seen.add(event["card"])

    # --- before the play ---

    def bid(self, request: dict) -> str:
        value = worth(request["hand"])
        if value >= SOLO and "solo" in request["legal"]:
            return "solo"
        return "ordinary" if value >= ORDINARY and "ordinary" in request["legal"] else "pass"

    def discard(self, hand: list[str]) -> list[str]:
        """Two plain cards: points first, and whole suits rather than parts of them."""
        plain = [card for card in hand if suit(card) != "trump"]
        spare = [card for card in plain if card[0] != "A"]

        def gain(pair: list[str]) -> float:
            left = [card for card in plain if card not in pair]
            voids = {suit(card) for card in pair} - {suit(card) for card in left}
            tens = sum(card[0] == "T" for card in left)  # a ten that stays is often lost
            return sum(map(points, pair)) + 8 * len(voids) - 6 * tens

        pairs = [[a, b] for i, a in enumerate(spare) for b in spare[i + 1 :]]
        if pairs:
            return max(pairs, key=gain)
        rest = sorted((card for card in hand if card not in spare), key=lambda c: STRENGTH[c])
        low_trumps = [card for card in rest if suit(card) == "trump"]
        return (spare + low_trumps + rest)[:2]

    # --- the play ---

    def card(self, request: dict) -> str:
        legal, trick, seat = request["legal"], request["trick"], request["seat"]
        if len(legal) == 1:
            return legal[0]
        unseen = set(DECK) - self.seen - set(request["hand"])
        if self.declarer is None:
            return self.duck(legal, trick)
        if not trick:
            if seat == self.declarer:
                return self.lead_as_declarer(legal, unseen)
            return self.lead_as_defender(legal, unseen)
        return self.follow(legal, trick, seat, unseen)

    def duck(self, legal: list[str], trick: list[dict]) -> str:
        """At the table: take as few tricks as can be."""
        if not trick:
            return min(legal, key=lambda card: STRENGTH[card] + 30 * (suit(card) != "trump"))
        high = holder(trick)["card"]
        losing = [card for card in legal if not beats(card, high)]
        if losing:
            return max(losing, key=lambda card: (STRENGTH[card], points(card)))
        return max(legal, key=STRENGTH.__getitem__) if len(trick) == 2 else cheapest(legal)

    def lead_as_declarer(self, legal: list[str], unseen: set[str]) -> str:
        """Draw trumps from above while there are any, then cash what is high."""
        trumps = [card for card in legal if suit(card) == "trump"]
        out = [card for card in unseen if suit(card) == "trump"]
        high = [card for card in legal if not any(beats(other, card) for other in unseen)]
        high_trumps = [card for card in trumps if card in high]
        if out and high_trumps:
            return min(high_trumps, key=points)
        if high and not out:
            return max(high, key=points)
        aces = [card for card in legal if card[0] == "A" and suit(card) != "trump"]
        if aces:
            return aces[0]
        if out and len(trumps) > len(out) / 2:
            return trumps[0]
        plain = [card for card in legal if suit(card) != "trump"]
        return cheapest(plain or trumps)

    def lead_as_defender(self, legal: list[str], unseen: set[str]) -> str:
        """A suit that is still about; aces of short suits, otherwise something small."""
        plain = [card for card in legal if suit(card) != "trump"]

        def about(card: str) -> int:
            return sum(suit(other) == suit(card) for other in unseen)

        aces = [card for card in plain if card[0] == "A" and about(card) >= 2]
        if aces:
            return max(aces, key=about)
        low = [card for card in plain if card[0] not in "AT"]
        if low:
            return max(low, key=lambda card: (about(card), -points(card)))
        return cheapest(legal)

    def follow(self, legal: list[str], trick: list[dict], seat: int, unseen: set[str]) -> str:
        held = holder(trick)
        high = held["card"]
        winning = [card for card in legal if beats(card, high)]
        last = len(trick) == 2
        mine = seat != self.declarer and held["seat"] != self.declarer  # a partner holds it
        declared = seat == self.declarer or any(each["seat"] == self.declarer for each in trick)
        if mine:
            safe = declared or not any(beats(card, high) for card in unseen)
            if safe:
                return fattest(legal)
            sure = [card for card in winning if not any(beats(other, card) for other in unseen)]
            return min(sure, key=points) if sure and suit(high) != "trump" else cheapest(legal)
        if not winning:
            return cheapest(legal)
        if last:
            plain = [card for card in winning if suit(card) != "trump"]
            if plain:
                return max(plain, key=points)
            worth_it = sum(points(each["card"]) for each in trick) >= 3
            paying = [card for card in winning if card[0] in "AT"]
            if paying:
                return max(paying, key=points)
            return min(winning, key=STRENGTH.__getitem__) if worth_it else thrift(legal, winning)
        sure = [card for card in winning if not any(beats(other, card) for other in unseen)]
        if sure:
            return min(sure, key=points)
        if seat != self.declarer and not declared:
            return cheapest(legal)
        strong = [card for card in winning if card[0] in "QJ"]
        return min(strong, key=STRENGTH.__getitem__) if strong else cheapest(legal)


def holder(trick: list[dict]) -> dict:
    """Who holds the trick so far, and with which card."""
    best = trick[0]
    for each in trick[1:]:
        if beats(each["card"], best["card"]):
            best = each
    return best


def cheapest(cards: list[str]) -> str:
    """The card one gives away most gladly: no points, no strength."""
    return min(cards, key=lambda card: (points(card), STRENGTH[card]))


def fattest(cards: list[str]) -> str:
    """The card that brings a partner most, but no queen or jack that may still be of use."""
    return max(cards, key=lambda card: (points(card), -STRENGTH[card]))


def thrift(legal: list[str], winning: list[str]) -> str:
    """For an empty trick: throw something worthless, or win as low as one can."""
    losing = [card for card in legal if card not in winning and points(card) == 0]
    return cheapest(losing) if losing else min(winning, key=STRENGTH.__getitem__)


def main() -> None:
    player = Player()
    for line in sys.stdin:
        message = json.loads(line)
        player.learn(message.get("events", []))
        match message["type"]:
            case "hello":
                print('{"type": "ready", "protocol": 1, "name": "careful"}', flush=True)
                continue
            case "blind":
                say = {"blind": False}
            case "bid":
                say = {"bid": player.bid(message)}
            case "talon":
                say = {"choice": "give" if worth(message["hand"]) >= SOLO else "take"}
            case "discard":
                say = {"cards": player.discard(message["hand"])}
            case "play":
                say = {"card": player.card(message)}
            case _:
                continue
        print(json.dumps({"type": message["type"], "id": message["id"], **say}), flush=True)


main()
