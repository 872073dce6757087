"""Scoring of a finished deal: its level, the payments between seats, and the pools after it."""

from typing import Literal

import msgspec

from arena.zole.cards import mask, points
from arena.zole.deal import Seat
from arena.zole.rules import POINTS_ROWS, Contract, PointsRow, Rules
from arena.zole.state import State

Level = PointsRow | Literal["made", "lost"]
"""`made` and `lost` are the two levels of a small solo, the rows those of the other contracts."""


class Pools(msgspec.Struct, frozen=True):
    """Tokens on the table: `collective` ones, and the owners of `personal` ones, oldest first."""

    collective: int = 0
    personal: tuple[Seat, ...] = ()


class Settlement(msgspec.Struct, frozen=True):
    """A finished deal: `payments` in stakes by seat (they sum to zero), and the `pools` after it.

    `level` is the row of the payments that applies, None where nobody declared.
    """

    level: Level | None
    payments: tuple[int, ...]
    pools: Pools


class Sides(msgspec.Struct, frozen=True):
    """The declarer's and the defenders' tricks and card points, talon and discards included."""

    declarer_points: int
    defender_points: int
    declarer_tricks: int
    defender_tricks: int


def settle(state: State, pools: Pools) -> Settlement:
    """The settlement of a finished deal, given the pools on the table before it."""
    if state.phase != "over":
        raise ValueError("the deal is not over")
    rules = state.rules
    offender = state.ended.seat if state.ended and state.ended.by == "fault" else None
    if offender is not None and (state.declarer is None or state.contract is None):
        return Settlement(None, fault_at_table(rules, state.active, offender), pools)
    if state.contract == "thrown_in":
        if rules.all_pass == "pool":  # pagat, Pools: one collective token, no payments
            pools = Pools(pools.collective + 1, pools.personal)
        return Settlement(None, (0,) * rules.players, pools)
    if state.declarer is None or state.contract is None or state.contract == "table":
        paid = table_payments(rules, state.active, state.tricks, state.points)
        return Settlement(None, paid, pools)
    level = _level(state)
    payer = offender if offender != state.declarer else None
    paid, pools = contract_payments(
        rules, state.active, state.declarer, state.contract, level, pools, payer
    )
    return Settlement(level, paid, pools)


def sides(state: State) -> Sides:
    """The count of both sides so far.

    pagat, Bidding: discards count for the declarer, the untouched talon for the opponents.
    pagat, Small Solo: there the talon is nobody's.
    """
    if state.declarer is None:
        raise ValueError("there are no sides without a declarer")
    own = state.points[state.declarer]
    theirs = sum(state.points) - own
    talon = points(mask(state.deal.talon)) if state.contract in ("solo", "blind") else 0
    tricks = state.tricks[state.declarer]
    return Sides(own + points(state.discards), theirs + talon, tricks, sum(state.tricks) - tricks)


def level_of(rules: Rules, contract: Contract, declarer_points: int, declarer_tricks: int) -> Level:
    """The level of a deal played to its end. pagat, Scoring; all and no tricks go by tricks."""
    if contract == "small_solo":
        return "lost" if declarer_tricks else "made"
    if declarer_tricks == rules.play.tricks:
        return "all_tricks"
    if declarer_tricks == 0:
        return "no_tricks"
    return _points_row(declarer_points)


def stakes_of(rules: Rules, contract: Contract, level: Level) -> int:
    """Stakes that each opponent pays the declarer at a level; negative if the declarer pays."""
    if level == "made" or level == "lost":
        return rules.scoring.small_solo[level == "lost"]
    rows = {
        "ordinary": rules.scoring.ordinary,
        "solo": rules.scoring.solo,
        "blind": rules.scoring.blind,
    }
    return rows[contract][POINTS_ROWS.index(level)]


def contract_payments(
    rules: Rules,
    active: tuple[Seat, ...],
    declarer: Seat,
    contract: Contract,
    level: Level,
    pools: Pools,
    fault_by: Seat | None = None,
) -> tuple[tuple[int, ...], Pools]:
    """Payments by seat of a contract at a level, and the pools after it.

    `fault_by` is a defender whose fault decided the deal: it may have to pay alone what its side
    owes (`conduct.fault_payer`).
    """
    stake = stakes_of(rules, contract, level)
    scored = range(rules.players) if rules.sitout.scoring == "as_opponent" else active
    opponents = [seat for seat in scored if seat != declarer]
    owed = dict.fromkeys(opponents, stake)
    if stake > 0 and contract in rules.pools.won_by:
        pools = _win_pool(rules, declarer, owed, pools)
    elif stake < 0 and contract in rules.pools.lost_by and (pools.collective or pools.personal):
        pools = Pools(pools.collective, (*pools.personal, declarer))  # pagat, Pools: a new debt
    if stake > 0 and fault_by is not None and rules.conduct.fault_payer == "offender":
        owed = {fault_by: sum(owed.values())}
    payments = [-owed.get(seat, 0) for seat in range(rules.players)]
    payments[declarer] = sum(owed.values())
    return tuple(payments), pools


def table_payments(
    rules: Rules, active: tuple[Seat, ...], tricks: tuple[int, ...], card_points: tuple[int, ...]
) -> tuple[int, ...]:
    """Payments by seat of a table game; tricks and card points are by seat."""
    stake = rules.table.stake
    payments = [0] * rules.players
    if rules.table.settlement == "most_points_pays":
        count = {seat: (card_points[seat], tricks[seat]) for seat in active}
    else:
        count = {seat: (tricks[seat], card_points[seat]) for seat in active}
    if rules.table.settlement == "fewest_tricks_collects":
        # lzsf, Galds: this game names a winner; equal winners share what the third pays.
        good = [seat for seat in active if count[seat] == min(count.values())]
        bad = [seat for seat in active if seat not in good]
    else:
        # pagat, Scoring: the loser pays both; two dead equal losers each pay the third.
        bad = [seat for seat in active if count[seat] == max(count.values())]
        good = [seat for seat in active if seat not in bad]
    for loser in bad:
        for winner in good:
            payments[loser] -= stake
            payments[winner] += stake
    return tuple(payments)


def fault_at_table(rules: Rules, active: tuple[Seat, ...], offender: Seat) -> tuple[int, ...]:
    """Payments after a fault at the table or before a contract: one stake to each other player."""
    stake, others = rules.table.stake, [seat for seat in active if seat != offender]
    payments = [stake if seat in others else 0 for seat in range(rules.players)]
    payments[offender] = -stake * len(others)
    return tuple(payments)


def _points_row(declarer_points: int) -> PointsRow:
    if declarer_points >= 91:
        return "ge91"
    if declarer_points >= 61:  # lzsf: at 60-60 the defenders win
        return "ge61"
    return "31_60" if declarer_points >= 31 else "le30"


def _level(state: State) -> Level:
    contract = state.contract
    if contract is None or contract == "table" or contract == "thrown_in":
        raise ValueError("a level needs a contract")
    count = sides(state)
    if state.ended is None:
        return level_of(state.rules, contract, count.declarer_points, count.declarer_tricks)
    lost: Level = "lost" if contract == "small_solo" else "31_60"
    won: Level = "made" if contract == "small_solo" else "ge61"
    if state.ended.by == "surrender":
        return lost
    if state.ended.by == "offer":
        return won
    # piedalies: the guilty side loses unless it had already won; then only its tricks so far count.
    if state.ended.seat == state.declarer:
        sure = contract != "small_solo" and count.declarer_points >= 61
        return _points_row(count.declarer_points) if sure else lost
    if contract == "small_solo":
        return lost if count.declarer_tricks else won
    sure = count.defender_points >= 60
    return _points_row(120 - count.defender_points) if sure else won


def _win_pool(rules: Rules, declarer: Seat, owed: dict[Seat, int], pools: Pools) -> Pools:
    """Take one token for a won contract: return the pools left, and add its stake to `owed`.

    pagat, Pools: its own first, then collective, then another's.
    """
    personal = pools.personal
    if declarer in personal:
        return Pools(pools.collective, _without(personal, declarer))
    if pools.collective:
        for seat in owed:
            owed[seat] += rules.pools.collective_stake
        return Pools(pools.collective - 1, personal)
    for owner in personal:  # oldest first; a seat that is not scored cannot be made to pay
        if owner in owed:
            owed[owner] += rules.pools.personal_stake
            return Pools(0, _without(personal, owner))
    return pools


def _without(personal: tuple[Seat, ...], owner: Seat) -> tuple[Seat, ...]:
    place = personal.index(owner)
    return personal[:place] + personal[place + 1 :]
