"""Makes the documents' pictures anew: `.venv/bin/python -m tools.pictures` (needs Chromium)."""

import io
import re
import shutil
import tempfile
from base64 import b64decode
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.text import Text

from arena.record.store import Store
from arena.record.summary import summarize
from arena.reports.standings import standings_table
from arena.reports.terminal import show_table
from tests.support.at_a_page import Person
from tests.support.browser import Browser, program
from tests.support.command import run_here
from tests.support.made_site import MadeSite
from tests.support.page_server import page_server
from tests.support.seated import Sitting, others, plan
from tools.webp import moving

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
COMMAND = "scripts/arena league leagues/spring.toml"
COLUMNS = 80
FRAME = (760, 470)
"""Of the moving picture, in pixels."""

QUALITY = 40

STAGES = (2, 6, 16, 40)
"""How many deals of each table are played when the moving picture shows the standings."""

PLIES = range(7, 18)
"""Moments of a deal that it shows: the first tricks."""

WINDOW = (1150, 660)
"""Of the replay page and of a table, in pixels."""

SITE = {
    "site": ("/standings", 1280, 900, "light"),
    "site-deal": ("/deals/1/1", 1150, 660, "dark"),
    "site-upload": ("/me/uploads/failed", 1150, 560, "light"),
}
"""Pictures of a site's pages: path, window and colours."""

SEED = "7"
"""The pictures are of practice deals: only with a seed of one's choice are they always the same."""


def play(folder: Path, deals: int | None = None) -> Path:
    """Play the spring league in a folder, or fewer deals of it; the path of its record."""
    league = folder / "leagues/spring.toml"
    league.parent.mkdir()
    text = (ROOT / "leagues/spring.toml").read_text()
    league.write_text(text if deals is None else re.sub(r"deals = \d+", f"deals = {deals}", text))
    shutil.copytree(ROOT / "sample_bots", folder / "sample_bots")
    done = run_here("league", league, "--seed", SEED)
    assert done.returncode == 0, done.stderr
    return league.with_suffix(".db")


def standings_picture(record: Path) -> str:
    """A league's standings in a terminal, as an SVG that fetches no fonts."""
    out = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    out.print(Text(f"$ {COMMAND}\n", style="bold"))
    with closing(Store.open(record)) as store:
        show_table(standings_table(summarize(store)), out)
    drawn = out.export_svg(title="Zole Arena", unique_id="standings")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


def replay_picture(record: Path, folder: Path, browser: Browser) -> bytes:
    """A moment in a match on the replay page, as a PNG."""
    page = folder / "replay.html"
    done = run_here("replay", record, "1", "--html", page)
    assert done.returncode == 0, done.stderr
    browser.window(*WINDOW)
    browser.open(page, "#deal=4&ply=14")
    return browser.picture()


def table_picture(browser: Browser) -> bytes:
    """A person's turn at the table, as a PNG."""
    with Sitting(plan("pagat", 3), others(3)) as sitting:
        person = Person(browser, 1, bids=1.0)
        person.sits(sitting.address)
        browser.window(*WINDOW)
        seen = person.looks()
        while browser.value("document.querySelectorAll('.trick .laid').length") < 2:
            person.does(seen)
            seen = person.looks(seen)
        browser.value("document.getAnimations().forEach((each) => each.finish())")
        return browser.picture()


def moving_picture(folder: Path, browser: Browser, stages: Sequence[int] = STAGES) -> bytes:
    """A league from its first sets to its end, and a deal at a table, as a WebP that moves."""
    frames = []

    def look(page: Path, ms: int, address: str = "") -> None:
        browser.open(page, address)
        browser.value("document.querySelector('main')?.scrollIntoView()")
        shown = browser.call("Page.captureScreenshot", format="webp", quality=QUALITY)
        frames.append((b64decode(shown["data"]), ms))

    browser.window(*FRAME)
    record = play(folder, stages[0])
    for deals in stages:
        league = record.with_suffix(".toml")
        league.write_text(re.sub(r"deals = \d+", f"deals = {deals}", league.read_text()))
        for command in (
            ("league", league, "--seed", SEED),
            ("report", league),
        ):
            done = run_here(*command)
            assert done.returncode == 0, done.stderr
        look(record.with_suffix(".html"), 900)
    page = folder / "deal.html"
    done = run_here("replay", record, "1", "--html", page)
    assert done.returncode == 0, done.stderr
    for ply in PLIES:
        look(page, 600, f"#deal=2&ply={ply}")
    return moving(frames, *FRAME, times=3)


def site_picture(path: str, browser: Browser, width: int, height: int, scheme: str) -> bytes:
    """The window at a page of a made site, as a PNG; without a script, whose times go on."""
    with page_server(MadeSite()) as server:
        browser.scripts(False)
        browser.window(width, height, scheme)
        browser.visit(server.address + path)
        shown = browser.picture()
        browser.scripts(True)
        browser.leave()
    return shown


def main() -> None:
    path = program()
    if path is None:
        raise SystemExit("the pictures need Chromium")
    with tempfile.TemporaryDirectory() as scratch, Browser(path) as browser:
        folder = Path(scratch)
        record = play(folder)
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / "standings.svg").write_text(standings_picture(record))
        (PICTURES / "replay.png").write_bytes(replay_picture(record, folder, browser))
        again = folder / "again"
        again.mkdir()
        (PICTURES / "league.webp").write_bytes(moving_picture(again, browser))
        (PICTURES / "table.png").write_bytes(table_picture(browser))
        for name, of_site in SITE.items():
            (PICTURES / f"{name}.png").write_bytes(site_picture(of_site[0], browser, *of_site[1:]))


if __name__ == "__main__":
    main()
