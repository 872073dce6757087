"""Origins of the rules: where a source states the value of each key, and our choices."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from arena.zole.rules import Rules, preset, preset_names

_FILE = Path(__file__).with_name("sources.toml")


class Origin(msgspec.Struct, frozen=True):
    """A key of the rules: where a preset's source states it, and why we chose the rest."""

    said: dict[str, str] = {}
    ours: str = ""


class Sources(msgspec.Struct, frozen=True):
    """The source of each preset, and the origin of every key of the rules in their order."""

    titles: dict[str, str]
    keys: dict[str, Origin]


@cache
def sources() -> Sources:
    """The sources of the rules that ship with the arena."""
    return msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), Sources)


def values(rules: Rules) -> dict[str, object]:
    """The value of every key of some rules, by dotted name."""
    found: dict[str, object] = {}
    for name, value in msgspec.to_builtins(rules).items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": each for inner, each in value.items()}
        else:
            found[name] = value
    return found


def nearest_preset(rules: Rules) -> tuple[str, dict[str, object]]:
    """The preset closest to some rules, and those values of the rules that differ, by key."""
    mine = values(rules)
    presets = {name: values(preset(name)) for name in preset_names()}
    changed = {
        name: {key: value for key, value in mine.items() if value != theirs[key]}
        for name, theirs in presets.items()
    }
    nearest = min(changed, key=lambda name: len(changed[name]))
    return nearest, changed[nearest]
