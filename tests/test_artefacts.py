"""What a release is made of: the same commit leads to the same bytes."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import msgspec
import pytest

from arena import __version__
from tests.support.needs import need
from tools.artefacts import PYTHONS
from tools.bill import bill_of_materials

ROOT = Path(__file__).parents[1]


def build(folder: Path, *words: str) -> dict[str, bytes]:
    asked = (sys.executable, "-m", "tools.artefacts", str(folder), *words)
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_release_is_the_same_bytes_each_time_and_holds_what_runs_and_its_licence(
    tmp_path: Path,
) -> None:
    made = build(tmp_path / "one", "--pure", "--unchecked")
    assert made == build(tmp_path / "two", "--pure", "--unchecked")
    stem = f"zole_arena-{__version__}"
    source, built = f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"
    listed = dict(line.split()[::-1] for line in made.pop("SHA256SUMS").decode().splitlines())
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
    assert {*made} == {source, built, f"{stem}.cdx.json"}
    with zipfile.ZipFile(tmp_path / "one" / built) as wheel:
        names = wheel.namelist()
    assert {"arena/sample_bots/careful/bot.py", "arena/protocol/README.md"} <= {*names}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    with tarfile.open(tmp_path / "one" / source) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"scripts/arena", "scripts/run.txt", "tools/golden.py", "LICENSE"} <= inside


def test_the_bill_of_materials_names_all_with_licences_and_hashes() -> None:
    components = msgspec.json.decode(bill_of_materials("1"))["components"]
    by_name = {each["name"]: each for each in components}
    assert {"numpy", "preact", "wasmtime"} <= {*by_name}
    assert [each["name"] for each in components if not each["licenses"]] == []
    assert len(by_name["numpy"]["externalReferences"]) > 10
    assert len({each["bom-ref"] for each in components}) == len(components)


@pytest.mark.slow
def test_compiled_wheels_have_the_same_bytes_too_and_pass_all_checks(tmp_path: Path) -> None:
    need("cc")
    made = build(tmp_path / "one")
    assert made == build(tmp_path / "two", "--unchecked")
    assert 1 <= len([name for name in made if "manylinux" in name]) <= len(PYTHONS)
