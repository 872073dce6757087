"""A value that a test knows to be there."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """The value, where None would be a failure."""
    assert value is not None
    return value
