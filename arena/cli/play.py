"""The command that lets people play against bots."""

import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.installation import shipped
from arena.base.isolation_levels import IsolationLevel
from arena.base.run_events import Interrupted, RunEvent, Stopping
from arena.bots.levels import LEVELS
from arena.bots.manifest import Bot, read_bot
from arena.cli.options import (
    Whole,
    check_language,
    check_web_server,
    isolation_option,
    record_option,
    rules_option,
    say,
    seed_option,
)
from arena.engine.builds import prepare
from arena.engine.job import PersonLink
from arena.league.file import rules_from
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import MatchRecord
from arena.reports.bots import show_match, warn_about_isolation
from arena.reports.language import ENGLISH, languages_with, of_environment
from arena.sandbox.box import Program
from arena.sandbox.isolation import choose_isolation
from arena.site.pages.public import zole_values
from arena.site.pages.templates import FolderTemplates
from arena.site.publish.league import rules_document
from arena.tasks.match import (
    BotMatch,
    MatchRequest,
    People,
    names_of_people,
    open_match,
    play_seatings,
)
from arena.tasks.match_results import totals, troubles
from arena.tasks.same_deal import MadeByLevel, by_levels
from arena.zole.deal import Deal

if TYPE_CHECKING:
    from arena.people.pages import SeatServer
    from arena.people.terminal import TerminalSeat


@click.command(epilog="Example:  arena play --level strong --deals 10")
@click.argument("bots", nargs=-1, type=click.Path(path_type=Path), metavar="[BOT]...")
@rules_option
@click.option("--deals", default="20", metavar="N|FILE", show_default=True)
@click.option(
    "--people",
    "count",
    type=Whole(1, 5),
    default=1,
    show_default=True,
    metavar="N",
    help="How many people play, each at a page of their own.",
)
@click.option(
    "--seat", type=Whole(0), default=0, show_default=True, metavar="S", help="The person's seat."
)
@record_option
@click.option(
    "--level",
    "strength",
    type=click.Choice([*LEVELS]),
    default=next(iter(LEVELS)),
    show_default=True,
    help="How well the sample bots play that take the seats left.",
)
@seed_option
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option("--terminal", is_flag=True, help="Play in this terminal.")
@click.option("--plain", is_flag=True, help="With --terminal: cards in words, for screen readers.")
@click.option(
    "--language",
    metavar="TAG",
    help="The table's language: en or lv, at a page also de, fr, ru or tr."
    "  [default: LC_ALL, LC_MESSAGES or LANG; at a page the browser's]",
)
@click.option(
    "--clock",
    type=click.FloatRange(1, 3600),
    metavar="S",
    help="Seconds that people have for an answer; without it they take their time.",
)
@isolation_option
def play(
    bots: tuple[Path, ...],
    rules: str,
    deals: str,
    count: int,
    seat: int,
    record: Path | None,
    strength: str,
    seed: int | None,
    no_browser: bool,
    terminal: bool,
    plain: bool,
    language: str | None,
    clock: float | None,
    level: IsolationLevel | None,
) -> None:
    """Play against bots, in the browser or the terminal.

    Each BOT is a folder with a bot.toml; sample bots take the seats that are left.
    """
    if terminal and count > 1:
        raise ArenaError(Mistake("one person plays in a terminal", "--people", "leave one out"))
    if plain and not terminal:
        raise ArenaError(Mistake("only the terminal is plain", "--plain", "add --terminal"))
    languages = languages_with("terminal" if terminal else "table")
    check_language(language, languages)
    if not terminal:
        check_web_server(", or play with --terminal")
    players = _with_house(bots, rules, count, strength)
    apart = choose_isolation(level)
    warn_about_isolation(apart)
    with ExitStack() as stack:
        links, ends = [], []
        for name in names_of_people(count):
            ours, theirs = map(stack.enter_context, socket.socketpair())
            links.append(PersonLink(name, ours))
            ends.append(theirs)
        seated = People(tuple(links), seat, clock)
        asked = MatchRequest(
            players=players,
            rules=rules,
            deals=deals,
            seed=seed,
            all_seatings=False,
            record=record,
            people=seated,
        )
        match = stack.enter_context(open_match(asked, apart))
        if not match.remaining():
            what = "the match of this record is over"
            raise ArenaError(Mistake(what, str(record), "name another --record"))
        names = tuple(bot.name for bot in match.bots)
        tag = language or of_environment(os.environ)
        people: SeatServer | TerminalSeat
        if terminal:
            from arena.people import terminal as in_terminal  # who plays at a page needs none

            spoken = tag if tag in languages else ENGLISH
            people = in_terminal.TerminalSeat(ends[0], spoken, plain, names)
        else:
            from arena.people import pages  # the terminal needs no web server

            page = _rules_page(match.terms, tag)
            alone = partial(_by_levels, match, seat) if count == 1 else None
            people = pages.SeatServer(ends, seated.absent_s, names, page, alone)
            asked_in = f"?lang={language}" if language else ""
            addresses = [address + asked_in for address in people.addresses]
            found = not no_browser and stack.enter_context(pages.opened(addresses[0]))
            for address, link in zip(addresses, links, strict=True):
                if link is not links[0] or not found:  # anyone with an address can play its seat
                    say(f"{link.name}: {address}")
        stack.callback(people.close)

        def end_with(event: RunEvent[MatchSpec, MatchRecord]) -> None:
            if isinstance(event, Stopping):
                people.close()

        try:
            play_seatings(match, 1, end_with)
        except Interrupted:
            kept = "the same command starts again" if record else "nothing is kept"
            say(f"stopped; {kept}", err=True)
            raise
        played = match.results()
        if terminal:  # which has shown the totals in its language
            people.wait()
        told = () if terminal else totals(match, played)
        show_match(match, told, troubles(match, played, rules))
        people.wait()


# The bots, and those of a level in the remaining seats; prints which
def _with_house(bots: Sequence[Path], rules: str, people: int, level: str) -> list[Path | Bot]:
    left = max(0, rules_from(rules).players - people - len(bots))
    sample = read_bot(shipped("sample_bots") / LEVELS[level].bot)
    names = list(islice(cycle(LEVELS[level].names), left))
    if names:
        say(f"filling the other seats: {', '.join(names)} ({level})", err=True)
    return [*bots, *(msgspec.structs.replace(sample, name=name) for name in names)]


# What a bot of each level makes of a deal of a match in the person's seat
def _by_levels(match: BotMatch, seat: int, deal: Deal) -> tuple[MadeByLevel, ...]:
    config, isolation = match.terms.config, match.roster.isolation
    found = {level: shipped("sample_bots") / each.bot for level, each in LEVELS.items()}
    bots = {level: prepare(read_bot(folder), isolation) for level, folder in found.items()}
    seated = (match.roster.programs[bot.name] for bot in match.bots)
    others = [each for each in seated if isinstance(each, Program)]
    return tuple(
        by_levels(config.rules, config.match_limits, deal, seat, others, bots, isolation, 1)
    )


# The page with the rules of Zole as a match is played; English if not in `tag`
def _rules_page(terms: Terms, tag: str) -> str:
    spoken = tag if tag in languages_with("zole") else ENGLISH
    templates = FolderTemplates("Zole", {"/zole": "zole"}, "zole", spoken)
    return templates.draw("zole.html", **zole_values(rules_document(terms.config)))
