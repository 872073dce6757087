"""Checks a challenge before it waits: what can be seen to be none is refused at once."""

import msgspec

from arena.site.documents import (
    LEAGUE,
    RULES,
    STANDINGS,
    LeagueDocument,
    RulesDocument,
    Standings,
)
from arena.site.published import Published
from arena.site.registry.requests import Challenge, check_challenge
from arena.site.registry.uploads import bots
from arena.site.web.asking import Asking


def bots_in_field(published: Published) -> tuple[str, ...]:
    """Return the bots that have not left the league, by what is published."""
    found = published.document(STANDINGS)
    lines = () if found is None else msgspec.json.decode(found.data, type=Standings).lines
    return tuple(each.bot for each in lines if each.state != "left")


def published_league(published: Published) -> LeagueDocument | None:
    """Return what every page tells of the league; None if nothing was published."""
    found = published.document(LEAGUE)
    return None if found is None else msgspec.json.decode(found.data, type=LeagueDocument)


async def challenge_of(asking: Asking, names: tuple[str, ...]) -> Challenge:
    """Return a challenge of these bots. Raises `Refusal` if nobody would play it."""

    def known(published: Published) -> tuple[tuple[str, ...], int]:
        rules = published.document(RULES)
        document = None if rules is None else msgspec.json.decode(rules.data, type=RulesDocument)
        return bots_in_field(published), len(names) if document is None else document.players

    there, players = await asking.web.published(known)
    own = await asking.web.registry(lambda registry: bots(registry, asking.who))
    check_challenge(names, there, players, {each.name for each in own})
    return Challenge(names)
