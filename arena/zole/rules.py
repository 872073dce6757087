"""Every rule in which the sources differ, as data: one `Rules` value governs a deal."""

from pathlib import Path
from typing import Literal

import msgspec

Contract = Literal["ordinary", "solo", "small_solo", "blind"]
Bid = Literal["pass", "ordinary", "solo", "small_solo", "blind"]

RANK: tuple[Bid, ...] = ("pass", "ordinary", "solo", "blind", "small_solo")
"""Bids from low to high in a ranked auction. 000 Small Solo: it outranks a solo."""

Row = Literal["all_tricks", "ge91", "ge61", "31_60", "le30", "no_tricks"]
ROWS: tuple[Row, ...] = ("all_tricks", "ge91", "ge61", "31_60", "le30", "no_tricks")
"""The six levels of a contract for points, in the order of the payment tables."""

SixRows = tuple[int, int, int, int, int, int]


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the rules: an immutable value that refuses keys it does not know."""


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
    """One complete ruleset; `docs/rules.md` explains every key."""

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
    """The settings of `base` with those of `changes` laid over them, section by section."""
    result = dict(base)
    for key, value in changes.items():
        below = result.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            result[key] = merged(below, value)
        else:
            result[key] = value
    return result


def preset_settings(name: str = DEFAULT) -> Settings:
    """The settings of a preset, every key present. Raises KeyError for an unknown name."""
    import tomllib

    presets: dict[str, Settings] = tomllib.loads(PRESETS_FILE.read_text(encoding="utf-8"))
    return presets[DEFAULT] if name == DEFAULT else merged(presets[DEFAULT], presets[name])


def preset(name: str = DEFAULT, changes: Settings | None = None) -> Rules:
    """A preset's rules with some settings changed.

    Raises KeyError for an unknown preset and `msgspec.ValidationError` for an unusable value; a
    file of a user's goes through `arena.league`, which places and explains each mistake.
    """
    return msgspec.convert(merged(preset_settings(name), changes or {}), Rules)
