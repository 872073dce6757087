"""A thousand and more readers of a site's pages: what they cost, and what its league feels of them.

A reader asks for its page every five to six seconds, as the script of the pages does, with the tag
of what it has. Readers and site are on the same machine.
"""

import json
import os
import re
import resource
import selectors
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from heapq import heapify, heapreplace
from pathlib import Path
from random import random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final

from benchmarks.figures import Row, Rows, Run
from benchmarks.places import ROOT, Place

READERS: Final = 1000
MANY: Final = 3000
SETTLED_MATCHES: Final = 60
WINDOW_S: Final = 20.0
EVERY_S: Final = 8.0
BOTS: Final = ("anna", "bert", "carl")
_ADDRESSES: Final = 8


def measure(run: Run) -> Rows:
    """What readers cost, and the matches that a league plays with and without them."""
    with TemporaryDirectory() as folder, playing(Path(folder)) as (record, port):
        alone, beside = [], []
        for _ in range(run.rounds):
            alone.append(_matches_a_minute(record))
            with polling(port, READERS):
                beside.append(_matches_a_minute(record))
        ratios = [each / other for each, other in zip(beside, alone, strict=True)]
        text = f"{median(beside):.0f} and {median(alone):.0f}: {median(ratios):.2f}"
        what = f"matches a minute with and without {READERS} pages that are open"
        yield Row(what, (f"{text} ({min(ratios):.2f} to {max(ratios):.2f})",))
    with TemporaryDirectory() as folder:
        with playing(Path(folder)):
            sleep(EVERY_S)
        for count in (READERS, MANY):
            yield from _costs(run, Path(folder), count)


def _costs(run: Run, folder: Path, count: int) -> Rows:
    """Readers of a page that does not change."""
    with serving(folder) as (process, port):
        pid = process.pid
        idle, spent = _memory(pid), []
        with polling(port, count):
            sleep(2 * EVERY_S)
            for _ in range(run.rounds):
                before = spent_s(pid)
                sleep(EVERY_S)
                spent.append((spent_s(pid) - before) / EVERY_S)
            full = _memory(pid)
            began = monotonic()
            process.terminate()
            process.wait()
            ended_s = monotonic() - began
        text = f"{idle / 2**20:.0f} and {full / 2**20:.0f} MiB"
        each = f"{(full - idle) / count / 1024:.0f} KiB a reader"
        yield Row(
            f"memory of the web process, alone and with {count} readers", (f"{text}: {each}",)
        )
        yield Row("its processor time a second", (f"{1000 * median(spent):.0f} ms",))
        yield Row("until it has ended among all of them", (f"{ended_s:.2f} s",))


@contextmanager
def polling(port: int, count: int, every_s: float = EVERY_S, path: str = "/") -> Iterator[None]:
    """So many readers of a page, each on a connection of its own, until the end of the block."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    stop = threading.Event()
    reader = threading.Thread(target=_poll, args=(port, count, every_s, path, stop))
    reader.start()
    try:
        yield
    finally:
        stop.set()
        reader.join()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


def _poll(port: int, count: int, every_s: float, path: str, stop: threading.Event) -> None:
    begun = monotonic()
    due = [(begun + every_s * random(), number) for number in range(count)]
    heapify(due)
    open_now: dict[int, socket.socket] = {}
    tags: dict[int, str] = {}
    with selectors.DefaultSelector() as found:
        while not stop.is_set():
            while due[0][0] <= monotonic():
                at, number = due[0]
                heapreplace(due, (at + every_s * (1 + random() / 4), number))
                if number not in open_now:
                    own = f"127.0.0.{2 + number % _ADDRESSES}", 0
                    new = socket.create_connection(("127.0.0.1", port), source_address=own)
                    found.register(new, selectors.EVENT_READ, number)
                    open_now[number] = new
                tag = f"If-None-Match: {tags[number]}\r\n" if number in tags else ""
                asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/html\r\n"
                open_now[number].sendall(f"{asked}Accept-Encoding: gzip\r\n{tag}\r\n".encode())
            for key, _ in found.select(0.01):
                assert isinstance(key.fileobj, socket.socket)
                said = key.fileobj.recv(1 << 16)
                if new_tag := re.search(rb"etag: ([^\r]+)", said, re.IGNORECASE):
                    tags[key.data] = new_tag[1].decode()
                if not said:  # the site has closed it
                    found.unregister(key.fileobj)
                    open_now.pop(key.data).close()
        for each in open_now.values():
            each.close()


@contextmanager
def playing(folder: Path, place: Place | None = None) -> Iterator[tuple[Path, int]]:
    """A whole site whose league plays bots that cost the same: its record, and its port."""
    for name in BOTS:
        bot = shutil.copytree(ROOT / "sample_bots" / "random", folder / name)
        manifest = (bot / "bot.toml").read_text()
        own = re.sub("^(name|author) = .*", rf'\1 = "{name}"', manifest, flags=re.MULTILINE)
        (bot / "bot.toml").write_text(own)
    league = f'format = "open"\nwidth = 0.02\nbots = {json.dumps(BOTS)}\n'
    (folder / "ladder.toml").write_text(league)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    words = [sys.executable, "-P", "-m", "arena", "serve", str(_site_file(folder, port))]
    kept = subprocess.DEVNULL
    given = _environment(place)
    # elsewhere its processes would find the arena in the folder that this runs in
    with subprocess.Popen(words, cwd=folder, stdout=kept, stderr=kept, env=given) as process:
        try:
            record = folder / "ladder.db"
            while not record.exists() or _matches(record) < SETTLED_MATCHES:
                if process.poll() is not None:
                    raise RuntimeError("the site has ended")
                sleep(0.2)
            yield record, port
        finally:
            process.terminate()


def _environment(place: Place | None) -> dict[str, str]:
    """That of processes of a place, this arena if none is given."""
    return {**os.environ, "PYTHONPATH": str(ROOT)} if place is None else place.environment


def _matches(record: Path) -> int:
    with closing(sqlite3.connect(f"{record.as_uri()}?mode=ro", uri=True)) as sql:
        return int(sql.execute("SELECT count(*) FROM matches").fetchone()[0])  # of any format


def _matches_a_minute(record: Path) -> float:
    """How many matches a league stores now."""
    before, began = _matches(record), monotonic()
    sleep(WINDOW_S)
    return 60 * (_matches(record) - before) / (monotonic() - began)


def _site_file(folder: Path, port: int) -> Path:
    """The file of a site that lets all readers come from one address."""
    path = folder / "site.toml"
    limits = "[quotas]\nrequests_a_minute = 100000\n"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n{limits}')
    return path


@contextmanager
def serving(
    folder: Path, place: Place | None = None
) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The web process of a site in a folder, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as chosen:
        port = chosen.getsockname()[1]
    path, environment = _site_file(folder, port), _environment(place)
    home = Path(environment["PYTHONPATH"].partition(os.pathsep)[0], "arena/site/__main__.py")
    words = ["arena.site", "web", str(path)] if home.exists() else ["arena.site.web"]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"site": str(path)}).encode() + b"\n")  # an older arena's
        process.stdin.flush()
        try:
            while not _listens(port):
                sleep(0.05)
            yield process, port
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def _memory(pid: int) -> int:
    """The bytes of memory that a process takes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def spent_s(pid: int) -> float:
    """The processor time that a process has used."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
