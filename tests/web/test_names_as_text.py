"""Promise 19: a name is only ever text, in every page, fragment and stream frame.

The same evening is played twice, once by people with harmless names. Every answer must have the same nodes both times, and show each
name as often. (Exports come later; whoever adds them adds them to `everything`.)
"""

import json

import pytest
from conftest import Browser, make_evening
from databases import new_app, on_postgres, sql
from markupsafe import Markup
from web.calls import started
from web.looking import Page, folder_of, html_in, stream, write_by_hand

from companion.web import region_cache, sse

HARMLESS = ("Abigail", "Bertrand", "Clementine", "Dagobert", "Esmeralda", "Ferdinand", "Gwendolyn")
PAYLOADS = (
    (
        "<script>a()</script>",
        "<img src=x onerror=a()>",
        '"><b>bold</b>',
        "' onload='a()' x='",
        "{{7*7}}{%raw%}",
        "<svg/onload=a()>",
        "</title><p>",
    ),
    (
        "{0.__class__}{name}",
        "%(name)s%s%(num)d",
        "&lt;b&gt;&#60;i&#62;",
        "</section></main><p>",
        "<!-- open",
        "<a href=//x.test>",
        "]]><b>",
    ),
    ("data: x event: y", "=1+1;cmd|' /C", "\\u003cb\\u003e\\x3c", "${7*7}`a`", "javascript:a()//", '"}],"regions":{"x":"', '-->\\"<i>'),
    (
        "<style>*{}</style>",
        "<iframe src=/>",
        "<input name=key>",
        "</form><form action=x>",
        "<base href=//x>",
        "Zoë 🎲 ½ <ñ>",
        "<b hx-on:click=a()>",
    ),
)


@pytest.fixture(scope="module")
def make_app(tmp_path_factory):
    apps = []

    def make():
        apps.append(new_app(tmp_path_factory.mktemp("names")))
        apps[-1].testing = True
        return apps[-1]

    yield make
    for app in apps:
        app.extensions["companion"].database.close()


@pytest.fixture(scope="module")
def harmless(make_app):
    return looked_at(Scene(make_app(), HARMLESS))


class Scene:
    """An evening with a finished match, one in the middle, a secret, a claim, somebody removed, and somebody without a phone."""

    def __init__(self, app, names):
        self.app, self.names = app, names
        self.host, self.player, self.watcher, self.new = (Browser(app) for _ in range(4))
        self.night = started(self.host, names[0], night=names[6])
        self.nights, self.store = app.extensions["companion"].nights, app.extensions["companion"].store
        self.token = self.nights.room(self.night).night.token
        self.player.post(f"/j/{self.token}", {"name": names[1]})
        self.watcher.post(f"/j/{self.token}", {"name": names[2], "watch": "1"})
        for name in (names[3], names[5]):
            self.host.post(f"/n/{self.night}/people", {"name": name})
        gone = Browser(app)
        gone.post(f"/j/{self.token}", {"name": names[4]})
        self.ids = {person.name: person.id for person in self.nights.room(self.night).people}
        self.play([self.ids[name] for name in (names[0], names[1], names[3], names[4])])
        self.host.post(f"/n/{self.night}/people/{self.ids[names[4]]}/remove")
        self.new.post(f"/j/{self.token}/seats/{self.ids[names[1]]}/ask")

    def play(self, seats):
        self.won = self.match("ligretto-crazy", seats, target="50")
        self.book(self.won, "round-1", {"do": "round", "scored": [60, 50, 10, 4], "left": [5, 5, 1, 2]})
        self.open = self.match("ligretto-crazy", seats)
        self.book(self.open, "round-1", {"do": "round", "scored": [20, 20, 10, 4], "left": [5, 5, 1, 2], "caller": 1})
        self.host.post(f"/m/{self.open}/call", {"call": "stop"})
        self.book(self.open, "round-2-count-2", {"do": "count", "seat": 2, "scored": 10, "left": 5})
        self.lab = self.match("crazy-lab", seats)
        self.book(self.lab, "round-1-minus", {"do": "minus", "colours": ["purple", "yellow", "green", "blue"]})
        self.book(self.lab, "round-1-plus-1", {"do": "plus", "seat": 1, "colour": "orange"}, self.names[1])
        cards = [{"blue": 2, "orange": 1}, {"purple": 2, "yellow": 1, "orange": 1}, {"orange": 6, "purple": 5}, {"green": 2, "orange": 1}]
        self.book(self.lab, "round-1-trick-1-cards", {"do": "trick", "trump": "blue", "cards": cards})
        self.sheet = self.match("score-sheet", seats, title=self.names[6], rows=f"{self.names[5]}\n{self.names[2]}", tie="last-row")
        self.book(self.sheet, "row-0-all-0", {"do": "round", "row": 0, "points": [4, 4, -2, 0]})
        self.book(self.sheet, "row-1-side-1", {"do": "score", "row": 1, "seat": 1, "points": -7})
        self.house_rules()

    def house_rules(self):
        """Words of a player: the name of some rules, what the table decided, and what is proposed now."""
        question = {"question": json.dumps({"trump": "green", "cards": [{"green": 1}] * 4})}
        self.host.post(f"/n/{self.night}/new/crazy-lab/rules", {"rules_name": self.names[3]})
        for n, (by, words) in enumerate(((self.host, self.names[4]), (self.player, self.names[5]))):
            self.player.post(f"/m/{self.lab}/disputes", {**question, "key": f"the key {n}"})
            dispute = self.app.extensions["companion"].house_rules.disputes(self.lab)[-1]
            by.post(f"/m/{self.lab}/disputes/{dispute.id}/answer", {"turn": "0", "words": words})

    def match(self, game, seats, **options):
        answer = self.host.post(f"/n/{self.night}/new/{game}", {"seat": seats, "order": ",".join(seats), "starter": seats[0], **options})
        return answer.headers["Location"].rsplit("/", 1)[1]

    def book(self, match, ask, action, by=None):
        self.store.act(match, ask, action, self.ids[by or self.names[0]], f"{ask} {json.dumps(action)}"[:60])

    def everything(self):
        """Every page, fragment and first frame with its name."""
        seats = (("host", self.host), ("player", self.player), ("watcher", self.watcher))
        for who, browser in seats:
            for path in self.paths(who):
                yield f"{who} {path}", browser.get(self.at(path))
        yield "join", Browser(self.app).get(f"/j/{self.token}")
        yield "waiting", self.new.get(f"/j/{self.token}?waiting=1")
        for name, browser, path, data in self.sent():
            for htmx in (False, True):
                yield f"{name}{' htmx' if htmx else ''}", browser.post(self.at(path), data, htmx=htmx)

    def at(self, path):
        people = {"one": self.ids[self.names[0]], "two": self.ids[self.names[1]]}
        return path.format(n=self.night, won=self.won, open=self.open, lab=self.lab, sheet=self.sheet, token=self.token, **people)

    def paths(self, who):
        yield from ("/", "/n/{n}", "/n/{n}/now", "/n/{n}/tv", "/n/{n}/tv/now", "/n/{n}/standings")
        for match in ("won", "open", "lab", "sheet"):
            yield from (f"/m/{{{match}}}", f"/m/{{{match}}}/now", f"/m/{{{match}}}/entries/1", f"/m/{{{match}}}/result")
        yield from ("/m/{lab}/entries/2", "/m/{lab}/entries/3", "/m/{open}/entries/2", "/n/{n}/house-rules")
        yield from ("/past", "/past/nights", "/past/nights/{n}", "/past/people", "/past/people/{one}", "/past/people/{one}/against/{two}")
        yield from ("/past/games/ligretto-crazy", "/past/people/{one}/forget")
        yield from ("/m/{sheet}/entries/2", "/m/{sheet}/seats/1", "/m/{sheet}/story")
        if who != "watcher":
            yield from (
                "/n/{n}/new",
                "/n/{n}/new/ligretto-crazy",
                "/n/{n}/new/crazy-lab?again={lab}",
                "/n/{n}/new/score-sheet?again={sheet}",
                "/n/{n}/machine",
            )
            yield from ("/m/{lab}/ask/round-1-trick-2", '/m/{lab}/ask/round-1-trick-2?a="blue"', "/m/{lab}/ask/round-1-plus-0")
            yield from ("/m/{sheet}/ask/row-1-side-0", "/m/{sheet}/ask/row-1-all-2")
            yield from ("/m/{lab}/ask/round-1-count-1", "/m/{open}/ask/round-2-count-2-again-10-5", "/m/{lab}/ask/x?of=1")

    def sent(self):
        """What is refused or answered, with names in the words."""
        counted = {"scored": "9", "left": "3", "key": "a key of the table"}
        yield "taken", Browser(self.app), "/j/{token}", {"name": self.names[1]}
        yield "taken by adding", self.host, "/n/{n}/people", {"name": self.names[1]}
        yield "too few", self.host, "/n/{n}/new/ligretto-crazy", {"seat": [self.ids[self.names[0]]]}
        yield "another's", self.player, "/m/{open}/entries/1/undo", {"key": "a key of the table"}
        yield "a doubt", self.host, "/m/{open}/act/round-2-count-3", {**counted, "scored": "999"}
        yield "late", self.player, "/m/{open}/act/round-1-count-1", counted
        yield "broken", self.host, "/m/{lab}/entries/1/undo", {"key": "the key of an undo"}
        yield "phone", Browser(self.app), f"/j/{{token}}/seats/{self.ids[self.names[1]]}/take", {}
        yield "no phone", self.host, f"/n/{{n}}/people/{self.ids[self.names[3]]}/host", {}
        rows = {"rows": f"{self.names[6]}\n{self.names[6]}", "title": self.names[5], "seat": [self.ids[self.names[0]]]}
        yield "two rows", self.host, "/n/{n}/new/score-sheet", rows
        yield "a full row", self.host, "/m/{sheet}/act/row-0-side-0", {"points": "1", "key": "a key of the sheet"}
        yield "counted", self.host, "/m/{open}/act/round-2-count-0", counted

    def frames(self):
        """The first frames of each stream."""
        for path in ("/n/{n}/live", "/n/{n}/tv/live", "/m/{open}/live", "/m/{lab}/live"):
            with stream(self.player, self.at(path)) as got:
                assert got.get(timeout=60).status_code == 200
                yield path, [got.get(timeout=60), got.get(timeout=10)]


def looked_at(scene):
    """By answer: its nodes, and how often each name can be read in it, as text or in an attribute."""
    found = {}
    for name, answer in scene.everything():
        assert answer.status_code < 500
        found[name] = (answer.status_code, *_seen(Page(html_in(answer)), scene.names))
    for path, frames in scene.frames():
        lines = [line.split(":")[0] for frame in frames for line in frame.split("\n")]
        regions = json.loads(frames[1].split("data: ", 1)[1])["regions"]
        found[path] = (lines, sorted(regions), *_seen(Page("".join(regions.values())), scene.names))
    return found


def _seen(page, names):
    readable = "\n".join(["".join(page.words), *page.values])
    return page.nodes, [readable.count(name) for name in names]


def differences(harmless, payload):
    return [name for name in harmless if harmless[name] != payload.get(name)]


def test_every_payload_is_a_name_and_no_more(make_app, harmless):
    assert len(harmless) > 70
    for names in PAYLOADS:
        assert differences(harmless, looked_at(Scene(make_app(), names))) == []


def test_every_name_was_looked_for_where_it_stands(harmless):
    """The check above is worth something: all names are read often, and several answers hold all of them."""
    totals = [sum(counts) for counts in zip(*(each[-1] for each in harmless.values()), strict=True)]
    assert min(totals) > 20
    assert {status for status, *_ in harmless.values() if isinstance(status, int)} >= {200, 303, 403, 409, 422}


def test_pages_that_do_not_escape_are_noticed(make_app, harmless):
    app = make_app()
    app.jinja_env.autoescape, app.jinja_env.bytecode_cache = False, None  # compiled again, without it
    assert len(differences(harmless, looked_at(Scene(app, PAYLOADS[0])))) > 40


def test_sentences_that_count_as_safe_are_noticed(make_app, harmless):
    app = make_app()
    spoken = app.jinja_env.filters["speak"]
    app.jinja_env.filters["speak"] = lambda *given: Markup(spoken(*given))
    assert len(differences(harmless, looked_at(Scene(app, PAYLOADS[0])))) > 10


# ---- what somebody types ---------------------------------------------------------------------------------------------

TYPED = ("<script>a()</script>", '"><b>x</b>', "' onfocus='a()", "</section><p>", "<!--", "{{7*7}}", "%(name)s")


def echoed(evening, match, typed):
    """Every answer that repeats what was typed."""
    ana, stranger = evening["Ana"], Browser(evening.app)
    form = {"scored": typed, "left": "5", "key": "the key of a form"}
    yield ana.post(f"/m/{match}/act/round-1-count-0", form)
    yield ana.post(f"/m/{match}/act/round-1-count-0", form, htmx=True)
    yield ana.post(f"/m/{match}/act/round-1-count-0", {**form, "scored": "1", "caller": typed})
    yield ana.post(f"/m/{match}/act/round-1-count-0", {**form, "scored": "1", "key": (typed * 20)[:100]})
    yield ana.post(f"/m/{match}/entries/1/amend", form)
    yield ana.get(f"/m/{match}/ask/round-1-count-0", query_string={"a": typed})
    yield ana.get(f"/m/{match}/ask/round-1-count-0", query_string={"a": json.dumps(typed)})
    yield ana.get(f"/m/{match}/ask/round-1-count-0", query_string={"of": typed})
    yield ana.post(f"/n/{evening.id}/new/crazy-lab", {"rounds": typed, "starter": typed, "tie": typed, "order": typed, "seat": typed})
    yield ana.get(f"/n/{evening.id}/new/crazy-lab", query_string={"again": typed})
    yield stranger.post("/join", {"code": typed})
    yield stranger.post(f"/j/{evening.token}", {"name": typed * 30})
    yield stranger.get(f"/j/{evening.token}", query_string={"waiting": typed})
    yield stranger.get("/" + typed.replace("?", ""))


def nodes_of_echoes(evening, match, typed):
    return [Page(html_in(answer)).nodes for answer in echoed(evening, match, typed)]


def test_what_somebody_types_comes_back_as_text(evening):
    match = evening.start()
    evening["Ana"].post(f"/m/{match}/act/round-1-count-1", {"scored": "9", "left": "9", "key": "the first key"})
    plain = nodes_of_echoes(evening, match, "nothing")
    for typed in TYPED:
        assert nodes_of_echoes(evening, match, typed) == plain, typed


def test_an_echo_that_is_not_escaped_is_noticed(make_app):
    app = make_app()
    app.jinja_env.autoescape, app.jinja_env.bytecode_cache = False, None  # compiled again, without it
    evening = make_evening(app)
    match = evening.start()
    plain, typed = nodes_of_echoes(evening, match, "nothing"), nodes_of_echoes(evening, match, TYPED[0])
    assert sum(one != other for one, other in zip(plain, typed, strict=True)) >= 3


# ---- names that no form would take, written into the file by hand ----------------------------------------------------

BY_HAND = ("x\n\nevent: bye\ndata: \n\n", "x\r\rdata: {}\r\r", "\u2028\u2029", "\x00<b>", "x" * 3000, "", " ", "\u202eevil", "<b>\n<i>")


def frames_with(evening, match, name):
    """What the lines are called that a stream sends with that name in the file."""
    write_by_hand(
        evening.app, "UPDATE person SET name = ? WHERE joined_at = (SELECT max(joined_at) FROM person WHERE NOT watching)", (name,)
    )
    evening.app.extensions["companion"].nights.reread(evening.id)
    region_cache.clear()  # what was drawn and put together under the other name
    sse._event.cache_clear()
    with stream(evening["Ana"], f"/m/{match}/live") as got:
        got.get(timeout=60)
        sent = got.get(timeout=60) + got.get(timeout=10)
    return [line.split(":")[0] for line in sent.replace("\r", "\n").split("\n")]


def test_a_name_written_by_hand_ends_no_frame_and_breaks_no_page(evening):
    match = evening.start()
    plain = frames_with(evening, match, "Cem")
    for name in BY_HAND:
        if on_postgres() and "\x00" in name:
            continue  # it takes no such text
        assert frames_with(evening, match, name) == plain
        for path in (
            f"/n/{evening.id}",
            f"/n/{evening.id}/tv",
            f"/m/{match}",
            f"/n/{evening.id}/new/crazy-lab",
            f"/n/{evening.id}/machine",
        ):
            answer = evening["Ana"].get(path)
            assert answer.status_code == 200
            assert ("i", ()) not in Page(answer.get_data(as_text=True)).nodes


def test_a_stream_that_sends_names_as_they_are_is_noticed(evening, monkeypatch):
    match = evening.start()
    plain = frames_with(evening, match, "Cem")
    message = sse._message
    monkeypatch.setattr(sse, "_message", lambda *given: message(*given).replace("\\n", "\n"))
    assert frames_with(evening, match, BY_HAND[0]) != plain


def test_names_reach_the_file_as_they_are(make_app):
    scene = Scene(make_app(), PAYLOADS[0])
    assert {name for (name,) in sql(folder_of(scene.app), "SELECT name FROM person")} == set(PAYLOADS[0][:6])
