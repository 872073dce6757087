"""Lists the homes of the machine's users and other private places."""

import os
from pathlib import Path

import play

OWN = {os.environ.get("HOME", ""), os.environ.get("TMPDIR", ""), str(Path.cwd())}
try:
    SHOWN = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
except PermissionError:
    SHOWN = []


def listed(folder):
    """What leads to a mount of its own, as a runtime in a home folder does, is there on purpose."""
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    private = [
        path
        for path in paths
        if path not in OWN and not any(f"{mount}/".startswith(f"{path}/") for mount in SHOWN)
    ]
    if not private:
        raise play.HeldError("nothing private is there")
    return f"{len(private)} names"


play.attempt(
    root=lambda: listed("/root"),
    home=lambda: listed("/home"),
    var=lambda: listed("/var/log"),
    run=lambda: listed("/run"),
    shadow=lambda: f"{len(Path('/etc/shadow').read_bytes())} bytes",
    host_keys=lambda: listed("/etc/ssh"),
)
