"""Handlers of the requests of programs under `/api/v1`, with a token or a session."""

import asyncio
import gzip
import os
import re
from collections import defaultdict
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.responses import Response

from arena.base.refusals import Busy, Conflict, Missing, NoRoom, OverQuota, Refusal, Slow, TooLarge
from arena.site.api import (
    ChallengeOf,
    Code,
    Me,
    OwnMatch,
    Pulled,
    RequestMade,
    RequestSeen,
    Sent,
    Uploads,
    UploadSeen,
)
from arena.site.disk import refuse_if_low, tells_of_room
from arena.site.documents import (
    LEAGUE,
    RULES,
    STANDINGS,
    LeagueDocument,
    RulesDocument,
    Standings,
)
from arena.site.published import Published
from arena.site.registry.accounts import Account, new_code
from arena.site.registry.file import Registry
from arena.site.registry.requests import (
    About,
    Challenge,
    OwnLog,
    Resume,
    SiteRequest,
    Withdraw,
    check_challenge,
    find_request,
    log_of,
    request,
)
from arena.site.registry.uploads import (
    bots,
    left,
    may_upload,
    new_upload,
    spool_file,
    spooled,
    upload,
    uploads,
)
from arena.site.web.answers import OWN, document
from arena.site.web.asking import Asking, Routes
from arena.site.web.reader import ARCHIVE

# Seconds that an archive may take to come.
ARCHIVE_S: Final = 60.0

# The most archives that may come at a time.
_TOGETHER: Final = 16

_OF_ONE: Final = 2
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_PART: Final = ".part"


async def take_archive(asking: Asking) -> Sent:
    """Take the body of a request as an archive, and queue its upload. Raises `Refusal`."""
    web, who = asking.web, asking.who
    key = asking.request.headers.get("idempotency-key")
    if key is not None and not _DIGEST.fullmatch(key):
        raise Refusal("Idempotency-Key is not a SHA-256 in hex", "it must be that of the body")
    again = asking.request.query_params.get("again") == "1"
    said = asking.request.headers.get("content-length", "")
    size = int(said) if said.isdecimal() and len(said) < 16 else None
    known = None if again else key

    def allowed(registry: Registry) -> None:
        may_upload(registry, who, size, known)
        refuse_if_low(web.site)

    league = await web.published(lambda published: published.read(LEAGUE, LeagueDocument))
    if league is not None and league.state == "sealed":
        raise Conflict(f"season {league.season} is over", "send it again once the next has begun")
    await web.registry(allowed)
    if sum(web.sending.values()) >= _TOGETHER:
        raise Busy("too many archives come at once", "try again", wait_s=10)
    if web.sending.get(who.number, 0) >= _OF_ONE:
        raise OverQuota("two archives of yours are on their way", "wait for them", wait_s=10)
    web.sending[who.number] = web.sending.get(who.number, 0) + 1
    try:
        return await _take(asking, key, again)
    finally:
        web.sending[who.number] -= 1
        if not web.sending[who.number]:
            del web.sending[who.number]


def sweep_spool(spool: Path) -> None:
    """Remove archives that were coming when an earlier process ended."""
    for part in spool.glob(f"*{_PART}"):
        part.unlink(missing_ok=True)


async def _take(asking: Asking, key: str | None, again: bool) -> Sent:
    web, who = asking.web, asking.who
    draft = web.site.spool / f"{os.urandom(16).hex()}{_PART}"
    try:
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600 | web.site.spool.stat().st_mode & 0o060)
            digest, size = await _receive(asking, file.fileno())
            if key is not None and digest != key:
                raise Refusal("the body has another SHA-256 than Idempotency-Key", "send it again")
            if not size:
                raise Refusal("the body is empty", "it must be the archive")
            await asyncio.to_thread(os.fsync, file.fileno())
        return await web.registry(
            lambda registry: _enter(registry, who, draft, digest, size, again)
        )
    except OSError as error:
        if not tells_of_room(error):
            raise
        raise NoRoom from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


# Write the body to a file as it comes; return its SHA-256 in hex and its size.
async def _receive(asking: Asking, file: int) -> tuple[str, int]:
    most, hashed, size = asking.web.site.quotas.archive_mib << 20, sha256(), 0
    try:
        async with asyncio.timeout(ARCHIVE_S):
            async for chunk in asking.request.stream():
                size += len(chunk)
                if size > most:
                    mib = most >> 20
                    remedy = "leave out what a build can make"
                    raise TooLarge(f"an archive has at most {mib} MiB", remedy)
                hashed.update(chunk)
                left = memoryview(chunk)
                while left:
                    left = left[os.write(file, left) :]
    except TimeoutError:
        raise Slow(f"the archive took more than {ARCHIVE_S:g} s", "try again") from None
    return hashed.hexdigest(), size


# Name the archive and queue it; remove it if no upload needs it.
def _enter(
    registry: Registry, who: Account, draft: Path, digest: str, size: int, again: bool
) -> Sent:
    name = spool_file(who, digest)
    target = draft.with_name(name)
    draft.rename(target)
    try:
        upload, new = new_upload(registry, who, digest, size, again)
    finally:
        if name not in spooled(registry):
            target.unlink(missing_ok=True)
    return Sent(upload, new, left(registry, who))


def bots_in_field(published: Published) -> tuple[str, ...]:
    """Return the bots that have not left the league, by what is published."""
    found = published.read(STANDINGS, Standings)
    return tuple(each.bot for each in found.lines if each.state != "left") if found else ()


async def challenge_of(asking: Asking, names: tuple[str, ...]) -> Challenge:
    """Return a challenge of these bots. Raises `Refusal` if nobody would play it."""

    def known(published: Published) -> tuple[tuple[str, ...], int]:
        rules = published.read(RULES, RulesDocument)
        return bots_in_field(published), rules.players if rules else len(names)

    there, players = await asking.web.published(known)
    own = await asking.web.registry(lambda registry: bots(registry, asking.who))
    check_challenge(names, there, players, {each.name for each in own})
    return Challenge(names)


# Seconds, as a header has them, after which to ask again for a file that is being cut.
CUT_S = "1"

_LONGEST_KEY = 200


PROGRAM_ROUTES: Final = Routes()


@PROGRAM_ROUTES.api_get("/me", "The account of the token.", answers=Me)
async def me_by_token(asking: Asking) -> Response:
    """Return the account of the token."""
    who = asking.who
    return document(
        await asking.web.registry(
            lambda registry: Me(who.name, tuple(bots(registry, who)), left(registry, who))
        )
    )


@PROGRAM_ROUTES.api_post("/code", "A link that opens a session in a browser.", answers=Code)
async def code(asking: Asking) -> Response:
    """Return a link that opens a session in a browser."""
    made = await asking.web.registry(lambda registry: new_code(registry, asking.who))
    return document(Code(f"{asking.web.site.address}/login/{made}"))


@PROGRAM_ROUTES.api_post(
    "/bots",
    "Send a bot; the same archive is the same upload.",
    answers=Sent,
    status=202,
    body="archive",
    costs=ARCHIVE,
    query=("again",),
    refuses=(408, 409, 413, 422, 503, 507),
)
async def send_archive(asking: Asking) -> Response:
    """Take an archive in."""
    return document(await take_archive(asking), 202)


@PROGRAM_ROUTES.api_get("/uploads", "Own uploads.", answers=Uploads, query=("before",))
async def own_uploads(asking: Asking) -> Response:
    """Return own uploads."""
    who, before = asking.who, asking.number("before", None, 1, 1 << 50)
    return document(
        await asking.web.registry(
            lambda registry: Uploads(tuple(uploads(registry, who, before)), left(registry, who))
        )
    )


@PROGRAM_ROUTES.api_get(
    "/uploads/{id}", "An own upload with its steps.", answers=UploadSeen, refuses=(404,)
)
async def own_upload_by_token(asking: Asking) -> Response:
    """Return an own upload with its steps."""
    who, id = asking.who, asking.part("id")
    return document(
        await asking.web.registry(
            lambda registry: UploadSeen(upload(registry, who, id), left(registry, who))
        )
    )


@PROGRAM_ROUTES.api_get(
    "/pull",
    "The numbers of own matches after one.",
    answers=Pulled,
    query=("after", "most"),
    refuses=(422,),
)
async def logs_by_token(asking: Asking) -> Response:
    """Return the numbers of own matches."""
    who = asking.who
    after, most = asking.number("after", 0, 0, 1 << 50), asking.number("most", 100, 1, 1000)
    assert after is not None
    assert most is not None
    own = await asking.web.registry(lambda registry: [each.name for each in bots(registry, who)])
    matches, count = await asking.web.published(
        lambda published: _matches(published, own, after, most)
    )
    quota = await asking.web.registry(lambda registry: left(registry, who))
    return document(Pulled(matches, count, quota))


@PROGRAM_ROUTES.api_get(
    "/matches/{match}/log",
    "A match of own bots, to be replayed and rerun.",
    answers="text/plain",
    also=(202,),
    refuses=(404, 503),
)
async def log_by_token(asking: Asking) -> Response:
    """Return a log cut out of the record, or 202 while it is being cut."""
    who, about = asking.who, OwnLog(asking.number_part("match"))
    own = await asking.web.registry(lambda registry: [each.name for each in bots(registry, who)])
    if not await asking.web.published(lambda published: _sat(published, own, about.match)):
        raise Missing("there is no such match of yours")
    found, seen = await asking.web.registry(lambda registry: _request(registry, who, about))
    if found.state == "failed":
        raise Missing(found.answer or "there is no such file")
    log = await asking.web.registry(lambda registry: log_of(registry, who, found.id))
    if log is None:
        return document(seen, 202, {"Retry-After": CUT_S})
    # Strangers' words, which browsers save but never show.
    saved = {"Content-Disposition": f'attachment; filename="{about.match}.txt"', **OWN}
    return Response(gzip.decompress(log), media_type="text/plain", headers=saved)


@PROGRAM_ROUTES.api_post(
    "/bots/{bot}/withdraw",
    "Take an own bot out of the field.",
    answers=RequestMade,
    refuses=(404, 503),
)
async def withdraw_by_token(asking: Asking) -> Response:
    """Take a bot out of the field."""
    return await _ask(asking, Withdraw(asking.part("bot")))


@PROGRAM_ROUTES.api_post(
    "/bots/{bot}/resume",
    "Let an own bot play on that was benched.",
    answers=RequestMade,
    refuses=(404, 503),
)
async def resume_by_token(asking: Asking) -> Response:
    """Let a benched bot play on."""
    return await _ask(asking, Resume(asking.part("bot")))


@PROGRAM_ROUTES.api_post(
    "/challenges",
    "Have bots play deals that count for nobody.",
    answers=RequestMade,
    body="json",
    takes=ChallengeOf,
    refuses=(408, 413, 415, 422, 503),
)
async def challenge_by_token(asking: Asking) -> Response:
    """Have bots play some deals that count for nobody."""
    key = asking.request.headers.get("idempotency-key")
    if key is not None and not 0 < len(key) <= _LONGEST_KEY:
        raise Refusal("Idempotency-Key is too long", f"at most {_LONGEST_KEY} characters")
    told = await asking.json(ChallengeOf)
    return await _ask(asking, await challenge_of(asking, told.bots), key)


@PROGRAM_ROUTES.api_get(
    "/requests/{id}", "What became of a request.", answers=RequestMade, refuses=(404,)
)
async def own_request(asking: Asking) -> Response:
    """Return what became of a request."""
    who, id = asking.who, asking.part("id")
    return document(
        await asking.web.registry(
            lambda registry: _seen(registry, who, find_request(registry, who, id))
        )
    )


async def _ask(asking: Asking, about: About, key: str | None = None) -> Response:
    _, seen = await asking.web.registry(lambda registry: _request(registry, asking.who, about, key))
    return document(seen)


def _request(
    registry: Registry, who: Account, about: About, key: str | None = None
) -> tuple[SiteRequest, RequestMade]:
    found, _ = request(registry, who, about, key)
    return found, _seen(registry, who, found)


def _seen(registry: Registry, who: Account, found: SiteRequest) -> RequestMade:
    return RequestMade(RequestSeen(found.id, found.state, found.answer), left(registry, who))


# Return whether one of some bots sat in a match.
def _sat(published: Published, own: list[str], match: int) -> bool:
    rows = (published.before(f"own/{bot}", match + 1, 1) for bot in own)
    return any(number == match for found in rows for number, _ in found)


# Return the newest of some bots' matches after a number, and the number of older ones.
def _matches(
    published: Published, own: list[str], after: int, most: int
) -> tuple[tuple[OwnMatch, ...], int]:
    sat: dict[int, list[str]] = defaultdict(list)
    left = 0
    for bot in own:
        rows, more = published.after(f"own/{bot}", after, most)
        left += more
        for number, _ in rows:
            sat[number].append(bot)
    numbers = sorted(sat)
    left += len(numbers[:-most])
    return tuple(OwnMatch(each, tuple(sat[each])) for each in numbers[-most:]), left
