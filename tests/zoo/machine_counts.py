"""Reads what the whole machine is doing, by which bots could signal each other."""

import re
from pathlib import Path

import play


def read(path):
    text = Path("/proc", path).read_text()
    if not any(map(int, re.findall(r"\b\d+\b", text.replace("processes 1", "")))):
        raise play.HeldError("it counts nothing")
    return text.split()[0]


play.attempt(
    **{
        name: lambda name=name: read(name)
        for name in (
            "stat",
            "loadavg",
            "vmstat",
            "zoneinfo",
            "buddyinfo",
            "schedstat",
            "interrupts",
            "softirqs",
            "diskstats",
            "pressure/cpu",
            "pressure/memory",
        )
    }
)
