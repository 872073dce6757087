"""A site as its people meet it: brought up, a bot sent from elsewhere, its first rated games."""

import hashlib
import random
import signal
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.bots.archive import pack
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.record.summary import summarize
from arena.site.config import DRAWING_ORDERS
from arena.site.published import Published
from arena.site.registry.accounts import Account
from arena.site.registry.jobs import (
    Archive,
    Challenge,
    SiteJob,
    ask_for,
    find_job,
    queue,
    spool_file,
)
from arena.site.registry.organiser import pause
from tests.support.command import document, lives, output, run
from tests.support.patience import PATIENCE_S, until
from tests.support.present import present
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site


def table(site: WholeSite) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (site.document("standings") or {"lines": []})["lines"]
    return found


def line_of(site: WholeSite, bot: str) -> dict[str, Any]:
    return next((line for line in table(site) if line["bot"] == bot), {})


@pytest.mark.slow
def test_from_nothing_to_rated_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with running(write_site(tmp_path)) as site:
        address = site.site.address
        site.wait_for(lambda: site.get("/health"))
        site.wait_for(lambda: site.document("standings"))
        anna, bert = site.comes_in("Anna"), site.comes_in("Bert")
        (tmp_path / "token").write_text(anna.token)
        output("login", address, "--token-file", tmp_path / "token")
        mine = write_author_bot(tmp_path / "elsewhere" / "mine", "me", 2)
        done = run("submit", mine, "--to", address, "--wait")
        assert done.returncode == 0, done.stderr + site.said()
        site.wait_for(lambda: line_of(site, "mine").get("games"))
        sending = urllib.request.Request(
            f"{address}/api/v1/bots",
            pack(write_author_bot(tmp_path / "elsewhere" / "theirs", "me", 1)),
            {"Authorization": f"Bearer {bert.token}", "Content-Type": "application/octet-stream"},
        )
        with urllib.request.urlopen(sending) as answered:
            assert answered.status == 202
        site.wait_for(lambda: line_of(site, "theirs").get("games"))
        assert line_of(site, "mine")["author"] == "Anna"
        log = tmp_path / "pulled.db"
        output("pull", address, log)
        first = str(document("replay", log)[0]["match"])
        again = run("rerun", log, first, "--seat", "mine", "--bot", mine)
        assert again.returncode == 0, again.stderr
        about = Challenge(("a", "b", "mine"))
        asked, _ = site.registry(lambda registry: ask_for(registry, anna.account, about))
        site.wait_for(lambda: state(site, anna.account, asked.id).ended)
        result = present(state(site, anna.account, asked.id).result)
        assert (result.matches, sum(result.stakes.values())) == (6, 0)
        assert site.end() == 0
    output("verify", tmp_path / "ladder.toml")


@pytest.mark.slow
def test_a_site_that_is_killed_leaves_nobody_behind_and_goes_on(tmp_path: Path) -> None:
    path = write_site(tmp_path, "abc", "width = 0.01\n")  # it never rests
    with running(path) as site:
        site.wait_for(lambda: site.document("standings"))
        pids = site.pids()
        assert len(pids) == 4
        site.process.kill()
        site.process.wait()
        until(lambda: not any(map(lives, pids)))
    with running(path) as site:
        matches = (site.document("numbers") or {"matches": 0})["matches"]
        site.wait_for(lambda: site.document("numbers")["matches"] > matches)
        site.process.send_signal(signal.SIGINT)
        assert site.process.wait(PATIENCE_S) == 130
    output("verify", tmp_path / "ladder.toml")


MOMENTS = 60


Results = tuple[set[int], list[tuple[Any, ...]]]


def stored_results(store: Store) -> Results:
    """The numbers of the matches, and what each bot has made."""
    rows = [(row.bot, row.games, row.stakes_per_deal) for row in summarize(store).standings]
    return {number for number, *_ in store.matches()}, sorted(rows)


def public_results(site: WholeSite) -> Results:
    lines = [(line["bot"], line["games"], line["stakes_per_deal"]) for line in table(site)]
    with closing(Published(site.site.published)) as published:
        return {number for number, _ in published.before("matches", None, 1_000_000)}, sorted(lines)


@pytest.mark.slow
def test_killed_at_many_moments_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    dice, sent = random.Random(21), dict[str, str]()
    league, site_file = "width = 0.01\n", "[quotas]\nuploads = 1000\nbots = 1000\n"
    with running(write_site(tmp_path, "abc", league, site_file)) as site:  # it never rests
        site.wait_for(lambda: site.document("standings"))
        anna = site.comes_in("Anna").account
        for moment in range(MOMENTS):
            if moment % 5 == 0:
                site.wait_for(lambda: site.registry(queue) == 0)
                bot = write_author_bot(tmp_path / f"x{moment}", "me", moment)
                sent[bot.name] = send(site, anna, bot)
            time.sleep(dice.uniform(0, 3))
            # an upload is given up after three deaths, so its process dies at most twice over one
            site.kill(dice.choice(["web", "work", "play"] if moment % 5 < 2 else ["web", "play"]))
        site.wait_for(lambda: site.registry(queue) == 0)
        site.wait_for(lambda: {*sent} <= {*(line["bot"] for line in table(site))})
        site.registry(lambda registry: pause(registry, "part", DRAWING_ORDERS, "to compare"))
        with closing(Store.open(tmp_path / "ladder.db")) as store:
            site.wait_for(lambda: public_results(site) == stored_results(store))
            entered = [each.name for each in store.submissions()]
            assert sorted(entered) == sorted(sent), "no half bot, none twice"
            assert list(ledger_flaws(store)) == []
        assert site.get("/health")
        assert site.end() == 0
    ended = [state(site, anna, each) for each in sent.values()]
    assert {(each.state, each.name) for each in ended} == {("done", name) for name in sent}
    output("verify", tmp_path / "ladder.toml")


def state(site: WholeSite, account: Account, id: str) -> SiteJob:
    return site.registry(lambda registry: find_job(registry, account, id))


def send(site: WholeSite, account: Account, bot: Path) -> str:
    data = pack(bot)
    digest = hashlib.sha256(data).hexdigest()
    (site.site.spool / spool_file(account, digest)).write_bytes(data)
    return site.registry(lambda registry: ask_for(registry, account, Archive(digest)))[0].id
