"""The file by which a policy plays as a bot, as a module: it lies in a bot's folder."""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

ADAPTER = Path(__file__).parents[2] / "sample_bots/learned/player.py"


@cache
def adapter() -> ModuleType:
    """The adapter's names."""
    spec = importlib.util.spec_from_file_location("player", ADAPTER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
