"""Every benchmark that needs no league, one after another: each benchmark in a process of its own.

Run it from the project's folder: `.venv/bin/python -m benchmarks`, on a machine with nothing else
to do; it takes about ten minutes.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

ALL = (
    "speed",
    "parts",
    "tables",
    "leagues",
    "workers",
    "sandbox",
    "memory",
    "record",
    "rules",
    "ratings",
)


def main() -> None:
    """Say what machine this is, then run each."""
    print(machine(), flush=True)
    for name in ALL:
        print(f"\n{name}", flush=True)
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False)
        if done.returncode:
            raise SystemExit(f"benchmarks.{name} ended with {done.returncode}")


def machine() -> str:
    """Processor, cores, system and Python, and how busy they were before."""
    about = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(": ")[2] for line in about if line.startswith("model name")), "")
    return (
        f"{model or platform.machine()}, {len(os.sched_getaffinity(0))} cores;"
        f" {platform.system()} {platform.release()}; {platform.python_implementation()}"
        f" {platform.python_version()}; load {os.getloadavg()[0]:.2f}"
    )


if __name__ == "__main__":
    main()
