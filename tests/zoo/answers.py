"""Ends too early, is late, stays too long or writes, once, what is no answer: as its name says."""

import os
import signal
import sys
import time

import play

NAME = sys.argv[1]
CARDS = [rank + suit for suit in "DHSC" for rank in "9TKA"]

# --- ends too early, answers too late or stays too long ---


def closes_stdout_stays(message, answer):
    os.close(1)
    play.hold()
    os._exit(0)


def half_ready(message, answer):
    play.write(play.line_of(answer)[:10])
    play.hold()


def stall(message, answer):
    play.given_up()


def stall_stubborn(message, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)


def slow_drip(message, answer):
    line = play.line_of({**answer, "idle": "x" * 10_000})
    play.write(line[:1])
    written = 1
    while not play.given_up(1):
        play.write(line[written : written + 1])
        written += 1
    return line[written:]


def half_line(message, answer):
    play.write(play.line_of(answer)[:-1])
    play.given_up()
    return b"\n"


def stays_after_bye(message, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(20)


# --- writes something that is not the answer ---


def raw(data):
    """The misdeed that writes these bytes instead of the answer."""
    return lambda *_: data


def changed(**fields):
    return lambda _, answer: play.line_of({**answer, **fields})


def choice_is(change):
    """The misdeed that changes the choice, which is the last field of an answer."""

    def misdeed(_, answer):
        name, choice = list(answer.items())[-1]
        return play.line_of({**answer, name: change(choice)})

    return misdeed


def around(before=b"", after=b""):
    return lambda _, answer: before + play.line_of(answer) + after


def other_card(message, answer):
    seen = message["hand"] + message["legal"]
    return play.line_of({**answer, "card": next(card for card in CARDS if card not in seen)})


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
    "garbage": raw(b"\x07\x93z}{[\xfe\x01 42\n"),
    "bad_utf8": lambda _, answer: play.line_of({**answer, "note": "?"}).replace(b"?", b"\xc3\x28"),
    "empty_line": raw(b"\n"),
    "not_an_object": lambda _, answer: b"[" + play.line_of(answer)[:-1] + b"]\n",
    "stray_line": around(before=b"Good evening!\n"),
    "wrong_id": changed(id=999),
    "negative_id": changed(id=-1),
    "string_id": changed(id="0"),
    "missing_id": lambda _, answer: play.line_of({"type": answer["type"], "bid": "pass"}),
    "double_answer": lambda _, answer: play.line_of(answer) * 2,
    "early_answer": around(after=b'{"type":"talon","id":1,"choice":"take"}\n'),
    "huge_exponent": raw(b'{"type":"bid","id":1e400,"bid":"pass"}\n'),
    "huge_integer": changed(id=99999999999999999999999),
    "endless_integer": raw(b'{"type":"bid","id":' + b"9" * 60000 + b',"bid":"pass"}\n'),
    "deep_nesting": raw(b"[" * 60000 + b"\n"),
    "deep_field": lambda _, answer: (
        play.line_of(answer)[:-2] + b',"x":' + b"[" * 30000 + b"]" * 30000 + b"}\n"
    ),
    "lone_surrogate": choice_is(lambda _: "\ud800"),
    "nul_bytes": lambda _, answer: play.line_of(answer).replace(b":", b"\x00:"),
    "wrong_type": changed(type="talon", choice="take"),
    "wrong_field_type": choice_is(lambda choice: [choice]),
    "long_note": changed(note="x" * 1025),
    "unasked_answer": raw(b'{"type":"play","id":5,"card":"QC"}\n'),
    "ready_twice": lambda _, answer: play.line_of(answer) * 2,
    "ready_other_protocol": changed(protocol=2),
    "bid_for_ready": raw(b'{"type":"bid","id":0,"bid":"pass"}\n'),
    "flood_many_lines": raw(b'{"spam":"spam"}\n' * (play.MIB // 4)),
    "flood_one_line": raw(b"x" * (4 * play.MIB) + b"\n"),
    "flood_at_start": raw(b"x" * (4 * play.MIB) + b"\n"),
    "illegal_bid": changed(bid="everything"),
    "illegal_card": other_card,
    "no_such_card": changed(card="XX"),
    "illegal_discard": lambda message, answer: play.line_of(
        {**answer, "cards": message["hand"][:1] * 2}
    ),
}

# The message of the misdeed, where it is not the first request.
AT = {
    "exits_after_deal": "deal_end",
    "stall_at_start": "hello",
    "half_ready": "hello",
    "stays_after_bye": "bye",
    "babbles_after_bye": "bye",
    "unasked_answer": "deal_end",
    "ready_twice": "hello",
    "ready_other_protocol": "hello",
    "bid_for_ready": "hello",
    "flood_at_start": "hello",
    "illegal_bid": "bid",
    "illegal_card": "play",
    "no_such_card": "play",
    "illegal_discard": "discard",
}

if NAME == "crash_at_start":
    sys.exit(3)
play.run(
    MISDEEDS[NAME],
    at=AT.get(NAME, "request"),
    note="held: it misbehaves only after bye" if AT.get(NAME) == "bye" else None,
    eager=NAME == "illegal_discard",
)
