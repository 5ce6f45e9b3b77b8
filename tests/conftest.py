"""What the tests of the web share: an application on a real file, and people with their browsers."""

import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from databases import MADE, SERVER, Cluster, arguments, drop_databases, make_upgraded, new_app, start_postgres
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from ports import free_port
from processes import processes
from xdist.scheduler import LoadScopeScheduling

from companion.games import GAMES
from hatch_build import compile_catalogues

TESTS = Path(__file__).parent
TOY = TESTS / "games" / "toy"
TOGETHER = ("tests/browser/test_access.py",)  # its walk through all pages is made once, not by every worker
BYTECODE = "COMPANION_TEST_BYTECODE"  # in the environment: the folder that all workers share


def pytest_configure(config):
    os.environ["LC_ALL"] = "C.UTF-8"  # whatever language the developer speaks
    if not hasattr(config, "workerinput"):  # once, before xdist's workers start, who all read the same files
        compile_catalogues(TESTS.parent)  # as they are now, not as they were when the checkout was installed
        os.environ[BYTECODE] = tempfile.mkdtemp(prefix="companion-templates-")
    Flask.jinja_options = {
        "bytecode_cache": FileSystemBytecodeCache(os.environ[BYTECODE])
    }  # every template is compiled once, not once an app


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(BYTECODE))


def pytest_addoption(parser):
    parser.addoption("--postgresql", action="store_true", help="run what is marked so on a PostgreSQL server of its own")
    parser.addoption("--whole", action="store_true", help="… also what should be the same whatever stores it")
    parser.addoption(
        "--late", choices=["answers", "streams", "everything"], help="let these reach the phones late: shows where a test does not wait"
    )
    parser.addoption(
        "--quiet-machine", action="store_true", help="nothing else runs here: what is promised within two seconds has to be there"
    )
    parser.addoption("--pictures", action="store_true", help="take the README's picture anew")


def pytest_xdist_auto_num_workers(config):
    """One worker more than processors, for tests wait a lot; none where somebody names a file or a test: that is quicker at once."""
    return 0 if all(Path(each.split("::")[0]).is_file() for each in config.args) else os.cpu_count() + 1


def pytest_xdist_make_scheduler(config, log):
    return TestByTest(config, log)


class TestByTest(LoadScopeScheduling):
    """A worker that is done takes the next test, or a whole file of those that belong together."""

    __test__ = False

    def _split_scope(self, nodeid):
        path = nodeid.split("::")[0]
        return path if path in TOGETHER else nodeid


def pytest_collection_modifyitems(config, items):
    if config.args_source is not pytest.Config.ArgsSource.ARGS:  # `pytest` alone
        keep(config, items, lambda item: not item.get_closest_marker("slow"))
    if config.getoption("--postgresql"):
        fits = _stores if config.getoption("--whole") else _differs
        keep(config, items, lambda item: fits(item) and not item.get_closest_marker("file"))


def _differs(item):
    return item.get_closest_marker("postgresql")


def _stores(item):
    """Whatever opens a database at all."""
    return _differs(item) or item.path.relative_to(TESTS).parts[0] in ("web", "browser", "faults")


def pytest_terminal_summary(terminalreporter):
    """How long the tests of each folder took, all workers together, so that growth is seen."""
    spent = Counter()
    for report in (each for some in terminalreporter.stats.values() for each in some if isinstance(each, pytest.TestReport)):
        spent[report.nodeid.split("::")[0].rpartition("/")[0]] += report.duration
    for folder, seconds in spent.most_common():
        terminalreporter.write_line(f"{seconds:7.0f} s in {folder}")


def keep(config, items, fits):
    left = [item for item in items if fits(item)]
    config.hook.pytest_deselected(items=[item for item in items if not fits(item)])
    items[:] = left


def needed(thing):
    """Something of the machine; a test that cannot have it is left out and says so."""
    return thing.find() or pytest.skip(thing.missing)


@pytest.fixture(scope="session", autouse=True)
def database_server(request):
    """With --postgresql, all the tests' applications and servers store on this one."""
    if not request.config.getoption("--postgresql"):
        yield
        return
    server = request.getfixturevalue("postgres")
    os.environ[SERVER] = server.get_uri()
    make_upgraded()
    yield
    del os.environ[SERVER]


@pytest.fixture(autouse=True)
def no_databases_left(database_server):
    """A database has hundreds of files: a test's own go with it."""
    before = len(MADE)
    yield
    drop_databases(before)


@pytest.fixture
def app(tmp_path):
    """The application on a database file of its own."""
    app = new_app(tmp_path / "instance")
    app.testing = True
    yield app
    app.extensions["companion"].database.close()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A PostgreSQL server of our own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # run by a user of its own, who may not look into pytest's
        server = start_postgres(Path(folder) / "data", tmp_path_factory.mktemp("run"))
        yield server
        server.cleanup()


@pytest.fixture
def postgres_url(postgres):
    """An empty database on it."""
    name = "night_" + secrets.token_hex(6)
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres.get_uri(database=name)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A PostgreSQL server that a test may kill."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), tmp_path_factory.mktemp("run"))
        yield cluster
        cluster.server.cleanup()


@pytest.fixture
def process(postgres_url):
    """Starts processes on an empty database."""
    with processes(postgres_url) as start:
        yield start


@pytest.fixture
def pair(process):
    return process(), process()


class Browser:
    """One person's browser: keeps cookies, sends forms with the token that the page gave it."""

    def __init__(self, app, host="game.test:8000"):
        self.client = app.test_client()
        self.host = host
        self.person = None

    def get(self, path, **more):
        return self.client.get(path, base_url=f"http://{self.host}", **more)

    def token(self):
        page = self.get("/").get_data(as_text=True)
        return re.search(r'name="csrf_token" value="([^"]+)"', page)[1]

    def post(self, path, data=None, htmx=False, headers=None, follow=False, **more):
        headers = {"Origin": f"http://{self.host}", **({"HX-Request": "true"} if htmx else {}), **(headers or {})}
        data = {"csrf_token": self.token(), **(data or {})}
        return self.client.post(path, data=data, headers=headers, base_url=f"http://{self.host}", follow_redirects=follow, **more)


@dataclass
class Evening:
    """A night with a host and players, each with a browser."""

    app: object
    id: str
    token: str
    code: str
    browsers: dict

    def __getitem__(self, name):
        return self.browsers[name]

    def person(self, name):
        room = self.app.extensions["companion"].nights.room(self.id)
        return next(person for person in room.everybody.values() if person.name == name)

    def start(self, game="ligretto-crazy", seats=None, by="Ana", **options):
        """A match; gives its id."""
        ids = [self.person(name).id for name in seats or [name for name in self.browsers if name != "Tom"]]
        answer = self.browsers[by].post(f"/n/{self.id}/new/{game}", {"seat": ids, "order": ",".join(ids), **options})
        assert answer.status_code == 303, answer.get_data(as_text=True)
        return answer.headers["Location"].rsplit("/", 1)[1]

    def seated(self, match):
        return self.app.extensions["companion"].store.match(match)


@pytest.fixture
def uninstall():
    """Takes a game away, until the test is over; then all are there again, in their order."""
    installed = dict(GAMES)
    yield GAMES.pop
    GAMES.clear()
    GAMES.update(installed)


@pytest.fixture
def evening(app):
    """Ana hosts, Ben and Cem play, Tom watches."""
    return make_evening(app)


def make_evening(app, host="Ana", players=("Ben", "Cem"), watchers=("Tom",)):
    browsers = {host: Browser(app)}
    answer = browsers[host].post("/nights", {"name": host})
    id = answer.headers["Location"].rsplit("/", 1)[1]
    night = app.extensions["companion"].nights.room(id).night
    for name in (*players, *watchers):
        browsers[name] = Browser(app)
        data = {"name": name, **({"watch": "1"} if name in watchers else {})}
        assert browsers[name].post(f"/j/{night.token}", data).status_code == 303
    return Evening(app, id, night.token, night.code, browsers)


# ---- a server in a process of its own --------------------------------------------------------------------------------


@dataclass
class Served:
    """A running `companion`."""

    process: subprocess.Popen
    url: str
    folder: Path

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait(60)


def serve(folder, port=0, *more, path=None):
    """Start `companion` on that folder and wait until it answers; `path` is where further packages lie."""
    port = port or free_port()
    command = [sys.executable, "-m", "companion", "--instance", str(folder), "--host", "127.0.0.1", "--port", str(port), *arguments(folder)]
    environment = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    said = tempfile.TemporaryFile()  # noqa: SIM115 not a pipe: nobody reads it, and the server would wait when it is full
    process = subprocess.Popen([*command, *more], stdout=said, stderr=subprocess.STDOUT, env=environment)
    url = f"http://127.0.0.1:{port}"
    for _ in range(800):
        try:
            with urllib.request.urlopen(url + "/health", timeout=1):
                said.close()
                return Served(process, url, Path(folder))
        except OSError:
            if process.poll() is not None:
                said.seek(0)
                raise AssertionError(said.read().decode(errors="replace")) from None
            time.sleep(0.05)
    process.kill()
    raise AssertionError("the server did not answer")


@pytest.fixture
def served(tmp_path):
    """A running server on a folder of its own."""
    server = serve(tmp_path / "instance")
    yield server
    server.stop()


@pytest.fixture
def site(tmp_path):
    """A folder as pip would leave it behind after installing the toy game."""
    return install_toy(tmp_path / "site", "high_card")


def install_toy(folder, module):
    name, info = module.replace("_", "-"), folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    if (TOY / module).is_dir():
        shutil.copytree(TOY / module, folder / module, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(TOY / f"{module}.py", folder)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}:GAME\n")
    return folder
