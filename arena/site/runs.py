"""What each process of a site does. Each loads what it needs itself, and nothing of the others."""

from collections.abc import Callable
from typing import Final

from arena.site.config import Site
from arena.site.life import Life

Run = Callable[[Site, Life], None]


def _intake(site: Site, life: Life) -> None:
    from arena.site.intake import run_intake

    run_intake(site, life)


def _league(site: Site, life: Life) -> None:
    from arena.site.player import run_player

    run_player(site, life)


def _reviews(site: Site, life: Life) -> None:
    from arena.site.reviews import run_reviews

    run_reviews(site, life)


def _publisher(site: Site, life: Life) -> None:
    from arena.site.publish.process import run_publisher

    run_publisher(site, life)


def _clerk(site: Site, life: Life) -> None:
    from arena.site.clerk import run_clerk

    run_clerk(site, life)


def _challenges(site: Site, life: Life) -> None:
    from arena.site.challenges import run_challenges

    run_challenges(site, life)


def _host(site: Site, life: Life) -> None:
    from arena.site.guests.process import host_tables

    host_tables(site, life.beat)


RUNS: Final[dict[str, Run]] = {
    "intake": _intake,
    "clerk": _clerk,
    "challenges": _challenges,
    "host": _host,
    "league": _league,
    "reviews": _reviews,
    "publisher": _publisher,
}
"""All but the web process, which is a program of its own."""
