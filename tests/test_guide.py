"""The author's guide keeps its word: its first bot plays, and its tables name every message."""

import re
from pathlib import Path

import pytest

from arena.match.wire import AnyReply, AnyRequest, Event, Message
from arena.tasks import check
from tests.support.checks import be_patient, be_short_by_lzsf
from tests.support.command import run

GUIDE = (Path(__file__).parents[1] / "protocol/README.md").read_text()


def block(language: str) -> str:
    """The guide's first block of a language."""
    found = re.search(rf"```{language}[^\n]*\n(.*?)```", GUIDE, re.DOTALL)
    assert found
    return found.group(1)


@pytest.mark.slow
def test_the_first_bot_of_the_guide_passes_its_check_and_is_entered_into_the_example_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LONG", 2)
    be_patient(monkeypatch)
    be_short_by_lzsf(monkeypatch)
    bot, league = tmp_path / "first", tmp_path / "spring.toml"
    bot.mkdir()
    (bot / "bot.py").write_text(block("python"))
    (bot / "bot.toml").write_text(block("toml"))
    checked = run("check", bot)
    assert checked.returncode == 0, checked.stdout
    assert "remark it would not survive rules of lzsf: blind" in checked.stdout
    home = Path(__file__).parents[1]
    league.write_text((home / "leagues/spring.toml").read_text().replace("../", f"{home}/"))
    submitted = run("submit", bot, "--league", league)
    assert submitted.returncode == 0, submitted.stdout
    assert "entered: as first" in submitted.stdout


def test_the_first_bot_has_ten_lines() -> None:
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("kind", [Event, Message])
def test_the_guide_names_every_field_of_every_line(kind: type[Event | Message]) -> None:
    rows: dict[str, str] = {}
    for row in GUIDE.splitlines():
        if row.startswith("| `"):
            tag = row.split("|")[1].strip()
            rows[tag] = rows.get(tag, "") + row
    for each in kind.__subclasses__():
        for message in each.__subclasses__() or [each]:
            tag = f"`{message.__struct_config__.tag}`"
            assert tag in rows, tag
            own = set(message.__struct_encode_fields__)
            shared = set(each.__struct_encode_fields__) if message is not each else set()
            for field in own - shared:
                assert f"`{field}`" in rows[tag], f"{field} of {tag}"


def test_every_answer_names_its_request() -> None:
    tags = {request.__struct_config__.tag for request in AnyRequest.__args__}
    assert tags == {reply.__struct_config__.tag for reply in AnyReply.__args__}
