"""The command that merges the records of a league's shards."""

from pathlib import Path

import click

from arena.base.words import are, count
from arena.cli.options import FILE, json_option, print_json, say


@click.command(
    epilog="Example:  arena merge leagues/spring.db leagues/spring.*of8.db", no_args_is_help=True
)
@click.argument("out", type=FILE, metavar="OUT.db")
@click.argument("records", type=FILE, nargs=-1, required=True, metavar="IN.db...")
@click.option("--fast", is_flag=True, help="Do not replay the incoming matches.")
@json_option
def merge(out: Path, records: tuple[Path, ...], fast: bool, as_json: bool) -> None:
    """Merge records of one league into one, which is created if it does not exist.

    They must agree in rules, limits, bots by content and seed. Each incoming match is replayed by
    the rules; one that was played twice is refused. Merging the same records again changes nothing.
    """
    from arena.record.merge import merge as merge_all

    merged = merge_all(out, records, fast)
    if as_json:
        print_json(merged)
        return
    total = merged.before + merged.added
    say(f"{merged.record}: {count(merged.added, 'match')} added, {total} in all")
    if merged.missing:
        what = f"{count(merged.missing, 'match')} {are(merged.missing)} missing"
        say(f"{what}; arena league plays the rest", err=True)
