"""The web process's one way out: a child that connects to one socket and to nothing else."""

import asyncio
import os
import select
import signal
import socket
from contextlib import closing
from pathlib import Path

import pytest

from arena.sandbox.box import children
from arena.site.web import door as door_module
from arena.site.web.door import Door, open_door
from tests.support.patience import PATIENCE_S, until
from tests.support.web import served


def opened(path: Path) -> tuple[Door, int]:
    """A door and its child; this process may have others."""
    before = children(os.getpid())
    door = open_door(path)
    [child] = {*children(os.getpid())} - {*before}
    return door, child


def test_it_leads_to_one_socket_as_soon_as_there_is_one(tmp_path: Path) -> None:
    door, child = opened(tmp_path / "x")
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            asyncio.run(door.connected())
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "x"))
        listener.listen()
        for _ in range(2):
            with asyncio.run(door.connected()) as ours, listener.accept()[0] as theirs:
                assert not ours.getblocking()
                theirs.sendall(b"hello")
                assert ours.recv(9) == b"hello"
    door.close()
    assert os.waitpid(child, 0)[1] == 0


def test_where_its_child_is_gone_it_leads_nowhere(tmp_path: Path) -> None:
    door, child = opened(tmp_path / "x")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with closing(door):
        asyncio.run(door.ended())
        for _ in range(2):
            with pytest.raises(BrokenPipeError):
                asyncio.run(door.connected())


def test_an_answer_that_comes_late_is_not_taken_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "x"))
        listener.listen()
        door, child = opened(tmp_path / "x")
        os.kill(child, signal.SIGSTOP)
        with monkeypatch.context() as patch:
            patch.setattr(door_module, "_ANSWER_S", 0.05)
            with pytest.raises(TimeoutError):
                asyncio.run(door.connected())
        os.kill(child, signal.SIGCONT)
        late, _ = listener.accept()
        found = until(lambda: found_by(door))
        with late, found as ours, listener.accept()[0] as theirs:
            theirs.sendall(b"hello")
            ours.setblocking(True)
            assert ours.recv(9) == b"hello"
            assert late.recv(9) == b""
    door.close()
    os.waitpid(child, 0)


def test_a_child_that_does_not_answer_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_module, "_LOOK_S", 0.01)
    monkeypatch.setattr(door_module, "_ANSWER_S", 0.01)
    monkeypatch.setattr(door_module, "_LOST_S", 0.05)
    door, child = opened(tmp_path / "x")
    os.kill(child, signal.SIGSTOP)
    with closing(door):
        asyncio.run(door.ended())
        assert door.late
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_child_is_asked_whether_it_is_there_and_connects_to_nothing_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_module, "_LOOK_S", 0.001)
    answered = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "x"))
        listener.listen()
        listener.setblocking(False)
        door, child = opened(tmp_path / "x")
        ask = door._ask
        monkeypatch.setattr(door, "_ask", lambda what: answered.append((what, ask(what))))

        async def look() -> None:
            ended = asyncio.create_task(door.ended())
            while len(answered) < 3:
                await asyncio.sleep(0.01)
            os.kill(child, signal.SIGKILL)
            await ended

        asyncio.run(look())
        assert answered[:3] == [(b"?", None)] * 3
        with pytest.raises(BlockingIOError):
            listener.accept()
    door.close()
    os.waitpid(child, 0)


def found_by(door: Door) -> socket.socket | None:
    """A connection, where the child answers in time."""
    try:
        return asyncio.run(door.connected())
    except TimeoutError:
        return None


def test_a_web_process_whose_door_is_gone_ends_to_be_started_anew(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        [child] = children(web.process.pid)
        os.kill(child, signal.SIGKILL)
        assert web.process.wait(PATIENCE_S) != 0


def test_its_child_ends_with_the_web_process_however_that_ends(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        [child] = children(web.process.pid)
        end = os.pidfd_open(child)
        web.process.kill()
        ready, _, _ = select.select([end], [], [], PATIENCE_S)
        assert ready
        os.close(end)
