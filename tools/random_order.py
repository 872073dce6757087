"""A plugin that runs the tests in an order by chance: `pytest -p tools.random_order`."""

import os
import random

import pytest

SEED = os.environ.setdefault("ORDER_SEED", str(random.SystemRandom().randrange(1_000_000)))
"""Processes of the tests inherit it: all must collect the same order."""


def pytest_report_header() -> str:
    return f"in an order by chance: ORDER_SEED={SEED}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    random.Random(SEED).shuffle(items)
