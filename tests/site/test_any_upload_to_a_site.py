"""Whatever strangers upload to a running site is answered, and no process dies of it."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.site.registry.jobs import find_job, queue
from tests.bots.test_archive import archives
from tests.support.whole_site import running, write_site
from tools.chaos_actors import Actors

pytestmark = pytest.mark.slow

_QUOTAS = "[quotas]\nuploads = 100000\nbots = 1000\nrequests_a_minute = 100000\n"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_upload_is_answered_and_a_site_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    with running(write_site(tmp_path, site=f"{_QUOTAS}build_minutes_a_day = 10000\n")) as site:
        site.wait_for(lambda: site.document("standings"))
        pids = sorted(site.pids())
        anna = site.comes_in("Anna")
        actors = Actors(site, anna, tmp_path / "bots", 1)
        sent: list[str] = []

        @given(data=st.data())
        @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        def send(data: DataObject) -> None:
            archive = archives(data)
            own = {"Authorization": f"Bearer {anna.token}"}
            status, said = actors.ask("POST", "/api/v1/bots?again=1", archive, **own)
            assert 200 <= status < 500, said
            if status == 202:
                sent.append(json.loads(said)["id"])
                site.wait_for(lambda: site.registry(queue) == 0)
            else:
                assert json.loads(said)["error"]

        send()
        assert sent
        found_all = site.registry(
            lambda registry: [find_job(registry, anna.account, id) for id in sent]
        )
        for found in found_all:
            assert (found.state, bool(found.answer)) in (("failed", True), ("done", False))
            assert "the site itself failed" not in found.answer
        assert sorted(site.pids()) == pids, site.said()
        assert site.get("/health")
        assert site.end() == 0
    assert not [*(tmp_path / "tmp").iterdir()], os.listdir(tmp_path / "tmp")
