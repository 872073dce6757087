"""Figures over deals: means and intervals as a plain computation has them, parts that add up."""

from collections.abc import Iterable
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
    return tuple(
        DealFindings(
            match=n // 4,
            deal=n % 4,
            dealt=found[n % 8][0][0].decisions[0].past[0].deal,
            bots=BOTS,
            payments=(3 * n % 7, -(n % 5), n % 5 - 3 * n % 7),
            found=each,
        )
        for n, each in enumerate(found)
    )


def summary_of(deals: Iterable[DealFindings]) -> ReviewSummary:
    found = ReviewSummary(worst=5)
    for each in deals:
        found.add(each)
    return found


@cache
def summary() -> ReviewSummary:
    return summary_of(deals())


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
    found, all_of_bot = review_of(bot), verdicts(bot)
    losses = [each.loss for each in all_of_bot]
    by_deal = [sum(each.loss for each in one.verdicts) for _, one in findings(bot)]
    clear = list(map(is_clear, all_of_bot))
    blunders = [each for each in all_of_bot if is_blunder(each)]
    sound = [each.given == each.best for each in blunders]
    leads = [each.loss for each in all_of_bot if phase_of(each) == "lead"]
    for share, values in (
        (found.all.loss, losses),
        (found.per_deal, by_deal),
        (found.all.clear, clear),
        (found.blunders, list(map(is_blunder, all_of_bot))),
        (found.sound, sound),
        (found.phases["lead"].loss, leads),
    ):
        assert share.value == pytest.approx(fmean(values))
        assert share.of == len(values)
    assert sum(found.mistakes.values()) == sum(clear)


@pytest.mark.parametrize("bot", "ab")
def test_phases_roles_and_contracts_are_parts_of_all_decisions(bot: str) -> None:
    found = review_of(bot)
    played = sum(phase_of(each) != "bid" for each in verdicts(bot))
    counts = [
        sum(line.loss.of for line in lines.values())
        for lines in (found.phases, found.roles, found.contracts)
    ]
    assert counts == [found.all.loss.of, played, played]


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


@pytest.mark.parametrize("bot", "ab")
def test_stakes_are_split_into_parts_that_add_up(bot: str) -> None:
    split = review_of(bot).split
    paid = [
        deal.payments[turns.seat]
        for deal in deals()
        for turns, _ in deal.found
        if deal.bots[turns.seat] == bot
    ]
    parts = (split.contract.value, split.play.value, split.rest.value)
    pars = [found.par or 0 for _, found in findings(bot)]
    assert split.stakes.value == pytest.approx(fmean(paid))
    assert sum(part or 0.0 for part in parts) == pytest.approx(fmean(paid))
    assert split.contract.value == pytest.approx(fmean(pars))


def test_the_worst_moments_are_those_that_surely_cost_most_in_any_order_of_deals() -> None:
    costs = sorted((sure_loss(each) for bot in "ab" for each in verdicts(bot)), reverse=True)
    worst = summary().worst()
    assert [sure_loss(it.verdict) for it in worst] == pytest.approx(costs[:5])
    requests = {
        (deal.match, decision.deal, decision.step): (BOTS[turns.seat], decision.request)
        for deal in deals()
        for turns, _ in deal.found
        for decision in turns.decisions
    }
    for each in worst:
        place = (each.match, each.verdict.deal, each.verdict.step)
        assert requests[place] == (each.bot, each.request)
    turned = summary_of(reversed(deals()))
    assert turned.worst() == worst
    assert [(bot.per_deal, bot.mistakes) for bot in turned.bots()] == [
        (bot.per_deal, bot.mistakes) for bot in summary().bots()
    ]


def test_where_nothing_is_lost_there_are_no_moments() -> None:
    (turns, findings), *_ = deals()[0].found
    right = tuple(msgspec.structs.replace(each, loss=0.0) for each in findings.verdicts)
    sound = msgspec.structs.replace(findings, verdicts=right)
    found = summary_of([msgspec.structs.replace(deals()[0], found=((turns, sound),))])
    assert (found.worst(), found.bots()[0].mistakes) == ((), {})


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
    verdicts = msgspec.structs.replace(findings, verdicts=(right, *late))
    found = summary_of([msgspec.structs.replace(deals()[0], found=((of, verdicts),))])
    [review] = found.bots()
    assert review.mistakes == {"giving up": 1}
    assert review.per_deal.value == 2.0
    [moment] = found.worst()
    assert (moment.verdict.trick, moment.bid) == (1, "ordinary")
    show_review(ReviewDocument("x.db", METHOD, 60, found.bots(), found.worst()), False)
    assert "giving up, after its bid ordinary" in capsys.readouterr().out
