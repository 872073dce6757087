"""The line on a program's stderr that tells why it ended."""

import re
from typing import Final

SHOWN: Final = 200
"""Characters of the line that are shown."""

_TELLING: Final = re.compile(r"error|exception|panic|abort|fault|fatal|cannot|not found", re.I)


def last_words(stderr: str) -> str:
    """The last line that names an error, else the last that is not blank; "" if there is none.

    Indented lines of a stack come after the message in some languages and before it in others.
    """
    lines = [line for line in stderr.splitlines() if line.strip()]
    return last_error(stderr) or (lines or [""])[-1].strip()[:SHOWN]


def last_error(stderr: str) -> str:
    """The last line that names an error; "" if there is none."""
    said = [line for line in stderr.splitlines() if line[:1].strip() and _TELLING.search(line)]
    return (said or [""])[-1].strip()[:SHOWN]
