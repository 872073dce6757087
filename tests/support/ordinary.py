"""Commands run as an ordinary user, also where the tests themselves run as root."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UID = 41234

_OPEN = """
set -e
view=$1 home=$2 closed=$3 packages=$4
shift 4
if [ "$packages" ]; then
    mkdir -p "$view/packages"
    mount --bind "$packages" "$view/packages"
fi
if [ "$closed" ]; then
    mkdir -p "$view/home"
    mount --bind "$home" "$view/home"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$home"
    mount --bind "$view/home" "$home"
fi
cd "$view" # the project's own folder may be closed to others
exec "$@"
"""


def where_python_is_open(view: Path, packages: str = "") -> list[str]:
    """The words before a command that show everybody this Python, wherever it lies.

    It may lie in root's closed home. Packages are shown in `view`, a folder of the command's own.
    Raises `PermissionError` where this root may not make mounts.
    """
    if subprocess.run(("unshare", "-m", "true"), check=False, capture_output=True).returncode:
        raise PermissionError("this root may not make mounts")
    home = sys.base_prefix
    closed = [str(top) for top in Path(home).parents if not top.stat().st_mode & 0o1]
    words = (str(view), home, closed[-1] if closed else "", packages)
    return ["unshare", "-m", "sh", "-c", _OPEN, "sh", *words]


def as_user(uid: int) -> list[str]:
    """The words before a command that run it as an ordinary user."""
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]


def ordinary(folder: Path, arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """The command, and its environment, that runs Python with some arguments as an ordinary user.

    The user owns the folder, which holds a copy of the arena afterwards. Needs root that may mount;
    else the test is skipped.
    """
    project = Path(__file__).parents[2]
    view = folder / "view"
    shutil.copytree(project / "arena", view / "arena")
    subprocess.run(("chown", "-R", "-h", f"{UID}:{UID}", str(folder)), check=True)
    home = sys.base_prefix
    packages = Path(os.path.__file__).relative_to(home).parent / "site-packages"
    try:
        opened = where_python_is_open(view, str(Path(sys.prefix, packages)))
    except PermissionError as error:
        pytest.skip(str(error))
    environment = {
        "PATH": f"{home}/bin:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": f"{view}:{view}/packages",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
    }
    return [*opened, *as_user(UID), f"{home}/bin/python3", *arguments], environment
