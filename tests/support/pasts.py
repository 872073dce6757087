"""Deals by chance as the states they went through, and the same story told over other cards."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from arena.zole import play
from arena.zole.cards import members
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.rules import Rules
from arena.zole.state import Action, Choose, Discard, Play, Say, SayBlind, State
from tests.support.playthroughs import chosen


def past_by_chance(rules: Rules, seed: int) -> list[State]:
    """The states of a deal by chance from its start to its end, some offers refused."""
    dice = random.Random(seed)
    deal = from_deck(shuffled(f"past {seed}"), rules, seed % rules.players)
    past = [play.start(rules, deal)]
    while (state := past[-1]).phase != "over":
        if play.may_offer(state) and dice.random() < 0.03:
            past.append(play.offer(state, accepted=False))
        past.append(play.apply(past[-1], chosen(past[-1], dice)))
    return past


def pasts(past: Sequence[State]) -> Iterator[Sequence[State]]:
    """What had happened at each moment of a deal that was not over."""
    return (past[: number + 1] for number in range(len(past) - 1))


def told_again(past: Sequence[State], deal: Deal, discards: int) -> State:
    """The state to which the same public actions lead over another deal, with other discards.

    Raises `Illegal` where they break a rule.
    """
    state = play.start(past[0].rules, deal)
    for before, after in pairwise(past):
        if len(after.offered) > len(before.offered):
            state = play.offer(state, accepted=False)
        else:
            state = play.apply(state, _action(before, after, discards))
    return state


def _action(before: State, after: State, discards: int) -> Action:
    match before.phase:
        case "blind":
            return SayBlind(len(after.bids) > len(before.bids))
        case "bid":
            return Say(after.bids[-1][1])
        case "talon":
            return Choose("take" if after.phase == "discard" else "give")
        case "discard":
            return Discard(discards)
    assert before.turn is not None
    (card,) = members(before.hands[before.turn] & ~after.hands[before.turn])
    return Play(card)
