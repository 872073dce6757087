"""Who uses a site while it is harmed: authors, guests, readers that stall, and strangers."""

import http.client
import json
import random
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.base.refusals import Missing
from arena.bots.archive import pack
from arena.match.wire import AnyRequest, message_in
from arena.site.guest_table import kept_log, watch_key
from arena.site.registry.accounts import Accepted
from tests.support.people import by_chance
from tests.support.web import SAME
from tests.support.whole_site import WholeSite, write_author_bot

_ASK_S: Final = 30.0
_TROUBLES: Final = (OSError, http.client.HTTPException, json.JSONDecodeError)

PAGES: Final = (
    *("/", "/start", "/ledger", "/ledger.json", "/standings.json", "/ledger/lines"),
    *("/openapi.json", "/health", "/tables.json", "/matches", "/robots.txt"),
)


class Said(msgspec.Struct):
    """What the site has said was done. All of it must be there at the end."""

    uploads: dict[str, str] = {}
    """Their bots' names, by id; of archives that hold no bot, nothing."""
    challenges: list[str] = []
    logs: dict[str, bytes] = {}
    """Guests' logs, once they lay on the disk, by the paths at which they are told."""
    matches: int = 0
    answers: int = 0
    pages: dict[str, bytes] = {}
    """What was last answered, to be searched for secrets."""


class Actors:
    """All of them, each a thread with dice of its own, until they are told to stop."""

    def __init__(self, site: WholeSite, author: Accepted, folder: Path, seed: int) -> None:
        self.said = Said()
        self._site, self._author, self._folder, self._seed = site, author, folder, seed
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._act, args=(turn,), name=turn.__name__, daemon=True)
            for turn in (self._submits, self._challenges, self._plays, self._stalls, self._attacks)
        ]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def stop(self) -> None:
        self._over.set()
        for each in self._threads:
            each.join()

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        """Status of an answer, and its body or where it leads; 0 where none came."""
        site = self._site.site
        port = site.tables_at[1] if path.startswith("/tables/") else site.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ASK_S)
        with closing(connection):
            try:
                given = {name.replace("_", "-"): value for name, value in headers.items()}
                connection.request(method, path, body, given)
                answer = connection.getresponse()
                data = answer.read() or (answer.getheader("Location") or "").encode()
            except _TROUBLES:
                return 0, b""
            self.said.answers += 1
            return answer.status, data

    def _act(self, turn: Callable[[random.Random], None]) -> None:
        dice = random.Random(f"{self._seed} {turn.__name__}")
        while not self._over.wait(dice.uniform(0.05, 1.0)):
            turn(dice)

    def _submits(self, dice: random.Random) -> None:
        """Send an own bot, sometimes a new version of an old one."""
        name = f"x{dice.randrange(12)}"
        bot = write_author_bot(self._folder / name, "me", dice.randrange(9))
        (bot / "note").write_text(str(dice.random()))
        self._send(pack(bot), name)
        self._over.wait(dice.uniform(0, 8))

    def _send(self, data: bytes, name: str) -> None:
        own = {"Authorization": f"Bearer {self._author.token}"}
        status, said = self.ask("POST", "/api/v1/bots", data, **own)
        if status == 202:
            self.said.uploads[json.loads(said)["id"]] = name

    def _challenges(self, dice: random.Random) -> None:
        body = json.dumps(
            {"type": "challenge", "bots": ["a", "b", f"x{dice.randrange(12)}"]}
        ).encode()
        own = {"Authorization": f"Bearer {self._author.token}", "Content-Type": "application/json"}
        status, said = self.ask("POST", "/api/v1/jobs", body, **own)
        if status == 200:
            self.said.challenges.append(json.loads(said)["id"])
        match = dice.randint(1, max(1, self.said.matches))
        status, page = self.ask("GET", f"/matches/{match}/replay")
        self.said.pages["replay"] = page

    def _plays(self, dice: random.Random) -> None:
        """Sit down at a table, and play it to its end unless that is broken off."""
        form = {**SAME, "Content_Type": "application/x-www-form-urlencoded"}
        status, said = self.ask("POST", "/tables/", b"bot1=random&bot2=careful", **form)
        if status != 303:
            return
        seat = said.decode()
        with suppress(*_TROUBLES):
            self._sit(seat, dice, {**SAME, "Content_Type": "application/json"})
        status, log = self.ask("GET", f"{seat}log")
        if status == 200 and log:
            with suppress(Missing):  # the disk was full, say
                kept_log(self._site.site.tables / "kept", watch_key(seat.split("/")[2]))
                self.said.logs[f"{seat}log"] = log

    def _sit(self, seat: str, dice: random.Random, headers: dict[str, str]) -> None:
        port = self._site.site.tables_at[1]
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=_ASK_S)) as stream:
            stream.request("GET", f"{seat}lines")
            lines = stream.getresponse()
            while not self._over.is_set() and (line := lines.readline()):
                if line.startswith(b"event: over"):
                    return
                if not line.startswith(b"data: "):
                    continue
                with suppress(msgspec.MsgspecError, ValueError):
                    said: Any = message_in(line[6:])
                    if isinstance(said, AnyRequest):
                        reply = msgspec.json.encode(by_chance(said, dice))
                        self.ask("POST", f"{seat}answer", reply, **headers)

    def _stalls(self, dice: random.Random) -> None:
        """Ask for a page and take none of it; look at another."""
        port = self._site.site.port
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), _ASK_S) as end:
            end.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            self._over.wait(dice.uniform(0, 15))
        path = dice.choice(PAGES)
        self.said.pages[path] = self.ask("GET", path)[1]
        with suppress(OSError, TypeError):
            found = self._site.document("numbers")
            self.said.matches = max(self.said.matches, found["matches"])

    def _attacks(self, dice: random.Random) -> None:
        """Send what is no archive, or no request."""
        junk = dice.randbytes(dice.randrange(1, 5000))
        if dice.random() < 0.3:
            bot = pack(write_author_bot(self._folder / "bad", "me", 1, "limits = 0xff\n"))
            at = dice.randrange(len(bot))
            self._send(dice.choice([junk, bot, bot[:at], bot[:at] + junk + bot[at:]]), "")
            return
        lines = (
            b"GET /",
            b"POST /api/v1/bots HTTP/1.1\r\n",
            b"\0",
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        )
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._site.site.port), 5) as end,
        ):
            end.sendall(dice.choice(lines) + junk)
            self._over.wait(dice.uniform(0, 0.5))
