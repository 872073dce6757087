"""Plays a policy as a bot: the arena's lines as observations, the policy's actions as answers.

This file imports nothing but the standard library and stands alone. Copy it into a bot's folder
and either name a network's weights in `bot.toml`,

    run = ["python3", "player.py", "weights.npz"]

or call `play` with a policy of your own. A policy is given the observations and the masks of all
decisions that are due at once, each as bytes with a number a byte, and returns an action for each:

    def policy(observations, masks):
        seen = np.frombuffer(b"".join(observations), np.int8).reshape(-1, SIZE)
        allowed = np.frombuffer(b"".join(masks), np.bool_).reshape(-1, len(ACTIONS))
        return np.where(allowed, network(seen), -np.inf).argmax(axis=1)

Observations, masks and actions are those of `arena.training`.
"""

import ast
import json
import math
import os
import struct
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import Any

CARDS = (
    *("QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D"),
    *("AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"),
)
SUIT = {card: "trump" if place < 14 else card[1] for place, card in enumerate(CARDS)}
POINTS = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0) for card in CARDS}

QUESTIONS = ("blind", "bid", "talon", "discard", "second", "play", "surrender", "accept")
PLACES = ("forehand", "middlehand", "rearhand")
WHO = ("me", "left", "right", "talon")
BIDS = ("pass", "ordinary", "solo", "small_solo", "blind")
CONTRACTS = ("ordinary", "solo", "small_solo", "blind", "table")

PLANES: tuple[tuple[str, Sequence[object]], ...] = (
    *((name, CARDS) for name in ("hand", "aside", "talon", "led", "taking", "trick")),
    *((name, CARDS) for name in ("laid_me", "laid_left", "laid_right")),
    *((name, CARDS) for name in ("hidden", "left_may", "right_may")),
    ("question", QUESTIONS),
    ("place", PLACES),
    *((name, BIDS) for name in ("bid_me", "bid_left", "bid_right")),
    ("declarer", WHO[:3]),
    ("contract", CONTRACTS),
    ("number", range(8)),
    ("leader", WHO),
    ("taker", WHO),
    ("offered", WHO[:3]),
    ("tricks", WHO),
    ("points", WHO),
    ("trick_points", ("points",)),
    ("aside_points", ("points",)),
)
HISTORY: tuple[tuple[str, Sequence[object]], ...] = (
    *((f"trick_{number}", CARDS) for number in range(1, 9)),
    *((f"led_{number}", WHO) for number in range(1, 9)),
)
NUMBERS = [(name, of) for name, each in (*PLANES, *HISTORY) for of in each]
PLACE = {number: place for place, number in enumerate(NUMBERS)}
"""Where each number of an observation lies, by its plane and what it is about."""

SIZE = sum(len(each) for _, each in PLANES)
HISTORY_SIZE = sum(len(each) for _, each in HISTORY)
"""The numbers that a history adds to the `SIZE` of an observation."""

ACTIONS = (
    *("pass", "ordinary", "solo", "small_solo", "blind", "look", "take", "give"),
    *(f"play {card}" for card in CARDS),
    *(f"discard {card}" for card in CARDS),
    *("surrender", "offer", "accept", "play_on"),
)

Message = dict[str, Any]
Policy = Callable[[Sequence[bytes], Sequence[bytes]], Iterable[int]]


class Table:
    """What a seat knows of the deal at one table, from its own lines alone."""

    def begin(self, event: Message) -> None:
        """Forget the last deal. A seat that sits out hears of none until it is over."""
        active = event["active"]
        mine = active.index(event["seat"])
        self.place = mine
        self.forehand = active[0]
        self.who = dict(zip((*active[mine:], *active[:mine]), WHO, strict=False))
        self.who["talon"] = "talon"
        self.hand: set[str] = set()
        self.taken: set[str] = set()  # the ten cards of a declarer before its discard
        self.talon: set[str] = set()
        self.bids: list[tuple[str, str]] = []
        self.declarer: str | None = None
        self.contract: str | None = None
        self.leader: str | None = None
        self.number = 0
        self.trick: list[tuple[str, str]] = []
        self.past: list[list[tuple[str, str]]] = []
        self.laid: dict[str, set[str]] = {who: set() for who in WHO}
        self.voids: dict[str, set[str]] = {who: set() for who in WHO}
        self.tricks = dict.fromkeys(WHO, 0)
        self.points = dict.fromkeys(WHO, 0)
        self.offered: set[str] = set()

    def hear(self, event: Message) -> None:
        """Take in what happened; kinds of events that came later to the protocol say nothing."""
        match event["event"]:
            case "deal":
                self.begin(event)
            case "bid":
                self.bids.append((self.who[event["seat"]], event["bid"]))
            case "blind" if event["blind"]:
                self.bids.append((self.who[event["seat"]], "blind"))
            case "contract":
                declarer = event["declarer"]
                self.declarer = None if declarer is None else self.who[declarer]
                self.contract = event["contract"]
                self.leader = self.who[self.forehand]
            case "card":
                self._lay(self.who[event["seat"]], event["card"])
            case "trick":
                winner = self.who[event["winner"]]
                self.tricks[winner] += 1
                self.points[winner] += event["points"]
                self.past.append(self.trick)
                self.number, self.trick = event["number"], []
                if winner == "talon" and self.number == 2:  # it leads no more
                    winner = self.who[self.forehand]
                self.leader = winner
            case "offer":
                self.offered.add(self.who[event["seat"]])

    def _lay(self, who: str, card: str) -> None:
        if who == "talon":
            self.talon.add(card)
        elif self.trick and SUIT[card] != SUIT[self.trick[0][1]]:
            self.voids[who].add(SUIT[self.trick[0][1]])
        self.trick.append((who, card))
        self.laid[who].add(card)

    def ask(self, request: Message) -> str:
        """Take in a request; return the question in the words of the observation."""
        for event in request["events"]:
            self.hear(event)
        self.hand = set(request.get("hand", ()))
        match request["type"]:
            case "talon":
                self.declarer = "me"
            case "discard":
                self.taken, self.talon = self.hand, set(request["talon"])
            case "offer":
                return "accept"
        return str(request["type"])

    def observation(
        self, question: str, request: Message, first: str | None = None, history: bool = False
    ) -> bytes:
        """What the seat knows as `arena.training.observation` puts it in numbers."""
        seen = bytearray(SIZE + (HISTORY_SIZE if history else 0))

        def put(plane: str, each: Iterable[object]) -> None:
            for of in each:
                seen[PLACE[plane, of]] = 1

        hand = self.hand - {first}
        aside = self.taken - hand - self.laid["me"]
        known = self.hand | self.taken | self.talon
        known = known.union(*self.laid.values())
        hidden = [card for card in CARDS if card not in known]
        put("hand", hand)
        put("aside", aside)
        put("talon", self.talon)
        put("hidden", hidden)
        for other in ("left", "right"):
            put(f"{other}_may", (card for card in hidden if SUIT[card] not in self.voids[other]))
        for who in WHO[:3]:
            put(f"laid_{who}", self.laid[who])
        for who, bid in self.bids:
            put(f"bid_{who}", (bid,))
        put("question", (question,))
        put("place", (PLACES[self.place],))
        put("declarer", (self.declarer,) if self.declarer else ())
        put("contract", (self.contract,) if self.contract else ())
        put("offered", self.offered)
        if question == "accept":
            put("offered", (self.who[request["from"]],))
        if question in ("play", "surrender", "accept"):
            put("number", (self.number,))
            put("leader", (self.leader,))
        if self.trick:
            taker, taking = holder(self.trick)
            put("led", (self.trick[0][1],))
            put("taking", (taking,))
            put("trick", (card for _, card in self.trick))
            put("taker", (taker,))
        if history:
            for number, trick in enumerate(
                (*self.past, self.trick) if self.trick else self.past, 1
            ):
                put(f"trick_{number}", (card for _, card in trick))
                put(f"led_{number}", (trick[0][0],))
        for who in WHO:
            seen[PLACE["tricks", who]] = self.tricks[who]
            seen[PLACE["points", who]] = self.points[who]
        seen[PLACE["trick_points", "points"]] = sum(POINTS[card] for _, card in self.trick)
        seen[PLACE["aside_points", "points"]] = sum(POINTS[card] for card in aside)
        return bytes(seen)


def holder(trick: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Who takes a trick so far, and with which card."""
    led = SUIT[trick[0][1]]
    able = [one for one in trick if SUIT[one[1]] in ("trump", led)]
    return min(able, key=lambda one: (SUIT[one[1]] != "trump", CARDS.index(one[1])))


def allowed(question: str, request: Message, surrenders: bool, first: str | None = None) -> bytes:
    """The mask over `ACTIONS` of what may be answered."""
    match question:
        case "blind":
            names = ["blind", "look"]
        case "bid" | "talon":
            names = request["legal"]
        case "discard" | "second":
            names = [f"discard {card}" for card in request["hand"] if card != first]
        case "surrender":
            names = ["surrender", "play_on"]
        case "accept":
            names = ["accept", "play_on"]
        case _:
            names = [f"play {card}" for card in request["legal"]]
            names += ["offer"] if surrenders and request["may_offer"] else []
    return bytes(action in names for action in ACTIONS)


def answer(request: Message, question: str, *actions: str) -> Message:
    """The answer to a request: two actions to a discard, one to anything else."""
    action = actions[-1]
    card = action[-2:]
    match question:
        case "blind":
            says: Message = {"blind": action == "blind"}
        case "bid":
            says = {"bid": action}
        case "talon":
            says = {"choice": action}
        case "second":
            says = {"cards": [each[-2:] for each in actions]}
        case "surrender":
            says = {"surrender": action == "surrender"}
        case "accept":
            says = {"accept": action == "accept"}
        case _:
            says = {"offer": True} if action == "offer" else {"card": card}
    return {"type": request["type"], "id": request["id"], **says}


class Desk:
    """All tables of a match."""

    def __init__(self, policy: Policy, surrenders: bool, history: bool = False) -> None:
        self.policy = policy
        self.surrenders = surrenders
        self.history = history
        self.tables: dict[int, Table] = {}

    def answers(self, requests: Sequence[Message]) -> list[Message]:
        """The answers to all requests that have come, judged together."""
        asked = [self._table(request).ask(request) for request in requests]
        firsts = self._judge([(*each, None) for each in zip(requests, asked, strict=True)])
        due = list(zip(requests, asked, firsts, strict=True))
        said = [answer(*each) for each in due if each[1] != "discard"]
        laying = [(request, action) for request, question, action in due if question == "discard"]
        seconds = self._judge([(request, "second", first[-2:]) for request, first in laying])
        said += [
            answer(request, "second", first, second)
            for (request, first), second in zip(laying, seconds, strict=True)
        ]
        return said

    def _table(self, request: Message) -> Table:
        return self.tables.setdefault(request["table"], Table())

    def _judge(self, due: Sequence[tuple[Message, str, str | None]]) -> list[str]:
        if not due:
            return []
        seen = [
            self._table(request).observation(question, request, first, self.history)
            for request, question, first in due
        ]
        masks = [
            allowed(question, request, self.surrenders, first) for request, question, first in due
        ]
        chosen = [int(action) for action in self.policy(seen, masks)]
        for mask, action in zip(masks, chosen, strict=True):
            if not mask[action]:
                raise ValueError(f"the policy chose {ACTIONS[action]}, which is not allowed")
        return [ACTIONS[action] for action in chosen]


def play(policy: Policy, tables: int = 64, surrenders: bool = False, history: bool = False) -> None:
    """Play a match by a policy, from the first line to the last.

    With `surrenders` it is also asked about giving up, as in an environment with `surrenders`.
    With a `history` observations have `HISTORY_SIZE` more numbers, as in one with a history.
    """
    desk = Desk(policy, surrenders, history)
    ready = {"type": "ready", "protocol": 1, "tables": tables}
    if surrenders:
        ready["asks"] = ["surrender", "offer"]
    kinds = ("blind", "bid", "talon", "discard", "play", "surrender", "offer")
    rest = b""
    while chunk := os.read(0, 1 << 16):  # what is there, whether one line or many
        *lines, rest = (rest + chunk).split(b"\n")
        messages = [json.loads(line) for line in lines]
        said = [ready for message in messages if message["type"] == "hello"]
        said += desk.answers([message for message in messages if message["type"] in kinds])
        send(b"".join(json.dumps(each).encode() + b"\n" for each in said))


def send(answers: bytes) -> None:
    """Write all of it, however little the pipe takes at once."""
    while answers:
        answers = answers[os.write(1, answers) :]


class Network:
    """A small network as a policy: layers of rectified units, the action of the largest output.

    The weights are arrays `w0`, `b0`, `w1`, ... of a NumPy archive, a row of `w` for each input.
    The inputs are the numbers of an observation as they are, with its `history` if there are so
    many. Raises `ValueError` for weights that do not fit together.
    """

    def __init__(self, path: str) -> None:
        with zipfile.ZipFile(path) as archive:
            arrays = {name[:-4]: array(archive.read(name)) for name in archive.namelist()}
        depth = len(arrays) // 2
        self.history = len(arrays["w0"]) == SIZE + HISTORY_SIZE
        inputs = SIZE + (HISTORY_SIZE if self.history else 0)
        for name in (f"w{layer}" for layer in range(depth)):
            rows, width = len(arrays[name]), len(arrays[name][0])
            if rows != inputs:
                raise ValueError(f"{name} is {rows} x {width}, but has {inputs} inputs, a row each")
            inputs = width
        if inputs != len(ACTIONS):
            raise ValueError(f"the last layer has {inputs} outputs, not {len(ACTIONS)}, by action")
        self.weights = [arrays[f"w{layer}"] for layer in range(depth)]
        self.biases = [arrays[f"b{layer}"][0] for layer in range(depth)]
        self.columns = list(zip(*self.weights.pop(), strict=True))
        self.last = self.biases.pop()

    def __call__(self, observations: Sequence[bytes], masks: Sequence[bytes]) -> list[int]:
        """The best action of each decision."""
        return [
            max(values, key=values.__getitem__) for values in map(self.values, observations, masks)
        ]

    def values(self, observation: bytes, mask: bytes) -> dict[int, float]:
        """What each allowed action is worth."""
        units: Sequence[float] = observation
        for rows, bias in zip(self.weights, self.biases, strict=True):
            sums = list(bias)
            for unit, row in zip(units, rows, strict=True):
                if unit:  # most numbers are 0, and most units silent
                    sums = [total + unit * weight for total, weight in zip(sums, row, strict=True)]
            units = [max(total, 0.0) for total in sums]
        return {
            action: bias + math.fsum(map(mul, units, self.columns[action]))
            for action, (may, bias) in enumerate(zip(mask, self.last, strict=True))
            if may
        }


def array(data: bytes) -> list[tuple[float, ...]]:
    """The rows of an array of floats in NumPy's file format; a single row if it has one axis.

    The numbers may lie row by row, or column by column as those of a transposed array do.
    """
    wide = 2 if data[6] == 1 else 4  # the format's version says how long the header's length is
    start = 8 + wide + int.from_bytes(data[8 : 8 + wide], "little")
    header = ast.literal_eval(data[8 + wide : start].decode())
    kinds = {"<f2": "e", "<f4": "f", "<f8": "d"}
    if header["descr"] not in kinds:
        raise ValueError(f"weights must be floats ({', '.join(kinds)}), not {header['descr']}")
    *rows, width = header["shape"] or (1,)
    height = rows[0] if rows else 1
    by_column = header["fortran_order"]
    run = height if by_column else width
    lines = list(struct.iter_unpack(f"<{run}{kinds[header['descr']]}", data[start:]))
    return list(zip(*lines, strict=True)) if by_column else lines


if __name__ == "__main__":
    network = Network(sys.argv[1])
    play(network, history=network.history)
