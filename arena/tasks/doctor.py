"""What this machine has to sandbox untrusted bots; the tests try each protection."""

import msgspec

from arena.base.errors import MachineError
from arena.base.isolation_levels import ISOLATION_LEVELS, IsolationLevel
from arena.sandbox.box import text_of
from arena.sandbox.isolation import choose_isolation
from arena.sandbox.limits import homes


class SandboxReport(msgspec.Struct, frozen=True):
    """The level at which bots play here, None if none works, and how each level and part does.

    `groups` is whether control groups limit a bot's memory, `clock` what keeps a bot's clock from
    being fair ("" for nothing).
    """

    level: IsolationLevel | None
    levels: dict[IsolationLevel, str]
    groups: str
    clock: str

    @property
    def sound(self) -> bool:
        """Whether bots can be played here as they should be."""
        return self.level is not None and not self.clock


def examine(level: IsolationLevel | None) -> SandboxReport:
    """Examine a level, or the strongest that works here."""
    levels: dict[IsolationLevel, str] = {
        name: _state_of(name) for name in ISOLATION_LEVELS if name != "none"
    }
    groups = memory_groups()
    told = text_of("/proc/self/schedstat") is not None
    clock = "" if told else "this kernel does not tell how long a bot waits for its core"
    try:
        apart = choose_isolation(level)
    except MachineError:
        return SandboxReport(None, levels, groups, clock)
    return SandboxReport(apart.level, levels, groups, clock)


def memory_groups() -> str:
    """Whether and where control groups limit a bot's memory here."""
    found = homes()
    if found.memory is not None:
        return f"version {found.version}, in {found.memory}"
    if found.time is not None:
        return "they count processor time only: no group above that distributes memory is ours"
    return "none is ours; `systemd-run --user --scope arena …` may give one"


def _state_of(level: IsolationLevel) -> str:
    try:
        apart = choose_isolation(level)
    except MachineError as error:
        first = error.mistakes[0]
        return f"{first.what}; {first.remedy}" if first.remedy else first.what
    return f"works: {apart.bwrap}" if apart.bwrap else "works"
