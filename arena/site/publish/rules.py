"""Makes the document of the rules: what a league is played by, and what bots may use."""

from collections.abc import Mapping

import msgspec

from arena.base.resources import Resources
from arena.league.config import LeagueConfig, OpenConfig
from arena.site.documents.league import Rule, RulesDocument
from arena.zole.rules import POINTS_ROWS
from arena.zole.sources import nearest_preset, sources, values


def rules_document(config: LeagueConfig) -> RulesDocument:
    """Return the rules that a league is played by."""
    rules = config.rules
    name, changed = nearest_preset(rules)
    paid = {each: getattr(rules.scoring, each) for each in rules.auction.contracts}
    return RulesDocument(
        preset=name,
        title=sources().titles[name],
        players=rules.players,
        session=config.session,
        rules=tuple(
            Rule(key=key, value=_shown(value), changed=key in changed)
            for key, value in values(rules).items()
        ),
        levels=POINTS_ROWS,
        payments={name: each for name, each in paid.items() if len(each) == len(POINTS_ROWS)},
        limits={**_limits(config), **_resources(config.resources)},
        open=config.public() if isinstance(config, OpenConfig) else None,
    )


def _limits(config: LeagueConfig) -> Mapping[str, str]:
    return {
        "move_s": _shown(config.limits.move_s),
        "start_s": _shown(config.limits.start_s),
        "max_faults": str(config.max_faults),
    }


def _resources(allowed: Resources) -> Mapping[str, str]:
    found = msgspec.structs.asdict(allowed)
    return {key: _shown(value) for key, value in found.items() if value is not None}


def _shown(value: object) -> str:
    """Return a value as a league's file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
