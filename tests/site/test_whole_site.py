"""A whole site is answerable to anybody: whatever strangers upload, and whatever they ask.

What is asked are thousands of requests that Schemathesis makes from the document `/openapi.json`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.site.registry.accounts import Accepted
from arena.site.registry.jobs import find_job, queue
from tests.bots.test_archive import archives
from tests.support.registry import owns
from tests.support.whole_site import WholeSite, running, write_site
from tools.chaos_actors import Actors

pytestmark = pytest.mark.slow

_QUOTAS: Final = "[quotas]\nuploads = 100000\nbots = 1000\nrequests_a_minute = 100000\n"


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
        for found in site.registry(
            lambda registry: [find_job(registry, anna.account, id) for id in sent]
        ):
            assert (found.state, bool(found.answer)) in (("failed", True), ("done", False))
            assert "the site itself failed" not in found.answer
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


def complaints(site: WholeSite, folder: Path, who: Accepted | None) -> str:
    """What is wrong by what a site answers; "" where nothing is."""
    lines = []
    if who is not None:
        lines += ["[auth.openapi.token]", f'bearer = "{who.token}"']
        lines += ["[auth.openapi.session]", f'api_key = "{who.session}"']
    config = folder / "asking.toml"
    config.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", config),
            *("run", f"{site.site.address}/openapi.json", "--no-color", "--continue-on-failure"),
            *("--phases", "coverage,fuzzing", "--max-examples", "20", "--seed", "1"),
            *("--checks", ",".join(CHECKS), "--header", "Sec-Fetch-Site: same-origin"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.skipif(
    find_spec("schemathesis") is None,
    reason="there is no Schemathesis: .venv/bin/python -m pip install -e '.[openapi]'"
    " -c scripts/constraints.txt",
)
@pytest.mark.parametrize("name", ["", "a and son"], ids=["strangers", "authors"])
def test_who_asks_is_answered_as_the_document_says(
    site: WholeSite, tmp_path: Path, name: str
) -> None:
    who = site.comes_in(name) if name else None
    if who is not None:
        site.registry(lambda registry: owns(registry, who.account, "a"))
    assert complaints(site, tmp_path, who) == ""
