"""The versions of a bot in a terminal."""

from collections.abc import Sequence

from arena.reports.tables import Column, Table, signed
from arena.reports.terminal import show_prose, show_table
from arena.tasks.history import Version


def _stakes(version: Version) -> str:
    half = "" if version.pm is None else f" ± {version.pm:.3f}"
    return "-" if version.stakes_per_deal is None else f"{signed(version.stakes_per_deal)}{half}"


_COLUMNS: Sequence[Column[Version]] = (
    Column("version", "version", wraps=True),
    Column("content", "content", format=lambda it: it.content[:8]),
    Column("first", "first played", format=lambda it: it.first[:16].replace("T", " ")),
    Column("sets", "sets"),
    Column("stakes", "above the others", format=_stakes),
    Column("now", "now", format=lambda it: "yes" if it.now else "-"),
)


def show_history(versions: Sequence[Version]) -> None:
    """Print a line for each version."""
    show_table(Table(_COLUMNS, versions))
    records = {name for each in versions for name in each.records}
    show_prose(
        f"Stakes a deal above the mean of the other bots in {', '.join(sorted(records))}, measured"
        " together; ± is a 95 % interval."
    )
