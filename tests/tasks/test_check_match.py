"""What a match of the checked bot tells of its first fault."""

from pathlib import Path

import pytest

from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.match.wire import Limits
from arena.sandbox.isolation import choose_isolation
from arena.tasks.check_match import CheckFailed, play_script
from arena.tasks.check_scenes import MISTAKES, script_of
from arena.zole.rules import preset
from tests.support.bots import good, write_bot

UNTIMED = Limits(None, None, 65536)
APART = choose_isolation("none")


def test_the_lines_of_the_deal_of_the_first_fault_are_shown(tmp_path: Path) -> None:
    source = good(before="if t == 'bid' and m['deal']: answer['bid'] = 'grand'")
    program = prepare(read_bot(write_bot(tmp_path / "bot", source)), APART)
    with pytest.raises(CheckFailed, match=r'illegal in deal 3 \("deal": 2\), asked bid') as failure:
        play_script(program, script_of(preset(), UNTIMED, MISTAKES), APART)
    *_, asked, answer, fault = failure.value.show
    assert asked.startswith('> {"type":"bid",')
    assert '"deal":2,' in asked
    assert "grand" in answer
    assert fault.startswith("! illegal")
