"""Refusals of our servers: each kind with its status over HTTP."""

from arena.base.errors import ArenaError, Mistake


class Refusal(ArenaError):
    """A request that a server refuses, and the remedy; waiting `wait_s` seconds may help."""

    status: int = 422

    def __init__(self, what: str, remedy: str = "", wait_s: int | None = None) -> None:
        super().__init__(Mistake(what, "", remedy))
        self.what, self.remedy, self.wait_s = what, remedy, wait_s


class Missing(Refusal):
    """There is none, or it belongs to another account: the answer does not tell which."""

    status = 404


class Unknown(Refusal):
    """The request does not tell who asks."""

    status = 401


class Forbidden(Refusal):
    """It is known who asks, or from where, and that is not enough."""

    status = 403


class WrongMethod(Refusal):
    """The address takes other methods than the request's; `allow` names them."""

    status = 405

    def __init__(self, allow: str) -> None:
        super().__init__("this address does not take that method", f"it takes {allow}")
        self.allow = allow


class Slow(Refusal):
    """The request came too slowly."""

    status = 408


class Conflict(Refusal):
    """It conflicts with the present state."""

    status = 409


class TooLarge(Refusal):
    """It has more bytes than are accepted."""

    status = 413


class WrongKind(Refusal):
    """The body is of a kind that is not accepted here."""

    status = 415


class OverQuota(Refusal):
    """The account has used up its allowance."""

    status = 429


class Busy(Refusal):
    """Not now: the site is paused, or others hold its file for too long."""

    status = 503
    exit_code = 3


class Beginning(Busy):
    """The site is being set up: nothing of its league was published yet."""

    def __init__(self) -> None:
        super().__init__("the site is being set up", "ask again in a moment", wait_s=2)


class NoRoom(Refusal):
    """The disk, or the site's share of it, is full."""

    def __init__(self, what: str = "the disk is full", more: str = "") -> None:
        super().__init__(what, f"the organiser must make room{more}", wait_s=3600)

    status = 507
    exit_code = 3


class Broken(Refusal):
    """The site's own file cannot be used."""

    status = 500
    exit_code = 3
