"""All requests that the web process answers: their paths, who may make them, and the answers.

The document at `/openapi.json` is made from this list, and so are the tests of who may ask what.
"""

from functools import cache
from typing import Any, Final

import msgspec
from starlette.responses import Response

from arena.site import api
from arena.site.config import Site
from arena.site.web import authors, programs, public
from arena.site.web.answers import SHARED, json_bytes, versioned
from arena.site.web.ask import Handler, SiteRoute
from arena.site.web.asking import Asking
from arena.site.web.limits import ARCHIVE
from arena.site.web.openapi import openapi
from arena.site.web.pages import PAGES

_API: Final = "/api/v1"


def _get(path: str, handler: Handler, summary: str, **more: Any) -> SiteRoute:
    return SiteRoute("GET", _API + path, handler, summary, "read", **more)


def _post(path: str, handler: Handler, summary: str, **more: Any) -> SiteRoute:
    return SiteRoute("POST", _API + path, handler, summary, "submit", **more)


def _form(path: str, handler: Handler, summary: str, **more: Any) -> SiteRoute:
    given: dict[str, Any] = {"who": "session", "says": "redirect", "status": 303, **more}
    return SiteRoute("POST", path, handler, summary, body="form", **given)


PROGRAMS: Final = (
    _get("/me", programs.me_by_token, "The account of the token.", answers=api.Me),
    _post("/code", programs.code, "A link that opens a session in a browser.", answers=api.Code),
    _post(
        "/bots",
        programs.send_archive,
        "Send a bot; the same archive is the same upload.",
        answers=api.Sent,
        status=202,
        body="archive",
        costs=ARCHIVE,
        query=("again",),
        refuses=(408, 409, 413, 422, 503, 507),
    ),
    _get("/uploads", programs.own_uploads, "Own uploads.", answers=api.Uploads, query=("before",)),
    _get(
        "/uploads/{id}",
        programs.own_upload_by_token,
        "An own upload with its steps.",
        answers=api.UploadSeen,
        refuses=(404,),
    ),
    _get(
        "/pull",
        programs.logs_by_token,
        "The numbers of own matches after one.",
        answers=api.Pulled,
        query=("after", "most"),
        refuses=(422,),
    ),
    _get(
        "/matches/{match}/log",
        programs.log_by_token,
        "A match of own bots, to be replayed and rerun.",
        answers=api.RequestMade,
        says="text",
        also=(202,),
        refuses=(404, 503),
    ),
    _post(
        "/bots/{bot}/withdraw",
        programs.withdraw_by_token,
        "Take an own bot out of the field.",
        answers=api.RequestMade,
        refuses=(404, 503),
    ),
    _post(
        "/bots/{bot}/resume",
        programs.resume_by_token,
        "Let an own bot play on that was benched.",
        answers=api.RequestMade,
        refuses=(404, 503),
    ),
    _post(
        "/challenges",
        programs.challenge_by_token,
        "Have bots play deals that count for nobody.",
        answers=api.RequestMade,
        body="json",
        takes=api.ChallengeOf,
        refuses=(408, 413, 415, 422, 503),
    ),
    _get(
        "/requests/{id}",
        programs.own_request,
        "What became of a request.",
        answers=api.RequestMade,
        refuses=(404,),
    ),
)

ACCOUNTS_ASK: Final = (
    SiteRoute(
        "GET",
        "/join/{code}",
        authors.join,
        "An invitation.",
        says="page",
        refuses=(404,),
        secrets=("code",),
    ),
    _form(
        "/join/{code}",
        authors.take_invitation,
        "Take an invitation.",
        who="all",
        says="page",
        status=200,
        refuses=(404, 409, 422),
        secrets=("code",),
    ),
    SiteRoute(
        "GET",
        "/login/{code}",
        authors.login,
        "The button that begins a session.",
        says="page",
        refuses=(404,),
        secrets=("code",),
    ),
    _form(
        "/login/{code}",
        authors.take_code,
        "Begin a session.",
        who="all",
        refuses=(404,),
        secrets=("code",),
    ),
    SiteRoute("GET", "/me", authors.me, "The author's own page.", "session", says="page"),
    SiteRoute(
        "GET",
        "/me/uploads/{id}",
        authors.own_upload,
        "An own upload, step by step.",
        "session",
        says="page",
        refuses=(404,),
    ),
    _form(
        "/me/challenges",
        authors.challenge,
        "Have bots play deals that count for nobody.",
        refuses=(404, 409, 422),
    ),
    _form("/logout", authors.logout, "End the session."),
    _form(
        "/me/tokens", authors.make_token, "Make a token.", says="page", status=200, refuses=(422,)
    ),
    _form("/me/tokens/{token}/revoke", authors.end_token, "Revoke a token.", refuses=(404,)),
    _form("/me/bots/{bot}/withdraw", authors.withdraw, "Take a bot out.", refuses=(404,)),
    _form("/me/bots/{bot}/resume", authors.resume, "Let a bot play on.", refuses=(404,)),
)


async def _describe(asking: Asking) -> Response:
    described = _description(asking.web.site)
    return versioned(json_bytes(described), asking.request.headers, SHARED)


@cache
def _description(site: Site) -> bytes:
    return msgspec.json.encode(openapi(ROUTES, site))


PUBLIC: Final = (
    *(
        SiteRoute(
            "GET",
            each.json_path,
            public.told(each),
            each.summary,
            answers=each.document,
            query=("before",) if each.list else (),
            also=(304,),
            refuses=(404, 503),
        )
        for each in PAGES
        if each.key or each.list
    ),
    *(
        SiteRoute(
            "GET",
            each.csv_path,
            public.tabled(each),
            f"{each.summary[:-1]}, as comma-separated values.",
            says="sheet",
            query=("before",) if each.list else (),
            also=(304,),
            refuses=(404, 503),
        )
        for each in PAGES
        if each.sheet
    ),
    SiteRoute(
        "GET",
        "/leagues/{name}",
        public.league,
        "A league that is shown beside the site's own.",
        says="redirect",
        status=303,
        refuses=(404,),
    ),
    SiteRoute(
        "GET",
        "/leagues/{name}/{file:path}",
        public.league_file,
        "A page of such a league, or its table.",
        says="bytes",
        also=(303, 304),
        refuses=(404, 503),
    ),
    SiteRoute(
        "GET",
        "/ledger/lines",
        public.ledger,
        "Lines of the ledger after one, as JSON lines.",
        says="text",
        query=("after",),
        refuses=(422, 503),
    ),
    SiteRoute(
        "GET",
        "/matches/{match}/replay",
        public.replay,
        "The replay of a match.",
        says="page",
        also=(304,),
        refuses=(404, 503),
    ),
    SiteRoute(
        "GET",
        "/matches/{match}/replay.json",
        public.replay_document,
        "What the replay of a match shows.",
        also=(304,),
        refuses=(404, 503),
    ),
    *(
        SiteRoute(
            "GET",
            each.path,
            public.shown(each),
            each.summary,
            says="page",
            query=("before",) if each.list else (),
            also=(304,),
            refuses=(404, 503),
        )
        for each in PAGES
    ),
    SiteRoute(
        "GET",
        "/static/{name}",
        public.static,
        "Style, script, fonts.",
        says="bytes",
        refuses=(404,),
        limited=False,
    ),
    SiteRoute("GET", "/openapi.json", _describe, "This description.", also=(304,)),
    SiteRoute(
        "GET", "/play", public.to_tables, "The way to guests' tables.", says="redirect", status=303
    ),
    SiteRoute("GET", "/robots.txt", public.robots, "What robots should leave alone.", says="text"),
    SiteRoute(
        "GET",
        "/health",
        public.health,
        "Whether the site can serve, and all of its processes do their work.",
        answers=public.Health,
        also=(503,),
        limited=False,
    ),
)

ROUTES: Final = (*PROGRAMS, *ACCOUNTS_ASK, *PUBLIC)
