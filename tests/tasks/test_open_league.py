"""Open leagues: who is in the field, which orders are written down, and what goes on after a stop.

Matches are made up here; tests/cli/test_open_league.py plays real ones.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice, takewhile
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
    chain_flaw,
)
from arena.league.schedule import MatchSpec, commitment
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.record.submissions import listed
from arena.record.summary import summarize
from arena.sandbox.isolation import NO_ISOLATION
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from arena.tasks.open_field import HOUSE, Ruling
from arena.tasks.open_league import OpenLeague, resume_open
from tests.support.bots import OPEN, write_quick_bot
from tests.support.killed import die, killed
from tests.support.open_record import entries_in
from tests.support.present import present
from tests.support.scripted import made_up

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
    write_quick_bot(folder, turn=turn)
    rewrite(folder / "bot.toml", '"tests"', f'"{folder.name} and son"')
    return folder


def reading(path: Path) -> closing[Store]:
    return closing(Store.open(path.with_suffix(".db")))


def writing(path: Path) -> closing[Store]:
    return closing(Store.write(path.with_suffix(".db")))


def submit(path: Path, folder: Path, late: bool = False) -> str:
    """Enter a bot as `arena submit` does, without a check; its name."""
    bot, digest = read_bot(folder), content_hash(folder)
    install(Copy(bot, digest), path.with_suffix(".bots"), NO_ISOLATION)
    with writing(path) as writer:
        return writer.submit(bot, digest, datetime.now(UTC).isoformat(), HOUSE, late=late)


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


def take(league: OpenLeague, spec: MatchSpec, out: str = "") -> None:
    """Hand in a match; `out` is disqualified at once."""
    lost = (spec.seats.index(out),) if out in spec.seats else ()
    league.take(Completed(spec, made_up(DEALS[:1] if lost else DEALS, disqualified=lost)))


def play(league: OpenLeague, most: int | None, out: str = "") -> list[MatchSpec]:
    """Play orders until there are no more, or none for now; `out` is disqualified at once."""
    played: list[MatchSpec] = []
    league.most_orders = most
    for job in takewhile(lambda job: job is not None, league.jobs()):
        spec, _ = present(job)
        take(league, spec, out)
        played.append(spec)
    return played


def bots_in(specs: list[MatchSpec]) -> set[str]:
    return {bot for spec in specs for bot in spec.lineup}


def meet(specs: list[MatchSpec], *bots: str) -> bool:
    return any({*bots} <= {*spec.lineup} for spec in specs)


def entries_of(path: Path) -> list[Entry]:
    with reading(path) as store:
        return entries_in(store)


def changes_of(path: Path) -> list[Entry]:
    """The entries of a ledger but for its beginning, those who came, and orders."""
    usual = Committed | Joined | Ordered
    return [entry for entry in entries_of(path) if not isinstance(entry, usual)]


def kinds_of(path: Path) -> list[str]:
    return [type(entry).__name__ for entry in changes_of(path)]


def test_bots_that_the_organiser_names_meet_though_one_author_wrote_them(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    for turn, name in enumerate("abc"):
        write_quick_bot(tmp_path / name, turn=turn)
    with opened(path) as league:
        assert [spec.lineup for spec in play(league, 1)] == [("a", "b", "c")] * 6
        assert sorted(league.ledger.bots) == ["a", "b", "c"], "no house bot is needed"


def test_a_league_without_a_table_says_once_which_rule_prevents_it(tmp_path: Path) -> None:
    path = ladder(tmp_path, more=f"teams = {[list(AB)]}\n")
    with opened(path) as league:
        said: list[str] = []
        league.say = said.append
        assert play(league, 1), "house bots fill the tables"
        league.ruling = lambda: Ruling(benched=dict.fromkeys(HOUSE, "not wanted"))
        assert play(league, None) == play(league, None) == []
        why = "3 bots can play, of 2 authors or teams, whose bots never share a table"
        assert why in league.waits
        assert [why in line for line in said].count(True) == 1
        submit(path, write_bot(tmp_path / "e"))
        assert play(league, 2)
        league.ruling = lambda: Ruling(benched={"a": "slow", **dict.fromkeys((*HOUSE, "e"), "")})
        assert play(league, None) == []
        assert "2 bots can play (benched: " in league.waits


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


def test_an_order_is_six_matches_of_ten_deals_and_written_down_before_them(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        league.most_orders = 1
        jobs = league.jobs()
        specs = specs_of(jobs, 1)
        assert isinstance(entries_of(path)[-1], Ordered)
        specs += specs_of(jobs)
    told = [(spec.lineup, spec.first, spec.deals, spec.seed, spec.seating) for spec in specs]
    assert told == [(("a", "b", "c"), 0, 10, 0, seating) for seating in range(6)]


def test_a_practice_record_begins_with_a_commitment_and_its_orders_have_known_seeds(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path)
    with opened(path) as league, opened(ladder(tmp_path / "again")) as again:
        for each in (league, again):
            play(each, 3)
        assert league.seeds == [*league.store.seeds()] == again.seeds
    assert len({*league.seeds}) == 3
    first, *others = entries_of(path)
    assert first == Committed(commitment("7"))
    assert {type(each) for each in others} == {Joined, Ordered}
    with reading(path) as store:
        summary = summarize(store)
        assert chain_flaw(store.ledger()) is None
        assert store.seeds() == store.fold().seeds("7")
        assert {spec.seed for _, spec, _ in store.matches()} == {0, 1, 2}
    found = present(summary.open)
    assert (found.orders, found.under_way) == (3, 0)
    assert (summary.seed, summary.commitment) == ("7", commitment("7"))


def test_without_a_seed_the_secret_is_drawn_and_not_shown(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path, None) as league, reading(path) as store:
        play(league, 2)
        summary, [secret] = summarize(store), store.facts().seeds
    shown = (summary.practice, summary.seed, summary.commitment)
    assert shown == (False, None, commitment(secret))


def test_what_orders_lack_is_played_first(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        jobs = league.jobs()
        specs = specs_of(jobs, 6)
        take(league, specs[0])
        specs += specs_of(jobs, 2)
        take(league, specs[7])
    with opened(path) as league:
        assert league.under_way == 2
        left = play(league, 0)
        assert league.under_way == 0
    assert left[:5] == specs[1:6]
    assert [(spec.first, spec.seating) for spec in left[5:]] == [(10, at) for at in (0, 2, 3, 4, 5)]


def test_newcomers_play_from_the_next_order_on_and_those_who_leave_no_more(tmp_path: Path) -> None:
    path, new = ladder(tmp_path), tmp_path / "new"
    with opened(path) as league:
        play(league, 1)
        assert submit(path, write_bot(new)) == "new"
        (new / "more").touch()
        league.most_orders = None
        jobs = league.jobs()
        [first] = specs_of(jobs, 1)
        assert league.ledger.bots.keys() == {"a", "b", "c", "new"}
        assert submit(path, new) == "new.2"
        with writing(path) as writer:
            writer.withdraw("new.2")
        take(league, first)
        for job in takewhile(lambda job: job is not None, jobs):
            take(league, present(job)[0])
        assert league.ledger.bots.keys() == {"a", "b", "c"}
        terms = league.store.terms()
    assert changes_of(path) == [Left("new", "replaced")]
    assert ({*terms.bots}, terms.retired) == ({"a", "b", "c", "new"}, ("new",))


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


@pytest.fixture
def with_c(tmp_path: Path) -> Iterator[OpenLeague]:
    """A league to which `c` came, and in whose first order it was disqualified."""
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        submit(path, write_bot(tmp_path / "c"))
        play(league, 1, out="c")
        yield league


def test_a_bot_that_keeps_failing_is_benched_and_resumed_once(
    with_c: OpenLeague, tmp_path: Path
) -> None:
    path = tmp_path / "ladder.toml"
    assert "c" not in bots_in(play(with_c, 2))
    [entry] = listed(with_c.store.submissions(), with_c.store.fold())
    assert (entry.state, entry.why) == ("benched", with_c.ledger.benched["c"])
    with writing(path) as writer:
        writer.resume("c")
        writer.resume("c")
    assert "c" in bots_in(play(with_c, 3, out="c"))
    assert kinds_of(path) == ["Benched", "Resumed", "Benched"]
    with writing(path) as writer:
        for bot, why in (
            ("c", "c was resumed before, and is benched again"),
            ("a", "a is not benched; benched: c"),
        ):
            with pytest.raises(ArenaError, match=why):
                writer.resume(bot)


def test_a_bot_that_is_resumed_and_withdrawn_at_once_leaves(
    with_c: OpenLeague, tmp_path: Path
) -> None:
    with writing(tmp_path / "ladder.toml") as writer:
        writer.resume("c")
        writer.withdraw("c")
    play(with_c, 2)
    assert kinds_of(tmp_path / "ladder.toml") == ["Benched", "Left"]


def test_the_organiser_puts_authors_into_a_team_in_the_file_or_while_it_is_played(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        for some, orders, met in (((), 4, True), ((AB,), 8, False)):
            league.ruling = partial(Ruling, teams=some)
            assert meet(play(league, orders), "a", "b") == met
        league.ruling = lambda: Ruling(teams=(AB, CD))  # which leave no table without house bots
        assert all({*HOUSE} & {*spec.lineup} for spec in play(league, 11))
        league.ruling = Ruling
        assert meet(play(league, 20), "a", "b")
    path.write_text(f"teams = {[list(AB)]}\n{path.read_text()}")
    with opened(path) as league:
        assert not meet(play(league, 4), "a", "b")
    teams = [entry.teams for entry in changes_of(path) if isinstance(entry, Teamed)]
    assert teams == [(AB,), (AB, CD), (), (AB,)]


def refused(path: Path, why: str) -> None:
    with pytest.raises(ArenaError, match=why), opened(path):
        pass


def test_an_open_league_keeps_its_rules_and_once_an_author_has_come_its_end(tmp_path: Path) -> None:
    path = ladder(tmp_path, "")
    with opened(path) as league:
        play(league, 1)
    rewrite(path, 'format = "open"', 'format = "open"\nfinal = 3\npublish = "season"')
    write_bot(tmp_path / "z")
    with opened(path) as league:
        assert league.config.final == 3
    rewrite(path, "bots = []", 'bots = ["z"]')
    with opened(path) as league:
        play(league, 1)
    for old, new, why in (
        ("final = 3", "final = 4", "final is 4, was 3"),
        ("final = 4", 'final = 3\napart = "nobody"', 'apart is "nobody", was "author"'),
    ):
        rewrite(path, old, new)
        refused(path, why)
    rewrite(ladder(tmp_path, "xyz"), 'format = "open"\n', "")
    changed = pytest.raises(ArenaError, match='format is "closed", was "open"')
    with changed, resume_closed(request_league(path)):
        pass


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


def test_killed_before_it_benched_a_bot_it_does_so_before_the_next_order(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        league.most_orders = 1
        for spec in specs_of(league.jobs()):
            out = (spec.seats.index("c"),)
            league.store.add(spec, made_up(DEALS[:1], disqualified=out))
    with opened(path) as league:
        play(league, 1)
    kinds = [type(each) for each in entries_of(path) if isinstance(each, Benched | Ordered)]
    assert kinds[:2] == [Ordered, Benched]


def test_an_order_is_finished_with_the_copy_of_a_bot_that_has_left(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        next(league.jobs())
    rewrite(path, ', "c"', "")
    shutil.rmtree(tmp_path / "c")
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


def test_a_submission_whose_copy_is_gone_stops_nobody_until_the_next_start(tmp_path: Path) -> None:
    path, said = ladder(tmp_path), list[str]()
    with opened(path) as league:
        league.say = said.append
        submit(path, write_bot(tmp_path / "d"))
        for copy in path.with_suffix(".bots").glob(f"{content_hash(tmp_path / 'd')[:16]}*"):
            shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
        assert play(league, 1)
    assert any("d cannot play" in line and "the copy of d is gone" in line for line in said)
    refused(path, "the copy of d is gone")


def test_killed_behind_any_transaction_it_goes_on_without_loss_or_double(tmp_path: Path) -> None:
    """Each run ends behind so many transactions of its own; bots come and go between them."""
    path = ladder(tmp_path, more="width = 0.01\n")
    with opened(path) as league:
        play(league, 1)
    for transactions in (1, 2, 3, 7, 9):
        killed(partial(play_and_die, path, transactions))
        if transactions == 2:
            submit(path, write_bot(tmp_path / "d"))
        if transactions == 7:
            with writing(path) as writer:
                writer.withdraw("d")
    with opened(path) as league:
        play(league, 0)
        orders, stored = league.store.fold().orders, league.store.stored()
    wanted = {(*order, seating) for order in orders for seating in range(6)}
    assert {(lineup, first, seating) for lineup, seating, first in stored} == wanted


def play_and_die(path: Path, transactions: int) -> None:
    """Play a league until this process is killed behind so many transactions."""
    left = iter(range(transactions - 1))
    whole = Store._transaction

    @contextmanager
    def counted(writer: Store) -> Iterator[None]:
        with whole(writer):
            yield
        if next(left, None) is None:
            die()

    Store._transaction = counted  # type: ignore[method-assign,assignment]
    with opened(path) as league:
        play(league, None)
