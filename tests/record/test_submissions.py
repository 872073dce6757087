"""Who may enter a bot under which name."""

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot
from arena.record.submissions import Submission, enter_bot

MINE = Bot("mine", "1", "Anna", ("./run",))
THEIRS = msgspec.structs.replace(MINE, author="Berta")
LIKE_MINE = msgspec.structs.replace(MINE, name="MINE")


def entered(state: str) -> list[Submission]:
    entry = Submission(MINE.name, MINE, "a", "2026-01-01T00:00:00+00:00", "playing")
    return [msgspec.structs.replace(entry, state=state)]


@pytest.mark.parametrize("state", ["playing", "replaced", "withdrawn"])
def test_a_name_belongs_to_the_author_who_entered_it(state: str) -> None:
    with pytest.raises(ArenaError, match="the name mine is taken by Anna") as caught:
        enter_bot(entered(state), THEIRS, "b", "2026", ())
    assert str(caught.value).endswith("change it in bot.toml; --any-author passes it on")
    *_, own = enter_bot(entered(state), MINE, "b", "2026", ())
    assert own.name == "mine.2"


def test_names_of_the_leagues_file_and_those_that_differ_in_case_are_not_given_again() -> None:
    with pytest.raises(ArenaError, match="MINE differs only in case from mine"):
        enter_bot(entered("withdrawn"), LIKE_MINE, "b", "2026", ())
    names = [
        enter_bot([], bot, "b", "2026", taken)[0].name
        for bot, taken in ((LIKE_MINE, {"mine"}), (MINE, {"mine", "mine.2"}))
    ]
    assert names == ["MINE.2", "mine.3"]


def test_the_organiser_can_pass_a_name_on_for_good() -> None:
    old, new = enter_bot(entered("playing"), THEIRS, "b", "2026", (), any_author=True)
    assert (old.state, new.manifest.author) == ("replaced", "Berta")
    with pytest.raises(ArenaError, match="the name mine is taken by Berta"):
        enter_bot([old, new], MINE, "c", "2026", ())
