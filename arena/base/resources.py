"""The resources of the machine that a bot may use."""

from typing import Annotated

import msgspec
from msgspec import Meta

Amount = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""The bound keeps MiB, taken as bytes, within the kernel's 64 bits."""
Seconds = Annotated[float, Meta(gt=0, le=1e9)]


class Resources(msgspec.Struct, frozen=True):
    """Limits for a bot with all the processes it starts; None is not set.

    `memory_mib` is resident memory, `tasks` processes and threads at a time. `cpu_move_s` is
    processor time from one answer to the next, the first of them `ready`, `cpu_match_s` that of a
    match with its start. `scratch_mib` and `scratch_files` bound the files it keeps on disk,
    `output_mib` and `stderr_mib` its two outputs in a match.
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
"""The limits of a bot's build."""


def over(below: Resources, above: Resources) -> Resources:
    """The limits of `above`, completed by those of `below`."""
    said = {key: getattr(above, key) for key in Resources.__struct_fields__}
    return msgspec.structs.replace(below, **{key: it for key, it in said.items() if it is not None})


def excesses(allowed: Resources, asked: Resources) -> list[str]:
    """The limits that a bot wants above the allowed ones, in words."""
    return [
        f"{key} is {value:g}, the most allowed is {most:g}"
        for key, value in msgspec.structs.asdict(asked).items()
        if value is not None and (most := getattr(allowed, key)) is not None and value > most
    ]
