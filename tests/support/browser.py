"""A browser without a window, and its one page: this machine's Chromium, driven by Playwright."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from playwright.sync_api import Error, sync_playwright

from tests.support.patience import PATIENCE_S

# Any will do. The first, which cannot have a window, needs two thirds of the processor time.
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

SWITCHES: Final = (
    "--disable-gpu",
    "--in-process-gpu",
    "--proxy-server=127.0.0.1:9",  # nobody listens there: whatever the page asks for fails
)
INTERPRETED: Final = "--js-flags=--no-opt --no-maglev --liftoff-only"

_FILES: Final = 4096  # a browser hangs where it may open no more than a few files

SHOWN: Final = """(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const all = (where) => [...document.querySelectorAll(where)];
    return {
        title: document.title,
        text: document.body.innerText,
        tree: document.body.innerHTML.replace(/<script[^>]*>[^]*?<\\/script>/g, ""),
        values: all("input").map((it) => [it.min, it.max, it.value]),
        drawings: all("canvas").map((it) => it.toDataURL()),
    };
})()"""

FOUND: Final = """axe.run(
    document.querySelector("dialog:modal") ?? document, { resultTypes: ["violations"] }
).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map((node) =>
        `${id}: ${help}: ${node.target} ${node.any.map((it) => it.message)}`)))"""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


def program() -> str | None:
    """The browser of this machine; None where there is none."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def axe(browser: "Browser") -> list[str]:
    """What axe finds wrong with the page as it is shown: the rule, and where it is broken."""
    if browser.value("typeof axe") == "undefined":
        browser.value(f"{_axe()}; 0")
    browser.value("document.getAnimations().forEach((each) => each.finish())")
    return list(browser.value(FOUND))


def _namespaces() -> bool:
    """Whether this user may have the namespaces that the browser's own sandbox needs."""
    words = ("unshare", "--user", "true")
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


@cache
def _axe() -> str:
    return (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")


class Browser(ExitStack):
    """One browser with one page. `problems` and `requests` are of the page opened last.

    Scripts are `compiled` where pages live long enough for that to be worth it.
    Playwright runs an event loop in its thread, where no other can run, so it has one of its own.
    """

    def __init__(self, path: str, language: str = "en-US", compiled: bool = False) -> None:
        super().__init__()
        self._path, self._language = path, language
        self._switches = SWITCHES if compiled else (*SWITCHES, INTERPRETED)
        self._left = False
        self._opened = 0
        self.problems: list[str] = []
        self.requests: list[str] = []

    def __enter__(self) -> "Browser":
        self._thread = self.enter_context(ThreadPoolExecutor(1))
        self._do(self._begin)
        return self

    def _begin(self) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(_FILES, hard), hard))
        try:
            playwright = sync_playwright().start()
            self.callback(self._do, playwright.stop)
            browser = playwright.chromium.launch(
                executable_path=self._path,
                args=self._switches,
                chromium_sandbox=os.geteuid() != 0 and _namespaces(),
            )
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        self.callback(self._do, browser.close)
        self._context = browser.new_context(locale=self._language)
        self._context.set_default_timeout(PATIENCE_S * 1000)
        self._page = self._context.new_page()
        self._page.on("console", lambda message: self.problems.append(message.text))
        self._page.on("pageerror", lambda error: self.problems.append(str(error)))
        self._page.on("request", lambda request: self.requests.append(request.url))
        self._session = self._context.new_cdp_session(self._page)

    def _do(
        self, act: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs
    ) -> _Found:
        return self._thread.submit(act, *given, **named).result()

    # --- what a reader does ---

    def open(self, file: Path, address: str = "") -> None:
        """Load a file from disk, from the beginning even where only the address differs.

        That is why each time has a query of its own, which a file does not read.
        """
        self._opened += 1
        self._visit(f"{file.as_uri()}?{self._opened}{address}")

    def visit(self, address: str) -> None:
        """Load a page from a server of this machine."""
        self.leave()
        self._visit(address)

    def reload(self) -> None:
        self._do(self._page.reload)

    def leave(self) -> None:
        """Go to an empty page; what the last one did wrong is forgotten."""
        if not self._left:
            self._visit("about:blank")
            self._left = True
        self.problems, self.requests = [], []

    def forget(self) -> None:
        self._do(self._context.clear_cookies)

    def scripts(self, allowed: bool) -> None:
        """Whether pages opened from now on may run scripts."""
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def offline(self, cut: bool) -> None:
        """Whether the network is cut."""
        self._do(self._context.set_offline, cut)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; `Shift+f` is one key."""
        for key in keys:
            self._do(self._page.keyboard.press, key)

    def click(self, x: float, y: float) -> None:
        self._do(self._page.mouse.click, x, y)

    def tap(self, x: float, y: float) -> None:
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, x: float, y: float, across: float, down: float, touch: bool = False) -> None:
        """Hold what lies at a place, move it by some pixels in a few steps, and let it go."""

        def at(share: float) -> dict[str, float]:
            return {"x": x + share * across, "y": y + share * down}

        shares = [step / 4 for step in range(5)]
        if touch:
            for share in shares:
                what = "touchMove" if share else "touchStart"
                self.call("Input.dispatchTouchEvent", type=what, touchPoints=[at(share)])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        self._do(self._page.mouse.move, x, y)
        self._do(self._page.mouse.down)
        for share in shares:
            self._do(self._page.mouse.move, *at(share).values())
        self._do(self._page.mouse.up)

    def touch(self, enabled: bool = True) -> None:
        """Whether the window is touched: buttons then have no numbers, and lie elsewhere."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=enabled)

    def window(self, width: int, height: int, scheme: Any = "light", still: bool = False) -> None:
        """The size of the window in pixels, the colours, and whether less motion is asked for."""
        self.touch(False)
        self._do(self._page.set_viewport_size, {"width": width, "height": height})
        motion: Any = "reduce" if still else "no-preference"
        self._do(self._page.emulate_media, color_scheme=scheme, reduced_motion=motion)

    # --- what a reader sees ---

    def value(self, expression: str) -> Any:
        """What an expression comes to in the page; a promise is waited for."""
        return self._do(self._page.evaluate, expression)

    def until(self, expression: str) -> None:
        """Wait until an expression holds, on this page or on one that it leads to.

        Playwright's own wait evaluates a text in the page, which the policy of ours forbids.
        """
        looks = (
            f"new Promise((done) => {{ const end = performance.now() + {PATIENCE_S * 500:.0f};"
            " const look = () =>"
            f" ({expression}) ? done(true) : performance.now() > end ? done(false)"
            " : setTimeout(look, 20); look(); })"
        )
        for _ in range(20):
            try:
                held = self.value(looks)
            except Error as error:
                if "navigat" not in error.message and "context was destroyed" not in error.message:
                    raise
            else:
                assert held, f"never true: {expression}"
                return
        raise AssertionError(f"it never stays on a page: {expression}")

    def shown(self) -> dict[str, Any]:
        """All that the page holds for a reader once it is drawn, its drawings as pictures."""
        return dict(self.value(SHOWN))

    def picture(self) -> bytes:
        picture: bytes = self._do(self._page.screenshot)
        return picture

    def call(self, method: str, **params: Any) -> Any:
        """Ask for what Playwright has no words for, in those of the DevTools' protocol."""
        return self._do(self._session.send, method, params)

    def _visit(self, address: str) -> None:
        self._left = False
        self.problems, self.requests = [], []
        self._do(self._page.goto, address)
