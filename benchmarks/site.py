"""What a site's web process spends on a page, a 304, a document, and a reader in an hour.

Each arena serves what a league of its own has played. Readers do as the script of its pages does.
"""

import http.client
import json
import re
import selectors
import socket
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep, time
from typing import Final

from benchmarks.figures import Row, Rows, Run, Times, compared, took
from benchmarks.places import Spent
from benchmarks.readers import EVERY_S, playing, polling, serving, spent_s

ASKED: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "a page": ("/", {}),
    "a page, packed": ("/", {"Accept-Encoding": "gzip"}),
    "a 304": ("/", {"If-None-Match": ""}),
    "a document": ("/standings.json", {}),
}
TIMES: Final = 400
READERS: Final = 200
WINDOW_S: Final = 30.0


def measure(run: Run) -> Rows:
    """Ask each arena in turn."""
    times: dict[str, Times] = {what: {each.name: [] for each in run.places} for what in ASKED}
    hours: dict[str, list[float]] = {each.name: [] for each in run.places}
    begins: Times = {each.name: [] for each in run.places}
    with ExitStack() as stack:
        served: dict[str, tuple[int, int, Path]] = {}
        for place in run.places:
            folder = Path(stack.enter_context(TemporaryDirectory()))
            with playing(folder, place):
                sleep(EVERY_S)
            process, port = stack.enter_context(serving(folder, place))
            served[place.name] = process.pid, port, folder
        for places in run.in_turn():
            for place in places:
                pid, port, folder = served[place.name]
                for what, (path, headers) in ASKED.items():
                    times[what][place.name].append(_asked(pid, port, path, headers))
                hours[place.name].append(_followed_s(pid, port, folder))
                began = monotonic()
                with serving(folder, place) as (process, port):
                    _answer(port)
                    begins[place.name].append(Spent(monotonic() - began, spent_s(process.pid)))
    for what, found in times.items():
        yield compared(f"{what}, of the web process", found, took)
    yield compared("its first page, from its start", begins, took)
    figures = [f"{median(each):.2f} s" for each in hours.values()]
    if len(figures) > 1:
        mine, other = hours.values()
        figures.append(f"{median(other) / median(mine):.2f}")
    what = f"processor time for a reader in an hour, with {READERS} of them and news every second"
    yield Row(what, tuple(figures))


def _answer(port: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as to:
        to.request("GET", "/start")
        to.getresponse().read()


def _asked(pid: int, port: int, path: str, headers: Mapping[str, str]) -> Spent:
    """Ask for something many times over one connection; what each took."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as to:

        def ask(headers: Mapping[str, str]) -> http.client.HTTPResponse:
            to.request("GET", path, headers={"Accept": "text/html", **headers})
            answer = to.getresponse()
            answer.read()
            return answer

        tag = ask({}).headers["ETag"]
        given = {name: value or tag for name, value in headers.items()}
        ask(given)
        began, before = monotonic(), spent_s(pid)
        for _ in range(TIMES):
            ask(given)
        return Spent(monotonic() - began, spent_s(pid) - before).each(TIMES)


def _followed_s(pid: int, port: int, folder: Path) -> float:
    """The seconds of processor time that a reader takes in an hour, with news every second."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as to:
        to.request("GET", "/")
        page = to.getresponse().read()
    every = re.search(rb'data-every="(\d+)"', page)  # else its pages follow a stream
    following = polling(port, READERS, float(every[1])) if every else _streams(port)
    with following, closing(sqlite3.connect(_published(folder))) as news:
        began, before = monotonic(), spent_s(pid)
        while monotonic() - began < WINDOW_S:
            _tell(news)
            sleep(1)
        spent = spent_s(pid) - before
        return spent / READERS * 3600 / (monotonic() - began)


@contextmanager
def _streams(port: int) -> Iterator[None]:
    """Readers of an arena whose pages followed events: each fetches what is new since its mark."""
    stop = threading.Event()
    follower = threading.Thread(target=_follow, args=(port, stop))
    follower.start()
    try:
        yield
    finally:
        stop.set()
        follower.join()


def _follow(port: int, stop: threading.Event) -> None:
    due: dict[int, tuple[float, str]] = {}
    had: dict[int, str] = {}
    with ExitStack() as stack:
        found = stack.enter_context(selectors.DefaultSelector())
        page = stack.enter_context(closing(http.client.HTTPConnection("127.0.0.1", port)))
        ask = f"GET /events?of=/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        for _ in range(READERS):
            reader = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            reader.sendall(ask)
            found.register(reader, selectors.EVENT_READ)
        while not stop.is_set():
            for key, _ in found.select(0.05):
                said = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                if marks := re.findall(rb'"mark":"([^"]*)","within_s":(\d+)', said):
                    mark, within_s = marks[-1]
                    due[key.fd] = monotonic() + int(within_s) * random(), mark.decode()
            for reader_fd in [each for each, (at, _) in due.items() if at <= monotonic()]:
                _, mark_now = due.pop(reader_fd)
                since = f"/?in=en&since={had.get(reader_fd, '')}&at={mark_now}"
                page.request("GET", since, headers={"Accept-Encoding": "gzip"})
                page.getresponse().read()
                had[reader_fd] = mark_now


def _published(folder: Path) -> Path:
    return folder / "site.site" / "published" / "published.db"


def _tell(news: sqlite3.Connection) -> None:
    """Publish tables that are a moment younger, as the publisher of any arena does."""
    with news:
        (data,) = news.execute("SELECT data FROM documents WHERE key = 'now'").fetchone()
        now = json.dumps(json.loads(data) | {"at": time()}).encode()
        news.execute("UPDATE documents SET data = ? WHERE key = 'now'", (now,))
        with suppress(sqlite3.Error):  # of an arena whose readers followed topics
            (version,) = news.execute(
                "UPDATE version SET number = number + 1 RETURNING number"
            ).fetchone()
            news.execute("UPDATE documents SET version = ? WHERE key = 'now'", (version,))
            told = json.dumps({"version": version}).encode()
            news.execute("UPDATE topics SET version = ?, data = ?", (version, told))
