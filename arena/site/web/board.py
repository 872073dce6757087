"""A board with the latest of each topic: slow readers get the newest, never a backlog."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import uniform
from typing import ClassVar, Final

import msgspec

from arena.base.refusals import Busy
from arena.people.events import EventStream, Follower

_RETRY_S: Final = 2.0, 8.0
"""Seconds after which a browser comes again are drawn between these: after a restart not all come
at once.
"""


class FoundTopic(msgspec.Struct, frozen=True):
    """A topic whose news are found for those who follow it; its events have the name of its kind.

    What nobody follows is forgotten.
    """

    kind: ClassVar[str]


Topic = str | FoundTopic


class NewsBoard:
    """The latest of each topic, and its followers, who are at most `readers` at a time."""

    def __init__(self, readers: int) -> None:
        self.stopping = False
        self.fresh = False
        """True once somebody has come who follows something of the registry."""
        self.readers = 0
        self._most = readers
        self._of: Counter[str] = Counter()
        self._latest: dict[Topic, tuple[int, bytes, bytes]] = {}
        self._following: dict[Topic, set[BoardFollower]] = {}

    def put(
        self, topic: Topic, version: int | None, data: bytes, mark: bytes | None = None
    ) -> None:
        """Put up the news of a topic, as JSON.

        What has not changed is not told again: the data, or their `mark` if they have one.
        """
        data = b" ".join(data.split(b"\n"))  # a newline would end the data
        mark = data if mark is None else mark
        was = self._latest.get(topic, (0, None, b""))
        if was[1] == mark:
            return
        number = was[0] + 1 if version is None else version
        name = topic if isinstance(topic, str) else topic.kind
        text = b"event: %s\nid: %d\ndata: %s\n\n" % (name.encode(), number, data)
        self._latest[topic] = number, mark, text
        for follower in self._following.get(topic, ()):
            follower.wake.set()

    def followed(self) -> list[Topic]:
        """Return the topics that somebody follows."""
        return [*self._following]

    def mark(self, topic: Topic) -> bytes | None:
        """Return the mark of the news of a topic, None if there are none."""
        return self._latest[topic][1] if topic in self._latest else None

    def enter(self, address: str) -> None:
        """Let a reader of an address in. Raises `Busy` if there are too many."""
        if self.stopping or self.readers >= self._most:
            raise Busy("too many pages are open at once", "reload the page later", wait_s=30)
        if self._of[address] >= max(8, self._most // 4):
            raise Busy("too many pages are open at your address", "close some", wait_s=30)
        self.readers += 1
        self._of[address] += 1

    def leave(self, address: str) -> None:
        """Count a reader of an address as gone."""
        self.readers -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]

    def follow(self, topics: Iterable[Topic]) -> "BoardFollower":
        """Return a new follower of some topics."""
        follower = BoardFollower(topics)
        for topic in follower.topics:
            self._following.setdefault(topic, set()).add(follower)
        self.fresh = True
        return follower

    def unfollow(self, follower: "BoardFollower") -> None:
        """Follow no more. What is found for followers alone is forgotten with the last of them."""
        for topic in follower.topics:
            self._following[topic].discard(follower)
            if not self._following[topic]:
                del self._following[topic]
                if not isinstance(topic, str):
                    self._latest.pop(topic, None)

    def news(self, follower: "BoardFollower") -> bytes:
        """Return the news of a follower's topics that it has not had."""
        found = []
        for topic in follower.topics:
            number, _, text = self._latest.get(topic, (0, b"", b""))
            if text and follower.had.get(topic) != number:
                follower.had[topic] = number
                found.append(text)
        return b"".join(found)

    def stop(self) -> None:
        """End every stream, now and from now on."""
        self.stopping = True
        for followers in self._following.values():
            for follower in followers:
                follower.wake.set()


class BoardFollower(Follower):
    """A follower of some topics, and the number of the news it last had of each."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        super().__init__()
        self.topics = tuple(topics)
        self.had: dict[Topic, int] = {}


class BoardStream(EventStream):
    """The answer to a reader at an address who follows topics of a board. Raises `Busy`."""

    def __init__(
        self,
        board: NewsBoard,
        topics: Iterable[Topic],
        address: str,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(headers, lambda: board.stopping)
        self._board, self._topics, self._address = board, topics, address
        self._greeted = False
        board.enter(address)

    def follow(self) -> BoardFollower:
        return self._board.follow(self._topics)

    def unfollow(self, follower: Follower) -> None:
        assert isinstance(follower, BoardFollower)
        self._board.unfollow(follower)
        self._board.leave(self._address)

    def next(self, follower: Follower) -> bytes:
        assert isinstance(follower, BoardFollower)
        news = self._board.news(follower)
        if not self._greeted:
            self._greeted = True
            return b"retry: %d\n\n" % (1000 * uniform(*_RETRY_S)) + news
        return news
