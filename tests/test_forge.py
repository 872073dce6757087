"""What the project says of itself to indexes and forges agrees, and its workflow trusts no tag."""

import re
import subprocess
import tomllib
from pathlib import Path

from tools.artefacts import PYTHONS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")


def test_all_files_name_one_address_of_the_project() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    paths = [ROOT / name for name in filter(None, listed.stdout.decode().split("\0"))]
    texts = (path.read_text("utf-8", "replace") for path in paths if path.is_file())
    named = {
        found for text in texts for found in re.findall(r"https://[\w./-]+/zole-arena\b", text)
    }
    assert named == {PROJECT["urls"]["Source"]}


def test_the_pythons_that_are_declared_are_tested_and_have_wheels() -> None:
    declared = [
        each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: Python :: 3." in each
    ]
    assert declared == list(PYTHONS)
    matrices = re.findall(r"python: \[(.+)\]", WORKFLOW)
    assert {*matrices} == {", ".join(f'"{each}"' for each in PYTHONS)}


def test_actions_are_pinned_by_hash_and_keep_no_credentials() -> None:
    used = re.findall(r"uses: (.+)", WORKFLOW)
    assert [each for each in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v[\d.]+", each)] == []
    clones = [each for each in used if each.startswith("actions/checkout@")]
    assert WORKFLOW.count("persist-credentials: false") == len(clones) > 0
