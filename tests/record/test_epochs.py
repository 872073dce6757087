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
    Committed,
    epoch_seed,
    field_digest,
    lines_after,
    practice_secret,
)
from arena.league.schedule import commitment
from arena.record.epochs import public_ledger
from arena.record.facts import read_secrets
from arena.record.store import Store
from tests.record import stranger
from tests.support.command import run
from tests.support.open_record import open_record
from tests.support.records import small_record

GUIDE = Path(__file__).parents[2] / "protocol/deals.md"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return open_record(tmp_path_factory.mktemp("open") / "ladder.db", 2, 1, logs=True)


def test_a_stranger_recomputes_every_deal_of_the_epochs_that_are_revealed(
    record: Path, tmp_path: Path
) -> None:
    ledger, logs = tmp_path / "ledger.json", tmp_path / "logs.jsonl"
    ledger.write_text(run("epochs", record, "--json").stdout)
    logs.write_text(run("export", record, "logs").stdout)
    words = [sys.executable, "-I", "-S", stranger.__file__, str(ledger), str(logs)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "6 60\n")


def test_a_stranger_notices_other_cards_and_changed_lines(record: Path) -> None:
    ledger = json.loads(run("epochs", record, "--json").stdout)
    logs = [json.loads(line) for line in run("export", record, "logs", "1").stdout.splitlines()]
    assert stranger.recompute(ledger, logs) == (1, 10)
    hands = logs[2]["hands"]
    logs[2]["hands"] = [hands[1], hands[0], hands[2]]
    with pytest.raises(AssertionError):
        stranger.recompute(ledger, logs)
    ledger["lines"][1]["text"] = ledger["lines"][1]["text"].replace("author", "writer")
    with pytest.raises(AssertionError, match="line 2 was changed"):
        stranger.recompute(ledger, logs)


def test_nothing_that_is_still_secret_is_shown(record: Path) -> None:
    with closing(Store.open(record)) as store:
        secrets, found = read_secrets(store.facts()), public_ledger(store)
        hidden = {*secrets.values(), store.seeds()[-1]}
    shown = run("epochs", record).stdout + run("epochs", record, "--json").stdout
    assert len(hidden) == 3
    assert not [each for each in hidden if each in shown]
    assert [(each.orders, each.seed is None) for each in found.epochs] == [
        *((1, False), (1, True), (0, True)),
    ]
    assert str(found.epochs[0].secret) in shown


def test_a_league_that_is_not_open_has_no_epochs(tmp_path: Path) -> None:
    with (
        closing(Store.open(small_record(tmp_path))) as store,
        pytest.raises(ArenaError, match="no epochs"),
    ):
        public_ledger(store)


def test_the_example_of_the_specification_is_right() -> None:
    text = GUIDE.read_text()
    example = text[text.index("## Epochs of an open league") :]
    bots = dict(re.findall(r"^([ABC]) +([0-9a-f]{64})$", example, re.MULTILINE))
    said = dict(re.findall(r"^(\w+): +(\S.*)$", example, re.MULTILINE))
    secret = practice_secret("7", 1)
    assert said["secret"] == secret
    assert said["commitment"] == commitment(secret)
    assert said["field"] == field_digest(bots)
    assert said["seed"] == epoch_seed(secret, said["field"])
    [line] = lines_after(None, "2026-01-01T00:00:00+00:00", [Committed(1, said["commitment"])])
    assert (said["text"], said["hash"]) == (line.text, line.hash)
    assert " ".join(stranger.shuffled(f"zole deal 1\n{said['seed']}\nA\nB\nC\n0")) == said["deck"]
