"""The process in which a person plays in the terminal."""

import os
import socket
import sys
from collections.abc import Sequence
from time import monotonic

import trio

from arena.people.advice import NoAdvice, hint
from arena.people.conversation import Conversation, NotOpen
from arena.people.suggestion import Suggestion


class SocketConversation:
    """A seat's lines over its end of a socketpair."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._rest = b""
        self._talk = Conversation()

    async def receive(self) -> bytes | None:
        """The next line, without its newline; None if no more will come."""
        while b"\n" not in self._rest:
            try:
                chunk = await self._stream.receive_some()
            except trio.BrokenResourceError:
                return None
            if not chunk:
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        self._talk.hear(line, monotonic())
        return line

    async def send(self, line: bytes) -> None:
        """Give an answer; one that follows a hint carries the note that says so."""
        try:
            noted = self._talk.answer(line)
        except NotOpen:  # it was given up at this moment, as the next line says
            return
        await self._stream.send_all(noted or line)  # `ready` is sent as it is

    async def hint(self) -> Suggestion | NoAdvice:
        """A review's answer to the open request, or why there is none."""
        talk, request = self._talk, self._talk.request
        if request is None:
            return NoAdvice("nothing is asked")
        try:
            found = await trio.to_thread.run_sync(hint, tuple(talk.lines))
        except NoAdvice as why:
            return why
        if talk.request is not request:
            return NoAdvice("what was asked is answered")
        talk.hint(found.answer)
        return found


async def _play(end: socket.socket, tag: str, plain: bool, names: Sequence[str]) -> None:
    from arena.people.terminal import play_in_terminal

    async with trio.SocketStream(trio.socket.from_stdlib_socket(end)) as stream:
        await play_in_terminal(SocketConversation(stream), tag, plain, names)


def play_seat() -> None:
    """Play the seat whose descriptor is the first argument, as the others say."""
    number, tag, cards, *names = sys.argv[1:]
    end = socket.socket(fileno=int(number))
    os.set_inheritable(end.fileno(), False)
    trio.run(_play, end, tag, cards == "plain", names)


if __name__ == "__main__":
    play_seat()
