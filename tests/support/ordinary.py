"""Commands run as an ordinary user, also where the tests themselves run as root."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UID = 41234

_VIEW = """
set -e
view=$1 packages=$2 home=$3 closed=$4
shift 4
mkdir -p "$view/packages" "$view/home"
mount --bind "$packages" "$view/packages"
if [ "$closed" ]; then
    mount --bind "$home" "$view/home"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$home"
    mount --bind "$view/home" "$home"
fi
exec "$@"
"""
"""Shows Python and its packages where everybody may go: they may lie in root's closed home."""


def ordinary(folder: Path, arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """The command, and its environment, that runs Python with some arguments as an ordinary user.

    The user owns the folder, which holds a copy of the arena afterwards. Needs root that may mount;
    else the test is skipped.
    """
    if subprocess.run(("unshare", "-m", "true"), check=False, capture_output=True).returncode:
        pytest.skip("this root may not make mounts")
    project = Path(__file__).parents[2]
    view = folder / "view"
    shutil.copytree(project / "arena", view / "arena")
    for root, folders, files in os.walk(folder):
        for name in (".", *folders, *files):
            os.chown(Path(root, name), UID, UID, follow_symlinks=False)
    home = sys.base_prefix
    packages = Path(os.path.__file__).relative_to(home).parent / "site-packages"
    closed = [str(top) for top in Path(home).parents if not top.stat().st_mode & 0o1]
    words = (str(view), str(Path(sys.prefix, packages)), home, closed[-1] if closed else "")
    opened = ["unshare", "-m", "sh", "-c", _VIEW, "sh", *words]
    user = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--"]
    environment = {
        "PATH": f"{home}/bin:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": f"{view}:{view}/packages",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
    }
    return [*opened, *user, f"{home}/bin/python3", *arguments], environment
