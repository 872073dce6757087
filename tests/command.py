"""The command line run as people run it: a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "arena", *map(str, arguments)]


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the arena to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(Path(__file__).parents[1])},
    )


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start the arena in a session of its own, so that signals reach it alone."""
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
