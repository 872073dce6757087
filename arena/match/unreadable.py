"""Explains why a line is not an answer, in words that lead its author to the error."""

import re
from typing import Final

import msgspec

BYTES_SHOWN: Final = 200
"""Bytes of a bot's line that its fault's detail shows."""

MOST_NESTED: Final = 500
"""The most that an answer may be nested; Python versions differ in how much they read."""

_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_MISTYPED: Final = re.compile(r"Expected `(\w+)[^`]*`, got `(\w+)`(?: - at `\$\.(.*)`)?")
_BEYOND: Final = re.compile(r"Expected (.+) - at `\$\.(.+)`")
_MISSING: Final = re.compile(r"Object missing required field `(.+)`")
_UNKNOWN: Final = re.compile(r"Invalid (?:enum )?value (.+) - at `\$\.(.+)`")

_TOLD: Final = ("'deal_end'", "'error'", "'bye'")
"""Types of messages that ask nothing, as a decoder quotes them."""

_WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "a JSON object",
}
"""JSON's types in words."""


def why_unreadable(line: bytes, error: Exception) -> str:
    """Explain what is wrong with a line that a decoder refused, and often what to do about it."""
    if not line.strip():
        return "an empty line; an answer is one JSON object on one line"
    return _encoding(line) or (
        _fields(str(error))
        if isinstance(error, msgspec.ValidationError)
        else _syntax(line.strip(), str(error))
    )


def is_too_deep(line: bytes) -> bool:
    """Whether a line of JSON is nested more than `MOST_NESTED`."""
    if line.count(b"[") + line.count(b"{") <= MOST_NESTED:
        return False
    depth = 0
    for sign in _STRINGS.sub(b"", line):
        depth += (sign in b"[{") - (sign in b"]}")
        if depth > MOST_NESTED:
            return True
    return False


def quoted(line: bytes) -> str:
    """The beginning of a line as its bot wrote it; if it is not UTF-8, its bytes as escapes."""
    more = "…" if len(line) > BYTES_SHOWN else ""
    try:
        return repr(line.decode()[:BYTES_SHOWN]) + more
    except UnicodeDecodeError:
        return repr(line[:BYTES_SHOWN])[1:] + more


def _encoding(line: bytes) -> str | None:
    if line.startswith(b"\xef\xbb\xbf"):
        return "the line begins with a byte order mark; write UTF-8 without one"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or line.count(0) * 3 > len(line):
        return "the line looks like UTF-16; write UTF-8"
    try:
        line.decode()
    except UnicodeDecodeError as error:
        byte = f"byte 0x{line[error.start]:02x} at place {error.start}"
        return f"the line is not UTF-8 ({byte}); does the program write Latin-1?"
    return None


def _fields(error: str) -> str:
    if found := _MISTYPED.match(error):
        wanted, got = (_WORDS.get(word, word) for word in found.groups()[:2])
        what = "an answer" if found[3] is None else f"the field {found[3]}"
        return f"{what} must be {wanted}, not {got}"
    if found := _BEYOND.match(error):
        return f"the field {found[2]} must be {found[1].replace('`', '')}"
    if found := _MISSING.match(error):
        return f"the field {found[1]} is missing"
    if found := _UNKNOWN.match(error):
        if found[2] == "type" and found[1] in _TOLD:
            return f"{found[1][1:-1]} asks nothing; do not answer it"
        return f"the field {found[2]} cannot be {found[1]}"
    return error[:200]


def _syntax(line: bytes, error: str) -> str:
    if not line.startswith(b"{"):
        return "the line is not JSON; print debugging goes to stderr"
    if line.startswith(b"{'"):
        return "the line is not JSON, which has double quotes; in Python print json.dumps(…)"
    if "truncated" in error:
        return "the line ends within its JSON; an answer is one line"
    if "trailing characters" in error:
        return "something follows the JSON on its line; each answer is one line"
    return f"the line is not JSON: {error[:200].removeprefix('JSON is malformed: ')}"
