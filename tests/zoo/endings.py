"""Ends too early, answers too late or stays too long: each animal as its name says."""

import os
import signal
import sys
import time

import play

NAME = sys.argv[1]


def closes_stdout_stays(message, answer):
    """Close its output instead of the first answer, and stay."""
    os.close(1)
    play.hold()
    os._exit(0)


def half_ready(message, answer):
    """Write the first half of its ready, and the rest never."""
    play.write(play.line_of(answer)[:10])
    play.hold()


def stall(message, answer):
    """Think about the first request until that is given up, then answer it."""
    play.given_up()


def stall_stubborn(message, answer):
    """Ignore SIGTERM and the end of its input."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)


def slow_drip(message, answer):
    """Write its answer one byte a second, until that is given up."""
    line = play.line_of({**answer, "idle": "x" * 10_000})
    play.write(line[:1])
    written = 1
    while not play.given_up(1):
        play.write(line[written : written + 1])
        written += 1
    return line[written:]


def half_line(message, answer):
    """Write its answer in time, but its newline only once that is given up."""
    play.write(play.line_of(answer)[:-1])
    play.given_up()
    return b"\n"


def stays_after_bye(message, answer):
    """Ignore the end of its input and SIGTERM for 20 seconds."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(20)


MISDEEDS = {
    "crash_kill": lambda *_: os.kill(os.getpid(), signal.SIGKILL),
    "crash_traceback": lambda message, _: message["no such key"],
    "exits_after_deal": lambda *_: sys.exit(0),
    "closes_stdin": lambda *_: os.close(0),
    "closes_stdout": lambda *_: os.close(1),
    "closes_stdout_stays": closes_stdout_stays,
    "stall_at_start": lambda *_: play.hold(),
    "half_ready": half_ready,
    "stall": stall,
    "stall_stubborn": stall_stubborn,
    "slow_drip": slow_drip,
    "half_line": half_line,
    "stays_after_bye": stays_after_bye,
    "babbles_after_bye": lambda *_: b"x" * play.MIB,
}

AT = {
    "exits_after_deal": "deal_end",
    "stall_at_start": "hello",
    "half_ready": "hello",
    "stays_after_bye": "bye",
    "babbles_after_bye": "bye",
}
"""The message of the misdeed, where it is not the first request."""

if NAME == "crash_at_start":
    sys.exit(3)
note = "held: it misbehaves only after bye" if AT.get(NAME) == "bye" else None
play.run(MISDEEDS[NAME], at=AT.get(NAME, "request"), note=note)
