"""Counts of a site, in the text format of Prometheus."""

from collections import Counter
from collections.abc import Mapping
from typing import Literal

BUCKETS_S = (0.01, 0.05, 0.25, 1.0, 5.0)
"""The upper bounds, in seconds, of the buckets of the histogram of answers."""


class Metrics:
    """Requests by route and status, and the time they took; streams are not timed."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, str, int]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._timed = 0

    def count(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count an answer."""
        self._answers[method, route, status] += 1
        if seconds is not None:
            self._timed += 1
            self._seconds += seconds
            for most in BUCKETS_S:
                self._within[most] += seconds <= most

    def text(self) -> str:
        """Return all of it."""
        lines = ["# TYPE zole_requests_total counter"]
        for (method, route, status), count in sorted(self._answers.items()):
            about = f'method="{method}",route="{route}",status="{status}"'
            lines.append(f"zole_requests_total{{{about}}} {count}")
        lines.append("# TYPE zole_answer_seconds histogram")
        for most in BUCKETS_S:
            lines.append(f'zole_answer_seconds_bucket{{le="{most:g}"}} {self._within[most]}')
        lines.append(f'zole_answer_seconds_bucket{{le="+Inf"}} {self._timed}')
        lines.append(f"zole_answer_seconds_sum {self._seconds:.6f}")
        lines.append(f"zole_answer_seconds_count {self._timed}")
        return "\n".join(lines) + "\n"


def series(name: str, kind: Literal["counter", "gauge"], values: Mapping[str, float]) -> str:
    """Return a count or value of the moment by its labels, "" for one without any."""
    lines = [f"# TYPE zole_{name} {kind}"]
    for labels, value in values.items():
        lines.append(f"zole_{name}{f'{{{labels}}}' if labels else ''} {value:.15g}")
    return "\n".join(lines) + "\n"
