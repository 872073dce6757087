"""A clone is set up once, and anew for another Python; a release is the same bytes each time."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena import __version__
from tests.support.needs import need
from tools.artefacts import PYTHONS
from tools.bill import bill_of_materials
from tools.conditions import CONDITIONS, ImpossibleHere

PROJECT = Path(__file__).parents[1]
PYTHON = """#!/bin/sh
case $2 in
venv) mkdir -p "$4/bin" && cat "$0" >"$4/bin/python" && chmod +x "$4/bin/python" ;;
pip) echo "$version" >>installed ;;
*) echo "$version" ;;
esac
"""
"""As much of a Python as the set-up asks for; whose version installs what is written down."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with nothing to install, and beside it a path with no other Python and no uv."""
    project, path = tmp_path / "project", tmp_path / "path"
    (project / "scripts").mkdir(parents=True)
    path.mkdir()
    for name in ("venv", "constraints.txt", "run.txt"):
        shutil.copy(PROJECT / "scripts" / name, project / "scripts")
    (project / "pyproject.toml").touch()
    for name in ("cat", "chmod", "cksum", "mkdir", "rm"):
        (path / name).symlink_to(str(shutil.which(name)))
    return project


def set_up(
    project: Path, version: str = "3.12.1", python: str = PYTHON, words: str = "venv dev; venv run"
) -> subprocess.CompletedProcess[str]:
    program = project.parent / "path" / "python3"
    program.write_text(python.replace("\n", f"\nversion={version}\n", 1))
    program.chmod(0o755)
    return subprocess.run(
        ("/bin/sh", "-c", f"root=$PWD; . scripts/venv; {words}"),
        cwd=project, env={"PATH": str(program.parent)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_what_is_set_up_stays_until_packages_or_the_python_are_others(project: Path) -> None:
    venv, old = project / ".venv", ["3.12.1"]
    cases: tuple[tuple[str, str, Callable[[], object], list[str], bool], ...] = (
        ("3.12.1", "", project.exists, old, False),
        ("3.12.1", "", (venv / "kept").touch, old, True),
        ("3.12.1", "[project]", project.exists, old * 2, True),
        ("3.12.1", "[tool]", (venv / "bin" / "python").unlink, old * 3, False),
        ("3.12.1", "[tool]", (venv / "kept").touch, old * 3, True),
        ("3.13.0", "[tool]", project.exists, [*old * 3, "3.13.0"], False),
    )
    for version, packages, change, installed, kept in cases:
        (project / "pyproject.toml").write_text(packages)
        change()
        assert set_up(project, version).returncode == 0
        seen = ((project / "installed").read_text().split(), (venv / "kept").exists())
        assert seen == (installed, kept)


def test_what_runs_is_a_part_of_what_tests_need() -> None:
    """The very versions, so that a clone runs what was tested."""
    tested, run = (
        {
            re.sub(r"[._]", "-", name.lower()): version
            for name, version in re.findall(
                r"^([\w.-]+)==([^ \n]+)", (PROJECT / "scripts" / file).read_text(), re.MULTILINE
            )
        }
        for file in ("constraints.txt", "run.txt")
    )
    assert "numpy" in run
    assert run.items() <= tested.items()
    named = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = named["optional-dependencies"]
    asked = [*named["dependencies"], *extras["serve"], *extras["sandbox"]]
    assert {re.split(r"[=><]", each)[0].replace(".", "-") for each in asked} <= {*run}


@pytest.mark.parametrize("code", [0, 1])
def test_what_pip_says_is_shown_only_if_it_fails(project: Path, code: int) -> None:
    loud = PYTHON.replace("pip) echo", f'pip) echo "WARNING: pip" >&2; (exit {code}) && echo')
    done = set_up(project, python=loud, words="venv dev")
    assert (done.returncode, "WARNING: pip" in done.stderr) == (3 * code, bool(code))


def test_a_python_that_can_install_nothing_says_what_it_lacks(project: Path) -> None:
    """As Debian's is, before python3-venv is there; `-c` fails, as each import does."""
    bare = PYTHON.replace("*) echo", "*import*' pip'*|*ensurepip*) exit 1 ;;\n*) echo")
    done = set_up(project, python=bare, words="venv run")
    assert done.returncode == 3
    assert "apt install python3-venv; or install uv" in done.stderr
    assert not (project / ".venv" / "stamp-run").exists()


VERSION = "python3 -c 'import sys; print(sys.version_info[1])'"
SIGNS = {
    "root": ("id -u", "0"),
    "ordinary user": ("test $(id -u) != 0 && echo ordinary", "ordinary"),
    "one processor": ("nproc", "1"),
    "a quarter of a processor": ("grep -c /anywhere$ /proc/self/cgroup", "1"),
    "no user namespaces": ("unshare -U true 2>/dev/null || echo none", "none"),
    "SIGINT ignored": ("kill -INT $$; echo here", "here"),
    "no terminal": ("(: </dev/tty) 2>/dev/null || echo none", "none"),
    "no HOME": ("echo ${HOME-none}", "none"),
    "HOME that is read-only": ("touch ~/file 2>/dev/null || echo none", "none"),
    "umask 077": ("umask", "0077"),
    "LANG=C": ("locale charmap", "ANSI_X3.4-1968"),
    "lv_LV.UTF-8": ("echo $LC_ALL", "lv_LV.UTF-8"),
    "TZ=Pacific/Kiritimati": ("date +%z", "+1400"),
    "no Chromium": ("command -v chromium chromium-headless-shell || echo none", "none"),
    "no Node.js": ("command -v node || echo none", "none"),
    "no Go": ("command -v go || echo none", "none"),
    "no Java": ("command -v javac || echo none", "none"),
    "no Rust": ("command -v rustc || echo none", "none"),
    "no C compiler": ("command -v cc || echo none", "none"),
    "no network": ("tail -n +3 /proc/net/dev | wc -l", "1"),
    "64 descriptors": ("ulimit -S -n", "64"),
    "/tmp of 512 MiB, a file system of its own": ("df -m --output=size /tmp | tail -1", "512"),
    "Python 3.12": (VERSION, "12"),
    "Python 3.13": (VERSION, "13"),
    "Python 3.14": (VERSION, "14"),
}


@pytest.mark.parametrize("name", SIGNS)
def test_a_condition_is_what_it_is_called(name: str, tmp_path: Path) -> None:
    look, sign = SIGNS[name]
    (tmp_path / "anywhere").mkdir()
    try:
        with CONDITIONS[name](tmp_path / "anywhere") as way:
            known = {**os.environ, **way.environment}.items()
            done = subprocess.run(
                (*way.words, *way.apart, "sh", "-c", look),
                env={key: value for key, value in known if value is not None},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            )  # fmt: skip
    except ImpossibleHere as error:
        pytest.skip(str(error))
    assert done.stdout.strip() == sign, done.stderr


def build(folder: Path, *words: str) -> dict[str, bytes]:
    asked = (sys.executable, "-m", "tools.artefacts", str(folder), *words)
    done = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=False)
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
    assert {
        "arena/_shipped/sample_bots/careful/bot.py",
        "arena/_shipped/protocol/README.md",
    } <= {*names}
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
