"""The conditions of `scripts/test-anywhere` are what they are called."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.conditions import CONDITIONS, ImpossibleHere

VERSION = "python3 -c 'import sys; print(sys.version_info[1])'"
SIGNS = {
    "root": ("id -u", "0"),
    "ordinary user": ("test $(id -u) != 0 && echo ordinary", "ordinary"),
    "one processor": ("nproc", "1"),
    "a quarter of a processor": ("grep -c /anywhere$ /proc/self/cgroup", "1"),
    "no user namespaces": ("unshare -U true 2>/dev/null || echo none", "none"),
    "SIGINT ignored": ("kill -INT $$; echo here", "here"),
    "no terminal": ("(: </dev/tty) 2>/dev/null || echo none", "none"),
    "no HOME": ("echo ${HOME-none}", "none"),
    "HOME that is read-only": ("touch ~/file 2>/dev/null || echo none", "none"),
    "umask 077": ("umask", "0077"),
    "LANG=C": ("locale charmap", "ANSI_X3.4-1968"),
    "lv_LV.UTF-8": ("echo $LC_ALL", "lv_LV.UTF-8"),
    "TZ=Pacific/Kiritimati": ("date +%z", "+1400"),
    "no Chromium": ("command -v chromium chromium-headless-shell || echo none", "none"),
    "no Node.js": ("command -v node || echo none", "none"),
    "no Go": ("command -v go || echo none", "none"),
    "no Java": ("command -v javac || echo none", "none"),
    "no Rust": ("command -v rustc || echo none", "none"),
    "no C compiler": ("command -v cc || echo none", "none"),
    "no network": ("tail -n +3 /proc/net/dev | wc -l", "1"),
    "64 descriptors": ("ulimit -S -n", "64"),
    "/tmp of 512 MiB, a file system of its own": ("df -m --output=size /tmp | tail -1", "512"),
    "Python 3.12": (VERSION, "12"),
    "Python 3.13": (VERSION, "13"),
    "Python 3.14": (VERSION, "14"),
}


@pytest.mark.parametrize("name", SIGNS)
def test_a_condition_is_what_it_is_called(name: str, tmp_path: Path) -> None:
    look, sign = SIGNS[name]
    folder = tmp_path / "anywhere"
    folder.mkdir()
    try:
        with CONDITIONS[name](folder) as way:
            environment = {**os.environ, **way.environment}
            done = subprocess.run(
                (*way.words, *way.apart, "sh", "-c", look),
                env={key: value for key, value in environment.items() if value is not None},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
    except ImpossibleHere as error:
        pytest.skip(str(error))
    assert done.stdout.strip() == sign, done.stderr
