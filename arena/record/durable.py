"""What is done so that changed names outlast a loss of power."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk. Raises `OSError`."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
