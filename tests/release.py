"""Keeps a league and a site of this version for later ones: `python -m tests.release FILE.tar.gz`.

The site's league is over and sealed; an account has sent a bot, and holds a token. Beside them
stands what is told of them, and what every later version has to tell as well.
"""

import json
import re
import shutil
import sys
import tarfile
import tempfile
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from arena.bots.archive import pack
from tests.support.command import PROJECT, run
from tests.support.patience import PATIENCE_S
from tests.support.whole_site import WholeSite, running

_KEPT: Final = (
    *("anna", "janis", "ladder.toml", "ladder.db", "site.toml", "told.json"),
    "site.site/registry/registry.db",
)

_LEAGUE: Final = """format = "open"
bots = ["anna", "janis"]
final = 3
final_deals = 2
close_at = 2030-01-01T00:00:00
[sandbox]
level = "none"
"""


def told(site: WholeSite, token: str) -> dict[str, Any]:
    """What a site tells of its league and of an account's bots, as far as it stays the same."""
    own = {"Authorization": f"Bearer {token}"}
    asked = urllib.request.Request(f"{site.site.address}/api/v1/uploads", headers=own)
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
        uploads = json.load(answer)["uploads"]
    lines = json.loads(site.get("/standings.json"))["lines"]
    return {
        "uploads": [[each["name"], each["state"]] for each in uploads],
        "lines": [[line[each] for each in ("bot", "author", "sets", "state")] for line in lines],
    }


def _has_played(site: WholeSite, bot: str) -> bool:
    lines = json.loads(site.get("/standings.json"))["lines"]
    return any(line["bot"] == bot and line["sets"] > 2 for line in lines)


def keep(folder: Path) -> None:
    """Make both, below a folder."""
    for name in ("anna", "janis", "peteris"):
        bot = shutil.copytree(Path(PROJECT, "sample_bots", "random"), folder / name)
        manifest = (bot / "bot.toml").read_text()
        manifest = re.sub('author = ".*"', f'author = "{name}"', manifest)
        (bot / "bot.toml").write_text(re.sub('name = ".*"', f'name = "{name}"', manifest))
    path = folder / "site.toml"
    path.write_text('league = "ladder.toml"\nlisten = "127.0.0.1:0"\n[guests]\ntables = 0\n')
    league = folder / "ladder.toml"
    league.write_text(_LEAGUE)
    with running(path) as site:
        accepted = site.comes_in("peteris")
        request = urllib.request.Request(
            f"{site.site.address}/api/v1/bots",
            pack(folder / "peteris"),
            {"Authorization": f"Bearer {accepted.token}"},
        )
        site.wait_for(lambda: site.get("/health"))
        urllib.request.urlopen(request, timeout=PATIENCE_S).close()
        site.wait_for(lambda: _has_played(site, "peteris"))
        site.end()
    at = f"{datetime.now(UTC) + timedelta(seconds=1):%Y-%m-%dT%H:%M:%S}"
    league.write_text(league.read_text().replace("2030-01-01T00:00:00", at))
    with running(path) as site:
        site.wait_for(lambda: (site.document("league") or {}).get("state") == "sealed")
        found = told(site, accepted.token)
        site.end()
    shown = json.loads(run("standings", league, "--json").stdout)
    kept = {"token": accepted.token, "site": found, "standings": shown}
    (folder / "told.json").write_text(json.dumps(kept, indent=1) + "\n")


def main() -> None:
    """Make both, and pack what a site cannot make anew."""
    with tempfile.TemporaryDirectory() as made, tarfile.open(sys.argv[1], "w:gz") as packed:
        keep(Path(made))
        for name in _KEPT:
            packed.add(Path(made, name), name)


if __name__ == "__main__":
    main()
