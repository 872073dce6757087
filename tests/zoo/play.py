"""Honest, deterministic play for the Python animals, with one moment for a misdeed."""

import errno
import json
import os
import select
import signal
import sys
from pathlib import Path

SCRATCH = os.environ.get("TMPDIR", "/tmp")
MIB = 1 << 20
_NOTE_BYTES = 1000
_HELD = 254


class HeldError(Exception):
    """An act that had no effect although no call failed; says why."""


def some(found, why_none="none"):
    """What an act has found, in short. Raises `HeldError` if that is nothing."""
    if not found:
        raise HeldError(why_none)
    return str(found)[:80]


def run(misdeed=None, at="request", note=None, pace=None, eager=False):
    """Play to the end; the misdeed is done once, at the first message that `at` names.

    `at` is a type of message, or `request` for the first request of any type. The misdeed gets
    the message and the honest answer. It returns bytes to write in place of the answer, a text
    that the answer carries as its note, or None. `note` goes with the first answer in any case.
    `pace` is called before each answer from the misdeed on. An eager bot declares whenever it may.
    """
    for line in sys.stdin:
        message = json.loads(line)
        answer = _answer(message, eager)
        if note and "id" in answer:
            answer["note"], note = note, None
        instead = None
        if misdeed and at in (message["type"], "request" if "id" in answer else None):
            instead, misdeed = misdeed(message, answer), None
        if isinstance(instead, str):
            answer["note"], instead = instead, None
        if instead is not None:
            write(instead)
        elif answer:
            if pace and not misdeed:
                pace()
            write(line_of(answer))
        if message["type"] == "bye":
            return


def attempt(**acts):
    """Play to the end; the first answer's note reports what came of the acts.

    An act that failed raises OSError or `HeldError`; one that succeeded returns what was got.
    """
    run(lambda *_: _report(acts))


def target(key):
    return json.loads(Path("target.json").read_text())[key]


def line_of(answer):
    return json.dumps(answer, separators=(",", ":")).encode() + b"\n"


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def background(work):
    """Run the work in a child process that ends with it."""
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid


def hold():
    """Keep all that was taken until the input has ended, for whoever counts it."""
    ended = select.poll()
    ended.register(0, 0)
    ended.poll()


def given_up(patience=None):
    """Wait for the next line, at most for some seconds; return whether it has come.

    None comes before the answer to a request, but where the arena has given that up.
    """
    return bool(select.select([0], [], [], patience)[0])


def aside(act):
    """Do an act in a child process, so that what it changes is gone afterwards."""
    pid = os.fork()
    if pid == 0:
        try:
            act()
        except OSError as error:
            os._exit(error.errno or errno.EIO)
        except HeldError:
            os._exit(_HELD)
        except BaseException:
            os._exit(errno.EIO)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        raise HeldError(f"killed by {signal.Signals(os.WTERMSIG(status)).name}")
    code = os.WEXITSTATUS(status)
    if code == _HELD:
        raise HeldError("it has no effect")
    if code:
        raise OSError(code, os.strerror(code))
    return "it worked"


def _report(acts):
    told = {"ESCAPED": [], "held": []}
    for name, act in acts.items():
        try:
            told["ESCAPED"].append(f"{name}: {act() or 'it worked'}")
        except HeldError as why:
            told["held"].append(f"{name} ({why})")
        except OSError as error:
            told["held"].append(f"{name} {errno.errorcode.get(error.errno, type(error).__name__)}")
    words = [f"{which}: {', '.join(acts)}" for which, acts in told.items() if acts]
    return "; ".join(words).encode()[:_NOTE_BYTES].decode(errors="ignore")


def _answer(message, eager):
    kind = message["type"]
    if kind == "hello":
        return {"type": "ready", "protocol": 1}
    choice = {
        "blind": lambda: {"blind": False},
        "bid": lambda: {"bid": _bid(message["hand"], message["legal"], eager)},
        "talon": lambda: {"choice": "take"},
        "discard": lambda: {"cards": message["hand"][-2:]},
        "play": lambda: {"card": message["legal"][0]},
        "surrender": lambda: {"surrender": False},
        "offer": lambda: {"accept": False},
    }.get(kind)
    return {"type": kind, "id": message["id"], **choice()} if choice else {}


def _bid(hand, legal, eager):
    strong = eager or sum(card[0] in "QJ" for card in hand) >= 4
    return "ordinary" if strong and "ordinary" in legal else "pass"
