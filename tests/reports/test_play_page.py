"""A person plays in a browser: keys and taps in, legal answers out, whatever happens in between."""

import json
import random
from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from arena.match.commands import MatchPlan
from arena.match.wire import AnyReply, AnyRequest, AskBid, AskPlay, BidReply, PlayReply
from arena.zole.deal import Seat
from arena.zole.rules import preset
from tests.support.browser import Browser, axe
from tests.support.chance import by_chance
from tests.support.scripted import Answer, plan_of
from tests.support.seated import Sitting

READY: Final = "document.querySelector('.asking[data-asked], [data-key=next], .over')"
SEEN: Final = """(() => {
    const asked = document.querySelector(".asking[data-asked]");
    const cards = (where) => [...document.querySelectorAll(where)]
        .map((it) => it.querySelector("[data-card]").dataset.card);
    return {
        deal: Number(/\\d+/.exec(document.querySelector(".top .rules")?.textContent ?? "0")[0]),
        over: document.querySelector(".over") !== null,
        ended: document.querySelector("[data-key=next]") !== null,
        asked: asked?.dataset.asked ?? null,
        id: Number(asked?.dataset.id ?? -1),
        hand: cards(".pickable"),
        legal: cards(".pickable.legal"),
        options: [...document.querySelectorAll(".options button")].map((it) => it.textContent),
    };
})()"""
PAGE: Final = """document.querySelector("#page").innerHTML
    .replace(/<span class="clock[^]*?<\\/span>/, "")"""
AT_ONCE: Final = 'localStorage.setItem("zole:pace", "at once")'
SMALLEST: Final = """Math.min(...[...document.querySelectorAll("button, select")]
    .map((it) => it.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]))"""


class Seen(msgspec.Struct, frozen=True):
    """What the page offers: a question with its cards or buttons, a deal's end, or the last."""

    deal: int
    over: bool
    ended: bool
    asked: str | None
    id: int
    hand: list[str]
    legal: list[str]
    options: list[str]


class Person:
    """Somebody in front of a browser, who answers by chance: with keys, or with taps."""

    def __init__(self, browser: Browser, seed: int, taps: bool = False, bids: float = 0.6) -> None:
        self.browser, self.taps, self.bids = browser, taps, bids
        self.dice = random.Random(seed)
        self.asked: set[str] = set()
        self.deals = 0

    def sits(self, address: str) -> None:
        self.browser.visit(address)
        self.browser.value(AT_ONCE)
        self.browser.reload()

    def looks(self, since: Seen | None = None) -> Seen:
        """What there is to do, once it is another thing than before."""
        new = "true" if since is None or since.over else _differs(since)
        self.browser.until(f"{READY} && {new}")
        return msgspec.convert(self.browser.value(SEEN), Seen)

    def does(self, seen: Seen) -> None:
        """Answer what is asked, or go on to the next deal."""
        if seen.ended:
            self.deals += 1
            self._chooses("[data-key=next]", "Enter")
            return
        assert seen.asked is not None
        self.asked.add(seen.asked)
        if seen.asked == "discard":
            for card in self.dice.sample(seen.hand, 2):
                self._takes(card, seen)
            self._chooses("[data-key=confirm]", "Enter")
        elif seen.legal and not (seen.asked == "surrender" and self.dice.random() < 0.05):
            self._takes(self.dice.choice(seen.legal), seen)
        else:
            most = len(seen.options)
            bids = most > 1 and self.dice.random() < self.bids
            number = self.dice.randint(2, most) if bids else 1
            where = f".options button:nth-of-type({number})"
            steps = len(seen.legal) + number - 1
            by_steps = seen.legal or self.dice.random() < 0.5
            keys = ("ArrowRight",) * steps + ("Enter",) if by_steps else (str(number),)
            self._chooses(where, *keys)

    def plays(self) -> None:
        """Play until the match is over."""
        seen = self.looks()
        while not seen.over:
            self.does(seen)
            seen = self.looks(seen)

    def taps_on(self, where: str) -> None:
        self.browser.value(f"document.querySelector({json.dumps(where)}).scrollIntoView()")
        x, y = self.browser.value(
            "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
            f"(document.querySelector({json.dumps(where)}).getBoundingClientRect())"
        )
        self.browser.click(x, y)

    def _takes(self, card: str, seen: Seen) -> None:
        place = seen.hand.index(card)
        where = f".pickable:nth-of-type({place + 1})"
        if self.dice.random() < 0.5 or seen.asked in ("discard", "surrender"):
            self._chooses(where, str((place + 1) % 10))
        else:
            steps = seen.legal.index(card)
            self._chooses(where, *("ArrowRight",) * steps, "Enter")

    def _chooses(self, where: str, *keys: str) -> None:
        if self.taps:
            self.taps_on(where)
        else:
            self.browser.press(*keys)


def _differs(since: Seen) -> str:
    if since.ended:
        return f"({SEEN}.deal !== {since.deal} || {SEEN}.over)"
    here = "document.querySelector('.asking[data-asked]')?.dataset"
    return f"({here}?.id != {since.id} || {here}?.asked != '{since.asked}')"


def others(seed: int) -> Answer:
    """Bots that answer by chance, bid little and often offer to give up."""
    dice = random.Random(seed)

    def answer(_: Seat, request: AnyRequest) -> AnyReply:
        match request:
            case AskBid() if dice.random() < 0.7:
                return BidReply(id=request.id, bid="pass")
            case AskPlay(may_offer=True) if dice.random() < 0.2:
                return PlayReply(id=request.id, offer=True)
        return by_chance(dice, request)

    return answer


def plan(name: str, deals: int = 2, **keys: object) -> MatchPlan:
    return plan_of(preset(name, keys), deals)


@pytest.fixture
def page(one_browser: Browser) -> Iterator[Browser]:
    """A wide window; nothing that the page does is a mistake of its script or its policy."""
    one_browser.window(1280, 860)
    yield one_browser
    problems = [each for each in one_browser.problems if "Failed to load resource" not in each]
    one_browser.leave()
    assert problems == []


def text(browser: Browser, where: str) -> str:
    found = browser.value(f"document.querySelector({json.dumps(where)})?.textContent ?? ''")
    return str(found)


def test_a_deal_is_played_by_keys_and_a_reload_changes_nothing(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address[0])
        seen = person.looks()
        for turn in range(30):
            if turn in (1, 4):
                before = page.value(PAGE)
                page.reload()
                assert person.looks() == seen
                assert page.value(PAGE) == before
            if turn == 2:
                assert axe(page) == []
            if seen.over:
                break
            person.does(seen)
            seen = person.looks(seen)
        assert "The match is over" in text(page, ".over")
        assert len(sitting.chairs[0].replies) >= 8


# --- every question of every preset ---

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
    "pagat": {"bid", "discard", "surrender", "offer", "play"},
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
        person.sits(sitting.address[0])
        person.plays()
        assert person.deals + 1 == len(EVERY[name].deals)
        assert ASKED.get(name, set()) <= person.asked
        assert page.value("document.documentElement.scrollWidth") <= (390 if taps else 1280)
