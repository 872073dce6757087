"""What each test of a cluster has: a folder, machines, a league, and how one machine plays it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.test_cluster import SEED, Machines, league_in, machines, open_folder
from tests.support.bots import open_gate
from tests.support.command import run_here
from tests.support.dask_forks import dask_forks


@pytest.fixture
def place() -> Iterator[Path]:
    """A test's folder, which other users may enter."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def there(place: Path) -> Iterator[Machines]:
    """A test's machines."""
    with machines(place / "machines") as found:
        yield found


@pytest.fixture
def league(place: Path) -> Path:
    """A league that cannot be over before its gate is open."""
    return league_in(place)


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league as one machine plays it."""
    league = league_in(tmp_path_factory.mktemp("alone"))
    open_gate(league)
    assert run_here("league", league, "--seed", SEED).returncode == 0
    return league


@pytest.fixture(scope="package", autouse=True)
def _forks() -> Iterator[None]:
    """Schedulers and workers are forked."""
    with dask_forks():
        yield
