"""A site with tables for guests over a small league: its service in a thread or a process."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from arena.site.config import read_site
from arena.site.guest_table import watch_key
from arena.site.tables import GuestTables
from tests.support.command import PROJECT
from tests.support.patience import until
from tests.support.seat_client import Client

BOT = """name = "{name}"
version = "1"
author = "{name}s"
run = ["python3", "bot.py"]
{more}
"""
LEAGUE = 'format = "open"\nbots = ["willing", "shy"]\n[sandbox]\nlevel = "none"\n'
SITE = """league = "ladder.toml"
listen = "127.0.0.1:0"
[quotas]
requests_a_minute = 100000
[guests]
listen = "127.0.0.1:{port}"
deals = 2
"""
FORM = "application/x-www-form-urlencoded"


class GuestSite:
    """The files of the site, and what a browser asks its tables."""

    def __init__(self, folder: Path, port: int = 1) -> None:
        for name, agrees in (("willing", "guests = true"), ("shy", "")):
            (folder / name).mkdir()
            (folder / name / "bot.toml").write_text(BOT.format(name=name, more=agrees))
            source = Path(PROJECT, "sample_bots", "random", "bot.py")
            (folder / name / "bot.py").write_bytes(source.read_bytes())
        (folder / "ladder.toml").write_text(LEAGUE)
        self.file, self.port = folder / "site.toml", port
        self.file.write_text(SITE.format(port=port))
        self.site = read_site(self.file)
        self.address = f"http://127.0.0.1:{port}"

    @contextmanager
    def hosted(self) -> Iterator[None]:
        tables = GuestTables(self.site)
        thread = threading.Thread(target=lambda: asyncio.run(tables.run()))
        thread.start()
        try:
            until(lambda: tables.server.started or not thread.is_alive())
            assert thread.is_alive()
            yield
        finally:
            tables.server.stop()
            thread.join()

    @contextmanager
    def process(self) -> Iterator["subprocess.Popen[bytes]"]:
        """While the service runs as a process, which ends with the test."""
        with subprocess.Popen(
            [sys.executable, "-m", "arena.site", "tables", str(self.file)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process:
            try:
                until(lambda: listens(self.port) or process.poll() is not None)
                yield process
            finally:
                process.terminate()

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

    def sit(
        self, *bots: str, more: dict[str, str] | None = None, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """What is answered to somebody who wants to play some bots, with `more` in the form."""
        fields = {f"bot{number}": bot for number, bot in enumerate(bots, 1)} | (more or {})
        return self.ask(
            "POST", "/tables/", urlencode(fields).encode(), Content_Type=FORM, **headers
        )

    def open_table(
        self, *bots: str, more: dict[str, str] | None = None, **headers: str
    ) -> "SeatClient":
        """A table for a browser that has none, once earlier ones have ended."""

        def opened() -> str | None:
            status, found, said = self.sit(*bots, more=more, **headers)
            assert status in (303, 503), said
            return found["location"] if status == 303 else None

        return SeatClient(self, until(opened, 0.1))


class SeatClient(Client):
    def __init__(self, site: GuestSite, path: str) -> None:
        super().__init__(f"{site.address}{path}")
        self.key = path.split("/")[2]
        self.watching = Client(f"{site.address}/tables/watch/{watch_key(self.key)}/")

    def about(self) -> Any:
        """What is told of the table besides its lines."""
        return json.loads(self.ask("GET", "about")[2])

    def ended(self) -> Any:
        """What is told of the table once it is over."""
        with self.events() as stream:
            stream.until("over")
        return self.about()

    def answer(self, reply: object) -> int:
        return self.post("answer", reply, Sec_Fetch_Site="same-origin")

    def leave(self) -> int:
        return self.post("leave", {}, Sec_Fetch_Site="same-origin")


def listens(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0
