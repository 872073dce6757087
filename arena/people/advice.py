"""What a person may be advised, by a review of what the seat knows; nothing more is known here."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from arena.match.wire import AnyReply


class NoAdvice(Exception):
    """There is none; says why. `remedy` says what helps."""

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(why)
        self.remedy = remedy


def hint(lines: Sequence[bytes], replies: Mapping[int, AnyReply]) -> AnyReply:
    """What a review would answer to the last request. Raises `NoAdvice`."""
    _none()


def verdicts(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply], deal: int
) -> tuple[object, ...]:
    """The verdicts on the seat's decisions in a finished deal. Raises `NoAdvice`."""
    _none()


def _none() -> NoReturn:
    raise NoAdvice("there is no reviewer here", 'pip install "zole-arena[review]"')
