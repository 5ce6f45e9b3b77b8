"""What a full cupboard costs: the same pages with 1,000 finished matches and with 10, as ratios within one run.

python tests/bench/growth.py

Two servers as `companion` runs them, one on each folder: the same seven people, ten matches a night, all games. Asked is from the machine
itself, which sees all nights. The two sides take turns, request by request; the median of the round in the middle counts: at most 2.
The first look after a match has ended reads and computes everything anew; how long that takes is only told.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.live import Phone, free_port, running
from past_nights import PastNights

FEW, MANY, LIMIT = 10, 1_000, 2
ROUNDS, TIMES = 7, 40


def lay_out(folder, matches):
    """A folder with so many matches in it; gives the pages to look at, and the cookie of somebody at the newest night."""
    from companion import create_app

    app = create_app(folder)
    night, ids = PastNights(app).many(matches)[-1]
    first_look(app, matches)
    app.extensions["companion"].database.close()
    cookie = app.session_interface.get_signing_serializer(app).dumps({"seats": [(night, ids["Ana"], "Ana")]})
    return SimpleNamespace(folder=folder, cookie=cookie, port=free_port(), pages=pages(night, ids["Ana"], ids["Ben"]))


def pages(night, one, two):
    return {
        "home": "/",
        "night": f"/n/{night}",
        "past nights": "/past",
        "a past night": f"/past/nights/{night}",
        "all nights": "/past/nights",
        "a person": f"/past/people/{one}",
        "two people": f"/past/people/{one}/against/{two}",
        "a game": "/past/games/crazy-lab",
    }


def first_look(app, matches):
    past, begin = app.extensions["companion"].history, time.perf_counter()
    book = past.book()
    for who in book.players:
        book.figures(who)
    for kind in book.kinds:
        book.game(kind)
    print(f"first look at {matches:5,} matches, everybody's figures and every game's: {(time.perf_counter() - begin) * 1e3:.0f} ms")


def look(phone, path):
    """How long it takes until the whole page is here."""
    begin = time.perf_counter()
    phone.line.socket.sendall(f"GET {path} HTTP/1.1\r\n{phone.headers}\r\n".encode())
    status, body = phone.line.answer()
    took = time.perf_counter() - begin
    assert status == 200, f"{path}: {status} {body[:200]!r}"
    return took


def compare(name, many, few):
    """Take turns, request by request; the ratio of the medians, of the round in the middle."""
    for _ in range(5):  # warm
        many(), few()
    rounds = []
    for _ in range(ROUNDS):
        pairs = [(many(), few()) for _ in range(TIMES)]
        rounds.append([statistics.median(side) * 1e3 for side in zip(*pairs, strict=True)])
    rounds.sort(key=lambda each: each[0] / each[1])
    large, small = rounds[ROUNDS // 2]
    best, ratio, worst = (rounds[n][0] / rounds[n][1] for n in (0, ROUNDS // 2, -1))
    met = ratio <= LIMIT
    print(
        f"{name:13} with {MANY:,}: {large:6.2f} ms   with {FEW}: {small:6.2f} ms   "
        f"ratio {ratio:4.2f} ({best:.2f} to {worst:.2f}; at most {LIMIT})  {'ok' if met else 'MISSED'}"
    )
    return met


def serving(place):
    return running(place.port, "-m", "companion", "--instance", str(place.folder), "--host", "127.0.0.1", "--port", str(place.port))


def main():
    with tempfile.TemporaryDirectory() as name:
        many, few = (lay_out(Path(name) / str(matches), matches) for matches in (MANY, FEW))
        with serving(many), serving(few):
            full, new = Phone(many.port, many.cookie), Phone(few.port, few.cookie)
            met = [
                compare(page, lambda page=page: look(full, many.pages[page]), lambda page=page: look(new, few.pages[page]))
                for page in many.pages
            ]
            full.line.close(), new.line.close()
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
