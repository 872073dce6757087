"""The browser that tests of pages share: one for the whole session."""

from collections.abc import Iterator

import pytest

from tests.browser import Browser, program


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Browser]:
    path = program()
    if path is None:
        pytest.skip("there is no chromium on this machine")
    with Browser(path) as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """A wide window; whatever the test does, its page breaks no rule and asks for nothing."""
    one_browser.window(1280, 800)
    one_browser.leave()
    yield one_browser
    assert one_browser.problems == []
    assert len({address.partition("#")[0] for address in one_browser.requests}) <= 1
