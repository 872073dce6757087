"""The process with the Dask client: it alone reads messages of a scheduler and its workers.

Dask takes arriving bytes for lengths, messages and pickles, and may stall, fail or swell over them.
The arena waits for nothing here: it can end this process at any time. Answers go on to it unread.
Of pickles from a scheduler that is not ours, only plain bytes and Python's own exceptions are
loaded.
"""

import asyncio
import builtins
import os
import pickletools
import resource
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.base.errors import ArenaError, MachineError
from arena.cluster.answers import one_line
from arena.cluster.connect import Scheduler, connect
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
    ToClient,
    WorkerAnswer,
)
from arena.cluster.worker import make_ready, work

if TYPE_CHECKING:
    import distributed

_LOOK_S: Final = 1.0
"""Seconds between two questions to the scheduler about its workers."""

_SILENT_S: Final = 20.0
"""Seconds that the scheduler may take to answer."""

FETCH_S: Final = 60.0
"""Seconds that fetching an answer from a worker may take."""

CARRY_S: Final = 300.0
"""Seconds that a bot may be on its way to a worker."""

_CLOSE_S: Final = 1.0
"""Seconds for closing the connection; with a scheduler of our own it is `_OWN_CLOSE_S`."""

_OWN_CLOSE_S: Final = 5.0

MEMORY: Final = 4 << 30
"""The most bytes of memory of this process, whatever a scheduler sends."""

_VERSION: Final = "__import__('arena').__version__"
"""The arena's version on a worker. Asked before sending our types, which kill one without it."""

_SEARCHED: Final = 4096
"""Bytes of an exception in which its message is looked for."""


def run_client() -> None:
    """Carry out the orders that come over the connection of the given number until it ends."""
    connection = Connection(int(sys.argv[1]))
    begin = msgspec.msgpack.decode(connection.recv_bytes(), type=Begin)
    if isinstance(begin.where, str):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        sys.addaudithook(_refuse_pickles)
    with suppress(BrokenPipeError, EOFError):  # nobody listens any more
        asyncio.run(_serve(begin, connection))
    os._exit(0)  # Dask's threads may be stuck


async def _serve(begin: Begin, connection: Connection) -> None:
    def tell(message: FromClient) -> None:
        connection.send_bytes(msgspec.msgpack.encode(message))

    try:
        scheduler = await connect(begin.where, begin.tls)
    except ArenaError as error:
        (mistake,) = error.mistakes
        machine = isinstance(error, MachineError)
        tell(NotConnected(machine, one_line(mistake.what), mistake.place, mistake.remedy))
        return
    tell(Connected(scheduler.name, tuple(scheduler.cores)))
    calls = _Calls(scheduler.client, tell)
    loop, over = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        try:
            while True:
                order = msgspec.msgpack.decode(connection.recv_bytes(), type=ToClient)
                loop.call_soon_threadsafe(calls.heed, order)
        except (EOFError, OSError):
            close_s = _OWN_CLOSE_S if scheduler.local else _CLOSE_S
            threading.Timer(close_s, os._exit, (0,)).start()
            loop.call_soon_threadsafe(over.set)

    threading.Thread(target=read, daemon=True).start()
    looking = asyncio.create_task(_look(scheduler, tell))
    await over.wait()
    looking.cancel()
    await calls.end()
    await scheduler.close()


async def _answers(client: "distributed.Client") -> bool:
    """Whether the scheduler answers: if not, a worker's lost connection is not its own fault."""
    with suppress(Exception):  # any error that Dask makes of a lost connection
        if client.scheduler is not None:
            await asyncio.wait_for(client.scheduler.identity(n_workers=0), _SILENT_S)
            return True
    return False


async def _look(scheduler: Scheduler, tell: Callable[[FromClient], None]) -> None:
    """Report the workers again and again, until the scheduler is gone or silent."""
    client = scheduler.client
    while client.status == "running" and client.scheduler is not None:
        try:
            about = await asyncio.wait_for(client.scheduler.identity(n_workers=-1), _SILENT_S)
            workers = about["workers"].items()
            tell(Seen({one_line(address): _seen(its) for address, its in workers}))
        except TimeoutError:
            tell(SchedulerGone(f"the scheduler has not answered for {_SILENT_S:g} s"))
            return
        except Exception:  # any error that Dask makes of what arrives: the connection is lost
            break
        await asyncio.sleep(_LOOK_S)
    tell(SchedulerGone("the scheduler is gone"))


def _seen(about: Any) -> SeenWorker:
    """A worker as it described itself to the scheduler."""
    try:
        name = about["name"]
        return msgspec.convert({**about, "name": name if type(name) is int else None}, SeenWorker)
    except (msgspec.ValidationError, TypeError, KeyError) as error:
        return SeenWorker("", 1, 0.0, odd=f"its description of itself is odd: {one_line(error)}")


class _Calls:
    """The calls to workers that are not answered yet."""

    def __init__(self, client: "distributed.Client", tell: Callable[[FromClient], None]) -> None:
        self._client = client
        self._tell = tell
        self._open: dict[int, asyncio.Task[None]] = {}

    def heed(self, order: ToClient) -> None:
        """Begin or drop a call."""
        match order:
            case Call():
                task = asyncio.create_task(self._call(order))
                self._open[order.number] = task
                task.add_done_callback(lambda _: self._open.pop(order.number, None))
            case Drop(number):
                if number in self._open:
                    self._open[number].cancel()

    async def end(self) -> None:
        """Drop all calls."""
        tasks = list(self._open.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _call(self, call: Call) -> None:
        try:
            said = await self._answer(call)
        except (asyncio.CancelledError, CancelledError, _Lost):
            self._tell(NoAnswer(call.number, None))
        except TimeoutError:
            self._tell(NoAnswer(call.number, "its answer does not arrive"))
        except Exception as error:  # a worker can raise anything, or have Dask raise it here
            lost = isinstance(error, OSError) and not await _answers(self._client)
            why = None if lost else f"it fails to answer: {_cause(error)}"
            self._tell(NoAnswer(call.number, why))
        else:
            self._tell(WorkerAnswer(call.number, said))

    async def _answer(self, call: Call) -> bytes:
        """A worker's answer. Raises the worker's own error, or `_Lost`."""
        client = self._client
        where = {"workers": [call.worker], "pure": False}
        if call.task == "version":
            future = client.submit(eval, _VERSION, **where)
        elif call.task == "work":
            future = client.submit(work, call.said, **where)
        else:
            bots: object = None
            if call.bots is not None:
                carried = client.scatter([call.bots], workers=[call.worker], hash=False)
                (bots,) = await asyncio.wait_for(carried, CARRY_S)
            future = client.submit(make_ready, call.said, bots, **where)
        try:
            if (error := await future.exception()) is not None:
                raise error
            answer = await asyncio.wait_for(self._fetch(future.key), FETCH_S)
        finally:
            with suppress(Exception):  # Dask may have ended the connection
                await client.cancel([future], force=True)
        if call.task == "version" and type(answer) is str:
            return answer.encode(errors="replace")
        if type(answer) is not bytes:
            raise TypeError(f"its answer is of the type {type(answer).__name__}, not bytes")
        return answer

    async def _fetch(self, key: object) -> object:
        """The result of a task. Dask's own way would have all wait for one that does not come."""
        assert self._client.scheduler is not None
        found = await self._client.scheduler.gather(keys=[key])
        if found["status"] != "OK":
            raise _Lost
        return found["data"][key]


class _Lost(Exception):
    """A worker is gone, and its task with it."""


class _Forbidden(AttributeError):
    """A pickle names an object that is not loaded. Dask takes this for an unreadable pickle."""


def _refuse_pickles(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook by which pickles can name nothing but bytes and Python's own exceptions."""
    if event == "pickle.find_class":
        module, name = arguments
        found = getattr(builtins, name, None) if module == "builtins" else None
        plain = found is bytes or (isinstance(found, type) and issubclass(found, Exception))
        if not plain:
            raise _Forbidden(f"a pickle of {one_line(module)}.{one_line(name)} is not loaded")


def _cause(error: BaseException) -> str:
    """The message of a worker's error, at its root."""
    raw = error.args[0] if error.args else None
    if type(error) is Exception and isinstance(raw, bytes):  # a pickle that was not loaded
        return one_line(_words(raw))
    return one_line(error.__cause__ or error) or type(error).__name__


def _words(pickled: bytes) -> str:
    """The message of an exception with its trace, as Dask pickles it, without loading it."""
    texts: list[str] = []
    with suppress(ValueError):  # cut off, or no pickle at all
        for _, argument, _ in pickletools.genops(pickled[:_SEARCHED]):
            if isinstance(argument, str):
                texts.append(argument)
    plain = len(texts) > 4 and texts[1] == "unpickle_exception"
    return texts[4] if plain else "an error that cannot be shown"


if __name__ == "__main__":
    run_client()
