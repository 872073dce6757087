"""A browser without a window, driven over its DevTools pipe: keys in, what the page shows out."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
from base64 import b64decode
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.patience import PATIENCE_S

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Any will do. The first, which cannot have a window, needs two thirds of the processor time."""

SWITCHES = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-features=RenderDocument",  # a new frame for each page is a fifth of its cost
    "--disable-sync",
    "--hide-scrollbars",
    "--js-flags=--no-opt --no-maglev --liftoff-only",  # no page lives long enough to be compiled
    "--proxy-server=127.0.0.1:9",  # nobody listens there: whatever the page asks for fails
)

WIRING = 'ulimit -Sn 4096; exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null'
"""The browser's pipe are its files 3 and 4. It ends by itself when they do, if we are killed.

It hangs where it may open no more than a few files.
"""

CODES = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "Escape": 27,
    "Tab": 9,
    " ": 32,
    "Enter": 13,
}
"""The key codes that the browser wants beside a key's name."""

SHOWN = """(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const all = (where) => [...document.querySelectorAll(where)];
    return {
        title: document.title,
        text: document.body.innerText,
        tree: document.body.innerHTML.replace(/<script>[^]*?<\\/script>/g, ""),
        values: all("input").map((it) => [it.min, it.max, it.value]),
        drawings: all("canvas").map((it) => it.toDataURL()),
    };
})()"""

FOUND = """axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map((node) =>
        `${id}: ${help}: ${node.target} ${node.any.map((it) => it.message)}`)))"""

Fields = dict[str, Any]


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


class Browser:
    """One browser with one page. `problems` and `requests` are of the page opened last."""

    def __init__(self, path: str, switches: tuple[str, ...] = SWITCHES) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        sandbox = [] if os.geteuid() != 0 and _namespaces() else ["--no-sandbox"]
        profile = f"--user-data-dir={self._profile.name}"
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", WIRING, path, *switches, *sandbox, profile, "about:blank"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._write, self._read = self._process.stdin, self._process.stdout
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self._loaded = ""
        self._left = False
        self._opened = 0
        self.problems: list[str] = []
        self.requests: list[str] = []

    def __enter__(self) -> "Browser":
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            target = next(each["targetId"] for each in targets if each["type"] == "page")
            attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
            self._session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
            self.call("Page.setLifecycleEventsEnabled", enabled=True)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser with all its processes."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._read.close()
        self._write.close()
        self._profile.cleanup()

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
        """Load the page again."""
        before = self._loaded
        self.call("Page.reload")
        while self._loaded == before:
            self._note(self._next())

    def leave(self) -> None:
        """Go to an empty page; what the last one did wrong is forgotten."""
        if not self._left:
            self._visit("about:blank")
            self._left = True
        self.problems, self.requests = [], []

    def scripts(self, allowed: bool) -> None:
        """Whether pages opened from now on may run scripts."""
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; `Shift+f` is one key."""
        for each in keys:
            name = each.rpartition("+")[2] if len(each) > 1 else each
            shift = each.startswith("Shift+")
            typed = name.upper() if shift and len(name) == 1 else name
            key: Fields = {
                "key": typed,
                "modifiers": 8 if shift else 0,
                "windowsVirtualKeyCode": CODES.get(name, ord(name[0].upper())),
            }
            text = (
                {"text": "\r" if name == "Enter" else typed}
                if len(typed) == 1 or name == "Enter"
                else {}
            )
            self.call("Input.dispatchKeyEvent", type="keyDown", **key, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def click(self, x: float, y: float) -> None:
        """Move the mouse to a point of the window and click there."""
        at: Fields = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", **{**at, "button": "none"}, type="mouseMoved")
        self.call("Input.dispatchMouseEvent", type="mousePressed", **at)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **at)

    def tap(self, x: float, y: float) -> None:
        """Touch a point of the window with a finger."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def touch(self, enabled: bool = True) -> None:
        """Whether the window is touched: buttons then have no numbers, and lie elsewhere."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=enabled)

    def window(self, width: int, height: int, scheme: str = "light") -> None:
        """The size of the window in pixels, and the colours."""
        self.touch(False)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    # --- what a reader sees ---

    def value(self, expression: str) -> Any:
        """What an expression comes to in the page; a promise is waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression holds; to look at every frame would have all of them drawn."""
        held = self.value(
            f"new Promise((done) => {{ const end = performance.now() + {PATIENCE_S * 500:.0f};"
            " const look = () =>"
            f" ({expression}) ? done(true) : performance.now() > end ? done(false)"
            " : setTimeout(look, 20); look(); })"
        )
        assert held, f"never true: {expression}"

    def goes_on(self, expression: str) -> None:
        """Wait until an expression holds on the next page; the last one takes its answer along."""
        for _ in range(20):
            try:
                return self.until(expression)
            except AssertionError as error:
                if not re.search("navigated|context was destroyed|find context", str(error)):
                    raise
        raise AssertionError(f"it never stays on a page: {expression}")

    def shown(self) -> Fields:
        """All that the page holds for a reader once it is drawn, its drawings as pictures."""
        return dict(self.value(SHOWN))

    def picture(self) -> bytes:
        """The window as a PNG."""
        return b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    # --- the pipe ---

    def call(self, method: str, **params: Any) -> Fields:
        """Ask the browser one thing and wait for its answer; events in between are kept."""
        self._number += 1
        message: Fields = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        self._write.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])
            self._note(answer)

    def _visit(self, address: str) -> None:
        self._left = False
        self.problems, self.requests = [], []
        loader = self.call("Page.navigate", url=address)["loaderId"]
        while self._loaded != loader:  # the page before may only now be loaded
            self._note(self._next())

    def _note(self, event: Fields) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Page.lifecycleEvent" if params["name"] == "load":
                self._loaded = params["loaderId"]
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Log.entryAdded":
                self.problems.append(params["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.problems.append(json.dumps(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.problems.append(json.dumps(params["args"]))

    def _next(self) -> Fields:
        """The next message from the browser."""
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], PATIENCE_S)[0]:
                raise AssertionError("the browser does not answer")
            received = os.read(self._read.fileno(), 1 << 20)
            if not received:
                raise AssertionError("the browser has ended")
            self._buffer += received
        line, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(line))
