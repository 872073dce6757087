"""A league as it lay on a disk when its arena was killed: the files in `tests/data/league`.

It has faults, a disqualification and thus void sets, a bot handed in and replaced by its second
version, a void match, a practice seed, and five matches still to play.
"""

import gzip
import hashlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

_DATA: Final = Path(__file__).parents[1] / "data" / "league"


def stored_league(folder: Path) -> Path:
    """The league's file in a folder, with its bots and its record, which no other test locks."""
    shutil.copytree(_DATA, folder, dirs_exist_ok=True)
    record = folder / "league.db"
    record.write_bytes(gzip.decompress((folder / "league.db.gz").read_bytes()))
    (folder / "league.db.gz").unlink()
    own = hashlib.sha256(str(folder).encode()).hexdigest()[:32]
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute(
            "UPDATE league SET value = json_set(value, '$.identity', ?) WHERE key = 'facts'", (own,)
        )
    return folder / "league.toml"
