"""Sums up a league's record: its standings, and what readers must know about them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import factorial

import msgspec

from arena.league.config import OpenConfig, TournamentConfig
from arena.league.fold import LedgerFold
from arena.league.played import SeasonFinal, SetsAndStandings
from arena.league.schedule import commitment, seatings
from arena.league.terms import Terms, one_more_round
from arena.league.tournament import Tournament, TournamentState
from arena.record.rows import VoidMatch
from arena.record.store import Store
from arena.stats.analysis import analysis, identical_pairs
from arena.stats.figures import Analysis, Standing
from arena.stats.sets import Block, complete_blocks, league_sets, sets_among
from arena.stats.standings import standings

MANY = 1000
"""The most bots that are all compared, former ones too: that takes time as their square."""


class Identical(msgspec.Struct, frozen=True):
    """Two bots with the same result in every set they shared, and the number of those deals."""

    bots: tuple[str, str]
    deals: int


class OpenState(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of an open league, and its calendar, shown to people in its time zone.

    `orders` counts all orders so far, `under_way` those that are not stored in full. `house` are
    the arena's own bots in the field, `benched` has by bot why it gets no orders.
    """

    orders: int
    under_way: int
    house: tuple[str, ...]
    benched: dict[str, str]
    submit_until: datetime | None
    close_at: datetime | None
    time_zone: str


class Summary(SetsAndStandings, frozen=True, kw_only=True):
    """A league's standings and what readers must know about them.

    `league` is its name, and `practice` whether its seed was chosen, so that nothing counts;
    `decisions` are the answers of all bots. A set is one deal, or a session of `session` deals.
    `seatings` are the numbers of seatings that are played of a table, and that there are (None
    before there is a table). A league without a set is not `complete`. The `seed` is shown for
    practice and once all is played; if the league then went on with a new one, `earlier_seeds` are
    those shown before. `isolation` counts the stored matches at each level; `network` are the
    addresses that some bots may connect to. `identical` are bots
    with the same result in every set, `void` the sets left out, `owed` the matches that the arena
    itself spoilt and has not yet replayed.

    Of a `tournament` a table of a round is a set, and standings are in the order of its ranking.

    Of an `open` league the ordered sets are counted, `commitment` is to its season's secret,
    and it is complete once it is sealed; its table has numbers that hold at all looks. Once its
    season is closed, the `final` has its own table.
    """

    league: str
    complete: bool
    practice: bool
    commitment: str
    seed: str | None
    earlier_seeds: tuple[str, ...]
    decisions: int
    isolation: dict[str, int]
    network: dict[str, tuple[str, ...]]
    identical: tuple[Identical, ...]
    void: tuple[Block, ...]
    owed: tuple[VoidMatch, ...]
    session: int | None
    seatings: tuple[int, int] | None
    open: OpenState | None = None
    final: SeasonFinal | None = None
    tournament: TournamentState | None = None


class Report(Summary, frozen=True, kw_only=True):
    """A summary with everything else computed from the sets."""

    analysis: Analysis


def summarize(store: Store) -> Summary:
    """Return the standings of a record, from the record alone."""
    return _summary(store, store.blocks())


def table_before_final(store: Store, ledger: LedgerFold) -> list[Standing]:
    """Return the standings that decide who plays the final of an open league's season."""
    terms = store.terms()
    tables = {key for key, order in ledger.orders.items() if order.kind == "table"}
    blocks = [block for block in store.blocks(terms) if (block.lineup, block.first) in tables]
    return standings(blocks, sorted(terms.bots), {}, terms.field)


def final_table(store: Store, ledger: LedgerFold) -> SeasonFinal | None:
    """Return the final of an open league's season; None before the season is closed."""
    if ledger.season is None:
        return None
    terms, bots = store.terms(), sorted(ledger.final)
    orders = {key: order for key, order in ledger.orders.items() if order.kind == "final"}
    played = (match for match in store.played() if (match.lineup, match.first) in orders)
    blocks = complete_blocks(played, bots, terms.config.seats_of, terms.session)
    counted = [block.stakes for block in blocks if block.stakes is not None]
    void = sum(block.sets for block in blocks if block.stakes is None)
    return SeasonFinal(
        season=ledger.season,
        sets=sum(order.deals for order in orders.values()) // terms.session,
        sets_played=sum(block.sets for block in blocks) - void,
        sets_void=void,
        equal_schedule=league_sets(counted, len(bots)).is_equal,
        standings=standings(blocks, bots, {}),
    )


def summarize_fully(store: Store, blocks: Sequence[Block] | None = None) -> Report:
    """Return the standings of a record and all else that is computed from its sets, its `blocks`.

    If more than `MANY` bots have ever been in an open league, only those that play are compared.
    """
    terms, blocks = store.terms(), store.blocks() if blocks is None else blocks
    many = isinstance(terms.config, OpenConfig) and len(terms.bots) > MANY
    among = terms.field if many else None
    found = analysis(blocks, sorted(terms.bots), terms.session, among, terms.authors)
    return Report(**msgspec.structs.asdict(_summary(store, blocks)), analysis=found)


def _summary(store: Store, blocks: Sequence[Block]) -> Summary:
    facts, terms = store.facts(), store.terms()
    config, bots, session = terms.config, sorted(terms.bots), terms.session
    counted = [block.stakes for block in blocks if block.stakes is not None]
    void = [block for block in blocks if block.stakes is None]
    left_out = sum(block.sets for block in void)
    played = sum(block.sets for block in blocks) - left_out
    *earlier, seed = facts.seeds if isinstance(config, OpenConfig) else store.seeds()
    equal, state, final, tournament = False, None, None, None
    if isinstance(config, TournamentConfig):
        rounds = Tournament(terms, seed, store.outlines())
        sets, played, over = rounds.sets, len(rounds.matches), rounds.over
        table, tournament = _tournament_standings(rounds, store.faults()), rounds.state()
    elif isinstance(config, OpenConfig):
        ledger = store.fold()
        sets = sum(order.deals for order in ledger.orders.values()) // session
        table = standings(blocks, bots, store.faults(), terms.field)
        over = ledger.secret is not None
        state, final = _open_state(config, ledger, len(blocks)), final_table(store, ledger)
    else:
        field = set(terms.lineups)
        sets = len(field) * terms.deals // session
        sets += sum(block.sets for block in blocks if block.lineup not in field)
        table = standings(blocks, bots, store.faults())
        over = 0 < played + left_out == sets and one_more_round(terms, table) is None
        equal = league_sets(counted, len(bots)).is_equal
    playing = [number for number, bot in enumerate(bots) if bot in terms.field]
    same = identical_pairs(league_sets(sets_among(counted, playing), len(playing)))
    return Summary(
        league=config.name,
        complete=over,
        practice=facts.practice,
        commitment=commitment(seed),
        seed=seed if facts.practice or over else None,
        earlier_seeds=tuple(earlier),
        sets=sets,
        sets_played=played,
        sets_void=left_out,
        decisions=store.decisions(),
        isolation=store.isolation(),
        network={name: bot.network for name, bot in terms.bots.items() if bot.network},
        standings=table,
        equal_schedule=equal,
        identical=tuple(
            Identical((bots[playing[one]], bots[playing[other]]), number * session)
            for one, other, number in same
        ),
        void=tuple(void),
        owed=tuple(store.owed()),
        session=config.session,
        seatings=_seatings(terms),
        open=state,
        final=final,
        tournament=tournament,
    )


def _open_state(config: OpenConfig, ledger: LedgerFold, stored: int) -> OpenState:
    return OpenState(
        orders=len(ledger.orders),
        under_way=len(ledger.orders) - stored,
        house=tuple(name for name, bot in ledger.bots.items() if bot.house),
        benched=ledger.benched,
        submit_until=config.submit_until,
        close_at=config.close_at,
        time_zone=config.time_zone,
    )


def _seatings(terms: Terms) -> tuple[int, int] | None:
    """Return the numbers of seatings of a table that are played, and that there are."""
    players, tables = terms.config.rules.players, terms.lineups
    if isinstance(terms.config, OpenConfig):
        return factorial(players), factorial(players)
    if not tables:
        return None
    return len(terms.config.seats_of(tables[0])), len(seatings(tables[0], players))


def _tournament_standings(
    tournament: Tournament, faults: Mapping[str, dict[str, int]]
) -> list[Standing]:
    """Return the bots in the order of the ranking.

    They have no strengths: tables are paired by results, so no interval would be reliable.
    """
    games, out = Counter[str](), Counter[str]()
    for match in tournament.matches:
        games.update(dict.fromkeys(match.bots, match.deals))
        out.update(match.bots[seat] for seat in match.disqualified)
    return [
        Standing(
            rank=line.rank,
            bot=line.bot,
            stakes_per_deal=round(line.stakes / games[line.bot], 6) if games[line.bot] else None,
            games=games[line.bot],
            sets=sum(it is not None and it.table is not None for it in line.results),
            faults=dict(sorted(faults.get(line.bot, {}).items())),
            part=1,
            disqualified=out[line.bot],
        )
        for line in tournament.ranking()
    ]
