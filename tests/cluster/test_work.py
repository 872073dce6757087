"""Reviews and checks by workers: what is asked, what they answer, and what is not believed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from arena.base.resources import STANDARD
from arena.bots.archive import pack
from arena.bots.manifest import content_hash, read_bot
from arena.bots.steps import CheckStep
from arena.cluster import worker
from arena.cluster.answers import Wrong, encode_answer
from arena.cluster.checks import CHECKING_S, CheckWork
from arena.cluster.reviews import ReviewWork
from arena.match.commands import MatchVoid
from arena.match.logged import play_again
from arena.review.turns import turns
from arena.tasks import check_sent
from arena.tasks import review as task
from arena.tasks.check import Conditions
from arena.tasks.check_sent import CheckedBot, SentBot
from arena.tasks.review import DealToReview, Reviewed, review_each
from tests.cluster.test_answers import GOOD, PLAN
from tests.support.bots import write_quick_bot
from tests.support.made_up import ByChance


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker's task does its work here; the solver solves nothing."""

    def do_here(
        do_each: object, jobs: Sequence[object], number: int, core: int | None
    ) -> list[object]:
        assert callable(do_each)
        return [*do_each(jobs, number)]

    monkeypatch.setattr(worker, "do_below", do_here)
    monkeypatch.setattr(task, "solver_here", ByChance)


@pytest.fixture(name="deals")
def _deals() -> list[DealToReview]:
    return [DealToReview(each, "a match", 8) for each in turns(play_again(PLAN, GOOD.log).deals)]


def never(deal: DealToReview) -> Reviewed | None:
    return None


def answered(kind: ReviewWork, deals: Sequence[DealToReview]) -> bytes:
    return worker.work(msgspec.msgpack.encode(kind.order(deals, 3, None)))


def test_a_worker_reviews_as_this_machine_does(deals: list[DealToReview]) -> None:
    kind = ReviewWork(never)
    assert kind.read(answered(kind, deals), deals) == review_each(deals, 0)
    assert kind.longest_s(deals) > 0


def test_a_review_of_something_else_is_refused(deals: list[DealToReview]) -> None:
    kind = ReviewWork(never)
    with pytest.raises(Wrong, match="another job"):
        kind.read(answered(kind, deals[::-1]), deals)
    results = review_each(deals[::-1], 0)
    with pytest.raises(Wrong, match="of other decisions"):
        kind.read(encode_answer(deals, results), deals)
    assert isinstance(results[0], tuple)
    short = msgspec.structs.replace(results[0][0], verdicts=results[0][0].verdicts[1:])
    with pytest.raises(Wrong, match="of other decisions"):
        kind.read(encode_answer(deals[-1:], [(short, *results[0][1:])]), deals[-1:])


def test_a_review_that_is_made_up_is_found_out_where_it_is_made_again(
    deals: list[DealToReview],
) -> None:
    def again(deal: DealToReview) -> Reviewed | None:
        [found] = review_each([deal], 0)
        return None if isinstance(found, MatchVoid) else found

    honest = review_each(deals, 0)
    assert ReviewWork(again).read(encode_answer(deals, honest), deals) == honest
    first = honest[0]
    assert isinstance(first, tuple)
    verdicts = [msgspec.structs.replace(each, loss=9.0) for each in first[0].verdicts]
    lied = (msgspec.structs.replace(first[0], verdicts=tuple(verdicts)), *first[1:])
    said = encode_answer(deals, [lied, *honest[1:]])
    assert ReviewWork(never).read(said, deals)[0] == lied
    with pytest.raises(Wrong, match="not what this machine finds"):
        ReviewWork(again).read(said, deals)


def sent(folder: Path, build_s: float = 5.0) -> SentBot:
    bot = msgspec.structs.replace(read_bot(folder), author="Anna")
    digest, packed = content_hash(folder), pack(folder)
    return SentBot(bot, digest, packed, PLAN.rules, PLAN.limits, STANDARD, build_s, "none", ())


def checked_there(job: SentBot) -> CheckedBot | MatchVoid:
    kind = CheckWork("none", ())
    assert kind.longest_s([job]) == CHECKING_S + job.build_s
    said = worker.work(msgspec.msgpack.encode(kind.order([job], 0, None)))
    return kind.read(said, [job])[0]


def test_a_worker_checks_the_bot_that_was_sent_by_the_name_of_who_sent_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
        bot = by.known_as(read_bot(folder))
        yield CheckStep("manifest", True, f"{bot.name} by {bot.author} in {folder}/bot.toml")
        by.prepared(bot, by.isolation)
        yield CheckStep("build", True, "nothing to build")
        yield CheckStep("declaring", bot.name != "bad", "it ended", (f"{folder}",))

    monkeypatch.setattr(check_sent, "check", check)
    good = checked_there(sent(write_quick_bot(tmp_path / "good")))
    assert isinstance(good, CheckedBot)
    assert good.passed
    assert good.steps[0].said == "good by Anna in bot.toml"
    assert good.build_s == 0
    bad = checked_there(sent(write_quick_bot(tmp_path / "bad")))
    assert isinstance(bad, CheckedBot)
    assert not bad.passed
    assert bad.steps[-1].show == ("the bot's folder",)
    assert not CheckedBot((), 0.0).passed


def test_a_worker_that_got_something_else_says_so(tmp_path: Path) -> None:
    job = sent(write_quick_bot(tmp_path / "good"))
    other = msgspec.structs.replace(job, digest="0" * 64)
    with pytest.raises(Wrong, match="what arrived is not the bot good"):
        checked_there(other)
