"""A site's league on the workers of a scheduler, and on its own machine where there are none."""

from contextlib import closing
from pathlib import Path

import pytest

from arena.cluster import executor
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.site.config import read_site
from tests.cluster.test_cluster import Machines, needs_dask
from tests.site.test_play import OVER_AT_ONCE, Short
from tests.support.whole_site import write_site

pytestmark = needs_dask


def site_at(address: str, folder: Path) -> Short:
    path = write_site(folder, "abc", OVER_AT_ONCE, f'cluster = "{address}"\n')
    return Short(read_site(path))


def check(folder: Path) -> None:
    with closing(Store.open(folder / "ladder.db")) as store:
        assert store.sealed() == 1
        assert list(ledger_flaws(store)) == []
        assert len(store.stored()) == 6 * len(store.fold().orders) >= 12


def test_the_workers_of_a_scheduler_play_a_sites_league(tmp_path: Path, there: Machines) -> None:
    address = there.scheduler()
    there.worker("first", address)
    there.registered("first")
    said = "\n".join(site_at(address, tmp_path).play())
    assert "worker tcp://127.0.0.1:" in said
    assert "this machine plays" not in said
    check(tmp_path)


@pytest.mark.parametrize("there_is", ["a scheduler without workers", "no scheduler"])
def test_without_workers_the_site_plays_by_itself(
    there_is: str, tmp_path: Path, there: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "ALONE_S", 0.0)
    address = there.scheduler()
    if there_is == "no scheduler":
        there.kill("scheduler")
    said = "\n".join(site_at(address, tmp_path).play())
    assert f"{address} has no worker: this machine plays until one comes" in said
    check(tmp_path)


def test_a_scheduler_that_comes_later_is_used(
    tmp_path: Path, there: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "RETRY_S", 0.2)
    monkeypatch.setattr(executor, "ALONE_S", float("inf"))
    address = there.scheduler()
    there.kill("scheduler")
    site = site_at(address, tmp_path)
    say = site.say

    def come(what: str) -> None:
        say(what)
        if "no scheduler answers" in what and "scheduler" not in there.all:
            there.scheduler("--port", address.rpartition(":")[2])
            there.worker("first", address)

    monkeypatch.setattr(site, "say", come)
    said = "\n".join(site.play())
    assert "worker tcp://127.0.0.1:" in said
    assert "this machine plays" not in said
    check(tmp_path)
