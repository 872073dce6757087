"""Plays held leagues: those that a site plays once beside its own, among its bots."""

import shutil
from contextlib import closing
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.run_events import RunEvent, Stopping, Void
from arena.base.words import stopping
from arena.engine.builds import make_home
from arena.engine.runner import run
from arena.league.config import OpenConfig
from arena.league.file import read_league
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.backup import copy_bots, copy_database
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.submissions import Submission
from arena.record.summary import summarize
from arena.sandbox.folders import remove_folder
from arena.site.config import Site
from arena.site.disk import hindered, refuse_if_low
from arena.site.executors import beat_of, executor_of
from arena.site.life import Life
from arena.site.registry.accounts import accounts, teams
from arena.site.registry.file import Registry
from arena.site.registry.held import HeldLeague, add_held, due_league, note_held, refuse_held
from arena.tasks.asked_league import copy_of, create_record, with_entries
from arena.tasks.league_run import LeagueRun
from arena.tasks.opening import open_league


def hold_league(site: Site, registry: Registry, league: HeldLeague, file: Path) -> None:
    """Hold the league of a file. Raises `ArenaError` for one that cannot be held, or `Refusal`."""
    config, named = read_league(file, None)
    if isinstance(config, OpenConfig):
        what = "an open league never ends, so a site plays only its own"
        raise ArenaError(Mistake(what, str(file), 'hold a tournament: format = "tournament"'))
    if named:
        what = "a league that a site holds is played by bots of the site"
        raise ArenaError(Mistake(what, str(file), "leave out its bots"))
    to = _new_place(site, registry, league)
    shutil.copyfile(file, to)
    add_held(registry, league)


def show_record(site: Site, registry: Registry, league: HeldLeague, record: Path) -> None:
    """Show a league that was played elsewhere, by its record. Raises `ArenaError` or `Refusal`."""
    with closing(Store.open(record)) as store:
        copy_database(store.sql, record_path(_new_place(site, registry, league)))
    add_held(registry, league)


def _new_place(site: Site, registry: Registry, league: HeldLeague) -> Path:
    """Return where the file of a new league is to lie. Raises `Refusal` if it may not be held."""
    refuse_held(registry, league)
    to = site.held_file(league.name)
    if record_path(to).exists():
        what = "files of an earlier league lie here"
        raise ArenaError(Mistake(what, str(to.parent), "move them away, or choose another --name"))
    to.parent.mkdir(parents=True, exist_ok=True)  # one that never began may have left its file
    return to


def play_due(
    site: Site,
    registry: Registry,
    life: Life,
) -> None:
    """Play the leagues that are to be held by now, one after another, each to its end."""
    while (held := due_league(registry)) is not None:
        try:
            _play(site, registry, life, held)
        except ArenaError as error:
            if hindered(site, error):
                raise
            why = "; ".join(each.what for each in error.mistakes)
            note_held(registry, held.name, "failed", why)
            life.say(f"{held.name} cannot be held: {why}", True)
        else:
            note_held(registry, held.name, "over")
            life.say(f"{held.name} is over")


def _play(
    site: Site,
    registry: Registry,
    life: Life,
    held: HeldLeague,
) -> None:
    path = site.held_file(held.name)
    if not record_path(path).exists():
        refuse_if_low(site)
        _begin(site, registry, path, held)
    if held.state != "playing":
        note_held(registry, held.name, "playing")
    with open_league(path) as league:
        league.say = life.say
        life.say(f"plays {held.name}")
        league.begin()
        with closing(executor_of(site, league.roster, life)) as executor:
            beat = beat_of(executor, life, lambda: f"plays {held.name}")
            for jobs in league.runs():
                for event in run(jobs, executor, beat=beat):
                    take_event(league, event, life)


def take_event(league: LeagueRun, event: RunEvent[MatchSpec, MatchRecord], life: Life) -> None:
    """Store what happened in a run of a league, and tell of it in the process's log."""
    league.take(event)
    match event:
        case Void():
            life.say(f"a match is void and is played again: {event.why}", True)
        case Stopping():
            life.say(stopping(event.patience_s))


def _begin(site: Site, registry: Registry, path: Path, held: HeldLeague) -> None:
    """Make the record of a league with the bots that play in the site's own now.

    Accounts of a team are one author in it. Raises `ArenaError`, also if the bots are too few.
    """
    entries = _field(site, registry, held)
    asked = with_entries(path, entries)
    home = path.with_suffix(".bots")
    remove_folder(home)  # what an arena that was killed here has left
    make_home(home)
    copy_bots(site.league.with_suffix(".bots"), home, (entry.digest for entry in entries))
    create_record(record_path(path), asked).close()


def _field(site: Site, registry: Registry, held: HeldLeague) -> list[Submission]:
    """Return the bots that play, those of the site's file too, in the order of the table."""
    home = site.league.with_suffix(".bots")
    with closing(Store.open(record_path(site.league), own=True)) as store:
        ledger, terms = store.fold(), store.terms()
        entries = {entry.name: entry for entry in store.submissions()}
        table = [line.bot for line in summarize(store).standings if line.bot in ledger.playing]
    known = {each.name: each for each in accounts(registry)}
    together = {name: known[name].team for team in teams(registry) for name in team}
    found: list[Submission] = []
    for name in table:
        bot = ledger.bots[name]
        if bot.house:
            continue
        manifest = copy_of(home, name, terms, entries.values()).bot
        author = together.get(bot.author, bot.author)
        manifest = msgspec.structs.replace(manifest, author=author, folder="")
        at = entries[name].at if name in entries else ""
        found.append(Submission(name, manifest, bot.content, at, "playing"))
    return found[: held.best]
