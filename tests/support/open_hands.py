"""Deals with open hands, solved by trying everything that the arena's own rules allow."""

import random
from collections.abc import Callable
from unittest import mock

import msgspec

from arena.review import solver as solvers
from arena.review.solver import Solver
from arena.zole import play
from arena.zole.cards import NAMES, mask, points
from arena.zole.deal import Deal, Seat, active_seats, from_deck
from arena.zole.rules import Contract, Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, settle, sides
from arena.zole.state import State, turn_of
from arena.zole.tricks import first_lead

CONTRACTS: tuple[Contract, ...] = ("ordinary", "solo", "small_solo", "blind")


def any_rules(dice: random.Random) -> Rules:
    """A preset with some settings changed: payments that no source has, fewer tricks, pools."""
    settlements = ("most_tricks_pays", "most_points_pays", "fewest_tricks_collects")
    table: Settings = {
        "talon": dice.choice(("unused", "first_two_tricks")),
        "settlement": dice.choice(settlements),
        "stake": dice.randint(1, 3),
    }
    changes: Settings = {"players": dice.choice((3, 3, 3, 4, 5)), "table": table}
    if dice.random() < 0.3:
        changes["sitout"] = {"scoring": "none"}
    if dice.random() < 0.5:
        changes["scoring"] = {
            **{name: _payments(dice, 3) for name in ("ordinary", "solo", "blind")},
            "small_solo": _payments(dice, 1),
        }
    if dice.random() < 0.3:
        changes |= {"pools": {"enabled": True}, "all_pass": "pool"}
    elif dice.random() < 0.4:
        changes["play"] = {"tricks": dice.randint(1, 5)}
    return preset(dice.choice(preset_names()), changes)


def _payments(dice: random.Random, half: int) -> list[int]:
    """Stakes by level in any order among the won ones, and among the lost ones."""
    won = [dice.randint(1, 6) for _ in range(half)]
    return won + [-dice.randint(1, 6) for _ in range(half)]


def any_pools(dice: random.Random, rules: Rules) -> Pools:
    """Tokens on the table, where the rules have any."""
    if not rules.pools.enabled:
        return Pools()
    owners = [dice.randrange(rules.players) for _ in range(dice.randint(0, 2))]
    return Pools(dice.randint(0, 2), tuple(owners))


def any_deal(dice: random.Random, rules: Rules, contract: Contract | None) -> State:
    """A deal before its first card, with a contract or, with None, as a table game."""
    deck = dice.sample(range(len(NAMES)), len(NAMES))
    deal = from_deck(tuple(deck), rules, dice.randrange(rules.players))
    if contract is None:
        return first_lead(msgspec.structs.replace(play.start(rules, deal), contract="table"))
    declarer = dice.choice(active_seats(rules.players, deal.dealer))
    state = declared(rules, deal, declarer, contract)
    if state.phase == "discard":
        state = play.apply(state, dice.choice(play.legal(state)))
    return state


def declared(rules: Rules, deal: Deal, declarer: Seat, contract: Contract) -> State:
    """A deal right after a contract was declared: before the discard or the lead."""
    state = msgspec.structs.replace(play.start(rules, deal), declarer=declarer, contract=contract)
    if contract != "ordinary":
        return first_lead(state)
    hands = list(deal.hands)
    hands[declarer] |= mask(deal.talon)
    return msgspec.structs.replace(state, phase="discard", turn=declarer, hands=tuple(hands))


def card_points(solver: Solver, state: State, pools: Pools) -> list[int | None]:
    """The card points of the side of the seat to play after each legal card, if all play for these.

    Cards that nobody plays count as the defenders'. None in a table game.
    """
    seat = turn_of(state)
    with mock.patch.object(solvers, "_STAKES", 3):  # stakes and points
        rows = solver._ask(solvers._EACH_CARD, state, seat, pools)
    rows.sort(key=lambda row: row[0])
    if state.declarer is None:
        return [None for _ in rows]
    unused = points(mask(state.deal.talon)) if state.contract == "small_solo" else 0
    return [row[2] if seat == state.declarer else 120 - unused - row[2] for row in rows]


def any_ending(dice: random.Random, rules: Rules, contract: Contract | None, most: int) -> State:
    """A deal after some cards by chance, at most so many tricks before its end."""
    state = any_deal(dice, rules, contract)
    played = rules.play.tricks - min(rules.play.tricks, dice.randint(1, most))
    for _ in range(3 * played + dice.choice((0, 0, 1, 2))):
        state = play.apply(state, dice.choice(play.legal(state)))
    return state


def retold(dice: random.Random, state: State) -> State:
    """The same cards after other tricks, so that levels, and ties at the table, are near.

    Somebody took them all, or nobody of a side any, more often than by chance.
    """
    played, tricks, made = state.completed, [0] * state.rules.players, [0] * state.rules.players
    left = mask(state.trick) | state.discards
    for hand in state.hands:
        left |= hand
    spare = 120 - points(left)
    if state.declarer is None:
        first, second, third = dice.sample(state.active, 3)
        tricks[first] = dice.randint(played // 3, played)
        tricks[second] = (played - tricks[first]) // 2
        tricks[third] = played - tricks[first] - tricks[second]
        for seat in state.active:
            made[seat] = min(spare, dice.choice((0, 0, 4, 11, 14, 70)))
            spare -= made[seat]
    else:
        partner = next(seat for seat in state.active if seat != state.declarer)
        tricks[state.declarer] = dice.choice((0, played, dice.randint(0, played)))
        tricks[partner] = played - tricks[state.declarer]
        made[state.declarer] = dice.randint(0, spare)
    return msgspec.structs.replace(state, tricks=tuple(tricks), points=tuple(made))


def by_brute_force(state: State, pools: Pools) -> list[tuple[int, int | None]]:
    """What each legal card is worth to the seat to play: its stakes, and its side's points."""
    seat, declarer = turn_of(state), state.declarer
    hero = seat if declarer is None else declarer
    unused = points(mask(state.deal.talon)) if state.contract == "small_solo" else 0
    stakes: Known = {}
    totals: Known = {}

    def paid(end: State) -> tuple[int, ...]:
        payments = settle(end, pools).payments
        return payments[hero], payments[seat]

    def made(end: State) -> tuple[int, ...]:
        return (sides(end).declarer_points,)

    found: list[tuple[int, int | None]] = []
    for after in (play.apply(state, action) for action in play.legal(state)):
        side = None
        if declarer is not None:
            (total,) = _value(after, hero, made, totals)
            side = total if seat == declarer else 120 - unused - total
        found.append((_value(after, hero, paid, stakes)[1], side))
    return found


Known = dict[tuple[object, ...], tuple[int, ...]]


def _value(
    state: State, hero: Seat, worth: Callable[[State], tuple[int, ...]], known: Known
) -> tuple[int, ...]:
    """What comes of a state where one seat wants the most of it and all others the least."""
    if state.phase == "over":
        return worth(state)
    key = (state.hands, state.trick, state.turn, state.tricks, state.points)
    if key not in known:
        values = [
            _value(play.apply(state, action), hero, worth, known) for action in play.legal(state)
        ]
        known[key] = max(values) if state.turn == hero else min(values)
    return known[key]
