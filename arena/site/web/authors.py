"""Handlers of an author's browser: invitations, sessions, the own page with its forms."""

from collections.abc import Callable
from typing import Final

import msgspec
from starlette.responses import Response

from arena.base.refusals import Conflict, Refusal
from arena.site.api import ChallengeOf
from arena.site.pages.public import EVERY_S
from arena.site.registry.accounts import (
    SESSION_S,
    Invitation,
    Scope,
    accept,
    account_of_code,
    end_session,
    invitation,
    new_token,
    revoke_token,
    session,
    tokens,
)
from arena.site.registry.file import Registry
from arena.site.registry.requests import About, Challenge, Resume, Withdraw, request, requests
from arena.site.registry.uploads import bots, left, upload, uploads
from arena.site.web.answers import to
from arena.site.web.asking import Asking, Routes
from arena.site.web.programs import bots_in_field, challenge_of
from arena.site.web.reader import wants_page

_LONGEST_LABEL: Final = 80

# The seconds after which a page that shows an upload under way is asked for again.
UPLOAD_S: Final = 2

# The statuses of refusals after which another name may be taken.
_OF_A_NAME: Final = (Conflict.status, Refusal.status)


AUTHOR_ROUTES: Final = Routes()


@AUTHOR_ROUTES.get("/join/{code}", "An invitation.", secrets=("code",))
async def join(asking: Asking) -> Response:
    """Show an invitation: only a button accepts it, for programs follow links, too."""
    found = await asking.web.registry(lambda registry: invitation(registry, asking.part("code")))
    return asking.page("join.html", invitation_values(found))


@AUTHOR_ROUTES.form("/join/{code}", "Take an invitation.", who="all", secrets=("code",))
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
        return asking.page("join.html", invitation_values(asked, name, team, why), why.status)
    told: dict[str, object] = {"name": found.account.name, "token": found.token, "again": "/me"}
    told |= {"known": False, "left": 1, "asks_team": False, "refused": None}
    return asking.page("join.html", told, headers=_cookie(asking, found.session))


@AUTHOR_ROUTES.get("/login/{code}", "The button that begins a session.", secrets=("code",))
async def login(asking: Asking) -> Response:
    """Show the button that begins a session, and whose: anybody may have sent the link."""
    found = await asking.web.registry(
        lambda registry: account_of_code(registry, asking.part("code"))
    )
    return asking.page("login.html", {"name": found.name})


@AUTHOR_ROUTES.form("/login/{code}", "Begin a session.", who="all", secrets=("code",))
async def take_code(asking: Asking) -> Response:
    """Begin a session by a link that works once."""
    cookie = await asking.web.registry(lambda registry: session(registry, asking.part("code")))
    return to("/me", _cookie(asking, cookie))


@AUTHOR_ROUTES.form("/logout", "End the session.")
async def logout(asking: Asking) -> Response:
    """End the session of this browser."""
    cookie = asking.cookie
    if cookie:
        await asking.web.registry(lambda registry: end_session(registry, cookie))
    return to("/", _cookie(asking, "", 0))


@AUTHOR_ROUTES.get("/me", "The author's own page.", who="session")
async def me(asking: Asking) -> Response:
    """Show the author's own page."""
    return await _own_page(asking)


@AUTHOR_ROUTES.get("/me/uploads/{id}", "An own upload, step by step.", who="session")
async def own_upload(asking: Asking) -> Response:
    """Show an upload, step by step."""
    who, id = asking.who, asking.part("id")
    found, rest = await asking.web.registry(
        lambda registry: (upload(registry, who, id), left(registry, who))
    )
    every = UPLOAD_S if found.under_way else 0
    told = {"here": "/me", "every": every, "upload": found, "left": rest}
    return asking.page("upload.html", told)


@AUTHOR_ROUTES.form("/me/challenges", "Have bots play deals that count for nobody.")
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


@AUTHOR_ROUTES.form("/me/tokens", "Make a token.")
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


@AUTHOR_ROUTES.form("/me/tokens/{token}/revoke", "Revoke a token.")
async def end_token(asking: Asking) -> Response:
    """Revoke a token."""
    number, own = asking.number_part("token"), asking.cookie or ""
    await asking.web.registry(lambda registry: revoke_token(registry, asking.who, number, own))
    return to("/me")


@AUTHOR_ROUTES.form("/me/bots/{bot}/withdraw", "Take a bot out.")
async def withdraw(asking: Asking) -> Response:
    """Take a bot out of the field."""
    return await _ask(asking, Withdraw)


@AUTHOR_ROUTES.form("/me/bots/{bot}/resume", "Let a bot play on.")
async def resume(asking: Asking) -> Response:
    """Let a benched bot play on."""
    return await _ask(asking, Resume)


# Show the author's own page; `new_token` was made just now and is shown only this once.
async def _own_page(asking: Asking, new_token: str = "") -> Response:
    who = asking.who
    there = await asking.web.published(bots_in_field)

    def known(registry: Registry) -> dict[str, object]:
        sent = uploads(registry, who)
        if sent:
            sent[0] = upload(registry, who, sent[0].id)  # with its steps
        asked = [each for each in requests(registry, who) if isinstance(each.about, Challenge)]
        return {
            "every": UPLOAD_S if any(each.under_way for each in sent) else EVERY_S,
            "bots": (own := bots(registry, who)),
            "others": [each for each in there if each not in {it.name for it in own}],
            "uploads": sent,
            "left": left(registry, who),
            "tokens": tokens(registry, who),
            "challenges": asked[:10],
        }

    told = {"here": "/me", "again": "/me", "name": who.name, "new_token": new_token}
    return asking.page("me.html", {**told, **await asking.web.registry(known)})


def invitation_values(
    invited: Invitation, name: str = "", team: str = "", refused: Refusal | None = None
) -> dict[str, object]:
    """Return the values of the page of an invitation, with the button that accepts it.

    One without a name is for whoever comes, and asks for a name, and for a team if it has none:
    again with the name and the team that were given, if these were refused.
    """
    return {
        "token": "",
        "refused": refused,
        "name": invited.name,
        "known": invited.known,
        "left": invited.places,
        "asks_team": not (invited.name or invited.team),
        "given": {"name": name, "team": team},
    }


async def _ask(asking: Asking, about: Callable[[str], About]) -> Response:
    bot = asking.part("bot")
    await asking.web.registry(lambda registry: request(registry, asking.who, about(bot)))
    return to("/me")


# Return the header that keeps a session in a browser, or forgets it.
def _cookie(asking: Asking, value: str, age_s: float = SESSION_S) -> dict[str, str]:
    secure = "; Secure" if asking.web.secure else ""
    about = f"Path=/; Max-Age={age_s:.0f}; HttpOnly; SameSite=Strict{secure}"
    return {"Set-Cookie": f"{asking.web.cookie}={value}; {about}"}
