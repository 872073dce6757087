"""Whole matches with people in them: by every preset, with odd answers, leaving, running out."""

import random
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

import msgspec
import pytest

from arena.engine.job import Job, PersonLink
from arena.engine.players import LEFT
from arena.engine.worker import play_match
from arena.match.commands import MatchPlan
from arena.match.logged import play_again, verify
from arena.match.record import MatchRecord
from arena.match.wire import (
    AnyRequest,
    Bye,
    Hello,
    Limits,
    Refused,
    ToBot,
)
from arena.people.seat import READY, Conversation
from arena.sandbox.isolation import choose_isolation
from arena.zole.rules import preset, preset_names
from tests.support.people import by_chance
from tests.support.scripted import plan_of


class Person(threading.Thread):
    """Somebody at the other end: answers by chance, may leave, and may forget to answer."""

    def __init__(
        self, end: socket.socket, seed: int, leaves_after: int | None = None, sleeps: bool = False
    ) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()
        self.heard: list[ToBot] = []
        self.talk = Conversation()
        self._end = end
        self._dice = random.Random(seed)
        self._leaves_after = leaves_after
        self._sleeps = sleeps
        self.start()

    def run(self) -> None:
        with self._end, self._end.makefile("rb") as file:
            for line in file:
                said = self.talk.hear(line.strip(), 0.0)
                self.heard.append(said)
                if isinstance(said, Bye):
                    return
                if sum(self.asked.values()) == self._leaves_after:
                    self._end.shutdown(socket.SHUT_RDWR)
                    return
                if answer := self._answer(said):  # an answer is waited for, what is told is not
                    self._end.sendall(answer)

    def _answer(self, said: ToBot) -> bytes:
        if isinstance(said, Hello):
            return msgspec.json.encode(READY) + b"\n"
        request = self.talk.request
        if request is None:
            return b""
        if isinstance(said, Refused):
            self.asked["again"] += 1
        if isinstance(said, AnyRequest):
            self.asked[str(said.__struct_config__.tag)] += 1
            if self._sleeps:
                return b""
        reply = by_chance(request, self._dice, 0.03)
        return self.talk.reply(msgspec.json.encode(reply))


def sit(
    plan: MatchPlan, move_s: float | None = None, **of_first: object
) -> tuple[MatchRecord, Sequence[Person], MatchPlan]:
    """Play a match of people alone, the first of them in a way of its own; verify its record."""
    players = plan.rules.players
    limits = dict.fromkeys(range(players), Limits(None, None, 65536))
    limits[0] = Limits(move_s, None, 65536)
    plan = msgspec.structs.replace(plan, people=limits)
    with ExitStack() as stack:
        links, people = [], []
        for seat in range(players):
            ours, theirs = socket.socketpair()
            links.append(PersonLink("person", stack.enter_context(ours)))
            more = of_first if seat == 0 else {}
            people.append(Person(theirs, seat, **more))  # type: ignore[arg-type]
        record = play_match(Job(plan, tuple(links), choose_isolation("none")))
    for person in people:
        person.join()
    verify(plan, record)
    return record, people, plan


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", preset_names())
def test_people_play_by_every_preset(name: str, players: int) -> None:
    record, people, plan = sit(plan_of(preset(name, {"players": players}), 6))
    assert len(record.results.payments) == 6
    again = play_again(plan, record.log, record.results)
    for seat, person in enumerate(people):
        lines = [line for line, _ in again.transcript(seat)]
        assert person.heard == lines, "what a person is told is what a bot would be told"


def test_people_are_asked_all_that_can_be_asked() -> None:
    asked: Counter[str] = Counter()
    rules = preset(
        "lzsf",
        {
            "auction": {"contracts": ["ordinary", "solo", "blind"]},
            "surrender": {"declarer": "before_lead_3", "defender": True},
            "conduct": {"corrections": 1, "on_fault": "substitute"},
        },
    )
    for of_rules in (rules, preset("piedalies", {"conduct": {"corrections": 1}}), preset("pagat")):
        _, people, _ = sit(plan_of(of_rules, 12))
        for person in people:
            asked += person.asked
    kinds = {"bid", "talon", "discard", "play", "surrender", "offer", "blind", "again"}
    assert set(asked) == kinds


def test_leaving_costs_what_a_bots_leaving_costs() -> None:
    record, _, plan = sit(plan_of(deals=5, max_faults=3), leaves_after=4)
    mine = [each.fault for each in record.results.faults if each.fault.seat == 0]
    assert [(fault.kind, fault.detail) for fault in mine] == [("exited", LEFT)] * 3
    assert record.results.disqualified == (0,)
    assert record.stderr == ("",) * plan.rules.players


def test_a_clock_that_runs_out_is_a_fault_and_the_table_goes_on() -> None:
    rules = preset("pagat", {"conduct": {"on_fault": "substitute"}})
    record, people, _ = sit(plan_of(rules, 1), 0.02, sleeps=True)
    mine = [each.fault for each in record.results.faults if each.fault.seat == 0]
    assert {(fault.kind, fault.detail) for fault in mine} == {
        ("timeout", "no answer within 0.02 s")
    }
    assert len(mine) == sum(people[0].asked.values())
    assert people[0].heard[-1] == Bye("the match is over")
