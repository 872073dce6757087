"""Sends a program's requests to a site, with a token; bounds answers, puts errors into words."""

import http.client
import ssl
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, OverQuota, Refusal
from arena.base.words import duration
from arena.record.pulled import LARGEST_LOGS
from arena.site.api import Problem
from arena.site.config import wrong_address

_T = TypeVar("_T")

TIMEOUT_S: Final = 30.0
LARGEST_ANSWER: Final = 16 << 20
LONGEST_WAIT_S: Final = 60.0
_TRIES: Final = 3
_PATIENCE: Final = 10
_RESTART_S: Final = 5.0
"""Seconds between the `_PATIENCE` attempts to reach a site that may be restarting."""


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

    def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        most: int = LARGEST_ANSWER,
    ) -> bytes:
        """Return the body of an answer.

        If an answer breaks off, the request is sent again; no request acts twice.
        """
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


_LATER: Final[dict[int, type[Refusal]]] = {OverQuota.status: OverQuota, Busy.status: Busy}
"""The refusals after which one may ask again, by their status."""


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


def _refusal(answer: http.client.HTTPResponse, data: bytes, address: str) -> ArenaError:
    """Return the refusal in an answer, in the site's own words if they can be read."""
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


def _seconds(text: str | None) -> float:
    """Return the seconds to wait by an answer's `Retry-After`, within bounds."""
    return min(LONGEST_WAIT_S, max(1.0, float(text))) if text and text.isdecimal() else 1.0


def _unreachable(address: str, error: Exception) -> ArenaError:
    if isinstance(error, TimeoutError):
        what = f"no answer within {TIMEOUT_S:.0f} s"
    else:
        what = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Unreachable(Mistake(f"the site cannot be reached: {what}", address))
