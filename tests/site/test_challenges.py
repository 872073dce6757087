"""A challenge is played on the site's own machine, which rests after it."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.refusals import Busy
from arena.site.api import Challenged
from arena.site.challenges import Challenges
from arena.site.config import read_site
from arena.site.registry.bots import bots
from arena.site.registry.file import Registry
from arena.site.registry.requests import Challenge, request, requests
from tests.site.test_player import OVER_AT_ONCE, Short
from tests.support.registry import comes_in
from tests.support.whole_site import write_site


def test_a_challenge_is_played_in_every_seating_and_followed_by_a_rest(tmp_path: Path) -> None:
    life = Short(write_site(tmp_path, "abc", OVER_AT_ONCE))
    life.play()
    site = read_site(tmp_path / "site.toml")
    with closing(Registry.open(site.registry)) as registry:
        anna = comes_in(registry, "Anna")
        with registry.writing() as sql:
            row = ("a", anna.number, "a", "playing", "", 0)
            sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)
        assert [bot.name for bot in bots(registry, anna)] == ["a"]
        request(registry, anna, Challenge(("a", "b", "c")))
        challenges = Challenges(site, registry, life)
        assert challenges.next()
        [done] = requests(registry, anna)
        with pytest.raises(Busy, match="rests after a challenge"):
            challenges.refuse()
    assert msgspec.json.decode(done.answer, type=Challenged).matches == 6
