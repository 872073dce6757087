"""A class of sixty from one link to the results: teams, uploads, deadline, groups, final."""

import csv
import http.client
import io
import json
import os
import random
import re
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pytest

from arena.bots.archive import pack
from arena.record.store import Store
from arena.record.summary import summarize
from arena.site.registry.accounts import Account, accounts, teams
from arena.site.registry.jobs import Archive, SiteJob, jobs, queue
from tests.support.command import document, output, run
from tests.support.seat_client import Client
from tests.support.web import SAME
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site

STUDENTS: Final = 60
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
SITE: Final = """title = "The cup"
about = "about.md"
[quotas]
requests_a_minute = 100000
build_minutes_a_day = 10000
[guests]
tables = 0
"""
LEAGUE: Final = "final = 6\nfinal_deals = 20\nsubmit_until = {}\nclose_at = {}\n"
GROUPS: Final = """name = "Groups"
format = "tournament"
bots_from = "ladder.toml"
rounds = 6
deals = 12
apart = "author"
[limits]
start_s = 3600
[sandbox]
level = "none"
"""
SAMPLES: Final = ("careful", "lazy", "bold", "random")
ROOT: Final = Path(__file__).parents[2]


def write_variant(folder: Path, number: int) -> Path:
    """A bot that plays: every fourth a sample bot, the others quick ones that bid in three ways."""
    if number % 4:
        return write_author_bot(folder, "me", number)
    shutil.copytree(ROOT / "sample_bots" / SAMPLES[number // 4 % 4], folder)
    manifest = folder / "bot.toml"
    text = re.sub(r"(?m)^name = .*$", f'name = "{folder.name}"', manifest.read_text())
    manifest.write_text(re.sub(r"(?m)^version = .*$", f'version = "{number}"', text))
    return folder


def write_broken(folder: Path, number: int) -> Path:
    """A bot that does not pass its check, each in one of four ways."""
    write_author_bot(folder, "me", number)
    file, text = (
        ("bot", "#!/bin/sh\necho hello\n"),
        ("bot.toml", (folder / "bot.toml").read_text() + 'build = ["false"]\n'),
        ("bot.toml", "name = 1\n"),
        ("bot", "#!/bin/sh\nexec sleep 0\n"),
    )[number % 4]
    (folder / file).write_text(text)
    (folder / "note").write_text(str(number))
    return folder


class Class:
    """The students with their tokens, and what became of their uploads by id."""

    def __init__(self, site: WholeSite) -> None:
        self.site = site
        self.tokens: dict[str, str] = {}
        self.sent: dict[str, tuple[str, str]] = {}

    def ask(self, method: str, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
        """The status and the body of an answer, however often the site is killed meanwhile."""
        given = {"Content-Type": "", **headers}
        while True:
            with suppress(OSError, http.client.HTTPException):
                status, _, data = Client(self.site.site.address).ask(method, path, body, given)
                if status not in (429, 500, 503):
                    return status, data
            time.sleep(0.2)

    def come(self, link: str) -> None:
        """All take the one link, two of three as a team of two."""
        path = link.partition("/join/")[2]
        for number in range(STUDENTS):
            name = f"Student {number}"
            team = f"Team {number // 3}" if number % 3 else ""
            form = urlencode({"name": name, "team": team}).encode()
            status, page = self.ask("POST", f"/join/{path}", form, **SAME, **FORM)
            if status == 409:  # it was taken just before a kill, and its answer is lost
                again = output("serve", "invite", self.site.site.path, name).strip()
                status, page = self.ask("POST", f"/join/{again.rpartition('/')[2]}", b"", **SAME)
            assert status == 200, page
            [self.tokens[name]] = {*re.findall(r"zole_[\w-]+", page.decode())}

    def send(self, name: str, bot: Path, outcome: str) -> None:
        """Send a bot, once the one before it has been checked."""
        data, own = pack(bot), {"Authorization": f"Bearer {self.tokens[name]}"}
        while True:
            status, said = self.ask("POST", "/api/v1/bots", data, **own)
            if status in (200, 202):
                self.sent[json.loads(said)["id"]] = bot.name, outcome
                return
            assert b"still being checked" in said, said
            time.sleep(0.2)


class Killer:
    """Kills a process of the site every few seconds, each in turn."""

    def __init__(self, seed: int) -> None:
        self.kills, self.next = 0, 0.0
        self.dice = random.Random(seed)

    def look(self, site: WholeSite) -> None:
        if time.monotonic() > self.next:
            self.next = time.monotonic() + self.dice.uniform(3, 6)
            site.kill(("web", "work", "play")[self.kills % 3])
            self.kills += 1


def uploads_of(site: WholeSite, who: Account) -> list[SiteJob]:
    found = site.registry(lambda registry: jobs(registry, who))
    return [each for each in found if isinstance(each.about, Archive)]


def rows(site: WholeSite, path: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(site.get(path).decode()))]


def moved(path: Path, **after_s: float) -> None:
    """Let the moments of the league's file be so many seconds from now."""
    text = path.read_text()
    for key, seconds in after_s.items():
        at = datetime.now(UTC) + timedelta(seconds=seconds)
        text = re.sub(rf"(?m)^{key} = .*$", f"{key} = {at:%Y-%m-%dT%H:%M:%S}", text)
    path.write_text(text)


def numbered(folder: Path, count: int) -> Iterator[tuple[str, Path, str]]:
    """The uploads: two of each student, of which every third is broken; how each ends."""
    for number in range(count):
        name = f"Student {number % STUDENTS}"
        bot = folder / f"bot-{number}"
        if number % 3 == 2:
            yield name, write_broken(bot, number // 3), "failed"
        else:
            yield name, write_variant(bot, number), "done"


@pytest.mark.slow
def test_a_class_plays_its_cup_by_itself_killed_twenty_times(tmp_path: Path) -> None:
    far = "2030-01-01T12:00:00"
    path = write_site(tmp_path, "", LEAGUE.format(far, far), SITE)
    (tmp_path / "about.md").write_text("# The class of 2026\n\nBe kind.\n")
    (tmp_path / "groups.toml").write_text(GROUPS)
    ladder = tmp_path / "ladder.toml"

    with running(path) as site:
        site.wait_for(lambda: site.get("/health"))
        site.wait_for(lambda: site.document("standings") and rows(site, "/standings.csv"))
        people, killer = Class(site), Killer(1)
        people.come(output("serve", "invite", path, "--places", str(STUDENTS)).strip())
        for name, bot, outcome in numbered(tmp_path / "bots", 2 * STUDENTS):
            killer.look(site)
            people.send(name, bot, outcome)
        site.wait_for(lambda: site.registry(queue) == 0)
        known = site.registry(accounts)
        assert len(known) == STUDENTS
        assert len(site.registry(teams)) == STUDENTS // 3
        ended = {each.id: each for who in known for each in uploads_of(site, who)}
        assert {id: ended[id].state for id in people.sent} == {
            id: outcome for id, (_, outcome) in people.sent.items()
        }
        field = {ended[id].name for id, (_, outcome) in people.sent.items() if outcome == "done"}
        site.wait_for(lambda: field <= {row["bot"] for row in rows(site, "/standings.csv")})
        output("serve", "announce", path, "The groups begin")
        site.end()

    moved(ladder, submit_until=1, close_at=2)
    late = write_author_bot(tmp_path / "late", "me")
    while not sealed(ladder) or killer.kills < 20:
        with running(path) as site:
            people.site = site
            if late.exists():  # Student 2 has no other bot in the field
                people.send("Student 2", late, "done")
                shutil.rmtree(late)
                site.wait_for(lambda: site.registry(queue) == 0)
            until = time.monotonic() + 15
            while time.monotonic() < until:
                killer.look(site)
                time.sleep(0.2)
            os.killpg(site.process.pid, signal.SIGKILL)  # all of the site at once
            site.process.wait()
            killer.kills += 1

    with running(path) as site:
        site.wait_for(lambda: site.get("/health"))
        site.wait_for(lambda: (site.document("league") or {}).get("state") == "sealed")
        groups = tmp_path / "groups.toml"
        assert run("league", groups).returncode == 0
        output("serve", "show", path, groups)
        site.wait_for(lambda: site.document("about")["leagues"])
        check(site, field)
        [student] = [who for who in known if who.name == "Student 2"]
        [sent] = [each for each in uploads_of(site, student) if each.name == "late"]
        assert (sent.state, "next season" in sent.answer) == ("done", True)
    moved(ladder, submit_until=10_000, close_at=20_000)
    assert "late" in document("season", "next", ladder, "--all")["bots"]
    for each in (ladder, groups, tmp_path / "ladder.season-1.db"):
        output("verify", each)


def sealed(ladder: Path) -> bool:
    with closing(Store.open(ladder.with_suffix(".db"))) as store:
        return store.sealed() is not None


def check(site: WholeSite, field: set[str]) -> None:
    """Check what all may see of the class's season, once it is over."""
    table = rows(site, "/standings.csv")
    house = {"random", "careful", "sampler"}
    assert {row["bot"] for row in table if row["state"] != "left"} - house <= {*field} - {""}
    assert len([row for row in table if row["final_rank"]]) == 6
    assert json.loads(site.get("/leagues/groups/standings.json"))["complete"]
    assert b"Groups" in site.get("/leagues/groups/en/index.html")
    with closing(Store.open(site.site.path.with_name("groups.db"))) as store:
        found = summarize(store)
        assert found.complete
        authors = store.terms().authors
        assert any(", " in author for author in authors.values())
        for outline in store.outlines():
            assert len({authors[bot] for bot in outline.bots}) == len(outline.bots)
    about = site.get("/about").decode()
    for said in (found.standings[0].bot, "The groups begin", "The class of 2026"):
        assert said in about
