"""A site behind nginx as its documentation sets it up: what the site is still asked."""

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.command import PROJECT
from tests.support.made_site import MadeSite
from tests.support.needs import need
from tests.support.patience import until
from tests.support.web import Served, served

CONFIGURATION = Path(PROJECT, "examples/site/nginx-zole.conf").read_text(encoding="utf-8")


@contextmanager
def behind_nginx(folder: Path, log: list[Any]) -> Iterator[Served]:
    """A site that is asked through nginx."""
    need("nginx")
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        port, behind = (int(each.getsockname()[1]) for each in (one, other))
    address, listen = f"http://127.0.0.1:{port}", f"127.0.0.1:{behind}"
    with served(folder, log, address=address, listen=listen, trusted_proxy="127.0.0.1") as site:
        text = re.sub(r"\tssl_.*\n", "", CONFIGURATION)
        for theirs, ours in (
            ("443 ssl http2", f"127.0.0.1:{port}"),
            ("127.0.0.1:8800", site.host),
            ("/var/cache/nginx/zole", f"{folder}/cache"),
            ("/var/log/nginx/zole.log", f"{folder}/access"),
        ):
            assert theirs in text
            text = text.replace(theirs, ours)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user} daemon off; pid {folder}/pid; error_log {folder}/error;"
            f" events {{}} http {{ {places} {text} }}"
        )
        words = ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error")]
        with subprocess.Popen(words) as nginx:
            try:
                until(lambda: listens(port))
                site.port, site.host = port, f"127.0.0.1:{port}"
                yield site
                site.port = behind
            finally:
                nginx.terminate()


def listens(port: int) -> bool:
    """Whether something listens at a port."""
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.slow
def test_the_proxy_asks_the_site_once_for_what_is_the_same_for_many(tmp_path: Path) -> None:
    made, log = MadeSite(), list[Any]()
    tables = made.tables()
    with behind_nginx(tmp_path, log) as site:
        site.publish(league=made.league(), standings=made.standings(), now=tables)
        with ThreadPoolExecutor(16) as many:
            readers = [{"Accept-Encoding": "gzip"}, {}, {"Cookie": "zole=x; language=lv"}] * 16
            pages = [*many.map(lambda reader: site.get("/", headers=reader), readers)]
            assert {each.status for each in pages} == {200}
            assert len({each.headers["etag"] for each in pages}) == 3
            latvian = {each.body for each in pages[2::3]}
            assert [b'lang="lv"' in each for each in latvian] == [True]
            known = {"If-None-Match": pages[1].headers["etag"]}
            again = [*many.map(lambda _: site.get("/", headers=known), range(16))]
            assert {each.status for each in again} <= {304}
            site.publish(now=msgspec.structs.replace(tables, now=()))
            until(lambda: b"No table is playing" in site.get("/").body)
    asked = [each for each in log if each.get("path") == "/" and each["status"] == 200]
    assert len(asked) == 3 + 1, "plain, packed, in Latvian; and plain again once it changed"


@pytest.mark.slow
def test_nobody_chooses_the_language_of_others(tmp_path: Path) -> None:
    tricks: list[dict[str, str]] = [
        {"Cookie": "LANGUAGE=; language=lv"},
        {"Cookie": "language=en; language=lv"},
        {"Cookie": "language=; language=lv"},
        {"Cookie": "x=language=en; language=lv"},
        {"Accept-Language": "lv"},
        {"Accept-Language": "lv "},
        {"Accept-Language": "lv, language=en"},
    ]
    made = MadeSite()
    with behind_nginx(tmp_path, []) as site:
        site.publish(league=made.league(), standings=made.standings())
        others: list[dict[str, str]] = [
            {},
            {"Cookie": "language=en"},
            {"Accept-Language": "en", "Cookie": "language=en"},
        ]
        for path, trick in product(("/", "/matches", "/start"), tricks):
            site.get(path, headers=trick)
            for other in others:
                page = site.get(path, headers=other).body
                assert b'<html lang="en"' in page, (path, trick, other)
        assert b'<html lang="lv"' in site.get("/", headers={"Accept-Language": "lv"}).body


@pytest.mark.slow
def test_what_is_somebodys_own_and_what_comes_later_pass_the_proxy(tmp_path: Path) -> None:
    made = MadeSite()
    with behind_nginx(tmp_path, []) as site:
        site.publish(league=made.league(), standings=made.standings())
        people = [site.comes_in(name) for name in ("Anna", "Bert")]
        for _ in range(2):
            for who in people:
                page = site.get("/me", cookie=who.session)
                assert page.headers["x-cache"] == "MISS"
                assert f"<h1><bdi>{who.account.name}</bdi>".encode() in page.body
        assert site.get("/me").status == 401
        chosen = site.get("/?lang=lv")
        assert (chosen.headers["x-cache"], "set-cookie" in chosen.headers) == ("MISS", True)
        assert site.get("/?lang=lv").headers["x-cache"] == "MISS"
        archive = os.urandom(2 << 20)
        sent = site.ask("POST", "/api/v1/bots", archive, token=people[0].token)
        assert (sent.status, sent.json["state"]) == (202, "waiting")


@pytest.mark.slow
def test_the_proxys_log_has_no_codes_and_no_keys(tmp_path: Path) -> None:
    code, key = "c0de" * 11, "s3at" * 6
    with behind_nginx(tmp_path, []) as site:
        referer = {"Referer": f"http://{site.host}/join/{code}"}
        for path in (f"/join/{code}", f"/login/{code}?x={code}", f"/tables/{key}/", "/start"):
            site.get(path, headers=referer)
        log = tmp_path / "access"
        until(lambda: log.read_text(encoding="utf-8").count("\n") == 4)
    said = log.read_text(encoding="utf-8")
    assert '"GET /join/-"' in said
    assert '"GET /start"' in said
    assert not [each for each in (code, key) if each in said]
