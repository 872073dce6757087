"""Auction and play: what is legal, what follows, what never changes, and in how many ways."""

import json
import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.zole.auction import legal_bids
from arena.zole.cards import DECK, INDEX, NAMES, mask, members, points
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, may_offer, may_surrender, offer, start, surrender
from arena.zole.rules import Rules, Settings, preset, preset_names
from arena.zole.state import Action, Choose, Discard, Ended, Illegal, Play, Say, SayBlind, State
from tests.support.perft import ENDINGS, auctions, count, ending
from tools.golden import ROOT

POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}


def rulesets() -> list[Rules]:
    """Every preset at every size of table, and the settings that no preset has."""
    extra: list[Settings] = [
        {},
        {"play": {"tricks": 3}},
        {"auction": {"mode": "ranked"}},
        {"sitout": {"scoring": "none"}},
        {"table": {"talon": "first_two_tricks"}},
        {"table": {"settlement": "most_points_pays"}},
        {"all_pass": "redeal"},
        POOLS,
    ]
    return [
        preset(name, {"players": players, **changes})
        for name in preset_names()
        for players in (3, 4, 5)
        for changes in extra
    ]


RULESETS = rulesets()


def random_play(rules: Rules, seed: int) -> list[State]:
    """All states of a deal in which everybody plays by chance."""
    chance = random.Random(seed)
    states = [start(rules, from_deck(shuffled(str(seed)), rules, seed % rules.players))]
    while states[-1].phase != "over":
        choices = legal(states[-1])
        assert choices, "nothing is legal before the end"
        states.append(apply(states[-1], chance.choice(choices)))
    return states


def every_card(state: State) -> list[int]:
    """The sets of cards of a state; together they must be the deck."""
    laid = DECK & ~state.discards
    for hand in state.hands:
        laid &= ~hand
    talon = mask(state.deal.talon) & laid
    return [*state.hands, state.discards, talon, laid & ~talon]


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_cards_points_and_tricks_are_conserved(rules: Rules, seed: int) -> None:
    states = random_play(rules, seed)
    for state in states:
        parts = every_card(state)
        assert (sum(parts), sum(part.bit_count() for part in parts)) == (DECK, 26)
        held = sum(points(hand) for hand in state.hands) + points(state.discards)
        taken = sum(state.points) + state.talon_points + points(mask(state.trick))
        talon = mask(state.deal.talon)
        if state.contract == "ordinary":
            talon = 0
        elif state.contract == "table" and rules.table.talon == "first_two_tricks":
            leads = bool(state.order) and state.order[0] is None
            turned = min(2, state.completed + leads)
            talon = mask(state.deal.talon[turned:])
        assert held + taken + points(talon) == 120
        assert sum(state.tricks) + state.talon_tricks == state.completed
    assert states[-1].completed in (0, rules.play.tricks)


@given(st.sampled_from(RULESETS), st.integers(0, 10**6), st.data())
def test_an_illegal_action_is_refused(rules: Rules, seed: int, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(random_play(rules, seed)))
    actions: list[Action] = [
        *(Play(card) for card in range(26)),
        *(Say(bid) for bid in ("pass", "ordinary", "solo", "small_solo", "blind")),
        *(SayBlind(blind) for blind in (True, False)),
        *(Choose("take"), Choose("give")),
        *(Discard(3), Discard(7), Discard(1)),
    ]
    for action in set(actions) - set(legal(state)):
        with pytest.raises(Illegal):
            apply(state, action)


def auction(rules: Rules, *bids: str) -> State:
    state = start(rules, from_deck(tuple(range(26)), rules, 2))
    for bid in bids:
        if state.phase == "blind":
            state = apply(state, SayBlind(bid == "blind"))
        if bid != "blind":
            state = apply(state, Say(bid))  # type: ignore[arg-type]
    return state


def test_an_ordinary_game_takes_the_talon_and_discards() -> None:
    state = auction(preset(), "ordinary")
    assert state.phase == "discard"
    assert state.hands[0].bit_count() == 10
    assert len(legal(state)) == 45
    state = apply(state, legal(state)[0])
    assert (state.hands[0].bit_count(), state.discards.bit_count(), state.turn) == (8, 2, 0)


def test_a_ranked_auction_asks_everybody_and_the_highest_plays() -> None:
    contracts = ["ordinary", "solo", "small_solo"]
    rules = preset("pagat", {"auction": {"mode": "ranked", "contracts": contracts}})
    assert legal_bids(auction(rules, "ordinary")) == ("pass", "solo", "small_solo")
    assert legal_bids(auction(rules, "small_solo")) == ("pass",)
    state = auction(rules, "ordinary", "pass", "solo")
    assert (state.declarer, state.contract) == (2, "solo")


def test_lzsf_asks_for_blind_before_the_bid_and_for_the_talon_after_it() -> None:
    rules = preset("lzsf")
    blind = auction(rules, "blind")
    assert (blind.declarer, blind.contract, blind.phase) == (0, "blind", "play")
    state = auction(rules, "ordinary")
    assert state.phase == "talon"
    assert apply(state, Choose("take")).contract == "ordinary"
    given_away = apply(state, Choose("give"))
    assert (given_away.contract, given_away.phase) == ("solo", "play")
    assert "solo" not in legal_bids(auction(rules, "pass"))


@pytest.mark.parametrize(
    ("changes", "contract", "phase", "turn"),
    [({}, "table", "play", 0), (POOLS, "thrown_in", "over", None)],
)
def test_all_pass_is_thrown_in_with_pools_and_plays_a_table_without(
    changes: Settings, contract: str, phase: str, turn: int | None
) -> None:
    state = auction(preset("pagat", changes), "pass", "pass", "pass")
    found = (state.contract, state.declarer, state.phase, state.turn)
    assert found == (contract, None, phase, turn)


def test_a_card_that_is_not_held_is_refused_by_its_name() -> None:
    state = auction(preset(), "solo")
    card = members(state.hands[1])[0]
    with pytest.raises(Illegal, match=f"^{NAMES[card]} is not in the hand"):
        apply(state, Play(card))


@pytest.mark.parametrize(
    ("led", "hand", "card", "why"),
    [
        ("JC", "9D QH AC", "AC", "AC is not one of QH 9D: trumps were led"),
        ("KS", "9S JS AC", "JS", "JS is not one of 9S: spades were led"),
        ("9H", "AH QH", "QH", "QH is not one of AH: hearts were led"),
    ],
)
def test_a_card_that_does_not_follow_is_refused_by_what_was_led(
    led: str, hand: str, card: str, why: str
) -> None:
    state = msgspec.structs.replace(
        auction(preset(), "solo"),
        trick=(INDEX[led],),
        turn=1,
        hands=(0, mask(map(INDEX.__getitem__, hand.split())), 0),
    )
    with pytest.raises(Illegal) as refused:
        apply(state, Play(INDEX[card]))
    assert str(refused.value) == f"{why}; queens, jacks and diamonds are trumps"


@pytest.mark.parametrize("completed", range(8))
@pytest.mark.parametrize("laid", range(3))
def test_a_declarer_may_surrender_only_before_the_leads_to_the_first_three_tricks(
    completed: int, laid: int
) -> None:
    """pagat, Surrender: before the lead to the third trick."""
    state = auction(preset(), "solo")
    for _ in range(3 * completed + laid):
        state = apply(state, legal(state)[0])
    allowed = completed <= 2 and laid == 0
    assert may_surrender(state) is allowed
    if allowed:
        assert surrender(state).ended == Ended("surrender", 0)
    else:
        with pytest.raises(Illegal):
            surrender(state)


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_only_a_defender_to_play_may_offer_and_a_declarer_has_three_chances_to_surrender(
    rules: Rules, seed: int
) -> None:
    states = random_play(rules, seed)
    for state in states:
        defends = state.declarer is not None and state.turn not in (None, state.declarer)
        may = rules.surrender.defender and state.phase == "play" and defends
        assert may_offer(state) is may
        if may:
            refused = offer(state, False)
            assert (refused.turn, legal(refused)) == (state.turn, legal(state))
            assert not may_offer(refused)
        else:
            with pytest.raises(Illegal):
                offer(state, True)
    chances = [state for state in states if may_surrender(state)]
    assert len(chances) <= 3
    if chances:
        assert rules.surrender.declarer == "before_lead_3"
        assert chances[0].declarer is not None


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_a_state_is_a_value_that_playing_on_does_not_change(rules: Rules, seed: int) -> None:
    states = random_play(rules, seed)
    assert states == random_play(rules, seed)
    for state in states[:-1]:
        before = msgspec.json.encode(state)
        for action in legal(state)[:3]:
            apply(state, action)
        assert msgspec.json.encode(state) == before


GOLDEN = json.loads((ROOT / "tests/data/perft.json").read_text())

TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split()


def suit(card: str) -> str:
    return "trump" if card in TRUMPS else card[1]


def takes(trick: Sequence[tuple[int, str]]) -> int:
    """The seat that takes a trick, found card by card as a person would."""
    who, best = trick[0]
    for seat, card in trick[1:]:
        if suit(card) == suit(best):
            order = TRUMPS if suit(card) == "trump" else [rank + card[1] for rank in "ATK9"]
            if order.index(card) < order.index(best):
                who, best = seat, card
        elif suit(card) == "trump":
            who, best = seat, card
    return who


def naive(hands: list[list[str]], seat: int, trick: list[tuple[int, str]]) -> int:
    """How many ways there are to play out hands, on lists of names."""
    if len(trick) == 3:
        return naive(hands, takes(trick), [])
    if not hands[seat]:
        return 1
    follow = [card for card in hands[seat] if trick and suit(card) == suit(trick[0][1])]
    total = 0
    for card in follow or hands[seat]:
        left = [[c for c in hand if c != card] for hand in hands]
        total += naive(left, (seat + 1) % 3, [*trick, (seat, card)])
    return total


def as_names(state: State) -> list[list[str]]:
    return [[NAMES[card] for card in members(hand)] for hand in state.hands]


@pytest.mark.parametrize("name", [name for name in ENDINGS if ENDINGS[name].cards <= 3])
def test_an_ending_has_as_many_sequences_as_a_naive_count_finds(name: str) -> None:
    state = ending(ENDINGS[name])
    assert state.turn is not None
    assert naive(as_names(state), state.turn, []) == GOLDEN["endings"][name]


OFFERS = {
    "pagat": ["ordinary", "solo"],
    "piedalies": ["ordinary", "solo", "small_solo"],
    "zole_net": ["ordinary", "solo"],
    "gamerules": ["ordinary"],
    "lzsf": ["blind", "small_solo", "ordinary and take", "ordinary and give"],
}


@pytest.mark.parametrize("name", preset_names())
def test_an_auction_is_up_to_two_passes_and_an_offer_or_three_passes(name: str) -> None:
    """piedalies: the next speaks only if those before have passed."""
    assert auctions(name) == GOLDEN["auctions"][name] == 3 * len(OFFERS[name]) + 1


def naive_table(hands: list[list[str]], talon: list[str], tricks: int, leader: int | None) -> int:
    """How many ways there are to play the first tricks of a table game with the talon in it.

    lzsf: in trick 1 the talon plays last; it leads to trick 2 if it took trick 1.
    """
    if not tricks:
        return 1
    order = [((leader or 0) + place) % 3 for place in range(3)]
    lead = talon[0] if leader is None else None
    total = 0
    for first in allowed(hands[order[0]], lead):
        for second in allowed(hands[order[1]], lead or first):
            for third in allowed(hands[order[2]], lead or first):
                laid = list(zip(order, [first, second, third], strict=True))
                trick = [(9, talon[0]), *laid] if leader is None else [*laid, (9, talon[0])]
                taker = takes(trick)
                left = [[c for c in hand if c not in (first, second, third)] for hand in hands]
                total += naive_table(left, talon[1:], tricks - 1, None if taker == 9 else taker)
    return total


def allowed(hand: list[str], lead: str | None) -> list[str]:
    return [card for card in hand if lead and suit(card) == suit(lead)] or hand


@pytest.mark.parametrize(("tricks", "deals"), [(1, 20), (2, 2)])
def test_the_talon_at_the_table_leaves_as_many_ways_as_a_naive_count(
    tricks: int, deals: int
) -> None:
    changes = {"table": {"talon": "first_two_tricks"}, "play": {"tricks": tricks}}
    rules = preset("pagat", dict(changes))
    for number in range(deals):
        state = start(rules, from_deck(shuffled(f"table {number}"), rules, 2))
        for _ in range(3):
            state = apply(state, Say("pass"))
        talon = [NAMES[card] for card in state.deal.talon]
        assert count(state) == naive_table(as_names(state), talon, tricks, 0)
