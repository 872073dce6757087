"""What tables tell about strengths, beside the same from whole matrices."""

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest

from arena.league.information import NOISE, SPREAD, Information, Known
from arena.stats.floats import Floats

TABLES = [(0, 1, 2), (1, 2, 3), (4, 0, 5), (3, 4, 6), (6, 5, 2), (0, 1, 2), (5, 1, 3)]


def centre(table: tuple[int, ...], bots: int, deals: int) -> Floats:
    """What the deals of a table add to the information on all bots."""
    size = len(table)
    spread = NOISE**2 * size / (size - 1)
    found = np.zeros((bots, bots))
    found[np.ix_(table, table)] = (np.eye(size) - 1 / size) * deals / spread
    return found


def variances(covariance: npt.NDArray[np.floating], field: list[int]) -> float:
    """The sum of the variances of all differences within the field."""
    return sum(
        float(covariance[one, one] + covariance[two, two] - 2 * covariance[one, two])
        for one in field
        for two in field
        if one < two
    )


def seven(asked: bool) -> tuple[Information, Floats]:
    """Seven bots that have met, and the information as a matrix; asked first, or only behind."""
    information = Information()
    for bot in range(7):
        information.join()
        information.count(bot, True)
        if asked:
            assert len(information.known.covariance) == bot + 1
    matrix = np.eye(7) / SPREAD**2
    for table in TABLES:
        information.add(table, 10)
        matrix += centre(table, 7, 10)
    return information, matrix


@pytest.mark.parametrize("asked", [True, False])
def test_the_covariance_is_that_of_least_squares_with_a_wide_prior(asked: bool) -> None:
    information, matrix = seven(asked)
    np.testing.assert_allclose(information.known.covariance, np.linalg.inv(matrix), atol=1e-12)


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_gain_is_what_the_sum_of_variances_loses(asked: bool, players: int) -> None:
    information, matrix = seven(asked)
    information.count(3, False)
    field = [0, 1, 2, 4, 5, 6]
    before = variances(np.linalg.inv(matrix), field)
    table = (2, 6, 3, 0, 5)[:players]
    after = variances(np.linalg.inv(matrix + centre(table, 7, 10)), field)
    for *some, last in permutations(table):
        gain = information.known.gains_with(some, 10)[last]
        assert gain == pytest.approx(before - after, rel=1e-9)


@pytest.mark.parametrize("asked", [True, False])
def test_what_was_learned_through_a_bot_stays_when_it_leaves(asked: bool) -> None:
    information, matrix = seven(asked)
    information.count(4, False)
    information.drop(4)
    kept = [0, 1, 2, 3, 5, 6]
    covariance = np.linalg.inv(matrix)[np.ix_(kept, kept)]
    np.testing.assert_allclose(information.known.covariance, covariance, atol=1e-12)
    information.add((3, 4, 5), 10)
    again = np.linalg.inv(np.linalg.inv(covariance) + centre((3, 4, 5), 6, 10))
    np.testing.assert_allclose(information.known.covariance, again, atol=1e-12)


@pytest.mark.parametrize("asked", [True, False])
def test_a_void_table_is_as_if_never_played(asked: bool) -> None:
    information, matrix = seven(asked)
    before = information.known.gains_with((0, 3), 10)
    information.add((2, 3, 6), 10)
    information.add((2, 3, 6), -10)
    np.testing.assert_allclose(information.known.covariance, np.linalg.inv(matrix), atol=1e-12)
    np.testing.assert_allclose(information.known.gains_with((0, 3), 10), before, atol=1e-9)


def test_nothing_drifts_over_many_tables() -> None:
    information, matrix = seven(True)
    chance = np.random.default_rng(3)
    for _ in range(600):
        table = tuple(int(bot) for bot in chance.permutation(7)[:3])
        information.add(table, 10)
        matrix += centre(table, 7, 10)
    fresh = Known(matrix, information.field)
    gains = [known.gains_with((0, 1), 10)[2:] for known in (information.known, fresh)]
    np.testing.assert_allclose(gains[0], gains[1], rtol=1e-8)


def test_an_error_is_that_of_a_strength_against_the_fields_mean() -> None:
    information, matrix = seven(True)
    weights = np.eye(7) - 1 / 7
    errors = np.sqrt(np.diag(weights @ np.linalg.inv(matrix) @ weights))
    np.testing.assert_allclose(information.known.errors(information.field), errors)
