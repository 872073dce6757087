"""A registry of accounts whose clock a test may move; and a web process for a file of tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.site.registry import Registry
from tests.support.registry import Clock, opened
from tests.support.web import Served, served


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def registry(tmp_path: Path, clock: Clock) -> Iterator[Registry]:
    with opened(tmp_path, clock=clock) as registry:
        yield registry


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web")) as web:
        yield web
