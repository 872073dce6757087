"""A registry of accounts whose clock a test may move."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.site.registry import Registry
from tests.support.registry import Clock, opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def registry(tmp_path: Path, clock: Clock) -> Iterator[Registry]:
    with opened(tmp_path, clock=clock) as registry:
        yield registry
