"""Who is watching what: wake them when something was stored. Knows nothing of games or tables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Protocol

from companion.bounded_dict import BoundedDict

MAX_TOPICS, MAX_PEOPLE = 10_000, 30_000  # whose tick, and whose last moment, is remembered


class Watch:
    """One open stream: sleeps until its topic is told, or until a heartbeat is due."""

    MOMENT = 0.02  # seconds: less than anybody notices

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

    def lull(self, ends: float) -> bool | None:
        """Debounce: until nothing changed for a moment, but not beyond the end. As `wait`."""
        now = time.monotonic()
        return None if now >= ends else self.wait(min(self.MOMENT, ends - now))


class Ticks(Protocol):
    """Where the ticks of a topic come from; they only ever rise, also over a restart."""

    def first(self, topic: str) -> int: ...
    def next(self, topic: str, last: int) -> int: ...


class Clock:
    """Ticks for one process: milliseconds."""

    def first(self, topic: str) -> int:
        return _milliseconds()

    def next(self, topic: str, last: int) -> int:
        return max(last + 1, _milliseconds())


class Live:
    """The streams by topic, and a tick for each topic."""

    MAX_PER_PERSON, MAX_PER_TOPIC, MOST = 3, 60, 5_000

    def __init__(self, ticks: Ticks | None = None) -> None:
        self._lock = Lock()
        self._source = ticks or Clock()
        self._watches: dict[str, dict[Watch, str]] = {}
        self._ticks: BoundedDict[str, int] = BoundedDict(MAX_TOPICS)
        self._seen: BoundedDict[str, float] = BoundedDict(MAX_PEOPLE)
        self._seen_elsewhere: BoundedDict[str, float] = BoundedDict(MAX_PEOPLE)
        self._presence_told = 0.0
        self.started = time.time()

    @contextmanager
    def watch(self, topic: str, person: str) -> Iterator[Watch]:
        watch = Watch()
        with self._lock:
            leaving = self._place(watch, topic, person)
        for each in leaving:
            each.wake(stay=False)
        try:
            yield watch
        finally:
            with self._lock:
                self._watches.get(topic, {}).pop(watch, None)
                if not self._watches.get(topic, True):
                    del self._watches[topic]

    def _place(self, watch: Watch, topic: str, person: str) -> list[Watch]:
        """Gives those that leave: the oldest of this person make room; where there is none, the new one gets everything once, and its page
        comes again a little later."""
        watches = self._watches.get(topic, {})
        mine = [each for each, whose in watches.items() if whose == person]
        leaving = mine[: max(0, len(mine) - self.MAX_PER_PERSON + 1)]
        for each in leaving:
            del watches[each]
        if len(watches) >= self.MAX_PER_TOPIC or sum(map(len, self._watches.values())) >= self.MOST:
            return [*leaving, watch]
        self._watches.setdefault(topic, watches)[watch] = person
        return leaving

    def tell(self, topic: str) -> None:
        """Something about it was stored."""
        with self._lock:
            self._ticks[topic] = self._source.next(topic, self._ticks.get(topic, 0))
        self._wake(topic)

    def hear(self, topic: str, tick: int) -> None:
        """Another process stored something, and that is its tick."""
        with self._lock:
            self._ticks[topic] = max(tick, self._ticks.get(topic, 0) + 1)  # another one than before, also if we took that number for ours
        self._wake(topic)

    def tell_all(self) -> None:
        """Anything may have changed."""
        least = self._source.first("")
        with self._lock:
            self._ticks.update([(topic, max(least, tick + 1)) for topic, tick in self._ticks.items()])
            topics = list(self._watches)
        for topic in topics:
            self._wake(topic)

    def _wake(self, topic: str) -> None:
        with self._lock:
            watches = list(self._watches.get(topic, ()))
        for watch in watches:
            watch.wake()

    def tick(self, topic: str) -> int:
        found = self._ticks.get(topic)
        if found is None:
            first = self._source.first(topic)
            with self._lock:
                found = self._ticks.setdefault(topic, first)
        return found

    def saw(self, person: str) -> None:
        """This person's phone asked for something just now."""
        self._seen[person] = time.time()

    def saw_elsewhere(self, people: Iterable[str]) -> None:
        """Another process saw them."""
        self._seen_elsewhere.update(dict.fromkeys(people, time.time()))

    def lately(self) -> list[str]:
        """Whom this process saw since it was asked last."""
        since, self._presence_told = self._presence_told, time.time()
        with self._lock:
            watching = {person for watches in self._watches.values() for person in watches.values()}
        return sorted(watching | {person for person, at in list(self._seen.items()) if at >= since})

    def away(self, topic: str, person: str) -> float:
        """For how many seconds nothing came from this person; 0 with a page open."""
        with self._lock:
            if person in self._watches.get(topic, {}).values():
                return 0.0
        return time.time() - max(self._seen.get(person, self.started), self._seen_elsewhere.get(person, 0.0))

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
