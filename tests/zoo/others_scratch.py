"""Looks for the scratch folders of other bots at its table, under the names of their seats."""

import os

import play


def seat(number):
    path = os.path.join(play.SCRATCH, "..", str(number))
    if os.stat(path).st_ino == os.stat(play.SCRATCH).st_ino:
        raise play.HeldError("its own")
    return "seen"


def above():
    if os.path.realpath(play.SCRATCH) == "/tmp":
        raise play.HeldError("above is its own box")
    return f"{len(os.listdir(os.path.join(play.SCRATCH, '..')))} names"


play.attempt(above=above, **{f"seat {n}": lambda n=n: seat(n) for n in range(3)})
