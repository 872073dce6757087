"""Uploads and challenges of a site on the workers of a scheduler."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.bots.steps import CheckStep
from arena.site.api import Challenged
from arena.site.challenges import Challenges
from arena.site.config import read_site
from arena.site.life import read_states
from arena.site.registry.bots import bots
from arena.site.registry.file import Registry
from arena.site.registry.requests import Challenge, request, requests
from arena.tasks import submissions
from arena.tasks.check import Conditions
from tests.cluster.test_cluster import Machines, machines, needs_dask, open_folder
from tests.cluster.test_site_league import site_at
from tests.site.test_intake import Desk
from tests.support.bots import write_bot
from tests.support.dask_forks import dask_forks, fork_client
from tests.support.registry import comes_in
from tests.support.whole_site import write_author_bot

pytestmark = needs_dask


@pytest.fixture(autouse=True)
def _forks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("arena.cluster.link._start", fork_client)
    with dask_forks():
        yield


@pytest.fixture(name="there")
def _there() -> Iterator[Machines]:
    with open_folder() as folder, machines(folder / "machines") as there:
        yield there


def test_uploads_are_checked_by_a_worker_and_failures_here_again(
    tmp_path: Path, there: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = there.scheduler()
    there.worker("first", address)
    there.registered("first")
    here: list[str] = []

    def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
        here.append(folder.name)
        yield CheckStep("declaring", False, "it ended here, too")

    monkeypatch.setattr(submissions, "check", check)
    desk = Desk(tmp_path, f'[cluster]\nscheduler = "{address}"\n')
    with closing(desk.registry):
        done = desk.done(desk.send(write_author_bot(tmp_path / "mine", "x")))
        assert (done.state, done.name, here) == ("entered", "mine", [])
        assert [step.name for step in done.steps][:3] == ["manifest", "build", "start and ready"]
        assert [bot.name for bot in bots(desk.registry, desk.anna)] == ["mine"]
        bad = desk.done(desk.send(write_bot(tmp_path / "bad", "import sys; sys.exit(1)")))
        assert (bad.state, bad.why) == ("failed", "declaring: it ended here, too")
        assert here
    assert "works" in read_states(desk.site)["intake"].workers.values()


def test_a_challenge_is_played_by_a_worker(tmp_path: Path, there: Machines) -> None:
    address = there.scheduler()
    life = site_at(address, tmp_path)
    there.worker("first", address)
    there.registered("first")
    life.play()
    site = read_site(tmp_path / "site.toml")
    with closing(Registry.open(site.registry)) as registry:
        anna = comes_in(registry, "Anna")
        with registry.writing() as sql:
            row = ("a", anna.number, "a", "playing", "", 0)
            sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)
        request(registry, anna, Challenge(("a", "b", "c")))
        challenges = Challenges(site, registry, life)
        assert challenges.next()
        [done] = requests(registry, anna)
        challenges.refuse()  # only one that was played here is followed by a rest
    assert msgspec.json.decode(done.answer, type=Challenged).matches == 6
    assert "worker tcp://" in "\n".join(life.said)
