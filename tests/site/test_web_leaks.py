"""Nothing of an account's own, and nothing of the league's secrets, in any answer to others.

Canaries are planted wherever the web process could meet them; every route is asked by nobody and
by another account, and each answer is searched.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from arena.base.check_step import CheckStep
from arena.site.registry.accounts import invite, new_code, revoke
from arena.site.registry.jobs import FILE_REQUESTS, OwnLogs, add_step, ask_for, take
from arena.site.registry.organiser import stop
from arena.site.web.public import all_routes
from tests.support.made_site import MadeSite
from tests.support.registry import answer, decline, take_upload
from tests.support.web import SAME, Served, served

CANARY = "canary-7f3a"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web")) as found:
        yield found


def planted(web: Served, folder: Path) -> tuple[str, list[str], dict[str, list[str]]]:
    """The owner's token, what no other may be told, and parts of paths by which one may try."""
    owner = web.comes_in("Owner")
    body = f"{CANARY} archive".encode()
    sent = web.ask("POST", "/api/v1/bots", body, token=owner.token).json
    taken = take_upload(web.registry)
    assert taken is not None
    add_step(web.registry, taken, CheckStep("build", False, CANARY, (CANARY,), CANARY))
    decline(web.registry, taken, CANARY)
    with web.registry.writing() as sql:
        row = ("owned", owner.account.number, CANARY, "benched", CANARY, 0.0)
        sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)
    asked = [ask_for(web.registry, owner.account, OwnLogs(number, 1))[0] for number in range(7, 10)]
    for _ in asked:
        request_taken = take(web.registry, FILE_REQUESTS)
        assert request_taken is not None
        answer(web.registry, request_taken, CANARY.encode())
    stop(web.registry, "bot", "owned", CANARY)
    web.comes_in("Gone")
    revoke(web.registry, "Gone", CANARY)
    (folder / "ladder.toml").write_text(CANARY)
    (folder / "ladder.db").write_text(CANARY)
    made = MadeSite()
    web.publish(league=made.league(), standings=made.standings(), proof=made.proof())
    web.publisher.add("own/owned", 7, CANARY)
    web.publish(**{"own/owned": CANARY, "unlisted": CANARY})
    codes = [invite(web.registry, "Invited"), new_code(web.registry, owner.account)]
    secrets = [CANARY, owner.token, owner.session, *codes]
    secrets += [sent["id"], sent["about"]["digest"], *(each.id for each in asked)]
    odd = ["../own/owned", "own/owned", "..", "%2e%2e", "unlisted", f"{CANARY}-0.txt", "%00"]
    return (
        owner.token,
        secrets,
        {
            "id": [sent["id"], *(each.id for each in asked)],
            "bot": ["owned", *odd],
            "match": ["7", *odd],
            "order": ["7", *odd],
            "file": ["index.html", "..%2f..%2fladder.db", *odd],
            "deal": ["7", *odd],
            "name": ["site.css", "..%2f..%2fweb.py", *odd],
            "code": ["a" * 43],
        },
    )


def test_answers_to_odd_requests_tell_others_nothing(web: Served) -> None:
    owner, secrets, parts = planted(web, web.site.path.parent)
    other = web.comes_in("Other")
    askers = [{}, {"token": other.token}, {"cookie": other.session}]
    sought = re.compile("|".join(re.escape(each) for each in secrets).encode())
    for path in (f"jobs/{parts['id'][0]}", "me", f"jobs/{parts['id'][1]}/log"):
        assert sought.search(web.get(f"/api/v1/{path}", token=owner).body), "the owner is told"
    asked = 0
    for route in all_routes():
        path = re.sub(r":\w+}", "}", route.path)
        names = re.findall(r"{(\w+)}", path)
        for values, asker in product(product(*(parts[name] for name in names)), askers):
            given = dict(zip(names, values, strict=True))
            filled = re.sub(r"{(\w+)}", lambda found: given[found[1]], path)  # noqa: B023
            for query in ("", "?before=99", "?after=0&most=1000")[: 3 if route.query else 1]:
                body = b"bots=owned&bots=owned" if route.method == "POST" else None
                found = web.ask(route.method, filled + query, body, SAME, **asker)
                said = found.body + repr(found.headers).encode()
                told = filled.encode()  # an answer may repeat what was asked
                assert not sought.search(said.replace(told, b"")), (route.path, given, asker)
                asked += 1
                if route.path == "/logout":
                    askers = [{}, {"token": other.token}]
    assert asked >= 500
