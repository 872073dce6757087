"""An open league shows its whole ledger, from which strangers recompute its deals."""

import json
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.league.ledger import (
    Closed,
    Committed,
    Entry,
    Joined,
    Ordered,
    Sealed,
    lines_after,
    order_seed,
)
from arena.league.schedule import commitment
from arena.record.publishing import public_ledger
from arena.record.store import Store
from tests.record import stranger
from tests.support.command import run
from tests.support.open_record import SEED, Opened, open_record
from tests.support.records import small_record

GUIDE = Path(__file__).parents[2] / "protocol/deals.md"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season that is over, without a final."""
    league = Opened(tmp_path_factory.mktemp("open") / "ladder.db", logs=True)
    with closing(league.store):
        league.go_on(2)
        league.append(Closed(1, ()), Sealed(1, SEED))
    return league.path


def test_a_stranger_recomputes_every_deal_of_a_season_that_is_over(
    record: Path, tmp_path: Path
) -> None:
    ledger, logs = tmp_path / "ledger.json", tmp_path / "logs.jsonl"
    ledger.write_text(run("ledger", record, "--json").stdout)
    logs.write_text(run("export", record, "logs").stdout)
    words = [sys.executable, "-I", "-S", stranger.__file__, str(ledger), str(logs)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "12 120\n")


def test_a_stranger_notices_other_cards_and_changed_lines(record: Path) -> None:
    ledger = json.loads(run("ledger", record, "--json").stdout)
    logs = [json.loads(line) for line in run("export", record, "logs", "1").stdout.splitlines()]
    assert stranger.recompute(ledger, logs) == (1, 10)
    dealer, one, other, *rest = logs[2]["cards"].split("|")
    logs[2]["cards"] = "|".join([dealer, other, one, *rest])
    with pytest.raises(AssertionError):
        stranger.recompute(ledger, logs)
    ledger["lines"][1]["text"] = ledger["lines"][1]["text"].replace("author", "writer")
    with pytest.raises(AssertionError, match="line 2 was changed"):
        stranger.recompute(ledger, logs)


def test_the_secret_is_shown_once_the_season_is_over(record: Path, tmp_path: Path) -> None:
    under_way = open_record(tmp_path / "ladder.db", orders=1)
    for path, secret in ((under_way, None), (record, SEED)):
        with closing(Store.open(path)) as store:
            found, seeds = public_ledger(store), store.seeds()
        assert (found.commitment, found.secret) == (commitment(SEED), secret)
        assert found.hash == found.lines[-1].hash
        shown = run("ledger", path).stdout + run("ledger", path, "--json").stdout
        assert not [seed for seed in seeds if seed in shown]
        assert found.commitment in shown
        assert ("secret     7" in shown) == (secret is not None)


def test_a_league_that_is_not_open_has_no_ledger_to_show(tmp_path: Path) -> None:
    with (
        closing(Store.open(small_record(tmp_path))) as store,
        pytest.raises(ArenaError, match="only open leagues have"),
    ):
        public_ledger(store)


def test_the_example_of_the_specification_is_right() -> None:
    text = GUIDE.read_text()
    example = text[text.index("## An open league") :]
    bots = dict(re.findall(r"^([ABC]) +([0-9a-f]{64})$", example, re.MULTILINE))
    said = dict(re.findall(r"^(\w+): +(\S.*)$", example, re.MULTILINE))
    assert said["commitment"] == commitment("7")
    joined = [Joined(bot, content, f"author of {bot}", False) for bot, content in bots.items()]
    order = Ordered(1, ("A", "B", "C"), 0, 10, 0, "table")
    entries: list[Entry] = [Committed(said["commitment"]), *joined, order]
    first, *_, line = lines_after(None, "2026-01-01T00:00:00+00:00", entries)
    assert (said["first"], said["last"]) == (first.text, line.text)
    assert said["hash"] == line.hash
    assert said["seed"] == order_seed("7", line.hash)
    assert " ".join(stranger.shuffled(f"zole deal 1\n{said['seed']}\nA\nB\nC\n0")) == said["deck"]
