"""Rules as tables for a terminal."""

from collections.abc import Sequence
from operator import itemgetter

import msgspec

from arena.reports.tables import Column, Table
from arena.reports.terminal import show_lines, show_table
from arena.zole.rules import preset
from arena.zole.sources import sources, values


def show_presets() -> None:
    """Print the presets and their sources."""
    _show([*sources().titles.items()], "preset", "source")


def show_rules(name: str, base: str, resolved: dict[str, object]) -> None:
    """Print every value of some rules and its source: the preset at their base, or the file."""
    known = values(preset(base))
    rows = [
        (key, _shown(value), _origin(base, key) if value == known[key] else f"changed by {name}")
        for key, value in resolved.items()
    ]
    show_lines(f"{base}: {sources().titles[base]}")
    _show(rows, "key", "value", "source")


def show_difference(names: tuple[str, ...], keys: dict[str, tuple[object, object]]) -> None:
    """Print the keys in which two rulesets differ."""
    _show([(key, *map(_shown, both)) for key, both in keys.items()], "key", *names)


def _show(rows: Sequence[tuple[str, ...]], *headings: str) -> None:
    columns = [
        Column("", heading, format=itemgetter(place), wraps=True)
        for place, heading in enumerate(headings)
    ]
    show_table(Table(columns, rows))


def _origin(name: str, key: str) -> str:
    origin = sources().keys[key]
    if name in origin.said:
        return origin.said[name]
    return "ours: " + (origin.ours or "the source is silent; as in pagat")


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
