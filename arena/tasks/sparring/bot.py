"""A partner for checking bots: in each deal it has a habit, good or bad.

Run as `python3 bot.py TABLES HABIT...`, with the number of tables at which it can play and a habit
for each deal. `pass` passes, and `offer` also offers to give up; `ordinary`, `solo`, `small_solo`
and `blind` declare that if they may; `accept` declares and accepts offers, `surrender` declares and
gives up; `misbid`, `misdiscard` and `misplay` make that mistake.
"""

import json
import sys

DECLARING = ("solo", "accept", "surrender", "misdiscard")
"""Habits that bid an ordinary game if their name itself is not a legal bid."""


def answer(request: dict, habit: str) -> dict | None:
    """The fields of the answer to a request, None if the line asks nothing."""
    match request["type"]:
        case "blind":
            return {"blind": habit == "blind"}
        case "bid" if habit == "misbid":
            return {"bid": "grand"}
        case "bid":
            wishes = habit, "ordinary" if habit in DECLARING else "pass", "pass"
            return {"bid": next(wish for wish in wishes if wish in request["legal"])}
        case "talon":
            return {"choice": "give" if habit == "solo" else "take"}
        case "discard":
            low, lowest = request["hand"][-2:]
            return {"cards": [lowest if habit == "misdiscard" else low, lowest]}
        case "surrender":
            return {"surrender": habit == "surrender"}
        case "offer":
            return {"accept": habit == "accept"}
        case "play" if habit == "misplay":
            return {"card": "7C"}
        case "play" if habit == "offer" and request["may_offer"]:
            return {"offer": True}
        case "play":
            return {"card": request["legal"][request["id"] % len(request["legal"])]}
    return None


def main(tables: int, habits: list[str]) -> None:
    """Answer requests until the input ends; an answer that is refused is given again."""
    asks = ["surrender", "offer"]
    say = {"type": "ready", "protocol": 1, "tables": tables, "asks": asks}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] not in ("hello", "error"):
            said = (
                answer(message, habits[message["deal"] % len(habits)])
                if "deal" in message
                else None
            )
            if said is None:
                continue
            say = {"type": message["type"], "id": message["id"], **said}
        print(json.dumps(say), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
