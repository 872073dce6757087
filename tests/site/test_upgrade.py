"""The upgrade of a site that runs: nobody is refused, nothing is lost."""

import os
import socket
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import MachineError
from arena.record.audit import ledger_flaws
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import read_site
from arena.site.listeners import hand_on, listen
from arena.site.processes import make_folders
from arena.site.upgrade import upgrade
from tests.support.command import held_port, run
from tests.support.whole_site import running, write_site

UPGRADES = 20


def test_sockets_are_taken_over_where_the_addresses_are_the_same(tmp_path: Path) -> None:
    path = write_site(tmp_path, "")
    with held_port() as port:
        path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n')
        before = listen(read_site(path))
        numbers = [each.fileno() for each in before]
        hand_on(before)
        assert all(map(os.get_inheritable, numbers))
        after = listen(read_site(path))
        assert [each.fileno() for each in after] == numbers[:1]
        assert not os.get_inheritable(numbers[0])
        for each in before:
            each.detach()  # as in the program before
        with after[0], socket.create_connection(("127.0.0.1", port)):
            pass


def test_a_site_that_does_not_run_is_not_upgraded(tmp_path: Path) -> None:
    site = read_site(write_site(tmp_path))
    make_folders(site)
    with pytest.raises(MachineError, match="the site does not run; start it instead"):
        upgrade(site)


@pytest.mark.slow
def test_twenty_upgrades_in_the_middle_of_play_refuse_nobody_and_lose_nothing(
    tmp_path: Path,
) -> None:
    path = write_site(tmp_path, "abcd", "width = 0.01\n", "[quotas]\nrequests_a_minute = 100000\n")
    refused: list[str] = []
    answered: list[int] = []
    over = threading.Event()
    with running(path) as site:
        site.wait_for(lambda: site.document("league"))
        pid = site.process.pid

        def ask() -> None:
            while not over.is_set():
                try:
                    answered.append(len(site.get("/")))
                except OSError as error:
                    refused.append(str(error))

        asking = threading.Thread(target=ask)
        asking.start()
        played = []
        for _ in range(UPGRADES):
            done = subprocess.run(
                [sys.executable, "-m", "arena", "serve", "upgrade", str(path)],
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr + site.said()[-4000:]
            assert "goes on with the site" in done.stderr
            with closing(Store.open(record_path(site.site.league))) as store:
                played.append(len(store.stored()))
            site.wait_for(lambda: site.said().count("web       serves") > len(played))
        over.set()
        asking.join()
        assert site.process.pid == pid
        assert site.end() == 0
    assert refused == []
    assert len(answered) > UPGRADES
    assert played == sorted(played)
    assert played[-1] > played[0]
    with closing(Store.open(record_path(site.site.league))) as store:
        assert list(ledger_flaws(store)) == []
    assert run("verify", site.site.league).returncode == 0
