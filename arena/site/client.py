"""An author's side of a site, for the command line.

It keeps tokens, sends requests and bots, bounds answers, and fetches logs into a record.
"""

import gzip
import http.client
import logging
import os
import shlex
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import read_file, writing
from arena.base.refusals import Busy, OverQuota, Refusal
from arena.base.words import duration
from arena.bots.archive import pack
from arena.bots.manifest import read_bot
from arena.record.matches import ReplayedMatch
from arena.record.pulled import LARGEST_LOGS, keep_match, last_pulled, read_logs
from arena.site.api import Problem
from arena.site.config import wrong_address
from arena.site.registry.jobs import OwnLogs, SiteJob

_T = TypeVar("_T")

_log: Final = logging.getLogger(__name__)

TIMEOUT_S: Final = 30.0
LONGEST_WAIT_S: Final = 60.0

# Seconds between two questions after a job.
_LOOK_S: Final = 1.0

# The number of times that a site is asked which cannot be reached; and, by who waits for something
# to be done, one that is busy or restarts.
_TRIES: Final = 3
_PATIENCE: Final = 12
_RETRY_S: Final = 2.0
_RESTART_S: Final = 5.0

_JSON: Final = {"Content-Type": "application/json"}
_LARGEST_TOKENS: Final = 1 << 20
_LARGEST_ARCHIVE: Final = 64 << 20


# --- tokens ---


def tokens_path() -> Path:
    """Return the path of the file, among the user's settings."""
    own = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(own, "zole-arena", "tokens.json")


class SiteToken(msgspec.Struct, frozen=True, omit_defaults=True):
    """The token of a site, and the IP address `at` which it is reached, if not its name's."""

    token: str
    at: str = ""


def keep_token(address: str, token: SiteToken) -> None:
    """Store the token of a site. Raises `ArenaError`."""
    path = tokens_path()
    kept = {**_kept_tokens(), address: token}
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    with writing(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        draft.touch(0o600, exist_ok=False)
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))
        draft.replace(path)


def find_token(address: str | None) -> tuple[str, SiteToken]:
    """Return the address and the token of a site, or of the only one if none is named.

    The variable `ARENA_TOKEN` comes before the file. Raises `ArenaError` if none is known.
    """
    kept = _kept_tokens()
    if address is None and len(kept) == 1:
        [address] = kept
    own = os.environ.get("ARENA_TOKEN")
    if own and address is not None:
        return address, SiteToken(own, kept[address].at if address in kept else "")
    if address is None:
        known = f"known are {', '.join(kept)}" if kept else "arena login URL makes one known"
        raise ArenaError(Mistake("no site is named", "", known))
    if address not in kept:
        what = "there is no token for this site"
        raise ArenaError(Mistake(what, address, f"arena login {address}"))
    return address, kept[address]


# Return the tokens by the addresses of their sites. Raises `ArenaError`.
def _kept_tokens() -> dict[str, SiteToken]:
    path = tokens_path()
    if not path.exists():
        return {}
    if os.name == "posix" and path.stat().st_mode & 0o077:
        remedy = f"chmod 600 {shlex.quote(str(path))}, and make new tokens"
        raise ArenaError(Mistake("others may read the tokens in this file", str(path), remedy))
    try:
        return msgspec.json.decode(read_file(path, _LARGEST_TOKENS), type=dict[str, SiteToken])
    except msgspec.MsgspecError as error:
        raise ArenaError(Mistake(f"this holds no tokens: {error}", str(path))) from None


# --- requests ---


class Unreachable(MachineError):
    """There is no site at the address, or its answer did not come."""


class Remote:
    """A site at an address such as `https://zole.example`. All methods raise `ArenaError`."""

    def __init__(
        self, address: str, token: SiteToken, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.address: str = site_address(address)
        self.sleep = sleep
        self._token = token

    def ask(self, path: str, kind: type[_T], body: object = None, patient: bool = False) -> _T:
        """Return a document, or with a body the answer to a request for a change.

        If `patient`, wait for a site that is busy or restarting.
        """
        data = None if body is None else msgspec.json.encode(body)
        return self._decoded(self._ask(path, data, _JSON, patient), kind)

    def read(self, path: str) -> bytes:
        """Return a file of the site, for which it waits."""
        return self._ask(path, None, _JSON, True)

    def send(self, archive: bytes, again: bool = False) -> SiteJob:
        """Send a bot; the same archive is the same upload, unless it is to be checked `again`."""
        headers = {"Content-Type": "application/octet-stream"}
        return self._decoded(self._ask(f"bots?again={again:d}", archive, headers), SiteJob)

    def follow(self, job: SiteJob) -> Iterator[SiteJob]:
        """Yield a job as it is now and then, until it has ended."""
        yield job
        while job.ended is None:
            self.sleep(_LOOK_S)
            job = self.ask(f"jobs/{job.id}", SiteJob, patient=True)
            yield job

    def _decoded(self, data: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError as error:
            what = f"the site answers what this arena cannot read: {error}"
            remedy = "it may run another version of the arena"
            raise MachineError(Mistake(what, self.address, remedy)) from None

    # Return the body of an answer. If an answer breaks off, the request is sent again: none acts
    # twice.
    def _ask(
        self, path: str, body: bytes | None, headers: Mapping[str, str], patient: bool = False
    ) -> bytes:
        for left in reversed(range(_PATIENCE if patient else _TRIES)):
            try:
                return self._ask_once(path, body, headers)
            except Unreachable:
                if not left:
                    raise
                self.sleep(_RESTART_S if patient else _RETRY_S)
            except (OverQuota, Busy) as busy:
                if not left or not patient or busy.wait_s is None:
                    raise
                self.sleep(min(busy.wait_s, LONGEST_WAIT_S))
        raise AssertionError

    def _ask_once(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        parts = urlsplit(self.address)
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
        given = {
            "Authorization": f"Bearer {self._token.token}",
            "Accept": "application/json",
            **headers,
        }
        try:
            if at := self._token.at:
                sock = socket.create_connection((at, connection.port), TIMEOUT_S)
                tls = ssl.create_default_context()
                known = connection.host
                connection.sock = tls.wrap_socket(sock, server_hostname=known) if secure else sock
            connection.request("GET" if body is None else "POST", f"/api/v1/{path}", body, given)
            answer = connection.getresponse()
            data = answer.read(LARGEST_LOGS + 1)
            _log.debug("%s/%s answers %d, %d bytes", self.address, path, answer.status, len(data))
        except ssl.SSLCertVerificationError as error:
            raise MachineError(self._unreached(error)) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(self._unreached(error)) from None
        finally:
            connection.close()
        if len(data) > LARGEST_LOGS:
            raise MachineError(Mistake("the answer is too long", self.address))
        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise self._refusal(answer, data)
        return data

    def _unreached(self, error: Exception) -> Mistake:
        what = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if isinstance(error, TimeoutError):
            what = f"no answer within {TIMEOUT_S:.0f} s"
        return Mistake(f"the site cannot be reached: {what}", self.address)

    # Return the refusal in an answer, in the site's own words if they can be read.
    def _refusal(self, answer: http.client.HTTPResponse, data: bytes) -> ArenaError:
        status = answer.status
        if status == HTTPStatus.UNAUTHORIZED:
            what = "the site does not know this token, or not any more"
            return ArenaError(Mistake(what, self.address, f"arena login {self.address}"))
        try:
            said = msgspec.json.decode(data, type=Problem)
        except msgspec.MsgspecError:
            where = answer.getheader("Location")
            what = (
                f"the site answers with {status} {answer.reason}{(where and f' to {where}') or ''}"
            )
            down = status in (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)  # from a proxy
            return (Unreachable if down else MachineError)(Mistake(what, self.address))
        remedy = said.remedy
        if said.wait_s is not None:
            first = "" if remedy in ("", "try again") else f"{remedy}; "
            remedy = f"{first}try again in {duration(said.wait_s)}"
        return _LATER.get(status, Refusal)(said.error, remedy, said.wait_s)


# The refusals after which one may ask again, by their status.
_LATER: Final[dict[int, type[Refusal]]] = {OverQuota.status: OverQuota, Busy.status: Busy}


def site_address(text: str) -> str:
    """Return the address under which a site's token is kept. Raises `ArenaError`."""
    if wrong := wrong_address(text):
        raise ArenaError(Mistake(f"{text} {wrong}", "", "such as https://zole.example"))
    parts = urlsplit(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


# --- bots and logs ---


def packed(source: Path) -> bytes:
    """Return the archive of a bot, given a folder or an archive; equal folders give equal bytes.

    Raises `ArenaError`, also for what is plainly no bot.
    """
    if not source.is_dir():
        return read_file(source, _LARGEST_ARCHIVE)
    read_bot(source)
    return gzip.compress(pack(source), mtime=0)


def pull(remote: Remote, record: Path, most: int) -> Iterator[ReplayedMatch]:
    """Store the newest of one's own matches that a record lacks, and yield each once it is there.

    The oldest come first, so that an interrupted pull can be repeated. Raises `ArenaError`, also
    for a match that is not what was played.
    """
    number = last_pulled(record, remote.address)
    while most > 0:
        asked = remote.ask("jobs", SiteJob, OwnLogs(number, most), patient=True)
        *_, job = remote.follow(asked)
        if job.state == "failed":
            raise ArenaError(Mistake(job.answer, remote.address))
        logs = remote.read(f"jobs/{job.id}/log")
        if not logs:
            return
        for match in read_logs(logs, remote.address):
            if match.number <= number:
                what = f"the site sent match {match.number}, which is not after match {number}"
                raise ArenaError(Mistake(what, remote.address))
            keep_match(record, match, remote.address)
            yield match
            number, most = match.number, most - 1
