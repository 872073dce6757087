"""The arena works with the newest of every package, not only with those of its constraints."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
APART = ("sandbox/test_zoo.py", "engine/test_timers.py", "reports/test_viewer.py")
"""What depends on the machine and the browser, not on packages."""


@pytest.mark.slow
def test_all_tests_pass_with_the_newest_of_everything(tmp_path: Path) -> None:
    """Needs a package registry: a virtual environment is set up without the constraints."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run((sys.executable, "-m", "venv", tmp_path / "venv"), check=True)
    install = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    subprocess.run((*install, "-e", f"{PROJECT}[dev]"), check=True)
    ignored = [f"--ignore=tests/{name}" for name in APART]
    options = ("-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", *ignored)
    done = subprocess.run((python, "-m", "pytest", *options), cwd=PROJECT, check=False)
    assert done.returncode == 0
