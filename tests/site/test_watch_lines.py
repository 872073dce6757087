"""Who follows a table that is watched: what is refused, over real sockets, without bots."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from arena.site.config import Site
from arena.site.guests.wire import SeatStanding, socket_of, standing_line
from arena.site.web.tables import MOST_WATCHING
from tests.support.web import Events, Served, served

STANDING = SeatStanding(0, False, 0.0, "friends", ("guest", "willing", "careful"))
PATH = "/tables/watch/friends/lines"


class Host:
    """In the place of the host: one table, of whose lines none comes yet."""

    def __init__(self, site: Site) -> None:
        site.tables.mkdir()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(socket_of(site)))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with ExitStack() as stack:
            while True:
                try:
                    end = stack.enter_context(self._listener.accept()[0])
                except OSError:  # it is over
                    return
                end.sendall(standing_line(STANDING))

    def end(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web")) as found:
        host = Host(found.site)
        try:
            yield found
        finally:
            host.end()


@pytest.mark.parametrize("said", ["abc", "-1", "1.5", "0x1", " ", "1" * 400, "1,2", "\u00b2"])
def test_what_is_no_number_of_a_line_is_refused_in_words(web: Served, said: str) -> None:
    quoted = "".join(f"%{each:02X}" for each in said.encode())
    for answer in (
        web.get(f"{PATH}?after={quoted}"),
        web.get(PATH, headers={"Last-Event-ID": said.strip() or "x"}),
    ):
        assert answer.status == 422
        assert answer.headers["content-type"] == "application/json"
        assert answer.json["error"] == "this is not the number of an event"


def test_one_watcher_too_many_is_told_to_come_later(web: Served) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_WATCHING):
            assert stack.enter_context(Events(web, PATH)).status == 200
        answer = web.get(PATH)
        assert (answer.status, answer.json["remedy"]) == (503, "close some of them")
        assert int(answer.headers["retry-after"]) == answer.json["wait_s"] > 0
