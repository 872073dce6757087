"""What an author does about a site on the command line, against a small site of the tests."""

import io
import json
import os
import re
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.base.check_step import CheckStep
from arena.record.export import own_log
from arena.record.matches import ReplayedMatch, stored_matches
from arena.record.pulled import read_logs
from arena.record.store import Store
from arena.site import client
from arena.site.registry.accounts import accept, invite, new_token, session
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    MOST_OF_ONE,
    Challenge,
    Challenged,
    OwnLogs,
    add_step,
    ask_for,
    may_enter,
    queue,
    take,
)
from tests.support.bots import write_quick_bot
from tests.support.command import document, output, refusal, run, within
from tests.support.patience import PATIENCE_S
from tests.support.records import record_of_logs, small_record
from tests.support.registry import answer, decline, enter, owns, take_upload
from tests.support.site_server import SiteServer, served
from tests.support.stored_league import stored_league


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Settings of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(client, "TIMEOUT_S", PATIENCE_S)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SiteServer]:
    """A site that goes on whenever a command would wait."""
    (tmp_path / "site").mkdir()
    with served(tmp_path / "site") as server:
        monkeypatch.setattr(client.Remote.__init__, "__defaults__", (server.go_on,))
        yield server


@pytest.fixture
def token(site: SiteServer, tmp_path: Path) -> str:
    """A token that is kept."""
    token = site.comes_in("anna")
    path = tmp_path / "token"
    path.write_text(f"{token}\n")
    done = run("login", site.address, "--token-file", path)
    assert (done.returncode, done.stderr) == (0, f"logged in to {site.address} as anna\n")
    return token


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    return write_quick_bot(tmp_path / "mybot")


def clerk(site: SiteServer, kinds: Sequence[type[Any]], *answers: str | Challenged | None) -> None:
    """Have so many requests answered as they come, and declined where there is None."""

    def work() -> Iterator[None]:
        for text in answers:
            while (held := take(site.registry, kinds)) is None:
                yield
            if text is None:
                decline(site.registry, held, "it plays no more")
            elif isinstance(text, Challenged):
                answer(site.registry, held, result=text)
            else:
                answer(site.registry, held, text.encode())

    site.meanwhile.append(work())


@pytest.fixture
def logs(tmp_path: Path) -> dict[int, str]:
    """What a site sends of its matches to the author of a bot, by number."""
    with closing(Store.open(stored_league(tmp_path / "far").with_suffix(".db"))) as store:
        return {match.number: own_log(match, ["mine.2"]) for match in stored_matches(store)}


def read(logs: str) -> ReplayedMatch:
    [match] = read_logs(logs.encode(), "logs")
    return match


def checked(site: SiteServer, *steps: CheckStep, name: str | None = "mybot") -> Iterator[None]:
    """What an intake does about one upload."""
    while (held := take_upload(site.registry)) is None:
        yield
    for each in steps:
        add_step(site.registry, held, each)
        yield
    if name is None:
        decline(site.registry, held, "the step build failed")
    else:
        may_enter(site.registry, held, "mybot")
        enter(site.registry, held, name, "mybot")


def intake(site: SiteServer, *steps: CheckStep, name: str | None = "mybot") -> None:
    """Have one upload checked."""
    site.meanwhile.append(checked(site, *steps, name=name))


def test_a_token_is_kept_for_its_owner_alone(token: str, tmp_path: Path) -> None:
    path = tmp_path / "config" / "zole-arena" / "tokens.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert token in path.read_text()
    path.chmod(0o644)
    assert "others may read the tokens" in refusal("uploads")


def test_a_token_is_tried_before_it_is_kept(site: SiteServer, tmp_path: Path) -> None:
    for text, said in (
        ("zole_unknown", "the site does not know this token"),
        ("hunter2", "this is not a token"),
        ("", "this is not a token"),
        ("zole_ä", "this is not a token"),
    ):
        (tmp_path / "token").write_text(text)
        done = run("login", site.address, "--token-file", tmp_path / "token")
        assert done.returncode == 2
        assert said in done.stderr
        assert not text or text not in done.stdout + done.stderr
    assert not (tmp_path / "config").exists()


def test_a_browser_gets_a_link_for_the_token(site: SiteServer, token: str) -> None:
    done = run("login", site.address, "--browser")
    link = done.stdout.strip()
    assert link.startswith(f"{site.address}/login/")
    assert session(site.registry, link.rpartition("/")[2])
    assert token not in done.stdout + done.stderr


def test_a_site_whose_name_leads_nowhere_yet_is_reached_at_its_address(
    site: SiteServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subject = ("-subj", "/CN=zole.test", "-addext", "subjectAltName=DNS:zole.test")
    words = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject)
    subprocess.run([*words, "-keyout", key, "-out", made], check=True, capture_output=True)
    with_certificate = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with_certificate.load_cert_chain(made, key)
    site.socket = with_certificate.wrap_socket(site.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(made))
    address = f"https://zole.test:{site.server_address[1]}"
    token = site.comes_in("anna")
    (tmp_path / "token").write_text(token)
    done = run("login", address, "--token-file", tmp_path / "token", "--resolve", "127.0.0.1")
    assert done.stderr == f"logged in to {address} as anna\n"
    assert run("uploads").returncode == 0
    done = run("login", address, "--token-file", tmp_path / "token")
    assert "the site cannot be reached" in done.stderr


@pytest.mark.parametrize(
    "address", ["http://zole.example", "ftp://a", "zole.example", "https://a/b"]
)
def test_a_token_goes_to_no_address_that_is_not_safe(address: str) -> None:
    assert "such as https://zole.example" in refusal("uploads", address)


def test_without_a_token_the_way_to_one_is_told() -> None:
    assert "arena login URL" in run("uploads").stderr
    done = run("uploads", "https://Zole.example/")
    assert "arena login https://zole.example" in done.stderr


def test_a_bot_is_sent_followed_and_plays(site: SiteServer, token: str, bot: Path) -> None:
    intake(
        site, CheckStep("manifest", True, "mybot 1"), CheckStep("build", True, "nothing to build")
    )
    done = run("submit", bot, "--to", site.address, "--wait")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["1", "ok"],
        ["2", "ok"],
        ["mybot", "plays"],
    ]
    assert "waiting, 1 in the queue" in done.stderr
    left = "1 of 2 bots, 4 of 5 uploads, 30 of 30 build minutes, 20 of 20 challenges"
    assert run("uploads").stderr == f"left: {left}\n"
    assert token not in done.stdout + done.stderr


def test_a_token_lies_in_no_other_file(
    site: SiteServer, token: str, bot: Path, tmp_path: Path
) -> None:
    intake(site)
    run("submit", bot, "--to", site.address, "--wait")
    run("uploads")
    clerk(site, FILE_REQUESTS, "")
    run("pull", site.address, tmp_path / "logs")
    found = [
        path.name
        for path in tmp_path.rglob("*")
        if path.is_file() and token.encode() in path.read_bytes()
    ]
    assert sorted(found) == ["token", "tokens.json"]


def test_a_bot_that_fails_shows_the_step_and_ends_with_1(
    site: SiteServer, token: str, bot: Path
) -> None:
    intake(site, CheckStep("build", False, "exit 1", stderr="no such header\x1b[2J"), name=None)
    done = run("submit", bot, "--to", site.address, "--wait")
    assert done.returncode == 1
    assert "FAILED build: exit 1" in done.stdout
    assert "no such header\\x1b[2J" in done.stdout
    assert done.stdout.endswith("the step build failed\n")
    again = run("submit", bot, "--to", site.address, "--json")
    assert again.returncode == 1  # the same archive is the same upload
    assert json.loads(again.stdout)["state"] == "failed"
    assert "sent before, failed" in run("submit", bot, "--to", site.address).stderr
    anew = run("submit", bot, "--to", site.address, "--again", "--json")
    assert json.loads(anew.stdout)["state"] == "waiting"


def test_an_answer_that_is_lost_sends_nothing_twice(
    site: SiteServer, token: str, bot: Path
) -> None:
    site.lost = 2
    done = run("submit", bot, "--to", site.address)
    assert done.returncode == 0, done.stderr
    assert queue(site.registry) == 1
    assert len([each for each in site.asked if each.startswith("POST /api/v1/bots?")]) == 3


def test_a_site_that_is_gone_is_told_in_a_line(site: SiteServer, token: str, bot: Path) -> None:
    site.broken = 3
    done = run("submit", bot, "--to", site.address)
    assert done.returncode == 3
    assert "the site cannot be reached" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_check_is_followed_while_the_site_is_started_anew_or_busy(
    site: SiteServer, token: str, bot: Path
) -> None:
    def work() -> Iterator[None]:
        assert "POST /api/v1/bots" in site.asked[-1]
        site.instead = 503, b'{"error": "the site is busy", "wait_s": 5}'
        for _ in range(2):
            yield
        site.instead = 502, b"<html>Bad Gateway</html>"
        for _ in range(4):  # longer than one question is patient
            yield
        site.broken = 4
        site.instead = None
        yield from checked(site)

    site.meanwhile.append(work())
    done = run("submit", bot, "--to", site.address, "--wait")
    assert (done.returncode, done.stdout) == (0, "mybot plays\n"), done.stderr


def test_logs_are_brought_although_too_many_requests_wait_already(
    site: SiteServer, token: str, logs: dict[int, str], tmp_path: Path
) -> None:
    for number in range(MOST_OF_ONE):
        ask_for(site.registry, site.anna, OwnLogs(100 + number, 1))
    clerk(site, FILE_REQUESTS, *["x"] * MOST_OF_ONE, logs[1], "")
    done = run("pull", site.address, tmp_path / "mine.db")
    assert done.stdout.endswith("1 new match\n"), done.stderr


@pytest.mark.parametrize(
    ("status", "body", "code", "said"),
    [
        (502, b"<html>Bad Gateway</html>", 3, "the site answers with 502"),
        (302, b"", 3, "the site answers with 302"),
        (200, b"<html>", 3, "what this arena cannot read"),
        (200, b"{}", 3, "what this arena cannot read"),
        (401, b"", 2, "arena login"),
        (
            503,
            b'{"error": "uploads are paused", "remedy": "try again later"}',
            3,
            "are paused; try",
        ),
        (429, b'{"error": "too much", "remedy": "try again", "wait_s": 7}', 2, "again in 7 s"),
        (422, b'{"error": "\\u001b[2Jno", "remedy": ""}', 2, "\\x1b[2Jno"),
    ],
)
def test_whatever_a_site_answers_is_told_in_words(
    status: int, body: bytes, code: int, said: str, site: SiteServer, token: str
) -> None:
    site.instead = status, body
    done = run("uploads")
    assert done.returncode == code
    assert said in done.stderr
    assert token not in done.stderr


def test_a_quota_is_told_with_the_seconds(site: SiteServer, token: str, bot: Path) -> None:
    assert run("submit", bot, "--to", site.address).returncode == 0
    other = write_quick_bot(bot.with_name("other"))
    assert "still being checked; wait until it has ended; try again in 30 s" in refusal(
        "submit", other, "--to", site.address
    )


def test_own_uploads_and_bots_are_listed(site: SiteServer, token: str, bot: Path) -> None:
    assert "You have sent nothing yet." in output("uploads")
    intake(site)
    run("submit", bot, "--to", site.address, "--wait")
    lines = output("uploads").splitlines()
    assert lines[0].split() == ["asked", "(UTC)", "for", "state", "plays", "as"]
    assert {"archive", "done", "mybot"} <= {*lines[1].split()}
    assert lines[-1].split() == ["mybot", "playing"]
    told = document("uploads")
    assert (told["name"], told["bots"][0]["name"], len(told["jobs"])) == ("anna", "mybot", 1)


def test_a_bot_is_packed_the_same_way_each_time(bot: Path) -> None:
    first = client.packed(bot)
    for path in bot.rglob("*"):
        os.utime(path, (0, 0))
    (bot / "__pycache__").mkdir(exist_ok=True)
    (bot / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert client.packed(bot) == first
    (bot / "archive.zip").write_bytes(b"any bytes")
    assert client.packed(bot / "archive.zip") == b"any bytes"


def test_what_is_no_bot_is_not_sent(site: SiteServer, token: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "none.zip"):
        done = run("submit", path, "--to", site.address)
        assert done.returncode == 2
    assert not [each for each in site.asked if "bots" in each]


def test_a_league_or_a_site_is_named(bot: Path) -> None:
    for words in (["submit", bot], ["withdraw", "a"], ["resume", "a"]):
        for more in ([], ["--league", "x.toml", "--to", "https://a"]):
            assert "--league, or its site with --to" in refusal(*words, *more)


def test_a_bot_is_withdrawn_and_resumed(site: SiteServer, token: str, tmp_path: Path) -> None:
    owns(site.registry, site.anna, "my bot")
    clerk(site, FILE_REQUESTS, "", None)
    assert output("withdraw", "my bot", "--to", site.address) == "my bot is withdrawn\n"
    done = run("resume", "my bot", "--to", site.address)
    assert (done.returncode, done.stdout) == (1, "it plays no more\n")
    assert "no such bot of yours" in refusal("withdraw", "strange", "--to", site.address)


def test_a_challenge_is_asked_for_and_waited_for(site: SiteServer, token: str) -> None:
    asked = run("challenge", "a", "b", "d")
    assert (asked.stdout, "challenge a, b, d: waiting" in asked.stderr) == ("", True)
    clerk(site, (Challenge,), "", None)
    done = run("challenge", "a", "b", "c", "--wait")
    assert (done.returncode, done.stdout) == (1, "it plays no more\n")
    sums = {"a": -7, "b": 12, "c": -5}
    clerk(site, (Challenge,), Challenged(10, 6, sums, {"a": 0, "b": 0, "c": 1}))
    done = run("challenge", "a", "b", "c", "--wait")
    assert [line.split() for line in done.stdout.splitlines()[1:]] == [
        ["bot", "stakes", "faults"],
        ["b", "+12", "-"],
        ["c", "-5", "1"],
        ["a", "-7", "-"],
    ]


def test_own_logs_are_brought_once(
    site: SiteServer, token: str, logs: dict[int, str], tmp_path: Path
) -> None:
    record = tmp_path / "mine.db"
    clerk(site, FILE_REQUESTS, logs[3] + logs[7], "")
    done = run("pull", site.address, record)
    assert done.stdout == f"{record}: 2 new matches\n", done.stderr
    clerk(site, FILE_REQUESTS, "")
    assert output("pull", site.address, record) == f"{record}: 0 new matches\n"
    clerk(site, FILE_REQUESTS, logs[8], "")
    told = document("pull", site.address, record)
    assert [match["number"] for match in told["matches"]] == [8]
    asked = [about for (about,) in site.registry.read("SELECT about FROM jobs ORDER BY number")]
    assert [json.loads(about)["after"] for about in asked] == [0, 7, 7, 7, 8]
    listed = document("replay", record)
    assert [match["match"] for match in listed] == [3, 7, 8]
    verified = output("verify", record)
    assert verified.startswith("3 of 3 matches replay to what is stored\nnone was compared")
    assert "without the seed of their league" in refusal("standings", record)


def test_what_a_pull_was_stopped_before_comes_with_the_next(
    site: SiteServer, token: str, logs: dict[int, str], tmp_path: Path
) -> None:
    record = tmp_path / "mine.db"
    clerk(site, FILE_REQUESTS, logs[3] + logs[4], logs[5] + logs[6], None)
    stopped = run("pull", site.address, record)
    assert (stopped.returncode, stopped.stderr.count("\nmatch ")) == (2, 3)
    clerk(site, FILE_REQUESTS, logs[8])
    done = run("pull", site.address, record, "--most", "1")
    assert done.stderr == f"match 8: {', '.join(read(logs[8]).bots)}\n"
    assert "there may be older ones" in done.stdout
    abouts = [about for (about,) in site.registry.read("SELECT about FROM jobs ORDER BY number")]
    asked = [(it["after"], it["most"]) for it in map(json.loads, abouts)]
    assert asked == [(0, 100), (4, 98), (6, 96), (6, 1)]


def test_a_match_that_a_site_sends_falsely_is_named_and_not_stored(
    site: SiteServer, token: str, logs: dict[int, str], tmp_path: Path
) -> None:
    record = tmp_path / "mine.db"
    cards = re.findall(r'\[\d,"([AKQJT987][CSHD])"', logs[4])
    false = logs[4].replace(f',"{cards[0]}"', f',"{cards[1]}"', 1)
    short = "".join(logs[4].splitlines(keepends=True)[:-1])
    other = logs[4].replace('"decisions":', '"decisions":1')
    for text, said in (
        (false, "match 4 is not what was played: deal 1"),
        (short, "match 4 is not what was played: "),
        (other, "match 4 is not what was played: its header has other results"),
        (logs[2], "sent match 2, which is not after match 3"),
        (logs[3], "sent match 3, which is not after match 3"),
    ):
        with site.registry.writing() as sql:
            sql.execute("DELETE FROM jobs")
        record.unlink(missing_ok=True)
        clerk(site, FILE_REQUESTS, logs[3] + text)
        done = run("pull", site.address, record)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
        with closing(Store.open(record)) as store:
            assert [outline.match for outline in store.outlines()] == [3]


def test_what_is_no_log_is_not_stored(site: SiteServer, token: str, tmp_path: Path) -> None:
    clerk(site, FILE_REQUESTS, "no log")
    assert "not the log of a match" in refusal("pull", site.address, tmp_path / "mine.db")
    assert not (tmp_path / "mine.db").exists()


def test_a_record_has_the_logs_of_one_site(
    site: SiteServer, token: str, logs: dict[int, str], tmp_path: Path
) -> None:
    record = record_of_logs(tmp_path / "other.db", logs[3])
    assert "this is from a file; name another" in refusal("pull", site.address, record)
    league = small_record(tmp_path)
    assert "this is no record of logs" in refusal("pull", site.address, league)


def test_a_token_that_was_revoked_is_told(site: SiteServer, token: str) -> None:
    new_token(site.registry, site.anna)
    assert f"arena login {site.address}" in refusal("uploads")


def test_a_token_may_come_by_the_input(site: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:

    token = accept(site.registry, invite(site.registry, "anna")).token
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{token}\n"))
    done = within(["login", site.address], Path.cwd())
    assert " as anna" in done.stderr
