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

# The processes of a site, each with the function that shows its loop.
PROCESSES: Final = {
    WEB: "arena.site.web.process:serve_web",
    "work": "arena.site.work:run_work",
    "play": "arena.site.play:run_play",
    "tables": "arena.site.tables:serve_tables",
}

# The parts of a site that can be paused: taking uploads in, and drawing new orders.
UPLOADS: Final = "uploads"
DRAWING_ORDERS: Final = "play"
PAUSES: Final = (UPLOADS, DRAWING_ORDERS)

AtMost = Annotated[int, Meta(ge=0, le=100_000)]
Some = Annotated[int, Meta(ge=1, le=100_000)]

_PORT: Final = re.compile(r"[0-9]{1,5}")
_LOCAL: Final = ("127.0.0.1", "localhost")


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
    """The keys of a site's file.

    `address` is the origin that links and cookies have, such as `https://zole.example`. The web
    process listens at `listen`, and trusts `X-Forwarded-For` from `trusted_proxy` alone. `jobs`
    are the rated matches played at a time, None for one less than there are cores. They are played
    by the workers of `cluster`, the address of a Dask scheduler, if there is one. `about` is a page
    of the organiser's own in Markdown.
    """

    league_file: str = msgspec.field(name="league")
    quotas: Quotas = Quotas()
    guests: GuestLimits = GuestLimits()
    title: Annotated[str, Meta(min_length=1, max_length=80)] = ""
    address: str = ""
    listen: str = "127.0.0.1:8800"
    trusted_proxy: str | None = None
    jobs: Some | None = None
    cluster: str = ""
    about_file: str | None = msgspec.field(name="about", default=None)


class Site(SiteFile, frozen=True, kw_only=True):
    """A site as read from its file at `path`, and where its files are.

    The `registry` has its own folder, where the web process may make the files that SQLite
    needs next to it; of `published` it can only read the folder. In the `spool` are archives until
    they are checked, in `tables` the logs of guests' tables, in `state` what each process last did.
    """

    path: Path

    @property
    def league(self) -> Path:
        return self.path.parent / self.league_file

    @property
    def about(self) -> Path | None:
        return None if self.about_file is None else self.path.parent / self.about_file

    @property
    def host(self) -> str:
        return _place(self.listen)[0]

    @property
    def port(self) -> int:
        return _place(self.listen)[1]

    @property
    def tables_at(self) -> tuple[str, int]:
        """The address and port at which guests' tables are served."""
        if self.guests.listen:
            return _place(self.guests.listen)
        return self.host, self.port + 1 if self.port else 0

    @property
    def tables_address(self) -> str:
        """The origin of guests' tables: that of the site where a proxy is in front of both."""
        host, port = self.tables_at
        own = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        return own if self.address.endswith(f":{self.port}") else self.address

    def origins(self, address: str) -> frozenset[str]:
        """Return the origins under which a service at an address is asked for."""
        names = {address, self.address}
        if self.host in _LOCAL:
            names |= {f"http://{host}:{address.rpartition(':')[2]}" for host in _LOCAL}
        return frozenset(names)

    @property
    def folder(self) -> Path:
        return self.path.with_suffix(".site")

    @property
    def registry(self) -> Path:
        return self.folder / "registry" / "registry.db"

    @property
    def published(self) -> Path:
        return self.folder / "published" / "published.db"

    @property
    def league_pages(self) -> Path:
        """The folder of the pages of other leagues that the site shows, a folder for each."""
        return self.published.parent / "leagues"

    @property
    def spool(self) -> Path:
        return self.folder / "spool"

    @property
    def tables(self) -> Path:
        return self.folder / "tables"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    def past_seasons(self) -> list[Path]:
        """Return the records of the past seasons of the site's own league."""
        stem = f"{self.league.stem}.season-"
        found = self.league.parent.glob("*.db")
        return sorted(
            path
            for path in found
            if path.stem.startswith(stem) and path.stem.removeprefix(stem).isdecimal()
        )


def names_of(site: Site) -> list[str]:
    """Return the names of a site's processes."""
    return [each for each in PROCESSES if each != "tables" or site.guests.tables]


def make_folders(site: Site) -> None:
    """Make the folders that the processes share, for the same users as the site's own folder."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.registry.parent, site.published.parent, site.spool, site.tables)
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
    keys = msgspec.convert({"league": "", **read_table(document, data, SiteFile)}, SiteFile)
    if keys.league_file and (
        not keys.league_file.endswith(".toml") or keys.league_file == path.name
    ):
        document.add_error(("league",), f"{keys.league_file} is not the file of a league")
    for listen in filter(None, (keys.listen, keys.guests.listen)):
        if not _is_place(listen):
            what = f"{listen} is not an address to listen at"
            document.add_error(("listen",), what, 'an address and a port: "127.0.0.1:8800"')
    if keys.address and (wrong := wrong_address(keys.address)):
        remedy = 'what a browser shows of your site: "https://zole.example"'
        document.add_error(("address",), f"{keys.address} {wrong}", remedy)
    if keys.trusted_proxy is not None and not _is_ip(keys.trusted_proxy):
        what = f"{keys.trusted_proxy} is not the address of a machine"
        document.add_error(("trusted_proxy",), what, 'such as "127.0.0.1"')
    if keys.about_file is not None and not (path.parent / keys.about_file).is_file():
        document.add_error(("about",), f"there is no file {keys.about_file}", "a page in Markdown")
    if keys.cluster and not keys.cluster.startswith(("tcp://", "tls://")):
        what = f"{keys.cluster} is not the address of a scheduler"
        document.add_error(("cluster",), what, "tcp://HOST:PORT or tls://HOST:PORT")
    document.check()
    given = {name: getattr(keys, name) for name in SiteFile.__struct_fields__}
    host, port = _place(keys.listen)
    own = f"http://{'[::1]' if host == '::1' else '127.0.0.1'}:{port}"
    given |= {
        "title": keys.title or f"Zole: {Path(keys.league_file).stem}",
        "address": (keys.address or own).rstrip("/"),
    }
    return Site(path=path, **given)


# Return the host and the port of an address to listen at.
def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _is_place(text: str) -> bool:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    known = _is_ip(host) or host == "localhost"
    return known and _PORT.fullmatch(port) is not None and int(port) <= 0xFFFF


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
