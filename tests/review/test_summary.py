"""Figures over deals: means and intervals as a plain computation has them, parts that add up."""

from functools import cache
from statistics import fmean

import msgspec
import pytest

from arena.reports.review import show_review
from arena.review.mistakes import is_blunder, is_clear, phase_of, sure_loss
from arena.review.summary import BotReview, DealFindings, ReviewSummary
from arena.review.turns import METHOD, Findings
from arena.review.verdict import Valued, Verdict
from arena.stats.intervals import t_quantile
from arena.tasks.review import ReviewDocument
from arena.zole.deal import Deal
from tests.support.reviewed import found_by_chance

BOTS = ("a", "b", "a")
"""Bot a sits in two seats."""


@cache
def deals() -> tuple[DealFindings, ...]:
    """Twelve deals, the last four with the cards of the first four."""
    found = found_by_chance("lzsf", 12)
    payments = [(3 * n % 7, -(n % 5), n % 5 - 3 * n % 7) for n in range(12)]
    return tuple(
        DealFindings(
            match=n // 4,
            deal=n % 4,
            dealt=found_by_chance("lzsf", 12)[n % 8][0][0].decisions[0].past[0].deal,
            bots=BOTS,
            payments=paid,
            found=each,
        )
        for n, (each, paid) in enumerate(zip(found, payments, strict=True))
    )


@cache
def summary() -> ReviewSummary:
    found = ReviewSummary(worst=5)
    for each in deals():
        found.add(each)
    return found


def review_of(bot: str) -> BotReview:
    return next(each for each in summary().bots() if each.bot == bot)


def findings(bot: str) -> list[tuple[Deal, Findings]]:
    """The deals with the findings of a bot's turns in them."""
    return [
        (deal.dealt, found)
        for deal in deals()
        for turns, found in deal.found
        if deal.bots[turns.seat] == bot
    ]


def verdicts(bot: str) -> list[Verdict]:
    return [each for _, found in findings(bot) for each in found.verdicts]


@pytest.mark.parametrize("bot", "ab")
def test_means_are_those_of_all_decisions_and_deals(bot: str) -> None:
    found = review_of(bot)
    losses = [each.loss for each in verdicts(bot)]
    assert found.all.loss.value == pytest.approx(fmean(losses))
    assert found.all.loss.of == len(losses)
    by_deal = [sum(each.loss for each in one.verdicts) for _, one in findings(bot)]
    assert found.per_deal.value == pytest.approx(fmean(by_deal))
    assert found.per_deal.of == len(by_deal)
    assert found.all.clear.value == pytest.approx(fmean(map(is_clear, verdicts(bot))))
    blunders = [each for each in verdicts(bot) if is_blunder(each)]
    assert found.blunders.value == pytest.approx(len(blunders) / len(losses))
    assert found.sound.of == len(blunders)
    assert found.sound.value == pytest.approx(fmean(it.given == it.best for it in blunders))


def test_phases_are_parts_of_all_decisions() -> None:
    for bot in "ab":
        found = review_of(bot)
        for lines in (found.phases, found.phases):
            assert sum(line.loss.of for line in lines.values()) == found.all.loss.of
        played = sum(1 for each in verdicts(bot) if phase_of(each) != "bid")
        assert sum(line.loss.of for line in found.roles.values()) == played
        assert sum(line.loss.of for line in found.contracts.values()) == played
        leads = [each.loss for each in verdicts(bot) if phase_of(each) == "lead"]
        assert found.phases["lead"].loss.value == pytest.approx(fmean(leads))
        assert sum(found.mistakes.values()) == sum(map(is_clear, verdicts(bot)))


def test_an_interval_takes_a_deal_of_cards_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it was played, and in however many seats the bot sat."""
    assert review_of("a").all.loss.plus_minus is None  # eight deals are too few
    monkeypatch.setattr("arena.review.summary.MIN_SETS", 8)
    share = review_of("a").all.loss
    by_deal: dict[Deal, list[float]] = {}
    for deal, found in findings("a"):
        by_deal.setdefault(deal, []).extend(each.loss for each in found.verdicts)
    assert len(by_deal) == 8
    losses = [loss for each in by_deal.values() for loss in each]
    mean = fmean(losses)
    squares = sum((sum(each) - mean * len(each)) ** 2 for each in by_deal.values())
    error = (squares * 8 / 7) ** 0.5 / len(losses)
    assert share.value == pytest.approx(mean)
    assert share.plus_minus == pytest.approx(error * t_quantile(7, 0.975))


def test_stakes_are_split_into_parts_that_add_up() -> None:
    for bot in "ab":
        split = review_of(bot).split
        paid = [
            deal.payments[turns.seat]
            for deal in deals()
            for turns, _ in deal.found
            if deal.bots[turns.seat] == bot
        ]
        assert split.stakes.value == pytest.approx(fmean(paid))
        parts = (split.contract.value, split.play.value, split.rest.value)
        assert sum(part or 0.0 for part in parts) == pytest.approx(fmean(paid))
        pars = [found.par or 0 for _, found in findings(bot)]
        assert split.contract.value == pytest.approx(fmean(pars))


def test_the_worst_moments_are_those_that_surely_cost_most() -> None:
    costs = sorted((sure_loss(each) for bot in "ab" for each in verdicts(bot)), reverse=True)
    shown = summary().worst()
    assert [sure_loss(it.verdict) for it in shown] == pytest.approx(costs[:5])
    for each in shown:
        assert each.bot == BOTS[each.verdict.seat]
        (decision,) = (
            decision
            for deal in deals()
            for turns, _ in deal.found
            for decision in turns.decisions
            if (deal.match, turns.seat) == (each.match, each.verdict.seat)
            and (decision.deal, decision.step) == (each.verdict.deal, each.verdict.step)
        )
        assert each.request == decision.request


def test_the_order_of_deals_does_not_matter() -> None:
    turned = ReviewSummary(worst=5)
    for each in reversed(deals()):
        turned.add(each)
    assert turned.worst() == summary().worst()
    for one, other in zip(turned.bots(), summary().bots(), strict=True):
        assert one.per_deal == other.per_deal
        assert one.mistakes == other.mistakes


def test_where_nothing_is_lost_there_are_no_moments() -> None:
    found = ReviewSummary(worst=5)
    (turns, findings), *_ = deals()[0].found
    right = tuple(msgspec.structs.replace(each, loss=0.0) for each in findings.verdicts)
    sound = msgspec.structs.replace(findings, verdicts=right)
    found.add(msgspec.structs.replace(deals()[0], found=((turns, sound),)))
    assert found.worst() == ()
    assert found.bots()[0].mistakes == {}


def test_whether_to_give_up_is_one_decision_and_its_bid_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (turns, findings), *_ = deals()[0].found
    decision = turns.decisions[0]
    right = msgspec.structs.replace(findings.verdicts[0], loss=0.0, kind="bid")
    bid = msgspec.structs.replace(decision, kind="bid", given="ordinary")
    stays = msgspec.structs.replace(decision, kind="surrender", given="no")
    late = [
        msgspec.structs.replace(
            right,
            kind="surrender",
            declarer=turns.seat,
            contract="ordinary",
            trick=trick,
            step=trick,
            given="no",
            best="yes",
            answers=(Valued("no", -4.0, -4.0), Valued("yes", -2.0, -2.0)),
            loss=2.0,
            error=0.1,
        )
        for trick in (1, 2, 3)
    ]
    of = msgspec.structs.replace(turns, decisions=(bid, stays, stays, stays))
    found = ReviewSummary(worst=5)
    verdicts = msgspec.structs.replace(findings, verdicts=(right, *late))
    found.add(msgspec.structs.replace(deals()[0], found=((of, verdicts),)))
    [review] = found.bots()
    assert review.mistakes == {"giving up": 1}
    assert review.per_deal.value == 2.0
    [moment] = found.worst()
    assert (moment.verdict.trick, moment.bid) == (1, "ordinary")
    show_review(ReviewDocument("x.db", METHOD, 60, found.bots(), found.worst()), False)
    assert "giving up, after its bid ordinary" in capsys.readouterr().out
