"""One Chromium for all browser tests; every page of every test is watched."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import machine
import pytest
from browser.phones import FLAGS, LATE, LOOK, NAME, PATIENCE, PROMISED, SIZE, SOON, Cable, Near, Phone, new_table
from conftest import needed
from databases import new_app
from machine import CHROMIUM, NODE, WHOLE
from ports import free_port

STATIC = Path(__file__).parents[2] / "static"


def demanded(thing):
    """As `needed`, but a CI is never green because its browser was missing."""
    if os.environ.get("CI") and not thing.find():
        pytest.fail(thing.missing, pytrace=False)
    return needed(thing)


@pytest.fixture(scope="session")
def program():
    """Where Chromium is."""
    return demanded(CHROMIUM).path


@pytest.fixture(scope="session")
def whole_program(program):
    """… one with windows, of which one may hide the other."""
    return needed(WHOLE).path


@pytest.fixture(scope="session")
def playwright():
    demanded(NODE)
    with machine.playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(program, playwright):
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def whole_chromium(whole_program, playwright):
    browser = playwright.chromium.launch(executable_path=whole_program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """A running server; every test has a night of its own."""
    table = new_table(tmp_path_factory.mktemp("table"))
    yield table
    table.server.stop()


@pytest.fixture
def own_table(tmp_path):
    """A server that a test may stop and start."""
    table = new_table(tmp_path / "instance")
    yield table
    if table.server.process.poll() is None:
        table.server.stop()


@pytest.fixture
def toy_table(tmp_path, site):
    """A server with one more game, a plugin that has only its board and a style of its own."""
    table = new_table(tmp_path / "instance", site)
    yield table
    table.server.stop()


@pytest.fixture
def near(tmp_path):
    port = free_port()
    with Near(new_app(tmp_path / "instance", url=f"http://{NAME}:{port}"), port).serving() as near:
        yield near


@pytest.fixture
def cable(table):
    cable = Cable(table.port)
    yield cable
    cable.close()


@pytest.fixture
def new_phone(request, chromium, table):
    """Makes phones; afterwards none of them may have seen an error, a warning, a violation, or another host."""
    phones, contexts = [], []

    def make(name="", dark=False, spoil=None, spoil_lab=None, url=None, language="en", late=None, browser=chromium, **more):
        scheme = "dark" if dark else "light"
        settings = {"viewport": SIZE, "is_mobile": True, "has_touch": True, "color_scheme": scheme, "locale": language}
        settings |= {"reduced_motion": "reduce", **more}  # what fades in is read at once
        context = browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(LOOK)
        if late := late or request.config.getoption("--late"):
            context.add_init_script(LATE[late])
        if spoil:
            spoil_script(context, *spoil)
        if spoil_lab:
            spoil_script(context, *spoil_lab, script="games/crazy_lab.js")
        hurry = spoil or spoil_lab or request.config.getoption("--quiet-machine")  # nothing is to come of a script with a fault
        phone = Phone(context.new_page(), url or table.url, name, language=language, soon=PROMISED if hurry else SOON)
        phones.append(phone)
        return phone

    yield make
    wrong = {phone.name: phone.wrong() for phone in phones if phone.wrong()}
    secure = [phone.name for phone in phones if phone.page.url.startswith(f"http://{NAME}") and phone.is_secure()]
    hosts = set().union(*(phone.hosts for phone in phones)) - {phone.home.split("//")[1] for phone in phones}
    for context in contexts:
        context.close()
    assert not wrong
    assert not hosts
    assert not secure


def spoil_script(context, old, new, *more, script="app.js"):
    """Our script with a fault put in, or several: what a negative control runs. Each is what stands there and what is put in its place."""
    text = (STATIC / script).read_text()
    for was, becomes in ((old, new), *zip(more[::2], more[1::2], strict=True)):
        assert was in text, f"the script no longer has {was!r}; mend this control"
        text = text.replace(was, becomes)
    context.route(f"**/static/{script}*", lambda route: route.fulfill(body=text, content_type="text/javascript"))


@pytest.fixture
def tabs(whole_program, playwright, table, tmp_path):
    """Tabs of one window, as a person has them: a tab behind another one is really hidden."""
    profile = tmp_path / "profile"
    command = [whole_program, "--headless=new", *FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    note = profile / "DevToolsActivePort"
    for _ in range(200):
        if note.exists() and note.read_text().count("\n"):
            break
        time.sleep(0.05)
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{note.read_text().split()[0]}", no_defaults=True)
    context = browser.contexts[0]
    context.add_init_script(LOOK)
    opened = []

    def make(spoil=None):
        if spoil:
            spoil_script(context, *spoil)
        opened.append(Phone(context.new_page(), table.url, f"tab {len(opened) + 1}"))
        return opened[-1]

    yield make
    wrong = {tab.name: tab.wrong() for tab in opened if tab.wrong()}
    browser.close()
    process.terminate()
    process.wait(60)
    shutil.rmtree(profile, ignore_errors=True)
    assert not wrong
