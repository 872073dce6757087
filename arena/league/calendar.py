"""The moments of a season as a league's file has them: in a time zone, or with an offset."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

from arena.base.toml import TomlFile

YEARS: Final = range(2000, 3000)
"""The years of a league's moments."""

UtcMoment = Annotated[datetime, Meta(tz=True)]


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """The moments of an open league's season in UTC, None for no such moment.

    Bots that are submitted from `submit_until` on wait for the next season. At `close_at` the field
    is frozen, and the final is played. People are told both in their `time_zone`.
    """

    time_zone: str = "UTC"
    submit_until: UtcMoment | None = None
    close_at: UtcMoment | None = None


MOMENTS: Final = ("submit_until", "close_at")
"""The keys of a league's file that are moments, in the order in which they come."""


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of a name such as `Europe/Riga`; None if this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def read_moments(
    document: TomlFile, time_zone: str, written: Mapping[str, datetime]
) -> dict[str, datetime]:
    """The moments of a season in UTC; mistakes in them are noted in the document."""
    zone = zone_named(time_zone)
    if zone is None:
        what = f"this machine knows no time zone {time_zone}"
        remedy = 'time_zone = "Europe/Riga", where tzdata is installed'
        document.object(("time_zone",), what, remedy)
        return {}
    found: dict[str, datetime] = {}
    for key, each in written.items():
        if each.year not in YEARS:
            document.object((key,), f"the year {each.year} is none of {YEARS[0]} to {YEARS[-1]}")
        else:
            found[key] = (each if each.tzinfo else each.replace(tzinfo=zone)).astimezone(UTC)
    if len(found) == 2 and found["submit_until"] > found["close_at"]:
        document.object(
            ("submit_until",), "submit_until is after close_at", "give a moment before it"
        )
    return found
