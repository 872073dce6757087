"""A site that is harmed for two minutes loses nothing and becomes well; longer by `tools.chaos`."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_a_site_survives_two_minutes_of_chaos() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.chaos", "--seed", "3", "--minutes", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
