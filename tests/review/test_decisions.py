"""Decisions, the turns they belong to, and the figures over them."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from statistics import fmean

import msgspec
import pytest

import arena.review.turns as turns_module
from arena.match.commands import Failed, Said
from arena.match.log import answer_text
from arena.match.logged import play_again
from arena.match.wire import AskBid, AskPlay, PlayReply
from arena.reports.review import show_review
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.review.mistakes import is_blunder, is_clear, phase_of, sure_loss
from arena.review.solver import Solver
from arena.review.summary import BotReview, DealFindings, ReviewSummary
from arena.review.turns import METHOD, Findings, Turns, content_key, draw_name, review, turns
from arena.review.verdict import Valued, Verdict
from arena.stats.intervals import t_quantile
from arena.tasks.review import ReviewDocument
from arena.zole import play
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.play import start
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from tests.support.alike import Step, mixed, played
from tests.support.reviewed import WORLDS, chance_match, found_by_chance
from tests.support.scripted import plan_of

RULESETS = {
    "corrected": preset("piedalies", {"conduct": {"corrections": 2}}),
    "substituted": preset("pagat", {"conduct": {"on_fault": "substitute"}}),
    "lzsf": preset("lzsf"),
    "five": preset("lzsf", {"players": 5, "conduct": {"on_fault": "substitute"}}),
    "pools": preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}}),
}


@cache
def match(name: str) -> tuple[list[Step], list[Decision], list[Pools]]:
    """A match of bots that go wrong now and then, its decisions, and the pools before each deal."""
    rules, dice = RULESETS[name], random.Random(name)
    deals = [from_deck(shuffled(f"{name} {n}"), rules, n % rules.players) for n in range(8)]
    plan = plan_of(rules, deals)
    steps, log = played(plan, lambda _, question: mixed(dice, question))
    ends = [deal.result.pools for deal in play_again(plan, log).deals]
    pools = [Pools(), *ends[:-1]] if rules.pools.enabled else [Pools()] * len(deals)
    return steps, list(decisions(play_again(plan, log).deals)), pools


def chosen(step: Step) -> bool:
    """Whether an answer was allowed and might have been another."""
    if step.wrong or isinstance(step.outcome, Failed):
        return False
    match step.question.request:
        case AskPlay(legal=legal):
            reply = step.outcome.reply
            return len(legal) > 1 or (isinstance(reply, PlayReply) and reply.offer)
        case AskBid(legal=bids):
            return len(bids) > 1
    return True


@pytest.mark.parametrize("name", RULESETS)
def test_each_answer_that_a_seat_chose_is_a_decision_and_no_other(name: str) -> None:
    """Requests are counted by seat from one, with those asked again."""
    steps, found, _ = match(name)
    expected, deal, number, asked = [], -1, 0, Counter[int]()
    for step in steps:
        request = step.question.request
        asked[request.seat] += 1
        deal, number = (deal, number + 1) if request.deal == deal else (request.deal, 0)
        if chosen(step):
            assert isinstance(step.outcome, Said)
            kind, said = request.__struct_config__.tag, answer_text(step.outcome.reply)
            place = (deal, number, request.seat, asked[request.seat], kind)
            expected.append((*place, sorted(said.split("."))))
    assert expected == [
        (it.deal, it.step, it.seat, it.request, it.kind, sorted(it.given.split(".")))
        for it in found
    ]


@pytest.mark.parametrize("name", RULESETS)
def test_a_decision_has_all_that_came_before_it_and_what_was_allowed(name: str) -> None:
    _, found, pools = match(name)
    for each in found:
        state = each.state
        assert each.past[0] == play.start(RULESETS[name], state.deal)
        assert each.pools == pools[each.deal]
        assert each.given in each.answers
        if each.kind in ("surrender", "offer"):
            assert (each.answers, state.declarer) == (("no", "yes"), each.seat)
        else:
            assert state.turn == each.seat
            assert len(each.answers) == len(play.legal(state)) + (each.given == OFFER_WORD)


def test_the_matches_have_every_kind_of_decision() -> None:
    found = [each for name in RULESETS for each in match(name)[1]]
    kinds = {each.kind for each in found}
    assert kinds == {"blind", "bid", "talon", "discard", "play", "surrender", "offer"}
    assert any(each.given == OFFER_WORD for each in found)
    assert any(len(each.pools.personal) + each.pools.collective for each in found)


ALL = [each for deal in found_by_chance() for each, _ in deal]


def test_every_decision_is_in_the_turns_of_its_seat_and_deal() -> None:
    whole = list(decisions(play_again(*chance_match()).deals))
    assert sorted(each.step for turn in ALL for each in turn.decisions) == sorted(
        each.step for each in whole
    )
    for turn in ALL:
        assert {(each.deal, each.seat) for each in turn.decisions} == {(turn.deal, turn.seat)}
    assert len({(each.deal, each.seat) for each in ALL}) == len(ALL)


def test_a_deal_has_begun_when_its_contract_was_reached() -> None:
    found = [each.begun for deal in found_by_chance("lzsf", 4) for each, _ in deal]
    begun = [state for state in found if state is not None]
    assert {state.phase for state in begun} == {"discard", "play"}
    for state in begun:
        assert (state.completed, state.trick) == (0, ())
        due = [8 + 2 * (state.phase == "discard" and seat == state.declarer) for seat in range(3)]
        assert [hand.bit_count() for hand in state.hands] == due


def _last(of: Turns, **changes: object) -> Turns:
    *others, last = of.decisions
    changed = msgspec.structs.replace(last, **changes)
    return msgspec.structs.replace(of, decisions=(*others, changed))


def _pooled(of: Turns) -> Turns:
    pooled = (msgspec.structs.replace(it, pools=Pools(collective=1)) for it in of.decisions)
    return msgspec.structs.replace(of, decisions=tuple(pooled))


def _redealt(of: Turns) -> Turns:
    """The other two have each other's cards."""
    first, *past = of.decisions[-1].past
    one, other = (seat for seat in first.active if seat != of.seat)
    hands = list(first.deal.hands)
    hands[one], hands[other] = hands[other], hands[one]
    dealt = msgspec.structs.replace(first.deal, hands=tuple(hands))
    return _last(of, past=(start(first.rules, dealt), *past))


def _ruled(of: Turns) -> Turns:
    *past, state = of.decisions[-1].past
    rules = preset("pagat", {"table": {"stake": 3}})
    return _last(of, past=(*past, msgspec.structs.replace(state, rules=rules)))


def key(of: Turns, draw: str = "draw", worlds: int = WORLDS) -> bytes:
    return content_key(of, draw, worlds)


CHANGES: dict[str, Callable[[Turns], bytes]] = {
    "the draw": lambda of: key(of, "other"),
    "the worlds": lambda of: key(of, worlds=WORLDS + 1),
    "the deal's number": lambda of: key(msgspec.structs.replace(of, deal=of.deal + 1)),
    "an answer": lambda of: key(_last(of, given="none")),
    "the pools": lambda of: key(_pooled(of)),
    "the rules": lambda of: key(_ruled(of)),
    "a hidden card": lambda of: key(_redealt(of)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_everything_that_findings_depend_on_changes_their_key(what: str) -> None:
    for each in ALL:
        assert CHANGES[what](each) != key(each)


@pytest.mark.parametrize(("part", "new"), [("METHOD", METHOD + 1), ("wasm", lambda: b"another")])
def test_a_new_method_or_solver_changes_every_key(
    monkeypatch: pytest.MonkeyPatch, part: str, new: object
) -> None:
    before = key(ALL[0])
    monkeypatch.setattr(turns_module, part, new)
    assert key(ALL[0]) != before


def test_a_draw_is_the_same_wherever_a_match_is_stored_and_in_every_seating() -> None:
    assert draw_name(("a", "b", "c"), 20) == draw_name(["b", "c", "a"], 20)
    assert len({draw_name(*it) for it in ((("a", "b"), 1), (("a", "c"), 1), (("a", "b"), 2))}) == 3


# A digest of each method's findings in some short deals.
SAID = {1: "9f9abfc92abe6de1", 2: "747d9723cb21771a", 3: "e63a2fdb871e445a"}


def test_a_method_with_other_findings_has_another_number(solver: Solver) -> None:
    """If this fails, raise METHOD, because what users keep is out of date; then note it here."""
    said = [
        [
            *(each.step, each.given, each.best, round(each.loss, 6), round(each.open_loss, 6)),
            *(round(answer.won, 6) for answer in each.answers),
        ]
        for name in ("pagat", "lzsf")
        for deal in turns(play_again(*chance_match(name, 2, tricks=4)).deals)
        for turn in deal
        for each in review(solver, turn, "draw", 20).verdicts
    ]
    assert sha256(repr(said).encode()).hexdigest()[:16] == SAID[METHOD]


BOTS = ("a", "b", "a")  # bot a sits in two seats


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


def review_of(bot: str) -> BotReview:
    return next(each for each in summary_of(deals()).bots() if each.bot == bot)


def findings(bot: str) -> list[tuple[DealFindings, Turns, Findings]]:
    """A bot's turns, with the findings in them."""
    return [
        (deal, turns, found)
        for deal in deals()
        for turns, found in deal.found
        if deal.bots[turns.seat] == bot
    ]


def verdicts(bot: str) -> list[Verdict]:
    return [each for _, _, found in findings(bot) for each in found.verdicts]


@pytest.mark.parametrize("bot", "ab")
def test_means_are_those_of_all_decisions_and_deals(bot: str) -> None:
    found, each = review_of(bot), verdicts(bot)
    for share, values in (
        (found.all.loss, [it.loss for it in each]),
        (found.per_deal, [sum(it.loss for it in one.verdicts) for *_, one in findings(bot)]),
        (found.all.clear, list(map(is_clear, each))),
        (found.blunders, list(map(is_blunder, each))),
        (found.sound, [it.given == it.best for it in each if is_blunder(it)]),
        (found.phases["lead"].loss, [it.loss for it in each if phase_of(it) == "lead"]),
        (found.split.stakes, [deal.payments[turn.seat] for deal, turn, _ in findings(bot)]),
        (found.split.contract, [one.par or 0 for *_, one in findings(bot)]),
    ):
        assert share.value == pytest.approx(fmean(values))
        assert share.of == len(values)
    parts = (found.split.contract, found.split.play, found.split.rest)
    assert sum(part.value or 0.0 for part in parts) == pytest.approx(found.split.stakes.value)
    assert sum(found.mistakes.values()) == sum(map(is_clear, each))


@pytest.mark.parametrize("bot", "ab")
def test_phases_roles_and_contracts_are_parts_of_all_decisions(bot: str) -> None:
    found = review_of(bot)
    played = sum(phase_of(each) != "bid" for each in verdicts(bot))
    parts = (found.phases, found.roles, found.contracts)
    counts = [sum(line.loss.of for line in lines.values()) for lines in parts]
    assert counts == [found.all.loss.of, played, played]


def test_an_interval_takes_a_deal_of_cards_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it was played, and in however many seats the bot sat."""
    assert review_of("a").all.loss.pm is None  # eight deals are too few
    monkeypatch.setattr("arena.review.summary.MIN_SETS", 8)
    by_deal: dict[Deal, list[float]] = {}
    for deal, _, found in findings("a"):
        by_deal.setdefault(deal.dealt, []).extend(each.loss for each in found.verdicts)
    assert len(by_deal) == 8
    losses = [loss for each in by_deal.values() for loss in each]
    mean = fmean(losses)
    squares = sum((sum(each) - mean * len(each)) ** 2 for each in by_deal.values())
    error = (squares * 8 / 7) ** 0.5 / len(losses)
    share = review_of("a").all.loss
    assert (share.value, share.pm) == pytest.approx((mean, error * t_quantile(7, 0.975)))


def test_the_worst_moments_are_those_that_surely_cost_most_in_any_order_of_deals() -> None:
    found, turned = summary_of(deals()), summary_of(reversed(deals()))
    costs = sorted((sure_loss(each) for bot in "ab" for each in verdicts(bot)), reverse=True)
    assert [sure_loss(it.verdict) for it in found.worst()] == pytest.approx(costs[:5])
    requests = {
        (deal.match, decision.deal, decision.step): (BOTS[turns.seat], decision.request)
        for deal in deals()
        for turns, _ in deal.found
        for decision in turns.decisions
    }
    for each in found.worst():
        place = (each.match, each.verdict.deal, each.verdict.step)
        assert requests[place] == (each.bot, each.request)
    assert turned.worst() == found.worst()
    assert [(bot.per_deal, bot.mistakes) for bot in turned.bots()] == [
        (bot.per_deal, bot.mistakes) for bot in found.bots()
    ]


def of_one_deal(turns: Turns, found: Findings) -> ReviewSummary:
    return summary_of([msgspec.structs.replace(deals()[0], found=((turns, found),))])


def test_where_nothing_is_lost_there_are_no_moments() -> None:
    turns, findings = deals()[0].found[0]
    right = tuple(msgspec.structs.replace(each, loss=0.0) for each in findings.verdicts)
    found = of_one_deal(turns, msgspec.structs.replace(findings, verdicts=right))
    assert (found.worst(), found.bots()[0].mistakes) == ((), {})


def test_whether_to_give_up_is_one_decision_and_its_bid_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    turns, findings = deals()[0].found[0]
    right = msgspec.structs.replace(findings.verdicts[0], loss=0.0, kind="bid")
    bid = msgspec.structs.replace(turns.decisions[0], kind="bid", given="ordinary")
    stays = msgspec.structs.replace(bid, kind="surrender", given="no")
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
            answers=(Valued("no", -4.0, -4.0, 0.0), Valued("yes", -2.0, -2.0, 0.0)),
            loss=2.0,
            error=0.1,
        )
        for trick in (1, 2, 3)
    ]
    found = of_one_deal(
        msgspec.structs.replace(turns, decisions=(bid, stays, stays, stays)),
        msgspec.structs.replace(findings, verdicts=(right, *late)),
    )
    [review] = found.bots()
    assert (review.mistakes, review.per_deal.value) == ({"giving up": 1}, 2.0)
    [moment] = found.worst()
    assert (moment.verdict.trick, moment.bid) == (1, "ordinary")
    show_review(ReviewDocument("x.db", METHOD, 60, found.bots(), found.worst()), False)
    assert "giving up, after its bid ordinary" in capsys.readouterr().out
