"""Makes the documents of bots, from their matches and from the comparison of all bots."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

import msgspec

from arena.bots.manifest import Bot as Manifest
from arena.site.documents.bot import BotDocument, Version
from arena.site.documents.league import StandingLine
from arena.site.publish.comparison import FieldComparison
from arena.site.publish.league_state import LeagueState
from arena.site.publish.seen import SeenMatches

_LANGUAGES: Final = {
    "python3": "Python",
    "python": "Python",
    "node": "JavaScript",
    "java": "Java",
    "lua": "Lua",
    "ruby": "Ruby",
    "perl": "Perl",
    "sh": "shell",
    "bash": "shell",
    "guile": "Scheme",
    "php": "PHP",
}


def bot_document(
    line: StandingLine,
    at: float,
    lines: Mapping[str, StandingLine],
    seen: SeenMatches,
    compared: FieldComparison | None,
    state: LeagueState,
) -> BotDocument:
    """Return the document of a bot; `lines` are those of all bots."""
    bot, order_of = line.bot, state.order_of
    manifest = state.manifest(bot)
    matches = tuple(map(state.refreshed, reversed(seen.matches)))
    shown = {each.match: each.shown for each in matches}
    faults = tuple(
        msgspec.structs.replace(each, shown=shown.get(each.match, each.shown))
        for each in reversed(seen.faults)
    )
    return BotDocument(
        at=at,
        line=line,
        language="" if manifest is None else _language(manifest),
        version="" if manifest is None else manifest.version,
        content=state.view.ledger.joined[bot].content,
        isolation=seen.isolation,
        versions=_versions(bot, lines, state),
        against=() if compared is None else compared.against(bot, list(lines)),
        roles=() if compared is None else compared.roles(bot),
        seats=() if compared is None else compared.seats(bot),
        times=seen.clocks.times(bot),
        faults=faults,
        best=() if compared is None else compared.hands(bot, True, order_of),
        worst=() if compared is None else compared.hands(bot, False, order_of),
        matches=matches,
    )


def _versions(
    bot: str, lines: Mapping[str, StandingLine], state: LeagueState
) -> tuple[Version, ...]:
    """Return the versions of a bot that ever joined, the newest first."""
    view, same = state.view, [bot]
    if bot in state.entries:
        called = state.entries[bot].manifest.name
        same = [name for name, each in state.entries.items() if each.manifest.name == called]
    manifests = {name: state.manifest(name) for name in same if name in view.ledger.joined}
    found = [
        Version(
            bot=name,
            version="" if manifest is None else manifest.version,
            content=view.ledger.joined[name].content,
            joined=view.ledger.came[name],
            left=view.ledger.left[name][0] if name in view.ledger.left else None,
            why=view.ledger.left[name][1] if name in view.ledger.left else "",
            was=lines.get(name),
        )
        for name, manifest in manifests.items()
    ]
    return tuple(sorted(found, key=lambda each: view.ledger.came[each.bot], reverse=True))


def _language(manifest: Manifest) -> str:
    """Return a bot's language, as far as its command tells."""
    return _LANGUAGES.get(PurePath(manifest.run[0]).name, "")
