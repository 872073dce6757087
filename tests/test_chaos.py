"""A site that is harmed loses nothing and becomes well; for longer by `tools.chaos` and others."""

import os
import subprocess
import sys

import pytest

from tests.cluster.test_cluster import needs_dask


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("tools.chaos --seed 3 --minutes 2", id="for two minutes"),
        pytest.param(
            "tools.machines --seed 2 --faults 10",
            id="by ten faults of its workers",
            marks=[
                needs_dask,
                pytest.mark.skipif(os.geteuid() != 0, reason="only root gives machines disks"),
            ],
        ),
    ],
)
def test_a_site_survives_faults_of_its_machines(words: str) -> None:
    asked = [sys.executable, "-m", *words.split()]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
