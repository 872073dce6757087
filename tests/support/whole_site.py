"""A whole site as `arena serve` runs it, with a league of quick bots."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from arena.base.refusals import Busy
from arena.site.config import Site, read_site
from arena.site.published import Published
from arena.site.registry import Registry
from arena.site.registry.accounts import Accepted, accept, invite
from tests.support.bots import OPEN, write_quick_bot
from tests.support.command import held_port
from tests.support.patience import PATIENCE_S, until
from tests.support.registry import patient

T = TypeVar("T")


def write_site(folder: Path, names: Iterable[str] = "ab", league: str = "", site: str = "") -> Path:
    """The file of a site, and beside it a league with a quick bot of each of some authors."""
    for turn, name in enumerate(names):
        write_author_bot(folder / name, f"{name} and son", turn)
    bots = ", ".join(f'"{name}"' for name in names)
    (folder / "ladder.toml").write_text(f'format = "open"\nbots = [{bots}]\n{league}{OPEN}')
    path = folder / "site.toml"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:0"\n{site}')
    return path


def write_author_bot(folder: Path, author: str, turn: int = 0, more: str = "") -> Path:
    write_quick_bot(folder, turn=turn, more=more)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"tests"', f'"{author}"'))
    return folder


class WholeSite:
    """A site that runs. `lines` are what it says."""

    def __init__(self, path: Path) -> None:
        self.site: Site = read_site(path)
        self.log = path.with_suffix(".said")
        with self.log.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "arena", "serve", str(path)],
                stderr=file,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.log.read_text()

    def comes_in(self, name: str) -> Accepted:
        return self.registry(lambda registry: accept(registry, invite(registry, name)))

    def registry(self, do: Callable[[Registry], T]) -> T:
        with closing(patient(Registry.open(self.site.registry, self.site.quotas))) as registry:
            return do(registry)

    def document(self, key: str) -> Any:
        with closing(Published(self.site.published)) as published:
            found = published.document(key)
            return None if found is None else json.loads(found)

    def kill(self, name: str) -> None:
        pid = self.pid(name)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    def pid(self, name: str) -> int | None:
        """The number of a process of it, while that runs."""
        for pid in self.pids():
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
                if words[2:4] == ["arena.site", name]:
                    return pid
        return None

    def pids(self) -> list[int]:
        pid = self.process.pid
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.site.address}{path}", timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    def wait_for(self, what: Callable[[], object]) -> None:
        def look() -> bool:
            holds = _holds(what)
            assert holds or self.process.poll() is None, self.said()[-4000:]
            return holds

        until(look, 0.05)

    def end(self) -> int:
        """End it; its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


def _holds(what: Callable[[], object]) -> bool:
    try:
        return bool(what())
    except (OSError, Busy):
        return False


def _listening(text: str, port: int, tables_port: int) -> str:
    """The text of a site's file with ports for the site and for its tables."""
    text = re.sub('listen = "[^"]*" # tables\n', "", text)
    text = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{port}", text)
    if "[guests]\n" not in text:
        text += "\n[guests]\n"
    listen = f'listen = "127.0.0.1:{tables_port}" # tables\n'
    return text.replace("[guests]\n", f"[guests]\n{listen}")


@contextmanager
def running(path: Path) -> Iterator[WholeSite]:
    """A site while it runs, at a port of its own; nobody of it is left behind."""
    with held_port() as port, held_port() as tables_port:
        path.write_text(_listening(path.read_text(), port, tables_port))
        site = WholeSite(path)
        try:
            yield site
        finally:
            if site.process.poll() is None:
                site.end()
