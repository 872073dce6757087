"""A site with tables for guests: its web process and that of tables, over a small league."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from arena.site.config import read_site
from arena.site.tables import watch_key
from tests.support.command import PROJECT, held_port
from tests.support.patience import until
from tests.support.seat_client import Client

BOT = """name = "{name}"
version = "1"
author = "{name}s"
run = ["python3", "bot.py"]
{more}
"""


class GuestSite:
    """The processes, each of which may be ended and begun again; the web listens at the port."""

    def __init__(self, folder: Path, more: str = "", port: int = 0, tables_port: int = 1) -> None:
        for name, agrees in (("willing", "guests = true"), ("shy", "")):
            bot = folder / name
            bot.mkdir()
            (bot / "bot.toml").write_text(BOT.format(name=name, more=agrees))
            source = Path(PROJECT, "sample_bots", "random", "bot.py")
            (bot / "bot.py").write_bytes(source.read_bytes())
        (folder / "ladder.toml").write_text(
            'format = "open"\nbots = ["willing", "shy"]\n[sandbox]\nlevel = "none"\n'
        )
        self.file = folder / "site.toml"
        quotas = "[quotas]\nrequests_a_minute = 100000\n"
        text = f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n{quotas}'
        guests = f'[guests]\nlisten = "127.0.0.1:{tables_port}"\ndeals = 2\n{more}'
        self.file.write_text(text + guests)
        self.folder = folder
        self.site = read_site(self.file)
        self.port, self.tables_port = port, tables_port
        self._all: list[subprocess.Popen[bytes]] = []

    def begin_tables(self) -> None:
        self.tables = self._begin("tables", self.tables_port)

    def begin_web(self) -> None:
        self.web = self._begin("web", self.port)

    @property
    def address(self) -> str:
        """Where tables are."""
        return f"http://127.0.0.1:{self.tables_port}"

    def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """Status, headers and JSON of an answer, as a page of the site asks."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        status, found, data = Client(self.address).ask(
            method, path, body, {"Sec-Fetch-Site": "same-origin", **given}
        )
        kind = found.get("content-type", "")
        return status, found, json.loads(data) if kind == "application/json" else data.decode()

    def sit(self, *bots: str, **headers: str) -> tuple[int, dict[str, str], Any]:
        """What is answered to somebody who wants to play some bots."""
        form = {f"bot{number}": bot for number, bot in enumerate(bots, 1)}
        kind = {"Content_Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", "/tables/", urlencode(form).encode(), **kind, **headers)

    def open_table(self, *bots: str, **headers: str) -> "SeatClient":
        """A table for a browser that has none, once earlier ones have ended."""

        def opened() -> str | None:
            status, found, said = self.sit(*bots, **headers)
            assert status in (303, 429), said
            return found["location"] if status == 303 else None

        return SeatClient(self, until(opened, 0.1))

    def _begin(self, name: str, port: int) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "arena.site", name, str(self.file)],
                cwd=PROJECT,
                stdin=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self._all.append(process)
        until(lambda: listens(port) or process.poll() is not None)
        assert process.poll() is None
        return process

    def end(self) -> None:
        for process in self._all:
            process.send_signal(signal.SIGTERM)
        for process in self._all:
            with process:  # which waits, and closes the pipes
                pass


class SeatClient(Client):
    """A guest's browser at its seat."""

    def __init__(self, site: GuestSite, path: str) -> None:
        super().__init__(f"{site.address}{path}")
        self.site, self.key = site, path.split("/")[2]
        self.watching = Client(f"{site.address}/tables/watch/{watch_key(self.key)}/")

    def about(self) -> Any:
        """What is told of the table besides its lines."""
        return json.loads(self.ask("GET", "about")[2])

    def answer(self, reply: object) -> int:
        return self.post("answer", reply, Sec_Fetch_Site="same-origin")

    def leave(self) -> int:
        return self.post("leave", {}, Sec_Fetch_Site="same-origin")


def listens(port: int) -> bool:
    """Whether something listens at a port."""
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def guest_site(folder: Path, more: str = "") -> Iterator[GuestSite]:
    """A site whose processes run, and have ended at the end."""
    with held_port() as port, held_port() as tables_port:
        site = GuestSite(folder, more, port, tables_port)
        try:
            site.begin_tables()
            site.begin_web()
            yield site
        finally:
            site.end()
