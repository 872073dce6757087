"""The deal of the day: the same cards for all guests, once each, and what they made of them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from arena.base.files import write_whole
from arena.league.schedule import league_deals, new_seed
from arena.zole.deal import Deal
from arena.zole.rules import Rules

_KEPT: Final = 60  # days


class GivenDeal(msgspec.Struct, frozen=True):
    """A deal to be played instead of new ones; `day` is its date, empty if it is of no day."""

    deal: Deal
    day: str = ""


class DayResult(msgspec.Struct, frozen=True):
    """What a guest made of the deal of a day.

    Of the `others` who have played it, some made `less`, and some the `same`: of equal stakes, by
    the card points of the guest's side, 0 in a table game.
    """

    day: str
    stakes: int
    points: int
    others: int
    less: int
    same: int


def today() -> str:
    """The date in UTC."""
    return datetime.now(UTC).date().isoformat()


class Days:
    """The deals of days, a file for each: its seed, then for each guest its stakes and points."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(0o700, parents=True, exist_ok=True)

    def deal(self, day: str, rules: Rules, lineup: tuple[str, ...]) -> GivenDeal:
        """The deal of a day, with the guest as forehand. Raises OSError if there is no room."""
        path = self._path(day)
        if not path.exists():
            write_whole(path, f"{new_seed()}\n".encode())
            for old in sorted(self._folder.glob("*.txt"))[:-_KEPT]:
                old.unlink(missing_ok=True)
        seed = path.read_text().partition("\n")[0]
        [deal] = league_deals(rules, seed, lineup, 0, 1)
        hands = deal.hands[deal.dealer + 1 :] + deal.hands[: deal.dealer + 1]
        return GivenDeal(Deal(rules.players - 1, hands, deal.talon), day)

    def add(self, day: str, stakes: int, points: int) -> DayResult:
        """Keep what a guest made. Raises OSError."""
        lines, own = self._path(day).read_text().splitlines()[1:], (stakes, points)
        made = [tuple(map(int, line.split())) for line in lines]
        with self._path(day).open("a") as file:
            file.write(f"{stakes} {points}\n")
        return DayResult(day, *own, len(made), sum(each < own for each in made), made.count(own))

    def _path(self, day: str) -> Path:
        return self._folder / f"{day}.txt"
