"""Who follows a table that is watched: what is refused, over real sockets."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from arena.site.tables.service import MOST_WATCHING
from tests.support.guest_site import SeatClient, guest_site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeatClient]:
    with guest_site(tmp_path_factory.mktemp("watched")) as site:
        seat = site.open_table()
        yield seat
        seat.leave()


@pytest.mark.parametrize("said", ["abc", "-1", "1.5", "0x1", " ", "1" * 400, "1,2", "\u00b2"])
def test_what_is_no_number_of_a_line_is_refused_in_words(seat: SeatClient, said: str) -> None:
    quoted = "".join(f"%{each:02X}" for each in said.encode())
    status, headers, data = seat.watching.ask("GET", f"lines?after={quoted}")
    assert (status, headers["content-type"]) == (422, "application/json")
    assert b"this is not the number of an event" in data


def test_one_watcher_too_many_is_told_to_come_later(seat: SeatClient) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_WATCHING):
            stack.enter_context(seat.watching.events())
        status, headers, data = seat.watching.ask("GET", "lines")
        assert (status, b"close some of them" in data) == (503, True)
        assert int(headers["retry-after"]) > 0
