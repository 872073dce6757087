"""Sample bots that are broken in the ways in which authors break theirs."""

import shutil
import tomllib
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
SOURCES = (".py", ".js", ".c", ".pl", ".sh")


class Broken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts of a sample bot and what replaces each: one as `old` and `new`, more as `changes`.

    `says` is part of what a check says of the bot; `passes` is the reason why it finds nothing.
    """

    says: str = ""
    passes: str = ""
    old: str = ""
    new: str = ""
    changes: tuple[tuple[str, str], ...] = ()


BROKEN = msgspec.convert(
    tomllib.loads((ROOT / "tests/data/broken_bots.toml").read_text(encoding="utf-8")),
    dict[str, Broken],
)
"""The broken bots by name, which begins with that of the sample bot."""


def write_broken(name: str, folder: Path) -> Path:
    """Write a broken bot. Each text to replace must be in its sample's one source exactly once."""
    shutil.copytree(ROOT / "sample_bots" / name.split(":")[0], folder)
    [source] = [path for path in folder.iterdir() if path.suffix in SOURCES]
    text, broken = source.read_text(encoding="utf-8"), BROKEN[name]
    for old, new in broken.changes or ((broken.old, broken.new),):
        assert text.count(old) == 1, f"{name}: not once in {source}: {old}"
        text = text.replace(old, new)
    source.write_text(text, encoding="utf-8")
    return folder
