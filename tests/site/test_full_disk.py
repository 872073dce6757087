"""A site on a full disk: what is told, what rests, and that all of it goes on afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.bots.archive import pack
from arena.site.config import read_site
from arena.site.process import read_states
from arena.site.registry import Registry
from arena.site.registry.jobs import Challenge, ask_for, find_job
from tests.support.command import run
from tests.support.patience import until
from tests.support.small_disk import small_disk
from tests.support.web import served
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site
from tools.chaos_actors import Actors


def test_an_archive_that_finds_no_room_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 300) as disk, served(disk.folder) as web:
        who = web.comes_in("Anna")
        head = f"Host: HOST\r\nAuthorization: Bearer {who.token}\r\nContent-Length: 1000000\r\n"
        with web.connect(f"POST /api/v1/bots HTTP/1.1\r\n{head}\r\n") as sending:
            until(lambda: [*web.site.spool.glob("*.part")])
            disk.fill()
            sending.sendall(bytes(1_000_000))
            assert sending.recv(100).startswith(b"HTTP/1.1 507")
            until(lambda: not [*web.site.spool.iterdir()])
        found = web.get("/health")
        said = "the folder site.site has 0 MiB of room left; below 37 MiB uploads and play pause"
        assert (found.status, found.json["why"]) == (503, [said])
        assert web.get("/start").status == 200
        disk.empty()
        disk.fill(left=30 << 20)
        refused = web.ask("POST", "/api/v1/bots", b"x", token=who.token)
        assert (refused.status, refused.json["error"]) == (507, "the site's disk is nearly full")
        assert web.get("/health").status == 503
        disk.empty()
        assert web.ask("POST", "/api/v1/bots", b"x", token=who.token).status == 202


def test_the_organiser_is_told_of_a_full_disk_while_the_site_is_stopped(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 20) as disk:
        path = disk.folder / "site.toml"
        path.write_text('league = "ladder.toml"\n')
        Registry.open(read_site(path).registry).close()
        disk.fill()
        for words in (("announce", path, "Come"), ("accounts", path)):
            done = run("serve", *words)
            assert (done.returncode, "the disk is full" in done.stderr) == (3, True), done.stderr
        disk.empty()
        assert run("serve", "announce", path, "Come").returncode == 0


def health(actors: Actors) -> Any:
    status, said = actors.ask("GET", "/health")
    return status, json.loads(said) if said else None


def pauses(site: WholeSite) -> bool:
    """Whether play has met the full disk: in a match under way, or before it drew another."""
    drawn_none = "nearly full" in read_states(site.site)["play"].doing["league"]
    return drawn_none or "league: the disk is full" in site.said()


@pytest.mark.slow
def test_no_process_dies_of_a_full_disk_and_all_go_on_once_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2000) as disk:
        path = write_site(disk.folder, "abc", league="trickle = 3600\n")
        with running(path) as site:
            site.wait_for(lambda: site.document("standings"))
            anna = site.comes_in("Anna")
            actors = Actors(site, anna, tmp_path / "bots", 1)
            mine = pack(write_author_bot(tmp_path / "mine", "me", 2))
            bearer = {"Authorization": f"Bearer {anna.token}"}
            status, said = actors.ask("POST", "/api/v1/bots", mine, **bearer)
            assert status == 202
            sent = json.loads(said)["id"]
            site.wait_for(
                lambda: site.registry(
                    lambda registry: find_job(registry, anna.account, sent).state == "done"
                )
            )
            site.wait_for(lambda: "mine joins" in site.said())
            asked = site.registry(
                lambda registry: (
                    ask_for(registry, anna.account, Challenge(("a", "b", "mine")))[0].id
                )
            )
            pids = sorted(site.pids())
            disk.fill()
            site.wait_for(lambda: health(actors)[0] == 503)
            assert health(actors)[1]["why"][0].startswith("the folder site.site has 0 MiB")
            assert actors.ask("POST", "/api/v1/bots", b"x", **bearer)[0] == 507
            site.wait_for(lambda: pauses(site))
            disk.fill()
            actors.ask("GET", "/matches/1/replay")
            assert actors.ask("GET", "/start")[0] == 200
            done = run("serve", "backup", path, disk.folder / "backup")
            assert done.returncode == 3, done.stderr
            matches = site.document("numbers")["matches"]
            disk.empty()
            site.wait_for(lambda: health(actors)[0] == 200)
            site.wait_for(lambda: site.document("numbers")["matches"] > matches)
            site.wait_for(
                lambda: site.registry(
                    lambda registry: find_job(registry, anna.account, asked).state == "done"
                )
            )
            assert sorted(site.pids()) == pids, site.said()
            assert site.end() == 0
        done = run("verify", disk.folder / "ladder.toml")
        assert done.returncode == 0, done.stdout
