"""Commands by which a site's organiser stops bots or parts of it, and lets them go on."""

from contextlib import closing
from pathlib import Path

import click

from arena.cli.options import say
from arena.cli.serve_options import opened_site, site_argument, why_option
from arena.site.processes import PAUSES


@click.command(
    epilog="Example:  arena serve bench site.toml mybot --why 'copied from another'",
    no_args_is_help=True,
)
@site_argument
@click.argument("bot", metavar="BOT")
@click.option("--why", required=True, metavar="TEXT", help="The reason, which its author is told.")
def bench(site: Path, bot: str, why: str) -> None:
    """Keep a bot from being drawn. Its orders under way are finished, and what it played stays."""
    from arena.record.paths import record_path
    from arena.site.registry import stops as registry_stops

    with opened_site(site) as (found, registry):
        _refuse_stranger(record_path(found.league), bot)
        registry_stops.bench(registry, bot, why)
    say(f"{bot} is benched", err=True)


@click.command(epilog="Example:  arena serve pause site.toml uploads", no_args_is_help=True)
@site_argument
@click.argument("parts", type=click.Choice(PAUSES), nargs=-1, metavar="[uploads] [play]")
@why_option
def pause(site: Path, parts: tuple[str, ...], why: str) -> None:
    """Pause taking uploads, drawing orders, or both.

    What is under way is finished, and pages are served as ever. Name a part to pause that alone.
    """
    from arena.site.registry import stops as registry_stops

    with opened_site(site) as (_, registry):
        for part in parts or PAUSES:
            registry_stops.pause(registry, part, why)
    say(f"paused: {', '.join(parts or PAUSES)}", err=True)


@click.command(epilog="Example:  arena serve resume site.toml", no_args_is_help=True)
@site_argument
@click.argument("bot", required=False, metavar="[BOT]")
def resume(site: Path, bot: str | None) -> None:
    """Let a paused site go on, or a bot that was benched.

    A bot that is benched because it failed is resumed by arena resume.
    """
    from arena.site.registry import stops as registry_stops

    with opened_site(site) as (_, registry):
        if bot is not None:
            registry_stops.unbench(registry, bot)
            say(f"{bot} may play on", err=True)
            return
        gone_on = [part for part in PAUSES if registry_stops.go_on(registry, part)]
    say(f"going on: {', '.join(gone_on)}" if gone_on else "nothing was paused", err=True)


def _refuse_stranger(record: Path, bot: str) -> None:
    """Raise `ArenaError` if a record has no such bot: a typing mistake would bench nobody."""
    from arena.base.errors import ArenaError, Mistake
    from arena.base.toml import closest
    from arena.record.store import Store

    with closing(Store.open(record)) as store:
        known = {*store.terms().bots, *(each.name for each in store.submissions())}
    if bot not in known:
        raise ArenaError(
            Mistake(f"no bot is called {bot}", str(record), closest(bot, sorted(known)))
        )
