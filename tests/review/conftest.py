"""The solver of open hands, which all tests of reviews share."""

import pytest

from arena.review.solver import Solver


@pytest.fixture(scope="session")
def solver() -> Solver:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    return Solver()
