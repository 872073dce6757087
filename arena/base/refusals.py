"""How our servers refuse what somebody asked: each kind with its status over HTTP."""

from arena.base.errors import ArenaError, Mistake


class Refusal(ArenaError):
    """What a server will not do, and what one can do about it; `wait_s` seconds may mend it."""

    status: int = 422

    def __init__(self, what: str, remedy: str = "", wait_s: int | None = None) -> None:
        super().__init__(Mistake(what, "", remedy))
        self.what, self.remedy, self.wait_s = what, remedy, wait_s


class Missing(Refusal):
    """There is none, or it is somebody else's: nobody learns which."""

    status = 404


class Unknown(Refusal):
    """Nobody knows who asks."""

    status = 401


class Forbidden(Refusal):
    """It is known who asks, or from where, and that is not enough."""

    status = 403


class Slow(Refusal):
    """What was sent came too slowly."""

    status = 408


class Conflict(Refusal):
    """It does not go with what there is already."""

    status = 409


class TooLarge(Refusal):
    """It has more bytes than are taken."""

    status = 413


class WrongKind(Refusal):
    """The body is of a kind that is not taken here."""

    status = 415


class OverQuota(Refusal):
    """The account has used up what it may."""

    status = 429


class Busy(Refusal):
    """Not now: the site is paused, or others hold its file for too long."""

    status = 503
    exit_code = 3


class NoRoom(Refusal):
    """The disk, or the site's share of it, is full."""

    status = 507
    exit_code = 3


class Broken(Refusal):
    """The site's own file cannot be used."""

    status = 500
    exit_code = 3
