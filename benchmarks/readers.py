"""A thousand and more readers of a site's news: what they cost, and what its league feels of them.

Readers and site are on the same machine, so delays are upper bounds. They begin at the commit of
what is published, for which the site looks twice a second.
"""

import http.client
import json
import os
import re
import resource
import selectors
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final

from arena.record.store import Store
from arena.site.config import read_site
from arena.site.published import Publisher
from benchmarks.figures import Row, Rows, Run
from benchmarks.places import ROOT, Place

READERS: Final = 1000
MANY: Final = 5000
SETTLED_MATCHES: Final = 60
WINDOW_S: Final = 20.0
FETCH_S: Final = 5.0
"""The fewest seconds between two of a reader's fetches, where pages know no marks."""
BOTS: Final = ("anna", "bert", "carl")
_DATA: Final = b'{"version":%d,"why":"' + b"x" * 250 + b'"}'
_SETTLED_S: Final = 1.0
_ADDRESSES: Final = 8
"""The readers' addresses: a site lets only a quarter of its readers come from one."""


def measure(run: Run) -> Rows:
    """What readers cost, and the matches that a league plays with and without them."""
    for count in (READERS, MANY):
        yield from _costs(run, count)
    with TemporaryDirectory() as folder, playing(Path(folder)) as (record, port):
        alone, beside = [], []
        for _ in range(run.rounds):
            alone.append(_matches_a_minute(record))
            with readers(port, READERS, "/") as found, reading(port, found):
                beside.append(_matches_a_minute(record))
    ratios = [each / other for each, other in zip(beside, alone, strict=True)]
    text = f"{median(beside):.0f} and {median(alone):.0f}: {median(ratios):.2f}"
    what = f"matches a minute with and without {READERS} pages that fetch what is new"
    yield Row(what, (f"{text} ({min(ratios):.2f} to {max(ratios):.2f})",))


def _costs(run: Run, count: int) -> Rows:
    """Some events to all readers for each round."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as (process, port):
        pid = process.pid
        publisher = Publisher.open(read_site(Path(folder, "site.toml")).published)
        idle, spent = _memory(pid), spent_s(pid)
        with readers(port, count) as found:
            told(publisher, found)
            sleep(_SETTLED_S)
            what = f"memory of the site's web process, alone and with {count} readers"
            full = _memory(pid)
            each = (full - idle) / count / 1024
            text = f"{idle / 2**20:.0f} and {full / 2**20:.0f} MiB: {each:.0f} KiB a reader"
            yield Row(what, (text,))
            yield Row("processor time until all follow", (f"{spent_s(pid) - spent:.2f} s",))
            processor, middle, last = [], [], []
            for _ in range(3 * run.rounds):
                spent = spent_s(pid)
                delays = told(publisher, found)
                sleep(_SETTLED_S + random() / 2)  # not in step with the site's looks
                processor.append(spent_s(pid) - spent)
                middle.append(median(delays))
                last.append(max(delays))
            quiet = spent_s(pid)
            sleep(5)
            quiet = (spent_s(pid) - quiet) / 5
            began = monotonic()
            process.terminate()
            process.wait()
            ended_s = monotonic() - began
        yield Row("the same, at rest", (f"{1000 * quiet:.0f} ms a second",))
        text = f"{1000 * median(processor):.0f} ms, at best {1000 * min(processor):.0f} ms"
        yield Row("processor time of an event to all", (text,))
        text = f"{median(middle):.2f} s and {median(last):.2f} s; at worst {max(last):.2f} s"
        yield Row("until the median and the last reader have it", (text,))
        yield Row("until it has ended among all of them", (f"{ended_s:.2f} s",))
        publisher.close()


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
    with subprocess.Popen(words, stdout=kept, stderr=kept, env=_environment(place)) as process:
        try:
            record = folder / "ladder.db"
            while not record.exists() or _matches(record) < SETTLED_MATCHES:
                if process.poll() is not None:
                    raise RuntimeError("the site has ended")
                sleep(0.2)
            yield record, port
        finally:
            process.terminate()


@contextmanager
def reading(port: int, found: selectors.BaseSelector) -> Iterator[None]:
    """Readers take what comes, and fetch what is new of the page as its script does."""
    stop = threading.Event()
    reader = threading.Thread(target=_read, args=(port, found, stop))
    reader.start()
    try:
        yield
    finally:
        stop.set()
        reader.join()


def _read(port: int, found: selectors.BaseSelector, stop: threading.Event) -> None:
    """Each reader fetches what has changed since the mark it had, within the time that is told."""
    due: dict[int, tuple[float, str]] = {}
    had: dict[int, str] = {}
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as page:
        while not stop.is_set():
            for key, _ in found.select(0.05):
                assert isinstance(key.fileobj, socket.socket)
                said = key.fileobj.recv(1 << 16)
                if news := re.findall(rb'{"mark":"([^"]*)","within_s":(\d+)}', said):
                    mark, within_s = news[-1]
                    due[key.fd] = monotonic() + int(within_s) * random(), mark.decode()
            for reader in [each for each, (at, _) in due.items() if at <= monotonic()]:
                _, mark = due.pop(reader)
                path = f"/?in=en&since={had.get(reader, '')}&at={mark}"
                page.request("GET", path)
                [now] = re.findall(rb'data-mark="([^"]+)"', page.getresponse().read())
                had[reader] = now.decode()


def _environment(place: Place | None) -> dict[str, str]:
    """That of processes of a place, this arena if none is given."""
    return {**os.environ, "PYTHONPATH": str(ROOT)} if place is None else place.environment


def _matches(record: Path) -> int:
    with closing(Store.open(record)) as store:
        return len(store.numbers())


def _matches_a_minute(record: Path) -> float:
    """How many matches a league stores now."""
    before, began = _matches(record), monotonic()
    sleep(WINDOW_S)
    return 60 * (_matches(record) - before) / (monotonic() - began)


def _site_file(folder: Path, port: int) -> Path:
    """The file of a site that lets all readers come from one address."""
    path = folder / "site.toml"
    limits = f"readers = {2 * MANY}\n[quotas]\nrequests_a_minute = 100000\n"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n{limits}')
    return path


@contextmanager
def serving(
    folder: Path, place: Place | None = None
) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The web process of a site in a folder, and its port."""
    path = _site_file(folder, 0)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "arena.site.web"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(place),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"site": str(path)}).encode() + b"\n")
        process.stdin.flush()
        try:
            yield process, json.loads(process.stdout.readline())["port"]
        finally:
            process.terminate()


@contextmanager
def readers(port: int, count: int, of: str = "standings") -> Iterator[selectors.BaseSelector]:
    """So many readers of a topic or a page, each of which has got its first lines."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as stack:
        found = stack.enter_context(selectors.DefaultSelector())
        ask = f"GET /events?of={of} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        for number in range(count):
            own = f"127.0.0.{2 + number % _ADDRESSES}", 0
            reader = socket.create_connection(("127.0.0.1", port), source_address=own)
            stack.enter_context(reader)
            reader.sendall(ask)
            found.register(reader, selectors.EVENT_READ)
        waiting = {key.fd for key in found.get_map().values()}
        while waiting:
            for key, _ in found.select():
                assert isinstance(key.fileobj, socket.socket)
                said = key.fileobj.recv(1 << 16)
                assert b"HTTP/1.1 5" not in said
                if b"retry:" in said:  # the head is there, and the stream has begun
                    waiting.discard(key.fd)
        yield found
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


def told(publisher: Publisher, found: selectors.BaseSelector) -> list[float]:
    """Publish something; for each reader, the seconds until it has the event."""
    with publisher.news() as news:
        news.tell("standings", _DATA % news.version)
    began, delays = monotonic(), []
    waiting = {key.fd for key in found.get_map().values()}
    while waiting:
        for key, _ in found.select():
            assert isinstance(key.fileobj, socket.socket)
            if b"event: standings" in key.fileobj.recv(1 << 16) and key.fd in waiting:
                waiting.discard(key.fd)
                delays.append(monotonic() - began)
    return delays


def _memory(pid: int) -> int:
    """The bytes of memory that a process takes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def spent_s(pid: int) -> float:
    """The processor time that a process has used."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
