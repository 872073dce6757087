"""Everything computed from the sets of a league apart from its standings."""

from collections.abc import Collection, Mapping, Sequence

from arena.stats.company import companies
from arena.stats.figures import Analysis
from arena.stats.pairs import crosstable
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block, league_sets, sets_among
from arena.stats.strengths import means, strengths


def analysis(
    blocks: Sequence[Block],
    everyone: Sequence[str],
    session: int = 1,
    among: Collection[str] | None = None,
    authors: Mapping[str, str] = {},
) -> Analysis:
    """The analysis of some blocks of a field; `session` is the number of deals of a set.

    If it is `among` some bots only, it uses the sets in which these met each other and leaves out
    everything that compares the others. A bot without one of the `authors` is its own.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    bots = everyone
    if among is not None:
        places = [place for place, bot in enumerate(everyone) if bot in among]
        bots, sets = [everyone[place] for place in places], sets_among(sets, places)
    league = league_sets(sets, len(bots))
    ordered = means(league) if league.is_equal else strengths(league)
    shown = {*bots, None}
    return Analysis(
        bots=tuple(bots),
        pairs=crosstable(league, bots, ordered, session),
        roles=tuple(each for each in roles(blocks, everyone) if each.bot in shown),
        seats=tuple(each for each in seat_table(blocks, everyone) if each.bot in shown),
        company=companies(league, [authors.get(bot, bot) for bot in bots]),
    )
