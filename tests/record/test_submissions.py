"""Who may enter a bot under which name."""

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot
from arena.record.submissions import Submission, enter_bot

MINE = Bot("mine", "1", "Anna", ("./run",))
THEIRS = msgspec.structs.replace(MINE, author="Berta")


def entered(bot: Bot, digest: str, state: str) -> list[Submission]:
    entry = Submission(bot.name, bot, digest, "2026-01-01T00:00:00+00:00", "playing")
    return [msgspec.structs.replace(entry, state=state)]


@pytest.mark.parametrize("state", ["playing", "replaced", "withdrawn"])
def test_a_name_belongs_to_the_author_who_entered_it(state: str) -> None:
    entries = entered(MINE, "a", state)
    with pytest.raises(ArenaError, match="the name mine is taken by Anna") as caught:
        enter_bot(entries, THEIRS, "b", "2026", ())
    [mistake] = caught.value.mistakes
    assert mistake.remedy == "change it in bot.toml"
    assert str(mistake).endswith("; --any-author passes it on")
    *_, own = enter_bot(entries, MINE, "b", "2026", ())
    assert own.name == "mine.2"


def test_a_name_that_differs_only_in_case_from_a_submitted_one_is_refused() -> None:
    like = msgspec.structs.replace(MINE, name="MINE")
    with pytest.raises(ArenaError, match="MINE differs only in case from mine"):
        enter_bot(entered(MINE, "a", "withdrawn"), like, "b", "2026", ())
    [own] = enter_bot([], like, "b", "2026", {"mine"})
    assert own.name == "MINE.2"


def test_the_organiser_can_pass_a_name_on_for_good() -> None:
    entries = entered(MINE, "a", "playing")
    old, new = enter_bot(entries, THEIRS, "b", "2026", (), any_author=True)
    assert (old.state, new.manifest.author) == ("replaced", "Berta")
    with pytest.raises(ArenaError, match="the name mine is taken by Berta"):
        enter_bot([old, new], MINE, "c", "2026", ())
