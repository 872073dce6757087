"""A site as its organiser wrote it: whose league it shows, where, and what an account may use."""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from arena.base.errors import ArenaError, Mistake
from arena.base.toml import TomlFile, read_table, require_keys

AtMost = Annotated[int, Meta(ge=0, le=100_000)]
Some = Annotated[int, Meta(ge=1, le=100_000)]

_PORT: Final = re.compile(r"[0-9]{1,5}")


class Quotas(msgspec.Struct, frozen=True):
    """The `[quotas]` of a site: what one account may use.

    `uploads`, `challenges` and `build_minutes_a_day` are for any 24 hours; `build_minutes` are for
    one upload, `requests_a_minute` for whatever an account or an address asks by HTTP.
    """

    bots: Some = 2
    uploads: AtMost = 5
    archive_mib: Annotated[int, Meta(ge=1, le=64)] = 16
    build_minutes: Some = 10
    build_minutes_a_day: Some = 30
    challenges: AtMost = 20
    requests_a_minute: Some = 240


class GuestLimits(msgspec.Struct, frozen=True):
    """The `[guests]` of a site: how many tables they may have at a time, and the deals at each."""

    tables: Annotated[int, Meta(ge=0, le=64)] = 4
    deals: Annotated[int, Meta(ge=1, le=100)] = 6


class SiteFile(msgspec.Struct, frozen=True):
    """The keys of a site's file."""

    league: str
    quotas: Quotas
    guests: GuestLimits
    title: Annotated[str, Meta(min_length=1, max_length=80)] = ""
    address: str | None = None
    listen: str = "127.0.0.1:8800"
    metrics: str | None = None
    trusted_proxy: str | None = None
    disk_gib: Annotated[float, Meta(gt=0, le=100_000)] = 20.0
    readers: Some = 2000
    jobs: Some | None = None
    review_tables: AtMost = 0


class Site(msgspec.Struct, frozen=True):
    """A site as read from its file.

    `league` is the path of the league's file; `address` is what links and cookies say, an origin
    such as `https://zole.example`; `host` and `port` are listened at, and what is counted is told
    at `metrics`, if anywhere; `X-Forwarded-For` is believed from `trusted_proxy` alone; the site
    and its league take at most `disk_bytes`; `readers` are the streams of events that may be open
    at a time; `jobs` are the rated matches that are played at a time, None for as many as there are
    cores but one; `review_tables` are the tables of each bot that are reviewed, if any.
    """

    path: Path
    league: Path
    title: str
    address: str
    host: str
    port: int
    metrics: tuple[str, int] | None
    trusted_proxy: str | None
    disk_bytes: int
    readers: int
    jobs: int | None
    review_tables: int
    quotas: Quotas
    guests: GuestLimits

    @property
    def folder(self) -> Path:
        """Where the site keeps what it has, beside its file."""
        return self.path.with_suffix(".site")

    @property
    def registry(self) -> Path:
        """Accounts, uploads, requests: what only the site knows.

        It lies in a folder of its own, the one in which the web process may make files beside it.
        """
        return self.folder / "registry" / "registry.db"

    @property
    def published(self) -> Path:
        """What was made public of the league, in a folder that the web process may only read."""
        return self.folder / "published" / "published.db"

    @property
    def spool(self) -> Path:
        """Archives that were sent, until they have been looked at."""
        return self.folder / "spool"

    @property
    def cut(self) -> Path:
        """Files cut out of the record because somebody asked for them."""
        return self.folder / "cut"

    @property
    def tables(self) -> Path:
        """The socket of guests' tables, and for a day what was played at them."""
        return self.folder / "tables"

    @property
    def state(self) -> Path:
        """What each of the site's processes last did."""
        return self.folder / "state"

    @property
    def logs(self) -> Path:
        """What the site's processes have to say."""
        return self.folder / "logs"


def read_site(path: Path) -> Site:
    """The site of a file. Raises `ArenaError` with all the mistakes in it."""
    if path.suffix != ".toml":
        raise ArenaError(Mistake("a site's file ends in .toml", str(path)))
    document = TomlFile(path)
    data = document.data
    for key, other in (("bots", "a league"), ("run", "a bot")):
        if key in data and "league" not in data:
            raise ArenaError(Mistake(f"this is the file of {other}, not of a site", str(path)))
    good = read_table(document, data, SiteFile, ())
    require_keys(document, data, ("league",))
    keys = msgspec.convert({"league": "", "quotas": {}, "guests": {}, **good}, SiteFile)
    if keys.league and (not keys.league.endswith(".toml") or keys.league == path.name):
        document.object(("league",), f"{keys.league} is not the file of a league")
    listened = _listen(document, "listen", keys.listen)
    metrics = None if keys.metrics is None else _listen(document, "metrics", keys.metrics)
    if metrics is not None and listened is not None and metrics[1] == listened[1]:
        document.object(("metrics",), "metrics and listen name the same port", "each needs its own")
    address = keys.address
    if address is None:
        host = "[::1]" if listened is not None and listened[0] == "::1" else "127.0.0.1"
        address = f"http://{host}:{listened[1] if listened else 0}"
    elif wrong := wrong_address(address):
        remedy = 'what a browser shows of your site: "https://zole.example"'
        document.object(("address",), f"{address} {wrong}", remedy)
    if keys.trusted_proxy is not None and not _is_ip(keys.trusted_proxy):
        what = f"{keys.trusted_proxy} is not the address of a machine"
        document.object(("trusted_proxy",), what, 'such as "127.0.0.1"')
    document.check()
    assert listened is not None
    return Site(
        path=path,
        league=path.parent / keys.league,
        title=keys.title or path.stem,
        address=address.rstrip("/"),
        host=listened[0],
        port=listened[1],
        metrics=metrics,
        trusted_proxy=keys.trusted_proxy,
        disk_bytes=round(keys.disk_gib * (1 << 30)),
        readers=keys.readers,
        jobs=keys.jobs,
        review_tables=keys.review_tables,
        quotas=keys.quotas,
        guests=keys.guests,
    )


def _listen(document: TomlFile, key: str, text: str) -> tuple[str, int] | None:
    """The address and the port of a text; None, and a mistake, where it has not both."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not _PORT.fullmatch(port) or int(port) > 0xFFFF or not (_is_ip(host) or host == "localhost"):
        what = f"{text} is not an address to listen at"
        document.object((key,), what, 'an address and a port: "127.0.0.1:8800"')
        return None
    return host, int(port)


def wrong_address(text: str) -> str:
    """What is wrong with a site's address; "" if nothing is."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is not a valid address"
    if parts.scheme not in ("http", "https") or not host or not text.isascii():
        return "does not begin with https:// and a name"
    if parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        return "has more than a name and a port"
    if parts.scheme == "http" and host not in ("127.0.0.1", "::1", "localhost"):
        return "would send tokens in clear: only this machine itself may be reached by http"
    return ""


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
