"""Whatever any preset asks a person is answered at the page: by keys, by taps, with reloads."""

from typing import Final

import pytest

from tests.support.at_a_page import Person
from tests.support.browser import Browser
from tests.support.seated import Sitting, others, plan

EVERY: Final = {
    "pagat": plan("pagat", 12),
    "piedalies": plan("piedalies", 6),
    "lzsf": plan("lzsf", 12),
    "lzsf of five": plan("lzsf", 6, players=5),
    "four": plan("pagat", 6, players=4),
    "ranked": plan("pagat", 6, auction={"mode": "ranked"}),
    "gamerules": plan("gamerules", 3),
    "zole_net": plan("zole_net", 4),
    "pools": plan("piedalies", 4, all_pass="pool", pools={"enabled": True}),
}
ASKED: Final = {
    "pagat": {"bid", "discard", "offer", "play"},
    "lzsf": {"blind", "bid", "talon", "play"},
}


@pytest.mark.slow
@pytest.mark.parametrize("taps", [False, True], ids=["keys", "taps"])
@pytest.mark.parametrize("name", EVERY)
def test_every_preset_is_played_to_its_end(page: Browser, name: str, taps: bool) -> None:
    if taps:
        page.window(390, 844, "dark")
    with Sitting(EVERY[name], others(8)) as sitting:
        person = Person(page, 2, taps)
        person.sits(sitting.address)
        person.plays()
        assert person.deals + 1 == len(EVERY[name].deals)
        assert ASKED.get(name, set()) <= person.asked
        assert page.value("document.documentElement.scrollWidth") <= (390 if taps else 1280)
