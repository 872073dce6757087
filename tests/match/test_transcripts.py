"""The golden transcripts are valid by the schema, and replay to the same lines."""

import json
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from arena.match.wire import FaultKind, FromBot, ToBot
from tests.support.transcripts import TRANSCRIPTS, Entry, play_back, transcripts

PROTOCOL = Path(__file__).parents[2] / "protocol"
DEFINITIONS = json.loads((PROTOCOL / "schema.json").read_text())["$defs"]


def entries_of(name: str) -> list[Entry]:
    lines = (PROTOCOL / f"transcripts/{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Entry) for line in lines]


@cache
def validator(side: str, kind: object) -> Draft202012Validator:
    """For lines of one kind; what is valid by it is valid by the `anyOf` of its side."""
    kinds = DEFINITIONS[side]["discriminator"]["mapping"]
    return Draft202012Validator({"$ref": kinds[kind], "$defs": DEFINITIONS})


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_is_valid_by_the_schema_and_plays_again_to_the_same_lines(name: str) -> None:
    entries = entries_of(name)
    for entry in entries:
        if entry.line is not None:
            side = "from_bot" if entry.to is None else "to_bot"
            validator(side, entry.line["type"]).validate(entry.line)
    assert play_back(transcripts()[name], entries) == entries


def test_the_schema_is_one_and_refuses_what_is_no_message() -> None:
    schema = {"$ref": "#/$defs/from_bot", "$defs": DEFINITIONS}
    Draft202012Validator.check_schema(schema)
    wrong = [
        {},
        {"type": "play"},
        {"type": "play", "id": "1", "card": "QC"},
        {"type": "discard", "id": 1, "cards": ["QC"]},
        {"type": "nonsense", "id": 1},
    ]
    assert [line for line in wrong if Draft202012Validator(schema).is_valid(line)] == []


def test_each_transcript_shows_what_it_is_called() -> None:
    """The contract and the fault of its last deal, and whether who declared won."""
    shown = {}
    for name in TRANSCRIPTS:
        *_, last = (line for each in entries_of(name) if "result" in (line := each.line or {}))
        result = msgspec.convert(last["result"], dict)
        fault = (result["fault"] or {}).get("fault")
        declarer = result["declarer"]
        shown[name] = (
            result["contract"],
            fault,
            declarer is not None and result["payments"][declarer] > 0,
        )
    assert shown == {
        "ordinary_win": ("ordinary", None, True),
        "solo": ("solo", None, True),
        "all_pass": ("table", None, False),
        "surrender": ("ordinary", None, False),
        "refused_offer": ("ordinary", None, True),
        "accepted_offer": ("ordinary", None, True),
        "blind": ("blind", None, True),
        "talon_taken": ("ordinary", None, True),
        "talon_given": ("solo", None, True),
        "four_at_the_table": ("ordinary", None, True),
        "corrected": ("ordinary", None, True),
        "illegal_card": ("ordinary", "illegal", False),
        "malformed": ("ordinary", "malformed", False),
        "timeout": ("ordinary", "timeout", True),
        "crash": ("ordinary", "exited", True),
        "flooded": ("ordinary", "flooded", False),
        "resource": ("ordinary", "resource", False),
        "unready": (None, "unready", False),
    }


def test_the_transcripts_show_every_message_and_every_fault() -> None:
    lines = [entry for name in TRANSCRIPTS for entry in entries_of(name)]
    messages = {each.__struct_config__.tag for each in (*get_args(ToBot), *get_args(FromBot))}
    assert {entry.line["type"] for entry in lines if entry.line is not None} == messages
    failed = {entry.fails for entry in lines if entry.fails} | {"illegal"}
    assert failed == set(get_args(FaultKind)) - {"internal"}  # which is the arena's own
