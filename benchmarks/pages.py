"""How the pages feel in Chromium: `python -m benchmarks.pages`.

Prints the times between frames while cards move, what a step of a replay costs in a short match and
in a long one, and when the first table can be seen. A phone has a processor four times as slow.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.support.browser import Browser, program

ROOT: Final = Path(__file__).parent.parent
BOTS: Final = ("sample_bots/careful", "sample_bots/random", "sample_bots/lazy")
PHONE: Final = (390, 844)
CONNECTION: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 93_750,
}
"""Milliseconds, and bytes a second: as Lighthouse's slow phone has it."""

FRAMES: Final = """(async () => {
    const times = [];
    let on = true;
    const frame = (time) => { times.push(time); if (on) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    for (let step = 0; step < 60; step++) {
        document.querySelector("[data-key=ArrowRight]").click();
        await new Promise((done) => setTimeout(done, 400));
    }
    on = false;
    const between = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
    const at = (part) => between[Math.floor(part * between.length)];
    return [at(.5), at(.95), at(.99)];
})()"""

STEPS: Final = """(async () => {
    const spent = [];
    for (let step = 0; step < 60; step++) {
        const began = performance.now();
        document.querySelector("[data-key=ArrowRight]").click();
        await Promise.resolve();
        document.body.offsetHeight;
        spent.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 50));
    }
    return spent.sort((a, b) => a - b)[30];
})()"""


def replay(folder: Path, deals: int) -> Path:
    """The page of a match of this many deals, reviewed."""
    record, page = folder / f"{deals}.db", folder / f"{deals}.html"
    match = ("match", *BOTS, "--deals", str(deals), "--seatings", "one", "--isolation", "none")
    for words in (
        (*match, "--record", record),
        ("replay", record, "1", "--html", page, "--review"),
    ):
        arena = (sys.executable, "-m", "arena", *map(str, words))
        subprocess.run(arena, cwd=ROOT, check=True, capture_output=True)
    return page


@contextmanager
def table() -> Iterator[str]:
    """The address of a seat at a table."""
    words = (sys.executable, "-m", "arena", "play", "--no-browser", *BOTS[:2])
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(word for line in process.stdout for word in line.split() if "://" in word)
        finally:
            process.terminate()


def measured(page: Browser, script: str, slower: int) -> Any:
    page.call("Emulation.setCPUThrottlingRate", rate=slower)
    try:
        return page.value(script)
    finally:
        page.call("Emulation.setCPUThrottlingRate", rate=1)


def main() -> None:
    path = program()
    if path is None:
        raise SystemExit("the pages need Chromium")
    with tempfile.TemporaryDirectory() as scratch, Browser(path, compiled=True) as page:
        page.window(*PHONE)
        for deals, deal in ((10, 5), (1000, 500)):
            file = replay(Path(scratch), deals)
            for slower in (1, 4):
                page.open(file, f"#deal={deal}&ply=1")
                step = measured(page, STEPS, slower)
                page.open(file, f"#deal={deal}&ply=1")
                middle, late, latest = measured(page, FRAMES, slower)
                print(
                    f"deal {deal} of {deals}, {slower} times as slow: {step:.1f} ms a step;"
                    f" between frames {middle:.1f} ms, 95 % {late:.1f}, 99 % {latest:.1f}"
                )
        with table() as address:
            page.call("Network.enable")
            page.call("Network.emulateNetworkConditions", **CONNECTION)
            page.call("Emulation.setCPUThrottlingRate", rate=4)
            page.visit(address)
            page.until("document.querySelector('.felt .plate')")
            seen = page.value("performance.now()")
            print(f"the first table on a slow phone: after {seen:.0f} ms")


if __name__ == "__main__":
    main()
