"""Moves to a core that it was not given."""

import os

import play


def moved():
    given = os.sched_getaffinity(0)
    others = set(range(os.cpu_count() or 1)) - given
    if not others:
        raise play.HeldError("it has all cores")
    os.sched_setaffinity(0, others)
    if os.sched_getaffinity(0) == given:
        raise play.HeldError("it has no effect")


play.attempt(affinity=lambda: play.aside(moved))
