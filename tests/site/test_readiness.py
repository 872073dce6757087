"""A site that cannot start says so at once, and one that can has its parts alone."""

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.base.errors import ArenaError, MachineError
from arena.base.installation import how_to_install
from arena.cli.options import check_web_server
from arena.site import listeners, readiness
from arena.site.config import Site, read_site
from arena.site.processes import make_folders
from arena.site.readiness import ready
from tests.support.command import held_port


@pytest.fixture(name="taken")
def _taken() -> Iterator[socket.socket]:
    with held_port() as port, socket.create_server(("127.0.0.1", port)) as server:
        yield server


@pytest.fixture(name="site")
def _site(tmp_path: Path, taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> Site:
    for module in (listeners, readiness):
        monkeypatch.setattr(module, "HELD_S", 0.0)
    path = tmp_path / "site.toml"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{taken.getsockname()[1]}"\n')
    (tmp_path / "ladder.toml").write_text('format = "open"\n')
    site = read_site(path)
    make_folders(site)
    return site


def test_a_place_that_is_taken_is_told_with_what_to_do(site: Site, taken: socket.socket) -> None:
    with pytest.raises(MachineError, match="Address already in use; end what listens there"):
        ready(site, None).__enter__()
    with ready(site, "player"):  # which listens nowhere
        pass
    taken.close()
    with ready(site, None):
        pass


def test_a_socket_that_systemd_passed_is_taken_and_passed_to_nobody_else(
    site: Site, taken: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = taken.dup().detach()
    monkeypatch.setattr(listeners, "FIRST_PASSED", passed)
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    with ready(site, "web") as listener, socket.create_connection(taken.getsockname()):
        assert listener is not None
        assert listener.fileno() == passed
        assert not listener.get_inheritable()
    assert not {"LISTEN_PID", "LISTEN_FDS"} & os.environ.keys()


def test_a_socket_that_systemd_passed_to_another_process_is_let_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    with pytest.raises(MachineError, match="Address already in use"):
        ready(site, "web").__enter__()


def test_a_site_that_runs_is_not_started_again_as_a_whole_or_in_part(
    site: Site, taken: socket.socket
) -> None:
    taken.close()
    with ready(site, None):
        for part in ("web", "player", None):
            with pytest.raises(MachineError, match="of this site is running already"):
                ready(site, part).__enter__()
    with ready(site, "player"), ready(site, "web"):
        pass


@pytest.mark.parametrize(
    ("league", "said"),
    [
        (None, "ladder.toml: there is no such file"),
        ('bots = ["a"]', 'format = "open" makes it one'),
    ],
)
def test_a_league_that_no_site_shows_is_told(site: Site, league: str | None, said: str) -> None:
    site.league.unlink()
    if league is not None:
        site.league.write_text(league)
    with pytest.raises(ArenaError, match=said):
        ready(site, "player").__enter__()


def test_without_what_serves_pages_it_is_said_which_command_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.cli.options.find_spec", lambda name: None)
    with pytest.raises(MachineError, match=re.escape(f"{how_to_install('serve')}, or wait")):
        check_web_server(", or wait")
