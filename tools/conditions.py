"""The conditions under which all tests must pass: the ways in which machines differ."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from shlex import quote
from typing import Final

import msgspec

from tests.support.browser import PROGRAMS
from tests.support.ordinary import UID, as_user, where_python_is_open

ROOT: Final = Path(__file__).parents[1]
SPINNERS: Final = 8
STEP_S: Final = 20
"""How often the clock is stepped."""


class ImpossibleHere(Exception):
    """A condition that this machine cannot be brought to; says why."""


class Way(msgspec.Struct, frozen=True):
    """How the tests are run: behind which words, with what in the environment, in how many clones.

    `apart` are words for the tests alone, once all is set up. None takes out of the environment.
    """

    words: tuple[str, ...] = ()
    environment: dict[str, str | None] = {}
    folder: str = "clone"
    arguments: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    times: int = 1
    constraints: str | None = None


def shell(first: str, *arguments: str) -> tuple[str, ...]:
    """The words that do something in a shell, with arguments, before the rest."""
    number = len(arguments)
    return ("sh", "-c", f'{first}; shift {number}; exec "$@"', "sh", *arguments)


def in_own_mounts(first: str, *arguments: str) -> tuple[str, ...]:
    """The same where mounts are seen by nobody else."""
    if subprocess.run(("unshare", "-m", "true"), check=False, capture_output=True).returncode:
        raise ImpossibleHere("needs a user who may make mounts")
    return ("unshare", "-m", *shell(first, *arguments))


Making = Callable[[Path], AbstractContextManager[Way]]
"""Brings about a condition, in a folder of its own, as long as it lasts."""


def always(way: Callable[[], Way]) -> Making:
    """A condition that nothing need be done for."""

    def made(folder: Path) -> AbstractContextManager[Way]:
        return nullcontext(way())

    return made


def set_to(**environment: str | None) -> Making:
    return always(lambda: Way(environment=environment))


def behind(first: str) -> Making:
    return always(lambda: Way(shell(first)))


def one_processor() -> Way:
    return Way(("taskset", "-c", str(min(os.sched_getaffinity(0)))))


@contextmanager
def a_quarter(folder: Path) -> Iterator[Way]:
    for top, file, words in (
        (Path("/sys/fs/cgroup/cpu"), "cpu.cfs_quota_us", "25000"),
        (Path("/sys/fs/cgroup"), "cpu.max", "25000 100000"),
    ):
        group = top / folder.name
        try:
            group.mkdir()
            (group / file).write_text(words)
        except OSError:
            with contextlib.suppress(OSError):
                group.rmdir()
            continue
        try:
            yield Way(shell('echo $$ >"$1"', str(group / "cgroup.procs")))
        finally:
            ended = (group / "cgroup.procs").read_text() == ""
            while not ended:
                time.sleep(1)
                ended = (group / "cgroup.procs").read_text() == ""
            group.rmdir()
        return
    raise ImpossibleHere("needs a control group that may share out processor time")


@contextmanager
def spinners(folder: Path) -> Iterator[Way]:
    busy = [subprocess.Popen(("sh", "-c", "while :; do :; done")) for _ in range(SPINNERS)]
    try:
        yield Way()
    finally:
        for each in busy:
            each.kill()
            each.wait()


@contextmanager
def ordinary_user(folder: Path) -> Iterator[Way]:
    if os.geteuid() != 0:
        yield Way()  # as the present user
        return
    home = folder / "own"
    home.mkdir()
    for each in (folder, home):
        os.chown(each, UID, UID)
    try:
        words = where_python_is_open(folder)
    except OSError as error:
        raise ImpossibleHere(str(error)) from None
    python = Path(sys.base_prefix, "bin")
    path = f"{python}:/usr/local/bin:/usr/bin:/bin"
    environment = {"HOME": str(home), "USER": None, "LOGNAME": None, "PATH": path}
    yield Way((*words, *as_user(UID)), environment)


def root() -> Way:
    if os.geteuid() != 0:
        raise ImpossibleHere("needs root")
    return Way()


@contextmanager
def no_user_namespaces(folder: Path) -> Iterator[Way]:
    """An ordinary user in a namespace of his own, below which there can be no other."""
    alone = ("unshare", "--user", "--map-current-user", "--keep-caps")
    closed = "echo 0 >/proc/sys/user/max_user_namespaces"
    rights = ("setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--")
    with ordinary_user(folder) as way:
        words = (*way.words, *alone, *shell(closed), *rights)
        if subprocess.run((*words, "true"), check=False, capture_output=True).returncode:
            raise ImpossibleHere("needs a user namespace in which to forbid others")
        yield msgspec.structs.replace(way, words=words)


@contextmanager
def closed_home(folder: Path) -> Iterator[Way]:
    """A home in which nobody can write, root neither."""
    home = folder / "home"
    home.mkdir()
    if os.geteuid() == 0:
        words = in_own_mounts('mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"', str(home))
    else:
        home.chmod(0o555)
        words = ()
    yield Way(words, {"HOME": str(home)})


def without(*programs: str) -> Making:
    """Nobody may run some programs; in their places lies a file that is none."""

    def way() -> Way:
        places = sorted({place for name in programs for place in places_of(name)})
        if not places:
            return Way()
        return Way(
            in_own_mounts(" && ".join(f"mount --bind /dev/null {quote(each)}" for each in places))
        )

    return always(way)


def places_of(program: str) -> Iterator[str]:
    """Where a program lies, behind its links."""
    for folder in os.environ["PATH"].split(os.pathsep):
        path = Path(folder, program)
        if path.is_file() and os.access(path, os.X_OK):
            yield str(path.resolve())


def no_network() -> Way:
    words = ("unshare", "-n", *shell("ip link set lo up"))
    if subprocess.run((*words, "true"), check=False, capture_output=True).returncode:
        raise ImpossibleHere("needs a user who may make networks, and the program ip")
    return Way(apart=words)


def small_tmp() -> Way:
    return Way(in_own_mounts("mount -t tmpfs -o size=512m tmpfs /tmp"))


@contextmanager
def stepped_clock(folder: Path) -> Iterator[Way]:
    """The time of day goes an hour ahead and back; what measures seconds goes on as it does."""
    library = folder / "stepped_clock.so"
    words = ("cc", "-shared", "-fPIC", "-O2", f"-DSTEP={STEP_S}", "-o", library)
    if not shutil.which("cc"):
        raise ImpossibleHere("needs a C compiler (Debian: apt-get install gcc)")
    subprocess.run((*words, ROOT / "tools/stepped_clock.c"), check=True)
    yield Way(environment={"LD_PRELOAD": str(library)})


def python(version: str) -> Making:
    """A Python of some version, in the path or among those of pyenv."""

    def way() -> Way:
        versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
        kept = [str(each / "bin") for each in sorted(versions.glob(f"{version}.*"))]
        found = shutil.which(f"python{version}", path=os.pathsep.join((*kept, os.environ["PATH"])))
        if found is None or not works(found, version):
            raise ImpossibleHere(f"there is no Python {version}")
        return Way(environment={"PATH": f"{Path(found).parent}{os.pathsep}{os.environ['PATH']}"})

    return always(way)


def works(path: str, version: str) -> bool:
    """Whether a Python is of some version; a shim of pyenv may be of none."""
    asked = subprocess.run((path, "--version"), check=False, capture_output=True, text=True)
    return asked.stdout.startswith(f"Python {version}.")


def oldest() -> str:
    """The constraints that allow of each package only the oldest version that we do."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = document["project"]
    named = project["optional-dependencies"] | document["dependency-groups"]
    wanted = [*project["dependencies"], *(each for listed in named.values() for each in listed)]
    bounds = (re.match(r"([\w.-]+)>=([\w.]+)", each) for each in wanted)
    return "".join(sorted({f"{found[1]}=={found[2]}\n" for found in bounds if found}))


CONDITIONS: Final[dict[str, Making]] = {
    "as it is": always(Way),
    "root": always(root),
    "ordinary user": ordinary_user,
    "one processor": always(one_processor),
    "a quarter of a processor": a_quarter,
    "beside eight spinners": spinners,
    "no user namespaces": no_user_namespaces,
    "SIGINT ignored": behind("trap '' INT"),
    "no terminal": always(lambda: Way(("setsid", "-w"), {"TERM": None})),
    "no HOME": set_to(HOME=None),
    "HOME that is read-only": closed_home,
    "folder with a space and ā": always(lambda: Way(folder="zole ārēna")),
    "umask 077": behind("umask 077"),
    "LANG=C": set_to(LANG="C", LC_ALL="C"),
    "lv_LV.UTF-8": set_to(LANG="lv_LV.UTF-8", LC_ALL="lv_LV.UTF-8"),
    "TZ=Pacific/Kiritimati": set_to(TZ="Pacific/Kiritimati"),
    "no Chromium": without(*PROGRAMS),
    "no Node.js": without("node", "npm"),
    "no Go": without("go"),
    "no Java": without("java", "javac"),
    "no Rust": without("rustc", "cargo"),
    "no C compiler": without("cc", "gcc", "c99", "g++", "clang"),
    "no network": always(no_network),
    "64 descriptors": behind("ulimit -S -n 64"),
    "/tmp of 512 MiB, a file system of its own": always(small_tmp),
    "clock stepped by an hour": stepped_clock,
    "Python 3.12": python("3.12"),
    "Python 3.13": python("3.13"),
    "Python 3.14": python("3.14"),
    "oldest dependencies": always(lambda: Way(constraints=oldest())),
    "newest dependencies": always(lambda: Way(constraints="")),
    "twice at the same time": always(lambda: Way(times=2)),
    "random order": always(lambda: Way(arguments=("-p", "tools.random_order"))),
}
