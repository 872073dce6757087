"""Open leagues: who is in the field, which orders are written down, and what goes on after a stop.

Matches are made up here; tests/cli/test_open_league.py plays real ones.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.run_events import Completed
from arena.bots.manifest import content_hash, read_bot
from arena.engine.builds import Copy, install
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
from arena.tasks.asked_league import ask_league
from arena.tasks.closed_league import resume_closed
from arena.tasks.open_field import HOUSE, Ruling
from arena.tasks.open_league import OpenLeague, resume_open
from tests.support.bots import OPEN, write_quick_bot
from tests.support.open_record import entries_in
from tests.support.scripted import made_up

DEALS = [(0, 0, 0)] * 10

pytestmark = pytest.mark.usefixtures("quick_house")


def ladder(folder: Path, names: str = "abc", more: str = "") -> Path:
    """The file of an open league with honest bots, each by an author of its own."""
    for turn, name in enumerate(names):
        write_bot(folder / name, turn)
    path = folder / "ladder.toml"
    bots = ", ".join(f'"{name}"' for name in names)
    path.write_text(f'format = "open"\nbots = [{bots}]\n{more}{OPEN}')
    return path


def write_bot(folder: Path, turn: int = 0) -> Path:
    write_quick_bot(folder, turn=turn)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"tests"', f'"{folder.name} and son"'))
    return folder


def submit(path: Path, folder: Path) -> str:
    """Enter a bot as `arena submit` does, without a check; its name."""
    bot, digest = read_bot(folder), content_hash(folder)
    install(Copy(bot, digest), path.with_suffix(".bots"), NO_ISOLATION)
    with closing(Store.write(path.with_suffix(".db"))) as writer:
        return writer.submit(bot, digest, datetime.now(UTC).isoformat(), HOUSE)


def withdraw(path: Path, name: str) -> None:
    with closing(Store.write(path.with_suffix(".db"))) as writer:
        writer.withdraw(name)


@contextmanager
def opened(path: Path, seed: int | None = 7) -> Iterator[OpenLeague]:
    with resume_open(ask_league(path, seed)) as league:
        league.begin()
        yield league


def play(league: OpenLeague, most: int | None, out: str = "") -> list[MatchSpec]:
    """Play orders until there are no more, or none for now; `out` is disqualified at once."""
    played: list[MatchSpec] = []
    league.most_orders = most
    for job in league.jobs():
        if job is None:
            break
        spec, _ = job
        lost = (spec.seats.index(out),) if out in spec.seats else ()
        league.take(Completed(spec, made_up(DEALS[:1] if lost else DEALS, disqualified=lost)))
        played.append(spec)
    return played


def entries_of(path: Path) -> list[Entry]:
    with closing(Store.open(path.with_suffix(".db"))) as store:
        return entries_in(store)


@pytest.mark.parametrize("seed", range(3))
def test_a_draw_can_be_made_again(tmp_path: Path, seed: int) -> None:
    with opened(ladder(tmp_path, "abcdef"), seed) as league:
        for orders in (1, 2):
            play(league, orders)
        assert list(ledger_flaws(league.store)) == []


def test_bots_that_the_organiser_names_meet_though_one_author_wrote_them(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    for name in "abc":
        write_quick_bot(tmp_path / name, turn="abc".index(name))
    with opened(path) as league:
        assert [spec.lineup for spec in play(league, 1)] == [("a", "b", "c")] * 6
        assert sorted(league.ledger.bots) == ["a", "b", "c"], "no house bot is needed"
        assert list(ledger_flaws(league.store)) == []


def test_a_league_without_a_table_says_which_rule_prevents_it(tmp_path: Path) -> None:
    path = ladder(tmp_path, more='teams = [["a and son", "b and son"]]\n')
    with opened(path) as league:
        said: list[str] = []
        league.say = said.append
        assert play(league, 1), "house bots fill the tables"
        league.ruling = lambda: Ruling(benched=dict.fromkeys(HOUSE, "not wanted"))
        assert play(league, None) == play(league, None) == []
        why = "3 bots can play, of 2 authors or teams, whose bots never share a table"
        assert why in league.waits
        assert [why in line for line in said].count(True) == 1, "it is told once"
        submit(path, write_bot(tmp_path / "e"))
        assert play(league, 2)
        league.ruling = lambda: Ruling(benched={"a": "slow", **dict.fromkeys((*HOUSE, "e"), "")})
        assert play(league, None) == []
        assert "2 bots can play (benched: " in league.waits


@pytest.mark.parametrize("more", ["", "submit_until = 2026-01-01T00:00:00Z\n"])
def test_a_league_to_which_no_bot_can_come_ends_with_the_reason(tmp_path: Path, more: str) -> None:
    path = ladder(tmp_path, more=more)
    out = dict.fromkeys((*HOUSE, "c"), "not wanted")
    with opened(path) as league:
        league.ruling = lambda: Ruling(benched={"c": "not wanted"})
        assert play(league, 1), "house bots fill the tables"
        league.ruling = lambda: Ruling(benched=out)
        with pytest.raises(
            ArenaError, match=r"ladder\.toml: a table of 3 needs 3 bots, and 2 bots"
        ):
            play(league, None if more else 2)
        league.patient = True
        assert play(league, None) == []


def test_an_order_is_six_matches_of_ten_deals_and_written_down_before_them(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        league.most_orders = 1
        jobs = league.jobs()
        first = next(jobs)
        assert first is not None
        assert isinstance(entries_of(path)[-1], Ordered)
        rest = [job[0] for job in jobs if job is not None]
    specs = [first[0], *rest]
    assert [spec.seating for spec in specs] == list(range(6))
    assert {(spec.lineup, spec.first, spec.deals, spec.seed) for spec in specs} == {
        (("a", "b", "c"), 0, 10, 0)
    }


def test_a_record_begins_with_a_commitment_and_each_order_has_a_seed(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        play(league, 3)
        assert league.seeds == [*league.store.seeds()]
    first, *others = entries_of(path)
    assert first == Committed(commitment("7"))
    assert {type(each) for each in others} == {Joined, Ordered}
    with closing(Store.open(path.with_suffix(".db"))) as store:
        assert chain_flaw(store.ledger()) is None
        assert store.seeds() == store.fold().seeds("7")
        assert len({*store.seeds()}) == 3
        found = summarize(store)
        assert {spec.seed for _, spec, _ in store.matches()} == {0, 1, 2}
    assert found.open is not None
    assert (found.open.orders, found.open.under_way) == (3, 0)
    assert (found.seed, found.commitment) == ("7", commitment("7"))


def test_a_practice_league_always_plays_the_same_deals(tmp_path: Path) -> None:
    seeds = []
    for folder in "xy":
        with opened(ladder(tmp_path / folder)) as league:
            play(league, 3)
            seeds.append(league.store.seeds())
    assert seeds[0] == seeds[1]


def test_without_a_seed_the_secret_is_drawn_and_not_told(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path, None) as league:
        play(league, 2)
        with closing(Store.open(path.with_suffix(".db"))) as store:
            found = summarize(store)
            [secret] = store.facts().seeds
    assert (found.practice, found.seed) == (False, None)
    assert found.commitment == commitment(secret)


def test_what_orders_lack_is_played_first(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        jobs = league.jobs()
        specs = [job[0] for job in (next(jobs) for _ in range(6)) if job is not None]
        league.take(Completed(specs[0], made_up(DEALS)))
        specs += [job[0] for job in (next(jobs) for _ in range(2)) if job is not None]
        league.take(Completed(specs[7], made_up(DEALS)))
    with opened(path) as league:
        assert league.under_way == 2
        left = play(league, 0)
    assert left[:5] == specs[1:6]
    assert [(spec.first, spec.seating) for spec in left[5:]] == [(10, at) for at in (0, 2, 3, 4, 5)]
    with opened(path) as league:
        assert league.under_way == 0


def test_newcomers_are_seen_between_orders_and_who_leaves_is_drawn_no_more(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        play(league, 1)
        assert submit(path, write_bot(tmp_path / "new")) == "new"
        (tmp_path / "new" / "more").touch()
        league.most_orders = None
        jobs = league.jobs()
        job = next(jobs)
        assert job is not None
        assert league.ledger.bots.keys() == {"a", "b", "c", "new"}
        assert submit(path, tmp_path / "new") == "new.2"
        withdraw(path, "new.2")
        league.take(Completed(job[0], made_up(DEALS)))
        for rest in jobs:
            if rest is None:
                break
            league.take(Completed(rest[0], made_up(DEALS)))
        assert league.ledger.bots.keys() == {"a", "b", "c"}
        terms = league.store.terms()
    assert [each for each in entries_of(path) if isinstance(each, Left)] == [
        Left("new", "replaced")
    ]
    assert terms.bots.keys() == {"a", "b", "c", "new"}
    assert terms.retired == ("new",)


def test_house_bots_play_while_there_are_few_authors(tmp_path: Path) -> None:
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        field = league.ledger
        assert {name for name, bot in field.bots.items() if bot.house} == set(HOUSE)
        assert play(league, 2)
        submit(path, write_bot(tmp_path / "c"))
        assert {bot for spec in play(league, 6) for bot in spec.lineup} == set("abc")


def test_a_house_bot_that_the_file_names_is_the_organisers_from_then_on(tmp_path: Path) -> None:
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        assert play(league, 1)
    named = '"b", "shipped/sample_bots/careful"'
    path.write_text(path.read_text().replace('"b"', named))
    with opened(path) as league:
        assert {name for name, bot in league.ledger.bots.items() if not bot.house} == {
            *("a", "b", "careful")
        }
        assert "careful" not in league.store.terms().retired
        assert {bot for spec in play(league, 1) for bot in spec.lineup} == {"a", "b", "careful"}
        assert list(ledger_flaws(league.store)) == []


def test_a_bot_that_keeps_failing_is_benched_and_resumed_once(tmp_path: Path) -> None:
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        submit(path, write_bot(tmp_path / "c"))
        play(league, 1, out="c")
        assert "c" in league.ledger.benched
        assert "c" not in {bot for spec in play(league, 2) for bot in spec.lineup}
        (entry,) = listed(league.store.submissions(), league.store.fold())
        assert (entry.state, entry.why) == ("benched", league.ledger.benched["c"])
        with closing(Store.write(path.with_suffix(".db"))) as writer:
            writer.resume("c")
            writer.resume("c")
        assert "c" in {bot for spec in play(league, 3, out="c") for bot in spec.lineup}
    kinds = [type(each) for each in entries_of(path) if isinstance(each, Benched | Resumed)]
    assert kinds == [Benched, Resumed, Benched]
    with closing(Store.write(path.with_suffix(".db"))) as writer:
        with pytest.raises(ArenaError, match="c was resumed before, and is benched again"):
            writer.resume("c")
        with pytest.raises(ArenaError, match="a is not benched; benched: c"):
            writer.resume("a")


def test_who_is_resumed_and_withdrawn_at_once_leaves(tmp_path: Path) -> None:
    path = ladder(tmp_path, "ab")
    with opened(path) as league:
        submit(path, write_bot(tmp_path / "c"))
        play(league, 1, out="c")
        with closing(Store.write(path.with_suffix(".db"))) as writer:
            writer.resume("c")
            writer.withdraw("c")
        play(league, 2)
    kinds = [type(each) for each in entries_of(path) if isinstance(each, Benched | Resumed | Left)]
    assert kinds == [Benched, Left]


def test_the_organiser_puts_authors_into_a_team(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        assert any({"a", "b"} <= {*spec.lineup} for spec in play(league, 4))
    path.write_text(f'teams = [["a and son", "b and son"]]\n{path.read_text()}')
    with opened(path) as league:
        assert not any({"a", "b"} <= {*spec.lineup} for spec in play(league, 4))
        assert list(ledger_flaws(league.store)) == []
    teams = (("a and son", "b and son"),)
    assert [each for each in entries_of(path) if isinstance(each, Teamed)] == [Teamed(teams)]


def test_how_a_season_ends_may_change_until_an_author_comes(tmp_path: Path) -> None:
    path = ladder(tmp_path, "")
    with opened(path) as league:
        play(league, 1)
    before = path.read_text()
    path.write_text(
        before.replace('format = "open"', 'format = "open"\nfinal = 3\npublish = "season"')
    )
    with opened(path) as league:
        assert league.config.final == 3
    write_bot(tmp_path / "z")
    path.write_text(path.read_text().replace("bots = []", 'bots = ["z"]'))
    with opened(path) as league:
        play(league, 1)
    path.write_text(path.read_text().replace("final = 3", "final = 4"))
    with pytest.raises(ArenaError, match="final is 4, was 3"), opened(path):
        pass


def test_the_organiser_puts_authors_into_teams_while_it_is_played(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abcd")
    team = ("a and son", "b and son")
    with opened(path) as league:
        league.ruling = lambda: Ruling(teams=(team,))
        assert not any({"a", "b"} <= {*spec.lineup} for spec in play(league, 4))
        league.ruling = Ruling
        assert any({"a", "b"} <= {*spec.lineup} for spec in play(league, 9))
        assert list(ledger_flaws(league.store)) == []
    assert [each.teams for each in entries_of(path) if isinstance(each, Teamed)] == [(team,), ()]


def test_house_bots_come_where_teams_leave_no_table(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abc")
    with opened(path) as league:
        league.ruling = lambda: Ruling(teams=(("a and son", "b and son"),))
        played = play(league, 3)
        assert len(played) == 18
        assert all({*HOUSE} & {*spec.lineup} for spec in played)
        assert list(ledger_flaws(league.store)) == []


def test_the_organiser_keeps_bots_out_and_pauses_the_draw(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        league.ruling = lambda: Ruling(benched={"b": "a copy", "nobody": "?"})
        assert not any("b" in spec.lineup for spec in play(league, 4))
        league.ruling = lambda: Ruling(waits="paused")
        assert not play(league, None)
        assert league.waits == "paused"
        league.ruling = Ruling
        assert any("b" in spec.lineup for spec in play(league, 9))
        assert list(ledger_flaws(league.store)) == []
    told = [each for each in entries_of(path) if isinstance(each, Benched | Resumed)]
    assert told == [Benched("b", "a copy", True), Resumed("b", True)]


def test_who_fails_while_the_organiser_keeps_it_out_is_benched_before_the_next_order(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abcd")
    with opened(path) as league:
        jobs = league.jobs()
        specs = [job[0] for job in islice(jobs, 6) if job is not None]
        bot = specs[0].lineup[0]
        league.ruling = lambda: Ruling(benched={bot: "a copy"})
        specs += [job[0] for job in islice(jobs, 6) if job is not None]
        for spec in specs:
            lost = (spec.seats.index(bot),) if bot in spec.seats else ()
            league.take(Completed(spec, made_up(DEALS[:1] if lost else DEALS, disqualified=lost)))
        league.ruling = Ruling
        play(league, 3)
        assert list(ledger_flaws(league.store)) == []
    told = [type(each) for each in entries_of(path) if isinstance(each, Benched | Resumed)]
    assert told == [Benched, Resumed, Benched]


def test_killed_before_it_benched_a_bot_it_does_so_before_the_next_order(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        league.most_orders = 1
        for job in league.jobs():
            assert job is not None
            spec = job[0]
            out = (spec.seats.index("c"),)
            league.store.add(spec, made_up(DEALS[:1], disqualified=out))
    with opened(path) as league:
        play(league, 1)
        assert list(ledger_flaws(league.store)) == []
    kinds = [type(each) for each in entries_of(path) if isinstance(each, Benched | Ordered)]
    assert kinds[:2] == [Ordered, Benched]


def test_an_order_is_finished_with_the_copy_of_a_bot_that_has_left(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path) as league:
        next(league.jobs())
    path.write_text(path.read_text().replace(', "c"', ""))
    shutil.rmtree(tmp_path / "c")
    with opened(path) as league:
        assert "c" not in league.ledger.bots
        assert {spec.lineup for spec in play(league, 0)} == {("a", "b", "c")}
        assert list(ledger_flaws(league.store)) == []


def test_orders_trickle_once_all_have_met_enough_and_wake_for_a_newcomer(tmp_path: Path) -> None:
    path = ladder(tmp_path, more="width = 1.5\ntrickle = 0.001\n")
    with opened(path) as league:
        assert len(play(league, None)) > 6
        assert "intervals are narrow" in league.waits
        assert play(league, None) == []
        submit(path, write_bot(tmp_path / "d"))
        assert "d" in {bot for spec in play(league, None) for bot in spec.lineup}
    path.write_text(path.read_text().replace("0.001", "1e6"))
    with opened(path) as league:
        assert len(play(league, 2)) == 12


def test_a_submission_whose_copy_is_gone_stops_nobody(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    said: list[str] = []
    with opened(path) as league:
        league.say = said.append
        submit(path, write_bot(tmp_path / "d"))
        for copy in path.with_suffix(".bots").glob(f"{content_hash(tmp_path / 'd')[:16]}*"):
            shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
        assert play(league, 1)
    assert any("d cannot play" in line and "the copy of d is gone" in line for line in said)
    with pytest.raises(ArenaError, match="the copy of d is gone"), opened(path):
        pass


def test_what_an_open_league_cannot_change(tmp_path: Path) -> None:
    path = ladder(tmp_path)
    with opened(path):
        pass
    text = path.read_text()
    path.write_text(text.replace("bots", 'apart = "nobody"\nbots', 1))
    with pytest.raises(ArenaError, match='apart is "nobody", was "author"'), opened(path):
        pass
    path.write_text(text.replace('format = "open"\n', ""))
    with (
        pytest.raises(ArenaError, match='format is "closed", was "open"'),
        resume_closed(ask_league(path)),
    ):
        pass


def test_killed_behind_any_transaction_it_goes_on_without_loss_or_double(tmp_path: Path) -> None:
    """Each run ends behind so many transactions of its own; bots come and go between them."""
    path = ladder(tmp_path, more="width = 0.01\n")
    with opened(path) as league:
        play(league, 1)
    for transactions in (1, 2, 3, 7, 9):
        child = os.fork()
        if child == 0:
            _die_behind(transactions)
            with opened(path) as league:
                play(league, None)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        if transactions == 2:
            submit(path, write_bot(tmp_path / "d"))
        if transactions == 7:
            withdraw(path, "d")
    with opened(path) as league:
        play(league, 0)
        store = league.store
        assert list(ledger_flaws(store)) == []
        want = {(*order, seating) for order in store.fold().orders for seating in range(6)}
        assert {(lineup, first, seating) for lineup, seating, first in store.stored()} == want


def _die_behind(transactions: int) -> None:
    """Have this process killed once it has written so many transactions."""
    left = iter(range(transactions - 1))
    whole = Store._transaction

    @contextmanager
    def counted(writer: Store) -> Iterator[None]:
        with whole(writer):
            yield
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    Store._transaction = counted  # type: ignore[method-assign,assignment]
