"""Checks of bots whose clocks no honest bot meets, on however slow a machine."""

import pytest

from arena.engine import process
from arena.tasks import check
from arena.zole.rules import Rules, preset

WIDE_S = 60.0


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give bots that are checked in this process much time to start, to answer and to end."""
    monkeypatch.setattr(check, "START_S", WIDE_S)
    monkeypatch.setattr(check, "SHORT_S", WIDE_S)
    monkeypatch.setattr(process, "GRACE_S", WIDE_S)
    monkeypatch.setattr(process, "EXIT_SEEN_S", WIDE_S)


def be_short_by_lzsf(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rules of lzsf alone wait shortly for an answer, of a bot that will never give one."""
    play_by = check._Check.play_by

    def short(self: check._Check, rules: Rules) -> None:
        monkeypatch.setattr(check, "SHORT_S", 3.0 if rules == preset("lzsf") else WIDE_S)
        play_by(self, rules)

    monkeypatch.setattr(check._Check, "play_by", short)
