"""Phones for the browser tests: real Chromium pages that count their taps and remember everything that went wrong."""

import json
import re
import socket
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from importlib.resources import files
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

from babel.support import Translations
from conftest import serve
from ports import free_port
from web.qr import read_svg
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.i18n import TRANSLATIONS, languages

NAME = "game.test"
OFF = (  # of two lists of features the last one counts, so those that Playwright switches off stand here, too
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,"
    "PreconnectToSearch,ThirdPartyStoragePartitioning,"
    "WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup"  # two pages of the browser's own for every phone: half of its start
)
FLAGS = [
    "--no-sandbox",
    f"--disable-features={OFF}",
    "--disable-dev-shm-usage",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
    # nobody is called home
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
]
SIZE = {"width": 360, "height": 740}
LOOK = "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI));"
LATE = {  # with --late: whatever a test did not wait for has not happened yet when it looks
    "answers": """{
  const { get, set } = Object.getOwnPropertyDescriptor(XMLHttpRequestEventTarget.prototype, "onload");
  const late = heard => function (event) { setTimeout(() => heard.call(this, event), 700); };
  Object.defineProperty(XMLHttpRequest.prototype, "onload", { get, set(heard) { set.call(this, late(heard)); } });
}""",
    "streams": """{
  const add = EventSource.prototype.addEventListener, late = heard => event => setTimeout(() => heard(event), 700);
  EventSource.prototype.addEventListener = function (name, heard) { add.call(this, name, late(heard)); };
}""",
}
LATE["everything"] = LATE["answers"] + LATE["streams"]
TONGUES = {language: Translations.load(TRANSLATIONS, [language]) for language in languages()}  # of English there is none: as it stands
PATIENCE = 30_000  # milliseconds that a test waits for what has to come; on a quiet machine it comes at once
SOON = 12_000  # how long a phone may take to show the truth; asking now and then would take it 25 s
PROMISED = 2_000  # … on a machine that has nothing else to do: --quiet-machine


@dataclass
class Table:
    """A running server under a name that is no secure context."""

    server: object
    port: int

    @property
    def url(self):
        return f"http://{NAME}:{self.port}"

    def restart(self):
        self.server = serve(self.server.folder, self.port, "--url", self.url)


def new_table(folder, path=None):
    port = free_port()
    return Table(serve(folder, port, "--url", f"http://{NAME}:{port}", path=path), port)


def _translated(message, tongue):
    """Of what depends on a number, the singular; early Python 3.11 finds it only when it is asked for one."""
    said = tongue.gettext(message)
    return tongue.ngettext(message, message, 1) if said == message else said


def is_stream(request):
    return urlsplit(request.url).path.endswith("/live")


@dataclass
class Near:
    """A server in this process: a test can enter what nobody's finger did."""

    app: object
    port: int

    @property
    def url(self):
        return f"http://{NAME}:{self.port}"

    def enter(self, match, action):
        store = self.app.extensions["companion"].store
        ask = next(iter(store.match(match).position.asks))
        return store.act(match, ask, action, None, f"a key of {match} {len(store.match(match).keys)}").n

    @contextmanager
    def serving(self):
        server = make_server("127.0.0.1", self.port, self.app, threaded=True, request_handler=Silent)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield self
        self.app.extensions["companion"].live.stop()
        server.shutdown()
        server.server_close()
        self.app.extensions["companion"].database.close()


class Silent(WSGIRequestHandler):
    def log(self, type, message, *args):
        pass


@dataclass(eq=False)
class Phone:
    """One phone: a page with its listeners. `pardons` holds what a test expects the browser to complain about."""

    page: object
    home: str
    name: str = ""
    taps: int = 0
    troubles: list = field(default_factory=list)
    pardons: list = field(default_factory=list)
    hosts: set = field(default_factory=set)
    streams: set = field(default_factory=set)
    language: str = "en"
    soon: int = SOON

    def __post_init__(self):
        page = self.page
        page.on("console", lambda said: self._note(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        page.on("request", self._asked)
        page.on("requestfinished", lambda request: self.streams.discard(request))
        page.on("requestfailed", lambda request: self.streams.discard(request))

    def _note(self, text):
        self.troubles.append(text)

    def _asked(self, request):
        self.hosts.add(urlsplit(request.url).netloc)
        if is_stream(request):
            self.streams.add(request)

    def expect(self, *pieces):
        """The browser may complain about these from now on: a refusal that the test provokes, or a cut line."""
        self.pardons += pieces

    def wrong(self):
        """What went wrong and was not expected."""
        with suppress(Exception):
            self.page.evaluate("1")  # lets the last messages arrive
        return [text for text in self.troubles if not any(piece in text for piece in self.pardons)]

    def is_secure(self):
        return self.page.evaluate("isSecureContext")

    # ---- what a hand does --------------------------------------------------------------------------------------------

    def go(self, path):
        self.page.goto(path if path.startswith("http") else self.home + path)
        return self

    def tap(self, what, **values):
        """A tap, counted; on a button or link by its words, or on a selector."""
        target = what if not isinstance(what, str) else self.find(what, **values)
        target.tap()
        self.taps += 1

    def find(self, what, **values):
        if what[0] in "#.[" or what.startswith("css="):
            return self.page.locator(what).first
        words = re.compile(rf"^\W*{re.escape(self.says(what, **values))}\W*$")
        return self.page.get_by_role("button", name=words).or_(self.page.get_by_role("link", name=words)).first

    def key(self, digits):
        """Digits on our keypad."""
        for digit in digits:
            self.tap(f'.keys [data-key="{digit}"]')

    def type_count(self, scored, left):
        """The two numbers of a player, without the last tap."""
        self.key(str(scored))
        self.tap("[data-next]")
        self.key(str(left))

    def count(self, scored, left):
        """… with it, and the answer."""
        self.type_count(scored, left)
        self.tap("[data-next]")
        self.page.wait_for_selector("#enter .htmx-request", state="detached")

    # ---- what an eye sees --------------------------------------------------------------------------------------------

    def says(self, message, **values):
        """A message of the catalogue as this phone says it; what is none, a name or a game, as it stands."""
        said = _translated(message, TONGUES[self.language]) if isinstance(message, str) else message
        return (said % values if "%(" in said else said.format(**values)) if values else said

    def sees(self, text, within="body", soon=PATIENCE, **values):
        self.page.locator(within).get_by_text(self.says(text, **values)).first.wait_for(timeout=soon)

    def sees_not(self, text, within="body", soon=PATIENCE):
        self.page.locator(within).get_by_text(text).first.wait_for(state="hidden", timeout=soon)

    def text(self, what):
        return self.page.locator(what).first.inner_text()

    def box(self, what):
        """Where something is on the screen. A live update may put another in its place just while it is measured: then that one."""
        place = self.page.locator(what).first if isinstance(what, str) else what
        return next(filter(None, (place.bounding_box() for _ in range(100))))

    def values(self):
        return [each.input_value() for each in self.page.locator(".number input").all()]

    def line(self, state, soon=PATIENCE):
        self.page.wait_for_selector(f'#line[data-state="{state}"]', timeout=soon)

    def totals(self):
        """The points on the board by name."""
        read = (
            "rows => rows.map(row => [row.querySelector('.name').lastChild.textContent.trim(), row.querySelector('.points').textContent])"
        )
        return {name: int(points.replace("−", "-")) for name, points in self.page.locator("#board .bars li").evaluate_all(read)}

    def shows(self, totals, soon=PATIENCE):
        """Wait until the board shows these points."""
        for name, points in totals.items():
            row = self.page.locator("#board .bars li").filter(has_text=name)
            row.locator(".points").get_by_text(str(points).replace("-", "−"), exact=True).wait_for(timeout=soon)

    def done(self):
        """Who has a tick in the list."""
        return self.page.locator("#waiting li.done > span:not(.seat):not(.unseen)").all_inner_texts()


# ---- evenings --------------------------------------------------------------------------------------------------------


def start_night(phone, name):
    phone.name = name
    phone.go("/")
    phone.page.fill("#name", name)
    phone.tap("Start a night")
    phone.page.wait_for_url("**/n/*")
    return phone


def code_of(host):
    return host.text("#invite .code")


def join_by_code(phone, code, name):
    phone.name = name
    phone.go("/")
    phone.page.fill("#code", code)
    phone.tap("css=form[action='/join'] button")
    phone.page.wait_for_url("**/j/*")
    phone.page.fill("#name", name)
    phone.tap("Join")
    phone.page.wait_for_url("**/n/*")
    return phone


def add_person(phone, name):
    if not phone.page.locator("#people .add[open]").count():  # it stays open for the next one
        phone.tap("css=#people .add summary")
    phone.page.fill("#people .add input[name=name]", name)
    with phone.page.expect_navigation():
        phone.tap("Add")
    phone.sees(name, "#people .people")


def play_from_lobby(host, others, names, title, without=(), ready=None, **choices):
    """An evening as people start it: the host, the code, the others, those without a phone, the game and what is `ready` for it; gives
    the match's address."""
    start_night(host, names[0])
    for phone, name in zip(others, names[1:], strict=False):
        join_by_code(phone, code_of(host), name)
    for name in without:
        add_person(host, name)
    host.tap("Choose a game")
    host.tap(host.page.locator(".game", has_text=title))
    host.page.wait_for_selector(".tap")
    for id, value in choices.items():
        choose = host.page.locator(f"#{id}")
        choose.fill(value) if choose.get_attribute("inputmode") else choose.select_option(label=value)
    if ready:
        ready(host)
    host.tap("Start the match")
    host.page.wait_for_url("**/m/*")
    for phone in others:
        phone.tap("css=#matches .match")  # it appeared in the lobby by itself
        phone.page.wait_for_url("**/m/*")
    for phone in (host, *others):
        phone.line("live")
    return urlsplit(host.page.url).path


# ---- the same without looking: how a test gets to where it starts ----------------------------------------------------


class Hand:
    """Sends forms for a phone, then gives it the cookie."""

    def __init__(self, port, language="en"):
        self.base = f"http://127.0.0.1:{port}"
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))
        self.opener.addheaders.append(("Accept-Language", language))

    def get(self, path):
        with self.opener.open(self.base + path) as answer:
            return answer.url, answer.read().decode()

    def post(self, path, data):
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/")[1])[1]
        with self.opener.open(self.base + path, urlencode({"csrf_token": token, **data}, doseq=True).encode()) as answer:
            return answer.url, answer.read().decode()

    def give(self, phone):
        phone.page.context.add_cookies([{"name": each.name, "value": each.value, "url": phone.home} for each in self.jar])


def gather(table, *phones, names=("Ana", "Ben", "Cem", "Dia"), without=()):
    """A night with these phones, the first one hosting, and people without one; gives the lobby's address and the hands."""
    hands = [Hand(table.port, phone.language) for phone in phones]
    lobby, page = hands[0].post("/nights", {"name": names[0]})
    token = urlsplit(read_svg(page)).path
    for hand, name in list(zip(hands, names, strict=False))[1:]:
        hand.post(token, {"name": name})
    for name in without:
        hands[0].post(urlsplit(lobby).path + "/people", {"name": name})
    for hand, phone, name in zip(hands, phones, names, strict=False):
        phone.name = name
        hand.give(phone)
    return urlsplit(lobby).path, hands


def sit(table, *phones, game="ligretto-crazy", counting=True, without=(), names=("Ana", "Ben", "Cem", "Dia"), **options):
    """A match with these phones at its table; in Ligretto somebody has called stop already."""
    lobby, hands = gather(table, *phones, names=names, without=without)
    _, page = hands[0].get(f"{lobby}/new/{game}")
    people = re.findall(r'name="seat" value="([^"]+)"', page)
    match, _ = hands[0].post(f"{lobby}/new/{game}", {"seat": people, "order": ",".join(people), **options})
    if counting and game == "ligretto-crazy":
        hands[0].post(urlsplit(match).path + "/call", {"call": "stop"})
    for phone in phones:
        phone.go(urlsplit(match).path)
    for phone in phones:
        phone.line("live")
    return urlsplit(match).path


def example(game):
    """The record of a whole match that ships with the game."""
    return json.loads(files("companion.games").joinpath("examples", f"{game}.json").read_text(encoding="utf-8"))


def in_play(hand, game, entries=None):
    """A match halfway through its example, or after so many entries; gives the addresses of lobby and table."""
    record = example(game)
    lobby, _ = hand.post("/nights", {"name": record["players"][0]})
    lobby = urlsplit(lobby).path
    begun = record | {"actions": record["actions"][: entries or len(record["actions"]) // 2]}
    match, _ = hand.post(f"{lobby}/export", {"record": json.dumps(begun)})
    return lobby, urlsplit(match).path


# ---- a cable that can be cut -----------------------------------------------------------------------------------------


class Cable:
    """Stands between phones and server: can be cut at any byte (`most`), go silent, or hold the answers to some requests (`held`)."""

    def __init__(self, port):
        self.to, self.silent, self.most, self.held, self.asked = port, False, None, None, {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.ends, self.threads = [], []
        self._start(self._accept)

    @property
    def url(self):
        return f"http://{NAME}:{self.port}"

    def _start(self, run, *given):
        thread = threading.Thread(target=run, args=given, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.silent:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                near.close()
                continue
            self.ends += [near, far]
            self._start(self._pass, near, far, False)
            self._start(self._pass, far, near, True)

    def _pass(self, source, sink, down):
        with suppress(OSError):
            while data := source.recv(65536):
                if self.silent:
                    continue  # nothing arrives, nobody is told
                if not down:
                    self.asked[source] = data.split(b" HTTP")[0]
                while down and self.held and self.held in self.asked.get(sink, b""):
                    time.sleep(0.01)
                if down and self.most is not None:
                    data, self.most = data[: self.most], self.most - len(data)
                sink.sendall(data)
                if down and self.most is not None and self.most <= 0:
                    self.most = None
                    break
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """All lines end at once."""
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.silent, self.held = False, None  # nobody waits any more
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()
        for thread in self.threads:
            thread.join(5)
        for end in self.ends:
            end.close()
