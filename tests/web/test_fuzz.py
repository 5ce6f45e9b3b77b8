"""Every route with nonsense in every place: no server error, no traceback, and what is refused leaves the file as it was."""

import random
import string
from urllib.parse import quote, urlencode

import flask
import pytest
from databases import commits
from web.calls import Call, call, full_house
from web.looking import TABLES, folder_of
from web.rights import ROLES

from companion.models import Match
from companion.web.permissions import allow

STREAMS = ("live.night", "live.tv", "live.match")
ODD = (
    "",
    " ",
    "0",
    "1",
    "-1",
    "1" * 400,
    "9" * 30,
    "true",
    "null",
    "[]",
    "{}",
    '{"a": 1}',
    "NaN",
    "1e999",
    "skip",
    '"red"',
    "[[[[",
    "a" * 3000,
    "\0",
    "\r\n\r\nX: y",
    "../../etc/passwd",
    "%00",
    "%2e%2e%2f",
    "<script>",
    "{{7*7}}",
    "{0}",
    "%s%n",
    "' OR 1=1 --",
    "\ud7ff",
    "\ufffd",
    "\u202e",
    "１",
    "٣",
    "é",
    "🎲",
    "İ",
    "ß",
    "round-1",
    "round-1-count-0",
    "yes",
    "open",
    "start",
    "stop",
    "pick",
    "x,y,,",
    "+",
    "1+1",
)
HEADERS = (
    {},
    {},
    {},
    {"HX-Request": "true"},
    {"Origin": "http://["},
    {"Origin": "null"},
    {"Accept-Language": "xx;q=9,\x7f"},
    {"Accept-Encoding": "gzip;q=x"},
    {"Range": "bytes=9-1"},
    {"If-None-Match": '"'},
    {"If-Modified-Since": "yesterday"},
    {"Content-Length": "x"},
    {"Cookie": "companion=x.y.z"},
    {"Referer": "//["},
    {"X-CSRFToken": "é".encode().decode("latin-1")},
    {"HX-Request": "true", "HX-Target": "<b>", "HX-Current-URL": "http://["},
    {"Last-Event-ID": "x"},
    {"Sec-Fetch-Site": "odd"},
    {"Content-Type": "application/json"},
    {"Content-Type": "multipart/form-data; boundary="},
)
FIELDS = (
    "name",
    "night",
    "code",
    "key",
    "seat",
    "order",
    "scored",
    "left",
    "scored.0",
    "left.1",
    "caller",
    "call",
    "answer",
    "joining",
    "watch",
)
FIELDS += ("rounds", "starter", "tie", "target", "colours.0", "colour", "a", "of", "again", "waiting", "csrf_token")
FIELDS += ("question", "turn", "winner", "words", "rules_name", "preset")


def odd(chance):
    if chance.random() < 0.8:
        return chance.choice(ODD)
    return "".join(chance.choices(string.printable + "äß€🎲\u200d\u0301", k=chance.randint(1, 40)))


def spoiled(chance, path):
    """The path with one or two of its parts replaced."""
    parts = path.split("?")[0].split("/")
    for _ in range(chance.randint(0, 2)):
        parts[chance.randrange(1, len(parts))] = quote(odd(chance), safe="")
    return "/".join(parts)


def request(chance, house):
    """A request to some route with something wrong in it; or with nothing wrong, sometimes."""
    endpoint = chance.choice([rule.endpoint for rule in house.app.url_map.iter_rules() if rule.endpoint not in STREAMS])
    role = chance.choice(ROLES)
    asked = call(house, endpoint, role, "own")
    query = {chance.choice(FIELDS): odd(chance) for _ in range(chance.randint(0, 2))}
    data = None
    if asked.changes:
        data = asked.data | {chance.choice([*asked.data, *FIELDS]): odd(chance) for _ in range(chance.randint(0, 3))}
    path = spoiled(chance, asked.path) if chance.random() < 0.5 else asked.path
    return role, Call(path, data), query, chance.choice(HEADERS)


def faults(house, chance, many):
    """The requests that broke something."""
    found = []
    house.app.testing = False
    house.app.config["PROPAGATE_EXCEPTIONS"] = False
    with commits(folder_of(house.app), TABLES) as now:
        for n in range(many):
            role, asked, query, headers = request(chance, house)
            before = now()
            answer = send(house, role, asked, query, headers, n)
            text, after = answer.get_data(), now()
            answer.close()
            refused = answer.status_code >= 400
            if answer.status_code >= 500 or b"Traceback" in text or (refused and (after != before or not text)):
                found.append((answer.status_code, role, asked, query, headers))
            house.set_right()
            if n % 100 == 99:
                start_anew(house)
    return found


def send(house, role, asked, query, headers, n):
    phone = house.phones[role]
    where = {"REMOTE_ADDR": f"10.7.{n // 250 % 250}.{n % 250}"}
    path, given = asked.path, {"base_url": "http://game.test:8000", "environ_base": where, "headers": headers}
    if query:
        path += ("&" if "?" in path else "?") + urlencode(query, errors="replace")
    client = phone.browser().client
    if not asked.changes:
        return client.get(path, **given)
    data = {"csrf_token": phone.token, **asked.data}
    if "Content-Type" in headers:
        return client.post(path, data=b"x=1&y=\xff", **given)
    return client.post(path, data=data, **given)


def start_anew(house):
    """The log of the house's match grows with every request; a new match keeps them quick."""
    seats = house.store.match(house.match).match.seats
    house.match = house.store.start(Match(night_id=house.night, game="ligretto-crazy", seats=seats, options={})).id


def test_nonsense_is_answered_in_words_and_changes_nothing(app):
    assert faults(full_house(app), random.Random(1), 1500) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
def test_much_nonsense_is_answered_in_words_and_changes_nothing(app, seed):
    assert faults(full_house(app), random.Random(seed), 5000) == []


def test_a_route_that_breaks_on_nonsense_is_noticed(app, monkeypatch):
    house = full_house(app)
    app.view_functions["nights.find"] = allow("anybody")(lambda: {"code": int(flask.request.form["code"])})
    monkeypatch.setattr(app.logger, "disabled", True)
    assert {fault[0] for fault in faults(house, random.Random(1), 600)} == {500}


def test_a_refusal_that_leaves_something_behind_is_noticed(app):
    house = full_house(app)
    refused = app.view_functions["nights.add"]

    @allow("player")
    def careless(night):
        house.nights.lock(house.room.night, joining=not house.room.night.joining)
        return refused(night=night)

    app.view_functions["nights.add"] = careless
    assert faults(house, random.Random(4), 300)
