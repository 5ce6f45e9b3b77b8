"""What a verdict costs on the wire, as a ratio within one run: `python tests/bench/resolver.py [game …]`.

For every game: a GET of “Who wins this trick?” that opens with its verdict, against a bare Flask page on the same kind of server, in a
process of its own: at most 3. The bare page is what Flask and Jinja alone need for as many bytes: a template that extends a base with the
same head, prints a heading, and a list of links and sentences that are escaped one by one, filled up to the size of the resolver's page.
It reads no question, knows no rules, translates nothing, checks no rights and adds no headers.

The questions are those of the tables in `tests/games/disputes/`, one after the other, so that no page is asked for twice in a row. Both
sides take turns, request by request. Of every question the fastest of several tries counts, and of the bare page the fastest of as many,
since a busy machine interrupts the longer request more often. The means over the questions are compared; the round in the middle counts.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "games"), str(ROOT / "bench")]

ROUNDS, TRIES, MOST = 5, 8, 3.0
BASE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{% block title %}{% endblock %}</title><link rel="stylesheet" href="{{ url_for('static', filename='app.css') }}">
<script src="{{ url_for('static', filename='app.js') }}" defer></script></head>
<body><header><a href="/">Home</a></header><main>{% block main %}{% endblock %}</main></body></html>"""
PAGE = """{% extends "base.html" %}{% block title %}{{ title }}{% endblock %}
{% block main %}<h1>{{ title }}</h1><ol>{% for step in steps %}
<li class="{{ 'winning' if step.won }}"><a href="{{ step.link }}">{{ step.text }}</a> <small class="rule">{{ step.rule }}</small></li>
{% endfor %}</ol>{% endblock %}"""
STEP = {
    "text": "Ana & Ben: blue 5 is lower than blue 7, “whatever” the numbers.",
    "rule": "LAB-13",
    "link": "/who?trump=blue&cards=1,2",
    "won": True,
}


def floor(port):
    """Flask and Jinja, nothing else."""
    from companion.server import Server  # patches first

    # isort: split
    from flask import Flask, render_template
    from jinja2 import DictLoader

    app = Flask("floor")
    app.jinja_loader = DictLoader({"base.html": BASE, "page.html": PAGE})

    @app.get("/page/<int:steps>")
    def page(steps):
        return render_template("page.html", title="Who wins this trick?", steps=[STEP] * steps)

    @app.get("/health")
    def health():
        return "ok"

    Server(("127.0.0.1", int(port)), app, log=None, error_log=sys.stderr).serve_forever()


class Side:
    """One of the two servers, and a line to it that is kept open."""

    def __init__(self, port):
        from live import Line

        self.port, self.line = port, Line(port)

    def get(self, path):
        """How long it takes until the whole answer is here, and its length."""
        begin = time.perf_counter()
        self.line.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Language: en\r\n\r\n".encode())
        status, body = self.line.answer()
        took = time.perf_counter() - begin
        assert status == 200, (path, status)
        return took, len(body)


def ratio(game, ours, bare):
    from dispute_tables import disputes

    paths = [dispute.address for dispute in disputes(game)]
    size = statistics.median(ours.get(path)[1] for path in paths)
    page = f"/page/{_steps(bare, size)}"
    rounds = [_round(paths, page, ours, bare) for _ in range(ROUNDS)]
    verdict, plain = sorted(rounds, key=lambda each: each[0] / each[1])[ROUNDS // 2]
    told = f"verdict {verdict * 1e3:6.2f} ms   bare {plain * 1e3:5.2f} ms   ratio {verdict / plain:4.2f}  (at most {MOST:.0f})"
    print(f"{game:15} {size:6.0f} and {bare.get(page)[1]:6.0f} bytes   {told}")
    return verdict / plain


def _steps(bare, size):
    """How many lines the bare page needs to be as long."""
    short, long = bare.get("/page/0")[1], bare.get("/page/100")[1]
    return round((size - short) * 100 / (long - short))


def _round(paths, page, ours, bare):
    tries = [[(ours.get(path)[0], bare.get(page)[0]) for path in paths] for _ in range(TRIES)]
    fastest = [[min(side) for side in zip(*each, strict=True)] for each in zip(*tries, strict=True)]
    return [statistics.mean(side) for side in zip(*fastest, strict=True)]


def main(games):
    from conftest import serve
    from dispute_tables import GAMES
    from ports import free_port

    port = free_port()
    process = subprocess.Popen([sys.executable, __file__, "floor", str(port)])
    with tempfile.TemporaryDirectory() as folder:
        server = serve(Path(folder) / "instance")
        try:
            _wait(port)
            ours, bare = Side(int(server.url.rsplit(":", 1)[1])), Side(port)
            return 0 if max([ratio(game, ours, bare) for game in games or GAMES]) <= MOST else 1
        finally:
            server.stop()
            process.terminate()
            process.wait(60)


def _wait(port):
    for _ in range(400):
        try:
            return Side(port).get("/health")
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the bare server did not answer")


if __name__ == "__main__":
    sys.exit(floor(sys.argv[2]) if sys.argv[1:2] == ["floor"] else main(sys.argv[1:]))
