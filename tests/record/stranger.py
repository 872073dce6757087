"""What a stranger writes who has read protocol/deals.md and trusts nobody: recomputes the deals.

It is given what `arena ledger --json` and `arena export logs` print, and uses only Python's own
library. It knows leagues by the rules "pagat", which have 4-2-4 packets and seat 0 as the first
dealer.
"""

import hashlib
import json
import struct
from collections.abc import Iterator
from itertools import count
from typing import Any

DECK = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".split()


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_ledger(lines: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a ledger whose chain of hashes holds, each with its hash."""
    before, entries = "0" * 64, []
    for number, line in enumerate(lines, 1):
        before = sha256(before + "\n" + line["text"][42:-1])
        assert (line["number"], line["hash"]) == (number, before), f"line {number} was changed"
        entries.append((before, json.loads(line["text"])["entry"]))
    return entries


def read_orders(entries: list[tuple[str, dict[str, Any]]]) -> dict[Any, Any]:
    """The orders by lineup and first deal, each with its seed; the season must be over."""
    commitment, secret = entries[0][1]["commitment"], entries[-1][1]["secret"]
    assert sha256(secret) == commitment, "another secret"
    return {
        (tuple(entry["lineup"]), entry["first"]): (entry, sha256(f"zole seed 1\n{secret}\n{line}"))
        for line, entry in entries
        if entry["type"] == "ordered"
    }


def words(key: str) -> Iterator[int]:
    """The numbers that a key gives, without end."""
    digest = hashlib.sha256(key.encode()).digest()
    for block in count():
        yield from struct.unpack(">8I", hashlib.sha256(digest + block.to_bytes(8, "big")).digest())


def shuffled(key: str) -> list[str]:
    deck, numbers = list(DECK), words(key)
    for place in range(25, 0, -1):
        bound = place + 1
        word = next(word for word in numbers if word < bound * (2**32 // bound))
        deck[place], deck[word % bound] = deck[word % bound], deck[place]
    return deck


def dealt(seed: str, bots: set[str], number: int) -> tuple[int, list[list[str]], list[str]]:
    """The dealer, the hands by seat, and the talon in the order dealt."""
    names = "\n".join(sorted(bots))
    deck, dealer = shuffled(f"zole deal 1\n{seed}\n{names}\n{number}"), number % 3
    hands: dict[int, list[str]] = {}
    for turn in range(3):
        seat = (dealer + 1 + turn) % 3
        hand = deck[4 * turn : 4 * turn + 4] + deck[14 + 4 * turn : 18 + 4 * turn]
        hands[seat] = sorted(hand, key=DECK.index)
    return dealer, [hands[seat] for seat in range(3)], deck[12:14]


def recompute(ledger: dict[str, Any], logs: list[dict[str, Any]]) -> tuple[int, int]:
    """How many matches and deals are those of the ledger; raises `AssertionError` otherwise."""
    orders = read_orders(read_ledger(ledger["lines"]))
    matches = deals = 0
    for place, line in enumerate(logs):
        if "log" not in line:
            continue
        start, head = logs[place + 1], line["match"]
        bots = set(head["bots"])
        order, seed = orders[tuple(sorted(bots)), head["first"]]
        numbers = range(head["first"], head["first"] + order["deals"])
        every = [cards_of(*dealt(seed, bots, number)) for number in numbers]
        logged = [each["cards"] for each in logs[place + 2 : place + 2 + head["deals"]]]
        assert logged == every[: len(logged)], "another deal"
        text = "\n".join(every)
        for seat, number in enumerate(start["seeds"]):
            key = f"zole seat 1\n{seed}\n{sha256(text)}\n{seat}"
            assert number == int(sha256(key)[:16], 16) >> 11, "another hello.seed"
        matches += 1
        deals += len(logged)
    return matches, deals


def cards_of(dealer: int, hands: list[list[str]], talon: list[str]) -> str:
    """A deal as a log has it."""
    return "|".join([str(dealer), *map(".".join, hands), ".".join(talon)])
