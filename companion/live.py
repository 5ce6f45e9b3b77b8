"""Who is watching what: wake them when something was stored. Knows nothing of games or tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Lock


class TooManyStreams(Exception):
    """This person watches with more pages than one table needs."""


class Watch:
    """One open stream: sleeps until its topic is told, or until a heartbeat is due."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[bool] = SimpleQueue()

    def wake(self, stay: bool = True) -> None:
        self._calls.put(stay)

    def wait(self, seconds: float) -> bool | None:
        """True: something changed. None: nothing did. False: the stream has to end."""
        try:
            stay = self._calls.get(timeout=seconds)
        except Empty:
            return None
        while not self._calls.empty():  # several changes are one
            stay = self._calls.get() and stay
        return stay


class Live:
    """The streams by topic, and a tick for each topic that only ever rises, also over a restart."""

    MOST_PER_PERSON = 3

    def __init__(self) -> None:
        self._lock = Lock()
        self._watches: dict[str, dict[Watch, str]] = {}
        self._ticks: dict[str, int] = {}
        self._seen: dict[str, float] = {}
        self.started = time.time()

    @contextmanager
    def watch(self, topic: str, person: str) -> Iterator[Watch]:
        watch = Watch()
        with self._lock:
            watches = self._watches.setdefault(topic, {})
            mine = [each for each, whose in watches.items() if whose == person]
            watches[watch] = person
        for each in mine[: max(0, len(mine) - self.MOST_PER_PERSON + 1)]:
            each.wake(stay=False)  # the oldest make room
        try:
            yield watch
        finally:
            with self._lock:
                del watches[watch]

    def tell(self, topic: str) -> None:
        with self._lock:
            self._ticks[topic] = max(self._ticks.get(topic, 0) + 1, _milliseconds())
            watches = list(self._watches.get(topic, ()))
        for watch in watches:
            watch.wake()
        time.sleep(0)  # they go first: whoever entered something sees it anyway

    def tick(self, topic: str) -> int:
        with self._lock:
            return self._ticks.setdefault(topic, _milliseconds())

    def saw(self, person: str) -> None:
        """This person's phone asked for something just now."""
        self._seen[person] = time.time()

    def away(self, topic: str, person: str) -> float:
        """For how many seconds nothing came from this person; 0 with a page open."""
        with self._lock:
            if person in self._watches.get(topic, {}).values():
                return 0.0
        return time.time() - self._seen.get(person, self.started)

    def streams(self, topic: str) -> int:
        with self._lock:
            return len(self._watches.get(topic, ()))

    def stop(self) -> None:
        """End all streams: the server is about to stop."""
        with self._lock:
            watches = [watch for topic in self._watches.values() for watch in topic]
        for watch in watches:
            watch.wake(stay=False)


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000
