"""The line of stderr that says why a program ended, in several languages."""

import pytest

from arena.engine.process import SHOWN, last_words


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("", ""),
        ("one\n\ntwo\n \n", "two"),
        (
            "thinking\nTraceback (most recent call last):\n  File 'x'\nKeyError: 'legal'\n",
            "KeyError: 'legal'",
        ),
        (
            "/bot/bot.js:1\nfoo\n^\n\nReferenceError: foo is not defined\n    at Script.run\n\n"
            "Node.js v20.1.0\n",
            "ReferenceError: foo is not defined",
        ),
        (
            'Exception in thread "main" java.lang.NullPointerException\n\tat B.main(B.java:3)\n',
            'Exception in thread "main" java.lang.NullPointerException',
        ),
        ("Segmentation fault\n", "Segmentation fault"),
        ("e" * 1000, "e" * SHOWN),
    ],
)
def test_the_line_that_names_the_error_is_found(stderr: str, said: str) -> None:
    assert last_words(stderr) == said
