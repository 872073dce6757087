"""The worked deals through real processes: every legal set, every event, every payment."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.zole.rules import Rules
from tests.support.bots import write_bot
from tests.support.command import run
from tests.zole.test_traces import GROUPS, rules_of

Fields = dict[str, Any]

BOT = """
import json, os, sys
deals = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "script.json")))

for line in sys.stdin:
    m = json.loads(line)
    kind = m["type"]
    if kind == "hello":
        ready = {"type": "ready", "protocol": 1, "asks": ["surrender", "offer"]}
        print(json.dumps(ready), flush=True)
        continue
    if kind in ("bye", "deal_end"):
        continue
    script = deals[m["deal"]]
    if kind == "surrender":
        due = script and script[0][0] == "surrender" and script[0][1] == 9 - len(m["hand"])
        answer = {"surrender": bool(due and script.pop(0))}
    elif kind == "play" and script and script[0][0] == "offer":
        script.pop(0)
        answer = {"offer": True}
    else:
        due, want, legal = script.pop(0)
        key = {"offer": "answer"}.get(kind, kind)
        if due != key or legal is not None and sorted(m["legal"]) != sorted(legal):
            sys.exit(f"differs from the script: {line}")
        field = {"discard": "cards", "play": "card", "offer": "accept"}.get(kind, kind)
        answer = {field: want}
    print(json.dumps({"type": kind, "id": m["id"], **answer}), flush=True)
"""


ASKED = ("bid", "blind", "discard", "play", "surrender", "offer")


def script(trace: Fields, seat: int) -> list[list[object]]:
    """What a seat is asked and answers, in order, each with what is legal where that is listed."""
    steps: list[list[object]] = []
    for event in trace["events"]:
        kind, choice = event["type"], event.get("choice")
        if kind in ASKED and event["seat"] == seat:
            others = {"blind": choice == "blind", "surrender": event.get("trick"), "offer": None}
            said = {**others, "play": event.get("card")}.get(kind, choice)
            steps.append([kind, said, None if kind == "blind" else event.get("legal")])
        elif kind == "offer" and trace["result"]["declarer"] == seat:
            steps.append(["answer", event["answer"] == "accept", None])
    return steps


def toml(rules: Rules) -> str:
    """Rules as a file: one line for each key, with its section before a dot."""
    pairs = [
        (f"{name}.{key}", inner) if key else (name, inner)
        for name, value in msgspec.to_builtins(rules).items()
        for key, inner in (value if isinstance(value, dict) else {"": value}).items()
    ]
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in pairs)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_worked_deals_agrees_over_the_wire(tmp_path: Path, group: str) -> None:
    traces = GROUPS[group]
    rules = rules_of(traces[0]["rules"])
    (tmp_path / "rules.toml").write_text(toml(rules))
    deals = [
        {
            "dealer": trace["dealer"],
            "hands": [trace["hands"].get(str(seat), []) for seat in range(rules.players)],
            "talon": trace["talon"],
        }
        for trace in traces
    ]
    (tmp_path / "deals.jsonl").write_text("".join(json.dumps(deal) + "\n" for deal in deals))
    bots = [write_bot(tmp_path / str(seat), BOT) for seat in range(rules.players)]
    for seat, bot in enumerate(bots):
        (bot / "script.json").write_text(json.dumps([script(trace, seat) for trace in traces]))
    files = ("--rules", tmp_path / "rules.toml", "--deals", tmp_path / "deals.jsonl")
    done = run("match", *bots, *files, "--seatings", "one", "--isolation", "none", "--json")
    assert done.returncode == 0, done.stderr
    games = json.loads(done.stdout)["games"]
    for trace, game in zip(traces, games, strict=True):
        assert game["faults"] == []
        assert cards_and_tricks(game["events"]) == cards_and_tricks(trace["events"])
        want = trace["result"]["payments"]
        assert game["payments"] == [want.get(str(seat), 0) for seat in range(rules.players)]


def cards_and_tricks(events: list[Fields]) -> list[tuple[object, ...]]:
    """Bids, cards and tricks of a trace or of a game, in one form."""
    seen: list[tuple[object, ...]] = []
    for event in events:
        match event.get("event", event.get("type")):
            case "card" | "play":
                seen.append((event["seat"], event["card"]))
            case "talon_card":
                seen.append(("talon", event["card"]))
            case "trick":
                seen.append((event["winner"], event["points"]))
            case "bid":
                seen.append((event["seat"], event.get("bid", event.get("choice"))))
    return seen
