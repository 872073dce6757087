"""Matches played for a program, among bots, functions and policies at any seat."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.base.isolation_levels import IsolationLevel
from arena.base.run_events import Interrupted
from arena.engine.job import FunctionRaised, FunctionSeat
from arena.engine.workers import cores
from arena.league.schedule import league_deals
from arena.library.players import Player, seat_of_player
from arena.match.wire import Ask
from arena.sandbox.isolation import choose_isolation
from arena.stats.figures import HeadToHead, from_other_side
from arena.tasks.match import BotMatch, MatchRequest, open_match, play_seatings
from arena.tasks.match_results import MatchResult, head_to_head, match_result, troubles
from arena.zole.deal import Deal
from arena.zole.rules import DEFAULT, Rules, preset


def deals(
    rules: str | Rules,
    seed: int | str,
    count: int,
    bots: Sequence[str] = (),
    first: int = 0,
    session: int | None = None,
) -> tuple[Deal, ...]:
    """The deals of a seed from number `first` on, as a match or league gives them to these bots.

    `rules` may be a preset's name. `bots` are all names at the table, in any order: other names get
    other deals. `session` is the number of deals of a session, where the rules have pools.
    `protocol/deals.md` specifies them.
    """
    rules = preset(rules) if isinstance(rules, str) else rules
    return tuple(league_deals(rules, str(seed), tuple(bots), first, count, session))


def play(
    players: Sequence[str | Path | Player],
    deals: int | Sequence[Deal] = 10,
    rules: str | Rules = DEFAULT,
    *,
    seed: int | str | None = None,
    all_seatings: bool = False,
    asks: Sequence[Ask] = (),
    record: str | Path | None = None,
    move_s: float | None = None,
    jobs: int | None = None,
    isolation: IsolationLevel | None = None,
) -> MatchResult:
    """Play deals among bots (folders) and functions; return what `arena match --json` prints.

    `deals` is a number or the deals themselves; `rules` a preset's name, a file, or `Rules`.
    Without a `seed` it is a secret one. `all_seatings` as in `arena match`; otherwise players sit
    once, in the order given. `record` is a file that keeps the games. Bots sit in their boxes:
    `move_s` are seconds for an answer, None for those of the rules; `isolation` None is the
    strongest that works; `jobs` is the number of matches at once, None for one on each core.

    Functions answer in this process, untimed, one match after another; `asks` are the questions
    between turns that they are asked (`surrender`, `offer`). An answer that the rules do not allow
    is a fault, as a bot's would be.

    Call it in the main thread, and with bots alone below `if __name__ == "__main__":`, for these
    play in their own processes. Raises `ArenaError`, `KeyboardInterrupt` after Ctrl-C,
    `TypeError` for an answer that cannot be one, and whatever a function raises.
    """
    asked = _asked(players, deals, rules, seed, all_seatings, asks, record, move_s)
    with _played(asked, jobs, isolation) as match:
        named, played = rules if isinstance(rules, str) else DEFAULT, match.results()
        return match_result(match, played, troubles(match, played, named))


def evaluate(
    player: str | Path | Player,
    others: Sequence[str | Path | Player],
    deals: int | Sequence[Deal] = 100,
    rules: str | Rules = DEFAULT,
    *,
    seed: int | str | None = None,
    asks: Sequence[Ask] = (),
    move_s: float | None = None,
    jobs: int | None = None,
    isolation: IsolationLevel | None = None,
) -> tuple[HeadToHead, ...]:
    """Play a table in all seatings; return the player's stakes a deal above each of the others.

    A single other is met in mirror at a table of three. The figures are those of a league's
    crosstable: `met` has the difference, half its 95 % interval (None for fewer than ten deals),
    and how sure it is that the player is better. With pools the whole is one session and has no
    interval. The rest is as for `play`; raises `ArenaError` also if anybody is disqualified.
    """
    asked = _asked([player, *others], deals, rules, seed, True, asks, None, move_s)
    with _played(asked, jobs, isolation) as match:
        mine, pairs = match.bots[0].name, head_to_head(match)
    return tuple(
        pair if pair.bot == mine else from_other_side(pair)
        for pair in pairs
        if mine in (pair.bot, pair.other)
    )


def _asked(
    players: Sequence[str | Path | Player],
    deals: int | Sequence[Deal],
    rules: str | Rules,
    seed: int | str | None,
    all_seatings: bool,
    asks: Sequence[Ask],
    record: str | Path | None,
    move_s: float | None,
) -> MatchRequest:
    return MatchRequest(
        players=[seat_of_player(each, asks) for each in players],
        rules=rules,
        deals=str(deals) if isinstance(deals, int) else tuple(deals),
        seed=seed,
        all_seatings=all_seatings,
        move_s=move_s,
        record=None if record is None else Path(record),
    )


@contextmanager
def _played(
    asked: MatchRequest, jobs: int | None, isolation: IsolationLevel | None
) -> Iterator[BotMatch]:
    boxes = not all(isinstance(each, FunctionSeat) for each in asked.players)
    with open_match(asked, choose_isolation(isolation if boxes else "none")) as match:
        try:
            play_seatings(match, jobs or len(cores()))
        except Interrupted as stop:
            raise KeyboardInterrupt from stop
        except FunctionRaised as raised:
            raise raised.__cause__ or raised from None
        yield match
