"""Each key of a TOML text is found at the line where its statement begins."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.base.places import DEEPEST, KeyPath, Places, TooDeep, check_depth


def found_by_prefixes(text: str, where: KeyPath) -> int | None:
    """The same line, the slow way: the first statement after which the text so far has the key."""
    lines = text.splitlines(keepends=True)
    begun = 0
    for end in range(1, len(lines) + 1):
        try:
            data: object = tomllib.loads("".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        if has(data, where):
            written = (at for at in range(begun, end) if lines[at].strip()[:1] not in ("", "#"))
            return next(written) + 1
        begun = end
    return found_by_prefixes(text, where[:-1]) if where else None


def has(data: object, where: KeyPath) -> bool:
    for key in where:
        try:
            data = data[key]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return False
    return bool(where)


def paths(data: object, at: KeyPath = ()) -> list[KeyPath]:
    below: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        below = list(data.items())
    elif isinstance(data, list):
        below = list(enumerate(data))
    return [at, *(path for key, value in below for path in paths(value, (*at, key)))]


KEYS = some.lists(
    some.sampled_from(["a", "b", '"c.d"', "'e]'", '"\\u00e4 "']), min_size=1, max_size=3
)
DOTTED = some.builds(lambda keys, dot: dot.join(keys), KEYS, some.sampled_from([".", " . "]))
VALUES = some.sampled_from(
    [
        "1",
        "1.5",
        "1979-05-27 07:32:00",
        "[1, 2]",
        "[ # [\n  1,\n\n  { a = '}' },\n]",
        "{ a = 1, b.a = ']' }",
        '"#\\"[="',
        "'\\'",
        '"""x\n[a]\nb = 2 \\""" "" """""',
        "'''\na = 1\n'' '''",
    ]
)
STATEMENTS = some.one_of(
    some.builds("{} = {}".format, DOTTED, VALUES),
    some.builds("{}={} # = [".format, DOTTED, VALUES),
    some.builds("[{}]".format, DOTTED),
    some.builds("  [[ {} ]] # ]".format, DOTTED),
    some.sampled_from(["", "# [a]", "  "]),
)


@given(some.lists(STATEMENTS, max_size=8), some.sampled_from(["\n", "\r\n"]))
def test_the_line_is_that_at_which_the_text_so_far_first_has_the_key(
    written: list[str], end: str
) -> None:
    kept: list[str] = []
    for statement in written:  # those that can stand after the others
        try:
            tomllib.loads("\n".join([*kept, statement]))
        except tomllib.TOMLDecodeError:
            continue
        kept.append(statement)
    text = "\n".join(kept)
    places = Places(text.replace("\n", end))
    for path in paths(tomllib.loads(text)):
        for where in (path, (*path, "absent")):
            assert places.line_of(where) == found_by_prefixes(text, where), (text, where)


@given(some.text("[]{}=,.#\"'\\a \n\r1é"))
def test_any_text_is_looked_through(text: str) -> None:
    check_depth(text)


@pytest.mark.parametrize(
    "text", ["a." * DEEPEST + "a = 1", "x = { y = 1, " + '"a" . ' * DEEPEST + "'b' = 1 }"]
)
def test_a_key_of_too_many_parts_is_refused_before_it_is_parsed(text: str) -> None:
    with pytest.raises(TooDeep) as caught:
        check_depth(f"# first\n{text}")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "a." * (DEEPEST - 1) + "a = 1",
        f'x = "{"a." * 99}" # {"a." * 99}',
        f"x = [{'1.5, ' * 99}]",
        'x = """\n' + "a.\n" * 99 + '"""',
    ],
)
def test_dots_elsewhere_are_not_counted(text: str) -> None:
    tomllib.loads(text)
    check_depth(text)
