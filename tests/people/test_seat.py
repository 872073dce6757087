"""A person's seat: its answers and clock, what its watchers see, and whole matches of people."""

import random
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

import msgspec
import pytest

from arena.base.refusals import Conflict
from arena.engine.job import Job, PersonLink
from arena.engine.players import LEFT
from arena.engine.worker import play_match
from arena.match.commands import MatchPlan
from arena.match.logged import play_again, verify
from arena.match.record import MatchRecord
from arena.match.wire import (
    AnyRequest,
    AskBid,
    Bye,
    DealEnd,
    Hello,
    Limits,
    Malformed,
    Ready,
    Refused,
    ToBot,
)
from arena.people.seat import READY, Conversation, watched
from arena.sandbox.isolation import choose_isolation
from arena.zole.rules import preset, preset_names
from tests.support.alike import mixed, played
from tests.support.people import by_chance
from tests.support.scripted import plan_of

by_every_preset = pytest.mark.parametrize(
    ("name", "players"), [(name, players) for name in preset_names() for players in (3, 4)]
)


@by_every_preset
def test_watchers_are_told_all_that_all_seats_are_told(name: str, players: int) -> None:
    dice = random.Random(3)
    plan = plan_of(preset(name, {"players": players}), 3)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    again = play_again(plan, log)
    for seat in range(players):
        sent = [line for line, _ in again.transcript(seat)]
        lines = [msgspec.json.decode(line) for line in map(watched, sent) if line]
        assert lines[0]["type"] == "hello"
        assert "seed" not in lines[0]
        for deal, game in enumerate(again.deals):
            mine = [line for line in lines if line.get("deal") == deal]
            assert [line["type"] for line in mine] == ["told"] * (len(mine) - 1) + ["deal_end"]
            expected = msgspec.json.decode(msgspec.json.encode(game.events))
            del expected[0]["seat"]
            assert [event for line in mine for event in line["events"]] == expected
            assert mine[-1]["result"] == msgspec.json.decode(msgspec.json.encode(game.result))


def test_no_line_has_what_only_the_person_is_told() -> None:
    plan = plan_of(preset("pagat"), 1)
    dice = random.Random(1)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    lines = [line for line, _ in play_again(plan, log).transcript(0)]
    for line in lines:
        heard = watched(line)
        if not isinstance(line, DealEnd) and heard is not None:
            told = msgspec.json.decode(heard)
            assert {*told} <= {"type", "deal", "events", "rules", "players"}


def test_a_hint_is_noted_with_the_answer_that_follows_it() -> None:
    talk = Conversation()
    request = plan_request(7)
    talk.hear(msgspec.json.encode(request), 0.0)
    reply = by_chance(request, random.Random(1))
    talk.hint(reply)
    line = talk.reply(msgspec.json.encode(reply))
    assert msgspec.json.decode(line)["note"].startswith("hint: ")
    with pytest.raises(Conflict):
        talk.reply(msgspec.json.encode(reply))
    with pytest.raises(Malformed):
        talk.reply(b"?")
    with pytest.raises(Conflict):
        talk.reply(msgspec.json.encode(Ready(1)))


def plan_request(number: int) -> AnyRequest:
    """A request to bid."""
    return AskBid(number, 0, 0, 0, (), 120.0, ("7C",), ("pass", "ordinary"))


def test_the_seconds_left_are_those_of_the_first_time_it_was_asked() -> None:
    talk = Conversation()
    assert talk.left_s(1.0) is None
    talk.hear(msgspec.json.encode(plan_request(1)), 10.0)
    assert talk.left_s(40.0) == 90.0
    talk.reply(msgspec.json.encode({"type": "bid", "id": 1, "bid": "all"}))
    assert talk.request is None
    talk.hear(msgspec.json.encode(Refused(1, "illegal", "no")), 50.0)
    assert talk.request is not None
    assert talk.left_s(60.0) == 70.0
    assert talk.left_s(600.0) == 0.0


# --- whole matches ---


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


def faults_of_first(record: MatchRecord) -> list[tuple[str, str]]:
    faults = [each.fault for each in record.results.faults]
    return [(fault.kind, fault.detail) for fault in faults if fault.seat == 0]


@by_every_preset
def test_people_play_by_every_preset(name: str, players: int) -> None:
    record, people, plan = sit(plan_of(preset(name, {"players": players}), 6))
    assert len(record.results.payments) == 6
    again = play_again(plan, record.log, record.results)
    for seat, person in enumerate(people):
        lines = [line for line, _ in again.transcript(seat)]
        assert person.heard == lines, "what a person is told is what a bot would be told"


def test_people_are_asked_all_that_can_be_asked() -> None:
    asked: Counter[str] = Counter()
    settings: dict[str, object] = {
        "auction": {"contracts": ["ordinary", "solo", "blind"]},
        "surrender": {"declarer": "before_lead_3", "defender": True},
        "conduct": {"corrections": 1, "on_fault": "substitute"},
    }
    corrected: dict[str, object] = {"conduct": {"corrections": 1}}
    for rules in (preset("lzsf", settings), preset("piedalies", corrected), preset("pagat")):
        for person in sit(plan_of(rules, 12))[1]:
            asked += person.asked
    kinds = {"bid", "talon", "discard", "play", "surrender", "offer", "blind", "again"}
    assert set(asked) == kinds


def test_leaving_costs_what_a_bots_leaving_costs() -> None:
    record, _, plan = sit(plan_of(deals=5, max_faults=3), leaves_after=4)
    assert faults_of_first(record) == [("exited", LEFT)] * 3
    assert record.results.disqualified == (0,)
    assert record.stderr == ("",) * plan.rules.players


def test_a_clock_that_runs_out_is_a_fault_and_the_table_goes_on() -> None:
    rules = preset("pagat", {"conduct": {"on_fault": "substitute"}})
    record, people, _ = sit(plan_of(rules, 1), 0.02, sleeps=True)
    mine = faults_of_first(record)
    assert set(mine) == {("timeout", "no answer within 0.02 s")}
    assert len(mine) == sum(people[0].asked.values())
    assert people[0].heard[-1] == Bye("the match is over")
