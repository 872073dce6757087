"""Pictures of every state of the pages: `python -m tools.states FOLDER [LANGUAGE]`.

They are for looking at, one by one: in all the windows of `tests/support/fits.py`, light and dark.
What is asked at a table is met by playing a match to its end. `index.html` has them all.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.reports.page import page_review, replay_page
from tests.reports.test_viewer_review import COMMAND, reviewed
from tests.support.at_a_page import AT_ONCE, SETTLED, Person, state_of
from tests.support.browser import Browser, program
from tests.support.fits import WINDOWS
from tests.support.made_site import MadeSite
from tests.support.page_server import page_server
from tests.support.seated import Sitting, others, plan

SCHEMES: Final = {"light": WINDOWS, "dark": ((1280, 800), (390, 844), (844, 390))}
"""Every window in light colours; a desk and a phone, upright and sideways, in dark ones as well."""

ONWARDS: Final = """(() => {
    const next = "[data-key=next]";
    const button = "[data-key=confirm]:not([aria-disabled=true]), .options [data-pointed]";
    const card = ".pickable[data-pointed]:not([aria-pressed=true])";
    (document.querySelector(next) ?? document.querySelector(`${button}, ${card}`))?.click();
})()"""
LONGEST_LESSON: Final = 100  # steps and answers
STILL: Final = "document.getAnimations().forEach((each) => each.finish())"
REVIEWED: Final = {
    "seat": 0,
    "kind": "play",
    "trick": 3,
    "step": 9,
    "answers": [("9D", 1.15, 2.0), ("KD", 0.4, 1.0), ("QC", -0.1, 0.0)],
    "given": "QC",
    "best": "9D",
    "loss": 1.25,
    "error": 0.1,
    "open_loss": 2,
    "worlds": 60,
    "exact": False,
}
"""What a server says of one answer of a deal."""

REPLAYS: Final = {
    "replay": "",
    "replay-seat": "#ply=12&seat=1",
    "replay-auction": "#ply=1",
    "replay-end": "#ply=26",
}
PAGES: Final = ("/", "/play", "/tv", "/standings", "/zole", "/bots/x")
PARTS: Final = ("result", "tricks", "review")


class Album:
    """The pictures of a folder."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.names: list[str] = []
        self._folder, self._browser = folder, browser
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, name: str) -> None:
        """Take a state's pictures."""
        self.names.append(name)
        for scheme, windows in SCHEMES.items():
            for width, height in windows:
                self._browser.window(width, height, scheme)
                self._browser.value(SETTLED)
                self._browser.value(STILL)
                file = self._folder / f"{name}-{width}x{height}-{scheme}.png"
                file.write_bytes(self._browser.picture())
        self._browser.window(1280, 800)

    def close(self) -> None:
        """Write the page that has them all."""
        rows = "\n".join(
            f"<h2>{name}</h2>"
            + "".join(
                f'<img src="{name}-{width}x{height}-{scheme}.png" width="{width // 2}" alt="">'
                for scheme, windows in SCHEMES.items()
                for width, height in windows
            )
            for name in self.names
        )
        text = f'<!doctype html><meta charset="utf-8"><title>States</title>{rows}\n'
        (self._folder / "index.html").write_text(text)


@contextmanager
def opened(page: Browser, what: str) -> Iterator[None]:
    """Something that lies over the table while it is looked at."""
    page.value(f"document.querySelector('{what}').click()")
    yield
    page.press("Escape")


def table(page: Browser, album: Album, players: int) -> None:
    """A match of some players, each state of it once."""
    rules = {"players": players} if players > 3 else {}
    every = {deal: [REVIEWED] for deal in range(12)}
    with Sitting(plan("pagat", 12, **rules), others(3), reviews=every) as sitting:
        person = Person(page, 1, bids=0.7)
        person.sits(sitting.address)
        seen, met = person.looks(), set[str]()
        while True:
            state = state_of(page, seen)
            if state not in met:
                met.add(state)
                album.take(f"table-of-{players}-{state}")
            if players == 3 and state == "play-2" and "hint" not in met:
                met.add("hint")
                page.press("h")
                page.until("document.querySelector('.hinted') !== null")
                album.take("table-hint")
                with opened(page, ".tools button:not(.opens-sheet) + button"):
                    album.take("table-help")
                with opened(page, "[data-key=t]"):
                    album.take("table-trumps")
                with opened(page, ".opens-sheet"):
                    album.take("table-sheet")
                with opened(page, ".tools button:not(.opens-sheet)"):
                    album.take("table-settings")
            if players == 3 and state == "end" and "parts" not in met:
                met.add("parts")
                for number, part in enumerate(PARTS):
                    page.value(SETTLED)
                    page.value(f"document.querySelectorAll('.parts button')[{number}].click()")
                    album.take(f"table-end-{part}")
                page.value("document.querySelector('.parts button').click()")
            if seen.over:
                return
            person.does(seen)
            seen = person.looks(seen)


def lesson(page: Browser, album: Album) -> None:
    """The guided deals, some of their steps."""
    with Sitting(plan("pagat"), others(3)) as sitting:
        page.visit(f"{sitting.address}learn")
        page.value(AT_ONCE)
        page.reload()
        for step in range(LONGEST_LESSON):
            if page.value("document.querySelector('.learnt') !== null"):
                return
            page.value(SETTLED)
            if step % 10 == 4:
                album.take(f"lesson-{step}")
            page.value(ONWARDS)
    raise AssertionError("the lesson does not go on")


def replays(page: Browser, album: Album, folder: Path) -> None:
    match, found = reviewed(1)
    file = folder / "replay.html"
    file.write_text(replay_page(match, review=page_review(match, found, COMMAND)))
    for name, address in REPLAYS.items():
        page.open(file, address)
        album.take(name)
    with opened(page, "[popovertarget=more]"):
        album.take("replay-more")


def pages(page: Browser, album: Album) -> None:
    with page_server(MadeSite()) as site:
        site.replay = replay_page(reviewed(1)[0])
        assert {*PAGES} <= {*site.shown}
        for path in PAGES:
            page.visit(site.address + path)
            album.take(f"site-{path.strip('/').replace('/', '-') or 'home'}")
        page.leave()


def main() -> None:
    path = program()
    if path is None or len(sys.argv) not in (2, 3):
        raise SystemExit("python -m tools.states FOLDER [LANGUAGE]; the pictures need Chromium")
    folder, language = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "en"
    with Browser(path, language) as page:
        album = Album(folder, page)
        for players in (3, 4, 5):
            table(page, album, players)
        lesson(page, album)
        replays(page, album, folder)
        pages(page, album)
        album.close()
    print(f"{len(album.names)} states: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
