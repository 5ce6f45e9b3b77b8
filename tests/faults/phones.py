"""Phones at a table, over real sockets: a browser's cookies and tokens, no script."""

import html
import http.client
import json
import re
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def booked(self):
        return self.status == 303


class Phone:
    """One person's browser with one kept connection."""

    def __init__(self, url, timeout=30):
        self.host, self.timeout = urlsplit(url).netloc, timeout
        self.cookie, self._token, self._connection = None, None, None

    def get(self, path):
        return self._ask("GET", path, None, {})

    def post(self, path, data=(), **headers):
        return self._ask("POST", path, urlencode({"csrf_token": self.token, **dict(data)}, doseq=True), headers)

    @property
    def token(self):
        if self._token is None:
            self._token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/").text)[1]
        return self._token

    def headers(self):
        return {"Origin": f"http://{self.host}", **({"Cookie": self.cookie} if self.cookie else {})}

    def _ask(self, method, path, body, headers):
        headers = self.headers() | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            headers["Content-Type"] = FORM
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self.host, timeout=self.timeout)
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise
        if answer.will_close:
            self.hang_up()
        if cookie := answer.headers["Set-Cookie"]:
            self.cookie = cookie.split(";")[0]
        return Answer(answer.status, answer.headers, text)

    def raw(self, path, data):
        """A POST as it goes over the wire."""
        body = urlencode({"csrf_token": self.token, **dict(data)}).encode()
        lines = [f"POST {path} HTTP/1.1", f"Content-Type: {FORM}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in ({"Host": self.host} | self.headers()).items()]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def dial(self):
        host, port = self.host.split(":")
        return socket.create_connection((host, int(port)), timeout=self.timeout)

    def open_stream(self, path):
        """Ask for a stream and leave the line open."""
        line = self.dial()
        head = "".join(f"{name}: {value}\r\n" for name, value in ({"Host": self.host} | self.headers()).items())
        try:
            line.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        except OSError:
            line.close()
            raise
        return line

    def hang_up(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(frozen=True)
class Table:
    """A night with people on phones and the matches they play."""

    night: str
    names: tuple
    phones: tuple
    matches: tuple

    @property
    def match(self):
        return self.matches[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for phone in self.phones:
            phone.hang_up()


def sit_down(url, names=("Ana", "Ben"), matches=1, game="ligretto-crazy", phone=Phone):
    """The first hosts; all play every match."""
    phones = [phone(url) for _ in names]
    night = _place(phones[0].post("/nights", {"name": names[0]}))
    code = re.search(r'class="code">([\w ]+)<', phones[0].get(f"/n/{night}").text)[1]
    for phone, name in zip(phones[1:], names[1:], strict=True):
        _place(phone.post("/j/" + _place(phone.post("/join", {"code": code})), {"name": name}))
    seats = _offered(phones[0], f"/n/{night}/new/{game}", len(names))
    started = [_place(phones[0].post(f"/n/{night}/new/{game}", {"seat": seats, "order": ",".join(seats)})) for _ in range(matches)]
    return Table(night, tuple(names), tuple(phones), tuple(started))


def _offered(phone, path, people, seconds=20):
    """The people who can be seated, once the process that is asked has heard of all: they may have joined at another one."""
    until = time.monotonic() + seconds
    while len(seats := re.findall(r'name="seat" value="([^"]+)"', phone.get(path).text)) != people:
        assert time.monotonic() < until, seats
        time.sleep(0.02)
    return seats


def _place(answer):
    assert answer.status == 303, (answer.status, answer.text)
    return answer.headers["Location"].rsplit("/", 1)[1]


# ---- together --------------------------------------------------------------------------------------------------------


def at_once(jobs):
    """Run all at the same moment; their results in order."""
    barrier, results = threading.Barrier(len(jobs)), [None] * len(jobs)

    def run(place, job):
        barrier.wait()
        try:
            results[place] = job()
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=each) for each in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


class Listener(threading.Thread):
    """A phone that only looks, and comes back whenever the line breaks; keeps every entry that it was ever shown."""

    def __init__(self, phone, match):
        super().__init__(daemon=True)
        self.phone, self.match = phone, match
        self.shown = {}  # n: the sentences
        self.brought = set()  # the rounds on the board, which comes first; every entry is one
        self.frames, self.ended = 0, threading.Event()
        self._line = None

    def run(self):
        while not self.ended.is_set():
            try:
                self._listen()
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)

    def _listen(self):
        with self.phone.open_stream(f"/m/{self.match}/live") as self._line, http.client.HTTPResponse(self._line) as answer:
            answer.begin()
            while line := answer.readline():
                if line.startswith(b"data: {"):
                    self._read(json.loads(line[6:]))

    def _read(self, message):
        self.frames += 1
        board, story = (message["regions"].get(name, "") for name in ("board", "story"))
        self.brought |= {int(n) for n in re.findall(r'#round-(\d+)"', board)}
        for n, body in re.findall(r'/entries/(\d+)">(.*?)</a>', story, re.DOTALL):
            sentences = re.findall(r'<span class="note[^"]*">(.*?)</span>', body)
            self.shown[int(n)] = [html.unescape(each) for each in sentences]

    def end(self):
        self.ended.set()
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        self.join(60)


# ---- what is entered: whole rounds of Ligretto in which nobody wins anything, so that a match never ends -----------------


def whole_round(random, seats=2):
    """Counts that are not doubtful: the rules then have nothing to add."""
    scored = [random.randrange(9, 19) for _ in range(seats)]
    return {f"{pile}.{seat}": str(n) for pile in ("scored", "left") for seat, n in enumerate(scored)}


def as_data(form):
    """What the log has to hold for such a form."""
    seats = len(form) // 2
    return {"do": "round", **{pile: [int(form[f"{pile}.{seat}"]) for seat in range(seats)] for pile in ("scored", "left")}}


def as_told(data, names):
    return [f"{name}: {s} − {n} = {s - n}." for name, s, n in zip(names, data["scored"], data["left"], strict=True)]
