"""What tests share: one Python, one browser, and no deadlines for Hypothesis examples."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from arena.base.files import allow_descriptors
from tests.support.bots import write_league, write_quick_bot
from tests.support.browser import PROGRAMS, Browser, program
from tests.support.command import run_here
from tests.support.needs import lack_of, sentences
from tests.support.shares import Shares, short_ones_last

# The Python that the sandbox and bots find is the tests' own, which starts without a detour.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as `arena` has it; what tests start inherits it

os.umask(
    0o022
)  # what tests write is read by bots, which may be other users; see tests/cli/test_umask

allow_descriptors(4096)  # as the arena does for itself: a browser and a site need some as well

gc.disable()  # all that is imported and collected stays: until then there is nothing to find

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = write_league(tmp_path_factory.mktemp("played"), deals=2)
    done = run_here("league", league)
    assert done.returncode == 0, done.stderr
    return league.parent


@pytest.fixture
def played_league(_played: Path, tmp_path: Path) -> Path:
    """A league of three that was played to its end, two deals, to be done with as one likes."""
    shutil.copytree(_played, tmp_path / "played")
    return tmp_path / "played" / "league.toml"


BRIEF = ("manifest", "build", "start and ready", "declaring")
"""The steps of a check that submissions need; what the others find is claimed elsewhere."""


@pytest.fixture
def brief_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that are submitted go through a few steps of their check."""
    from arena.tasks import check

    whole = check._Check.steps

    def steps(self: check._Check) -> dict[str, Callable[[], str]]:
        return {name: run for name, run in whole(self).items() if name in BRIEF}

    monkeypatch.setattr(check._Check, "steps", steps)


@pytest.fixture
def quick_house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """House bots that need no build."""
    from arena.tasks import open_field

    for name in open_field.HOUSE:
        write_quick_bot(tmp_path / "shipped" / "sample_bots" / name)
    monkeypatch.setattr(open_field, "shipped", lambda name: tmp_path / "shipped" / name)


SLOW_S = 4 * 3600


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give what is marked as slow the time it takes."""
    short_ones_last(items)
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_S))


def pytest_collection_finish() -> None:
    """From now on look for garbage, though not among what is there already."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--complete", action="store_true", help="fail if programs that can be installed are missing"
    )


def _skipped(reporter: pytest.TerminalReporter) -> list[str]:
    """A sentence for each program that tests were skipped without."""
    reports = reporter.stats.get("skipped", [])
    return list(sentences(report.longrepr[2] for report in reports))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for sentence in _skipped(terminalreporter):
        terminalreporter.write_line(sentence, yellow=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With `--complete`, a run in which such tests were skipped has failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("complete") and reporter is not None and _skipped(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Shares:
    return Shares(config, log)


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Browser]:
    path = program()
    if path is None:
        pytest.skip(lack_of(PROGRAMS[0]))
    with Browser(path) as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """A wide window; whatever the test does, its page breaks no rule and asks for nothing."""
    one_browser.window(1280, 800)
    yield one_browser
    assert one_browser.problems == []
    asked = {address.partition("#")[0] for address in one_browser.requests}
    assert len({each for each in asked if not each.startswith("blob:")}) <= 1  # its own worker


@pytest.fixture
def page(one_browser: Browser) -> Iterator[Browser]:
    """A wide window that knows no site yet; no page makes a mistake of its script or its policy."""
    one_browser.window(1280, 860)
    one_browser.forget()
    yield one_browser
    problems = [each for each in one_browser.problems if "Failed to load resource" not in each]
    one_browser.leave()
    assert problems == []
