"""Looks whether it has any capability, or could gain one by starting a program."""

from pathlib import Path

import play


def status(key):
    return int(Path("/proc/self/status").read_text().partition(f"{key}:")[2].split()[0], 16)


def has(key):
    if status(key) == 0:
        raise play.HeldError("none")
    return f"{status(key):x}"


def gains():
    if status("NoNewPrivs") == 1:
        raise play.HeldError("no_new_privs is set")
    return "no_new_privs is not set"


play.attempt(
    effective=lambda: has("CapEff"),
    permitted=lambda: has("CapPrm"),
    ambient=lambda: has("CapAmb"),
    gains=gains,
)
