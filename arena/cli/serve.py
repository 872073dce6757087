"""The commands about a site: the group starts the site, its commands are for the organiser."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Final

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_text
from arena.base.refusals import Missing, Refusal
from arena.base.toml import TomlFile, closest
from arena.base.words import count
from arena.bots.names import name_key
from arena.cli.options import FILE, Whole, check_web_server, json_option, print_json, say
from arena.league.config import OpenConfig
from arena.league.file import read_league
from arena.reports.tables import Column, Table
from arena.reports.terminal import show_table
from arena.site.config import PAUSES, Site, make_folders, read_site
from arena.site.registry import Registry, organiser
from arena.site.registry import accounts as registry_accounts
from arena.site.registry.accounts import Account, Invitation
from arena.site.registry.bots import bots
from arena.site.registry.jobs import ChangeBot, ask_for
from arena.site.runner import run_site
from arena.site.status import site_status

# The size of a file of names, or of an announcement
_MAX_BYTES: Final = 1 << 20

_site_argument = click.argument("site", type=FILE, metavar="SITE.toml")
_why_option = click.option("--why", default="", metavar="TEXT", help="The reason, which is kept.")


# A group that takes a file instead of a command as the site to start
class _Serve(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        option = args and args[0].startswith("-") and args[0] not in ctx.help_option_names
        if option or (args and {".", "/"} & {*args[0]}):  # no command has these
            args = ["start", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # as they are in this file


@click.group(
    cls=_Serve,
    epilog="Example:  arena serve site.toml",
    subcommand_metavar="SITE.toml | COMMAND SITE.toml ...",
    no_args_is_help=True,
)
def serve() -> None:
    """Serve the site of an open league, which takes in the bots of its authors.

    With the site's file alone it starts. The commands are for its organiser.
    """


@serve.command(hidden=True, epilog="Example:  arena serve site.toml", no_args_is_help=True)
@_site_argument
def start(site: Path) -> None:
    """Start a site.

    It runs until it is stopped, and starts again any process that dies. All of it can be killed at
    any moment; the same command continues.
    """
    found = read_site(site)
    check_web_server()
    config, _ = read_league(found.league, None)
    if not isinstance(config, OpenConfig):
        what = "a site shows an open league, and this is none"
        raise ArenaError(Mistake(what, str(found.league), 'format = "open" makes it one'))
    make_folders(found)
    sys.exit(run_site(found))


@serve.command(epilog="Example:  arena serve status site.toml", no_args_is_help=True)
@_site_argument
def status(site: Path) -> None:
    """Show what a site does, and whether it is healthy.

    Exit 1 if a process has sent nothing for two minutes, or there is too little room.
    """
    with _opened_site(site) as (found, registry):
        lines, is_well = site_status(found, registry)
    for line in lines:
        say(line)
    sys.exit(0 if is_well else 1)


# --- accounts ---


@serve.command(epilog="Example:  arena serve invite site.toml Anna", no_args_is_help=True)
@_site_argument
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--from",
    "file",
    type=FILE,
    metavar="FILE",
    help="Names from a file, one a line, or NAME, TEAM.",
)
@click.option("--places", type=Whole(1, 10_000), metavar="N", help="One link for N who come.")
@click.option("--team", default="", metavar="TEAM", help="The team that they enter.")
@json_option
def invite(
    site: Path,
    names: tuple[str, ...],
    file: Path | None,
    places: int | None,
    team: str,
    as_json: bool,
) -> None:
    """Print links that make accounts.

    The link for a NAME works once: within 14 days it makes an account of this name, which is the
    author of all bots of the account. For an account that is there already, the link lets its owner
    in again, who lost the token or was shut out. With --places there is one link for all, who
    choose their names themselves until no place is left, and their teams, unless --team does.
    """
    wanted: list[tuple[str | None, str]] = [(name, team) for name in names]
    wanted += [] if file is None else [(name, own or team) for name, own in _names_in(file)]
    if bool(wanted) == (places is not None):
        what = "either names or --places"
        raise ArenaError(Mistake(what, "", "one link for a class: --places 60"))
    links: list[dict[str, Any]] = []
    seen: set[str] = set()
    known, refused = [], []
    with _opened_site(site) as (found, registry):
        for name, of in wanted or [(None, team)]:
            if name is not None and name_key(name) in seen:  # a later link would end the first
                refused.append(Mistake("this name comes twice", name))
                continue
            seen.add(name_key(name or ""))
            try:
                code = registry_accounts.invite(registry, name, of, places or 1)
            except Refusal as why:
                refused.append(Mistake(why.what, name or "", why.remedy))
                continue
            made = registry_accounts.invitation(registry, code)
            link = f"{found.address}/join/{code}"
            links.append({"name": name or "", "link": link, "until": made.until})
            known += [name] if name and made.known else []
    several = bool(wanted[1:])
    if as_json and links:
        print_json(links if several else links[0])
    elif links:
        for each in links:
            say(f"{each['link']}  {each['name']}" if several else each["link"])
        who = f"{places} people" if places else links[0]["name"]
        which, who = ("each link", "one person") if several else ("the link", who)
        until = _moment_in(_zone_of(found), made.until)
        say(f"{which} lets {who} in, until {until}", err=True)
    if known:
        told = "here already, so the link only lets them in again, as what they are"
        say(f"{told}: {', '.join(known)}", err=True)
    if refused:
        raise ArenaError(*refused)


# The names in a file, one a line, each with the team behind a comma, or ""; # is a comment
def _names_in(file: Path) -> list[tuple[str, str]]:
    text = read_text(file, _MAX_BYTES).splitlines()
    lines = (line.partition("#")[0].partition(",") for line in text)
    return [(name.strip(), team.strip()) for name, _, team in lines if name.strip()]


@serve.command(epilog="Example:  arena serve accounts site.toml", no_args_is_help=True)
@_site_argument
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--team", metavar="TEAM", help="Put these into a team, '' into none.")
@json_option
def accounts(site: Path, names: tuple[str, ...], team: str | None, as_json: bool) -> None:
    """List accounts and invitations, or set teams.

    The bots of a team share no table.
    """
    if bool(names) != (team is not None):
        raise ArenaError(
            Mistake("names and a --team go together", "", "without both, all teams are listed")
        )
    with _opened_site(site) as (found, registry):
        if team is not None:
            registry_accounts.assign(registry, names, team)
            say(f"{', '.join(names)}: team {team or 'none'}", err=True)
            return
        _list_accounts(found, registry, as_json)


def _list_accounts(site: Site, registry: Registry, as_json: bool) -> None:
    zone, invited = _zone_of(site), registry_accounts.invitations(registry)
    known = [
        {
            "account": who,
            "bots": [bot.name for bot in bots(registry, who) if bot.in_field],
        }
        for who in registry_accounts.accounts(registry)
    ]
    if as_json:
        print_json({"accounts": known, "invitations": invited})
        return
    lines: tuple[Column[Any], ...] = (
        Column("", "account", format=lambda it: it["account"].name, wraps=True),
        Column("", "team", format=lambda it: it["account"].team, wraps=True),
        Column("", "came", format=lambda it: _moment_in(zone, it["account"].at), wraps=True),
        Column("", "bots", format=lambda it: ", ".join(it["bots"]), wraps=True),
        Column("", "state", format=lambda it: _state(it["account"]), wraps=True),
    )
    links: tuple[Column[Invitation], ...] = (
        Column("", "invited", format=_invited, wraps=True),
        Column("team", "team", wraps=True),
        Column("", "until", format=lambda it: _moment_in(zone, it.until), wraps=True),
    )
    for table in (Table(lines, known), Table(links, invited)):
        if table.rows:
            show_table(table)


def _state(account: Account) -> str:
    return "" if account.revoked is None else f"shut out: {account.why}".rstrip(": ")


def _invited(guest: Invitation) -> str:
    return guest.name or f"anyone: {count(guest.places, 'place')}"


@serve.command(
    epilog="Example:  arena serve revoke site.toml Anna --why spam", no_args_is_help=True
)
@_site_argument
@click.argument("name", metavar="ACCOUNT", required=False)
@_why_option
@click.option("--bots", "with_bots", is_flag=True, help="Take its bots out of the field, too.")
@click.option("--links", is_flag=True, help="End the links for a class, and no account.")
def revoke(site: Path, name: str | None, why: str, with_bots: bool, links: bool) -> None:
    """Revoke an account.

    Its tokens and sessions end, and its uploads are not looked at. An invitation of the name ends
    as well. Invite the same name to let it in again.
    """
    if links == (name is not None):
        raise ArenaError(Mistake("either an account or --links"))
    with _opened_site(site) as (_, registry):
        account = registry_accounts.revoke(registry, name or "", why)
        if with_bots and account is not None:
            for bot in bots(registry, account):
                if bot.in_field:
                    ask_for(registry, account, ChangeBot(bot.name, "withdraw"))
    told = f"{name} is shut out{' with all bots' if with_bots else ''}"
    say(told if name else "the links for a class have ended", err=True)


@serve.command(epilog="Example:  arena serve audit site.toml --who Anna", no_args_is_help=True)
@_site_argument
@click.option("--who", metavar="ACCOUNT", help="Only what this account did.")
@click.option("--most", type=Whole(1, 10_000), default=100, show_default=True, metavar="N")
@json_option
def audit(site: Path, who: str | None, most: int, as_json: bool) -> None:
    """List who changed what, newest first."""
    with _opened_site(site) as (found, registry):
        zone = _zone_of(found)
        events = organiser.audit(registry, who, most)
    if as_json:
        print_json(events)
        return
    for each in events:
        at = _moment_in(zone, each.at)
        say(f"{each.number:>6}  {at}  {each.who}: {each.what} {each.about}")


# --- what visitors see ---


@serve.command(
    epilog="Example:  arena serve announce site.toml 'Uploads end on Friday'", no_args_is_help=True
)
@_site_argument
@click.argument("title", metavar="[TITLE]", required=False)
@click.option("--text", "file", type=FILE, metavar="FILE.md", help="What more to say, in Markdown.")
@click.option("--remove", type=Whole(1), metavar="N", help="Take an announcement back.")
def announce(site: Path, title: str | None, file: Path | None, remove: int | None) -> None:
    """Publish or list announcements.

    Without a TITLE, announcements are listed, the newest first.
    """
    if title is not None and remove is not None:
        raise ArenaError(Mistake("either a title or --remove"))
    with _opened_site(site) as (found, registry):
        if title is not None:
            text = "" if file is None else read_text(file, _MAX_BYTES)
            made = organiser.announce(registry, title, text)
            say(f"announced: {found.address}/about#announcement-{made.number}", err=True)
            return
        if remove is not None:
            organiser.remove_announcement(registry, remove)
            say(f"announcement {remove} is taken back", err=True)
        listed, zone = organiser.announcements(registry), _zone_of(found)
    for each in listed:
        say(f"{each.number:>4}  {_moment_in(zone, each.at)}  {each.title}")


@serve.command(epilog="Example:  arena serve show site.toml cup.toml", no_args_is_help=True)
@_site_argument
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--name", metavar="NAME", help="Its part of an address.  [default: the file's name]")
@click.option("--hide", is_flag=True, help="Take its pages off the site.")
def show(site: Path, league: Path, name: str | None, hide: bool) -> None:
    """Publish the pages of a league on a site.

    They are those of its record as it stands: show it again when more was played.
    """
    from arena.record.paths import record_path
    from arena.site.report import hide_league, show_league

    name = name or league.stem
    with _opened_site(site) as (found, registry):
        if hide:
            hide_league(found, registry, name)
            say(f"hidden: {name}", err=True)
            return
        show_league(found, registry, record_path(league), name)
    say(f"shown: {found.address}/leagues/{name}/", err=True)


# --- pauses ---

_parts_argument = click.argument(
    "parts", type=click.Choice(PAUSES), nargs=-1, metavar="[uploads] [play]"
)


@serve.command(epilog="Example:  arena serve pause site.toml uploads", no_args_is_help=True)
@_site_argument
@_parts_argument
@click.option("--bot", metavar="BOT", help="Keep this bot from being drawn, and no part.")
@_why_option
def pause(site: Path, parts: tuple[str, ...], bot: str | None, why: str) -> None:
    """Pause uploads, play, or one bot.

    What is under way is finished, and pages are served as ever. Name a part to pause that alone.
    The author of a bot sees the reason.
    """
    with _opened_site(site) as (found, registry):
        if bot is not None:
            _refuse_unknown_bot(found.league, bot)
            organiser.pause(registry, "bot", bot, why)
        for part in () if bot is not None else parts or PAUSES:
            organiser.pause(registry, "part", part, why)
    say(f"paused: {bot or ', '.join(parts or PAUSES)}", err=True)


@serve.command(epilog="Example:  arena serve resume site.toml play", no_args_is_help=True)
@_site_argument
@_parts_argument
@click.option("--bot", metavar="BOT", help="Let this bot be drawn again, and no part.")
def resume(site: Path, parts: tuple[str, ...], bot: str | None) -> None:
    """Resume uploads, play, or one bot.

    Name a part to resume that alone. A bot that is benched because it failed is resumed by arena
    resume.
    """
    with _opened_site(site) as (_, registry):
        if bot is not None and not organiser.resume(registry, "bot", bot):
            raise Missing(f"{bot} was not benched by the organiser")
        wanted = () if bot is not None else parts or PAUSES
        resumed = [part for part in wanted if organiser.resume(registry, "part", part)]
    told = bot or ", ".join(resumed)
    say(f"resumed: {told}" if told else "nothing was paused", err=True)


# Raise `ArenaError` if a league has no such bot: a typing mistake would bench nobody
def _refuse_unknown_bot(league: Path, bot: str) -> None:
    from arena.record.paths import record_path
    from arena.record.store import Store

    with closing(Store.open(record_path(league))) as store:
        known = {*store.terms().bots, *(each.name for each in store.submissions())}
    if bot not in known:
        what = f"no bot is called {bot}"
        raise ArenaError(Mistake(what, str(record_path(league)), closest(bot, sorted(known))))


# --- copies ---


@serve.command(
    epilog="Example:  arena serve backup site.toml /backups/monday", no_args_is_help=True
)
@_site_argument
@click.argument("place", type=FILE, metavar="FOLDER")
def backup(site: Path, place: Path) -> None:
    """Copy a running site into a new folder.

    That is accounts, uploads that wait, the league and its bots. It holds the seeds that are still
    secret, so only you may read it. What was published is rebuilt from the record.
    """
    from arena.site.backup import back_up

    say(f"{place}: {back_up(read_site(site), place)} copied and checked")


@serve.command(
    epilog="Example:  arena serve restore /backups/monday /srv/zole", no_args_is_help=True
)
@click.argument("place", type=FILE, metavar="BACKUP")
@click.argument("folder", type=FILE, metavar="FOLDER")
def restore(place: Path, folder: Path) -> None:
    """Restore a site from a backup.

    All of it is opened and checked. What a newer arena made is refused.
    """
    from arena.site import backup as site_backup

    say(f"{folder}: {site_backup.restore(place, folder)} restored and checked")


# --- what they share ---


# The site of a file, and its registry. Raises `ArenaError`
@contextmanager
def _opened_site(path: Path) -> Iterator[tuple[Site, Registry]]:
    site = read_site(path)
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        yield site, registry


# The time zone of a site's league by its file; UTC if it names none
def _zone_of(site: Site) -> tzinfo:
    from arena.league.config import zone_named

    name: object = None
    with suppress(ArenaError):
        name = TomlFile(site.league).data.get("time_zone")
    return (zone_named(name) if isinstance(name, str) else None) or UTC


# Seconds since 1970 as a date and time in a zone, which is named: 2026-12-01 18:00:00 EET
def _moment_in(zone: tzinfo, at: float) -> str:
    return datetime.fromtimestamp(at, zone).strftime("%Y-%m-%d %H:%M:%S %Z")
