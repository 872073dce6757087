"""Players of a program's matches: bots' folders, functions, policies."""

import runpy
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from arena.base.installation import shipped
from arena.bots.names import mistake_in_name
from arena.engine.job import FunctionSeat
from arena.match.wire import (
    PROTOCOL,
    REPLY_TO,
    AnyReply,
    AnyRequest,
    Ask,
    AskPlay,
    PlayReply,
    Ready,
)
from arena.training.policies import Policy

Player = Callable[[AnyRequest], object]
"""Answers a request: a bid (`bid`), `take` or `give` (`talon`), two cards (`discard`), a card or
`offer` (`play`), true or false (`blind`, `surrender`, `offer`)."""


def policy_player(policy: Policy, surrenders: bool = False, history: bool = False) -> Player:
    """A policy as a player: it is shown what the adapter of bots makes of the requests.

    Observations have a `history` if it was trained with one. With `surrenders` it may offer its
    side's surrender. It decides one row at a time.
    """
    desks: dict[int, Any] = {}
    adapter = _adapter()
    size = adapter["SIZE"] + (adapter["HISTORY_SIZE"] if history else 0)

    def decide(observations: Sequence[bytes], masks: Sequence[bytes]) -> list[int]:
        seen = np.frombuffer(b"".join(observations), np.int8).reshape(-1, size)
        allowed = np.frombuffer(b"".join(masks), np.bool_).reshape(len(seen), -1)
        return [int(action) for action in np.asarray(policy(seen, allowed))]

    def player(request: AnyRequest) -> object:
        if request.seat not in desks:
            desks[request.seat] = adapter["Desk"](decide, surrenders, history)
        [says] = desks[request.seat].answers([msgspec.to_builtins(request)])
        value = next(said for key, said in says.items() if key not in ("type", "id"))
        return "offer" if isinstance(request, AskPlay) and value is True else value

    player.__name__ = getattr(policy, "__name__", "policy")
    return player


def seat_of_player(player: str | Path | Player, asks: Sequence[Ask]) -> Path | FunctionSeat:
    """A player as what sits in its seat. Functions are asked the questions between turns `asks`."""
    if not callable(player):
        return Path(player)
    name = str(getattr(player, "__name__", ""))
    return FunctionSeat(
        "function" if mistake_in_name(name) else name,
        Ready(PROTOCOL, asks=tuple(asks)),
        lambda request: _reply(request, player(request)),
    )


@cache
def _adapter() -> dict[str, Any]:
    """The only file that a policy needs to play as a bot."""
    return runpy.run_path(str(shipped("sample_bots") / "learned" / "player.py"))


def _reply(request: AnyRequest, answer: object) -> AnyReply:
    if isinstance(request, AskPlay) and answer == "offer":
        return PlayReply(id=request.id, offer=True)
    kind = REPLY_TO[type(request)]
    field, *_ = kind.__struct_fields__  # its own, before those of all replies
    with suppress(msgspec.ValidationError):
        if answer is not None:  # a card may be missing in a reply, but not in an answer
            return msgspec.convert({"id": request.id, field: answer}, kind)
    raise TypeError(f"{answer!r} is not an answer to {request.__struct_config__.tag}")
