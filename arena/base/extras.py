"""How to install an extra of the arena into the Python that runs it."""

import shlex
import sys
from pathlib import Path

import arena


def how_to_install(extra: str) -> str:
    """A remedy: the command for a clone, an environment of pipx or any other, from any folder."""
    return f"to install: {shlex.join(_command(extra))}"


def _command(extra: str) -> list[str]:
    clone = Path(arena.__file__).parents[1]
    if (clone / "pyproject.toml").is_file():
        if Path(sys.prefix) == clone / ".venv":
            return [str(clone / "scripts" / "add"), extra]
        return [sys.executable, "-m", "pip", "install", "-e", f"{clone}[{extra}]"]
    what = f"zole-arena[{extra}]"
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        return ["pipx", "runpip", "zole-arena", "install", what]
    return [sys.executable, "-m", "pip", "install", what]
