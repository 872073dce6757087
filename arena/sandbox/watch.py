"""Watches a program's use of resources: which limit it has crossed, and by how much."""

from typing import Final, Protocol

from arena.base.resources import Resources
from arena.sandbox.box import NO_MEANS, Box, NoBox
from arena.sandbox.tree import DESCRIPTORS, Kept, Mappings, Tree, mappings, proportional

PERIOD_S: Final = 0.02
"""Seconds between two looks of the watch."""

_SELDOM: Final = 4
"""Looks between two inspections of descriptors and mappings, which may change without a sign."""

_RARELY: Final = 128
"""Looks between two searches for mapped files without names and for a kill by the kernel itself."""

_FEW: Final = 4
"""With more processes than this, kept files are inspected at each look: many fill them quickly."""

_FAULTS: Final = 2048
"""Page faults, worth 8 MiB, after which mappings are read anew: they may have been replaced."""

_MIB: Final = 1 << 20

_MAPPINGS: Final = 8192
"""The most mappings of a program's processes together. Runtimes have some hundreds, and the kernel
holds up to half a KiB for each, used or not."""


class Watched(Protocol):
    """A program under watch."""

    box: Box
    resources: Resources
    stderr_bytes: int
    """The bytes that it has written to stderr."""

    @property
    def answers(self) -> int:
        """The number of lines that it has answered."""


class ResourceWatch:
    """The watch over one program; it remembers the usage at its last answer, and the most."""

    def __init__(self, program: Watched) -> None:
        self._program = program
        self._answers = 0
        self._cpu_then = 0.0
        self._mapped = self._faults = 0
        self._mappings = Mappings()
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

        A failure to look counts as crossed: else a bot could hide. Raises `NoBox` if the machine
        lacks the means.
        """
        try:
            rarely = self._looks % _RARELY == 0
            return (self.overrun() if rarely else None) or self._crossed(rarely)
        except Exception as error:  # of any kind: only this one bot pays for it
            if isinstance(error, MemoryError) or getattr(error, "errno", None) in NO_MEANS:
                raise NoBox(f"a bot could not be watched: {error}") from None
            why = getattr(error, "strerror", None) or type(error).__name__
            return f"what it uses cannot be measured: {why}"

    def overrun(self) -> str | None:
        """The message if the kernel has ended a process at its own limit of memory, else None."""
        most = self._program.box.overrun_mib()
        limit = self._program.resources.memory_mib
        return None if most is None else f"memory: {most} MiB, the limit is {limit} MiB"

    def _crossed(self, rarely: bool) -> str | None:
        program, limits = self._program, self._program.resources
        used = self._tree.look(program.box.roots())
        mapped = used.mapped != self._mapped
        seldom = self._looks % _SELDOM == 0
        self._looks += 1
        if seldom or mapped or abs(used.faults - self._faults) > _FAULTS:
            self._mapped, self._faults = used.mapped, used.faults
            self._mappings = mappings(self._tree.pids, _MAPPINGS)
            if self._mappings.number > _MAPPINGS:
                return f"mappings of memory: more than {_MAPPINGS:,}"
        if seldom or mapped or len(self._tree.pids) > _FEW:
            self._kept = program.box.kept(self._tree.pids, rarely or mapped)
            if self._kept.descriptors > DESCRIPTORS:
                return f"open descriptors: more than {DESCRIPTORS:,}"
        held = used.tables + self._mappings.shared + self._kept.memory
        memory = used.memory + held
        if limits.memory_mib is not None and memory > limits.memory_mib * _MIB:
            memory = proportional(self._tree.pids) + held
        self.memory = max(self.memory, memory)
        self.tasks = max(self.tasks, used.tasks)
        timed = limits.cpu_move_s is not None or limits.cpu_match_s is not None
        exact = program.box.cpu_s() if timed else None
        self.cpu_s = max(self.cpu_s, used.cpu_s if exact is None else exact)
        if program.answers != self._answers or not self._answers:  # a start is no move
            self._answers, self._cpu_then = program.answers, self.cpu_s
        scratch, files = program.box.scratch()
        scratch, files = scratch + self._kept.bytes, files + self._kept.files
        for what, figure, limit, unit, each in (
            ("memory:", memory / _MIB, limits.memory_mib, " MiB", ""),
            ("processes and threads:", used.tasks, limits.tasks, "", " at a time"),
            ("processor time:", self.cpu_s - self._cpu_then, limits.cpu_move_s, " s", " a move"),
            ("processor time:", self.cpu_s, limits.cpu_match_s, " s", " a match"),
            (f"{program.box.scratch_name} holds", scratch / _MIB, limits.scratch_mib, " MiB", ""),
            (f"{program.box.scratch_name} holds", files, limits.scratch_files, " files", ""),
            ("stderr:", program.stderr_bytes / _MIB, limits.stderr_mib, " MiB", " a match"),
        ):
            if limit is not None and figure > limit:
                return f"{what} {figure:.4g}{unit}, the limit is {limit:g}{unit}{each}"
        return None

    def close(self) -> None:
        """End the watch."""
        self._tree.close()
