"""A whole site: a class plays its cup, a disk fills, and anybody is answered, whatever they ask.

What is asked are thousands of requests that Schemathesis makes from the document `/openapi.json`.
That nothing is lost when its processes are killed is in tests/cli/test_site.py.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.bots.archive import pack
from arena.record.store import Store
from arena.record.summary import summarize
from arena.site.process import read_states
from arena.site.registry.accounts import accounts, teams
from arena.site.registry.jobs import Challenge, ask_for, jobs, queue
from tests.bots.test_archive import archives
from tests.support.command import document, output, run
from tests.support.registry import owns
from tests.support.seat_client import Client
from tests.support.small_disk import small_disk
from tests.support.web import SAME
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site

pytestmark = pytest.mark.slow

_QUOTAS: Final = "[quotas]\nuploads = 100000\nbots = 1000\nrequests_a_minute = 100000\n"


def send(site: WholeSite, token: str, data: bytes, query: str = "") -> tuple[int, Any]:
    """Send an archive; the status, and the upload once it is checked, or why it is refused."""
    ask, own = Client(site.site.address).ask, {"Authorization": f"Bearer {token}"}
    status, _, said = ask("POST", f"/api/v1/bots{query}", data, {"Content-Type": "", **own})
    if status not in (200, 202):
        return status, json.loads(said)
    site.wait_for(lambda: site.registry(queue) == 0)
    return status, json.loads(ask("GET", f"/api/v1/jobs/{json.loads(said)['id']}", None, own)[2])


# --- a class ---


STUDENTS: Final = 12
MOMENTS: Final = "submit_until = {0:%Y-%m-%dT%H:%M:%S}\nclose_at = {1:%Y-%m-%dT%H:%M:%S}\n"
GROUPS: Final = """name = "Groups"
format = "tournament"
bots_from = "ladder.toml"
rounds = 2
deals = 12
apart = "author"
[limits]
start_s = 3600
[sandbox]
level = "none"
"""
BROKEN: Final = (
    ("bot", "#!/bin/sh\necho hello\n"),
    ("bot.toml", "name = 1\n"),
    ("bot", "#!/bin/sh\nexec sleep 0\n"),
)


def set_moments(ladder: Path, after_s: float) -> None:
    """Let submissions end so many seconds from now, and the season a second later."""
    moments = [datetime.now(UTC) + timedelta(seconds=after_s + later) for later in (0, 1)]
    text = re.sub(r"(?m)^(submit_until|close_at) = .*\n", "", ladder.read_text())
    ladder.write_text(f"{MOMENTS.format(*moments)}{text}")


def rows(site: WholeSite) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(site.get("/standings.csv").decode()))]


def test_a_class_plays_its_cup_from_one_link_to_the_results(tmp_path: Path) -> None:
    path = write_site(
        tmp_path, "", "final = 6\nfinal_deals = 20\n", f'about = "about.md"\n{_QUOTAS}'
    )
    (tmp_path / "about.md").write_text("# The class of 2026\n\nBe kind.\n")
    (tmp_path / "groups.toml").write_text(GROUPS)
    ladder, groups = tmp_path / "ladder.toml", tmp_path / "groups.toml"
    set_moments(ladder, 10**6)
    tokens, field = list[str](), set[str]()
    with running(path) as site:
        site.wait_for(lambda: site.document("standings") and rows(site))
        link = output("serve", "invite", path, "--places", str(STUDENTS)).strip()
        for number in range(STUDENTS):  # two of three are a team of two
            team = f"Team {number // 3}" if number % 3 else ""
            status, _, page = Client(site.site.address).ask(
                "POST",
                urlsplit(link).path,
                urlencode({"name": f"Student {number}", "team": team}).encode(),
                {**SAME, "Content-Type": "application/x-www-form-urlencoded"},
            )
            assert status == 200, page
            tokens += {*re.findall(r"zole_[\w-]+", page.decode())}
        assert len(tokens) == len(site.registry(accounts)) == STUDENTS
        assert len(site.registry(teams)) == STUDENTS // 3
        good = [(token, None) for token in tokens]
        bad = [*zip(tokens, BROKEN, strict=False)]
        for number, (token, spoilt) in enumerate((*good, *bad)):
            bot = write_author_bot(tmp_path / f"bot-{number}", "me", number)
            if spoilt is not None:
                (bot / spoilt[0]).write_text(spoilt[1])
            _, found = send(site, token, pack(bot))
            assert found["state"] == ("done" if spoilt is None else "failed"), found
            field |= {found["name"]} - {""}
        site.wait_for(lambda: field <= {row["bot"] for row in rows(site)})
        output("serve", "announce", path, "The groups begin")
        site.end()
    set_moments(ladder, 1)
    with running(path) as site:
        site.wait_for(lambda: (site.document("league") or {}).get("state") == "sealed")
        assert run("league", groups).returncode == 0
        output("serve", "show", path, groups)
        site.wait_for(lambda: site.document("about")["leagues"])
        table = rows(site)
        playing = {row["bot"] for row in table if row["state"] != "left"}
        assert playing - {"random", "careful", "sampler"} <= field
        assert len([row for row in table if row["final_rank"]]) == 6
        assert json.loads(site.get("/leagues/groups/standings.json"))["complete"]
        assert b"Groups" in site.get("/leagues/groups/en/index.html")
        with closing(Store.open(tmp_path / "groups.db")) as store:
            found_groups, authors = summarize(store), store.terms().authors
            assert any(", " in author for author in authors.values()), "a team plays as one"
            for outline in store.outlines():
                assert len({authors[bot] for bot in outline.bots}) == len(outline.bots)
        shown = site.get("/about").decode()
        for words in (found_groups.standings[0].bot, "The groups begin", "The class of 2026"):
            assert words in shown
    set_moments(ladder, 10_000)
    assert {*document("season", "next", ladder, "--all")["bots"]} >= field
    for each in (ladder, groups, tmp_path / "ladder.season-1.db"):
        output("verify", each)


# --- a full disk ---


def test_no_process_dies_of_a_full_disk_and_all_go_on_once_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2000) as disk:
        path = write_site(disk.folder, "abc", league="trickle = 3600\n")
        with running(path) as site:
            site.wait_for(lambda: site.document("standings"))
            anna = site.comes_in("Anna")
            ask, mine = Client(site.site.address).ask, write_author_bot(tmp_path / "mine", "me", 2)

            def states() -> list[str]:
                found = site.registry(lambda registry: jobs(registry, anna.account))
                return [each.state for each in found]

            def pauses() -> bool:
                """Whether play met the full disk: in a match, or before it drew another."""
                drawn_none = "nearly full" in read_states(site.site)["play"].doing["league"]
                return drawn_none or "league: the disk is full" in site.said()

            assert send(site, anna.token, pack(mine))[1]["state"] == "done"
            site.wait_for(lambda: "mine joins" in site.said())
            about = Challenge(("a", "b", "mine"))
            site.registry(lambda registry: ask_for(registry, anna.account, about))
            pids = sorted(site.pids())
            disk.fill()
            site.wait_for(lambda: ask("GET", "/health")[0] == 503)
            why = json.loads(ask("GET", "/health")[2])["why"]
            assert why[0].startswith("the folder site.site has 0 MiB")
            assert send(site, anna.token, b"x")[0] == 507
            site.wait_for(pauses)
            disk.fill()
            ask("GET", "/matches/1/replay")
            assert ask("GET", "/start")[0] == 200
            done = run("serve", "backup", path, disk.folder / "backup")
            assert done.returncode == 3, done.stderr
            matches = site.document("numbers")["matches"]
            disk.empty()
            site.wait_for(lambda: ask("GET", "/health")[0] == 200)
            site.wait_for(lambda: site.document("numbers")["matches"] > matches)
            site.wait_for(lambda: states() == ["done", "done"])
            assert sorted(site.pids()) == pids, site.said()
            assert site.end() == 0
        done = run("verify", disk.folder / "ladder.toml")
        assert done.returncode == 0, done.stdout


# --- strangers ---


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_upload_is_answered_and_a_site_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    with running(write_site(tmp_path, site=f"{_QUOTAS}build_minutes_a_day = 10000\n")) as site:
        site.wait_for(lambda: site.document("standings"))
        pids, token, sent = sorted(site.pids()), site.comes_in("Anna").token, list[str]()

        @given(data=st.data())
        @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        def send_any(data: DataObject) -> None:
            status, found = send(site, token, archives(data), "?again=1")
            assert 200 <= status < 500, found
            if status in (200, 202):
                ended = found["state"], bool(found["answer"])
                assert ended in (("failed", True), ("done", False))
                assert "the site itself failed" not in found["answer"]
                sent.append(found["id"])
            else:
                assert found["error"]

        send_any()
        assert sent
        assert sorted(site.pids()) == pids, site.said()
        assert site.get("/health")
        assert site.end() == 0
    assert not [*(tmp_path / "tmp").iterdir()], os.listdir(tmp_path / "tmp")


# --- the document ---


CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeSite]:
    with running(write_site(tmp_path_factory.mktemp("site"), site=_QUOTAS)) as found:
        found.wait_for(lambda: found.document("matches/1"))
        yield found


@pytest.mark.skipif(
    find_spec("schemathesis") is None,
    reason="there is no Schemathesis: scripts/add openapi",
)
@pytest.mark.parametrize("name", ["", "a and son"], ids=["strangers", "authors"])
def test_who_asks_is_answered_as_the_document_says(
    site: WholeSite, tmp_path: Path, name: str
) -> None:
    config, lines = tmp_path / "asking.toml", [""]
    if name:
        who = site.comes_in(name)
        site.registry(lambda registry: owns(registry, who.account, "a"))
        lines += ["[auth.openapi.token]", f'bearer = "{who.token}"']
        lines += ["[auth.openapi.session]", f'api_key = "{who.session}"']
    config.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", config),
            *("run", f"{site.site.address}/openapi.json", "--no-color", "--continue-on-failure"),
            *("--phases", "coverage,fuzzing", "--max-examples", "20", "--seed", "1"),
            *("--checks", ",".join(CHECKS), "--header", "Sec-Fetch-Site: same-origin"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
