"""The page `docs/rules.md`, made from the tables of presets and sources."""

import msgspec

from arena.reports.language import ENGLISH, Language
from arena.reports.sentences import about_rule
from arena.zole.rules import preset, preset_names
from arena.zole.sources import sources, values

_INTRODUCTION = """# The rules, key by key

Five sources describe Zole, and they differ. Wherever they do there is a key, so that each can be
played to the letter. A league names a preset, as in `rules = "lzsf"`, or also the keys that differ:

```toml
[rules]
preset = "pagat"
players = 4
all_pass = "pool"
pools.enabled = true
```

A file of rules for `arena match --rules FILE.toml` has the same keys at the top level. `arena rules
pagat` prints a preset with the source of every value.
"""

_HOW_TO_READ = """In the tables, "silent" means that the source says nothing or knows no such
thing; the value is then ours, with the reason below the table if there was a choice.
This page is made from `arena/zole/presets.toml` and `arena/zole/sources.toml`.
"""

_IMPOSSIBLE = """## What is refused

These are refused, with the line of the file: any number of players but 3, 4 or 5; pools without
`all_pass = "pool"`, and that without pools; pools with fewer than eight tricks; contracts without
`ordinary`, or with one named twice; fewer than 1 or more than 8 tricks; rows in which a win does
not pay or a loss does; table stakes below 1, negative pool stakes; fewer than 0 or more than 1000
corrections; fewer than one fault; no time for a move, or endless time.

Also refused are stakes by which a seat could pay or be paid more than 32767 in one deal. With
sitting out scored, a declarer settles with every other player, and a pool it wins comes on top:
with five players no row may exceed 8191 (four times that is 32764), or 4095 where the collective
stake is 4096.
"""


def rules_page() -> str:
    """The text of `docs/rules.md`."""
    presets = {name: values(preset(name)) for name in preset_names()}
    lines = [_INTRODUCTION, "| preset | source |", "| --- | --- |"]
    lines += (f"| `{name}` | {title} |" for name, title in sources().titles.items())
    lines += ["", _HOW_TO_READ]
    english = Language(ENGLISH)
    for key, origin in sources().keys.items():
        lines += [f"## `{key}`", "", english.said(about_rule(key)), ""]
        lines += ["| preset | value | source |", "| --- | --- | --- |"]
        for name, all_values in presets.items():
            said = origin.said.get(name, "silent")
            lines.append(
                f"| `{name}` | `{msgspec.json.encode(all_values[key]).decode()}` | {said} |"
            )
        lines.append("")
        if origin.ours:
            lines += [f"What we chose: {origin.ours}", ""]
    lines.append(_IMPOSSIBLE)
    return "\n".join(lines)
