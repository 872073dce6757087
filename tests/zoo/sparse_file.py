"""Makes a file of 1 GiB with nothing in it, which takes no room."""

from pathlib import Path

import play


def sparse():
    with Path(play.SCRATCH, "sparse").open("wb") as file:
        file.truncate(1 << 30)
        file.flush()
    taken = Path(play.SCRATCH, "sparse").stat().st_blocks * 512
    if taken <= play.MIB:
        raise play.HeldError(f"it takes {taken} bytes")
    return f"it takes {taken} bytes"


play.attempt(sparse=sparse)
