"""The page `docs/rules.md`, made from the tables of presets and sources."""

import msgspec

from arena.reports.language import ENGLISH, Language
from arena.reports.sentences import about_rule
from arena.zole.rules import preset, preset_names
from arena.zole.sources import sources, values

_INTRODUCTION = """# Rules

Five sources describe Zole, and they differ. Each difference is a key, so that every source can be
played to the letter. A league names a preset (`rules = "lzsf"`), or a preset and the keys that
differ:

```toml
[rules]
preset = "pagat"
players = 4
all_pass = "pool"
pools.enabled = true
```

A file for `arena match --rules FILE.toml` has the same keys at the top level. `arena rules pagat`
prints a preset with what its source says about every value, and why we chose it where the source
is silent.
"""

_IMPOSSIBLE = """## Rejected values

Rejected are any number of players but 3, 4 or 5; pools without `all_pass = "pool"`, and that
without pools; pools with fewer than eight tricks; contracts without `ordinary`, or with one named
twice; fewer than 1 or more than 8 tricks; rows in which a win does not pay or a loss does; table
stakes below 1, negative pool stakes; fewer than 0 or more than 1000 corrections; fewer than one
fault; no time for a move, or endless time; and stakes by which a seat could pay or be paid more
than 32767 in one deal: with five players no row may exceed 8191, or 4095 where the collective
stake is 4096.
"""


def rules_page() -> str:
    """The text of `docs/rules.md`."""
    presets = {name: values(preset(name)) for name in preset_names()}
    lines = [_INTRODUCTION, "| preset | source |", "| --- | --- |"]
    lines += (f"| `{name}` | {title} |" for name, title in sources().titles.items())
    lines += ["", "## Keys", "", "| key | meaning | values |", "| --- | --- | --- |"]
    english = Language(ENGLISH)
    for key in sources().keys:
        by_value: dict[str, list[str]] = {}
        for name, all_values in presets.items():
            value = msgspec.json.encode(all_values[key]).decode()
            by_value.setdefault(value, []).append(name)
        usual, *others = sorted(by_value, key=lambda value: -len(by_value[value]))
        told = "<br>".join(
            (f"`{usual}`", *(f"{', '.join(by_value[each])}: `{each}`" for each in others))
        )
        lines.append(f"| `{key}` | {english.said(about_rule(key))} | {told} |")
    lines += ["", _IMPOSSIBLE]
    return "\n".join(lines)
