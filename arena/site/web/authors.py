"""Handlers of authors: in a browser with a session, and of their programs under `/api/v1`."""

import asyncio
import gzip
import os
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from starlette.responses import Response

from arena.base.refusals import Busy, Conflict, Missing, NoRoom, OverQuota, Refusal, Slow, TooLarge
from arena.site.api import Code, Me
from arena.site.disk import refuse_if_low, tells_of_room
from arena.site.documents import (
    RULES,
    STANDINGS,
    RulesDocument,
    Standings,
)
from arena.site.pages.public import EVERY_S
from arena.site.published import Published
from arena.site.registry import Registry
from arena.site.registry.accounts import (
    SESSION_S,
    Account,
    Invitation,
    accept,
    account_of_code,
    end_session,
    invitation,
    new_code,
    new_token,
    session,
)
from arena.site.registry.bots import bots, quotas
from arena.site.registry.jobs import (
    Archive,
    Challenge,
    SiteJob,
    SiteRequest,
    ask_for,
    check_challenge,
    find_job,
    jobs,
    log_of,
    spool_file,
    spooled,
)
from arena.site.web.answers import OWN, document, to
from arena.site.web.asking import Asking, Routes
from arena.site.web.reader import ARCHIVE, wants_page

# The seconds after which a page that shows an upload under way is asked for again.
UPLOAD_S: Final = 2

# The statuses of refusals after which another name may be taken.
_OF_A_NAME: Final = (Conflict.status, Refusal.status)


AUTHOR_ROUTES: Final = Routes()


# --- coming in ---


# Only a button accepts an invitation, or begins a session: programs follow links, too.
@AUTHOR_ROUTES.get("/join/{code}", "An invitation.", secrets=("code",))
async def _join(asking: Asking) -> Response:
    found = await asking.web.registry(lambda registry: invitation(registry, asking.part("code")))
    return asking.page("join.html", invitation_values(found))


@AUTHOR_ROUTES.post("/join/{code}", "Take an invitation.", who="all", secrets=("code",))
async def _take_invitation(asking: Asking) -> Response:
    code = asking.part("code")
    asked = await asking.web.registry(lambda registry: invitation(registry, code))
    given = {} if asked.name else dict(await asking.fields())
    name, team = (given.get(key, "").strip() for key in ("name", "team"))
    try:
        found = await asking.web.registry(lambda registry: accept(registry, code, name, team))
    except Refusal as why:
        if asked.name or why.status not in _OF_A_NAME or not wants_page(asking.request):
            raise
        return asking.page("join.html", invitation_values(asked, name, team, why), why.status)
    told = {"name": found.account.name, "token": found.token, "again": "/me"}
    return asking.page("join.html", told, headers=_cookie(asking, found.session))


def invitation_values(
    invited: Invitation, name: str = "", team: str = "", refused: Refusal | None = None
) -> dict[str, object]:
    """Return the values of the page of an invitation, with the button that accepts it.

    One without a name is for a class, and asks for a name, and for a team if it has none:
    again with the name and the team that were given, if these were refused.
    """
    return {"invited": invited, "refused": refused, "given": {"name": name, "team": team}}


# The page shows whose session it is: anybody may have sent the link.
@AUTHOR_ROUTES.get("/login/{code}", "The button that begins a session.", secrets=("code",))
async def _login(asking: Asking) -> Response:
    found = await asking.web.registry(
        lambda registry: account_of_code(registry, asking.part("code"))
    )
    return asking.page("login.html", {"name": found.name})


@AUTHOR_ROUTES.post("/login/{code}", "Begin a session.", who="all", secrets=("code",))
async def _take_code(asking: Asking) -> Response:
    cookie = await asking.web.registry(lambda registry: session(registry, asking.part("code")))
    return to("/me", _cookie(asking, cookie))


@AUTHOR_ROUTES.post("/api/v1/code", "A link that opens a session in a browser.", answers=Code)
async def _code(asking: Asking) -> Response:
    made = await asking.web.registry(lambda registry: new_code(registry, asking.who))
    return document(Code(f"{asking.web.site.address}/login/{made}"))


# It is shown only this once; the sessions of other browsers end.
@AUTHOR_ROUTES.post("/me/token", "Replace the token.")
async def _make_token(asking: Asking) -> Response:
    made = await asking.web.registry(
        lambda registry: new_token(registry, asking.who, asking.cookie)
    )
    return await _own_page(asking, made)


@AUTHOR_ROUTES.post("/logout", "End the session.")
async def _logout(asking: Asking) -> Response:
    await asking.web.registry(lambda registry: end_session(registry, asking.cookie))
    return to("/", _cookie(asking, "", 0))


# Return the header that keeps a session in a browser, or forgets it.
def _cookie(asking: Asking, value: str, age_s: float = SESSION_S) -> dict[str, str]:
    secure = "; Secure" if asking.web.secure else ""
    about = f"Path=/; Max-Age={age_s:.0f}; HttpOnly; SameSite=Strict{secure}"
    return {"Set-Cookie": f"{asking.web.cookie}={value}; {about}"}


# --- an account's own ---


@AUTHOR_ROUTES.get("/me", "The author's own page.", who="session")
async def _me(asking: Asking) -> Response:
    return await _own_page(asking)


@AUTHOR_ROUTES.get("/api/v1/me", "The account of the token, its bots and last jobs.", answers=Me)
async def _me_by_token(asking: Asking) -> Response:
    return document(await asking.web.registry(lambda registry: _account(registry, asking.who)))


# Show the author's own page; `new_token` was made just now and is shown only this once.
async def _own_page(asking: Asking, new_token: str = "") -> Response:
    there = await asking.web.published(_bots_in_field)
    found = await asking.web.registry(lambda registry: _account(registry, asking.who))
    uploads = [job for job in found.jobs if isinstance(job.about, Archive)]
    if uploads:
        newest = uploads[0].id
        uploads[0] = await asking.web.registry(lambda it: find_job(it, asking.who, newest))
    told = {
        "here": "/me",
        "again": "/me",
        "every": UPLOAD_S if any(job.ended is None for job in uploads) else EVERY_S,
        "name": found.name,
        "new_token": new_token,
        "bots": found.bots,
        "others": [each for each in there if each not in {bot.name for bot in found.bots}],
        "uploads": uploads,
        "challenges": [job for job in found.jobs if isinstance(job.about, Challenge)][:10],
        "quotas": found.quotas,
        "most": asking.web.site.quotas.archive_mib << 20,
    }
    return asking.page("me.html", told)


# Return the bots that have not left the league, by what is published.
def _bots_in_field(published: Published) -> tuple[str, ...]:
    found = published.read(STANDINGS, Standings)
    return tuple(each.bot for each in found.lines if each.state != "left") if found else ()


def _account(registry: Registry, who: Account) -> Me:
    own, asked = tuple(bots(registry, who)), tuple(jobs(registry, who))
    return Me(who.name, own, asked, quotas(registry, who))


# --- jobs ---


@AUTHOR_ROUTES.post(
    "/api/v1/jobs",
    "Ask for own logs, a challenge, or a change of an own bot.",
    answers=SiteJob,
    body="json",
    takes=SiteRequest,
)
async def _ask_by_token(asking: Asking) -> Response:
    return document(await _ask(asking, await asking.json(SiteRequest)))


@AUTHOR_ROUTES.post("/me/jobs", "Ask for a challenge, or a change of an own bot.")
async def _ask_by_form(asking: Asking) -> Response:
    fields = await asking.fields()
    told: dict[str, object] = dict(fields)
    told["bots"] = [value for name, value in fields if name == "bots"]
    try:
        about = msgspec.convert(told, SiteRequest)
    except msgspec.ValidationError as error:
        raise Refusal(str(error)) from None
    await _ask(asking, about)
    return to("/me")


@AUTHOR_ROUTES.get("/me/uploads/{id}", "An own upload, step by step.", who="session")
async def _own_upload(asking: Asking) -> Response:
    who, id = asking.who, asking.part("id")
    found, left = await asking.web.registry(
        lambda registry: (find_job(registry, who, id), quotas(registry, who))
    )
    if not isinstance(found.about, Archive):
        raise Missing("there is no such job")
    every = UPLOAD_S if found.ended is None else 0
    told = {"here": "/me", "every": every, "upload": found, "quotas": left}
    return asking.page("upload.html", told)


@AUTHOR_ROUTES.get("/api/v1/jobs/{id}", "An own job, an upload with its steps.", answers=SiteJob)
async def _own_job(asking: Asking) -> Response:
    who, id = asking.who, asking.part("id")
    return document(await asking.web.registry(lambda registry: find_job(registry, who, id)))


@AUTHOR_ROUTES.get(
    "/api/v1/jobs/{id}/log", "Own matches, to be replayed and rerun.", answers="text/plain"
)
async def _logs_of_job(asking: Asking) -> Response:
    who, id = asking.who, asking.part("id")
    log = await asking.web.registry(lambda registry: log_of(registry, who, id))
    # Untrusted text, which browsers save but never show.
    saved = {"Content-Disposition": 'attachment; filename="matches.txt"', **OWN}
    return Response(gzip.decompress(log), media_type="text/plain", headers=saved)


async def _ask(asking: Asking, about: SiteRequest) -> SiteJob:
    if isinstance(about, Challenge):
        found = await asking.web.registry(lambda registry: bots(registry, asking.who))
        own = {each.name for each in found}
        await asking.web.published(lambda published: _refuse(published, about.bots, own))
    job, _ = await asking.web.registry(lambda registry: ask_for(registry, asking.who, about))
    return job


# Raise `Refusal` for a challenge that nobody would play.
def _refuse(published: Published, names: tuple[str, ...], own: set[str]) -> None:
    rules = published.read(RULES, RulesDocument)
    players = rules.players if rules else len(names)
    check_challenge(names, _bots_in_field(published), players, own)


# --- archives ---

# Seconds that an archive may take to come.
ARCHIVE_S: Final = 60.0

# The most archives that may come at a time, of one account and of all.
_OF_ONE: Final = 2
_TOGETHER: Final = 16

_PART: Final = ".part"


@AUTHOR_ROUTES.post(
    "/api/v1/bots",
    "Send a bot; the same archive is the same upload.",
    answers=SiteJob,
    status=202,
    body="archive",
    costs=ARCHIVE,
    query=("again",),
)
async def _send_archive(asking: Asking) -> Response:
    web = asking.web
    said = asking.request.headers.get("content-length", "")
    _refuse_larger(asking, int(said[:16]) if said.isdecimal() else 0)
    refuse_if_low(web.site)
    own = asking.who.number
    if web.sending[own] >= _OF_ONE:
        raise OverQuota(f"{_OF_ONE} of your archives come already", "wait for them", 10)
    if web.sending.total() >= _TOGETHER:
        raise Busy("too many archives come at once", "try again", wait_s=10)
    web.sending[own] += 1
    try:
        return document(await _take(asking), 202)
    finally:
        web.sending -= Counter([own])  # leaves out accounts at 0


def sweep_spool(spool: Path) -> None:
    """Remove archives that were coming when an earlier process ended."""
    for part in spool.glob(f"*{_PART}"):
        part.unlink(missing_ok=True)


def _refuse_larger(asking: Asking, size: int) -> None:
    mib = asking.web.site.quotas.archive_mib
    if size > mib << 20:
        raise TooLarge(f"an archive has at most {mib} MiB", "leave out what a build can make")


async def _take(asking: Asking) -> SiteJob:
    web, again = asking.web, asking.request.query_params.get("again") == "1"
    draft = web.site.spool / f"{os.urandom(16).hex()}{_PART}"
    try:
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600 | web.site.spool.stat().st_mode & 0o060)
            digest = await _receive(asking, file.fileno())
            await asyncio.to_thread(os.fsync, file.fileno())
        return await web.registry(lambda it: _queue(it, asking.who, draft, digest, again))
    except OSError as error:
        if not tells_of_room(error):
            raise
        raise NoRoom from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


# Write the body to a file as it comes; return its SHA-256 in hex.
async def _receive(asking: Asking, file: int) -> str:
    hashed, size = sha256(), 0
    try:
        async with asyncio.timeout(ARCHIVE_S):
            async for chunk in asking.request.stream():
                size += len(chunk)
                _refuse_larger(asking, size)
                hashed.update(chunk)
                left = memoryview(chunk)
                while left:
                    left = left[os.write(file, left) :]
    except TimeoutError:
        raise Slow(f"the archive took more than {ARCHIVE_S:g} s", "try again") from None
    if not size:
        raise Refusal("the body is empty", "it must be the archive")
    return hashed.hexdigest()


# Name the archive and queue it; remove it if no upload needs it.
def _queue(registry: Registry, who: Account, draft: Path, digest: str, again: bool) -> SiteJob:
    name = spool_file(who, digest)
    target = draft.with_name(name)
    draft.rename(target)
    try:
        return ask_for(registry, who, Archive(digest), again)[0]
    finally:
        if name not in spooled(registry):
            target.unlink(missing_ok=True)
