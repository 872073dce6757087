"""Plays by chance: any legal bid, any two cards aside, any legal card."""

import json
import random
import sys


def answer(request: dict, chance: random.Random) -> dict | None:
    """What to say to a line, or None where nothing is asked."""
    match request["type"]:
        case "blind":
            return {"blind": False}
        case "bid":
            return {"bid": chance.choice(request["legal"])}
        case "talon":
            return {"choice": chance.choice(request["legal"])}
        case "discard":
            return {"cards": chance.sample(request["hand"], 2)}
        case "play":
            return {"card": chance.choice(request["legal"])}
    return None


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            chance.seed(message["seed"])  # the same chance again on the same deals
            say = {"type": "ready", "protocol": 1, "name": "random"}
        else:
            what = answer(message, chance)
            if what is None:
                continue
            say = {"type": message["type"], "id": message["id"], **what}
        print(json.dumps(say), flush=True)


main()
