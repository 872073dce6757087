"""The golden transcripts are valid by the schema, and replay to the same lines."""

import json
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from arena.match.wire import FaultKind, FromBot, ToBot
from tests.support.transcripts import TRANSCRIPTS, Entry, Line, play_back, transcripts

PROTOCOL = Path(__file__).parents[2] / "protocol"


def entries_of(name: str) -> list[Entry]:
    lines = (PROTOCOL / f"transcripts/{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Entry) for line in lines]


DEFINITIONS = json.loads((PROTOCOL / "schema.json").read_text())["$defs"]


@cache
def validator(side: str, kind: object) -> Draft202012Validator:
    """For lines of one kind; what is valid by it is valid by the `anyOf` of its side."""
    kinds = DEFINITIONS[side]["discriminator"]["mapping"]
    return Draft202012Validator({"$ref": kinds[kind], "$defs": DEFINITIONS})


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_every_line_is_valid_by_the_schema(name: str) -> None:
    for entry in entries_of(name):
        if entry.line is not None:
            side = "from_bot" if entry.to is None else "to_bot"
            validator(side, entry.line["type"]).validate(entry.line)


def test_the_schema_is_one_and_refuses_what_is_no_message() -> None:
    schema = {"$ref": "#/$defs/from_bot", "$defs": DEFINITIONS}
    Draft202012Validator.check_schema(schema)
    wrong: list[Line] = [
        {},
        {"type": "play"},
        {"type": "play", "id": "1", "card": "QC"},
        {"type": "discard", "id": 1, "cards": ["QC"]},
        {"type": "nonsense", "id": 1},
    ]
    assert [line for line in wrong if Draft202012Validator(schema).is_valid(line)] == []


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_plays_again_to_the_same_lines(name: str) -> None:
    entries = entries_of(name)
    assert play_back(transcripts()[name], entries) == entries


@pytest.mark.parametrize(
    ("name", "contract", "fault"),
    [
        ("ordinary_win", "ordinary", None),
        ("solo", "solo", None),
        ("all_pass", "table", None),
        ("illegal_card", "ordinary", "illegal"),
        ("timeout", "ordinary", "timeout"),
        ("crash", "ordinary", "exited"),
        ("surrender", "ordinary", None),
        ("refused_offer", "ordinary", None),
        ("accepted_offer", "ordinary", None),
        ("blind", "blind", None),
        ("talon_taken", "ordinary", None),
        ("talon_given", "solo", None),
        ("four_at_the_table", "ordinary", None),
        ("corrected", "ordinary", None),
        ("malformed", "ordinary", "malformed"),
        ("flooded", "ordinary", "flooded"),
        ("resource", "ordinary", "resource"),
        ("unready", None, "unready"),
    ],
)
def test_a_transcript_shows_what_it_is_called(
    name: str, contract: str | None, fault: str | None
) -> None:
    [*_, last] = [
        entry for entry in entries_of(name) if (entry.line or {}).get("type") == "deal_end"
    ]
    result = msgspec.convert(last.line, dict)["result"]
    assert result["contract"] == contract
    assert (result["fault"] or {"fault": None})["fault"] == fault
    if name in ("ordinary_win", "solo", "refused_offer"):
        assert result["payments"][result["declarer"]] > 0


def test_the_transcripts_show_every_message_and_every_fault() -> None:
    lines = [entry for name in TRANSCRIPTS for entry in entries_of(name)]
    shown = {str(entry.line["type"]) for entry in lines if entry.line is not None}
    messages = (*get_args(ToBot), *get_args(FromBot))
    assert shown == {str(each.__struct_config__.tag) for each in messages}
    failed = {entry.fails for entry in lines if entry.fails} | {"illegal"}
    assert failed == set(get_args(FaultKind)) - {"internal"}  # which is the arena's own
