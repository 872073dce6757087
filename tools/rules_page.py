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

Values that contradict each other or make a deal impossible are rejected when a file is read, each
with the reason. No seat may pay or be paid more than 32767 stakes in a deal.
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
