"""Commands of authors: bots are sent to a league or a site, listed, withdrawn; logs are pulled."""

import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import Final

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file, read_text
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
from arena.site.api import Challenged, ChallengeOf, Code, Me, RequestMade, Sent, Uploads
from arena.site.client import (
    UPLOAD_LOOK_S,
    Remote,
    find_token,
    follow,
    in_path,
    keep_token,
    new_matches,
    packed,
    send,
    site_address,
)
from arena.site.client import pull as fetch_matches
from arena.site.registry.uploads import OwnBot, QuotaLeft, Upload

_UPLOADS: Final[tuple[Column[Upload], ...]] = (
    Column(
        "at", "sent (UTC)", format=lambda it: f"{datetime.fromtimestamp(it.at, UTC):%Y-%m-%d %H:%M}"
    ),
    Column("state", "state", format=lambda it: _upload_state(it), wraps=True),
    Column("name", "plays as", format=lambda it: it.name or "", wraps=True),
    Column("digest", "archive", format=lambda it: it.digest[:16], priority=1, wraps=True),
)
_OWN_BOTS: Final[tuple[Column[OwnBot], ...]] = (
    Column("name", "bot", wraps=True),
    Column(
        "state",
        "state",
        format=lambda it: f"{it.state}: {it.why}" if it.why else it.state,
        wraps=True,
    ),
)

_SUBMISSIONS: Final[tuple[Column[Submission], ...]] = (
    Column("name", "plays as", wraps=True),
    Column("version", "version", lambda it: it.manifest.version, priority=2, wraps=True),
    Column("author", "author", lambda it: it.manifest.author, priority=3, wraps=True),
    Column("at", "submitted (UTC)", lambda it: it.at[:19].replace("T", " "), wraps=True),
    Column("digest", "content", lambda it: it.digest[:16], priority=1, wraps=True),
    Column("state", "state", lambda it: _state(it), wraps=True),
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
    """Submit a bot to a league: it is copied, built, checked by the league's rules, and entered.

    With --to it is sent to the site of a league, where the same is done in its turn; the account
    there is the author, and --wait shows the steps as they come.

    The next arena league plays it, and an open league that is being played within a second or so.
    It replaces a bot of the same name that its author submitted before; what that one has played
    stays. Exit 0 if it was entered, 1 if a step failed.
    """
    _refuse_both(league, site)
    if league is None:
        sys.exit(_send_bot(bot, site, wait, again, as_json))
    from arena.cli.bots import show_steps
    from arena.tasks.submissions import EntryTerms  # nothing else here plays bots
    from arena.tasks.submissions import submit as steps_of

    done = show_steps(steps_of(bot, league, level, EntryTerms(any_author)), as_json)
    sys.exit(1 if any(step.failed for step in done) else 0)


@click.command(epilog="Example:  arena submissions leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def submissions(league: Path, as_json: bool) -> None:
    """List the bots submitted to a league, and the state of each.

    In an open league a bot waits until the league lets it in, which takes a second while it is
    played. A bot that failed too often is benched, and its state says why; without --json the same
    is said of bots that the league's file names.
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
    """Withdraw a submitted bot from a league; what it has played stays."""
    _change_bot(name, "withdraw", league, site)
    say(f"{name} is withdrawn", err=True)


@click.command(
    epilog="Example:  arena resume mybot --league leagues/ladder.toml", no_args_is_help=True
)
@click.argument("name", metavar="NAME")
@_league_option
@_to_option
def resume(name: str, league: Path | None, site: str | None) -> None:
    """Let a benched bot of an open league play again, which it may once.

    arena submissions says why it was benched. After a second time only a new version plays.
    """
    _change_bot(name, "resume", league, site)
    say(f"{name} plays again as soon as the league is played", err=True)


@click.command(epilog="Example:  arena login https://zole.example", no_args_is_help=True)
@click.argument("site", metavar="URL")
@click.option(
    "--token-file", type=FILE, metavar="FILE", help="Read the token from a file; - is the input."
)
@click.option("--browser", is_flag=True, help="Print a link that opens a session in a browser.")
def login(site: str, token_file: Path | None, browser: bool) -> None:
    """Keep the token of a site, which it has shown to you once, for the commands that use it.

    It is asked for, tried, and kept in a file of yours that nobody else may read. --browser uses
    the token that is kept; its link works once, within 10 minutes.
    """
    if browser:
        say(_remote(site_address(site)).post("code", Code).link)
        return
    remote = Remote(site, token := _read_token(token_file))
    me = remote.get("me", Me)
    keep_token(remote.address, token)
    say(f"logged in to {remote.address} as {me.name}", err=True)


@click.command(epilog="Example:  arena uploads https://zole.example")
@_site_argument
@json_option
def uploads(site: str | None, as_json: bool) -> None:
    """List the bots you have sent to a site, what became of each, and what you may still send."""
    remote = _remote(site)
    me, found = remote.get("me", Me), remote.get("uploads", Uploads)
    if as_json:
        print_json({"name": me.name, "bots": me.bots, **_fields(found)})
        return
    show_table(Table(_UPLOADS, found.uploads, none="You have sent nothing yet."))
    if me.bots:
        show_table(Table(_OWN_BOTS, me.bots))
    _tell_quota(found.quota)


@click.command(epilog="Example:  arena pull https://zole.example mine.db")
@click.argument("source", metavar="[URL|FILE]", required=False)
@click.argument("record", type=FILE, default=Path("pulled.db"), metavar="[RECORD]")
@click.option(
    "--most", type=Whole(1, 1000), default=100, show_default=True, metavar="N", help="Matches."
)
@json_option
def pull(source: str | None, record: Path, most: int, as_json: bool) -> None:
    """Store the logs of your bots' matches on a site in a record: what is new since the last time.

    Each match is replayed by the rules first. RECORD, pulled.db unless named, is read by arena
    replay, faults, review, rerun, export and others. It has the words, times and stderr of your
    bots alone. A FILE of logs, as arena export LEAGUE logs prints it, becomes a record, too.
    """
    left_out, found = 0, []
    if source is not None and Path(source).is_file():
        logs = read_logs(read_file(Path(source), LARGEST_LOGS), source)
        matches: Iterator[ReplayedMatch] = filter(partial(keep_match, record), logs)
    else:
        remote = _remote(source)
        new = new_matches(remote, record, most)
        left_out, numbers = new.left, [match.number for match in new.matches]
        matches = fetch_matches(remote, record, numbers)
    for match in matches:
        found.append({"number": match.number, "bots": match.bots})
        if not as_json:
            say(f"match {match.number}: {', '.join(match.bots)}", err=True)
    if as_json:
        print_json({"record": str(record), "matches": found})
    else:
        say(f"{record}: {count(len(found), 'new match')}")
        if left_out:
            say(f"{count(left_out, 'older match')} left out; --most takes more in a new record")


@click.command(
    epilog="Example:  arena challenge mybot strong other --to https://zole.example",
    no_args_is_help=True,
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--to", "site", metavar="URL", help="The site.  [default: the only one you know]")
@click.option("--wait", is_flag=True, help="Wait until it has been played.")
@json_option
def challenge(bots: tuple[str, ...], site: str | None, wait: bool, as_json: bool) -> None:
    """Have bots of a site play some deals that count for nobody."""
    remote = _remote(site)
    asked = remote.post("challenges", RequestMade, ChallengeOf(bots), secrets.token_urlsafe(16))
    sys.exit(_tell_request(remote, asked, wait, as_json))


def _refuse_both(league: Path | None, site: str | None) -> None:
    if (league is None) == (site is None):
        raise click.UsageError("Name the league's file with --league, or its site with --to.")


def _show_submissions(entries: Sequence[Submission], benched: Mapping[str, str]) -> None:
    show_table(Table(_SUBMISSIONS, entries, none="Nothing has been submitted yet."))
    for name in sorted(benched.keys() - {entry.name for entry in entries}):
        say(f"{name} of the league's file is benched: {benched[name]}")


def _state(entry: Submission) -> str:
    if isinstance(entry, Listed):
        if entry.why:
            return f"{entry.state}: {entry.why}"
        if entry.state == "waiting":
            return "waiting for the league to be played"
    return entry.state


def _send_bot(bot: Path, site: str | None, wait: bool, again: bool, as_json: bool) -> int:
    remote = _remote(site)
    sent = send(remote, packed(bot), again)
    upload, shown = sent.upload, 0
    if not as_json:
        _tell_sent(sent)
    for upload in follow(remote, sent.upload) if wait else ():
        shown = shown if as_json else _show_progress(upload, shown)
    if as_json:
        print_json(_fields(sent) | {"upload": upload})
    elif wait or not sent.new:
        _tell_end(upload)
    return 1 if upload.state == "failed" else 0


# Withdraw or resume a bot; if it is at a site, say how that went, and exit
def _change_bot(name: str, what: str, league: Path | None, site: str | None) -> None:
    _refuse_both(league, site)
    if league is not None:
        with closing(Store.write(record_path(league))) as record:
            getattr(record, what)(name)
        return
    remote = _remote(site)
    asked = remote.post(f"bots/{in_path(name)}/{what}", RequestMade)
    sys.exit(_tell_request(remote, asked, wait=True, as_json=False))


# The site of an address, or the only one that this user knows, with the token for it
def _remote(site: str | None) -> Remote:
    return Remote(*find_token(None if site is None else site_address(site)))


# A token from a file or from the user at the terminal. Raises `ArenaError`
def _read_token(file: Path | None) -> str:
    if file is None:
        text = getpass("token: ") if sys.stdin.isatty() else sys.stdin.readline(1024)
    else:
        text = sys.stdin.readline(1024) if str(file) == "-" else read_text(file, 1024)
    token = text.strip()
    if not token.startswith("zole_") or not token.isascii() or len(token.split()) != 1:
        what = "this is not a token"
        remedy = "a token begins with zole_; the site showed it when you took the invitation"
        raise ArenaError(Mistake(what, "", remedy))
    return token


def _upload_state(upload: Upload) -> str:
    place = f", {upload.place} in the queue" if upload.state == "queued" else ""
    return f"{upload.state}: {upload.why}" if upload.why else f"{upload.state}{place}"


def _tell_sent(sent: Sent) -> None:
    upload = sent.upload
    if not sent.new:
        say(f"this archive was sent before, as upload {upload.id}", err=True)
    elif upload.place is not None:
        before = upload.place - 1
        say(f"upload {upload.id}: queued, {count(before, 'other')} ahead", err=True)
    _tell_quota(sent.quota)


# Show the steps that are new; return how many have been shown
def _show_progress(upload: Upload, shown: int) -> int:
    steps = upload.steps
    shown = shown if shown <= len(steps) else 0  # the check may have begun anew
    for number, step in enumerate(steps[shown:], shown + 1):
        show_step(number, step)
    return len(steps)


def _tell_end(upload: Upload) -> None:
    if upload.state == "entered":
        say(f"{upload.name}: {upload.why}" if upload.why else f"{upload.name} plays")
    elif upload.state == "failed":
        failed = [step for step in upload.steps if step.failed]
        if failed:
            show_transcript(failed[0])
        say(upload.why or "a step failed")


# Print the state of a request, at its end if told to `wait`; return the exit code
def _tell_request(remote: Remote, asked: RequestMade, wait: bool, as_json: bool) -> int:
    while wait and asked.request.state == "waiting":
        remote.sleep(UPLOAD_LOOK_S)
        asked = remote.watch(f"requests/{asked.request.id}", RequestMade)
    found = asked.request
    if as_json:
        print_json(asked)
    else:
        words = {"waiting": "asked for", "answered": "done", "failed": "not done"}
        try:
            played = msgspec.json.decode(found.answer, type=Challenged)
        except msgspec.MsgspecError:
            more = f": {found.answer}" if found.answer else ""
            say(f"{words[found.state]}{more}")
        else:
            deals = f"{count(played.deals, 'deal')} in all seatings"
            say(f"{words[found.state]}: {deals}, {count(played.matches, 'match')}")
            bots = sorted(played.stakes, key=lambda bot: -played.stakes[bot])
            show_table(Table(_challenge_columns(played), bots))
    return 1 if found.state == "failed" else 0


def _challenge_columns(played: Challenged) -> tuple[Column[str], ...]:
    return (
        Column("", "bot", format=str, wraps=True),
        Column("", "stakes", format=lambda bot: f"{played.stakes[bot]:+d}"),
        Column("", "faults", format=lambda bot: played.faults.get(bot) or "-"),
        Column("", "disqualified", format=lambda bot: played.disqualified.get(bot) or "-"),
    )


def _tell_quota(left: QuotaLeft) -> None:
    uploads, bots = left.uploads, left.bots
    say(
        f"left: {count(uploads.left, 'upload')} of {uploads.most} in 24 hours,"
        f" {count(bots.left, 'bot')} of {bots.most}",
        err=True,
    )


def _fields(value: object) -> dict[str, object]:

    return {str(key): item for key, item in msgspec.to_builtins(value).items()}
