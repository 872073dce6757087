"""What processes are seen to do, and that nothing is claimed of those one cannot see."""

import os

from arena.sandbox.core_use import look_at


def test_of_processes_that_are_gone_nothing_is_claimed() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([], theirs) is None
        assert look_at([2**22 + 1], theirs) is None
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_process_that_runs_is_computing() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([os.getpid()], theirs) == "computing"
    finally:
        os.close(ours)
        os.close(theirs)
