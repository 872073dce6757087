"""Handlers of an author's browser: invitations, sessions, the own page with its forms."""

from collections.abc import Callable
from typing import Final

import msgspec
from starlette.responses import Response

from arena.base.refusals import Conflict, Refusal
from arena.site.api import ChallengeOf
from arena.site.registry.bots import bots
from arena.site.registry.file import Registry
from arena.site.registry.invitations import accept, invitation
from arena.site.registry.quotas import left
from arena.site.registry.requests import About, Challenge, Resume, Withdraw, request, requests
from arena.site.registry.tokens import (
    SESSION_S,
    Scope,
    account_of_code,
    end_session,
    new_token,
    revoke_token,
    session,
    tokens,
)
from arena.site.registry.uploads import upload, uploads
from arena.site.web.answers import OWN, page, to
from arena.site.web.asking import Asking
from arena.site.web.challenging import bots_in_field, challenge_of
from arena.site.web.reader import wants_page

_LONGEST_LABEL: Final = 80

_OF_A_NAME: Final = (Conflict.status, Refusal.status)
"""The statuses of refusals after which another name may be taken."""


async def join(asking: Asking) -> Response:
    """Show an invitation: only a button accepts it, for programs follow links, too."""
    found = await asking.web.registry(lambda registry: invitation(registry, asking.part("code")))
    return page(asking.draw.invitation(found), headers=OWN)


async def take_invitation(asking: Asking) -> Response:
    """Accept an invitation: the token is shown only this once, and a session begins.

    Whoever comes by the link of a class says under which name.
    """
    code = asking.part("code")
    asked = await asking.web.registry(lambda registry: invitation(registry, code))
    given = {} if asked.name else await asking.form()
    name, team = (given.get(key, "").strip() for key in ("name", "team"))
    try:
        found = await asking.web.registry(lambda registry: accept(registry, code, name, team))
    except Refusal as why:
        if asked.name or why.status not in _OF_A_NAME or not wants_page(asking.request):
            raise
        return page(asking.draw.invitation(asked, name, team, why), why.status, headers=OWN)
    made = asking.draw.welcome(found.account.name, found.token)
    return page(made, headers={**OWN, **_cookie(asking, found.session)})


async def login(asking: Asking) -> Response:
    """Show the button that begins a session, and whose: anybody may have sent the link."""
    found = await asking.web.registry(
        lambda registry: account_of_code(registry, asking.part("code"))
    )
    return page(asking.draw.login(found.name), headers=OWN)


async def take_code(asking: Asking) -> Response:
    """Begin a session by a link that works once."""
    cookie = await asking.web.registry(lambda registry: session(registry, asking.part("code")))
    return to("/me", _cookie(asking, cookie))


async def logout(asking: Asking) -> Response:
    """End the session of this browser."""
    cookie = asking.cookie
    if cookie:
        await asking.web.registry(lambda registry: end_session(registry, cookie))
    return to("/", _cookie(asking, "", 0))


async def me(asking: Asking) -> Response:
    """Show the author's own page."""
    return await _own_page(asking)


async def own_upload(asking: Asking) -> Response:
    """Show an upload, step by step."""
    who, id = asking.who, asking.part("id")
    found, rest = await asking.web.registry(
        lambda registry: (upload(registry, who, id), left(registry, who))
    )
    league = await asking.web.published(asking.web.pages.league)
    return page(asking.draw.upload(league, found, rest), headers=OWN)


async def challenge(asking: Asking) -> Response:
    """Have bots play deals that count for nobody."""
    chosen = tuple(value for name, value in await asking.fields() if name == "bots")
    try:
        told = msgspec.convert({"bots": chosen}, ChallengeOf)
    except msgspec.ValidationError as error:
        raise Refusal(str(error)) from None
    about = await challenge_of(asking, told.bots)
    await asking.web.registry(lambda registry: request(registry, asking.who, about))
    return to("/me")


async def make_token(asking: Asking) -> Response:
    """Make a token, which is shown only this once."""
    form = await asking.form()
    label = form.get("label", "")
    if len(label) > _LONGEST_LABEL:
        raise Refusal(f"a label has at most {_LONGEST_LABEL} characters")
    scopes: list[Scope] = ["read", "submit"] if form.get("submit") else ["read"]
    made = await asking.web.registry(
        lambda registry: new_token(registry, asking.who, scopes, label)
    )
    return await _own_page(asking, made)


async def end_token(asking: Asking) -> Response:
    """Revoke a token."""
    number, own = asking.number_part("token"), asking.cookie or ""
    await asking.web.registry(lambda registry: revoke_token(registry, asking.who, number, own))
    return to("/me")


async def withdraw(asking: Asking) -> Response:
    """Take a bot out of the field."""
    return await _ask(asking, Withdraw)


async def resume(asking: Asking) -> Response:
    """Let a benched bot play on."""
    return await _ask(asking, Resume)


async def _own_page(asking: Asking, new_token: str = "") -> Response:
    who, pages = asking.who, asking.web.pages
    league, there = await asking.web.published(lambda all: (pages.league(all), bots_in_field(all)))

    def drawn(registry: Registry) -> str:
        sent = uploads(registry, who)
        if sent:
            sent[0] = upload(registry, who, sent[0].id)
        own = bots(registry, who)
        mine = {each.name for each in own}
        asked = [each for each in requests(registry, who) if isinstance(each.about, Challenge)]
        return asking.draw.me(
            league,
            who.name,
            own,
            sent,
            left(registry, who),
            tokens(registry, who),
            asked[:10],
            new_token,
            [each for each in there if each not in mine],
        )

    return page(await asking.web.registry(drawn), headers=OWN)


async def _ask(asking: Asking, about: Callable[[str], About]) -> Response:
    bot = asking.part("bot")
    await asking.web.registry(lambda registry: request(registry, asking.who, about(bot)))
    return to("/me")


def _cookie(asking: Asking, value: str, age_s: float = SESSION_S) -> dict[str, str]:
    """Return the header that keeps a session in a browser, or forgets it."""
    secure = "; Secure" if asking.web.secure else ""
    about = f"Path=/; Max-Age={age_s:.0f}; HttpOnly; SameSite=Strict{secure}"
    return {"Set-Cookie": f"{asking.web.cookie}={value}; {about}"}
