"""A site that is harmed for two minutes loses nothing and becomes well; longer by `tools.chaos`."""

import os
import subprocess
import sys

import pytest

from tests.cluster.test_cluster import needs_dask


@pytest.mark.slow
def test_a_site_survives_two_minutes_of_chaos() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.chaos", "--seed", "3", "--minutes", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


pytestmark = [needs_dask, pytest.mark.slow]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives machines disks of their own")
def test_a_site_survives_ten_faults_of_its_workers() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.machines", "--seed", "2", "--faults", "10"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
