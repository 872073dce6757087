"""Uses a site as its visitors do: readers who follow news, guests at tables, authors who upload.

    .venv/bin/python -m benchmarks.load http://127.0.0.1:8800 --readers 200 --minutes 5

It can be run against any site that expects it, and prints what its visitors met: requests, bytes,
times until an answer was there.

A reader opens a page, follows its news and fetches what has changed as the page's script does, and
goes to another page after two minutes or so. A guest sits down and plays by chance, at a person's
pace. An author sends a new version of a bot and waits until it plays. A site allows an address only
so much: where it trusts this machine as its proxy, `--addresses` gives each visitor one of its own.
"""

import argparse
import asyncio
import gzip
import json
import random
import re
import resource
import shutil
import ssl
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from arena.site.client import Remote, SiteToken, packed
from benchmarks.figures import Row, line
from benchmarks.places import ROOT

PAGES: Final = {"/": 6, "/bots/{}": 3, "/matches": 1, "/crosstable": 1, "/tv": 1}
"""The pages that readers open, and how often."""

STAY_S: Final = 120.0
THINK_S: Final = 4.0
RETRY_S: Final = 10.0
_LANGUAGES: Final = ("en-GB,en;q=0.9", "lv,en;q=0.8", "lv-LV,lv;q=0.9,en-US;q=0.8,en;q=0.7")
_HEAD: Final = re.compile(r"HTTP/1.1 (\d+) .*?\r\n(.*)\r\n\r\n", re.DOTALL)


class Answer(NamedTuple):
    """What is answered; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Seen:
    """What all visitors together have met."""

    def __init__(self) -> None:
        self.times: defaultdict[str, list[float]] = defaultdict(list)
        self.bytes: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.streams = self.moves = 0
        self.uploads: list[float] = []

    def note(self, kind: str, answer: Answer, seconds: float) -> None:
        """Count an answer."""
        self.times[kind].append(seconds)
        self.bytes[kind] += len(answer.body)
        if answer.status >= 400:
            self.wrong[f"{kind} {answer.status}"] += 1


class Visitor:
    """A browser: a connection for requests, and one for a stream."""

    def __init__(self, site: str, seen: Seen, address: str | None) -> None:
        parts = urlsplit(site)
        self._origin, self._host = f"{parts.scheme}://{parts.netloc}", parts.netloc
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._to = parts.hostname or "", parts.port or (443 if self._tls else 80)
        self._way: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._seen = seen
        self._always = {
            "Host": self._host,
            "Accept-Language": random.choice(_LANGUAGES),
            **({"X-Forwarded-For": address} if address else {}),
        }

    async def ask(self, kind: str, path: str, body: object = None, tag: str = "") -> Answer:
        """Ask for something, as a page of the site does, and note how long it took."""
        began = monotonic()
        asked = {"Accept": "text/html", "Accept-Encoding": "gzip"}
        asked |= {"If-None-Match": tag} if tag else {}
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        if body is not None:
            kind = "x-www-form-urlencoded" if isinstance(body, bytes) else "json"
            asked = {"Content-Type": f"application/{kind}", "Content-Length": str(len(sent))}
            asked |= {"Sec-Fetch-Site": "same-origin", "Origin": self._origin}
        for fresh in (False, True):  # the site closes connections that are idle
            try:
                if self._way is None or fresh:
                    self._way = await asyncio.open_connection(*self._to, ssl=self._tls)
                answer = await self._asked("GET" if body is None else "POST", path, asked, sent)
                break
            except (OSError, asyncio.IncompleteReadError):
                if fresh:
                    raise
        self._seen.note(kind, answer, monotonic() - began)
        return answer

    async def stream(self, path: str) -> AsyncIterator[tuple[str, str]]:
        """The names and data of events at a path, until the stream ends."""
        reader, writer = await asyncio.open_connection(*self._to, ssl=self._tls)
        try:
            await _say(writer, "GET", path, self._always | {"Accept": "text/event-stream"}, b"")
            if (await _head(reader))[0] != 200:
                return
            self._seen.streams += 1
            name = "line"
            while text := (await reader.readline()).decode():
                field, _, value = text.rstrip("\r\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, value
                    name = "line"
        finally:
            writer.close()

    async def _asked(self, method: str, path: str, asked: dict[str, str], sent: bytes) -> Answer:
        assert self._way is not None
        reader, writer = self._way
        await _say(writer, method, path, self._always | asked, sent)
        status, headers = await _head(reader)
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await reader.readline(), 16):
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            bare = status in (204, 304)
            body = await reader.readexactly(0 if bare else int(headers["content-length"]))
        return Answer(status, headers, body)


async def _say(
    writer: asyncio.StreamWriter, method: str, path: str, headers: dict[str, str], body: bytes
) -> None:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    await writer.drain()


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    found = _HEAD.fullmatch(text)
    assert found, text
    fields = (each.partition(": ") for each in found[2].split("\r\n"))
    return int(found[1]), {name.lower(): value for name, _, value in fields}


async def read(visitor: Visitor, seen: Seen, bots: list[str]) -> None:
    """Read one page after the other, and follow each for a while."""
    kept: set[str] = set()
    while True:
        [path] = random.choices([*PAGES], [*PAGES.values()])
        path = path.format(random.choice(bots))
        found = await visitor.ask("page", path)
        text = _unpacked(found)
        for file in {*re.findall(r'"(/static/[^"]+)"', text)} - kept:
            await visitor.ask("style or script", file)
            kept.add(file)
        with suppress(TimeoutError):
            async with asyncio.timeout(random.expovariate(1 / STAY_S)):
                while every := re.search(r'data-every="(\d+)"', text):
                    await asyncio.sleep(int(every[1]) * (1 + random.random() / 4))
                    found = await visitor.ask("a page again", path, tag=found.headers["etag"])
                await asyncio.sleep(3600)


async def play(visitor: Visitor, seen: Seen) -> None:
    """Play one table after the other by chance."""
    while True:
        found = await visitor.ask("a table", "/tables/", b"")
        if found.status != HTTPStatus.SEE_OTHER:
            await asyncio.sleep(RETRY_S)
            continue
        seat = found.headers["location"]
        async for name, data in visitor.stream(f"{seat}lines"):
            said = json.loads(data) if name == "line" else {}
            reply = _reply(said) if isinstance(said, dict) else None
            if reply is not None:
                await asyncio.sleep(random.expovariate(1 / THINK_S))
                said = {"type": said["type"], "id": said["id"], **reply}
                await visitor.ask("a move", f"{seat}answer", said)
                seen.moves += 1


def _reply(asked: dict[str, list[str]]) -> dict[str, object] | None:
    """An answer by chance to a line of the protocol, if it asks something."""
    match asked.get("type"):
        case "blind":
            return {"blind": False}
        case "bid":
            return {"bid": random.choice(asked["legal"])}
        case "talon":
            return {"choice": random.choice(asked["legal"])}
        case "discard":
            return {"cards": random.sample(asked["hand"], 2)}
        case "play":
            return {"card": random.choice(asked["legal"])}
    return None


async def upload(site: str, token: str, an_hour: float, seen: Seen) -> None:
    """Send a bot again and again, each time another one, and wait until it plays or fails."""
    with TemporaryDirectory() as folder:
        bot = shutil.copytree(ROOT / "sample_bots" / "random", Path(folder, "bot"))
        manifest = (bot / "bot.toml").read_text()
        name = f'name = "load-{random.randrange(10**6)}"'
        (bot / "bot.toml").write_text(re.sub(r"^name = .*", name, manifest, flags=re.MULTILINE))
        while True:
            (bot / "salt.txt").write_text(str(random.random()))
            began = monotonic()
            ended = await asyncio.to_thread(_sent, site, token, bot)
            seen.uploads.append(monotonic() - began)
            if ended != "entered":
                seen.wrong[f"an upload {ended}"] += 1
            await asyncio.sleep(max(0, 3600 / an_hour - (monotonic() - began)))


def _sent(site: str, token: str, bot: Path) -> str:
    remote = Remote(site, SiteToken(token))
    last = remote.send(packed(bot))
    for each in remote.follow(last):
        last = each
    return last.state


def _unpacked(answer: Answer) -> str:
    packs = answer.headers.get("content-encoding") == "gzip"
    return (gzip.decompress(answer.body) if packs else answer.body).decode()


async def _ever(seen: Seen, visit: Callable[[], Awaitable[None]], after_s: float) -> None:
    """Visit again and again, from a moment on, whatever happens to a visit."""
    await asyncio.sleep(after_s)
    while True:
        try:
            await visit()
        except (OSError, asyncio.IncompleteReadError) as error:
            seen.wrong[type(error).__name__] += 1
        await asyncio.sleep(RETRY_S)


async def use(options: argparse.Namespace) -> None:
    """Let all visitors in within a tenth of the time, and print what was met in all of it."""
    seen = Seen()

    def visitor() -> Visitor:
        own = ".".join(["10", *(str(random.randrange(1, 255)) for _ in range(3))])
        return Visitor(options.site, seen, own if options.addresses else None)

    first = visitor()
    found = json.loads(_unpacked(await first.ask("figures", "/standings.json")))
    bots = [each["bot"] for each in found["lines"]]
    if not bots:
        raise SystemExit("the site has no bot in its table yet")
    whole_s = 60 * options.minutes
    visits: list[Callable[[], Awaitable[None]]] = [
        *[lambda: read(visitor(), seen, bots)] * options.readers,
        *[lambda: play(visitor(), seen)] * options.guests,
    ]
    if options.uploads:
        token = options.token_file.read_text().strip()
        visits.append(lambda: upload(options.site, token, options.uploads, seen))
    tasks = [
        asyncio.create_task(_ever(seen, visit, random.random() * whole_s / 10)) for visit in visits
    ]
    await asyncio.sleep(whole_s)
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print("\n" + line(Row("what", ("figure",)), 1))
    print(line(Row("---", ("---",)), 1))
    for row in rows(seen, whole_s):
        print(line(row, 1), flush=True)


def rows(seen: Seen, whole_s: float) -> list[Row]:
    """What visitors met."""
    found = []
    for kind, times in seen.times.items():
        cut = quantiles(times, n=100) if len(times) > 1 else times * 99
        size = seen.bytes[kind] / len(times) / 1024
        text = f"{len(times) / whole_s:.1f} a second, {size:.1f} KiB each;"
        text += f" {1000 * median(times):.0f} ms, 95 % within {1000 * cut[94]:.0f} ms"
        found.append(Row(f"{kind}: answers", (text,)))
    if seen.uploads:
        text = f"{len(seen.uploads)}; {median(seen.uploads):.0f} s until they play"
        found.append(Row("uploads", (text,)))
    wrong = ", ".join(f"{name}: {count}" for name, count in seen.wrong.items()) or "nothing"
    found.append(Row("what went wrong", (wrong,)))
    return found


def main() -> None:
    """Use a site for some minutes, and print what was met."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.load", description=__doc__.split("\n")[0]
    )
    options.add_argument("site", help="its address, such as http://127.0.0.1:8800")
    options.add_argument("--readers", type=int, default=100)
    options.add_argument("--guests", type=int, default=0, help="people at tables")
    options.add_argument("--uploads", type=float, default=0.0, help="this many an hour")
    options.add_argument("--token-file", type=Path, help="the author's token, for uploads")
    options.add_argument("--minutes", type=float, default=5.0)
    options.add_argument(
        "--addresses", action="store_true", help="say X-Forwarded-For, another for each visitor"
    )
    chosen = options.parse_args()
    if chosen.uploads and chosen.token_file is None:
        options.error("--uploads needs --token-file")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(use(chosen))


if __name__ == "__main__":
    main()
