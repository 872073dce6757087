"""A bot as its author submits it: a folder with a manifest, identified by content."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.base.errors import ArenaError, Mistake
from arena.base.installation import shipped
from arena.base.resources import Resources
from arena.base.toml import TomlFile, read_table
from arena.bots.names import NAME_RULE, mistake_in_name, mistake_in_words
from arena.bots.tree import MANIFEST, content

Argument = Annotated[str, Meta(pattern=r"\A[^\x00]{1,4096}\Z")]
"""1 to 4096 characters, none of them NUL."""
ModuleName = Annotated[str, Meta(pattern=r"\A[A-Za-z_][A-Za-z0-9_]{0,99}\Z")]
CommandLine = Annotated[tuple[Argument, ...], Meta(min_length=1, max_length=64)]


class Bot(msgspec.Struct, frozen=True):
    """A bot's manifest, and the path of its folder.

    `build` is run once in a copy of the folder; `deterministic` says that it
    draws all chance from `hello.seed`; `needs` names modules of Python that it imports and does not
    bring along; `guests` that it may be played against at a table of a
    site; `limits` are those it asks for, within the league's.
    """

    name: str
    version: Annotated[str, Meta(max_length=40)]
    author: Annotated[str, Meta(max_length=80)]
    run: CommandLine
    build: CommandLine | None = None
    deterministic: bool = False
    needs: Annotated[tuple[ModuleName, ...], Meta(max_length=32)] = ()
    guests: bool = False
    limits: Resources = Resources()
    folder: str = ""


def read_bot(folder: Path, plays_as: str | None = None) -> Bot:
    """The bot in a folder. Raises `ArenaError` with all the mistakes in its manifest.

    `plays_as` takes precedence over its own name. Where there is no folder `sample_bots/NAME`, it
    is the one that ships with the arena.
    """
    if folder.parent.name == "sample_bots" and not folder.exists():
        sample = shipped("sample_bots") / folder.name
        folder = sample if sample.is_dir() else folder
    require_folder(folder)
    if (folder / MANIFEST).is_symlink():
        raise ArenaError(Mistake("this must be a file, not a link", str(folder / MANIFEST)))
    document = TomlFile(folder / MANIFEST)
    good = read_table(document, document.data, Bot)
    if plays_as is None and (wrong := mistake_in_name(str(good.get("name", "none")))):
        document.add_error(("name",), wrong, NAME_RULE)
    for key in ("version", "author"):
        if wrong := mistake_in_words(str(good.get(key, ""))):
            document.add_error((key,), f"{key}: {wrong}")
    match good.get("run"):
        case (str(program), *_) if ".." in program.split("/"):  # it would show which files exist
            what = "run: the program's path must not contain .."
            document.add_error(("run",), what, "name it from the bot's folder")
    document.check()
    good["folder"] = str(folder.resolve())
    return msgspec.convert(good, Bot)


def require_folder(path: Path) -> None:
    """Raise `ArenaError` if there is no folder at a path that should be a bot's."""
    if path.is_file():
        raise ArenaError(file_of_bot(path))
    if not path.is_dir():
        raise ArenaError(Mistake("there is no such folder", str(path), "a bot is a folder"))


def file_of_bot(path: Path) -> Mistake:
    """The error if a file is named instead of its bot's folder."""
    return Mistake("this is a file", str(path), f"a bot is a folder: name {path.parent}")


def content_hash(folder: Path) -> str:
    """The SHA-256 of a folder's names, contents and executable bits. Raises `ArenaError`."""
    return content(folder).digest
