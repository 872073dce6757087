"""Reads the file of a site: its league, its addresses, and what an account may use."""

import ipaddress
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from arena.base.errors import ArenaError, Mistake
from arena.base.toml import TomlFile, read_table

WEB: Final = "web"
"""The process that strangers talk to, which confines itself."""

PROCESSES: Final = {
    WEB: "arena.site.web.process:serve_web",
    "work": "arena.site.work:run_work",
    "play": "arena.site.play:run_play",
    "tables": "arena.site.tables.service:serve_tables",
}
"""The processes of a site, each with the function that shows its loop."""

UPLOADS: Final = "uploads"
DRAWING_ORDERS: Final = "play"
PAUSES: Final = (UPLOADS, DRAWING_ORDERS)
"""The parts of a site that can be paused: taking uploads in, and drawing new orders."""

AtMost = Annotated[int, Meta(ge=0, le=100_000)]
Some = Annotated[int, Meta(ge=1, le=100_000)]

_PORT: Final = re.compile(r"[0-9]{1,5}")


class Quotas(msgspec.Struct, frozen=True):
    """The `[quotas]` of a site: what one account may use.

    `uploads`, `challenges` and `build_minutes_a_day` are for any 24 hours; `build_minutes` are for
    one upload; `requests_a_minute` are all HTTP requests of an account; an address may
    ask five times as often.
    """

    bots: Some = 2
    uploads: AtMost = 5
    archive_mib: Annotated[int, Meta(ge=1, le=64)] = 16
    build_minutes: Some = 10
    build_minutes_a_day: Some = 30
    challenges: AtMost = 20
    requests_a_minute: Some = 240


class GuestLimits(msgspec.Struct, frozen=True):
    """The `[guests]` of a site: the most tables at a time, and the deals at each.

    They are served at `listen`, or at the port after the site's.
    """

    tables: Annotated[int, Meta(ge=0, le=64)] = 4
    deals: Annotated[int, Meta(ge=1, le=100)] = 6
    listen: str = ""


class SiteFile(msgspec.Struct, frozen=True):
    """The keys of a site's file."""

    league: str
    quotas: Quotas = Quotas()
    guests: GuestLimits = GuestLimits()
    title: Annotated[str, Meta(min_length=1, max_length=80)] = ""
    address: str | None = None
    listen: str = "127.0.0.1:8800"
    trusted_proxy: str | None = None
    jobs: Some | None = None
    cluster: str = ""
    about: str | None = None


class Site(msgspec.Struct, frozen=True):
    """A site as read from its file.

    `league` is the path of the league's file. `address` is the origin that links and cookies have,
    such as `https://zole.example`. The web process listens at `host` and `port`. It believes
    `X-Forwarded-For` from `trusted_proxy` alone. `jobs` are the rated matches played at a time,
    None for one less than there are cores. `about` is a page of the organiser's own in Markdown, if
    there is one. Rated matches are played by the workers of `cluster`, the address of a Dask
    scheduler, if there is one.
    """

    path: Path
    league: Path
    title: str
    address: str
    host: str
    port: int
    trusted_proxy: str | None
    jobs: int | None
    about: Path | None
    cluster: str
    quotas: Quotas
    guests: GuestLimits

    @property
    def folder(self) -> Path:
        """The folder of all that the site keeps, beside its file."""
        return self.path.with_suffix(".site")

    @property
    def registry(self) -> Path:
        """The database of what only the site knows: accounts, uploads, requests.

        It has a folder of its own, where the web process may make the files that SQLite needs
        beside it.
        """
        return self.folder / "registry" / "registry.db"

    @property
    def published(self) -> Path:
        """The database of what is public of the league.

        The web process can only read its folder.
        """
        return self.folder / "published" / "published.db"

    @property
    def spool(self) -> Path:
        """The folder of archives that were sent, until they are checked."""
        return self.folder / "spool"

    @property
    def cut(self) -> Path:
        """The folder of files that were cut out of the record on request."""
        return self.folder / "cut"

    @property
    def tables_at(self) -> tuple[str, int]:
        """The address and port at which guests' tables are served."""
        if self.guests.listen:
            host, _, port = self.guests.listen.rpartition(":")
            return host.strip("[]"), int(port)
        return self.host, self.port + 1 if self.port else 0

    @property
    def tables_address(self) -> str:
        """The origin of guests' tables: that of the site where a proxy is in front of both."""
        host, port = self.tables_at
        own = f"http://{_in_address(host)}:{port}"
        return own if self.address.endswith(f":{self.port}") else self.address

    @property
    def tables(self) -> Path:
        """The folder of the logs of guests' tables, for 30 days."""
        return self.folder / "tables"

    def files_beside(self) -> list[Path]:
        """Return what lies beside the site's file and is named in it: its page."""
        home, about = self.path.parent, self.about
        return [about.relative_to(home)] if about and about.is_relative_to(home) else []

    def past_seasons(self) -> list[tuple[int, Path]]:
        """Return the past seasons of the site's own league with their records, the first first."""
        stem = f"{self.league.stem}.season-"
        found = []
        for path in self.league.parent.glob("*.db"):
            number = path.stem.removeprefix(stem)
            if path.stem.startswith(stem) and number.isdecimal():
                found.append((int(number), path))
        return sorted(found)

    @property
    def league_pages(self) -> Path:
        """The folder of the pages of other leagues that the site shows, a folder for each."""
        return self.published.parent / "leagues"

    @property
    def state(self) -> Path:
        """The folder of files that tell what each process last did."""
        return self.folder / "state"

    @property
    def logs(self) -> Path:
        """The folder of the logs of the site's processes."""
        return self.folder / "logs"


def names_of(site: Site) -> list[str]:
    """Return the names of a site's processes."""
    return [each for each in PROCESSES if each != "tables" or site.guests.tables]


def make_folders(site: Site) -> None:
    """Make the folders that the processes share, for the same users as the site's own folder."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.registry.parent, site.published.parent, site.spool, site.cut, site.tables)
    for folder in (*shared, site.league_pages, site.state, site.logs):
        with suppress(FileExistsError, PermissionError):  # or it is another user's to make
            folder.mkdir()
            folder.chmod(mode)


def read_site(path: Path) -> Site:
    """Return the site of a file. Raises `ArenaError` with all the mistakes in it."""
    if path.suffix != ".toml":
        raise ArenaError(Mistake("a site's file ends in .toml", str(path)))
    document = TomlFile(path)
    data = document.data
    for key, other in (("bots", "a league"), ("format", "a league"), ("run", "a bot")):
        if key in data and "league" not in data:
            what = f"this is the file of {other}, not of a site"
            raise ArenaError(Mistake(what, str(path), "name the site's file"))
    good = read_table(document, data, SiteFile)
    keys = msgspec.convert({"league": "", **good}, SiteFile)
    if keys.league and (not keys.league.endswith(".toml") or keys.league == path.name):
        document.object(("league",), f"{keys.league} is not the file of a league")
    listened = _listen(document, "listen", keys.listen)
    if keys.guests.listen:
        _listen(document, "guests", keys.guests.listen)
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
    about = None if keys.about is None else path.parent / keys.about
    if about is not None and not about.is_file():
        document.object(("about",), f"there is no file {keys.about}", "a page in Markdown")
    if keys.cluster and not keys.cluster.startswith(("tcp://", "tls://")):
        what = f"{keys.cluster} is not the address of a scheduler"
        document.object(("cluster",), what, "tcp://HOST:PORT or tls://HOST:PORT")
    document.check()
    assert listened is not None
    return Site(
        path=path,
        league=path.parent / keys.league,
        title=keys.title or path.stem,
        address=address.rstrip("/"),
        host=listened[0],
        port=listened[1],
        trusted_proxy=keys.trusted_proxy,
        jobs=keys.jobs,
        about=about,
        cluster=keys.cluster,
        quotas=keys.quotas,
        guests=keys.guests,
    )


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listen(document: TomlFile, key: str, text: str) -> tuple[str, int] | None:
    """Return the address and the port in a text, or note a mistake and return None."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not _PORT.fullmatch(port) or int(port) > 0xFFFF or not (_is_ip(host) or host == "localhost"):
        what = f"{text} is not an address to listen at"
        document.object(("listen",), what, 'an address and a port: "127.0.0.1:8800"')
        return None
    return host, int(port)


def wrong_address(text: str) -> str:
    """Return what is wrong with a site's address, in words that follow it; "" if nothing is."""
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
