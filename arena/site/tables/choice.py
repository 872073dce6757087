"""What a guest may choose from: the bots that may be played, and the tables that are left."""

import msgspec


class GuestBot(msgspec.Struct, frozen=True):
    """A bot that guests may play; one of the arena's own has a `level`."""

    name: str
    author: str
    level: str = ""


class TableChoice(msgspec.Struct, frozen=True):
    """The bots that may be played, the bots' seats at a table, its deals, and the tables left.

    `own` is the address of the seat that the guest has already, "" for none.
    """

    bots: tuple[GuestBot, ...]
    seats: int
    deals: int
    move_s: float
    free: int
    own: str = ""
