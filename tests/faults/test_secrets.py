"""A hidden choice cannot be learned before the reveal: play twice, only the secret differs, and nobody else gets a different byte.

Both worlds have the same ids, keys, tokens and clock, so that nothing has to be left out of the comparison: bodies, lengths, every
header with its cookie, every frame of every stream, and what the server prints.
"""

import itertools
import os
import secrets
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from urllib.parse import quote

import pytest
from conftest import make_evening
from databases import new_app
from flask import g
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner
from web.looking import stream

from companion import doctor, live, match_log, models
from companion.games import crazy_lab
from companion.games.base import Note, Text
from companion.web import region_cache, sse

COLOURS = crazy_lab.COLOURS
PLAYERS = ("Ben", "Cem", "Dia", "Eva")
QUESTION = quote('{"trump": "blue", "cards": [{"blue": 1}, {"blue": 2}, {"blue": 3}]}')


# ---- what is played --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A match up to just before the reveal. The same in both worlds but for the colour that one seat chooses."""

    seats: tuple
    owner: int
    colours: tuple  # the secret in the one world and in the other
    minus: tuple
    others: dict  # what other seats choose
    before: tuple  # tricks
    after: tuple

    @property
    def watching(self):
        """Two of the players and somebody who only looks; the host, who may do most, whenever it is not her secret."""
        others = [name for n, name in enumerate(self.seats) if n != self.owner]
        return (*dict.fromkeys([*(["Ana"] if self.seats[self.owner] != "Ana" else []), others[-1]]), "Tom")


def plan(seed):
    random = Random(seed)
    seats = tuple(random.sample(("Ana", *PLAYERS), random.choice((3, 4, 5))))
    minus, owner = tuple(random.sample(COLOURS, len(seats))), random.randrange(len(seats))
    choices = [[colour for colour in COLOURS if colour != avoided] for avoided in minus]
    others = {n: random.choice(choices[n]) for n in range(len(seats)) if n != owner and random.random() < 0.5}
    tricks = [[_trick(random, len(seats)) for _ in range(random.randrange(least, 4))] for least in (0, 1)]
    return Plan(seats, owner, tuple(random.sample(choices[owner], 2)), minus, others, tuple(tricks[0]), tuple(tricks[1]))


def _trick(random, seats):
    """The fields of a trick by its winner, or by its cards."""
    trump = {"trump": random.choice(COLOURS[:4])} if random.random() < 0.7 else {}
    if not trump or random.random() < 0.5:
        return "", {**trump, "winner": str(random.randrange(seats))}
    cards = {f"cards.{n}.{colour}": str(random.randint(1, 6)) for n in range(seats) for colour in random.sample(COLOURS, 2)}
    return "-cards", trump | cards


# ---- two worlds that are the same ------------------------------------------------------------------------------------


@pytest.fixture
def new_world(monkeypatch, tmp_path, capfd):
    """Worlds without chance: whatever is random or a time elsewhere is the same in each of them."""
    made, asleep, wait = [], threading.Semaphore(0), live.Watch.wait
    monkeypatch.setattr(live.Watch, "wait", lambda self, seconds: (seconds > 1 and asleep.release()) or wait(self, seconds))
    monkeypatch.setattr(sse, "HEARTBEAT", 600)

    def make():
        chance = Random(1)
        monkeypatch.setattr(secrets, "token_bytes", lambda n=32: chance.randbytes(n))
        monkeypatch.setattr(secrets, "choice", chance.choice)
        monkeypatch.setattr(secrets, "randbelow", chance.randrange)
        monkeypatch.setattr(os, "urandom", chance.randbytes)
        monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: 1_700_000_000)
        monkeypatch.setattr(SecureCookieSessionInterface, "get_expiration_time", lambda *given: datetime.fromtimestamp(2_000_000_000, UTC))
        monkeypatch.setattr(live, "_milliseconds", lambda: 1)
        monkeypatch.setattr(live.Live, "away", lambda self, topic, person: 0.0)  # however slow this machine is
        moment = models.now()
        monkeypatch.setattr(models, "now", lambda: moment)
        for changing in ("_disk", "_clock"):  # on the machine's page, between one world and the next
            monkeypatch.setattr(doctor, changing, lambda folder: doctor.Finding(Text("Disk or clock"), Text("As always.")))
        region_cache.clear()  # a process of its own would have none of the other world's regions
        app = new_app(tmp_path / f"world-{len(made)}")
        app.testing = True
        made.append(app)
        evening = make_evening(app, "Ana", PLAYERS, ("Tom",))
        for browser in evening.browsers.values():
            browser.token = cache(browser.token)
        return World(app, evening, capfd, asleep)

    yield make
    for app in made:
        app.extensions["companion"].database.close()


@dataclass
class World:
    app: object
    evening: object
    capfd: object
    asleep: threading.Semaphore  # counts the streams that have sent all they had
    got: list = field(default_factory=list)  # everything that anybody but the owner of the secret gets

    def play(self, plan, colour):
        """One match with that secret; what the others get is kept."""
        match = self.evening.start("crazy-lab", plan.seats, rounds="2")
        Play(self, plan, match).run(colour)
        out, error = self.capfd.readouterr()
        self.got.append(("the server prints", out, error))


@dataclass
class Play:
    world: World
    plan: Plan
    match: str
    streams: dict = field(default_factory=dict)
    entries: int = 0
    secret: int = 0  # the number of the entry

    def run(self, colour):
        plan, owner = self.plan, self.plan.owner
        with ExitStack() as stack:
            self.open_streams(stack)
            self.enter("round-1-minus", {f"colours.{n}": each for n, each in enumerate(plan.minus)})
            self.tricks(plan.before)
            self.enter(f"round-1-plus-{owner}", {"colour": colour}, plan.seats[owner])
            self.secret = self.entries
            for seat, each in plan.others.items():
                self.enter(f"round-1-plus-{seat}", {"colour": each}, plan.seats[seat])
            self.tricks(plan.after)
            self.pry()
            self.look()
            self.take_back()

    def tricks(self, tricks):
        first = len(self.position.state.tricks) + 1
        for n, (ending, fields) in enumerate(tricks, first):
            self.enter(f"round-1-trick-{n}{ending}", fields)

    @property
    def position(self):
        return self.world.evening.seated(self.match).position

    def enter(self, ask, fields, by=None):
        by = by or next(name for n, name in enumerate(self.plan.seats) if n != self.plan.owner)
        key = {"key": f"key {self.match} {self.entries}"[:60]}
        answer = self.world.evening[by].post(f"/m/{self.match}/act/{ask}", {**fields, **key}, htmx=True)
        assert answer.status_code == 204, (ask, fields, answer.get_data(as_text=True)[:2000])
        self.entries += 1
        if by != self.plan.seats[self.plan.owner]:
            self.keep((by, ask), answer)
        self.take_frames(ask)

    # ---- what the others get -----------------------------------------------------------------------------------------

    def keep(self, what, answer):
        self.world.got.append((what, answer.status_code, list(answer.headers), answer.get_data()))

    def open_streams(self, stack):
        night, watching = self.world.evening.id, self.plan.watching
        paths = {(name, f"/m/{self.match}/live") for name in watching} | {("Tom", f"/n/{night}/live"), ("Tom", f"/n/{night}/tv/live")}
        for name, path in sorted(paths):
            got = stack.enter_context(stream(self.world.evening[name], path))
            self.world.got.append((name, path, list(got.get(timeout=60).headers)))
            self.streams[name, path] = got
        self.take_frames("opened")

    def take_frames(self, after):
        """All that every stream sends until it sleeps again."""
        for _ in self.streams:
            assert self.world.asleep.acquire(timeout=60), "a stream did not come to rest"
        for where, got in self.streams.items():
            frames = [got.get_nowait() for _ in range(got.qsize())]
            assert frames
            self.world.got.append((where, after, frames))

    def look(self):
        """Every address about this night or match, for everybody else."""
        for name, path in itertools.product(self.plan.watching, self.paths()):
            self.keep((name, path), self.world.evening[name].get(path))

    def paths(self):
        given = {
            "night": [self.world.evening.id],
            "match": [self.match],
            "game": ["crazy-lab"],
            "n": [str(self.plan.owner), str(self.secret)],
            "ask": [f"round-1-{rest}" for rest in (f"plus-{self.plan.owner}", f"count-{self.plan.owner}", f"trick-{self.next_trick}")],
        }
        for rule in self.world.app.url_map.iter_rules():
            if "GET" in rule.methods and rule.arguments & {"night", "match"} and not rule.rule.endswith("/live"):
                for values in itertools.product(*(given[name] for name in sorted(rule.arguments))):
                    path = rule.rule
                    for name, value in zip(sorted(rule.arguments), values, strict=True):
                        path = path.replace(f"<{name}>", value).replace(f"<int:{name}>", value)
                    yield f"{path}?question={QUESTION}&again={self.match}"

    @property
    def next_trick(self):
        return len(self.position.state.tricks) + 1

    def pry(self):
        """What somebody curious would send: the owner's question, another secret, minus colours that fit only some secrets."""
        plan, seated = self.plan, f"/m/{self.match}"
        tries = [(f"{seated}/act/round-1-plus-{plan.owner}", {"colour": colour}) for colour in COLOURS]
        tries += [(f"{seated}/entries/{self.secret}/amend", {"colour": colour}) for colour in COLOURS]
        tries += [(f"{seated}/entries/1/amend", self.avoiding(colour)) for colour in COLOURS for _ in range(2)]  # by both
        tries += [(f"{seated}/entries/1/undo", {}), (f"{seated}/ask/round-1-plus-{plan.owner}", None)]
        tries += [(f"{seated}/ask/x?of={self.secret}&rest=1", None)]
        for n, (path, data) in enumerate(tries):
            name, before = plan.watching[n % 2], self.position.version
            browser, key = self.world.evening[name], {"key": f"pry {self.match} {n}"[:60]}
            answer = browser.get(path) if data is None else browser.post(path, {**data, **key}, htmx=n % 3 == 0)
            self.keep((name, path, data), answer)
            if self.position.version > before:  # nobody's choice was in the way
                self.take_frames(path)

    def avoiding(self, colour):
        """Minus colours in which the owner avoids that one."""
        rest = [each for each in COLOURS if each != colour]
        colours = [*rest[: self.plan.owner], colour, *rest[self.plan.owner :]][: len(self.plan.seats)]
        return {f"colours.{n}": each for n, each in enumerate(colours)} if tuple(colours) != self.plan.minus else {"colours.0": "x"}

    def take_back(self):
        """The host may undo an entry that she may not see."""
        if "Ana" in self.plan.watching:
            answer = self.world.evening["Ana"].post(f"/m/{self.match}/entries/{self.secret}/undo", {"key": f"back {self.match}"}, htmx=True)
            assert answer.status_code == 204
            self.keep("undone", answer)
            self.take_frames("undone")


# ---- the tests -------------------------------------------------------------------------------------------------------


def differences(new_world, plans):
    """What the others get in one world and not in the other."""
    kept = []
    for which in (0, 1):
        world = new_world()
        for each in plans:
            world.play(each, each.colours[which])
        kept.append(world.got)
    assert len(kept[0]) == len(kept[1])
    return [(one, other) for one, other in zip(*kept, strict=True) if one != other]


def sizes(games, more):
    """CI plays few games, the soak run many."""
    return pytest.mark.parametrize("games", [games, pytest.param(more, marks=pytest.mark.soak)])


@sizes(20, 200)
def test_no_byte_tells_the_secret(new_world, games):
    wrong = differences(new_world, [plan(seed) for seed in range(games)])
    assert not wrong, wrong[0]


def test_the_owner_sees_it(new_world):
    """Otherwise there would be nothing to find."""
    game, pages = next(each for each in map(plan, itertools.count()) if each.seats[each.owner] == "Ana"), []
    for colour in game.colours:
        world = new_world()
        world.play(game, colour)
        match = world.app.extensions["companion"].nights.matches(world.evening.id)[-1].id
        pages.append(world.evening["Ana"].get(f"/m/{match}").get_data())
    assert pages[0] != pages[1]


# ---- controls: what the comparison would catch -----------------------------------------------------------------------


def _in_an_etag(monkeypatch):
    """A page's ETag is made from the whole state, the hidden part of it as well."""
    make = new_app

    def leaking(*given):
        app = make(*given)
        app.after_request(lambda answer: (answer.set_etag(str(g.seated.position.state)) if g.get("seated") else None) or answer)
        return app

    monkeypatch.setitem(globals(), "new_app", leaking)


def _in_a_length(monkeypatch):
    """The sentence about the choice is the same, but a blank longer for a long word."""
    choose = crazy_lab.choose_plus

    def leaking(state, action):
        step = choose(state, action)
        blank = Note(Text(" " * len(action.colour) + " ." + "." * (action.colour in ("purple", "blue"))), "LAB-5")
        return replace(step, notes=(*step.notes, blank))

    monkeypatch.setattr(crazy_lab, "choose_plus", leaking)


def _in_a_refusal(monkeypatch):
    """Minus colours can be corrected wherever the secret still fits: then a refusal tells which one it is."""
    monkeypatch.setattr(match_log, "_check_choices", lambda *_: None)


def _in_what_is_printed(monkeypatch):
    apply = crazy_lab.CrazyLab.act

    def leaking(self, state, action):
        print(action)
        return apply(self, state, action)

    monkeypatch.setattr(crazy_lab.CrazyLab, "act", leaking)


@pytest.mark.parametrize("leak", [_in_an_etag, _in_a_length, _in_a_refusal, _in_what_is_printed])
def test_control_a_leak_is_caught(new_world, monkeypatch, leak):
    leak(monkeypatch)
    assert differences(new_world, [plan(4)])
