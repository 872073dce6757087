"""A record holds what was stored, all or nothing; its backup is the league of one moment.

Also who may enter a bot, and who may play a league.
"""

import os
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from pathlib import Path
from threading import Barrier, Event
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.bots.manifest import Bot
from arena.league.ledger import Closed, Committed, Joined, Left, Sealed, chain_flaw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import MatchSpec
from arena.match.commands import Fault
from arena.match.record import DealFault
from arena.record.backup import Backup, backup
from arena.record.reviews import Reviews, reviews_path
from arena.record.rows import Facts, first_facts
from arena.record.store import Store
from arena.record.submissions import Submission, enter_bot
from arena.tasks.closed_league import ClosedLeague, resume_closed
from arena.tasks.league_request import request_league
from tests.league.test_schedule import terms
from tests.support.bots import write_league
from tests.support.command import document, output, refusal
from tests.support.killed import die, killed
from tests.support.open_record import Opened, open_record
from tests.support.patience import PATIENCE_S
from tests.support.scripted import made_up

AT, LATER = "2026-01-01T00:00:00+00:00", "2026-02-01T12:00:00+00:00"
TABLE = ("a", "b", "c")
DIGESTS = ("a" * 64, "b" * 64, "c" * 64)
COMMITTED = Committed("c" * 64)
JOINED = Joined("a", "a" * 64, "tests", False)


def facts(season: int = 1) -> Facts:
    """The facts of a league that begins."""
    bots = dict(zip(TABLE, DIGESTS, strict=True))
    first = first_facts(Path("league.toml"), terms(bots=bots), "1", True)
    return msgspec.structs.replace(first, season=season)


def test_a_record_may_lie_in_a_folder_whose_name_is_no_text() -> None:
    odd, other = (Path(os.fsdecode(name)) / "spring.toml" for name in (b"/b\xe4d", b"/b\xe5d"))
    told = terms(bots=dict(zip(TABLE, DIGESTS, strict=True)))
    found = {first_facts(place, told, "1", True).identity for place in (odd, other, odd)}
    assert len(found) == 2


def match(number: int = 0) -> MatchSpec:
    return MatchSpec(TABLE, 0, 1, number, TABLE)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.create(tmp_path / "league.db", facts())) as writer:
        yield writer


def names_in(folder: Path, pattern: str = "*") -> list[str]:
    return sorted(path.name for path in folder.glob(pattern))


def test_the_widest_stakes_come_back_and_wider_ones_are_refused_and_leave_nothing(
    writer: Store,
) -> None:
    for stakes in (32768, -32769, 2**16, 2**40):
        with pytest.raises(OverflowError, match="do not fit 16 bits"):
            writer.add(match(), made_up([(0, 0, 0), (0, stakes, 0)]))
        assert writer.stored() == {}, stakes
    writer.add(match(), made_up([(32767, -32768, 0)]))
    [(_, _, record)] = writer.matches()
    assert record.results.payments == ((32767, -32768, 0),)


@pytest.mark.parametrize(
    "links",
    [{"wraps": os.link}, {"side_effect": PermissionError(1, "Operation not permitted")}],
    ids=["links", "a file system without links"],
)
def test_a_record_of_that_name_stays_as_it_is(tmp_path: Path, links: dict[str, Any]) -> None:
    path = tmp_path / "league.db"
    with patch.object(os, "link", **links):
        Store.create(path, facts(season=8)).close()
        with pytest.raises(ArenaError, match="another process has just made this"):
            Store.create(path, facts(season=9))
    with closing(Store.open(path)) as store:
        assert store.facts().season == 8
    assert names_in(tmp_path, "zole-*") == []


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_in_the_last_step_leaves_a_whole_record_or_none(tmp_path: Path, when: str) -> None:
    path, link = tmp_path / "league.db", os.link

    def cut(draft: Path, name: Path) -> None:
        if when == "after":
            link(draft, name)
        die()

    with patch.object(os, "link", cut):
        killed(lambda: Store.create(path, facts(season=8)))
    if when == "before":
        assert not path.exists()
        Store.create(path, facts(season=8)).close()
    with closing(Store.write(path)) as writer:
        assert writer.facts().season == 8
    assert names_in(tmp_path, "zole-*") == []


def test_a_record_that_is_held_stays_as_it_was_while_a_league_goes_on(writer: Store) -> None:
    writer.add(match(), made_up([(2, -1, -1)]))
    with closing(Store.open(writer.path)) as reader:
        reader.hold()
        writer.add(match(1), made_up([(0, 0, 0)]))
        assert [len(list(each.outlines())) for each in (reader, writer)] == [1, 2]


def test_a_match_that_fails_to_be_stored_leaves_none_of_its_rows(writer: Store) -> None:
    writer.add(match(), made_up([(2, -1, -1)]))
    with pytest.raises(ArenaError, match="UNIQUE"):
        writer.add(match(), made_up([(0, 0, 0)]))
    assert [writer.row(f"SELECT count(*) FROM {it}") for it in ("matches", "logs")] == [(1,)] * 2


def test_the_first_date_stays_and_the_last_goes_on(writer: Store) -> None:
    assert writer.dates() is None
    for number, now in enumerate((AT, LATER)):
        with patch("arena.record.store._now", return_value=now):
            writer.add(match(number), made_up([(2, -1, -1)]))
        assert writer.dates() == (AT, now)


def submit(writer: Store, *digests: str, name: str = "mine") -> list[str]:
    """The names under which versions of a bot are entered."""
    bot = Bot(name=name, version="1", author="tests", run=("./run",))
    return [writer.submit(bot, digest, AT, ()) for digest in digests]


def states(writer: Store) -> dict[str, str]:
    return {entry.name: entry.state for entry in writer.submissions()}


def test_a_newer_version_replaces_the_one_that_plays_which_may_come_back_once_withdrawn(
    writer: Store,
) -> None:
    assert submit(writer, *DIGESTS) == ["mine", "mine.2", "mine.3"]
    assert states(writer) == {"mine": "replaced", "mine.2": "replaced", "mine.3": "playing"}
    with pytest.raises(ArenaError, match=r"in the field already, as mine\.3"):
        submit(writer, DIGESTS[2], name="other")
    writer.withdraw("mine.3")
    assert states(writer)["mine.3"] == "withdrawn"
    assert submit(writer, DIGESTS[2], DIGESTS[0]) == ["mine.4", "mine.5"]
    assert [*states(writer).values()][2:] == ["withdrawn", "replaced", "playing"]
    for name in ("mine.3", "mine.4", "nobody"):
        with pytest.raises(ArenaError, match=f"no bot called {name} was submitted and is playing"):
            writer.withdraw(name)


def test_bots_that_are_submitted_at_the_same_time_have_names_of_their_own(writer: Store) -> None:
    begin, versions = Barrier(2), range(20)

    def submit_versions(author: str) -> list[str]:
        with closing(Store.write(writer.path)) as own:
            own.sql.execute(f"PRAGMA busy_timeout={PATIENCE_S * 1000:.0f}")
            begin.wait()
            return submit(own, *(f"{author}{each}".rjust(64, "0") for each in versions))

    with ThreadPoolExecutor(2) as both:
        names = [name for each in both.map(submit_versions, "ab") for name in each]
    assert len(set(names)) == 2 * len(versions)
    assert [*states(writer).values()].count("playing") == 1


def test_lines_are_appended_as_one_chain_with_facts_or_not_at_all(tmp_path: Path) -> None:
    began = Store.create(tmp_path / "open.db", facts(), ledger=[COMMITTED])
    with closing(began) as writer:
        [first] = writer.ledger()
        more = [*writer.append([JOINED], season=3), *writer.append([Left("a", "withdrawn")])]
        with pytest.raises(TypeError):
            writer.append([JOINED], season=object())
        assert (writer.ledger(), writer.ledger(after=1)) == ([first, *more], more)
        assert writer.facts().season == 3
    assert chain_flaw([first, *more]) is None


def test_what_a_ledger_comes_to_is_read_on_from_where_it_was(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store), closing(Store.open(league.path)) as reader:
        first = league.order()
        ledger = reader.fold()
        assert ledger.orders == {(first.lineup, 0): first}
        league.play(first)
        second = league.order()
        assert reader.fold() is ledger
        assert list(ledger.orders.values()) == [first, second]
        assert ledger.read == len(reader.ledger())


def test_a_ledger_whose_lines_cannot_follow_is_damage(writer: Store) -> None:
    writer.append([JOINED, Left("b", "withdrawn")])
    with pytest.raises(ArenaError, match="this record is damaged"):
        writer.fold()


def test_a_draw_learns_who_was_out_who_played_no_deal_and_how_long_programs_ran(
    writer: Store,
) -> None:
    played = made_up([(0, 0, 0)], held_s=(0.5, 0.25, 3.0))
    writer.add(match(), made_up([(0, 0, 0)], disqualified=(1,)))
    for seating, fault in enumerate((Fault(1, "exited", ""), Fault(1, "illegal", "")), 1):
        results = msgspec.structs.replace(played.results, faults=(DealFault(0, fault),))
        writer.add(match(seating), msgspec.structs.replace(played, results=results))
    outcomes = [
        StoredOutcome(TABLE, 0, 1, 1, TABLE, (1,), ()),
        StoredOutcome(TABLE, 0, 1, 2, TABLE, (), (0.5, 0.25, 3.0), gone=("b",)),
        StoredOutcome(TABLE, 0, 1, 3, TABLE, (), (0.5, 0.25, 3.0)),
    ]
    assert list(writer.outcomes()) == outcomes
    assert list(writer.outcomes(after=1)) == outcomes[1:]
    [(_, _, record)] = writer.matches(2)
    assert record.held_s == (0.5, 0.25, 3.0)


def test_nobody_enters_or_leaves_a_closed_season(writer: Store) -> None:
    submit(writer, "d" * 64, name="own")
    writer.append([JOINED, Closed(2, ("a",))])
    for change in (lambda: submit(writer, "e" * 64, name="other"), lambda: writer.withdraw("own")):
        with pytest.raises(ArenaError, match="season 2 is closed: its bots neither come nor go"):
            change()
    assert states(writer) == {"own": "playing"}


@pytest.mark.parametrize("sealed", [None, 1])
def test_a_reader_writes_nothing_and_leaves_nothing_beside_the_record(
    writer: Store, sealed: int | None
) -> None:
    """Of a record that is sealed, everybody is a reader."""
    if sealed:
        writer.append([COMMITTED, Closed(1, TABLE), Sealed(1, "5e" * 32)])
    writer.close()
    before = writer.path.read_bytes()
    if sealed:
        with pytest.raises(ArenaError, match="season 1 is over and its record is sealed"):
            Store.write(writer.path)
    with closing(Store.open(writer.path)) as reader:
        assert reader.sealed() == sealed
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.sql.execute("DELETE FROM league")
    assert (names_in(writer.path.parent), writer.path.read_bytes()) == ([writer.path.name], before)


def opened(league: Path) -> AbstractContextManager[ClosedLeague]:
    return resume_closed(request_league(league, 1), "none")


def refused(league: Path) -> None:
    with pytest.raises(ArenaError, match="being played by process "), opened(league):
        pass


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league of which nothing was played yet."""
    league = write_league(tmp_path / "first")
    with opened(league):
        return league


def test_a_league_is_played_by_one_run_at_a_time_whatever_its_names(league: Path) -> None:
    """Also where an editor saves its file by renaming, and where its record is renamed."""
    other, saved = league.with_name("other.toml"), league.with_name("saved")
    with opened(league):
        saved.write_text(league.read_text() + "\n")
        saved.rename(league)
        refused(league)
        shutil.copy(league, other)
        league.with_suffix(".db").rename(other.with_suffix(".db"))
        refused(other)
        assert len(names_in(league.parent, ".*.lock")) == 1
        told = refusal("withdraw", "x", "--league", other)
    assert "no bot called x was submitted" in told
    assert names_in(league.parent, ".*.lock") == []
    with opened(other) as season:
        assert season.remaining()


def test_a_copy_is_not_played_beside_the_record_but_another_league_of_its_seed_is(
    league: Path, tmp_path: Path
) -> None:
    other = league.with_name("other.toml")
    for suffix in (".toml", ".db"):
        shutil.copy(league.with_suffix(suffix), other.with_suffix(suffix))
    for one, beside in ((league, other), (other, league)):
        with opened(one):
            refused(beside)
    with opened(league), opened(write_league(tmp_path / "second")) as season:
        assert season.remaining()


def test_a_run_that_is_killed_keeps_nobody_out(league: Path) -> None:
    def play() -> None:
        with opened(league):
            die()

    killed(play)
    with opened(league) as season:
        assert season.remaining()


def test_a_folder_that_may_not_be_written_to_is_named_as_the_cause(writer: Store) -> None:
    writer.path = Path("/sys/league.db")  # a folder that is closed even to root
    with pytest.raises(MachineError, match="cannot be written: Permission denied"), writer.lock():
        pass


MINE = Bot("mine", "1", "Anna", ("./run",))
THEIRS = msgspec.structs.replace(MINE, author="Berta")
LIKE_MINE = msgspec.structs.replace(MINE, name="MINE")
HELD = "the name mine is taken by Anna.*change it in bot.toml; --any-author passes it on$"


def entered(state: str) -> list[Submission]:
    entry = Submission(MINE.name, MINE, "a", AT, "playing")
    return [msgspec.structs.replace(entry, state=state)]


@pytest.mark.parametrize("state", ["playing", "replaced", "withdrawn"])
@pytest.mark.parametrize(
    ("bot", "why"), [(THEIRS, HELD), (LIKE_MINE, "MINE differs only in case from mine")]
)
def test_a_name_and_those_that_differ_in_case_belong_to_the_author_who_entered_it(
    state: str, bot: Bot, why: str
) -> None:
    with pytest.raises(ArenaError, match=why):
        enter_bot(entered(state), bot, "b", AT, ())


@pytest.mark.parametrize(
    ("there", "bot", "taken", "name"),
    [
        *((entered(state), MINE, (), "mine.2") for state in ("playing", "replaced", "withdrawn")),
        ([], LIKE_MINE, {"mine"}, "MINE.2"),
        ([], MINE, {"mine", "mine.2"}, "mine.3"),
    ],
)
def test_a_name_in_use_and_those_of_the_leagues_file_are_not_given_again(
    there: list[Submission], bot: Bot, taken: Collection[str], name: str
) -> None:
    assert enter_bot(there, bot, "b", AT, taken)[-1].name == name


def test_the_organiser_can_pass_a_name_on_for_good() -> None:
    old, new = enter_bot(entered("playing"), THEIRS, "b", AT, (), any_author=True)
    assert (old.state, new.manifest.author) == ("replaced", "Berta")
    with pytest.raises(ArenaError, match="the name mine is taken by Berta"):
        enter_bot([old, new], MINE, "c", AT, ())


def test_a_league_goes_on_from_its_backup_as_from_itself(tmp_path: Path) -> None:
    league, place = write_league(tmp_path / "first", deals=1), tmp_path / "monday"
    output("league", league)
    assert output("backup", league, place) == f"{place}: 6 matches and 3 bots copied and checked\n"
    modes = {path.name: path.stat().st_mode & 0o777 for path in (place, *place.iterdir())}
    assert modes.keys() == {place.name, "league.toml", "league.db", "league.bots"}
    assert (modes[place.name], modes["league.db"]) == (0o700, 0o600)
    before = document("standings", league)
    for bot in "abc":
        (league.parent / bot).rename(tmp_path / bot)
    shutil.rmtree(league.parent)  # the drill: the disk is lost
    shutil.copytree(place, league.parent)
    for bot in "abc":
        (tmp_path / bot).rename(league.parent / bot)
    assert document("standings", league) == before
    output("verify", league)
    league.write_text(league.read_text().replace("deals = 1", "deals = 2"))
    done = document("league", league)
    assert (done["complete"], done["sets"]) == (True, 2)


def test_a_backup_is_of_one_moment_while_a_league_plays(tmp_path: Path, writer: Store) -> None:
    over = Event()

    def play() -> None:
        with closing(Store.write(writer.path)) as store:
            for number in range(6):
                store.add(match(number), made_up([(number, 0, 0)]))
                store.set_facts(season=number + 2)
            over.wait()

    with ThreadPoolExecutor(1) as player:
        played = player.submit(play)
        try:
            copies = [backup(writer.path, tmp_path / f"copy-{number}") for number in range(3)]
        finally:
            over.set()
    played.result()
    for copy in copies:
        with closing(Store.open(Path(copy.folder, "league.db"))) as store:
            assert len(store.stored()) == copy.matches
            assert store.facts().season - 1 in (copy.matches, copy.matches - 1)


def test_the_ledger_its_secret_and_reviews_are_in_a_backup(tmp_path: Path) -> None:
    path = open_record(tmp_path / "ladder.db", orders=1)
    with closing(Reviews.open(reviews_path(path), create=True)) as reviews:
        reviews.keep(8, [])
    assert backup(path, tmp_path / "copy") == Backup(str(tmp_path / "copy"), 6, 0)
    with closing(Store.open(path)) as old, closing(Store.open(tmp_path / "copy/ladder.db")) as new:
        assert (new.ledger(), new.facts()) == (old.ledger(), old.facts())
    assert (tmp_path / "copy/ladder.reviews").exists()


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    return open_record(tmp_path / "ladder.db", orders=0)


def test_a_backup_is_never_written_over_another(ladder: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    for place, why in (("copy", "exists already"), ("nowhere/copy", "no such folder")):
        with pytest.raises(ArenaError, match=why):
            backup(ladder, tmp_path / place)


def test_no_backup_is_made_of_a_record_that_is_damaged(ladder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(ladder, isolation_level=None)) as sql:
        sql.execute("PRAGMA journal_mode=DELETE")
        (page,) = sql.execute("SELECT rootpage FROM sqlite_master WHERE name = 'voids'").fetchone()
        (size,) = sql.execute("PRAGMA page_size").fetchone()
    whole, begin = ladder.read_bytes(), (page - 1) * size
    ladder.write_bytes(whole[:begin] + b"\xff" * 64 + whole[begin + 64 :])
    with pytest.raises(ArenaError, match="damaged"):
        backup(ladder, tmp_path / "copy")
    assert names_in(tmp_path) == ["ladder.db"]


def test_a_backup_that_was_killed_has_no_name_and_the_next_removes_it(
    ladder: Path, tmp_path: Path
) -> None:
    with patch("arena.record.backup.copy_bots", die):
        killed(lambda: backup(ladder, tmp_path / "copy"))
    assert not (tmp_path / "copy").exists()
    assert names_in(tmp_path, "zole-*")
    backup(ladder, tmp_path / "copy")
    assert names_in(tmp_path, "zole-*") == []
