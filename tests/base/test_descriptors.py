"""A low soft limit of open files is raised, and never beyond the hard one."""

import resource
from collections.abc import Iterator

import pytest

from arena.base.descriptors import allow_descriptors


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def soft() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_a_low_limit_is_raised_to_what_is_wanted_and_a_higher_one_is_left() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    allow_descriptors(300)
    assert soft() == 300
    allow_descriptors(250)
    assert soft() == 300


def test_what_the_system_does_not_let_us_have_is_not_asked_for() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    allow_descriptors(most + 1)
    assert soft() == most
