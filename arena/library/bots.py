"""Matches of bots, from a program."""

from collections.abc import Sequence
from pathlib import Path

from arena.base.isolation_levels import IsolationLevel
from arena.base.observer import Observer
from arena.engine.runner import Interrupted
from arena.engine.workers import cores
from arena.sandbox.isolation import choose_isolation
from arena.tasks.friendly import FriendlyRequest, open_friendly, play_friendly
from arena.tasks.friendly_results import FriendlyDocument, friendly_document, troubles
from arena.zole.rules import DEFAULT


def play_bots(
    folders: Sequence[str | Path],
    deals: int = 10,
    rules: str = DEFAULT,
    *,
    seed: int | str | None = None,
    all_seatings: bool = False,
    record: str | Path | None = None,
    move_s: float | None = None,
    jobs: int | None = None,
    isolation: IsolationLevel | None = None,
) -> FriendlyDocument:
    """Play bots as `arena match` does, and return the document of `arena match --json`.

    `folders` have a `bot.toml` each; `rules` is a preset's name or a file; without a `seed` it is a
    secret one. `move_s` are seconds for an answer, None for those of the rules; `jobs` is the
    number of matches at once, None for one on each core; `isolation` None is the strongest that
    works.

    Call it in the main thread, and in a script below `if __name__ == "__main__":`, for matches run
    in processes of their own. Raises `ArenaError`, and `KeyboardInterrupt` after Ctrl-C.
    """
    asked = FriendlyRequest(
        folders=[Path(folder) for folder in folders],
        rules=rules,
        deals=str(deals),
        seed=seed,
        all_seatings=all_seatings,
        copies=False,
        move_s=move_s,
        record=None if record is None else Path(record),
    )
    with open_friendly(asked, choose_isolation(isolation)) as friendly:
        try:
            played = play_friendly(friendly, jobs or len(cores()), Observer())
        except Interrupted as stop:
            raise KeyboardInterrupt from stop
        return friendly_document(friendly, played, troubles(friendly, played, rules))
