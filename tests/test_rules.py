"""The presets say what their sources say."""

import json
from pathlib import Path

import msgspec
import pytest

from arena.zole.rules import contradictions, merged, preset, preset_names

SOURCES = json.loads((Path(__file__).parent / "data/presets.json").read_text())


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_has_the_values_of_its_source(name: str) -> None:
    ours = msgspec.to_builtins(preset(name))
    for key, value in SOURCES[name].items():
        if key.startswith("_") or key == "auction.blind":
            continue
        mine: object = ours
        for part in key.split("."):
            assert isinstance(mine, dict)
            mine = mine[part]
        if key == "players":
            assert mine in value
        else:
            assert (list(mine) if isinstance(mine, tuple) else mine) == value, key


def test_every_source_has_a_preset() -> None:
    assert set(preset_names()) == {name for name in SOURCES if not name.startswith("_")}


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_contradicts_itself_nowhere(name: str) -> None:
    assert contradictions(preset(name)) == []


def test_changes_are_laid_over_section_by_section() -> None:
    base: dict[str, object] = {"a": {"x": 1, "y": 2}, "b": 3}
    assert merged(base, {"a": {"y": 5}}) == {"a": {"x": 1, "y": 5}, "b": 3}
    assert base == {"a": {"x": 1, "y": 2}, "b": 3}
