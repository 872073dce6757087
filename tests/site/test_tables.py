"""Guests at tables of a site: a scripted browser, the real service of tables, real bots.

Whatever any seat does by itself is in tests/people/test_pages.py.
"""

import errno
import os
import random
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.base.refusals import Busy
from arena.bots.levels import LEVELS
from arena.match.wire import AnyReply, AnyRequest, message_in
from arena.people.pages import MOST_WATCHING
from arena.record.pulled import read_logs
from arena.sandbox.box import children
from arena.site import guest_table, tables
from arena.site.days import Days
from arena.site.documents import STANDINGS, Standings
from arena.site.published import Publisher
from arena.zole.rules import preset
from tests.support.at_a_page import SETTLED, Person
from tests.support.browser import Browser, axe
from tests.support.command import held_port, lives
from tests.support.guest_site import FORM, GuestSite, SeatClient
from tests.support.made_site import MADE
from tests.support.patience import PATIENCE_S, until
from tests.support.people import by_chance
from tests.support.web import SAME


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestSite]:
    with held_port() as port:
        site = GuestSite(tmp_path_factory.mktemp("tables"), port)
        with site.hosted():
            yield site


@pytest.fixture
def own(tmp_path: Path) -> Iterator[GuestSite]:
    with held_port() as port:
        yield GuestSite(tmp_path, port)


def reply_to(data: Any, dice: random.Random) -> AnyReply | None:
    said = message_in(msgspec.json.encode(data))
    return by_chance(said, dice) if isinstance(said, AnyRequest) else None


def play(seat: SeatClient, taken: frozenset[int] = frozenset({204})) -> list[Any]:
    """Play by chance to the end; all lines that came. Answers get a status that may be `taken`."""
    dice, found = random.Random(1), []
    with seat.events() as stream:
        for name, number, data in takewhile(lambda event: event[0] != "over", stream):
            if name == "line":
                found.append((number, data))
                if (reply := reply_to(data, dice)) is not None:
                    assert seat.answer(reply) in taken
    return found


LEAVE = """fetch('leave', {
    method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' },
}).then(() => 1)"""


# --- the door ---


def test_an_unknown_key_opens_nothing(site: GuestSite) -> None:
    at_seat = [
        ("GET", path) for path in ("", "lines", "about", "log", "review?deal=0", "levels?deal=0")
    ]
    at_seat += [("POST", path) for path in ("answer", "hint", "leave")]
    for key in ("x", "..%2f..%2fx", "%c3%a9"):
        asked = [(method, f"/tables/{key}/{path}") for method, path in at_seat]
        asked += [("GET", f"/tables/watch/{key}/{path}") for path in ("", "lines", "about")]
        for method, path in asked:
            assert site.ask(method, path, {"id": 1} if method == "POST" else None)[0] == 404, path


@pytest.mark.parametrize(
    ("path", "kind", "body", "status"),
    [
        ("/tables/", FORM, b"bot1=\xff", 422),
        ("/tables/", FORM, b"&".join([b"a=b"] * 30), 422),
        ("/tables/", FORM, b"x" * 20_000, 413),
        ("/tables/", "application/json", {}, 415),
        ("/matches", "application/json", {}, 404),
        ("/robots.txt", "", None, 404),
        *(("/tables/", FORM, f"bot1={each}".encode(), 422) for each in ("shy", "nobody", "random")),
        ("/tables/", FORM, b"bot1=Anna&bot2=Anna&bot3=Vilma", 422),
        ("/matches", "", None, 303),
    ],
)
def test_what_is_no_table_is_told_and_other_pages_are_the_sites(
    site: GuestSite, path: str, kind: str, body: object, status: int
) -> None:
    found, headers, _ = site.ask("GET" if body is None else "POST", path, body, Content_Type=kind)
    assert found == status
    assert headers.get("location") == (f"{site.site.address}{path}" if status == 303 else None)


def test_only_forms_of_the_site_open_tables(site: GuestSite) -> None:
    def status(origin: str, relation: str) -> int:
        asked = {"Content_Type": FORM, "Origin": origin, "Sec_Fetch_Site": relation}
        return site.ask("POST", "/tables/", b"bot1=nobody", **asked)[0]

    own, other = site.site.address, "http://127.0.0.1:3"
    assert own != site.address
    assert (status(own, "same-site"), status(site.address, "same-origin")) == (422, 422)
    assert {status(origin, "same-site") for origin in (other, "null", site.address)} == {403}
    assert {status(origin, "cross-site") for origin in (own, other, site.address)} == {403}


def test_only_what_its_author_allows_and_nobody_has_benched_is_played(own: GuestSite) -> None:
    def benched(*bots: str) -> guest_table.GuestTerms:
        playing, line = map(MADE.standing, (0, 9))
        lines = [msgspec.structs.replace(line, bot=bot) for bot in bots]
        with closing(Publisher(own.site.published)) as publisher:
            publisher.put(STANDINGS, Standings(at=0.0, lines=(playing, *lines)))
            publisher.publish()
        return guest_table.guest_terms(own.site)

    house = {name: level for level, it in LEVELS.items() for name in it.names}
    every = guest_table.guest_terms(own.site)
    assert [*every.copies] == [*house, "willing"]
    assert (every.seated(()), every.seated(("Anna",))) == (("Juris", "Ilze"), ("Anna", "Juris"))
    terms = benched("learned", "willing")
    without = {name: level for name, level in house.items() if level != "club"}
    assert terms.levels == without
    assert {*terms.copies} == {*without}
    with pytest.raises(Busy, match="no bot plays guests now"):
        benched(*(it.bot for it in LEVELS.values()), "willing").seated(())
    own.site.league.write_text("wrong")
    with pytest.raises(ArenaError):
        guest_table.guest_terms(own.site)


@pytest.mark.slow
def test_a_browser_has_one_table_and_an_address_no_more_than_are_free(site: GuestSite) -> None:
    first = site.open_table(more={"level": "beginner"})
    assert first.about()["players"] == ["guest", "Anna", "Andris"]
    cookie = f"zole-table={first.key}"
    status, headers, _ = site.sit("willing", Cookie=cookie)
    assert (status, headers["location"]) == (303, f"/tables/{first.key}/")
    assert headers["set-cookie"] == f"{cookie}; Path=/; HttpOnly; SameSite=Strict"
    assert headers["location"] in site.ask("GET", "/tables/", Cookie=cookie)[2]
    page = site.ask("GET", "/tables/")[2]
    for said in (
        "Anna, beginner",
        "Juris, club player",
        "Vilma, strong player",
        "Meistars, master",
        "willing, by willings",
    ):
        assert page.count(said) == 2, said
    assert "shy" not in page
    second = site.open_table("willing")
    status, headers, said = site.sit()
    assert (status, headers["retry-after"], said["wait_s"]) == (503, "60", 60), said
    status, headers, _ = site.sit(Accept="text/html")
    assert (status, headers["location"]) == (303, "/tables/")
    assert "as many tables as one network may have" in site.ask("GET", "/tables/")[2]
    for seat in (first, second):
        assert seat.leave() == 204
        seat.ended()
    site.open_table(Cookie='zole-table="a\\015\\012X-Evil: y"').leave()


@pytest.mark.slow
def test_a_table_that_everybody_has_left_makes_way_for_another_of_its_address(
    site: GuestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_table, "STAND_IN_S", 5.0)
    attended, deserted = site.open_table("willing"), site.open_table("willing")
    with attended.events():
        assert site.sit("willing")[0] == 503
        third = site.open_table("willing")
        deserted.ended()
        assert attended.about()["log"] == ""
    for seat in (attended, third):
        assert seat.leave() == 204
        seat.ended()


def test_a_match_waits_while_somebody_plays_a_deal_of_it_again(own: GuestSite) -> None:
    terms, bots = guest_table.guest_terms(own.site), ("Juris", "Ilze")
    match, again = (
        guest_table.GuestTable(terms, ("guest",), bots, 3, number, "") for number in (0, 1)
    )
    again.waits, now = match, match.present_at
    with match.link.end, again.link.end, again.page(again.followers):
        for after_s in range(0, 3600, 60):
            again.look(now + after_s)
            match.look(now + after_s)
    assert not match.is_deserted
    match.came = True
    match.look(now + 3600 + guest_table.GUEST_ABSENT_S)
    assert match.over
    again.leave()


@pytest.mark.parametrize(("friends", "move_s"), [({}, None), ({"friend1": "Ieva"}, 300.0)])
def test_only_friends_wait_no_longer_than_some_minutes(
    site: GuestSite, friends: dict[str, str], move_s: float | None
) -> None:
    seat = site.open_table(more=friends)
    with seat.events() as stream:
        [(_, hello)] = stream.lines(1)
    assert hello["limits"]["move_s"] == move_s
    assert seat.leave() == 204
    seat.ended()


# --- a table ---


@pytest.mark.slow
def test_a_guest_plays_a_table_and_takes_its_log_home_and_watchers_see_what_all_see(
    site: GuestSite, capfd: pytest.CaptureFixture[str], page: Browser
) -> None:
    seat = site.open_table("willing", "Anna")
    page.window(390, 844)
    page.visit(f"{site.address}{seat.watching.path}?lang=lv")
    page.until("document.querySelector('.felt')")
    assert page.value("document.documentElement.lang") == "lv"
    about = seat.about()
    assert (about["players"], about["log"]) == (["guest", "willing", "Anna"], "")
    assert about["levels"] == ["", "beginner"]
    assert seat.ask("GET", "log")[0] == 409
    with seat.watching.events() as stream:
        lines = play(seat)
        events = takewhile(lambda event: event[0] != "over", stream)
        watched = [data for name, _, data in events if name == "line"]
    page.until("document.querySelector('.panel.over')")
    assert page.value("document.querySelector('.panel.over h2').innerText") == "Spēle beigusies."
    assert page.value("!document.querySelector('.options, button .card, button.card')")
    assert axe(page) == []
    assert [number for number, _ in lines] == [*range(1, len(lines) + 1)]
    assert lines[0][1]["type"] == "hello"
    assert lines[-1][1] == {"type": "bye", "reason": "the match is over"}
    types = [line["type"] for line in watched]
    assert (types[:2], types[-1]) == (["hello", "told"], "bye")
    assert [line["deal"] for line in watched if line["type"] == "deal_end"] == [0, 1]
    for line in watched:
        allowed = {"type", "words", "deal", "events", "rules", "players"}
        assert {*line} <= allowed | ({"result"} if line["type"] == "deal_end" else set())
    status, headers, log = seat.ask("GET", seat.about()["log"])
    assert (status, headers["content-disposition"].partition(";")[0]) == (200, "attachment")
    replayed, headers, replay = seat.watching.ask("GET", "")
    assert (replayed, b'"willing"' in replay) == (200, True), "whoever watched sees it again"
    assert "script-src 'sha256-" in headers["content-security-policy"]
    [match] = read_logs(log, "table")
    assert (match.bots, len(match.record.results.payments)) == (tuple(about["players"]), 2)
    assert not site.file.with_name("ladder.db").exists(), "no record of the league's was touched"
    assert seat.key not in capfd.readouterr().err
    key = seat.watching.path.split("/")[-2]
    assert site.ask("GET", f"/tables/{key}/lines")[0] == 404, "it is no key to the seat"
    assert site.ask("GET", f"/tables/watch/{seat.key}/")[0] == 404


@pytest.mark.slow
def test_who_watches_is_told_what_is_refused(site: GuestSite) -> None:
    watching = site.open_table().watching
    for said in ("abc", "-1", "1.5", "0x1", "%20", "1" * 400, "1,2", "%C2%B2"):
        status, headers, data = watching.ask("GET", f"lines?after={said}")
        assert (status, headers["content-type"]) == (422, "application/json")
        assert b"this is not the number of an event" in data
    with ExitStack() as stack:
        for _ in range(MOST_WATCHING):
            stack.enter_context(watching.events())
        status, headers, data = watching.ask("GET", "lines")
        assert (status, b"close some of them" in data) == (503, True)
        assert int(headers["retry-after"]) > 0


@pytest.mark.slow
def test_a_guest_is_advised_and_its_garbage_is_not_handed_on(site: GuestSite) -> None:
    seat = site.open_table()
    with seat.events() as stream:
        events = takewhile(lambda event: event[2].get("type") != "deal_end", stream)
        asked = [event[2] for event in events if answered(seat, event)]
    assert asked
    assert seat.ask("GET", "review?deal=7")[0] == 404
    assert msgspec.json.decode(seat.ask("GET", "review?deal=0")[2])["verdicts"]
    seat.leave()
    seat.ended()
    assert b"malformed" not in seat.ask("GET", "log")[2]


def answered(seat: SeatClient, event: tuple[str, int | None, Any]) -> bool:
    """Whether something is asked; then garbage is sent, and what the hint says."""
    name, _, said = event
    if name != "line" or "hand" not in said:
        return False
    for where, body in (
        *(("answer", each) for each in (b"garbage", b"[" * 10_000, b"\xff\x00", b"#leave")),
        *(("hint", each) for each in (b'{"a":' + b"[" * 10_000, b'{"\xff":1}')),
    ):
        assert seat.post(where, body, **SAME) == 422
    status, _, data = seat.ask("POST", "hint", {"id": said["id"]}, SAME)
    assert status == 200, data
    answer = msgspec.json.decode(data)["answer"]
    assert (answer["id"], seat.answer(answer)) == (said["id"], 204)
    return True


@pytest.mark.slow
def test_a_table_is_chosen_played_and_kept_in_a_browser(site: GuestSite, page: Browser) -> None:
    page.window(390, 844)
    page.visit(f"{site.address}/tables/?level=beginner")
    page.until("document.querySelector('form.sit')")
    assert page.value("[bot1.value, bot2.value]") == ["Anna", "Andris"]
    assert axe(page) == []
    page.value("document.querySelector('#bot1').value = 'willing'")
    page.value("document.querySelector('form.sit button').click()")
    page.until("location.pathname.startsWith('/tables/') && document.querySelector('main.play')")
    person = Person(page, 3)
    person.sits(page.value("location.href"))
    person.plays(reloads=0.05)
    assert person.deals == 2
    page.until("document.querySelector('a[href=log]')")
    assert axe(page) == []
    words = page.value("document.body.innerText")
    assert "Bots play at this table: willing and " in words
    assert "--record" not in words
    links = "[...document.querySelectorAll('main a, section a')]"
    assert {"/play", "/play#day"} <= {*page.value(f"{links}.map((a) => a.pathname + a.hash)")}
    key = page.value("location.pathname").split("/")[2]
    log = site.ask("GET", f"/tables/{key}/log")[2]
    assert [match.bots[0] for match in read_logs(log.encode(), "table")] == ["guest"]
    watched = page.value("document.querySelector('[aria-label=\"This table\"] a').href")
    page.value("new Promise((done) => setTimeout(done, 400))")  # a press just after news counts not
    page.value("document.querySelector('[data-key=again]').click()")
    page.until(f"location.pathname.startsWith('/tables/') && !location.pathname.includes('{key}')")
    page.until("document.querySelector('.plate .name')?.textContent === 'willing'")
    made = page.value("JSON.parse(localStorage.getItem('zole:played'))")
    assert [(each["watch"], each["day"]) for each in made] == [(urlsplit(watched).path, False)]
    page.value(LEAVE)
    page.visit(f"{site.address}/tables/")
    page.until("document.querySelector('#played li a')")
    assert page.value("document.querySelector('#played li a').href") == watched
    assert str(abs(made[0]["made"])) in page.value("document.querySelector('#played b').innerText")
    assert axe(page) == []
    page.visit(watched)
    page.until("document.querySelector('.felt')")
    assert axe(page) == []
    assert page.value("document.title").startswith("Zole: guest, willing, ")
    page.window(1366, 768)
    page.press("End")
    page.until("document.querySelectorAll('.moves li button').length > 3")
    said = page.value("document.body.innerText")
    assert "The bot sent" not in said, "it is for people"
    assert "µs" not in said
    assert page.value("document.querySelector('.top a').pathname") == "/"


# --- the ends of tables ---


@pytest.mark.slow
@pytest.mark.parametrize("comes", [True, False])
def test_a_table_whose_guest_is_away_for_too_long_is_given_up(own: GuestSite, comes: bool) -> None:
    with patch.object(guest_table, "GUEST_ABSENT_S", 3.0 if comes else 1.0), own.hosted():
        seat = own.open_table()
        if comes:
            with seat.events() as stream:
                assert stream.lines(1)
        until(lambda: seat.about()["log"], 0.1)
        log = seat.ask("GET", "log")[2]
        assert comes or b'"exited"' in log or b'"unready"' in log, "it failed, as a bot does"


def test_a_full_disk_ends_nobodys_table(own: GuestSite) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with own.hosted():
        one, other = own.open_table(), own.open_table()
        with patch.object(guest_table, "write_whole", side_effect=full):
            assert one.leave() == 204
            assert (one.ended()["log"], one.ask("GET", "log")[0]) == ("log", 200)
        assert other.leave() == 204
        other.ended()
        log = other.ask("GET", "log")[2]
    with own.hosted():
        assert other.ask("GET", "log")[2] == log != b""


@pytest.mark.slow
def test_no_process_outlives_its_table_or_the_service_and_what_is_over_is_kept(
    own: GuestSite,
) -> None:
    with own.process() as service:
        done = own.open_table()
        done.leave()
        kept = done.ended()
        broken = own.open_table()
        with broken.events() as stream:
            assert stream.lines(1)
            [table] = children(service.pid)
            os.kill(table, signal.SIGKILL)  # the machine's means are at an end, say
            stream.until("over")
        assert broken.about()["log"] == ""
    for end in (signal.SIGTERM, signal.SIGKILL):
        with own.process() as service:
            seat = own.open_table()
            with seat.events() as stream:
                assert stream.lines(1)
                [table] = children(service.pid)
                bots = children(table)
                assert len(bots) == 2
                service.send_signal(end)
                assert service.wait(PATIENCE_S) == (0 if end == signal.SIGTERM else -end)
            until(lambda: not any(map(lives, (table, *bots))))  # noqa: B023
    with own.hosted():
        assert seat.ask("GET", "about")[0] == 404
        assert done.about() == {name: kept[name] for name in ("site", "players", "watch", "log")}
        assert play(own.open_table("willing"))[-1][1]["type"] == "bye"


def test_a_table_whose_process_stops_is_broken_off_and_keeps_nobody_from_another(
    own: GuestSite,
) -> None:
    before = {*children(os.getpid())}  # tables of other tests, say

    def of_the_table() -> list[int]:
        """The process once its program is loaded: before, its parent waits for that."""
        found = []
        for pid in {*children(os.getpid())} - before:
            with suppress(FileNotFoundError):
                if b"arena.engine.workers" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    with patch.object(guest_table, "END_S", 2.0), own.hosted():
        seat = own.open_table()
        [process] = until(of_the_table)
        os.kill(process, signal.SIGSTOP)
        assert seat.leave() == 204
        assert lives(process)
        assert own.sit()[0] == 303
        assert seat.ended()["log"] == ""
    assert not lives(process)


# --- the same cards ---

DAY = "2026-05-01"


def hands(lines: list[tuple[int, Any]], deal: int = 0) -> Any:
    ends = [line for _, line in lines if line["type"] == "deal_end" and line["deal"] == deal]
    return ends[0]["result"]["hands"]


@pytest.mark.slow
def test_a_deal_is_played_again_with_the_same_cards_and_by_every_level(own: GuestSite) -> None:
    with own.hosted():
        seat = own.open_table("Anna", "Andris")
        lines = play(seat)
        status, _, made = own.ask("GET", f"/tables/{seat.key}/levels?deal=1")
        assert status == 200
        assert [each["level"] for each in made["levels"]] == [*LEVELS]
        assert all(-14 <= each["stakes"] <= 12 for each in made["levels"])
        assert all({"contract", "declarer"} < each["course"].keys() for each in made["levels"])
        assert own.ask("GET", f"/tables/{seat.key}/levels?deal=7")[0] == 404
        assert own.sit(more={"again": seat.key, "deal": "7"})[0] == 404
        under_way = own.open_table("Anna")
        cookie = f"zole-table={under_way.key}"
        _, headers, _ = own.sit(more={"again": seat.key, "deal": "1"}, Cookie=cookie)
        assert "set-cookie" not in headers, "the guest has a match under way"
        assert under_way.leave() == 204
        other = SeatClient(own, headers["location"])
        told = other.about()
        assert told["players"] == ["guest", "Anna", "Andris"]
        assert (told["retried"], told["waits"]) == (True, ""), "the guest has left what waited"
        again = play(other)
        assert hands(again) == hands(lines, 1)
        assert len([line for _, line in again if line["type"] == "deal_end"]) == 1


def test_the_deal_of_the_day_is_played_while_a_match_waits(
    site: GuestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "today", lambda: "2026-05-02")
    for friends, beside in (({}, True), ({"friend1": "Ieva"}, False)):
        match = site.open_table("willing", more=friends)
        cookie = {"Cookie": f"zole-table={match.key}", "Accept": "text/html"}
        status, headers, _ = site.sit(more={"day": "1"}, **cookie)
        assert status == 303
        assert (headers["location"] != "/tables/") is beside, "friends do not wait for it"
        if beside:
            assert headers["set-cookie"].startswith("zole-day="), "the match stays the guest's own"
            day = SeatClient(site, headers["location"])
            told = day.about()
            assert (told["of_day"], told["waits"]) == (True, f"../{match.key}/")
            play(day)
            assert match.leave() == 204
            match.ended()
            assert day.ended()["waits"] == ""
        else:
            assert match.leave() == 204
            match.ended()


def test_everybody_plays_the_deal_of_the_day_once(
    site: GuestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "today", lambda: DAY)
    first = site.open_table(more={"day": "1"})
    one = play(first)
    made = first.ended()["day"]
    assert [made[each] for each in ("day", "others", "less", "same")] == [DAY, 0, 0, 0]
    status, _, said = site.sit(more={"day": "1"}, Cookie=f"zole-day={DAY}")
    assert (status, said["error"]) == (409, "you have played the deal of this day")
    second = site.open_table(more={"day": "1"})
    two = play(second)
    assert hands(two) == hands(one)
    told = [event for _, line in one for event in line.get("events", ())]
    assert [each["dealer"] for each in told if each["event"] == "deal"] == [2], "one bids first"
    also = second.ended()["day"]
    worse, better = ((each["stakes"], each["points"]) for each in (made, also))
    less, same = better > worse, better == worse
    assert [also[each] for each in ("others", "less", "same")] == [1, less, same]
    for lines, result in ((one, made), (two, also)):
        [end] = [line["result"] for _, line in lines if line["type"] == "deal_end"]
        assert end["payments"][0] == result["stakes"]
        side = "declarer" if end["declarer"] == 0 else "defenders"
        assert (end["points"][side] or 0) == result["points"]


def test_on_equal_stakes_the_deal_of_the_day_is_decided_by_card_points(tmp_path: Path) -> None:
    days = Days(tmp_path)
    days.deal(DAY, preset(), ("a", "b", "c"))
    made = [(2, 61), (2, 75), (2, 75), (-4, 50), (4, 91)]
    found = [days.add(DAY, *each) for each in made]
    assert [(each.others, each.less, each.same) for each in found] == [
        *((0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 0, 0), (4, 4, 0)),
    ]


CARDS = "((it) => [...it].map((it) => it.dataset.card))"
OWN = f"{CARDS}(document.querySelectorAll('.own [data-card]'))"
LAID = f"{CARDS}(document.querySelectorAll('.laid [data-card]'))"


NEXT = "document.querySelector('[data-key=next]')"


def judged_from(page: Browser, trick: str) -> None:
    """No answer that was given for the guest, before a trick, is called worse than another."""
    page.value(SETTLED)
    page.value("document.querySelectorAll('.parts button')[2].click()")
    page.until("document.querySelector('.looking') === null")
    told = page.value("document.querySelector('.ended').innerText")
    assert "everyone had seen all cards" in told
    assert all(each >= trick for each in re.findall(r"Trick \d", told))


def plays_once_more(page: Browser, person: Person) -> None:
    """Play the cards of a deal that was played again a second time."""
    here = page.value("location.pathname")
    page.value(SETTLED)
    page.value("document.querySelectorAll('.parts button')[3].click()")
    page.until("document.querySelector('.which button') !== null")
    page.value("document.querySelector('.which button').click()")
    page.until(f"location.pathname !== '{here}'")
    person.plays(until=lambda seen: seen.ended)


@pytest.mark.slow
def test_a_mistake_is_tried_again_from_where_it_was_made(site: GuestSite, page: Browser) -> None:
    """Against bots that play the same cards in the same way each time."""
    met = set[str]()
    for seed in range(30):
        seat = site.open_table("Anna", "Andris")
        person = Person(page, seed)
        person.sits(f"http://{seat.host}{seat.path}")
        person.plays(until=lambda seen: seen.ended or seen.over)
        page.value(SETTLED)
        page.value("document.querySelectorAll('.parts button')[2].click()")
        page.until("document.querySelector('.looking') === null")
        if page.value("document.querySelector('.which [aria-pressed=true]') !== null"):
            position = page.value(f"[{OWN}.toSorted(), {LAID}]")
            here = page.value("location.pathname")
            trick = page.value("document.querySelector('.which [aria-pressed=true]').innerText")
            page.value("[...document.querySelectorAll('.which button')].at(-1).click()")
            page.until("document.querySelector('dialog [data-key=leave]') !== null")
            assert page.value("location.pathname") == here, "nothing is opened until one agrees"
            page.value("document.querySelector('dialog [data-key=leave]').click()")
            page.until(f"location.pathname !== '{here}'")
            page.until("document.querySelector('.tile, .pickable.legal') !== null")
            asked = person.looks().asked
            assert asked is not None
            met.add(asked)
            hand, laid = page.value(f"[{OWN}.toSorted(), {LAID}]")
            assert [hand, laid if position[1] else []] == position, "or one leads to the next"
            person.plays(until=lambda seen: seen.ended)
            page.until(f"{NEXT}.innerText === 'Back to your match'")
            if asked == "play":
                judged_from(page, trick)
            if len(met) == 1:
                plays_once_more(page, person)
                page.until(f"{NEXT}.innerText === 'Back to your match'")
            page.value(SETTLED)
            page.value(f"{NEXT}.click()")
            page.until(f"location.pathname === '{here}'")
            page.until("document.querySelector('[data-key=next]') !== null")
            listed = page.value("localStorage.getItem('zole:played') ?? ''")
            assert seat.watching.path not in listed, "it is not over"
        page.value(LEAVE)
        page.leave()
        if len(met) > 1:
            break
    assert "play" in met


# --- friends ---


def test_friends_at_one_table_see_what_happens_as_it_happens(site: GuestSite) -> None:
    host = site.open_table("Anna", more={"name": "Agnese", "friend1": "Bert"})
    about = host.about()
    assert about["players"] == ["Agnese", "Bert", "Anna"]
    [invited] = about["invited"]
    assert invited["name"] == "Bert"
    friend = SeatClient(site, f"/tables/{invited['address'].strip('./')}/")
    told: list[Any] = []
    threading.Thread(target=lambda: told.extend(play(friend))).start()
    dice, ahead, turns, shown, hands = random.Random(2), list[Any](), set[int | None](), 0, 0
    hand: list[str] | None = None
    with host.events() as stream:
        for name, _, data in takewhile(lambda event: event[0] != "over", stream):
            if name == "ahead":
                ahead, hand = data["events"], data["hand"]
                turns.add(data["turn"])
            elif name == "line":
                if ahead:
                    shown += 1
                    assert data["events"][: len(ahead)] == ahead
                if hand:
                    hands += 1
                    assert data.get("hand", data.get("result", {}).get("hands", [0])[0]) == hand
                ahead, hand = [], None
                if (reply := reply_to(data, dice)) is not None:
                    assert host.answer(reply) == 204
    assert shown
    assert hands
    assert turns == {None, 1}
    until(lambda: told and told[-1][1]["type"] == "bye")
    assert {line["seat"] for _, line in told if "hand" in line} == {1}
    assert host.ended()["invited"] == []
    own = friend.about()
    assert (own["seat"], own["players"], own["invited"]) == (1, about["players"], [])
    assert site.sit(more={"friend1": "<b>"})[0] == 422
    assert site.ask("GET", f"/tables/{friend.key}/levels?deal=0")[0] == 404


def test_a_bot_plays_on_for_a_friend_who_leaves_until_the_friend_is_back(site: GuestSite) -> None:
    host = site.open_table("Anna", more={"name": "Agnese", "friend1": "Bert"})
    [invited] = host.about()["invited"]
    friend = SeatClient(site, f"/tables/{invited['address'].strip('./')}/")
    lines: list[Any] = []
    threading.Thread(target=lambda: lines.extend(play(host))).start()
    with friend.events() as stream:
        assert [data["type"] for _, data in stream.lines(2)] == ["hello", "bid"]
    assert friend.post("leave", {}) == 204
    until(lambda: [it for _, it in lines if it["type"] == "deal_end"])
    with host.events() as stream:
        assert stream.until("ahead")["away"] == [1]
    with friend.events() as stream:
        assert stream.until("past")["lines"] > 2
        assert stream.until("ahead")["stood_in"]
    told = play(friend, frozenset({204, 409}))  # a bot has answered some
    until(lambda: lines and lines[-1][1]["type"] == "bye")
    for seat in (lines, told):
        ends = [it for _, it in seat if it["type"] == "deal_end"]
        assert not any(event["event"] == "fault" for it in ends for event in it["events"])
        assert [it["deal"] for it in ends] == [0, 1]
    assert host.ended()["log"]
    names = {"name": "Agnese", "friend1": "Bert", "after": host.key}
    assert friend.about()["again"] == ""
    other = site.open_table("Anna", more=names)
    [invited] = other.about()["invited"]
    assert friend.about()["again"] == invited["address"]
    assert other.post("leave", {}) == 204  # nobody else has come
    other.ended()


def test_a_table_goes_on_without_its_guest_and_ends_with_its_last_person(site: GuestSite) -> None:
    host = site.open_table("Anna", more={"name": "Agnese", "friend1": "Bert"})
    [invited] = host.about()["invited"]
    friend = SeatClient(site, f"/tables/{invited['address'].strip('./')}/")
    with host.events() as of_host, friend.events() as stream:
        assert of_host.lines(1)[0][1]["type"] == "hello"
        stream.lines(1)
        assert host.post("leave", {}) == 204
        assert stream.until("ahead")["away"] in ([], [0])
        cookie = f"zole-table={host.key}"
        assert "to-own-table" not in site.ask("GET", "/tables/", Cookie=cookie)[2]
        assert host.key not in site.ask("GET", "/tables/", Cookie=cookie)[2]
        assert friend.post("leave", {}) == 204
    assert friend.ended()["log"] != ""
