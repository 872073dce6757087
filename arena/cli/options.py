"""Parts that several commands share: options, and ways to write a result."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import writing
from arena.base.harmless import harmless, harmless_json
from arena.base.installation import how_to_install
from arena.base.isolation_levels import ISOLATION_LEVELS

if TYPE_CHECKING:
    from arena.record.store import Store


class Whole(click.IntRange):
    """A whole number within bounds; `name` is the word for it in messages."""

    name = "whole number"


class Number(click.FloatRange):
    """A number within bounds; `name` is the word for it in messages."""

    name = "number"


def from_zero(_: click.Context, __: click.Parameter, typed: int | None) -> int | None:
    """The number of a deal as programs count, from 0; people type it from 1."""
    return None if typed is None else typed - 1


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
jobs_option = click.option(
    "--jobs",
    type=Whole(1),
    metavar="N",
    help="Matches at a time, each on its own core.  [default: all cores]",
)
seed_option = click.option(
    "--seed",
    type=Whole(0),
    metavar="N",
    help="A seed of your choice: the deals then count as practice.",
)
no_timeout_option = click.option(
    "--no-timeout", is_flag=True, help="Do not time the bots (to debug them)."
)
rules_option = click.option("--rules", default="pagat", metavar="PRESET|FILE", show_default=True)
answer_time_option = click.option(
    "--move-s",
    type=Number(0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for an answer. Leagues usually give 60.",
)
isolation_option = click.option(
    "--isolation",
    "level",
    type=click.Choice(ISOLATION_LEVELS),
    help="How strictly bots are kept apart.  [default: the strongest available]",
)
private_option = click.option(
    "--private",
    is_flag=True,
    help="Include the bots' notes, stderr and the details of their faults.",
)
match_argument = click.argument("match", type=Whole(0), required=False, metavar="[MATCH]")
FILE = click.Path(path_type=Path)
record_option = click.option(
    "--record",
    type=FILE,
    metavar="FILE.db",
    help="Keep the match in this file, as a league is kept.",
)


class _Record(click.Path):
    """A league by its file or its record, which is open for as long as the command runs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return open_record(Path(value))


record_argument = click.argument("store", type=_Record(), metavar="LEAGUE")


def check_web_server(otherwise: str = "") -> None:
    """Raise `MachineError` without the packages that serve pages; `otherwise` ends the remedy."""
    missing = [name for name in ("httptools", "starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        what = f"the page is served by {', '.join(missing)}, which this Python does not have"
        raise MachineError(Mistake(what, "", how_to_install("serve") + otherwise))


def open_record(path: Path) -> "Store":
    """Open the record of a league for as long as the command runs. Raises `ArenaError`."""
    from arena.record.paths import record_path  # not all commands read a record
    from arena.record.store import Store

    opened = closing(Store.open(record_path(path)))
    return click.get_current_context().with_resource(opened)


def check_language(tag: str | None, known: Sequence[str]) -> None:
    """Raise `ArenaError` for a language that is asked for and not known."""
    if tag not in (None, *known):
        what, remedy = f"there is no language {tag} here", f"choose {', '.join(known)}"
        raise ArenaError(Mistake(what, "--language", remedy))


def find_seat(bots: Sequence[str], said: str) -> int:
    """The seat that was asked for by its number, or by the only such bot. Raises `ArenaError`."""
    if said in map(str, range(len(bots))):
        return int(said)
    if bots.count(said) == 1:
        return bots.index(said)
    known = ", ".join(f"{seat} ({bot})" for seat, bot in enumerate(bots))
    what = f"{said} sits in several seats" if said in bots else f"there is no seat {said}"
    raise ArenaError(Mistake(what, "--seat", f"seats are {known}"))


def say(line: str, err: bool = False) -> None:
    """Print a line on standard output or standard error; untrusted text is made harmless."""
    print(harmless(line), file=sys.stderr if err else sys.stdout, flush=True)


def print_text(text: str) -> None:
    """Print the lines of a text on standard output."""
    sys.stdout.write(text)


def print_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    document = msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
    print_text(f"{harmless_json(document)}\n")


def print_result(as_json: bool, document: Any, show: Callable[..., object], *shown: Any) -> None:
    """Print a result: as one JSON document, or by a function for people, which gets `shown`."""
    if as_json:
        print_json(document)
    else:
        show(*(shown or (document,)))


def write_file(path: Path, text: str) -> None:
    """Write a file and print that it was written. Raises `ArenaError` if that fails."""
    with writing(path):
        path.write_text(text, encoding="utf-8")
    say(f"written: {path}", err=True)
