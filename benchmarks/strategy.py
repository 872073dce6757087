"""What pays in Zole: tables in Markdown, of deals that the networks of `master` play.

Run it from the project's folder: `.venv/bin/python -m benchmarks.strategy`; a million deals take
some minutes. It needs a C++ compiler. `strategy.cpp` tells what is compared with what.
"""

import argparse
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_HERE: Final = Path(__file__).parent
_WEIGHTS: Final = _HERE.parent / "sample_bots" / "master" / "weights.bin"


def main() -> None:
    """Compile the program, and let it play."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    with TemporaryDirectory() as folder:
        program = Path(folder, "strategy")
        source = _HERE / "strategy.cpp"
        subprocess.run(["g++", "-O3", "-std=c++17", "-o", program, source], check=True)
        asked = program, _WEIGHTS, str(chosen.deals), str(chosen.seed)
        subprocess.run(asked, check=True)


if __name__ == "__main__":
    main()
