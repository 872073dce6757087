"""Every rule on which the sources differ, as data: one `Rules` value governs a deal."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

Contract = Literal["ordinary", "solo", "small_solo", "blind"]
Bid = Literal["pass", "ordinary", "solo", "small_solo", "blind"]

RANK: tuple[Bid, ...] = ("pass", "ordinary", "solo", "blind", "small_solo")
"""Bids from low to high in a ranked auction. pagat, Small Solo: it outranks a solo."""

PointsRow = Literal["all_tricks", "ge91", "ge61", "31_60", "le30", "no_tricks"]
POINTS_ROWS: tuple[PointsRow, ...] = ("all_tricks", "ge91", "ge61", "31_60", "le30", "no_tricks")
"""The six levels of a contract for points, in the order of the payment tables."""

SixRows = tuple[int, int, int, int, int, int]

LARGEST_PAYMENT = (1 << 15) - 1
"""The most stakes that a seat may pay or be paid in a deal: records keep payments in 16 bits."""

MOST_CORRECTIONS = 1000
"""The most that `conduct.corrections` may be: each corrected answer goes into the log."""

LARGEST_MAX_FAULTS = 10**9
"""The most that `conduct.max_faults` may be: rules are also written with numbers of 64 bits."""


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the rules: an immutable value that refuses unknown keys."""


class DealRules(Frozen, frozen=True):
    packets: Literal["4-2-4", "4-4-2"]
    first_dealer: Literal["given", "high_card", "random"]
    rotation: Literal["left"]


class AuctionRules(Frozen, frozen=True):
    mode: Literal["first_offer", "ranked"]
    contracts: tuple[Contract, ...]
    talon_decision: Literal["in_bid", "after_bid"]


class PlayRules(Frozen, frozen=True):
    tricks: int
    first_lead: Literal["forehand"]


class ScoringRules(Frozen, frozen=True):
    """Stakes to the declarer from each opponent, by level."""

    ordinary: SixRows
    solo: SixRows
    blind: SixRows
    small_solo: tuple[int, int]
    talon_solo: Literal["opponents"]


class TableRules(Frozen, frozen=True):
    talon: Literal["unused", "first_two_tricks"]
    settlement: Literal["most_tricks_pays", "most_points_pays", "fewest_tricks_collects"]
    stake: int
    tiebreak: Literal["card_points"]
    dead_tie: Literal["each_pays_third"]
    lead_after_talon: Literal["forehand"]


class PoolRules(Frozen, frozen=True):
    enabled: bool
    collective_stake: int
    personal_stake: int
    won_by: tuple[Contract, ...]
    lost_by: tuple[Contract, ...]
    creation_needs: Literal["any_pool"]
    foreign_choice: Literal["oldest"]


class SitoutRules(Frozen, frozen=True):
    scoring: Literal["as_opponent", "none"]
    in_table: Literal["none"]


class SurrenderRules(Frozen, frozen=True):
    declarer: Literal["before_lead_3", "off"]
    defender: bool


class ConductRules(Frozen, frozen=True):
    move_limit_s: float
    on_fault: Literal["forfeit", "substitute"]
    fault_payer: Literal["offender", "side"]
    corrections: int
    max_faults: int


class Rules(Frozen, frozen=True):
    """One complete ruleset for a table of `players`; `docs/rules.md` explains every key.

    `all_pass` is what follows if nobody bids: a `table` game, `pools` or another deal. The groups
    are `deal` (how cards are dealt), `auction`, `play`, `scoring`, `sitout` (who sits out is paid),
    `surrender` and `conduct` (what a fault costs).
    """

    players: int
    all_pass: Literal["table", "pool", "redeal"]
    deal: DealRules
    auction: AuctionRules
    play: PlayRules
    scoring: ScoringRules
    table: TableRules
    pools: PoolRules
    sitout: SitoutRules
    surrender: SurrenderRules
    conduct: ConductRules


Settings = dict[str, object]
"""Rules as written in a file: keys of `Rules`, nested, some of them missing."""

DEFAULT = "pagat"
PRESETS_FILE = Path(__file__).with_name("presets.toml")


def merged(base: Settings, changes: Settings) -> Settings:
    """The settings of `base` overridden by those of `changes`, section by section."""
    result = dict(base)
    for key, value in changes.items():
        below = result.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            result[key] = merged(below, value)
        else:
            result[key] = value
    return result


def preset_names() -> tuple[str, ...]:
    """The names of the presets, one for each source, the default first."""
    return tuple(_presets())


def preset_settings(name: str = DEFAULT) -> Settings:
    """The settings of a preset, every key present. Raises KeyError for an unknown name."""
    presets = _presets()
    return presets[DEFAULT] if name == DEFAULT else merged(presets[DEFAULT], presets[name])


def preset(name: str = DEFAULT, changes: Settings | None = None) -> Rules:
    """A preset's rules with some settings changed.

    Raises ValueError for an unknown preset, unusable settings, and rules that contradict
    themselves; a user's file goes through `arena.league`, which locates and explains each mistake.
    """
    if name not in preset_names():
        raise ValueError(f"unknown preset {name}; known are {', '.join(preset_names())}")
    try:
        rules = msgspec.convert(merged(preset_settings(name), changes or {}), Rules)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    found = [f"{key}: {what}; {remedy}" for key, what, remedy in contradictions(rules)]
    if found:
        raise ValueError("\n".join(found))
    return rules


def contradictions(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """Yield settings that conflict or are out of range: the key, what is wrong, and the remedy."""
    for key, value, least, most in (
        ("players", rules.players, 3, 5),
        ("play.tricks", rules.play.tricks, 1, 8),
        ("table.stake", rules.table.stake, 1, LARGEST_PAYMENT),
        ("pools.collective_stake", rules.pools.collective_stake, 0, LARGEST_PAYMENT),
        ("pools.personal_stake", rules.pools.personal_stake, 0, LARGEST_PAYMENT),
        ("conduct.corrections", rules.conduct.corrections, 0, MOST_CORRECTIONS),
        ("conduct.max_faults", rules.conduct.max_faults, 1, LARGEST_MAX_FAULTS),
    ):
        if not least <= value <= most:
            yield key, f"{value} is out of range", f"{key} must be {least} to {most}"
    contracts = rules.auction.contracts
    if len(set(contracts)) < len(contracts):
        yield "auction.contracts", "a contract is named twice", "name each once"
    if "ordinary" not in contracts:
        yield "auction.contracts", "ordinary is missing", "every source has the ordinary game"
    if rules.all_pass == "pool" and not rules.pools.enabled:
        yield "all_pass", 'all_pass = "pool" needs pools', "set pools.enabled = true"
    if rules.pools.enabled and rules.all_pass != "pool":
        what = f'pools never begin with all_pass = "{rules.all_pass}"'
        yield "pools.enabled", what, 'set all_pass = "pool"'
    if rules.pools.enabled and rules.play.tricks < 8:
        yield "play.tricks", "pools need whole deals", "play 8 tricks"
    if not 0 < rules.conduct.move_limit_s < float("inf"):  # rejects NaN too
        yield "conduct.move_limit_s", "a move needs some time", "use more than 0 seconds"
    for name, rows in (
        ("ordinary", rules.scoring.ordinary),
        ("solo", rules.scoring.solo),
        ("blind", rules.scoring.blind),
        ("small_solo", rules.scoring.small_solo),
    ):
        half = len(rows) // 2
        if min(rows[:half]) <= 0 or max(rows[half:]) >= 0:
            what = "wins must be positive and losses negative"
            yield f"scoring.{name}", what, f"the first {half} are wins"
    key, payment = largest_payment(rules)
    if payment > LARGEST_PAYMENT:
        what = f"a seat could pay or be paid {payment} stakes in one deal"
        yield key, what, f"the most is {LARGEST_PAYMENT}"


def largest_payment(rules: Rules) -> tuple[str, int]:
    """The most stakes that a seat can pay or be paid in a deal, and the key that contributes most.

    A declarer settles with every opponent, and may also win a token: a collective one from each
    of them, or a personal one from its owner. In a table game a seat settles with two others at
    most.
    """
    opponents = rules.players - 1 if rules.sitout.scoring == "as_opponent" else 2
    scoring, pools = rules.scoring, rules.pools
    contract = {
        "scoring.ordinary": opponents * max(map(abs, scoring.ordinary)),
        "scoring.solo": opponents * max(map(abs, scoring.solo)),
        "scoring.blind": opponents * max(map(abs, scoring.blind)),
        "scoring.small_solo": opponents * max(map(abs, scoring.small_solo)),
    }
    token = {
        "pools.collective_stake": opponents * pools.collective_stake * pools.enabled,
        "pools.personal_stake": pools.personal_stake * pools.enabled,
    }
    declared = max(contract.values()) + max(token.values())
    if 2 * rules.table.stake > declared:
        return "table.stake", 2 * rules.table.stake
    parts = contract | token
    return max(parts, key=lambda key: parts[key]), declared


@cache
def _presets() -> dict[str, Settings]:
    return tomllib.loads(PRESETS_FILE.read_text(encoding="utf-8"))
