"""The presets say what their sources say."""

import json
from pathlib import Path

import msgspec
import pytest

from arena.zole.rules import Settings, merged, preset, preset_names

SOURCES = json.loads((Path(__file__).parents[1] / "data/presets.json").read_text())


def settings_of(name: str) -> dict[str, object]:
    """A preset's settings by their dotted names, as the sources have them."""
    found: dict[str, object] = {}
    for section, values in json.loads(msgspec.json.encode(preset(name))).items():
        if isinstance(values, dict):
            found |= {f"{section}.{key}": value for key, value in values.items()}
        else:
            found[section] = values
    return found


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_has_the_values_of_its_source_and_else_those_of_the_default(name: str) -> None:
    source = {key: value for key, value in SOURCES[name].items() if not key.startswith("_")}
    ours, default = settings_of(name), settings_of("pagat")
    assert preset(name).players in source.pop("players")
    # The sources ask for a blind game apart; here it is one of the contracts.
    assert ("blind" in preset(name).auction.contracts) is source.pop("auction.blind")
    assert ours == {**default, "players": ours["players"], **source}


def test_every_source_has_a_preset() -> None:
    assert set(preset_names()) == {name for name in SOURCES if not name.startswith("_")}


def test_changes_are_laid_over_section_by_section() -> None:
    base: dict[str, object] = {"a": {"x": 1, "y": 2}, "b": 3}
    assert merged(base, {"a": {"y": 5}}) == {"a": {"x": 1, "y": 5}, "b": 3}
    assert base == {"a": {"x": 1, "y": 2}, "b": 3}


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_preset_is_valid_at_every_size_of_table(name: str, players: int) -> None:
    assert preset(name, {"players": players}).players == players


POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

WRONG: list[tuple[Settings, str]] = [
    ({"players": 2}, "players"),
    ({"players": 6}, "players"),
    ({"auction": {"contracts": ["ordinary", "solo", "solo"]}}, "auction.contracts"),
    ({"auction": {"contracts": ["solo"]}}, "auction.contracts"),
    ({"play": {"tricks": 0}}, "play.tricks"),
    ({"play": {"tricks": 9}}, "play.tricks"),
    ({"all_pass": "pool"}, "all_pass"),
    ({"pools": {"enabled": True}}, "pools.enabled"),
    ({"all_pass": "pool", "pools": {"enabled": True}, "play": {"tricks": 7}}, "play.tricks"),
    ({"table": {"stake": 0}}, "table.stake"),
    ({"conduct": {"corrections": -1}}, "conduct.corrections"),
    ({"pools": {"collective_stake": -1}}, "pools.collective_stake"),
    ({"pools": {"personal_stake": -1}}, "pools.personal_stake"),
    ({"pools": {"collective_stake": 1 << 70}}, "pools.collective_stake"),
    ({"pools": {"personal_stake": 32768}}, "pools.personal_stake"),
    ({"conduct": {"max_faults": 0}}, "conduct.max_faults"),
    ({"conduct": {"max_faults": 1 << 70}}, "conduct.max_faults"),
    ({"conduct": {"move_limit_s": 0}}, "conduct.move_limit_s"),
    ({"conduct": {"move_limit_s": -1}}, "conduct.move_limit_s"),
    ({"conduct": {"move_limit_s": float("nan")}}, "conduct.move_limit_s"),
    ({"scoring": {"ordinary": [3, 2, 0, -2, -3, -4]}}, "scoring.ordinary"),
    ({"scoring": {"solo": [6, 5, 4, 0, -6, -7]}}, "scoring.solo"),
    ({"scoring": {"blind": [9, 8, -7, -8, -9, -10]}}, "scoring.blind"),
    ({"scoring": {"small_solo": [6, 7]}}, "scoring.small_solo"),
    ({"conduct": {"corrections": 1001}}, "conduct.corrections"),
    ({"conduct": {"move_limit_s": float("inf")}}, "conduct.move_limit_s"),
    ({"players": 5, "scoring": {"small_solo": [8192, -7]}}, "scoring.small_solo"),
    ({"players": 5, "scoring": {"blind": [9, 8, 7, -8, -9, -8192]}}, "scoring.blind"),
    ({"scoring": {"solo": [1 << 70, 5, 4, -5, -6, -7]}}, "scoring.solo"),
    ({"table": {"stake": 16384}}, "table.stake"),
    ({**POOLS, "pools": {"enabled": True, "collective_stake": 16374}}, "pools.collective_stake"),
    ({**POOLS, "pools": {"enabled": True, "personal_stake": 32748}}, "pools.personal_stake"),
]


@pytest.mark.parametrize(("changes", "key"), WRONG, ids=range(len(WRONG)))
def test_contradictory_settings_are_reported_by_their_key(changes: Settings, key: str) -> None:
    with pytest.raises(ValueError, match=rf"^{key}: [^\n]*$"):
        preset("pagat", changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 5, "scoring": {"small_solo": [8191, -8191]}},
        {
            "players": 5,
            "sitout": {"scoring": "none"},
            "scoring": {"solo": [9, 8, 7, -5, -6, -16383]},
        },
        {"table": {"stake": 16383}},
        {**POOLS, "pools": {"enabled": True, "collective_stake": 16373}},
        {**POOLS, "pools": {"enabled": True, "personal_stake": 32747}},
        {"conduct": {"corrections": 1000}},
    ],
)
def test_the_largest_stakes_that_fit_a_record_are_accepted(changes: Settings) -> None:
    preset("pagat", changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": 3},
        {"auction": {"mode": "loudest"}},
        {"auction": {"contracts": ["grand"]}},
        {"deal": {"packets": "8-2"}},
        {"scoring": {"solo": [1, 2, 3]}},
        {"players": "three"},
        {"conduct": {"patience": 1}},
    ],
)
def test_unknown_settings_are_refused(changes: Settings) -> None:
    with pytest.raises(msgspec.ValidationError):
        preset("pagat", changes)


def test_an_unknown_preset_and_all_contradictions_are_reported() -> None:
    with pytest.raises(ValueError, match="unknown preset pagatt; known are pagat, "):
        preset("pagatt")
    with pytest.raises(ValueError, match=r"^players: 7 is out of range; .* 3 to 5\nplay"):
        preset("pagat", {"players": 7, "play": {"tricks": 0}})
