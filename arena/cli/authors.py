"""Commands of authors: bots are sent to a league or a site, listed, withdrawn; logs are pulled."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import IO, Final, Literal

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import count
from arena.cli.options import (
    FILE,
    Whole,
    isolation_option,
    json_option,
    open_record,
    print_json,
    print_result,
    say,
)
from arena.league.config import OpenConfig
from arena.record.matches import ReplayedMatch
from arena.record.paths import record_path
from arena.record.pulled import LARGEST_LOGS, keep_match, read_logs
from arena.record.store import Store
from arena.record.submissions import Listed, Submission, listed
from arena.reports.bots import show_step, show_transcript
from arena.reports.tables import Column, Table
from arena.reports.terminal import show_table
from arena.site.api import Code, Me
from arena.site.client import (
    Remote,
    SiteToken,
    find_token,
    keep_token,
    packed,
    site_address,
)
from arena.site.client import pull as fetch_matches
from arena.site.registry.bots import OwnBot
from arena.site.registry.jobs import Archive, Challenge, ChangeBot, SiteJob, SiteRequest

_JOBS: Final[tuple[Column[SiteJob], ...]] = (
    Column(
        "at",
        "asked (UTC)",
        format=lambda it: f"{datetime.fromtimestamp(it.at, UTC):%Y-%m-%d %H:%M}",
    ),
    Column("about", "for", format=lambda it: _wish(it.about), wraps=True),
    Column("state", "state", format=lambda it: _job_state(it), wraps=True),
    Column("name", "plays as", wraps=True),
)
_OWN_BOTS: Final[tuple[Column[OwnBot], ...]] = (
    Column("name", "bot", wraps=True),
    Column("state", "state", format=lambda it: _with_reason(it.state, it.why), wraps=True),
)

_SUBMISSIONS: Final[tuple[Column[Submission], ...]] = (
    Column("name", "plays as", wraps=True),
    Column("version", "version", lambda it: it.manifest.version, priority=2, wraps=True),
    Column("author", "author", lambda it: it.manifest.author, priority=3, wraps=True),
    Column("at", "submitted (UTC)", lambda it: it.at[:19].replace("T", " "), wraps=True),
    Column("digest", "content", lambda it: it.digest[:16], priority=1, wraps=True),
    Column(
        "state",
        "state",
        lambda it: _with_reason(it.state, it.why if isinstance(it, Listed) else ""),
        wraps=True,
    ),
)

_league_option = click.option(
    "--league", "league", type=FILE, metavar="LEAGUE.toml", help="The league's file."
)
_to_option = click.option(
    "--to", "site", metavar="URL", help="The site of the league, after arena login."
)

_site_argument = click.argument("site", metavar="[URL]", required=False)


@click.command(
    epilog="Example:  arena submit mybot.zip --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("bot", type=FILE, metavar="FOLDER|ARCHIVE")
@_league_option
@_to_option
@click.option("--wait", is_flag=True, help="With --to: follow the check to its end.")
@click.option("--again", is_flag=True, help="With --to: check the same archive another time.")
@click.option(
    "--any-author", is_flag=True, help="Let it replace a bot of the same name by another author."
)
@isolation_option
@json_option
def submit(
    bot: Path,
    league: Path | None,
    site: str | None,
    wait: bool,
    again: bool,
    any_author: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Submit a bot to a league or site.

    It is copied, built, checked by the league's rules, and entered. With --to a site does so in its
    turn; the account there is the author, and --wait shows the steps as they come.

    The next arena league plays it, and an open league that is being played within a second or so.
    It replaces a bot of the same name that its author submitted before; what that one has played
    stays. Exit 0 if it was entered, 1 if a step failed.
    """
    _refuse_both(league, site)
    if league is None:
        remote = _remote(site)
        sys.exit(_show_job(remote, remote.send(packed(bot), again), wait, as_json))
    from arena.cli.bots import show_steps
    from arena.tasks.submissions import EntryTerms  # nothing else here plays bots
    from arena.tasks.submissions import submit as steps_of

    done = show_steps(steps_of(bot, league, level, EntryTerms(any_author)), as_json)
    sys.exit(1 if any(step.failed for step in done) else 0)


@click.command(epilog="Example:  arena submissions leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def submissions(league: Path, as_json: bool) -> None:
    """List submitted bots with their states.

    In an open league a bot waits until the league lets it in, which takes a second while it is
    played. A bot that failed too often is benched, and its state gives the reason; without --json
    the same is printed for bots that the league's file names.
    """
    store = open_record(league)
    entries: list[Submission] = store.submissions()
    benched: dict[str, str] = {}
    if isinstance(store.terms().config, OpenConfig):
        ledger = store.fold()
        benched, entries = ledger.benched, [*listed(entries, ledger)]
    print_result(as_json, entries, _show_submissions, entries, benched)


@click.command(
    epilog="Example:  arena withdraw mybot --league leagues/spring.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@_league_option
@_to_option
def withdraw(name: str, league: Path | None, site: str | None) -> None:
    """Withdraw a submitted bot.

    What it has played stays.
    """
    _change_bot(name, "withdraw", league, site)


@click.command(
    epilog="Example:  arena resume mybot --league leagues/ladder.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@_league_option
@_to_option
def resume(name: str, league: Path | None, site: str | None) -> None:
    """Let a benched bot play again, once.

    arena submissions shows why it was benched. After a second time only a new version plays.
    """
    _change_bot(name, "resume", league, site)


@click.command(epilog="Example:  arena login https://zole.example", no_args_is_help=True)
@click.argument("site", metavar="URL")
@click.option(
    "--token-file",
    "file",
    type=click.File(),
    metavar="FILE",
    help="Read the token from a file; - is the input.",
)
@click.option("--browser", is_flag=True, help="Print a link that opens a session in a browser.")
@click.option("--resolve", "at", default="", metavar="IP", help="Reach the site at this address.")
def login(site: str, file: IO[str] | None, browser: bool, at: str) -> None:
    """Log in to a site with its token.

    It is asked for, tried, and kept in a file of yours that nobody else may read. --browser uses
    the token that is kept; its link works once, within 10 minutes. With --resolve the site is
    reached at an address that its name does not have yet, until you log in again.
    """
    if browser:
        say(_remote(site_address(site)).ask("code", Code, {}).link)
        return
    remote = Remote(site, token := SiteToken(_read_token(file), at))
    me = remote.ask("me", Me)
    keep_token(remote.address, token)
    say(f"logged in to {remote.address} as {me.name}", err=True)


@click.command(epilog="Example:  arena uploads https://zole.example")
@_site_argument
@json_option
def uploads(site: str | None, as_json: bool) -> None:
    """List your uploads, requests, bots and quotas on a site."""
    me = _remote(site).ask("me", Me)
    print_result(as_json, me, _show_account, me)


@click.command(epilog="Example:  arena pull https://zole.example mine.db")
@click.argument("source", metavar="[URL|FILE]", required=False)
@click.argument("record", type=FILE, default=Path("pulled.db"), metavar="[RECORD]")
@click.option(
    "--most", type=Whole(1, 1000), default=100, show_default=True, metavar="N", help="Matches."
)
@json_option
def pull(source: str | None, record: Path, most: int, as_json: bool) -> None:
    """Store your bots' new matches on a site in a record.

    Each match is replayed by the rules first. RECORD, pulled.db unless named, is read by arena
    replay, faults, review, rerun, export and others. It has the words, times and stderr of your
    bots alone. A FILE of logs, as arena export LEAGUE logs prints it, becomes a record, too.
    """
    found = []
    if source is not None and Path(source).is_file():
        logs = read_logs(read_file(Path(source), LARGEST_LOGS), source)
        matches: Iterator[ReplayedMatch] = filter(partial(keep_match, record), logs)
    else:
        matches = fetch_matches(_remote(source), record, most)
    for match in matches:
        found.append({"number": match.number, "bots": match.bots})
        if not as_json:
            say(f"match {match.number}: {', '.join(match.bots)}", err=True)
    if as_json:
        print_json({"record": str(record), "matches": found})
    else:
        say(f"{record}: {count(len(found), 'new match')}")
        if len(found) == most:
            say("there may be older ones; --most takes more in a new record")


@click.command(
    epilog="Example:  arena challenge mybot strong other --to https://zole.example",
    no_args_is_help=True,
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--to", "site", metavar="URL", help="The site.  [default: the only one you know]")
@click.option("--wait", is_flag=True, help="Wait until it has been played.")
@json_option
def challenge(bots: tuple[str, ...], site: str | None, wait: bool, as_json: bool) -> None:
    """Play unrated deals between bots of a site."""
    if not 1 < len(bots) < 6:
        raise click.UsageError("Name as many bots as sit at a table, or two at one of three.")
    sys.exit(_ask(site, Challenge(bots), wait, as_json))


def _refuse_both(league: Path | None, site: str | None) -> None:
    if (league is None) == (site is None):
        raise click.UsageError("Name the league's file with --league, or its site with --to.")


def _show_submissions(entries: Sequence[Submission], benched: Mapping[str, str]) -> None:
    show_table(Table(_SUBMISSIONS, entries, none="Nothing has been submitted yet."))
    for name in sorted(benched.keys() - {entry.name for entry in entries}):
        say(f"{name} of the league's file is benched: {benched[name]}")


# Withdraw or resume a bot; at a site, exit by how that went
def _change_bot(
    name: str, to: Literal["withdraw", "resume"], league: Path | None, site: str | None
) -> None:
    _refuse_both(league, site)
    if league is None:
        sys.exit(_ask(site, ChangeBot(name, to), wait=True, as_json=False))
    with closing(Store.write(record_path(league))) as record:
        getattr(record, to)(name)
    say(_CHANGED[to].format(name))


_CHANGED: Final = {
    "withdraw": "{} is withdrawn",
    "resume": "{} plays again as soon as the league is played",
}


# The site of an address, or the only one that this user knows, with the token for it
def _remote(site: str | None) -> Remote:
    return Remote(*find_token(None if site is None else site_address(site)))


# A token from a file or from the user at the terminal. Raises `ArenaError`
def _read_token(file: IO[str] | None) -> str:
    asks = file is None and sys.stdin.isatty()
    token = (getpass("token: ") if asks else (file or sys.stdin).readline(1024)).strip()
    if not token.startswith("zole_") or not token.isascii() or len(token.split()) != 1:
        what = "this is not a token"
        remedy = "a token begins with zole_; the site showed it when you took the invitation"
        raise ArenaError(Mistake(what, "", remedy))
    return token


def _show_account(me: Me) -> None:
    show_table(Table(_JOBS, me.jobs, none="You have sent nothing yet."))
    if me.bots:
        show_table(Table(_OWN_BOTS, me.bots))
    left = ", ".join(f"{it.left} of {it.most} {name}" for name, it in me.quotas.items())
    say(f"left: {left.replace('_', ' ')}", err=True)


def _ask(site: str | None, about: SiteRequest, wait: bool, as_json: bool) -> int:
    remote = _remote(site)
    return _show_job(remote, remote.ask("jobs", SiteJob, about), wait, as_json)


# Show a job, and follow it if asked to `wait`; return the exit code
def _show_job(remote: Remote, job: SiteJob, wait: bool, as_json: bool) -> int:
    if not as_json:
        was_sent = "sent before, " if job.ended is not None else ""
        say(f"{_wish(job.about)}: {was_sent}{_job_state(job)}", err=True)
    shown, seen = 0, job
    for seen in remote.follow(job) if wait else (job,):
        shown = shown if shown <= len(seen.steps) else 0  # the check may have restarted
        for number, step in enumerate(() if as_json else seen.steps[shown:], shown + 1):
            show_step(number, step)
        shown = len(seen.steps)
    if as_json:
        print_json(seen)
    elif seen.ended is not None:
        for step in [step for step in seen.steps if step.failed][:1]:
            show_transcript(step)
        _show_end(seen)
    return 1 if seen.state == "failed" else 0


def _show_end(job: SiteJob) -> None:
    if job.state == "failed":
        say(job.answer)
    elif isinstance(job.about, ChangeBot):
        say(_CHANGED[job.about.to].format(job.about.bot))
    elif (played := job.result) is not None:
        deals = f"{count(played.deals, 'deal')} in all seatings"
        say(f"{deals}, {count(played.matches, 'match')}")
        columns: tuple[Column[str], ...] = (
            Column("", "bot", format=str, wraps=True),
            Column("", "stakes", format=lambda bot: f"{played.stakes[bot]:+d}"),
            Column("", "faults", format=lambda bot: played.faults.get(bot) or "-"),
        )
        show_table(Table(columns, sorted(played.stakes, key=lambda bot: -played.stakes[bot])))
    else:
        say(f"{job.name}: {job.answer}" if job.answer else f"{job.name} plays")


# What a job was asked for, in a word or two
def _wish(about: object) -> str:
    match about:
        case Archive(digest):
            return f"archive {digest[:16]}"
        case ChangeBot(bot, to):
            return f"{to} {bot}"
        case Challenge(bots):
            return f"challenge {', '.join(bots)}"
    return "logs"


def _job_state(job: SiteJob) -> str:
    if job.state == "waiting":
        return f"waiting, {job.place} in the queue"
    return _with_reason(job.state, job.answer)


def _with_reason(state: str, why: str) -> str:
    return f"{state}: {why}" if why else state
