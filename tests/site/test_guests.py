"""Guests at tables of a site: a scripted browser, the real service of tables, real bots."""

import random
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.wire import AnyReply, AnyRequest, message_in
from arena.people.pages import MOST_WATCHING
from arena.record.pulled import read_logs
from tests.support.at_a_page import Person
from tests.support.browser import Browser, axe
from tests.support.guest_site import GuestSite, SeatClient, guest_site
from tests.support.patience import PATIENCE_S
from tests.support.people import by_chance
from tests.support.web import SAME

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestSite]:
    with guest_site(tmp_path_factory.mktemp("guests")) as site:
        yield site


def reply_to(data: Any, dice: random.Random) -> AnyReply | None:
    """An answer by chance, where something is asked."""
    said = message_in(msgspec.json.encode(data))
    return by_chance(said, dice) if isinstance(said, AnyRequest) else None


def play(seat: SeatClient, known: int = 0, most: int | None = None) -> list[Any]:
    """Play by chance to the end, or so many answers; all lines that came.

    The `known` ones have been answered.
    """
    dice, found, answers = random.Random(1), [], 0
    with seat.events() as stream:
        for name, number, data in stream:
            if name == "over":
                break
            if name != "line":
                continue
            found.append((number, data))
            reply = reply_to(data, dice) if number is not None and number > known else None
            if reply is not None:
                assert seat.answer(reply) == 204
                answers += 1
                if answers == most:
                    break
    return found


def test_a_guest_plays_a_table_and_takes_its_log_home(site: GuestSite, tmp_path: Path) -> None:
    seat = site.open_table("willing")
    about = seat.about()
    assert (about["players"][:2], about["log"]) == (["guest", "willing"], "")
    assert seat.ask("GET", "log")[0] == 409
    lines = play(seat)
    assert [number for number, _ in lines] == [*range(1, len(lines) + 1)]
    assert lines[0][1]["type"] == "hello"
    assert lines[-1][1] == {"type": "bye", "reason": "the match is over"}
    status, headers, log = seat.ask("GET", seat.about()["log"])
    assert (status, headers["content-disposition"].partition(";")[0]) == (200, "attachment")
    replayed, headers, page = seat.watching.ask("GET", "")
    assert (replayed, b'"willing"' in page) == (200, True), "whoever watched sees it again"
    assert "script-src 'sha256-" in headers["content-security-policy"]
    [match] = read_logs(log, "table")
    assert match.bots == tuple(about["players"])
    assert len(match.record.results.payments) == 2
    assert not (site.folder / "ladder.db").exists(), "no record of the league's was touched"
    logs = [each.read_bytes() for each in site.folder.glob("*.log")]
    assert seat.key.encode() not in b"".join(logs)


def test_only_bots_that_agree_and_those_of_the_house_are_there(site: GuestSite) -> None:
    for bots in (["shy"], ["nobody"], ["random"], ["careful", "careful", "sampler"]):
        status, _, said = site.sit(*bots)
        assert (status, said["error"][:7]) == (422, "choose ")
    page = site.ask("GET", "/tables/")[2]
    levels = ("Beginner: careful", "Club player: learned", "Strong player: sampler")
    for said in (*levels, "Master: master", "willing, by willings"):
        assert page.count(said) == 2, said
    assert "shy" not in page


def test_watchers_see_what_all_see_until_a_deal_is_over(site: GuestSite) -> None:
    seat = site.open_table("careful", "willing")
    assert seat.watching.ask("GET", "")[0] == 200
    with seat.watching.events() as stream:
        play(seat)
        events = takewhile(lambda event: event[0] != "over", stream)
        lines = [data for name, _, data in events if name == "line"]
    types = [line["type"] for line in lines]
    assert (types[:2], types[-1]) == (["hello", "told"], "bye")
    assert [line["deal"] for line in lines if line["type"] == "deal_end"] == [0, 1]
    for line in lines:
        allowed = {"type", "words", "deal", "events", "rules", "players"}
        assert {*line} <= allowed | ({"result"} if line["type"] == "deal_end" else set())
    key = seat.watching.path.split("/")[-2]
    assert site.ask("GET", f"/tables/{key}/lines")[0] == 404, "it is no key to the seat"
    assert site.ask("GET", f"/tables/watch/{seat.key}/")[0] == 404


def test_watchers_sit_at_the_table_itself_and_are_asked_nothing(
    site: GuestSite, page: Browser
) -> None:
    seat = site.open_table("willing")
    page.window(390, 844)
    page.visit(f"{site.address}{seat.watching.path}?lang=lv")
    page.until("document.querySelector('.felt')")
    assert page.value("document.documentElement.lang") == "lv"
    play(seat)
    page.until("document.querySelector('.panel.over')")
    assert page.value("document.querySelector('.panel.over h2').innerText") == "Spēle beigusies."
    assert page.value("!document.querySelector('.options, button .card, button.card')")
    assert axe(page) == []
    page.leave()


def test_a_browser_has_one_table_and_an_address_two(site: GuestSite) -> None:
    first = site.open_table()
    cookie = f"zole-table={first.key}"
    status, headers, _ = site.sit("willing", Cookie=cookie)
    assert (status, headers["location"]) == (303, f"/tables/{first.key}/")
    assert headers["set-cookie"] == f"{cookie}; Path=/; HttpOnly; SameSite=Strict"
    assert headers["location"] in site.ask("GET", "/tables/", Cookie=cookie)[2]
    second = site.open_table("willing")
    status, headers, said = site.sit()
    assert (status, headers["retry-after"], said["wait_s"]) == (429, "60", 60), said
    for seat in (first, second):
        assert seat.leave() == 204
        ended(seat)
    site.open_table(Cookie='zole-table="a\\015\\012X-Evil: y"').leave()


def ended(seat: SeatClient) -> Any:
    """What is told of a table that is over, as soon as it is."""
    with seat.events() as stream:
        stream.until("over")
    return seat.about()


def test_who_watches_is_told_what_is_refused(site: GuestSite) -> None:
    watching = site.open_table().watching
    for said in ("abc", "-1", "1.5", "0x1", " ", "1" * 400, "1,2", "\u00b2"):
        quoted = "".join(f"%{each:02X}" for each in said.encode())
        status, headers, data = watching.ask("GET", f"lines?after={quoted}")
        assert (status, headers["content-type"]) == (422, "application/json")
        assert b"this is not the number of an event" in data
    with ExitStack() as stack:
        for _ in range(MOST_WATCHING):
            stack.enter_context(watching.events())
        status, headers, data = watching.ask("GET", "lines")
        assert (status, b"close some of them" in data) == (503, True)
        assert int(headers["retry-after"]) > 0


def test_garbage_gets_no_further_than_the_web(site: GuestSite) -> None:
    seat = site.open_table()
    with seat.events() as stream:
        asked = stream.lines(2)[1][1]
        for body, status in (
            (b"{", 422),
            (b"[" * 10_000, 422),
            (b'"' + b"x" * 20_000 + b'"', 413),
            (b"\xff\x00", 422),
            ({"type": "play", "id": asked["id"] + 1, "card": "QC"}, 409),
            ({"type": "nothing", "id": asked["id"]}, 422),
        ):
            assert seat.post("answer", body, **SAME) == status
        assert seat.post("answer", b"#leave", **SAME) == 422
        assert seat.post("hint", b'{"a":' + b"[" * 10_000, **SAME) == 422
        assert seat.post("hint", b'{"\xff":1}', **SAME) == 422
        assert seat.post("answer", b'{"type":"ready","protocol":1}', **SAME) == 409
        assert seat.post("answer", {}, Content_Type="text/plain", **SAME) == 415
        assert seat.post("answer", {}, Sec_Fetch_Site="cross-site") == 403
        assert seat.answer(reply_to(asked, random.Random(1))) == 204
    seat.leave()
    ended(seat)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_web_process_that_ends_disturbs_no_table(site: GuestSite, how: signal.Signals) -> None:
    seat = site.open_table()
    before = play(seat, most=5)
    site.web.send_signal(how)
    site.web.wait(PATIENCE_S)
    lines = play(seat, known=len(before))
    assert lines[: len(before)] == before
    assert lines[-1][1]["type"] == "bye"
    site.begin_web()


def test_a_killed_service_ends_its_tables_and_another_has_new_ones(site: GuestSite) -> None:
    done = site.open_table()
    done.leave()
    kept = ended(done)
    seat = site.open_table()
    with seat.events() as stream:
        assert stream.lines(1)
        site.tables.kill()
        site.tables.wait(PATIENCE_S)
    site.begin_tables()
    assert seat.ask("GET", "about")[0] == 404
    assert done.about() == kept
    other = site.open_table("willing")
    assert play(other)[-1][1]["type"] == "bye"


def test_a_table_is_chosen_played_and_kept_in_a_browser(
    site: GuestSite, page: Browser, tmp_path: Path
) -> None:
    page.window(390, 844)
    page.visit(f"http://127.0.0.1:{site.port}/play")
    page.until("document.querySelector('form.sit')")
    assert axe(page) == []
    page.value("document.querySelector('#bot1').value = 'willing'")
    page.value("document.querySelector('form.sit button').click()")
    page.until("location.pathname.startsWith('/tables/') && document.querySelector('main.play')")
    person = Person(page, 3)
    person.sits(page.value("location.href"))
    person.plays(reloads=0.05)
    assert person.deals == 1
    page.until("document.querySelector('a[href=log]')")
    assert axe(page) == []
    words = page.value("document.body.innerText")
    assert "You play against willing and " in words
    assert "--record" not in words
    ways = page.value("[...document.querySelectorAll('main a, section a')].map((a) => a.pathname)")
    assert {"/play", "/"} <= set(ways)
    key = page.value("location.pathname").split("/")[2]
    log = site.ask("GET", f"/tables/{key}/log")[2]
    assert [match.bots[0] for match in read_logs(log.encode(), "table")] == ["guest"]
    watched = page.value("document.querySelector('[aria-label=\"This table\"] a').href")
    page.value("new Promise((done) => setTimeout(done, 400))")  # a press just after news counts not
    page.value("document.querySelector('[data-key=again]').click()")
    page.until(f"location.pathname.startsWith('/tables/') && !location.pathname.includes('{key}')")
    page.until("document.querySelector('.plate .name')?.textContent === 'willing'")
    page.value(f"location.href = '{watched}'")
    page.until("document.querySelector('.felt')")
    assert axe(page) == []
    assert page.value("document.title").startswith("site: guest, willing, ")
    page.value("document.querySelector('.top a').click()")
    page.until("location.pathname === '/'")
    page.leave()
