"""Somebody at the page of a seat: looks at it, and answers by chance, with keys or with taps."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from arena.match.commands import MatchPlan
from tests.support.browser import Browser
from tests.support.patience import until
from tests.support.seated import Reviews, Sitting, others

READY: Final = "document.querySelector('.asking[data-asked], [data-key=next], .over')"
SEEN: Final = """(() => {
    const asked = document.querySelector(".asking[data-asked]");
    const cards = (where) => [...document.querySelectorAll(where)]
        .map((it) => it.querySelector("[data-card]").dataset.card);
    return {
        deal: Number(/\\d+/.exec(document.querySelector(".top .rules")?.textContent)?.[0] ?? 0),
        over: document.querySelector(".over") !== null,
        ended: document.querySelector("[data-key=next]") !== null,
        asked: asked?.dataset.asked ?? null,
        id: Number(asked?.dataset.id ?? -1),
        hand: cards(".pickable"),
        legal: cards(".pickable.legal"),
        options: [...document.querySelectorAll(".options button")].map((it) => it.textContent),
    };
})()"""
# All that the page holds, but for what comes by itself in its own time. Browsers write a style at
# any place among an element's attributes, so it is made the last one.
PAGE: Final = """(() => {
    const copy = document.querySelector("#page").cloneNode(true);
    const comes = ".clock, .clock + .hidden, .better, .looking";
    copy.querySelectorAll(comes).forEach((it) => it.remove());
    for (const it of copy.querySelectorAll("[style]")) {
        const style = it.getAttribute("style");
        it.removeAttribute("style");
        it.dataset.style = style;
    }
    return copy.innerHTML;
})()"""

# Over once the page takes a press for one that is meant for what it asks now.
SETTLED: Final = "new Promise((done) => setTimeout(done, 310))"

AT_ONCE: Final = 'localStorage.setItem("zole:pace", "at once")'
# Whether two cards are chosen, and stand as no other does.
CHOSEN_STAND_UP: Final = """(() => {
    const stand = (pressed) => [...document.querySelectorAll(`.pickable[aria-pressed=${pressed}]`)]
        .map((it) => getComputedStyle(it).transform);
    const chosen = stand(true);
    return chosen.length === 2 && !stand(false).some((each) => chosen.includes(each));
})()"""

SMALLEST: Final = """Math.min(...[...document.querySelectorAll("button, select")]
    .filter((it) => it.checkVisibility())
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
        return until(lambda: self.glances(None if since is None or since.over else since))

    def reloads(self, seen: Seen) -> None:
        """Load the page again, until it has told all its lines anew and shows what it showed."""
        self.browser.value(SETTLED)
        shown = self.browser.value(PAGE)
        self.browser.reload()
        until(lambda: (self.looks(), self.browser.value(PAGE)) == (seen, shown))

    def glances(self, since: Seen | None) -> Seen | None:
        """What there is to do, if there is anything new."""
        new = "true"
        if since is not None and since.ended:
            new = f"({SEEN}.deal !== {since.deal} || {SEEN}.over)"
        elif since is not None:
            here = "document.querySelector('.asking[data-asked]')?.dataset"
            new = f"({here}?.id != {since.id} || {here}?.asked != '{since.asked}')"
        seen = self.browser.value(f"{READY} && {new} ? {SEEN} : null")
        return None if seen is None else msgspec.convert(seen, Seen)

    def does(self, seen: Seen) -> None:
        """Answer what is asked, or go on to the next deal."""
        self.browser.value(SETTLED)
        if seen.ended:
            self.deals += 1
            self._chooses("[data-key=next]", "Enter")
            return
        assert seen.asked is not None
        self.asked.add(seen.asked)
        if seen.asked == "discard":
            for card in self.dice.sample(seen.hand, 2):
                self._takes(card, seen)
            self.browser.until(CHOSEN_STAND_UP)
            self._chooses("[data-key=confirm]", "Enter")
        elif seen.legal:
            self._takes(self.dice.choice(seen.legal), seen)
        else:
            most = len(seen.options)
            share = 0.05 if seen.asked == "surrender" else self.bids
            bids = most > 1 and self.dice.random() < share
            number = self.dice.randint(2, most) if bids else 1
            where = f".options button:nth-of-type({number})"
            by_steps = self.dice.random() < 0.5
            keys = ("ArrowRight",) * number + ("Enter",) if by_steps else (str(number),)
            self._chooses(where, *keys)

    def moves(self, seen: Seen) -> Seen:
        """Answer what is asked, and look at what comes then."""
        self.does(seen)
        return self.looks(seen)

    def plays(
        self, reloads: float = 0.0, until: Callable[[Seen], object] = lambda seen: seen.over
    ) -> Seen:
        """Play until the match is over, or something else is so; load the page again at times."""
        seen = self.looks()
        while not until(seen):
            if self.dice.random() < reloads:
                self.reloads(seen)
            seen = self.moves(seen)
        return seen

    def taps_on(self, where: str) -> None:
        self.browser.touch()
        it = f"document.querySelector({json.dumps(where)})"
        self.browser.value(f"{it}.scrollIntoView()")
        moves = f"{it}.getAnimations({{ subtree: true }}).map(({{ finished }}) => finished)"
        self.browser.value(f"Promise.allSettled({moves}).then(() => 0)")  # a card is still dealt
        x, y = self.browser.value(
            "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
            f"(document.querySelector({json.dumps(where)}).getBoundingClientRect())"
        )
        self.browser.tap(x, y)

    def _takes(self, card: str, seen: Seen) -> None:
        place = seen.hand.index(card)
        where = f".pickable:nth-of-type({place + 1})"
        if self.dice.random() < 0.5 or seen.asked == "discard":
            self._chooses(where, str((place + 1) % 10))
        else:
            steps = seen.legal.index(card) + 1
            self._chooses(where, *("ArrowRight",) * steps, "Enter")

    def _chooses(self, where: str, *keys: str) -> None:
        if self.taps:
            self.taps_on(where)
        else:
            self.browser.press(*keys)


@contextmanager
def at_table(
    page: Browser,
    match: MatchPlan,
    seed: int = 1,
    *,
    taps: bool = False,
    bids: float = 0.6,
    dice: int = 3,
    reviews: Reviews | None = None,
) -> Iterator[tuple[Sitting, Person]]:
    """Somebody who has just sat down to a match against others by chance."""
    with Sitting(match, others(dice), reviews) as sitting:
        person = Person(page, seed, taps, bids)
        person.sits(sitting.address)
        yield sitting, person


def state_of(page: Browser, seen: Seen) -> str:
    """A name for what is on the table."""
    if seen.over:
        return "over"
    if seen.ended:
        return "end"
    if seen.asked != "play":
        return str(seen.asked)
    laid = page.value("document.querySelectorAll('.trick .laid').length")
    return f"play-{laid}"
