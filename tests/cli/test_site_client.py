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
from arena.record.matches import stored_matches
from arena.record.pulled import read_logs
from arena.record.store import Store
from arena.site import client
from arena.site.client import tokens_path
from arena.site.registry.accounts import new_token, session
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
from tests.support.records import small_record
from tests.support.registry import answer, decline, enter, owns, take_upload
from tests.support.site_server import SiteServer, served
from tests.support.stored_league import stored_league


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
    token = site.comes_in("anna")
    (tmp_path / "token").write_text(f"{token}\n")
    done = run("login", site.address, "--token-file", tmp_path / "token")
    assert (done.returncode, done.stderr) == (0, f"logged in to {site.address} as anna\n")
    return token


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    return write_quick_bot(tmp_path / "mybot")


def clerk(site: SiteServer, kinds: Sequence[type[Any]], *answers: str | Challenged | None) -> None:
    """Have so many requests answered as they come, and declined where there is None."""

    def work() -> Iterator[None]:
        for answered in answers:
            while (held := take(site.registry, kinds)) is None:
                yield
            match answered:
                case None:
                    decline(site.registry, held, "it plays no more")
                case str():
                    answer(site.registry, held, answered.encode())
                case _:
                    answer(site.registry, held, result=answered)

    site.meanwhile.append(work())


def asked_about(site: SiteServer) -> list[tuple[int, int]]:
    """After which match, and for how many, logs were asked for."""
    rows = site.registry.read("SELECT about FROM jobs ORDER BY number")
    return [(each["after"], each["most"]) for each in (json.loads(about) for (about,) in rows)]


@pytest.fixture
def logs(tmp_path: Path) -> dict[int, str]:
    """What a site sends of its matches to the author of a bot, by number."""
    with closing(Store.open(stored_league(tmp_path / "far").with_suffix(".db"))) as store:
        return {match.number: own_log(match, ["mine.2"]) for match in stored_matches(store)}


def intake(site: SiteServer, *steps: CheckStep) -> Iterator[None]:
    """Take an upload and have its bot play, unless a step of its check has failed."""
    while (held := take_upload(site.registry)) is None:
        yield
    for each in steps:
        add_step(site.registry, held, each)
        yield
        if not each.passed:
            return decline(site.registry, held, f"the step {each.name} failed")
    may_enter(site.registry, held, "mybot")
    return enter(site.registry, held, "mybot", "mybot")


def test_a_token_is_kept_for_its_owner_alone_and_nowhere_else(
    site: SiteServer, token: str, bot: Path, tmp_path: Path
) -> None:
    done = run("login", site.address, "--browser")
    assert token not in done.stdout + done.stderr
    assert done.stdout.startswith(f"{site.address}/login/")
    assert session(site.registry, done.stdout.strip().rpartition("/")[2])
    output("submit", bot, "--to", site.address)
    clerk(site, FILE_REQUESTS, "")
    output("pull", site.address, tmp_path / "logs.db")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    kept = tmp_path / "config" / "zole-arena" / "tokens.json"
    found = {path for path in files if token.encode() in path.read_bytes()}
    assert found == {tmp_path / "token", kept}
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.chmod(0o644)
    assert "others may read the tokens" in refusal("uploads")


def test_a_token_of_the_environment_comes_before_the_file(
    site: SiteServer, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens_path().unlink()
    monkeypatch.setenv("ARENA_TOKEN", token)
    assert document("uploads", site.address)["name"]
    assert "no site is named" in refusal("uploads")
    monkeypatch.setenv("ARENA_TOKEN", "another")
    assert "token" in refusal("uploads", site.address)


def test_a_token_is_tried_before_it_is_kept_and_another_comes_by_the_input_once_it_is_revoked(
    site: SiteServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, said in (
        ("zole_unknown", "the site does not know this token"),
        ("hunter2", "this is not a token"),
        ("", "this is not a token"),
        ("zole_ä", "this is not a token"),
    ):
        (tmp_path / "token").write_text(text)
        done = run("login", site.address, "--token-file", tmp_path / "token")
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
        assert not text or text not in done.stdout + done.stderr
    assert not (tmp_path / "config").exists()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{site.comes_in('anna')}\n"))
    assert " as anna" in within(["login", site.address], Path.cwd()).stderr
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{new_token(site.registry, site.anna)}\n"))
    assert f"arena login {site.address}" in refusal("uploads")
    assert " as anna" in within(["login", site.address], Path.cwd()).stderr


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
    (tmp_path / "token").write_text(site.comes_in("anna"))
    login = ("login", address, "--token-file", tmp_path / "token")
    assert run(*login, "--resolve", "127.0.0.1").stderr == f"logged in to {address} as anna\n"
    output("uploads")
    assert "the site cannot be reached" in run(*login).stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *(
            (f"uploads {each}", "such as https://zole.example")
            for each in ("http://zole.example", "ftp://a", "zole.example", "https://a/b")
        ),
        ("uploads https://Zole.example/", "arena login https://zole.example"),
        ("uploads", "arena login URL"),
        *(
            (f"{words}{more}", "--league, or its site with --to")
            for words in ("submit mybot", "withdraw a", "resume a")
            for more in ("", " --league x.toml --to https://a")
        ),
    ],
)
def test_a_token_goes_to_a_safe_address_alone_and_a_command_names_a_league_or_a_site(
    words: str, told: str, bot: Path
) -> None:
    assert told in refusal(*words.split(), cwd=bot.parent)


def test_a_bot_is_sent_followed_plays_and_is_listed(
    site: SiteServer, token: str, bot: Path
) -> None:
    assert "You have sent nothing yet." in output("uploads")
    steps = CheckStep("manifest", True, "mybot 1"), CheckStep("build", True, "nothing to build")
    site.meanwhile.append(intake(site, *steps))
    done = run("submit", bot, "--to", site.address, "--wait")
    assert done.returncode == 0, done.stderr
    told = [line.split()[:2] for line in done.stdout.splitlines()]
    assert told == [["1", "ok"], ["2", "ok"], ["mybot", "plays"]]
    assert "waiting, 1 in the queue" in done.stderr
    assert token not in done.stdout + done.stderr
    listed = run("uploads")
    left = "1 of 2 bots, 4 of 5 uploads, 30 of 30 build minutes, 20 of 20 challenges"
    assert listed.stderr == f"left: {left}\n"
    head, upload, *_, plays = [line.split() for line in listed.stdout.splitlines()]
    assert head == ["asked", "(UTC)", "for", "state", "plays", "as"]
    assert {"archive", "done", "mybot"} <= {*upload}
    assert plays == ["mybot", "playing"]
    own = document("uploads")
    assert (own["name"], own["bots"][0]["name"], len(own["jobs"])) == ("anna", "mybot", 1)


def test_a_bot_that_fails_shows_the_step_and_ends_with_1(
    site: SiteServer, token: str, bot: Path
) -> None:
    site.meanwhile.append(
        intake(site, CheckStep("build", False, "exit 1", stderr="no such header\x1b[2J"))
    )
    words = ("submit", bot, "--to", site.address)
    done = run(*words, "--wait")
    assert done.returncode == 1
    assert "FAILED build: exit 1" in done.stdout
    assert "no such header\\x1b[2J" in done.stdout
    assert done.stdout.endswith("the step build failed\n")
    again = run(*words, "--json")  # the same archive is the same upload
    assert (again.returncode, json.loads(again.stdout)["state"]) == (1, "failed")
    assert "sent before, failed" in run(*words).stderr
    assert document(*words, "--again")["state"] == "waiting"


def test_an_answer_that_is_lost_sends_nothing_twice_and_a_site_that_is_gone_is_told_in_a_line(
    site: SiteServer, token: str, bot: Path
) -> None:
    site.lost = 2
    output("submit", bot, "--to", site.address)
    assert queue(site.registry) == 1
    assert len([each for each in site.asked if each.startswith("POST /api/v1/bots?")]) == 3
    site.broken = 3
    done = run("submit", bot, "--to", site.address)
    [message] = done.stderr.splitlines()
    assert (done.returncode, "the site cannot be reached" in message) == (3, True), message


def test_a_check_is_followed_while_the_site_is_started_anew_or_busy(
    site: SiteServer, token: str, bot: Path
) -> None:
    def work() -> Iterator[None]:
        assert "POST /api/v1/bots" in site.asked[-1]
        site.instead = 503, b'{"error": "the site is busy", "wait_s": 5}'
        yield from [None] * 2
        site.instead = 502, b"<html>Bad Gateway</html>"
        yield from [None] * 4  # longer than one question is patient
        site.broken, site.instead = 4, None
        yield from intake(site)

    site.meanwhile.append(work())
    assert output("submit", bot, "--to", site.address, "--wait") == "mybot plays\n"


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
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert token not in done.stderr


@pytest.mark.usefixtures("token")
def test_what_is_no_bot_is_not_sent_and_a_quota_is_told_with_the_seconds(
    site: SiteServer, bot: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "none.zip"):
        refusal("submit", tmp_path / name, "--to", site.address)
    assert not [each for each in site.asked if "bots" in each]
    output("submit", bot, "--to", site.address)
    assert "still being checked; wait until it has ended; try again in 30 s" in refusal(
        "submit", write_quick_bot(tmp_path / "other"), "--to", site.address
    )


def test_a_bot_is_packed_the_same_way_each_time(bot: Path) -> None:
    first = client.packed(bot)
    for path in bot.rglob("*"):
        os.utime(path, (0, 0))
    (bot / "__pycache__").mkdir(exist_ok=True)
    (bot / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert client.packed(bot) == first
    (bot / "archive.zip").write_bytes(b"any bytes")
    assert client.packed(bot / "archive.zip") == b"any bytes"


@pytest.mark.usefixtures("token")
def test_bots_are_withdrawn_and_resumed_and_challenges_asked_and_waited_for(
    site: SiteServer,
) -> None:
    owns(site.registry, site.anna, "my bot")
    clerk(site, FILE_REQUESTS, "", None)
    assert output("withdraw", "my bot", "--to", site.address) == "my bot is withdrawn\n"
    done = run("resume", "my bot", "--to", site.address)
    assert (done.returncode, done.stdout) == (1, "it plays no more\n")
    assert "no such bot of yours" in refusal("withdraw", "strange", "--to", site.address)
    asked = run("challenge", "a", "b", "d")
    assert (asked.stdout, "challenge a, b, d: waiting" in asked.stderr) == ("", True)
    played = Challenged(10, 6, {"a": -7, "b": 12, "c": -5}, {"a": 0, "b": 0, "c": 1})
    clerk(site, (Challenge,), "", None, played)
    done = run("challenge", "a", "b", "c", "--wait")
    assert (done.returncode, done.stdout) == (1, "it plays no more\n")
    _, *table = output("challenge", "a", "b", "c", "--wait").splitlines()
    assert [line.split() for line in table] == [
        ["bot", "stakes", "faults"],
        ["b", "+12", "-"],
        ["c", "-5", "1"],
        ["a", "-7", "-"],
    ]


@pytest.mark.usefixtures("token")
def test_own_logs_are_brought_once(site: SiteServer, logs: dict[int, str], tmp_path: Path) -> None:
    record = tmp_path / "mine.db"
    pull = ("pull", site.address, record)
    clerk(site, FILE_REQUESTS, logs[3] + logs[7], "", "", logs[8], "")
    assert output(*pull) == f"{record}: 2 new matches\n"
    assert output(*pull) == f"{record}: 0 new matches\n"
    assert [match["number"] for match in document(*pull)["matches"]] == [8]
    assert [after for after, _ in asked_about(site)] == [0, 7, 7, 7, 8]
    assert [match["match"] for match in document("replay", record)] == [3, 7, 8]
    verified = output("verify", record)
    assert verified.startswith("3 of 3 matches replay to what is stored\nnone was compared")
    assert "without the seed of their league" in refusal("standings", record)
    assert "this is no record of logs" in refusal("pull", site.address, small_record(tmp_path))


@pytest.mark.usefixtures("token")
def test_what_a_pull_was_stopped_before_comes_with_the_next_also_where_many_requests_wait(
    site: SiteServer, logs: dict[int, str], tmp_path: Path
) -> None:
    pull = ("pull", site.address, tmp_path / "mine.db")
    clerk(site, FILE_REQUESTS, logs[3] + logs[4], logs[5] + logs[6], None, logs[8])
    assert refusal(*pull).count("\nmatch ") == 3
    done = run(*pull, "--most", "1")
    [match] = read_logs(logs[8].encode(), "logs")
    assert done.stderr == f"match 8: {', '.join(match.bots)}\n"
    assert "there may be older ones" in done.stdout
    assert asked_about(site) == [(0, 100), (4, 98), (6, 96), (6, 1)]
    for number in range(MOST_OF_ONE):
        ask_for(site.registry, site.anna, OwnLogs(100 + number, 1))
    clerk(site, FILE_REQUESTS, *["x"] * MOST_OF_ONE, logs[1], "")
    assert output("pull", site.address, tmp_path / "other.db").endswith("1 new match\n")


@pytest.mark.usefixtures("token")
def test_a_match_that_a_site_sends_falsely_is_named_and_not_stored(
    site: SiteServer, logs: dict[int, str], tmp_path: Path
) -> None:
    record = tmp_path / "mine.db"
    cards = re.findall(r'\[\d,"([AKQJT987][CSHD])"', logs[4])
    for text, said in (
        (
            logs[4].replace(f',"{cards[0]}"', f',"{cards[1]}"', 1),
            "match 4 is not what was played: deal 1",
        ),
        (
            "".join(logs[4].splitlines(keepends=True)[:-1]),
            "match 4 is not what was played: ",
        ),
        (
            logs[4].replace('"decisions":', '"decisions":1'),
            "match 4 is not what was played: its header has other results",
        ),
        (logs[2], "sent match 2, which is not after match 3"),
        (logs[3], "sent match 3, which is not after match 3"),
    ):
        with site.registry.writing() as sql:
            sql.execute("DELETE FROM jobs")
        record.unlink(missing_ok=True)
        clerk(site, FILE_REQUESTS, logs[3] + text)
        assert said in refusal("pull", site.address, record)
        with closing(Store.open(record)) as store:
            assert [outline.match for outline in store.outlines()] == [3]
    clerk(site, FILE_REQUESTS, "no log")
    assert "not the log of a match" in refusal("pull", site.address, tmp_path / "no.db")
    assert not (tmp_path / "no.db").exists()
