"""The arena's end of the connection to the process with the Dask client; nothing here can stall."""

import itertools
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final

import msgspec

import arena
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.cluster.answers import Wrong
from arena.cluster.connect import Tls
from arena.cluster.messages import (
    Begin,
    Call,
    Connected,
    Drop,
    FromClient,
    NoAnswer,
    NotConnected,
    SchedulerGone,
    Seen,
    SeenWorker,
    TaskName,
    ToClient,
    WorkerAnswer,
)

CONNECT_S: Final = 120.0
"""Seconds that the process may take to connect, and to start our own scheduler and workers."""

SILENT_S: Final = 30.0
"""Seconds of silence allowed: to the process about the scheduler, to a worker at the scheduler."""

CLOSE_S: Final = 1.5
"""Seconds that the process may take to end; with a scheduler of our own it is `OWN_CLOSE_S`."""

OWN_CLOSE_S: Final = 6.0

GO_ON: Final = "everything finished is stored; the same command goes on"


class PendingAnswer(Future[bytes]):
    """A worker's answer to a call: `BrokenExecutor` if it was lost, `Wrong` if it has none."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def settle(self, value: bytes | BaseException) -> None:
        """Set the outcome, unless there is one already."""
        with suppress(InvalidStateError):
            if isinstance(value, bytes):
                self.set_result(value)
            else:
                self.set_exception(value)


class ClientLink:
    """The last known state of a scheduler, and calls to its workers.

    `workers` are by address; None until the scheduler has told of them.
    """

    def __init__(self, where: int | str, tls: Tls | None) -> None:
        """Connect. Raises `ArenaError` or `MachineError`."""
        self.workers: Mapping[str, SeenWorker] | None = None
        self._heard: dict[str, float] = {}
        self._where = str(where)
        self._replies: dict[int, PendingAnswer] = {}
        self._numbers = itertools.count()
        self._gone: str | None = None
        self._last_word = monotonic()
        self._close_s = OWN_CLOSE_S if isinstance(where, int) else CLOSE_S
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = _start(theirs.fileno())
        self._connection = Connection(os.dup(self._socket.fileno()))
        self._to_send: SimpleQueue[ToClient | None] = SimpleQueue()
        first: SimpleQueue[Connected | NotConnected | SchedulerGone] = SimpleQueue()
        self._reading = threading.Thread(target=self._read, args=(first,), daemon=True)
        self._writing = threading.Thread(target=self._write, daemon=True)
        self._reading.start()
        self._writing.start()
        self._to_send.put(Begin(where, tls))
        try:
            self.name, self.cores = self._connected(first)
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Raise `MachineError` if the scheduler is gone or silent."""
        silent_s = monotonic() - self._last_word
        if self._gone is None and silent_s > SILENT_S:
            self._gone = f"nothing is known of the scheduler for {silent_s:.0f} s"
        if self._gone is not None:
            raise MachineError(Mistake(self._gone, self.name, GO_ON))

    def silent_s(self, worker: str) -> float:
        """The seconds that a worker had been silent at the scheduler's last word."""
        return self._last_word - self._heard.get(worker, self._last_word)

    def call(
        self, worker: str, task: TaskName, said: bytes, bots: bytes | None = None
    ) -> PendingAnswer:
        """Have a worker carry out a task."""
        reply = PendingAnswer(next(self._numbers))
        self._replies[reply.number] = reply
        self._to_send.put(Call(reply.number, worker, task, said, bots))
        return reply

    def drop(self, reply: PendingAnswer) -> None:
        """Wait no longer for a call."""
        if self._replies.pop(reply.number, None) is not None:
            self._to_send.put(Drop(reply.number))
        reply.settle(BrokenExecutor())

    def close(self) -> None:
        """Drop all calls and disconnect; end the process if it does not end by itself."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._to_send.put(None)
        try:
            self._process.wait(self._close_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in (self._reading, self._writing):
            thread.join()
        self._connection.close()
        self._socket.close()

    def _connected(
        self, first: "SimpleQueue[Connected | NotConnected | SchedulerGone]"
    ) -> tuple[str, Sequence[int | None]]:
        """The scheduler's name and our workers' cores. Raises `ArenaError` or `MachineError`."""
        try:
            message = first.get(timeout=CONNECT_S)
        except Empty:
            message = SchedulerGone(f"there is no connection after {CONNECT_S:g} s")
        match message:
            case Connected(name, cores):
                return name, cores
            case NotConnected(machine, what, place, remedy):
                raise (MachineError if machine else ArenaError)(Mistake(what, place, remedy))
            case SchedulerGone(why):
                raise MachineError(Mistake(why, self._where, "dask scheduler starts one"))

    def _read(self, first: "SimpleQueue[Connected | NotConnected | SchedulerGone]") -> None:
        """Handle messages until no more can come."""
        why = "the process with the Dask client has ended"
        try:
            while True:
                message = _decoder.decode(self._connection.recv_bytes())
                match message:
                    case Connected() | NotConnected():
                        first.put(message)
                    case Seen(workers):
                        self._see(workers)
                    case WorkerAnswer(number, said):
                        self._settle(number, said)
                    case NoAnswer(number, wrong):
                        self._settle(number, BrokenExecutor() if wrong is None else Wrong(wrong))
                    case SchedulerGone(reason):
                        why = reason
                        break
        except (EOFError, OSError):
            pass
        except (msgspec.MsgspecError, UnicodeError):
            why = "the process with the Dask client talks nonsense"
        self._gone = self._gone or why
        first.put(SchedulerGone(why))
        for number in list(self._replies):
            self._settle(number, BrokenExecutor())

    def _see(self, workers: Mapping[str, SeenWorker]) -> None:
        now, before = monotonic(), self.workers or {}
        for address, its in workers.items():
            if address not in before or before[address].last_seen != its.last_seen:
                self._heard[address] = now
        for address in before.keys() - workers.keys():
            self._heard.pop(address, None)
        self.workers, self._last_word = workers, now

    def _settle(self, number: int, value: bytes | BaseException) -> None:
        reply = self._replies.pop(number, None)
        if reply is not None:
            reply.settle(value)

    def _write(self) -> None:
        while (message := self._to_send.get()) is not None:
            with suppress(OSError):  # the reading thread notices
                self._connection.send_bytes(msgspec.msgpack.encode(message))


_decoder: Final = msgspec.msgpack.Decoder(FromClient)


def _start(number: int) -> "subprocess.Popen[bytes]":
    """The process with the Dask client, at the other end of a socket."""
    folder = str(Path(arena.__file__).parents[1])
    path = os.pathsep.join(each for each in (folder, os.environ.get("PYTHONPATH")) if each)
    return subprocess.Popen(
        [sys.executable, "-m", "arena.cluster.client", str(number)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(number,),
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # so that Ctrl-C reaches the arena alone, which ends this
    )
