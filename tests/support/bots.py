"""Real bots for tests: a well-behaved one in Python, and ways to go wrong."""

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from arena.base.errors import MachineError
from arena.base.isolation_levels import IsolationLevel
from arena.sandbox.isolation import Isolation, choose_isolation
from tests.support.needs import need

APART = choose_isolation()
"""The sandbox of this machine."""

needs_full_sandbox = pytest.mark.skipif(
    APART.level != "bubblewrap", reason="arena doctor says why there is no bubblewrap here"
)
"""Tests of what lesser levels do not hold, or do not allow: their builds change no modes."""


def isolation_at(level: IsolationLevel) -> Isolation:
    """The sandbox at a level; the test is skipped where this machine has none."""
    try:
        return choose_isolation(level)
    except MachineError as error:
        pytest.skip(str(error))


GOOD = """
import sys
VALUES = {"true": True, "false": False, "null": None}
def said(answer): return str(answer).replace("'", '"').replace("False", "false")
for line in sys.stdin:
    m = eval(line, VALUES)  # importing json would take as long as all else of the start
    t = m["type"]
    if t == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif t == "bid":
        answer = {"type": "bid", "id": m["id"], "bid": m["legal"][BID(m) % len(m["legal"])]}
    elif t == "discard":
        answer = {"type": "discard", "id": m["id"], "cards": m["hand"][-2:]}
    elif t == "play":
        answer = {"type": "play", "id": m["id"], "card": m["legal"][0]}
    else:
        continue
    BEFORE(m)
    print(said(answer), flush=True)
    AFTER(m)
"""


def good(before: str = "pass", after: str = "pass", bid: str = "") -> str:
    """The source of a deterministic bot that runs a statement before or after each answer."""
    own_bid = bid or 'sum(c[0] in "QJ" for c in m["hand"]) // 3'
    return f"""
import os, time
def BID(m): return {own_bid}
def BEFORE(m):
    {before}
def AFTER(m):
    {after}
{GOOD}"""


def write_bot(folder: Path, source: str, name: str = "", more: str = "") -> Path:
    """A Python bot's folder with its manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(source)
    (folder / "bot.toml").write_text(
        f'name = "{name or folder.name}"\nversion = "1"\nauthor = "tests"\n'
        f'run = ["{sys.executable}", "-S", "bot.py"]\n{more}'
    )
    return folder


def write_quick_bot(folder: Path, more: str = "", turn: int | None = None) -> Path:
    """An honest bot that starts and answers in no time: the C animals' play without a misdeed.

    With a `turn` it declares in every third deal, the first of which the turn shifts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(_quick(), folder / "bot")
    run = '["./bot"]' if turn is None else f'["./bot", "{turn}"]'
    manifest = f'name = "{folder.name}"\nversion = "1"\nauthor = "tests"\nrun = {run}\n{more}'
    (folder / "bot.toml").write_text(manifest)
    return folder


@cache
def _quick() -> Path:
    """The program, compiled once for all tests of this process."""
    need("cc")
    place = Path(tempfile.mkdtemp(prefix="quick-"))
    atexit.register(shutil.rmtree, place)
    source = "static const char *misdeed(const char *line)\n{\n    return (void)line, NULL;\n}\n"
    (place / "bot.c").write_text(f'#include "play.h"\n{source}')
    zoo = Path(__file__).parents[1] / "zoo"
    subprocess.run(["cc", "-O1", f"-I{zoo}", "-o", "bot", "bot.c"], cwd=place, check=True)
    return place / "bot"


OPEN = '[limits]\nstart_s = 3600\n[sandbox]\nlevel = "none"\n'
"""The end of a league's file by which its bots, all our own, start in a third of the time.

And however busy the machine is.
"""


def write_league(
    folder: Path, names: str = "abc", deals: int = 5, more: str = "", sandbox: str = OPEN
) -> Path:
    """A league's file with honest bots beside it, each bidding in its own way."""
    for turn, name in enumerate(names):
        write_quick_bot(folder / name, turn=turn)
    path = folder / "league.toml"
    bots = ", ".join(f'"{name}"' for name in names)
    path.write_text(f"deals = {deals}\nbots = [{bots}]\n{more}{sandbox}")
    return path


def write_gated_league(folder: Path, names: str = "abc", deals: int = 5, more: str = "") -> Path:
    """A league that cannot be over before `open_gate`: until then its last bot bids nothing.

    What is played without that bot is played first.
    """
    gate = folder / "gate"
    gate.mkdir(parents=True)
    gate.chmod(0o755)  # bots may be other users
    sandbox = f'[limits]\nmove_s = 36000\nstart_s = 36000\n[sandbox]\nread_only = ["{gate}"]\n'
    turn = len(names) - 1
    league = write_league(folder, names, deals, more, sandbox)
    shutil.rmtree(folder / names[-1])
    bids = f"(m['deal'] + {turn}) % 3 // 2"
    write_bot(folder / names[-1], good(wait_at_gate(league), bid=bids))
    return league


def wait_at_gate(league: Path) -> str:
    """The statement that makes a bot of a gated league wait before it bids."""
    gate = league.parent / "gate"
    return f"while m['type'] == 'bid' and not os.path.exists('{gate}/open'): time.sleep(0.02)"


def open_gate(league: Path) -> None:
    (league.parent / "gate" / "open").touch()
