"""People among the bots of a match: how they are entered, their seats and their limits."""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.bots.names import free_name
from arena.engine.person import PersonLink
from arena.match.wire import Limits

ABSENT_S: Final = 300.0
"""Seconds in which people with a clock must come; one who is away for longer has left the table."""

PERSON_CONTENT: Final = hashlib.sha256(b"a person").hexdigest()
"""The content of a person's entry, in place of the hash of a bot's files."""

_PERSON: Final = Bot("person", "-", "-", ("-",))


class People(msgspec.Struct, frozen=True):
    """The people of a match: their links, the seat of the first, the seconds for an answer.

    They sit side by side. The links bear their names, by which they are entered.
    """

    links: tuple[PersonLink, ...]
    seat: int
    move_s: float | None

    def limits(self, of_bots: Limits) -> dict[str, Limits]:
        """The limits of each of them, by name."""
        absent_s = None if self.move_s is None else ABSENT_S
        held_to = Limits(self.move_s, absent_s, of_bots.line_bytes)
        return {link.name: held_to for link in self.links}


def names_of_people(count: int) -> tuple[str, ...]:
    """The names under which `count` people are entered."""
    if count == 1:
        return (_PERSON.name,)
    return tuple(f"{_PERSON.name} {number}" for number in range(1, count + 1))


def is_person(bot: Bot) -> bool:
    """Whether an entry is a person's."""
    return bot.run == _PERSON.run and not bot.folder


def seat_people(people: People, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """Everybody by seat; bots that look like people get other names. Raises `ArenaError`."""
    persons = [msgspec.structs.replace(_PERSON, name=link.name) for link in people.links]
    if people.seat + len(persons) > len(persons) + len(bots):
        last = len(bots)
        raise ArenaError(Mistake("there is no such seat", "--seat", f"it may be 0 to {last}"))
    taken = [person.name for person in persons]
    others: list[Bot] = []
    for bot in bots:
        others.append(msgspec.structs.replace(bot, name=free_name(bot.name, taken)))
        taken.append(others[-1].name)
    return (*others[: people.seat], *persons, *others[people.seat :])
