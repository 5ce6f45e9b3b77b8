"""Looking closely: what stands on a page, what a stream sends, what is in the file."""

import json
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from queue import Queue
from threading import Thread

from databases import sql, tables

TABLES = ("night", "person", "same", "claim", "match", "entry", "preset", "dispute")


# ---- pages -----------------------------------------------------------------------------------------------------------


@dataclass
class Form:
    """A form as a browser would send it when nothing is touched."""

    method: str
    action: str
    fields: list = field(default_factory=list)

    @property
    def data(self):
        """As the client wants it: a list where a name occurs more than once."""
        names = dict.fromkeys(name for name, _ in self.fields)
        found = {name: [value for each, value in self.fields if each == name] for name in names}
        return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


class Page(HTMLParser):
    """The nodes, links, forms and words of some HTML."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.nodes, self.links, self.forms, self.words, self.values = [], [], [], [], []
        self._choices = None
        self.feed(html)
        self.close()

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.nodes.append((tag, tuple(name for name, _ in attributes)))
        self.values += [value for _, value in attributes if value]
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "form":
            self.forms.append(Form(given.get("method", "get"), given.get("action", "")))
        if self.forms:
            self._field(tag, given)

    def _field(self, tag, given):
        fields = self.forms[-1].fields
        if tag == "input" and given.get("name") and (given.get("type") != "checkbox" or "checked" in given):
            fields.append((given["name"], given.get("value", "")))
        if tag == "select":
            self._choices = given["name"]
        if tag == "option" and self._choices and ("selected" in given or self._choices not in dict(fields)):
            fields[:] = [each for each in fields if each[0] != self._choices] + [(self._choices, given["value"])]

    def handle_endtag(self, tag):
        if tag == "select":
            self._choices = None

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        self.nodes.append(("comment", ()))

    def handle_decl(self, data):
        self.nodes.append(("declaration", ()))

    def unknown_decl(self, data):
        self.nodes.append(("unknown", ()))

    def handle_pi(self, data):
        self.nodes.append(("instruction", ()))

    def form(self, part):
        """The form whose address holds that part."""
        return next(form for form in self.forms if part in form.action)


def page(answer):
    return Page(answer.get_data(as_text=True))


def words(answer):
    return page(answer).text


def html_in(answer):
    """The HTML in any answer: a page, a fragment, or the regions in JSON."""
    text = answer.get_data(as_text=True)
    return "".join(json.loads(text)["regions"].values()) if answer.mimetype == "application/json" else text


# ---- streams ---------------------------------------------------------------------------------------------------------


@contextmanager
def stream(browser, path, **more):
    """An open stream: a queue with its status and headers first, then its frames as they come."""
    got = Queue()

    def read():
        with closing(browser.get(path, **more)) as answer:
            got.put(answer)
            if answer.status_code == 200:
                for frame in answer.response:
                    got.put(frame.decode() if isinstance(frame, bytes) else frame)

    thread = Thread(target=read)
    thread.start()
    try:
        yield got
    finally:
        live = browser.client.application.extensions["companion"].live
        while thread.is_alive():
            live.stop()
            thread.join(0.05)


def next_regions(got, having=""):
    """The next frame with regions in it, or with that one; a table sends what all see first, then the forms."""
    while True:
        frame = got.get(timeout=60)
        if frame.startswith("event: regions\n") and f'"{having}' in frame:
            return json.loads(frame.split("data: ", 1)[1])


# ---- the file --------------------------------------------------------------------------------------------------------


def folder_of(app):
    return app.extensions["companion"].database.place[0]


def file_of(app):
    return app.extensions["companion"].database.path


def stored(app, names=TABLES):
    """Everything that is stored, read with nothing of ours."""
    return tables(folder_of(app), names)


def write_by_hand(app, statement, values=()):
    sql(folder_of(app), statement, values)
