"""How test processes divide the tests: which run together, and which come last."""

import pytest
from xdist.scheduler import LoadScopeScheduling

ORACLES = ("tests/stats/test_comparisons.py", "tests/stats/test_strengths.py")
"""Files that compare with libraries which take seconds to import."""

BROWSER = (
    "tests/site/test_report_in_browser.py",
    "tests/reports/test_viewer.py",
    "tests/reports/test_viewer_review.py",
    "tests/reports/test_viewer_unspoilt.py",
    "tests/test_needs.py",
    "tests/test_pictures.py",
)

TOGETHER = {
    **dict.fromkeys(ORACLES, "oracles"),
    **dict.fromkeys(BROWSER, "browser"),
    **{
        file: file
        for file in (
            "tests/cli/test_imports.py",
            "tests/cli/test_no_traceback.py",
            "tests/cli/test_replay.py",
            "tests/cli/test_review.py",
            "tests/cluster/test_cluster.py",
            "tests/site/test_report.py",
            "tests/sandbox/test_zoo.py",
            "tests/site/test_web.py",
            "tests/site/test_web_attacks.py",
            "tests/site/test_web_permissions.py",
            "tests/test_no_leak.py",
        )
    },
}
"""Files whose tests share a costly fixture, each with the name of its group."""

SHORT = frozenset(("base", "league", "match", "stats", "zole"))
"""Folders whose tests start no processes: they fill the gaps at the end of a run."""


class Shares(LoadScopeScheduling):  # type: ignore[misc]  # xdist tells no types
    """Each test goes where there is room, those of a group together; large groups go first."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(nodeid.partition("::")[0], nodeid)


def short_ones_last(items: list[pytest.Item]) -> None:
    """Bring the tests into an order in which the last ones are short."""
    items.sort(key=lambda item: item.path.parent.name in SHORT)
