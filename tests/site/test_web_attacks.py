"""The web process at its socket, among those who mean it no good, and its end among all of them."""

import json
import os
import select
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request

from arena.base.refusals import OverQuota
from arena.people.server import cookie_of, language_of
from arena.sandbox import landlock
from arena.site.pages.templates import static_files
from arena.site.registry.accounts import invite
from arena.site.web.authors import sweep_spool
from arena.site.web.public import all_routes
from arena.site.web.reader import TOGETHER, Buckets, address_of
from arena.site.web.web import REDRAWN
from tests.support.command import PROJECT
from tests.support.made_site import MADE, PUBLISHED
from tests.support.patience import PATIENCE_S, until
from tests.support.registry import Clock
from tests.support.web import SAME, Served, handled, served

CHUNKED = "POST /api/v1/bots HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n"


# --- limits of addresses and accounts ---


def test_an_address_has_a_quota_of_requests_a_minute() -> None:
    clock = Clock()
    buckets = Buckets(60, clock)
    for later_s, count, costs, wait_s in (
        (0, 60, 1, 1),
        (1, 1, 1, 1),
        (3600, 60, 1, 1),  # what was not asked for is not saved up
        (3600, 1, 35, 10),
        (3600, 1, 1000, 60),  # what is dear is never out of reach
    ):
        clock.now += later_s
        for _ in range(count):
            buckets.take("a", costs)
        with pytest.raises(OverQuota) as refused:
            buckets.take("a", costs)
        assert refused.value.wait_s == wait_s
    for number in range(30_000):
        buckets.take(number)
    assert len(buckets._left) == 20_000, "a flood of addresses is not remembered for ever"


def test_what_is_dear_is_asked_for_less_often_from_one_address(tmp_path: Path) -> None:
    with handled(tmp_path, quotas={"requests_a_minute": 60 // TOGETHER}) as web:
        statuses = [web.ask("POST", "/api/v1/bots", b"{}", SAME).status for _ in range(8)]
    assert (statuses[0], 429 in statuses) == (401, True)


@pytest.mark.parametrize(
    ("address", "trusted", "place"),
    [
        ("10.1.2.3", None, "10.1.2.3"),
        ("10.1.2.3", "10.0.0.8", "10.1.2.3"),
        ("10.0.0.8", "10.0.0.8", "10.0.0.1"),
        ("::ffff:10.1.2.3", None, "10.1.2.3"),
        ("2001:db8:1:2:3::4", None, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", None, "2001:db8:1:2::/64"),
        ("unix", None, "unknown"),
        ("", None, "unknown"),
    ],
)
def test_who_shares_a_household_is_counted_as_one_and_only_a_trusted_proxy_is_believed(
    address: str, trusted: str | None, place: str
) -> None:
    headers = [(b"x-forwarded-for", b"10.0.0.1")]
    request = Request({"type": "http", "client": (address, 1), "headers": headers})
    assert address_of(request, trusted) == place


def test_an_address_is_limited_and_an_account_and_the_trusted_proxy_is_believed(
    tmp_path: Path,
) -> None:
    style = next(iter(static_files().values())).address
    with handled(tmp_path, {"requests_a_minute": 1}, trusted_proxy="127.0.0.1") as web:
        token = web.comes_in("Anna").token
        asked: list[tuple[str, str, str | None, int]] = [
            *(("10.0.0.1", "/robots.txt", None, 200) for _ in range(TOGETHER)),
            ("10.0.0.1", "/robots.txt", None, 429),
            ("10.0.0.2", "/robots.txt", None, 200),
            ("10.0.0.1", style, None, 429),
            ("10.0.0.2, 10.0.0.1", "/robots.txt", None, 429),  # the proxy's own word is the last
            ("", "/health", None, 200),  # the proxy itself
            ("10.0.1.0", "/api/v1/me", token, 200),
            ("10.0.1.1", "/api/v1/me", token, 429),  # wherever it asks from
        ]
        found = [
            web.get(path, headers={"X-Forwarded-For": address}, token=given)
            for address, path, given, _ in asked
        ]
        assert [each.status for each in found] == [status for *_, status in asked]
        wait_s = found[TOGETHER].json["wait_s"]
        assert (1 <= wait_s <= 60, found[TOGETHER].headers["retry-after"]) == (True, str(wait_s))


def test_one_address_has_only_so_many_pages_drawn_anew(tmp_path: Path) -> None:
    with handled(tmp_path) as web:
        web.publish(**PUBLISHED)
        seen = set()
        for number in range(REDRAWN + 60):
            web.publish(proof=msgspec.structs.replace(MADE.proof(), orders=number))
            found = web.get("/ledger.json")
            assert found.status == 200, "nobody is refused"
            seen.add(found.json["orders"])
        assert REDRAWN <= len(seen) < REDRAWN + 60


def test_one_account_does_not_keep_others_from_sending(web: Served) -> None:
    with ExitStack() as stack:
        one, other = web.comes_in("Anna"), web.comes_in("Berta")
        for _ in range(2):
            slow = web.connect(f"{CHUNKED}Authorization: Bearer {one.token}\r\n\r\n")
            stack.enter_context(slow).sendall(b"5\r\nhello\r\n")
        until(lambda: len([*web.site.spool.glob("*.part")]) == 2)
        sent = [web.ask("POST", "/api/v1/bots", b"x", token=it.token) for it in (one, other)]
        assert [each.status for each in sent] == [429, 202]
    until(lambda: not [*web.site.spool.glob("*.part")])


# --- what it may read, take and tell ---


def test_each_page_of_all_is_there_when_all_is_published(web: Served) -> None:
    """A page whose file the confined process may not read would fail here, and here alone."""
    web.publish(**PUBLISHED)
    answers = {
        each.path: web.get(each.path)
        for each in all_routes()
        if (each.method, each.who) == ("GET", "all") and "{" not in each.path
    }
    assert {"/", "/start/guide", "/start/deals", "/rules", "/tv", "/openapi.json"} <= {*answers}
    assert {path: it.status for path, it in answers.items() if it.status != 200} == {"/play": 303}
    assert b' data-every="8"' in answers["/ledger"].body, "it may change, and is asked for again"
    assert b" data-every" not in answers["/rules"].body


def test_the_pages_of_other_leagues_are_plain_files(web: Served) -> None:
    files = {"published.db": "x", "cup/standings.csv": "rank,bot\n", "cup/shown.json": "{}"}
    for tag in ("en", "lv"):
        files[f"cup/{tag}/index.html"] = f"<p>{tag}</p><script>1</script>"
        files |= dict.fromkeys(
            (f"cup/{tag}/index.pages/{it}" for it in ("bot-1.html", "x.txt")), ""
        )
    for path, text in files.items():
        (web.site.league_pages / path).parent.mkdir(parents=True, exist_ok=True)
        (web.site.league_pages / path).write_text(text)
    for path, language in (("cup", "lv"), ("cup/", "en")):
        leads = web.get(f"/leagues/{path}", headers={"Accept-Language": language})
        to = (leads.status, leads.headers["location"])
        assert to == (303, f"/leagues/cup/{language}/index.html")
    shown = web.get("/leagues/cup/lv/index.html")
    assert (shown.status, b"<p>lv</p>" in shown.body) == (200, True)
    assert "script-src 'sha256-" in shown.headers["content-security-policy"]
    assert web.get("/leagues/cup/en/index.pages/bot-1.html").status == 200
    assert web.get("/leagues/cup/standings.csv").headers["content-type"].startswith("text/csv")
    for path in (
        *("nobody/", "cup/shown.json", "cup/en/index.pages/x.txt", "cup/standings.json"),
        *("cup/en/../standings.csv", "cup/../published.db", "cup/en/index.pages/../index.html"),
        *("cup/%2e%2e/published.db", "nobody", "nobody/en/index.html", "../published.db", "CUP"),
    ):
        assert web.get(f"/leagues/{path}").status == 404, path


def test_an_upload_that_is_not_what_it_says_is_not_taken(web: Served) -> None:
    token = web.comes_in("Fritz").token
    for headers, body, status in (
        ({}, b"", 422),
        ({}, bytes((16 << 20) + 1), 413),
        ({"Content-Length": str(1 << 40)}, b"", 413),
    ):
        found = web.ask("POST", "/api/v1/bots", body, headers, token=token)
        assert found.status == status, found.body
    head = f"{CHUNKED}Authorization: Bearer {token}\r\n\r\n"
    with web.connect(head) as chunked:
        with suppress(OSError):
            for _ in range(18):
                chunked.sendall(b"100000\r\n" + bytes(1 << 20) + b"\r\n")
        assert chunked.recv(100).startswith(b"HTTP/1.1 413")
    with web.connect(f"{head}5\r\nhello\r\n"):
        until(lambda: [*web.site.spool.glob("*.part")])
    until(lambda: not [*web.site.spool.glob("*.part")])
    assert web.get("/api/v1/me", token=token).json["jobs"] == []


def test_under_https_cookies_are_for_this_very_site_and_never_sent_in_clear(tmp_path: Path) -> None:
    with handled(tmp_path, address="https://zole.example") as web:
        joined = web.ask("POST", f"/join/{invite(web.registry, 'Anna')}", headers=SAME)
        cookie, *about = joined.headers["set-cookie"].split("; ")
        assert cookie == f"__Host-zole={joined.session}"
        assert {"Path=/", "HttpOnly", "SameSite=Strict", "Secure"} < {*about}
        assert "max-age" in joined.headers["strict-transport-security"]
        for sent, status in ((cookie, 200), (f"zole={joined.session}", 401)):
            assert web.get("/me", headers=SAME | {"Cookie": sent}).status == status


def test_a_quoted_cookie_is_taken_as_it_is_sent() -> None:
    """To decode a long one takes Python before 3.11.10 many seconds (CVE-2024-7592)."""

    def asked(cookies: str) -> Request:
        headers = [(b"cookie", cookies.encode())]
        return Request({"type": "http", "headers": headers, "query_string": b""})

    escaped = '"' + 28_000 * "\\1" + '"'
    assert language_of(asked(f"language={escaped}"), ("en", "lv")) == "en"
    for sent, name, value in (
        (f"a=1; language={escaped}", "language", escaped),
        ("zole=1; zole=2", "zole", "2"),
        ("zoles=1", "zole", None),
    ):
        assert cookie_of(asked(sent), name) == value


def test_what_is_broken_is_told_in_the_log_and_names_no_file_to_strangers(tmp_path: Path) -> None:
    log: list[Any] = []
    with handled(tmp_path, log=log) as web:
        token = web.comes_in("Anna").token
        with web.registry.writing() as sql:
            sql.execute("ALTER TABLE accounts RENAME COLUMN token TO other")
        found = web.get("/api/v1/me", token=token)
        assert (found.status, found.json["error"]) == (500, "the site itself failed over this")
        assert str(tmp_path).encode() not in found.body
        web.site.published.write_bytes(b"x" * 5000)
        assert [web.get(path).status for path in ("/ledger.json", "/openapi.json")] == [503, 200]
    assert [each["status"] for each in log if "registry.db" in each.get("error", "")] == [500]


def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    log: list[Any] = []
    with handled(tmp_path, log=log) as web:
        code = invite(web.registry, "Anna")
        web.get(f"/join/{code}")
        joined = web.ask("POST", f"/join/{code}", headers=SAME)
        token, session = joined.token, joined.session
        assert web.get("/api/v1/me", token=token).json["name"] == "Anna"
        link = web.ask("POST", "/api/v1/code", b"", token=token).json["link"]
        second = link.rpartition("/")[2]
        assert b"as <bdi>Anna</bdi>" in web.get(f"/login/{second}").body
        secrets = [code, token, token[5:], session, second]
        for secret in secrets:
            for path in (
                *(f"/{secret}", f"/join/{secret}/more", f"/login/{secret}", f"/{secret}/{secret}"),
                *(f"/join//{secret}", f"/bots/{secret}", f"/bots/{secret}.json"),
                *(f"/start?token={secret}", f"/api/v1/me?x={secret}"),
            ):
                web.get(path, token=secret, cookie=secret, headers={"User-Agent": secret})
        web.ask("POST", f"/login/{second}", headers={**SAME, "Referer": link})
    assert [each["account"] for each in log if "account" in each].count("Anna") >= 2
    assert [secret for secret in secrets if secret[:12] in json.dumps(log)] == []
    assert {each["path"] for each in log if "path" in each} >= {"/join/…", "/login/…", "/start"}


TRIES = """
import json, os, signal, socket, subprocess, sys, threading
from pathlib import Path
from arena.site.config import read_site
from arena.site.web.process import confine

site = read_site(Path(sys.argv[1]))
other, listener = int(sys.argv[2]), int(sys.argv[3])
missing = confine(site)
site.league.with_suffix(".db")

def tcp():
    socket.create_connection(("127.0.0.1", listener), 5)

def local():
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(site.folder / "other.sock"))

def datagram():
    ours, _ = socket.socketpair(type=socket.SOCK_DGRAM)
    ours.sendto(b"x", str(site.folder / "other.sock"))

def moved():
    ours, _ = socket.socketpair()
    ours.connect(str(site.folder / "other.sock"))

tries = {
    "fork": os.fork,
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "program": lambda: subprocess.run(["/bin/true"]),
    "tcp": tcp,
    "a socket of this machine": local,
    "a socket of this machine by a pair": moved,
    "a datagram": datagram,
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "record": lambda: site.league.with_suffix(".db").read_bytes(),
    "league": lambda: site.league.read_bytes(),
    "passwords": lambda: Path("/etc/passwd").read_bytes(),
    "write": lambda: (site.folder / "x").write_bytes(b""),
    "publish": lambda: (site.published.parent / "x").write_bytes(b""),
    "state": lambda: (site.state / "x").write_bytes(b""),
    "tables": lambda: (site.tables / "x").symlink_to(site.league),
    "signal": lambda: os.kill(other, signal.SIGTERM),
    "environment": lambda: Path(f"/proc/{other}/environ").read_bytes(),
    "ptrace": lambda: Path(f"/proc/{other}/mem").open("rb"),
}
may = {
    "spool": lambda: (site.spool / "x").write_bytes(b""),
    "registry": lambda: (site.registry.parent / "x").write_bytes(b""),
    "own program": lambda: __import__("wave"),
    "thread": lambda: threading.Thread(target=int).start(),
    "names": lambda: list(site.league.parent.iterdir()),
}
said = {}
for name, do in {**tries, **may}.items():
    try:
        do()
        said[name] = "done"
    except BaseException as error:
        said[name] = type(error).__name__
print(json.dumps([missing, [each for each in tries if said[each] == "done"],
    [each for each in may if said[each] != "done"], said]))
"""


@pytest.mark.skipif(landlock.unavailable_reason() is not None, reason="needs Landlock")
def test_it_can_reach_nothing_but_what_it_needs(web: Served) -> None:
    assert {"Seccomp:\t2", "NoNewPrivs:\t1"} <= {
        *Path(f"/proc/{web.process.pid}/status").read_text().splitlines()
    }
    for name in ("ladder.toml", "ladder.db"):
        (web.site.path.parent / name).write_text("a seed")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(web.site.folder / "other.sock"))
        other.listen()
        done = subprocess.run(
            [sys.executable, "-c", TRIES, str(web.site.path), str(os.getpid()), str(web.port)],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": PROJECT},
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    missing, done_all_the_same, not_done, said = json.loads(done.stdout)
    assert (missing, done_all_the_same, not_done) == ([], [], []), said


# --- its end ---


def test_it_ends_at_once_among_all_of_them(tmp_path: Path) -> None:
    with served(tmp_path) as web, ExitStack() as stack:
        own = web.comes_in("Anna").token
        web.publish(standings=["x" * 4_000_000])
        token = f"Host: HOST\r\nAuthorization: Bearer {own}\r\n"
        halves = [
            "",
            "GET /star",
            "GET /start HTTP/1.1\r\nHost: ",
            f"POST /api/v1/bots HTTP/1.1\r\n{token}Content-Length: 1000\r\n\r\nhalf",
            f"POST /api/v1/jobs HTTP/1.1\r\n{token}Content-Type: application/json\r\n"
            "Content-Length: 1000\r\n\r\n{",
            "GET /standings.json HTTP/1.1\r\nHost: HOST\r\n\r\n",
        ]
        connections = [stack.enter_context(web.connect(half)) for half in halves]
        assert web.get("/api/v1/me", token=own).status == 200
        until(lambda: [*web.site.spool.glob("*.part")])
        web.process.terminate()
        assert web.process.wait(PATIENCE_S) == 0
        with suppress(ConnectionError):
            assert b" 408 " not in connections[3].recv(100), "the archive was not waited for"
        assert [*web.site.spool.iterdir()] == []


def test_it_ends_with_who_started_it(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        assert web.process.stdin is not None
        web.process.stdin.close()
        assert web.process.wait(PATIENCE_S) == 0


def test_what_is_on_its_way_when_it_is_killed_is_swept_away(tmp_path: Path) -> None:
    for name in ("abc.part", "1-abc"):
        (tmp_path / name).write_bytes(b"x")
    sweep_spool(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["1-abc"]


# --- odd requests ---


@pytest.mark.slow
def test_who_sends_slowly_or_takes_nothing_is_dropped_and_others_are_served(
    tmp_path: Path,
) -> None:
    """A thousand half heads, bodies that trickle, and readers who read nothing."""
    with served(tmp_path) as web, ExitStack() as stack:
        token = web.comes_in("Anna").token
        web.publish(standings=["x" * 12_000_000])
        head = f"Host: HOST\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n"
        said = [
            f"POST /api/v1/jobs HTTP/1.1\r\n{head}Content-Type: application/json\r\n\r\n{{",
            f"POST /api/v1/bots HTTP/1.1\r\n{head}\r\nx",
            *["GET /start HTTP/1.1\r\nHost: "] * 1000,
            *["GET /standings.json HTTP/1.1\r\nHost: HOST\r\n\r\n"] * 20,
        ]
        form, archive, *heads = [stack.enter_context(web.connect(each)) for each in said]
        ends = select.poll()
        for each in heads:
            ends.register(each, select.POLLHUP | select.POLLERR)

        def all_are_gone() -> bool:
            assert web.get("/start").status == 200
            return len(ends.poll(0)) == len(heads)

        until(all_are_gone)
        for each in (form, archive):
            assert each.recv(100).startswith(b"HTTP/1.1 408")
        assert [*web.site.spool.iterdir()] == []


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01\x02\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /start HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n",
        "GET /start HTTP/1.1\r\n\r\n",
        "GET /nothing HTTP/1.1\r\nHost: [::\r\nAccept: text/html\r\n\r\n",
        "GET /static/x HTTP/1.1\r\nHost: HOST\r\nAccept: text/html\r\n\r\n",
        "HEAD /events HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /start HTTP/1.1\r\nHost: HOST\r\nX: " + "x" * 100_000 + "\r\n\r\n",
        "POST /join/x HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
        "POST /join/x HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nTransfer-Encoding: chunked"
        "\r\n\r\n0\r\n\r\nGET /me HTTP/1.1\r\n\r\n",
        "TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /static/../../../etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /static/%2e%2e%2f%2e%2e%2fweb.py HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /bots/%00%ff%f0 HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /deals/../../own/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /matches/\u0665 HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /events HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        "GET",
    ],
)
def test_no_request_however_odd_brings_it_down(web: Served, text: str) -> None:
    with web.connect(text) as connection, suppress(ConnectionError):
        status = connection.recv(12)
        assert status[9:10] in b"24" or status[9:] == b"503" or not status, status
    assert web.get("/start").status == 200


def test_no_request_is_hidden_in_the_body_of_another(web: Served) -> None:
    text = (
        "POST /tables HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
        "\r\n\r\n0\r\n\r\nGET /start HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"
    )
    with web.connect(text) as connection, suppress(ConnectionError):
        assert connection.recv(1000).startswith(b"HTTP/1.1 400")
        assert not connection.recv(1000)
    assert web.get("/start").status == 200


def test_a_request_for_no_path_is_in_the_log_too(tmp_path: Path) -> None:
    log: list[Any] = []
    with served(tmp_path, log) as web:
        for target, status in (("*", 404), ("/*", 404), ("x", 400), ("example:443", 400)):
            with web.connect(f"OPTIONS {target} HTTP/1.1\r\nHost: HOST\r\n\r\n") as connection:
                assert connection.recv(12) == b"HTTP/1.1 %d" % status
    assert [each["path"] for each in log if "path" in each] == ["/…"] * 2


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://HOST/start", 200),
        ("HTTP://HOST/nothing?x=/", 404),
        ("https://HOST/robots.txt", 200),
        ("http://HOST", 503),
        ("http://HOST?x=1", 503),
        ("http://evil.example/start", 403),
        ("http://HOST.evil.example/start", 403),
        ("http://me@HOST/start", 403),
        ("http:///start", 403),
    ],
)
def test_a_whole_address_is_asked_for_as_its_path_is(web: Served, target: str, status: int) -> None:
    """Whatever the header `Host` says: RFC 9112, 3.2.2."""
    web.unpublish()
    for host in ("HOST", "other.example"):
        text = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        with web.connect(text) as connection:
            assert connection.recv(12) == b"HTTP/1.1 %d" % status
