"""An author's side of a site, for the command line.

It keeps tokens, sends requests and bots, bounds answers, and fetches logs into a record.
"""

import gzip
import hashlib
import http.client
import os
import shlex
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import read_file
from arena.base.refusals import Busy, OverQuota, Refusal
from arena.base.words import duration
from arena.bots.archive import pack
from arena.bots.manifest import read_bot
from arena.record.matches import ReplayedMatch
from arena.record.pulled import LARGEST_LOGS, keep_match, last_pulled, read_logs
from arena.site.api import Problem, Pulled, Sent, UploadSeen
from arena.site.config import wrong_address
from arena.site.registry.uploads import Upload

_MOST: Final = 1 << 20


def tokens_path() -> Path:
    """Return the path of the file, among the user's settings."""
    own = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(own, "zole-arena", "tokens.json")


def keep_token(address: str, token: str) -> None:
    """Keep the token of a site in place of an earlier one. Raises `ArenaError`."""
    path = tokens_path()
    kept = {**_read(path), address: token}
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(kept), indent=1))
        draft.replace(path)
    except OSError as error:
        what = f"the token cannot be kept: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None


def find_token(address: str | None) -> tuple[str, str]:
    """Return the address and the token of a site, or of the only one if none is named.

    Raises `ArenaError` if none is known.
    """
    kept = _read(tokens_path())
    if address is None and len(kept) == 1:
        return next(iter(kept.items()))
    if address is None:
        known = f"known are {', '.join(kept)}" if kept else "arena login URL makes one known"
        raise ArenaError(Mistake("which site?", "", known))
    if address not in kept:
        raise ArenaError(
            Mistake("there is no token for this site", address, f"arena login {address}")
        )
    return address, kept[address]


# Return the tokens by the addresses of their sites. Raises `ArenaError`.
def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    if os.name == "posix" and path.stat().st_mode & 0o077:
        what = "others may read the tokens in this file"
        raise ArenaError(
            Mistake(what, str(path), f"chmod 600 {shlex.quote(str(path))}, and make new tokens")
        )
    try:
        return msgspec.json.decode(read_file(path, _MOST), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise ArenaError(Mistake(f"this holds no tokens: {error}", str(path))) from None


_T = TypeVar("_T")

TIMEOUT_S: Final = 30.0
LARGEST_ANSWER: Final = 16 << 20
LONGEST_WAIT_S: Final = 60.0
_TRIES: Final = 3
_PATIENCE: Final = 10
# Seconds between the `_PATIENCE` attempts to reach a site that may be restarting.
_RESTART_S: Final = 5.0


class Unreachable(MachineError):
    """There is no site at the address, or its answer did not come."""


class Pending(Exception):
    """The file that was asked for is not made yet; ask again after `wait_s` seconds."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Remote:
    """A site at an address such as `https://zole.example`."""

    def __init__(
        self, address: str, token: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Raises `ArenaError` if no token may be sent to this address."""
        self.address = site_address(address)
        self.sleep = sleep
        self._token = token

    def get(self, path: str, kind: type[_T]) -> _T:
        """Ask for a document, and return it. Raises `ArenaError`."""
        return _decode(self._ask("GET", path, None, {}), kind, self.address)

    def watch(self, path: str, kind: type[_T]) -> _T:
        """Do as `get`, but wait for a site that is busy or restarting. Raises `ArenaError`."""
        for turn in range(_PATIENCE):
            try:
                return self.get(path, kind)
            except Unreachable:
                if turn + 1 == _PATIENCE:
                    raise
                self.sleep(_RESTART_S)
            except (OverQuota, Busy) as busy:
                if turn + 1 == _PATIENCE or busy.wait_s is None:
                    raise
                self.sleep(min(busy.wait_s, LONGEST_WAIT_S))
        raise AssertionError

    def post(self, path: str, kind: type[_T], body: object = None, key: str = "") -> _T:
        """Ask for a change, which is made once for the same `key`; return the answer.

        Raises `ArenaError`.
        """
        headers = {"Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        sent = b"" if body is None else msgspec.json.encode(body)
        return _decode(self._ask("POST", path, sent, headers), kind, self.address)

    def send(self, path: str, kind: type[_T], archive: bytes, digest: str) -> _T:
        """Send an archive with its SHA-256 in hex; return the answer. Raises `ArenaError`."""
        headers = {"Content-Type": "application/octet-stream", "Idempotency-Key": digest}
        return _decode(self._ask("POST", path, archive, headers), kind, self.address)

    def fetch(self, path: str) -> bytes:
        """Return a file of the site. Raises `Pending` and `ArenaError`."""
        return self._ask("GET", path, None, {}, LARGEST_LOGS)

    # Return the body of an answer.
    # If an answer breaks off, the request is sent again; no request acts twice.
    def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        most: int = LARGEST_ANSWER,
    ) -> bytes:
        for turn in range(_TRIES):
            try:
                return self._try(method, path, body, headers, most)
            except Unreachable:  # the proxy before it says so
                if turn + 1 == _TRIES:
                    raise
                self.sleep(2.0**turn)
            except (OSError, http.client.HTTPException) as error:
                if turn + 1 == _TRIES or isinstance(error, ssl.SSLCertVerificationError):
                    raise _unreachable(self.address, error) from None
                self.sleep(2.0**turn)
        raise AssertionError

    def _try(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], most: int
    ) -> bytes:
        parts = urlsplit(self.address)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        assert parts.hostname is not None
        connection = kind(parts.hostname, parts.port, timeout=TIMEOUT_S)
        given = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **headers}
        try:
            connection.request(method, f"/api/v1/{path}", body, given)
            answer = connection.getresponse()
            data = answer.read(most + 1)
            if len(data) > most:
                raise MachineError(Mistake("the answer is too long", self.address))
            if answer.status == HTTPStatus.ACCEPTED and method == "GET":
                raise Pending(_seconds(answer.getheader("Retry-After")))
            if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
                raise _refusal(answer, data, self.address)
            return data
        finally:
            connection.close()


# The refusals after which one may ask again, by their status.
_LATER: Final[dict[int, type[Refusal]]] = {OverQuota.status: OverQuota, Busy.status: Busy}


def site_address(text: str) -> str:
    """Return the address under which a site's token is kept. Raises `ArenaError`."""
    wrong = wrong_address(text)
    if wrong:
        raise ArenaError(Mistake(f"{text} {wrong}", "", "such as https://zole.example"))
    parts = urlsplit(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def in_path(name: str) -> str:
    """Return a name as one part of a path."""
    return quote(name, safe="")


# Return the refusal in an answer, in the site's own words if they can be read.
def _refusal(answer: http.client.HTTPResponse, data: bytes, address: str) -> ArenaError:
    status = answer.status
    if status == HTTPStatus.UNAUTHORIZED:
        what = "the site does not know this token, or not any more"
        return ArenaError(Mistake(what, address, f"arena login {address}"))
    try:
        said = msgspec.json.decode(data, type=Problem)
    except msgspec.MsgspecError:
        where = answer.getheader("Location")
        what = f"the site answers with {status} {answer.reason}"
        down = status in (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)  # from a proxy
        kind = Unreachable if down else MachineError
        return kind(Mistake(f"{what} to {where}" if where else what, address))
    wait = said.wait_s
    remedy = said.remedy
    if wait is not None:
        first = "" if remedy in ("", "try again") else f"{remedy}; "
        remedy = f"{first}try again in {duration(wait)}"
    return _LATER.get(status, Refusal)(said.error, remedy, wait)


def _decode(data: bytes, kind: type[_T], address: str) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        what = f"the site answers what this arena cannot read: {error}"
        raise MachineError(
            Mistake(what, address, "it may run another version of the arena")
        ) from None


# Return the seconds to wait by an answer's `Retry-After`, within bounds.
def _seconds(text: str | None) -> float:
    return min(LONGEST_WAIT_S, max(1.0, float(text))) if text and text.isdecimal() else 1.0


def _unreachable(address: str, error: Exception) -> ArenaError:
    if isinstance(error, TimeoutError):
        what = f"no answer within {TIMEOUT_S:.0f} s"
    else:
        what = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Unreachable(Mistake(f"the site cannot be reached: {what}", address))


UPLOAD_LOOK_S: Final = 1.0
_LARGEST: Final = 64 << 20


def packed(source: Path) -> bytes:
    """Return the archive of a bot, given a folder or an archive; equal folders give equal bytes.

    Raises `ArenaError`, also for what is plainly no bot.
    """
    if not source.is_dir():
        return read_file(source, _LARGEST)
    read_bot(source)
    return gzip.compress(pack(source), mtime=0)


def send(remote: Remote, archive: bytes, again: bool = False) -> Sent:
    """Send an archive; the same one is the same upload, unless it is to be checked `again`."""
    digest = hashlib.sha256(archive).hexdigest()
    return remote.send(f"bots{'?again=1' if again else ''}", Sent, archive, digest)


def follow(remote: Remote, upload: Upload) -> Iterator[Upload]:
    """Yield an upload whenever it has changed, until it has ended. Raises `ArenaError`."""
    while True:
        seen = remote.watch(f"uploads/{upload.id}", UploadSeen).upload
        if seen != upload:
            yield seen
        if not seen.under_way:
            return
        upload = seen
        remote.sleep(UPLOAD_LOOK_S)


# The number of logs that are asked for at once: a site lets few requests wait.
_TOGETHER: Final = 4

# The number of times that a log which is not cut yet is asked for.
_LOGS_PATIENCE: Final = 120


def new_matches(remote: Remote, record: Path, most: int) -> Pulled:
    """Return the newest of one's own matches that a record lacks. Raises `ArenaError`."""
    return remote.get(f"pull?after={last_pulled(record, remote.address)}&most={most}", Pulled)


def pull(remote: Remote, record: Path, numbers: Sequence[int]) -> Iterator[ReplayedMatch]:
    """Store matches of a site in a record, and yield each once it is there.

    The oldest come first, so that an interrupted pull can be repeated. Raises `ArenaError`, also
    for a match that is not what was played.
    """
    for begin in range(0, len(numbers), _TOGETHER):
        together = numbers[begin : begin + _TOGETHER]
        logs = _fetched(remote, together)
        for number in together:
            found = list(read_logs(logs[number], f"{remote.address}/matches/{number}"))
            if [match.number for match in found] != [number]:
                what = f"the site sent another log than that of match {number}"
                raise ArenaError(Mistake(what, remote.address))
            keep_match(record, found[0], remote.address)
            yield found[0]


# Return logs by match, as soon as the site has cut them. Raises `ArenaError`.
def _fetched(remote: Remote, numbers: Sequence[int]) -> dict[int, bytes]:
    logs: dict[int, bytes] = {}
    for _ in range(_LOGS_PATIENCE):
        wait_s = 0.0
        for number in numbers:
            if number in logs:
                continue
            try:
                logs[number] = remote.fetch(f"matches/{number}/log")
            except Pending as pending:
                wait_s = max(wait_s, pending.wait_s)
            except (OverQuota, Busy) as busy:
                if busy.wait_s is None:
                    raise
                wait_s = max(wait_s, min(busy.wait_s, LONGEST_WAIT_S))
                break  # others would be refused, too
        if len(logs) == len(numbers):
            return logs
        remote.sleep(wait_s)
    what = f"the site has not made {len(numbers) - len(logs)} logs yet"
    raise ArenaError(Mistake(what, remote.address, "try again later"))
