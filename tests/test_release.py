"""What a version has kept, every later one opens."""

import json
import tarfile
from pathlib import Path

import pytest

from tests.release import told
from tests.support.command import run
from tests.support.whole_site import running

KEPT = sorted(Path(__file__).with_name("data").glob("release-*.tar.gz"))


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name)
def test_a_sealed_record_and_a_site_tell_what_they_told(kept: Path, tmp_path: Path) -> None:
    with tarfile.open(kept) as packed:
        packed.extractall(tmp_path, filter="data")
    before = json.loads((tmp_path / "told.json").read_text())
    done = run("verify", tmp_path / "ladder.toml")
    assert done.returncode == 0, done.stdout
    now = json.loads(run("standings", tmp_path / "ladder.toml", "--json").stdout)
    assert rounded({key: now[key] for key in before["standings"]}) == rounded(before["standings"])
    replayed = run("replay", tmp_path / "ladder.toml", "1")
    assert (replayed.returncode, replayed.stderr) == (0, "")
    with running(tmp_path / "site.toml") as site:
        site.wait_for(lambda: (site.document("league") or {}).get("state") == "sealed")
        assert told(site, before["token"]) == before["site"]


def rounded(told: object) -> object:
    """What was told, its numbers to nine digits: the last ones are another processor's."""
    match told:
        case dict():
            return {key: rounded(each) for key, each in told.items()}
        case list():
            return [*map(rounded, told)]
        case float():
            return float(f"{told:.9g}")
    return told


def test_every_release_has_kept_one() -> None:
    assert KEPT
