"""A full house with somebody in every role, and how each of them would call each route."""

from dataclasses import dataclass
from itertools import count
from urllib.parse import quote

from conftest import Browser
from itsdangerous import URLSafeSerializer

from companion.models import Dispute, Match
from companion.store import played_before
from companion.web.exports import _seal

numbers = count(1)


@dataclass
class Call:
    """One request that would be right, were the caller allowed to make it."""

    path: str
    data: dict | None = None  # None: it is only read

    @property
    def changes(self):
        return self.data is not None


@dataclass
class Phone:
    """A person's cookie and token; every request goes out from a browser of its own, so that nothing carries over."""

    app: object
    name: str
    cookie: str
    token: str
    id: str

    def browser(self):
        browser = Browser(self.app)
        browser.client.set_cookie("companion", self.cookie, domain="game.test")
        return browser

    def send(self, call, headers=None, token=None, method=None):
        """From an address of its own: how often is another test's matter."""
        n = next(numbers)
        from_ = {"REMOTE_ADDR": f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"}
        client, base = self.browser().client, "http://game.test:8000"
        if not call.changes:
            return client.open(call.path, method=method or "GET", base_url=base, headers=headers, environ_base=from_)
        data = {"csrf_token": self.token if token is None else token, **call.data}
        headers = {"Origin": base, **(headers or {})}
        return client.open(call.path, method=method or "POST", data=data, base_url=base, headers=headers, environ_base=from_)


@dataclass
class House:
    app: object
    night: str
    token: str
    code: str
    match: str
    phones: dict

    @property
    def nights(self):
        return self.app.extensions["companion"].nights

    @property
    def store(self):
        return self.app.extensions["companion"].store

    @property
    def house(self):
        return self.app.extensions["companion"].house_rules

    @property
    def room(self):
        return self.nights.room(self.night)

    def person(self, role):
        return self.phones[role].id

    def guest(self, phone=False):
        """Somebody who is only there for one request."""
        name = f"Guest {next(numbers)}"
        return self.nights.join(self.room.night, name).person if phone else self.nights.add(self.room.night, name)

    def entry(self, by):
        """A round just entered by that role; gives its number."""
        position = self.store.match(self.match).position
        action = {"do": "round", "scored": [10, 10, 10], "left": [10, 10, 10]}
        return self.store.act(self.match, f"round-{position.state.round}", action, self.person(by), f"key {next(numbers)}").n

    def dispute(self, by):
        """A dispute just raised by that role; gives its id."""
        match = self.store.match(self.match).match
        dispute = Dispute(
            match_id=match.id,
            question={"leader": 0, "top": 4, "card": next(numbers) % 5 + 1, "piles": 1},
            facts='{"players": 3}',
            since=0,
            raised_by=self.person(by),
            key=f"dispute {next(numbers)}",
            accepted=[],
        )
        self.house.put(match, dispute)
        return dispute.id

    def finished(self):
        """A match of the same three that is over; gives its id."""
        seats = [self.person(role) for role in ("former host", "player", "removed")]
        match = Match(night_id=self.night, game="ligretto-crazy", seats=seats, options={"target": 1})
        round = {"do": "round", "scored": [9, 8, 7], "left": [1, 2, 3]}
        return self.store.bring(match, played_before(match, [round], None)).id

    def set_right(self):
        """After a request: the same people, the same host, joining open, nothing disputed."""
        for dispute in self.house.disputes(self.match):
            if not dispute.settled_at:
                self.house.withdraw(self.store.match(self.match).match, dispute.id)
        night, roles = self.room.night, {phone.id for phone in self.phones.values()}
        if night.host_id != self.person("host"):
            self.nights.hand_over(night, self.person("host"))
        if not night.joining:
            self.nights.lock(night, joining=True)
        for person in self.room.people:
            if person.id not in roles:
                self.nights.remove(night, person.id)
        for role in ("host", *self.phones):
            self.nights.live.saw(self.person(role))


def full_house(app):
    """Ana started and handed over to Hana; Ben sits with Ana and with Rob, who was removed; Uli plays, Tom watches; Eli hosts elsewhere."""
    people = {"former host": "Ana", "player": "Ben", "removed": "Rob", "unseated": "Uli", "host": "Hana", "spectator": "Tom"}
    browsers = {role: Browser(app) for role in ("nobody", *people, "elsewhere")}
    night = started(browsers["former host"], "Ana")
    other = started(browsers["elsewhere"], "Eli")
    room = app.extensions["companion"].nights.room(night)
    for role, name in list(people.items())[1:]:
        browsers[role].post(f"/j/{room.night.token}", {"name": name, **({"watch": "1"} if role == "spectator" else {})})
    by_name = {person.name: person.id for person in app.extensions["companion"].nights.room(night).people}
    seats = [by_name[name] for name in ("Ana", "Ben", "Rob")]
    answer = browsers["former host"].post(f"/n/{night}/new/ligretto-crazy", {"seat": seats, "order": ",".join(seats)})
    match = answer.headers["Location"].rsplit("/", 1)[1]
    browsers["former host"].post(f"/n/{night}/people/{by_name['Rob']}/remove")
    browsers["former host"].post(f"/n/{night}/people/{by_name['Hana']}/host")
    ids = {role: by_name[name] for role, name in people.items()} | {"elsewhere": host_of(app, other), "nobody": "nobody"}
    phones = {role: _phone(app, role, browser, ids[role]) for role, browser in browsers.items()}
    return House(app, night, room.night.token, room.night.code, match, phones)


def _phone(app, role, browser, id):
    token = browser.token()
    return Phone(app, role, browser.client.get_cookie("companion", domain="game.test").value, token, id)


def started(browser, name, **more):
    return browser.post("/nights", {"name": name, **more}).headers["Location"].rsplit("/", 1)[1]


def host_of(app, night):
    return app.extensions["companion"].nights.room(night).night.host_id


# ---- every route -----------------------------------------------------------------------------------------------------


def call(house, endpoint, role, case=""):
    """The request to that route by that role; what it needs is made ready."""
    return CALLS[endpoint](house, role, case)


def _get(path):
    return lambda house, role, case: Call(path.format(house=house))


def _post(path, **data):
    return lambda house, role, case: Call(path.format(house=house), {name: value.format(house=house) for name, value in data.items()})


def _about(path, phone=False, **data):
    """A request about a guest."""
    return lambda house, role, case: Call(path.format(house=house, person=house.guest(phone).id), dict(data))


def _return(house, role, case):
    guest = house.guest(phone=True)
    return Call(f"/j/{house.token}/seats/{guest.id}/return", {"code": guest.code})


def _claim(house, role, case):
    guest = house.guest(phone=True)
    house.nights.ask_for_seat(house.room.night, guest.id)
    claim = next(claim for claim in house.nights.claims(house.night) if claim.person_id == guest.id)
    return Call(f"/n/{house.night}/claims/{claim.id}", {"answer": "yes"})


def _take_over(house, role, case):
    house.nights.live.started -= 1000
    house.nights.live._seen.clear()
    return Call(f"/n/{house.night}/take-over", {})


def _start(house, role, case):
    seats = [house.person("player"), house.person("unseated")]
    return Call(f"/n/{house.night}/new/ligretto-crazy", {"seat": seats, "order": ",".join(seats)})


def _act(house, role, case):
    state = house.store.match(house.match).position.state
    numbers_ = {f"{name}.{seat}": "9" for name in ("scored", "left") for seat in range(3)}
    return Call(f"/m/{house.match}/act/round-{state.round}", {**numbers_, "key": f"act key {next(numbers)}"})


def _question(house, role, case):
    return Call(f"/m/{house.match}/ask/round-{house.store.match(house.match).position.state.round}")


def _verdict(house, role, case):
    round = house.store.match(house.match).position.state.round
    return Call(f"/m/{house.match}/verdict/round-{round}?question=" + quote('{"top": 4, "card": 5, "piles": 1}'))


def _entry(house, role, case):
    return Call(f"/m/{house.match}/entries/{house.entry('player')}")


def _whose(role, case):
    return role if case == "own" else "unseated" if role == "player" else "player"


def _undo(house, role, case):
    return Call(f"/m/{house.match}/entries/{house.entry(_whose(role, case))}/undo", {"key": f"undo key {next(numbers)}"})


def _past(path, changes=False):
    """A request about one of the players at the match."""

    def made(house, role, case):
        player, other = house.person("player"), house.person("former host")
        return Call(path.format(house=house, player=player, other=other), {"other": other, "night": house.night} if changes else None)

    return made


def _forget(house, role, case):
    return house.guest().id if case == "another's" or role in ("nobody", "removed") else house.person(role)


def _take(house, role, case):
    return "/past/me/" + URLSafeSerializer(house.app.config["SECRET_KEY"], salt="past").dumps(house.person("player"))


def _amend(house, role, case):
    numbers_ = {f"{name}.{seat}": "8" for name in ("scored", "left") for seat in range(3)}
    n = house.entry(_whose(role, case))
    return Call(f"/m/{house.match}/entries/{n}/amend", {**numbers_, "key": f"amend key {next(numbers)}"})


LAID = "?trump=green&cards=highest:6,green:1,highest:5&players=3"
LAYING = '{"top": 4, "card": 5, "piles": 1}'


def _about_dispute(name, **data):
    """A dispute just raised, and what somebody says to it."""

    def make(house, role, case):
        dispute = house.dispute(_whose(role, case) if name == "withdraw" else "former host")
        return Call(f"/m/{house.match}/disputes/{dispute}/{name}", {"turn": "0", **data})

    return make


def _delete(house, role, case):
    preset = house.house.save(house.room.night, "crazy-lab", "Ours", {"rounds": 2}, house.person("host"))
    return Call(f"/n/{house.night}/house-rules/{preset.id}/delete", {})


def _bg_stats_short(house, role, case):
    with house.app.test_request_context():
        return Call(f"/bg-stats/{_seal().dumps(house.finished())}")


RECORD = '{{"format": "companion-record/1", "game": "ligretto-crazy", "players": ["Ben", "Uli"], "actions": []}}'

CALLS = {
    "static": _get("/static/app.css"),
    "pages.home": _get("/"),
    "pages.icon": _get("/static/icon-192.png"),
    "pages.manifest": _get("/manifest.webmanifest"),
    "pages.know_sleep": _post("/sleep", back="/"),
    "pages.health": _get("/health"),
    "pages.choose_language": _post("/language", language="de"),
    "pages.ready": _get("/ready"),
    "pages.tv": _get("/tv"),
    "resolver.choose": _get("/who-wins"),
    "resolver.ask": _get("/who-wins/crazy-lab" + LAID),
    "resolver.card_svg": _get("/who-wins/crazy-lab/card.svg" + LAID),
    "resolver.card_png": _get("/who-wins/crazy-lab/card.png" + LAID),
    "resolver.code": _get("/who-wins/crazy-lab/qr.svg" + LAID),
    "rules.index": _get("/rules?q=tie"),
    "rules.game": _get("/rules/crazy-lab"),
    "nights.start": _post("/nights", name="Nora"),
    "nights.find": _post("/join", code="{house.code}"),
    "nights.show_on_tv": _post("/tv", code="{house.code}"),
    "nights.reopen": _post("/nights/{house.night}/reopen"),
    "nights.invitation": _get("/j/{house.token}"),
    "nights.join": lambda house, role, case: Call(f"/j/{house.token}", {"name": f"New {next(numbers)}"}),
    "nights.take_seat": _about("/j/{house.token}/seats/{person}/take"),
    "nights.return_with_code": _return,
    "nights.ask_for_seat": _about("/j/{house.token}/seats/{person}/ask", phone=True),
    "nights.lobby": _get("/n/{house.night}"),
    "nights.tv": _get("/n/{house.night}/tv"),
    "nights.take_over": _take_over,
    "nights.add": lambda house, role, case: Call(f"/n/{house.night}/people", {"name": f"New {next(numbers)}"}),
    "nights.lock": _post("/n/{house.night}/joining", joining="closed"),
    "nights.remove": _about("/n/{house.night}/people/{person}/remove"),
    "nights.hand_over": _about("/n/{house.night}/people/{person}/host", phone=True),
    "nights.answer_claim": _claim,
    "nights.machine": _get("/n/{house.night}/machine"),
    "seating.choose": _get("/n/{house.night}/new"),
    "seating.prepare": _get("/n/{house.night}/new/crazy-lab"),
    "seating.start": _start,
    "matches.table": _get("/m/{house.match}"),
    "matches.question": _question,
    "matches.act": _act,
    "matches.call": lambda house, role, case: Call(f"/m/{house.match}/call", {"call": "start"}),
    "matches.entry": _entry,
    "matches.seat": _get("/m/{house.match}/seats/1"),
    "matches.whole_story": _get("/m/{house.match}/story"),
    "matches.verdict": _verdict,
    "matches.undo": _undo,
    "matches.amend": _amend,
    "seating.save": lambda house, role, case: Call(f"/n/{house.night}/new/crazy-lab/rules", {"rules_name": f"Rules {next(numbers)}"}),
    "house_rules.page": _get("/n/{house.night}/house-rules"),
    "house_rules.delete": _delete,
    "house_rules.who_wins": _get("/m/{house.match}/who-wins"),
    "house_rules.put": lambda house, role, case: Call(
        f"/m/{house.match}/disputes", {"question": LAYING, "key": f"dispute {next(numbers)}"}
    ),
    "house_rules.accept": _about_dispute("accept"),
    "house_rules.answer": _about_dispute("answer", words="At our table it may."),
    "house_rules.withdraw": _about_dispute("withdraw"),
    "results.result": _get("/m/{house.match}/result"),
    "results.card_svg": _get("/m/{house.match}/result/card.svg"),
    "results.card_png": _get("/m/{house.match}/result/card.png"),
    "results.standings": _get("/n/{house.night}/standings"),
    "results.scheme": _post("/n/{house.night}/scheme", scheme="winner"),
    "history.home": _get("/past"),
    "history.nights": _get("/past/nights"),
    "history.night": _get("/past/nights/{house.night}"),
    "history.people": _get("/past/people"),
    "history.game": _get("/past/games/ligretto-crazy"),
    "history.person": _past("/past/people/{player}"),
    "history.against": _past("/past/people/{player}/against/{other}"),
    "history.ask_to_forget": lambda *given: Call(f"/past/people/{_forget(*given)}/forget"),
    "history.forget": lambda house, role, case: Call(f"/past/people/{house.guest().id}/forget", {}),
    "history.correct": _past("/past/people/{player}/correct"),
    "history.merge": _past("/past/people/{player}/same", changes=True),
    "history.part": _past("/past/people/{player}/apart", changes=True),
    "history.split": _past("/past/people/{player}/split", changes=True),
    "history.hand_out": _past("/past/people/{player}/phone"),
    "history.handed": lambda *given: Call(_take(*given)),
    "history.take": lambda *given: Call(_take(*given), {}),
    "exports.match": _get("/m/{house.match}/export"),
    "exports.record": _get("/m/{house.match}/record.json"),
    "exports.match_csv": _get("/m/{house.match}/table.csv"),
    "exports.bg_stats": lambda house, role, case: Call(f"/m/{house.finished()}/bg-stats"),
    "exports.bg_stats_short": _bg_stats_short,
    "exports.night": _get("/n/{house.night}/export"),
    "exports.night_csv": _get("/n/{house.night}/table.csv"),
    "exports.bring": _post("/n/{house.night}/export", record=RECORD),
    "live.night": _get("/n/{house.night}/live"),
    "live.tv": _get("/n/{house.night}/tv/live"),
    "live.match": _get("/m/{house.match}/live"),
    "live.night_now": _get("/n/{house.night}/now"),
    "live.tv_now": _get("/n/{house.night}/tv/now"),
    "live.match_now": _get("/m/{house.match}/now"),
}
