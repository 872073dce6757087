"""A box measures what its program keeps on the disk."""

import os
import subprocess
from pathlib import Path

from arena.sandbox.box import Box


def test_many_files_are_counted_at_once_where_the_disk_loses_room(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / str(number)).touch()
    with subprocess.Popen(["sleep", "infinity"]) as popen:
        box = Box(popen, str(tmp_path))
        before, _ = box.scratch()
        (tmp_path / "large").write_bytes(os.urandom(16 << 20))
        os.sync()
        assert box.scratch()[0] >= before + (16 << 20)
        popen.kill()
