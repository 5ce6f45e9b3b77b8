"""Several processes on one PostgreSQL: what their tests share. The fixtures `process` and `pair` start them."""

import time
from contextlib import contextmanager

from companion.live import Live
from companion.models import Match
from companion.postgres import Postgres
from companion.web.services import Services


def soon(is_so, seconds=20):
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.005)


@contextmanager
def processes(url):
    """Makes another process's parts, as good as in a process of its own: they share nothing but the database."""
    made = []

    def start(listening=True):
        database = Postgres(url)
        parts = Services.on(database, Live(database), "http://game.test")
        made.append(database)
        if listening:
            database.listen(parts.live, parts.forget)
            soon(lambda: database.hears)
        return parts

    yield start
    for database in made:
        database.close()


def a_match(parts):
    night, ana = parts.nights.start("Night", "Ana")
    ben = parts.nights.join(night, "Ben").person
    match = parts.store.start(Match(night_id=night.id, game="ligretto-crazy", seats=[ana.person.id, ben.id], options={"target": 9999}))
    return night, match.id


def enter(parts, match, n, key=None, by=None):
    round = {"do": "round", "scored": [10, 12], "left": [12, 10]}
    return parts.store.act(match, f"round-{n}", round, by, key or f"the key of round {n}")
