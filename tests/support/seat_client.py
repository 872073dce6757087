"""A scripted browser: requests to a person's seat, and its stream of events."""

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec

from tests.support.patience import PATIENCE_S

# The name of an event, "line" for a line of the protocol; its number; its data.
Event = tuple[str, int | None, Any]


class Client:
    """What a page does with the address of its seat."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.path, self.query = parts.netloc, parts.path, parts.query

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        base: str | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return status, headers and body."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        sent = body if isinstance(body, bytes) else msgspec.json.encode(body)
        given = {"Content-Type": "application/json", "Origin": f"http://{self.host}"}
        given |= headers or {}
        given = {name: value for name, value in given.items() if value}
        try:
            where = (self.path if base is None else base) + path
            connection.request(method, where, None if body is None else sent, given)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def post(self, path: str, body: object, **headers: str) -> int:
        """The status that a body gets."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask("POST", path, body, given)[0]

    def events(self, after: int = 0, **headers: str) -> "Events":
        """The stream of the seat, behind some event."""
        return Events(self, after, headers)


class Events:
    """A stream of server-sent events, which is closed with its context."""

    def __init__(self, client: Client, after: int, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection(client.host, timeout=PATIENCE_S)
        given = {"Last-Event-ID": str(after), **headers} if after else headers
        self._connection.request("GET", f"{client.path}lines", headers=given)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.read()
        assert self._answer.headers["Content-Type"].startswith("text/event-stream")

    def __enter__(self) -> "Events":
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._connection.close()

    def __iter__(self) -> Iterator[Event]:
        """Events as they come, until the stream ends; comments are passed over."""
        name, number, data = "line", None, ""
        while line := self._answer.readline().decode():
            field, _, value = line.removesuffix("\n").partition(": ")
            match field:
                case "id":
                    number = int(value)
                case "event":
                    name = value
                case "data":
                    data = value
                    assert self._answer.readline() == b"\n"
                    yield name, number, json.loads(data)
                    name, number = "line", None

    def lines(self, count: int) -> list[tuple[int | None, Any]]:
        """So many lines of the protocol, with their numbers."""
        found: list[tuple[int | None, Any]] = []
        for name, number, data in self:
            if name == "line":
                found.append((number, data))
            if len(found) == count:
                break
        return found

    def until(self, wanted: str) -> Any:
        """The data of the next event of a name."""
        return next(data for name, _, data in self if name == wanted)
