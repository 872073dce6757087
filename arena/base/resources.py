"""What a bot may use of the machine."""

from typing import Annotated

import msgspec
from msgspec import Meta

Amount = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""So many at most that even MiB, taken as bytes, fit into the kernel's 64 bits."""
Seconds = Annotated[float, Meta(gt=0)]


class Resources(msgspec.Struct, frozen=True):
    """Limits for a bot with all the processes it starts; None is not set.

    `memory_mib` is resident memory, `tasks` processes and threads at a time. `cpu_move_s` is
    processor time from one answer to the next, the first of them `ready`, `cpu_match_s` that of a
    match with its start. `scratch_mib` and `scratch_files` bound what it keeps on disk,
    `output_mib` and `stderr_mib` what it writes to its two outputs in a match.
    """

    memory_mib: Amount | None = None
    tasks: Amount | None = None
    cpu_move_s: Seconds | None = None
    cpu_match_s: Seconds | None = None
    scratch_mib: Amount | None = None
    scratch_files: Amount | None = None
    output_mib: Amount | None = None
    stderr_mib: Amount | None = None


STANDARD = Resources(
    memory_mib=512, tasks=64, scratch_mib=64, scratch_files=10_000, output_mib=64, stderr_mib=16
)
"""The limits unless a league sets others. Only the clock then limits processor time."""

BUILDING = Resources(
    memory_mib=4096, tasks=512, scratch_mib=1024, scratch_files=100_000, output_mib=600
)
"""What a bot's build may use."""


def over(below: Resources, above: Resources) -> Resources:
    """The limits of `above`, and those of `below` that it does not set."""
    said = {key: getattr(above, key) for key in Resources.__struct_fields__}
    return msgspec.structs.replace(below, **{key: it for key, it in said.items() if it is not None})


def excesses(allowed: Resources, asked: Resources) -> list[str]:
    """In words, each limit that a bot wants above the allowed one."""
    return [
        f"{key} is {value:g}, the most allowed is {most:g}"
        for key, value in msgspec.structs.asdict(asked).items()
        if value is not None and (most := getattr(allowed, key)) is not None and value > most
    ]
