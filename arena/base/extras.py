"""The command that installs an extra of the arena into the Python that runs it."""

import shlex
import sys
from pathlib import Path

import arena


def how_to_install(extra: str) -> str:
    """The command, to be run in any folder, for a clone, an environment of pipx, or any other."""
    clone = Path(arena.__file__).parents[1]
    if (clone / "pyproject.toml").is_file():
        if Path(sys.prefix) == clone / ".venv":
            return shlex.join([str(clone / "scripts" / "add"), extra])
        return shlex.join([sys.executable, "-m", "pip", "install", "-e", f"{clone}[{extra}]"])
    what = f"zole-arena[{extra}]"
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        return shlex.join(["pipx", "runpip", "zole-arena", "install", what])
    return shlex.join([sys.executable, "-m", "pip", "install", what])
