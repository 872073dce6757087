"""Refusals of our servers: each kind with its status over HTTP."""

from arena.base.errors import ArenaError, Mistake


class Refusal(ArenaError):
    """A request that a server refuses, and the remedy; waiting `wait_s` seconds may help."""

    status: int = 422

    def __init_subclass__(cls, status: int | None = None) -> None:
        """Give a kind its status over HTTP; by those from 500 on the fault is this machine's."""
        cls.status = status or cls.status
        cls.exit_code = 3 if cls.status >= 500 else 2

    def __init__(self, what: str, remedy: str = "", wait_s: int | None = None) -> None:
        super().__init__(Mistake(what, "", remedy))
        self.what: str = what
        self.remedy = remedy
        self.wait_s = wait_s


class Missing(Refusal, status=404):
    """There is none, or it belongs to another account: the answer does not reveal which."""


class Unknown(Refusal, status=401):
    """The request is not authenticated."""


class Forbidden(Refusal, status=403):
    """It is known who asks, or from where, and that is not enough."""


class WrongMethod(Refusal, status=405):
    """The address takes other methods than the request's; `allow` names them."""

    def __init__(self, allow: str) -> None:
        super().__init__("this address does not take that method", f"it takes {allow}")
        self.allow = allow


class Slow(Refusal, status=408):
    """The request came too slowly."""


class Conflict(Refusal, status=409):
    """It conflicts with the present state."""


class TooLarge(Refusal, status=413):
    """It has more bytes than are accepted."""


class WrongKind(Refusal, status=415):
    """The body is of a kind that is not accepted here."""


class OverQuota(Refusal, status=429):
    """The account has used up its allowance."""


class Busy(Refusal, status=503):
    """Not now: the site is paused, or others hold its file for too long."""


class Beginning(Busy):
    """The site is being set up: nothing of its league was published yet."""

    def __init__(self) -> None:
        super().__init__("the site is being set up", "ask again in a moment", wait_s=2)


class NoRoom(Refusal, status=507):
    """The disk is full, or nearly so."""

    def __init__(self, what: str = "the disk is full") -> None:
        super().__init__(what, "the organiser must make room", wait_s=3600)


class Broken(Refusal, status=500):
    """The site's own file cannot be used."""
