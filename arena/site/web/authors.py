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
from arena.site.disk import is_about_room, refuse_if_low
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
from arena.site.web.context import RequestContext, Routes
from arena.site.web.reader import ARCHIVE, wants_page

# The seconds after which a page that shows an upload under way is asked for again.
UPLOAD_S: Final = 2

# The statuses of refusals after which another name may be taken.
_OF_A_NAME: Final = (Conflict.status, Refusal.status)


AUTHOR_ROUTES: Final = Routes()


# --- coming in ---


# Only a button accepts an invitation, or begins a session: programs follow links, too.
@AUTHOR_ROUTES.get("/join/{code}", "An invitation.", secrets=("code",))
async def _join(context: RequestContext) -> Response:
    found = await context.web.registry(lambda registry: invitation(registry, context.part("code")))
    return context.page("join.html", invitation_values(found))


@AUTHOR_ROUTES.post("/join/{code}", "Take an invitation.", who="all", secrets=("code",))
async def _take_invitation(context: RequestContext) -> Response:
    code = context.part("code")
    asked = await context.web.registry(lambda registry: invitation(registry, code))
    given = {} if asked.name else dict(await context.fields())
    name, team = (given.get(key, "").strip() for key in ("name", "team"))
    try:
        found = await context.web.registry(lambda registry: accept(registry, code, name, team))
    except Refusal as why:
        if asked.name or why.status not in _OF_A_NAME or not wants_page(context.request):
            raise
        return context.page("join.html", invitation_values(asked, name, team, why), why.status)
    told = {"name": found.account.name, "token": found.token, "again": "/me"}
    return context.page("join.html", told, headers=_cookie(context, found.session))


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
async def _login(context: RequestContext) -> Response:
    found = await context.web.registry(
        lambda registry: account_of_code(registry, context.part("code"))
    )
    return context.page("login.html", {"name": found.name})


@AUTHOR_ROUTES.post("/login/{code}", "Begin a session.", who="all", secrets=("code",))
async def _take_code(context: RequestContext) -> Response:
    cookie = await context.web.registry(lambda registry: session(registry, context.part("code")))
    return to("/me", _cookie(context, cookie))


@AUTHOR_ROUTES.post("/api/v1/code", "A link that opens a session in a browser.", answers=Code)
async def _code(context: RequestContext) -> Response:
    made = await context.web.registry(lambda registry: new_code(registry, context.who))
    return document(Code(f"{context.web.site.address}/login/{made}"))


# It is shown only this once; the sessions of other browsers end.
@AUTHOR_ROUTES.post("/me/token", "Replace the token.")
async def _make_token(context: RequestContext) -> Response:
    made = await context.web.registry(
        lambda registry: new_token(registry, context.who, context.cookie)
    )
    return await _own_page(context, made)


@AUTHOR_ROUTES.post("/logout", "End the session.")
async def _logout(context: RequestContext) -> Response:
    await context.web.registry(lambda registry: end_session(registry, context.cookie))
    return to("/", _cookie(context, "", 0))


# Return the header that keeps a session in a browser, or forgets it.
def _cookie(context: RequestContext, value: str, age_s: float = SESSION_S) -> dict[str, str]:
    secure = "; Secure" if context.web.secure else ""
    about = f"Path=/; Max-Age={age_s:.0f}; HttpOnly; SameSite=Strict{secure}"
    return {"Set-Cookie": f"{context.web.cookie}={value}; {about}"}


# --- an account's own ---


@AUTHOR_ROUTES.get("/me", "The author's own page.", who="session")
async def _me(context: RequestContext) -> Response:
    return await _own_page(context)


@AUTHOR_ROUTES.get("/api/v1/me", "The account of the token, its bots and last jobs.", answers=Me)
async def _me_by_token(context: RequestContext) -> Response:
    return document(await context.web.registry(lambda registry: _account(registry, context.who)))


# Show the author's own page; `new_token` was made just now and is shown only this once.
async def _own_page(context: RequestContext, new_token: str = "") -> Response:
    there = await context.web.published(_bots_in_field)
    found = await context.web.registry(lambda registry: _account(registry, context.who))
    uploads = [job for job in found.jobs if isinstance(job.about, Archive)]
    if uploads:
        newest = uploads[0].id
        uploads[0] = await context.web.registry(lambda it: find_job(it, context.who, newest))
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
        "most": context.web.site.quotas.archive_mib << 20,
    }
    return context.page("me.html", told)


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
async def _ask_by_token(context: RequestContext) -> Response:
    return document(await _ask(context, await context.json(SiteRequest)))


@AUTHOR_ROUTES.post("/me/jobs", "Ask for a challenge, or a change of an own bot.")
async def _ask_by_form(context: RequestContext) -> Response:
    fields = await context.fields()
    told: dict[str, object] = dict(fields)
    told["bots"] = [value for name, value in fields if name == "bots"]
    try:
        about = msgspec.convert(told, SiteRequest)
    except msgspec.ValidationError as error:
        raise Refusal(str(error)) from None
    await _ask(context, about)
    return to("/me")


@AUTHOR_ROUTES.get("/me/uploads/{id}", "An own upload, step by step.", who="session")
async def _own_upload(context: RequestContext) -> Response:
    who, id = context.who, context.part("id")
    found, left = await context.web.registry(
        lambda registry: (find_job(registry, who, id), quotas(registry, who))
    )
    if not isinstance(found.about, Archive):
        raise Missing("there is no such job")
    every = UPLOAD_S if found.ended is None else 0
    told = {"here": "/me", "every": every, "upload": found, "quotas": left}
    return context.page("upload.html", told)


@AUTHOR_ROUTES.get("/api/v1/jobs/{id}", "An own job, an upload with its steps.", answers=SiteJob)
async def _own_job(context: RequestContext) -> Response:
    who, id = context.who, context.part("id")
    return document(await context.web.registry(lambda registry: find_job(registry, who, id)))


@AUTHOR_ROUTES.get(
    "/api/v1/jobs/{id}/log", "Own matches, to be replayed and rerun.", answers="text/plain"
)
async def _logs_of_job(context: RequestContext) -> Response:
    who, id = context.who, context.part("id")
    log = await context.web.registry(lambda registry: log_of(registry, who, id))
    # Untrusted text, which browsers save but never show.
    saved = {"Content-Disposition": 'attachment; filename="matches.txt"', **OWN}
    return Response(gzip.decompress(log), media_type="text/plain", headers=saved)


async def _ask(context: RequestContext, about: SiteRequest) -> SiteJob:
    if isinstance(about, Challenge):
        found = await context.web.registry(lambda registry: bots(registry, context.who))
        own = {each.name for each in found}
        await context.web.published(lambda published: _refuse(published, about.bots, own))
    job, _ = await context.web.registry(lambda registry: ask_for(registry, context.who, about))
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
async def _send_archive(context: RequestContext) -> Response:
    web = context.web
    said = context.request.headers.get("content-length", "")
    _refuse_larger(context, int(said[:16]) if said.isdecimal() else 0)
    refuse_if_low(web.site)
    own = context.who.number
    if web.sending[own] >= _OF_ONE:
        raise OverQuota(f"{_OF_ONE} of your archives come already", "wait for them", 10)
    if web.sending.total() >= _TOGETHER:
        raise Busy("too many archives come at once", "try again", wait_s=10)
    web.sending[own] += 1
    try:
        return document(await _take(context), 202)
    finally:
        web.sending -= Counter([own])  # leaves out accounts at 0


def sweep_spool(spool: Path) -> None:
    """Remove archives that were coming when an earlier process ended."""
    for part in spool.glob(f"*{_PART}"):
        part.unlink(missing_ok=True)


def _refuse_larger(context: RequestContext, size: int) -> None:
    mib = context.web.site.quotas.archive_mib
    if size > mib << 20:
        raise TooLarge(f"an archive has at most {mib} MiB", "leave out what a build can make")


async def _take(context: RequestContext) -> SiteJob:
    web, again = context.web, context.request.query_params.get("again") == "1"
    draft = web.site.spool / f"{os.urandom(16).hex()}{_PART}"
    try:
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600 | web.site.spool.stat().st_mode & 0o060)
            digest = await _receive(context, file.fileno())
            await asyncio.to_thread(os.fsync, file.fileno())
        return await web.registry(lambda it: _queue(it, context.who, draft, digest, again))
    except OSError as error:
        if not is_about_room(error):
            raise
        raise NoRoom from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


# Write the body to a file as it comes; return its SHA-256 in hex.
async def _receive(context: RequestContext, file: int) -> str:
    hashed, size = sha256(), 0
    try:
        async with asyncio.timeout(ARCHIVE_S):
            async for chunk in context.request.stream():
                size += len(chunk)
                _refuse_larger(context, size)
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
