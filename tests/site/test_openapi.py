"""What the document at `/openapi.json` says of a site that runs holds for whatever it is asked.

The program that asks is Schemathesis, which makes thousands of requests from the document.
"""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from arena.site.registry import Registry
from arena.site.registry.accounts import Accepted, Account
from tests.support.whole_site import WholeSite, running, write_site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("schemathesis") is None,
        reason="there is no Schemathesis: .venv/bin/python -m pip install -e '.[openapi]'"
        " -c scripts/constraints.txt",
    ),
]

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
    path = write_site(
        tmp_path_factory.mktemp("site"), site="[quotas]\nrequests_a_minute = 100000\n"
    )
    with running(path) as found:
        found.wait_for(lambda: found.document("matches/1"))
        yield found


def owns(registry: Registry, account: Account, bot: str) -> None:
    """Have a bot that was in the league from the beginning be an account's."""
    with registry.writing() as sql:
        row = (bot, account.number, bot, "playing", "", 0.0)
        sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)


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


def test_strangers_are_answered_as_the_document_says(site: WholeSite, tmp_path: Path) -> None:
    assert complaints(site, tmp_path, None) == ""


def test_authors_are_answered_as_the_document_says(site: WholeSite, tmp_path: Path) -> None:
    who = site.comes_in("a and son")
    site.registry(lambda registry: owns(registry, who.account, "a"))
    assert complaints(site, tmp_path, who) == ""
