"""A bold player that keeps no memory: declares on little, always plays for the trick at hand.

Each request carries the hand, the trick and what is legal; that is all it looks at.
"""

import json
import sys

TRUMPS = ["QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D"]
RANKS = "ATK9"
POINTS = dict(zip("ATKQJ987", (11, 10, 4, 3, 2, 0, 0, 0), strict=True))


def power(card: str, led: str) -> int:
    """How strong a card is in a trick: trumps first, then the suit that was led."""
    if card in TRUMPS:
        return 100 - TRUMPS.index(card)
    return 10 - RANKS.index(card[0]) if card[1] == led[1] and led not in TRUMPS else 0


def bid(request: dict) -> str:
    """A point for each trump, another for a queen, a point for a side ace."""
    hand = request["hand"]
    count = sum(card in TRUMPS for card in hand) + sum(card[0] == "Q" for card in hand)
    count += sum(card[0] == "A" and card[1] != "D" for card in hand)
    wish = "solo" if count >= 11 else "ordinary" if count >= 6 else "pass"
    return wish if wish in request["legal"] else "pass"


def discard(request: dict) -> list[str]:
    """The two plain cards with the most points, aces only if there is nothing else."""
    return sorted(
        request["hand"], key=lambda card: (card in TRUMPS, card[0] == "A", -POINTS[card[0]])
    )[:2]


def play(request: dict) -> str:
    """The strongest card to lead; the cheapest that wins, or the cheapest at all, to follow."""
    legal, trick = request["legal"], request["trick"]
    if not trick:
        return max(legal, key=lambda card: power(card, card))
    led = trick[0]["card"]
    high = max(power(each["card"], led) for each in trick)
    winning = [card for card in legal if power(card, led) > high]
    if winning:
        return min(winning, key=lambda card: power(card, led))
    return min(legal, key=lambda card: POINTS[card[0]])


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            print('{"type": "ready", "protocol": 1}', flush=True)
            continue
        case "blind":
            say = {"blind": False}
        case "bid":
            say = {"bid": bid(message)}
        case "talon":
            say = {"choice": "take"}
        case "discard":
            say = {"cards": discard(message)}
        case "play":
            say = {"card": play(message)}
        case _:
            continue
    print(json.dumps({"type": message["type"], "id": message["id"], **say}), flush=True)
