"""Open leagues: who is in the field, which orders are written down, and what goes on after a stop.

Matches are made up here; tests/cli/test_open_league.py plays real ones.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.run_events import Completed
from arena.bots.manifest import content_hash, read_bot
from arena.engine.builds import Copy, install
from arena.engine.job import Job
from arena.league.ledger import (
    Benched,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Teamed,
)
from arena.league.schedule import MatchSpec, commitment
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.record.submissions import listed
from arena.record.summary import summarize
from arena.sandbox.isolation import NO_ISOLATION
from arena.tasks.league_request import request_league
from arena.tasks.open_field import HOUSE, Ruling
from arena.tasks.open_league import OpenLeague, resume_open
from tests.support.bots import OPEN
from tests.support.killed import die, killed
from tests.support.open_record import AT, entries_in
from tests.support.present import present
from tests.support.scripted import made_up
from tests.support.whole_site import write_author_bot

DEALS = [(0, 0, 0)] * 10
AB, CD = ("a and son", "b and son"), ("c and son", "d and son")

pytestmark = pytest.mark.usefixtures("quick_house")


def ladder(folder: Path, names: str = "abc", more: str = "") -> Path:
    """The file of an open league with honest bots, each by an author of its own."""
    for turn, name in enumerate(names):
        write_bot(folder / name, turn)
    path = folder / "ladder.toml"
    bots = ", ".join(f'"{name}"' for name in names)
    path.write_text(f'format = "open"\nbots = [{bots}]\n{more}{OPEN}')
    return path


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def write_bot(folder: Path, turn: int = 0) -> Path:
    return write_author_bot(folder, f"{folder.name} and son", turn)


def reading(path: Path) -> closing[Store]:
    return closing(Store.open(path.with_suffix(".db")))


def writing(path: Path) -> closing[Store]:
    return closing(Store.write(path.with_suffix(".db")))


def submit(path: Path, folder: Path, late: bool = False) -> str:
    """Enter a bot as `arena submit` does, without a check; its name."""
    bot, digest = read_bot(folder), content_hash(folder)
    install(Copy(bot, digest), path.with_suffix(".bots"), NO_ISOLATION)
    with writing(path) as writer:
        return writer.submit(bot, digest, AT, HOUSE, late=late)


@contextmanager
def opened(path: Path, seed: int | None = 7, ends: bool = False) -> Iterator[OpenLeague]:
    """A league under way, whose ledger follows its rules in the end."""
    with resume_open(request_league(path, seed), ends=ends) as league:
        league.begin()
        yield league
        assert list(ledger_flaws(league.store)) == []


def specs_of(
    jobs: Iterable[tuple[MatchSpec, Job] | None], most: int | None = None
) -> list[MatchSpec]:
    return [job[0] for job in islice(jobs, most) if job is not None]


def take(league: OpenLeague, spec: MatchSpec, out: str = "") -> MatchSpec:
    """Hand in a match; `out` is disqualified at once."""
    lost = (spec.seats.index(out),) if out in spec.seats else ()
    league.take(Completed(spec, made_up(DEALS[:1] if lost else DEALS, disqualified=lost)))
    return spec


def play(league: OpenLeague, most: int | None, out: str = "") -> list[MatchSpec]:
    """Play orders until there are no more, or none for now; `out` is disqualified at once."""
    league.most_orders = most
    return play_all(league, league.jobs(), out)


def play_all(
    league: OpenLeague, jobs: Iterator[tuple[MatchSpec, Job] | None], out: str = ""
) -> list[MatchSpec]:
    """Play matches until there are none for now."""
    return [take(league, spec, out) for spec, _ in iter(jobs.__next__, None)]


def bots_in(specs: list[MatchSpec]) -> set[str]:
    return {bot for spec in specs for bot in spec.lineup}


def a_meets_b(specs: list[MatchSpec]) -> bool:
    return any({"a", "b"} <= {*spec.lineup} for spec in specs)


def changes_of(path: Path) -> list[Entry]:
    """The entries of a ledger but for its beginning, those who came, and orders."""
    with reading(path) as store:
        return [it for it in entries_in(store) if not isinstance(it, Committed | Joined | Ordered)]


def kinds_of(path: Path) -> list[str]:
    return [type(entry).__name__ for entry in changes_of(path)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return ladder(tmp_path)


@pytest.fixture(name="league")
def _league(path: Path) -> Iterator[OpenLeague]:
    """A league of `a`, `b` and `c` under way."""
    with opened(path) as league:
        yield league


def test_a_league_without_a_table_says_once_which_rule_prevents_it(tmp_path: Path) -> None:
    path, said = ladder(tmp_path, more=f"teams = {[list(AB)]}\n"), list[str]()
    with opened(path) as league:
        league.say = said.append
        assert play(league, 1), "house bots fill the tables"
        league.ruling = lambda: Ruling(benched=dict.fromkeys(HOUSE, "not wanted"))
        assert play(league, None) == play(league, None) == []
        why = "3 bots can play, of 2 authors or teams, whose bots never share a table"
        assert why in league.waits
        assert [why in line for line in said].count(True) == 1
        submit(path, write_bot(tmp_path / "e"))
        assert play(league, 2)


@pytest.mark.parametrize("more", ["", "submit_until = 2026-01-01T00:00:00Z\n"])
def test_a_league_to_which_no_bot_can_come_ends_with_the_reason(tmp_path: Path, more: str) -> None:
    with opened(ladder(tmp_path, more=more)) as league:
        league.ruling = lambda: Ruling(benched={"c": "not wanted"})
        assert play(league, 1), "house bots fill the tables"
        league.ruling = lambda: Ruling(benched=dict.fromkeys((*HOUSE, "c"), "not wanted"))
        why = r"ladder\.toml: a table of 3 needs 3 bots, and 2 bots"
        with pytest.raises(ArenaError, match=why):
            play(league, None if more else 2)
        league.patient = True
        assert play(league, None) == []
        assert "2 bots can play (benched: " in league.waits


def test_an_order_is_six_matches_of_ten_deals_written_down_first_and_finished_after_a_stop(
    path: Path,
) -> None:
    with opened(path) as league:
        jobs = league.jobs()
        specs = specs_of(jobs, 1)
        assert isinstance(entries_in(league.store)[-1], Ordered)
        specs += specs_of(jobs, 5)
        take(league, specs[0])
        specs += specs_of(jobs, 2)
        take(league, specs[7])
    with opened(path) as league:
        assert league.under_way == 2
        left = play(league, 0)
        assert league.under_way == 0
    told = [(spec.lineup, spec.first, spec.deals, spec.seed, spec.seating) for spec in specs[:6]]
    assert told == [(("a", "b", "c"), 0, 10, 0, seating) for seating in range(6)]
    lacked = [*((0, seating) for seating in range(1, 6)), *((10, at) for at in (0, 2, 3, 4, 5))]
    assert [(spec.first, spec.seating) for spec in left] == lacked


def test_a_practice_record_begins_with_a_commitment_and_its_orders_have_known_seeds(
    league: OpenLeague, tmp_path: Path
) -> None:
    with opened(ladder(tmp_path / "again")) as again:
        for each in (league, again):
            play(each, 3)
        assert league.seeds == [*league.store.seeds()] == again.seeds
    assert {spec.seed for _, spec, _ in league.store.matches()} == {0, 1, 2}
    first, *others = entries_in(league.store)
    assert first == Committed(commitment("7"))
    assert {type(each) for each in others} == {Joined, Ordered}
    found = summarize(league.store)
    orders = present(found.open)
    assert (orders.orders, orders.under_way) == (3, 0)
    assert (found.seed, found.commitment) == ("7", commitment("7"))


def test_without_a_seed_the_secret_is_drawn_and_not_shown(path: Path) -> None:
    with opened(path, None) as league:
        play(league, 2)
        found, [secret] = summarize(league.store), league.store.facts().seeds
    assert (found.practice, found.seed, found.commitment) == (False, None, commitment(secret))


def test_newcomers_play_from_the_next_order_on_and_those_who_leave_no_more(
    league: OpenLeague, path: Path
) -> None:
    play(league, 1)
    new = write_bot(path.with_name("new"))
    assert submit(path, new) == "new"
    league.most_orders = None
    jobs = league.jobs()
    [first] = specs_of(jobs, 1)
    assert league.ledger.bots.keys() == {"a", "b", "c", "new"}
    (new / "more").touch()
    assert submit(path, new) == "new.2"
    with writing(path) as writer:
        writer.withdraw("new.2")
    take(league, first)
    play_all(league, jobs)
    assert league.ledger.bots.keys() == {"a", "b", "c"}
    terms = league.store.terms()
    assert ({*terms.bots}, terms.retired) == ({"a", "b", "c", "new"}, ("new",))
    assert changes_of(path) == [Left("new", "replaced")]


def test_house_bots_play_while_there_are_few_authors_unless_the_file_names_them(
    tmp_path: Path,
) -> None:
    """A house bot that the file names is the organiser's from then on."""
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        assert {name for name, bot in league.ledger.bots.items() if bot.house} == set(HOUSE)
        assert play(league, 1)
    rewrite(path, '"b"', '"b", "shipped/sample_bots/careful"')
    with opened(path) as league:
        own = {name for name, bot in league.ledger.bots.items() if not bot.house}
        assert own == bots_in(play(league, 1)) == {"a", "b", "careful"}
        assert "careful" not in league.store.terms().retired


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_bot_that_keeps_failing_is_benched_and_resumed_once_or_leaves(
    tmp_path: Path, withdrawn: bool
) -> None:
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        submit(path, write_bot(tmp_path / "c"))
        play(league, 1, out="c")
        assert "c" not in bots_in(play(league, 2))
        [entry] = listed(league.store.submissions(), league.store.fold())
        assert (entry.state, entry.why) == ("benched", league.ledger.benched["c"])
        with writing(path) as writer:
            writer.resume("c")
            writer.resume("c")
            if withdrawn:
                writer.withdraw("c")
        assert ("c" in bots_in(play(league, 3, out="c"))) is not withdrawn
    if withdrawn:
        assert kinds_of(path) == ["Benched", "Left"]
        return
    assert kinds_of(path) == ["Benched", "Resumed", "Benched"]
    with writing(path) as writer:
        for bot, why in (
            ("c", "c was resumed before, and is benched again"),
            ("a", "a is not benched; benched: c"),
        ):
            with pytest.raises(ArenaError, match=why):
                writer.resume(bot)


def test_the_organiser_puts_authors_into_a_team_in_the_file_or_while_it_is_played(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        for some, orders, met in (((), 4, True), ((AB,), 8, False)):
            league.ruling = partial(Ruling, teams=some)
            assert a_meets_b(play(league, orders)) == met
        league.ruling = lambda: Ruling(teams=(AB, CD))  # which leave no table without house bots
        assert all({*HOUSE} & {*spec.lineup} for spec in play(league, 11))
        league.ruling = Ruling
        assert a_meets_b(play(league, 20))
    path.write_text(f"teams = {[list(AB)]}\n{path.read_text()}")
    with opened(path) as league:
        assert not a_meets_b(play(league, 4))
    teams = [entry.teams for entry in changes_of(path) if isinstance(entry, Teamed)]
    assert teams == [(AB,), (AB, CD), (), (AB,)]


def refused(path: Path, why: str) -> None:
    with pytest.raises(ArenaError, match=why), opened(path):
        pass


def test_the_end_of_an_open_league_is_settled_once_an_author_has_come(tmp_path: Path) -> None:
    path = ladder(tmp_path, "")
    with opened(path) as league:
        play(league, 1)
    rewrite(path, 'format = "open"', 'format = "open"\nfinal = 3\npublish = "season"')
    with opened(path) as league:
        assert league.config.final == 3
        submit(path, write_bot(tmp_path / "z"))
        play(league, 2)
    rewrite(path, "final = 3", "final = 4")
    refused(path, "final is 4, was 3")


def test_the_organiser_keeps_bots_out_and_pauses_the_draw(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        league.ruling = lambda: Ruling(benched={"b": "a copy", "nobody": "?"})
        assert "b" not in bots_in(play(league, 4))
        league.ruling = lambda: Ruling(waits="paused")
        assert (play(league, None), league.waits) == ([], "paused")
        league.ruling = Ruling
        assert "b" in bots_in(play(league, 9))
    assert changes_of(path) == [Benched("b", "a copy", True), Resumed("b", True)]


def test_a_bot_that_fails_while_it_is_kept_out_is_benched_before_the_next_order(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        jobs = league.jobs()
        specs = specs_of(jobs, 6)
        bot = specs[0].lineup[0]
        league.ruling = lambda: Ruling(benched={bot: "a copy"})
        for spec in specs + specs_of(jobs, 6):
            take(league, spec, out=bot)
        league.ruling = Ruling
        play(league, 3)
    assert kinds_of(path) == ["Benched", "Resumed", "Benched"]


def test_killed_before_it_benched_a_bot_it_does_so_before_the_next_order(path: Path) -> None:
    with opened(path) as league:
        league.most_orders = 1
        for spec in specs_of(league.jobs()):
            league.store.add(spec, made_up(DEALS[:1], disqualified=(spec.seats.index("c"),)))
    with opened(path) as league:
        play(league, 1)
        kinds = [type(it) for it in entries_in(league.store) if isinstance(it, Benched | Ordered)]
    assert kinds[:2] == [Ordered, Benched]


def test_an_order_is_finished_with_the_copy_of_a_bot_that_has_left(path: Path) -> None:
    with opened(path) as league:
        next(league.jobs())
    rewrite(path, ', "c"', "")
    shutil.rmtree(path.with_name("c"))
    with opened(path) as league:
        assert "c" not in league.ledger.bots
        assert {spec.lineup for spec in play(league, 0)} == {("a", "b", "c")}


def test_orders_trickle_once_all_have_met_enough_and_wake_for_a_newcomer(tmp_path: Path) -> None:
    path = ladder(tmp_path, more="width = 1.5\ntrickle = 0.001\n")
    with opened(path) as league:
        assert len(play(league, None)) > 6
        assert "intervals are narrow" in league.waits
        assert play(league, None) == []
        submit(path, write_bot(tmp_path / "d"))
        assert "d" in bots_in(play(league, None))
    rewrite(path, "0.001", "1e6")
    with opened(path) as league:
        assert len(play(league, 2)) == 12


def test_a_submission_whose_copy_is_gone_stops_nobody_until_the_next_start(path: Path) -> None:
    said: list[str] = []
    with opened(path) as league:
        league.say = said.append
        submit(path, write_bot(path.with_name("d")))
        for copy in path.with_suffix(".bots").glob(f"{content_hash(path.with_name('d'))[:16]}*"):
            shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
        assert play(league, 1)
    assert any("d cannot play" in line and "the copy of d is gone" in line for line in said)
    refused(path, "the copy of d is gone")


def test_killed_behind_any_transaction_it_goes_on_without_loss_or_double(tmp_path: Path) -> None:
    """Each run ends behind so many transactions of its own; bots come and go between them."""
    path, whole = ladder(tmp_path, more="width = 0.01\n"), Store._transaction
    with opened(path) as league:
        play(league, 1)

    def play_and_die(transactions: int) -> None:
        left = iter(range(transactions - 1))

        @contextmanager
        def counted(writer: Store) -> Iterator[None]:
            with whole(writer):
                yield
            if next(left, None) is None:
                die()

        Store._transaction = counted  # type: ignore[method-assign,assignment]
        with opened(path) as league:
            play(league, None)

    for transactions in (1, 2, 3, 7, 9):
        killed(partial(play_and_die, transactions))
        if transactions == 2:
            submit(path, write_bot(tmp_path / "d"))
        if transactions == 7:
            with writing(path) as writer:
                writer.withdraw("d")
    with opened(path) as league:
        play(league, 0)
        orders, stored = league.store.fold().orders, league.store.stored()
    assert {(lineup, first, seating) for lineup, seating, first in stored} == {
        (*order, seating) for order in orders for seating in range(6)
    }
