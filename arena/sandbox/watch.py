"""Watches what a program uses: which limit it has crossed, and by how much."""

from typing import Final, Protocol

from arena.base.resources import Resources
from arena.sandbox.box import NO_MEANS, Box, NoBox
from arena.sandbox.descriptors import Kept
from arena.sandbox.tree import Tree, page_tables, proportional, shared

PERIOD_S: Final = 0.02
"""How often the watch looks."""

_SELDOM: Final = 4
_RARELY: Final = 128
"""Every how many looks descriptors are looked through too, and whatever gives no sign."""

_FEW: Final = 4
"""Of a program with more processes each look is for what is kept: many fill it quickly."""

_FAULTS: Final = 2048
"""Page faults, worth 8 MiB, after which mappings are read anew: they may have been exchanged."""

_MIB: Final = 1 << 20

_VAST: Final = 16 << 30
"""From this many mapped bytes on, the kernel's tables for them count as well."""


class Watched(Protocol):
    """A program under watch."""

    box: Box
    resources: Resources
    stderr_bytes: int
    """How much it has written to stderr."""

    @property
    def answers(self) -> int:
        """How many lines it has answered."""


class ResourceWatch:
    """The watch over one program; it remembers what was used at its last answer, and the most."""

    def __init__(self, program: Watched) -> None:
        self._program = program
        self._answers = 0
        self._cpu_then = 0.0
        self._mapped = self._faults = self._shared = 0
        self._looks = 0
        self._kept = Kept()
        self._tree = Tree()
        self.memory = 0
        """The most resident bytes seen."""
        self.tasks = 0
        """The most tasks seen."""
        self.cpu_s = 0.0
        """Processor seconds used so far."""

    @property
    def pids(self) -> list[int]:
        """The program's processes at the last look."""
        return self._tree.pids

    def crossed(self) -> str | None:
        """Look; return the first limit crossed, with the figure, or None.

        What keeps the watch from looking counts as crossed: else a bot could hide. Raises `NoBox`
        where the machine lacks the means.
        """
        try:
            rarely = self._looks % _RARELY == 0
            return (self.overrun() if rarely else None) or self._crossed(rarely)
        except Exception as error:  # of any kind: the one bot pays for it, and no other
            if isinstance(error, MemoryError) or getattr(error, "errno", None) in NO_MEANS:
                raise NoBox(f"a bot could not be watched: {error}") from None
            why = getattr(error, "strerror", None) or type(error).__name__
            return f"what it uses cannot be measured: {why}"

    def overrun(self) -> str | None:
        """What to say if the kernel has ended a process at its own limit of memory."""
        most = self._program.box.overrun_mib()
        limit = self._program.resources.memory_mib
        return None if most is None else f"memory: {most}, the limit is {limit} MiB"

    def _crossed(self, rarely: bool) -> str | None:
        program, limits = self._program, self._program.resources
        used = self._tree.look(program.box.roots())
        mapped = used.mapped != self._mapped
        if self._looks % _SELDOM == 0 or mapped or len(self._tree.pids) > _FEW:
            self._kept = program.box.kept(self._tree.pids, rarely or mapped)
        self._looks += 1
        if mapped or abs(used.faults - self._faults) > _FAULTS:  # else nothing new can be shared
            self._mapped, self._faults = used.mapped, used.faults
            self._shared = shared(self._tree.pids)
        memory = used.memory + self._shared + self._kept.memory
        if used.mapped > _VAST:
            memory += page_tables(self._tree.pids)
        if limits.memory_mib is not None and memory > limits.memory_mib * _MIB:
            self._shared = shared(self._tree.pids)  # mappings may have been exchanged
            memory = proportional(self._tree.pids) + self._shared + self._kept.memory
            memory += page_tables(self._tree.pids)
        self.memory = max(self.memory, memory)
        self.tasks = max(self.tasks, used.tasks)
        timed = limits.cpu_move_s is not None or limits.cpu_match_s is not None
        exact = program.box.cpu_s() if timed else None
        self.cpu_s = max(self.cpu_s, used.cpu_s if exact is None else exact)
        if program.answers != self._answers or not self._answers:  # what a start costs is no move
            self._answers, self._cpu_then = program.answers, self.cpu_s
        scratch, files = program.box.scratch()
        scratch, files = scratch + self._kept.bytes, files + self._kept.files
        for what, figure, limit, unit in (
            ("memory", memory / _MIB, limits.memory_mib, "MiB"),
            ("processes and threads", used.tasks, limits.tasks, "at a time"),
            ("processor time", self.cpu_s - self._cpu_then, limits.cpu_move_s, "s a move"),
            ("processor time", self.cpu_s, limits.cpu_match_s, "s a match"),
            ("scratch", scratch / _MIB, limits.scratch_mib, "MiB"),
            ("scratch", files, limits.scratch_files, "files"),
            ("stderr", program.stderr_bytes / _MIB, limits.stderr_mib, "MiB a match"),
        ):
            if limit is not None and figure > limit:
                return f"{what}: {figure:.4g}, the limit is {limit:g} {unit}"
        return None

    def close(self) -> None:
        """End the watch."""
        self._tree.close()
