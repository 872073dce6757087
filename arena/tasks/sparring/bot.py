"""A partner for checking bots: a program that bids as told and plays the first legal card.

Run as `python3 bot.py pass|declare|offer`: it passes, declares whenever it may, or passes and
offers to give up whenever it may.
"""

import json
import sys


def main(habit: str) -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, object]
        match request["type"]:
            case "hello":
                print(
                    '{"type":"ready","protocol":1,"tables":64}', flush=True
                )  # as many tables as the checked bot can play
                continue
            case "blind":
                answer = {"blind": False}
            case "bid":
                declares = habit == "declare" and "ordinary" in request["legal"]
                answer = {"bid": "ordinary" if declares else "pass"}
            case "talon":
                answer = {"choice": "take"}
            case "discard":
                answer = {"cards": request["hand"][-2:]}
            case "play" if habit == "offer" and request["may_offer"]:
                answer = {"offer": True}
            case "play":
                answer = {"card": request["legal"][0]}
            case _:
                continue
        print(json.dumps({"type": request["type"], "id": request["id"], **answer}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
