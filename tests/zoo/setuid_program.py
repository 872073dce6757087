"""Starts programs that become root when they start, and looks whether they did."""

import os
import subprocess
from pathlib import Path

import play


def rooted(program):
    if not os.path.exists(program):
        raise play.HeldError("not here")
    quiet = subprocess.DEVNULL
    child = subprocess.Popen([program, "--version"], stdin=quiet, stdout=quiet, stderr=quiet)
    status = Path(f"/proc/{child.pid}/status").read_text()  # also there after its end
    child.wait()
    if status.partition("Uid:")[2].split()[1] != "0":
        raise play.HeldError("it did not")
    return "it is root"


play.attempt(
    su=lambda: rooted("/usr/bin/su"),
    mount=lambda: rooted("/usr/bin/mount"),
    passwd=lambda: rooted("/usr/bin/passwd"),
    newgrp=lambda: rooted("/usr/bin/newgrp"),
)
