"""What the tests of the web share: an application on a real file, and people with their browsers."""

import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from databases import MADE, SERVER, Cluster, arguments, drop_databases, make_upgraded, new_app, start_postgres
from processes import processes

from hatch_build import compile_catalogues

TESTS = Path(__file__).parent
TOY = TESTS / "games" / "toy"
ON_BOTH = ("test_store.py", "test_nights.py", "test_live.py", "test_kept.py", "web", "browser", "faults")  # what --postgresql runs
LEFT_OUT = (  # they store nothing, or are there anyway
    *("test_resolver.py", "test_rules.py", "test_pictures.py", "test_languages.py", "test_explaining.py", "test_refusals.py"),
    *("test_rights.py", "test_names_as_text.py", "test_fuzz.py", "test_exports.py", "test_wire.py"),  # the same whatever stores it
    "test_two_servers.py",
)
IN_BROWSER = {  # what is about the night, its people and the line, and a whole match of each game; the others are about what one page shows
    **dict.fromkeys(("test_night.py", "test_line.py", "test_seats.py", "test_play_on.py", "test_evening.py", "test_house.py"), ("test_",)),
    "test_crazy_lab.py": ("test_a_match_in_all_three_ways_at_once",),
    "test_crazy_race.py": (
        "test_a_whole_race_in_both_depths_with_an_undo_a_correction_and_a_reload",
        "test_whoever_is_late_is_told_and_keeps_the_input",
        "test_a_phone_that_was_offline_catches_up_and_loses_nothing",
    ),
    "test_finger.py": ("test_somebody_who_was_quicker", "test_numbers_for_a_round_that_is_over", "test_a_whole_round_is_entered_without"),
    "test_past.py": ("test_after_an_evening_a_phone_finds_its_line_and_can_be_forgotten",),
    "test_results.py": ("test_after_a_match_everybody_sees_the_result_and_the_night",),
    "test_score_sheet.py": ("test_a_whole_match_of_another_game_on_three_phones", "test_rows_are_filled_in_any_order_on_two_phones"),
    "test_the_academy.py": ("test_a_whole_match_at_both_depths_with_a_correction_two_rounds_back",),
    "test_slow.py": ("test_a_", "test_of_", "test_the_", "test_what_", "test_whoever_"),  # the controls are about the script
    "test_tricky_cribby.py": ("test_tiles_and_cards_mixed_until_it_is_decided",),
}


def pytest_configure():
    compile_catalogues(TESTS.parent)  # as they are now, not as they were when the checkout was installed
    os.environ["LC_ALL"] = "C.UTF-8"  # whatever language the developer speaks


def pytest_addoption(parser):
    parser.addoption("--postgresql", action="store_true", help="run what stores something on a PostgreSQL server of its own")
    parser.addoption("--whole", action="store_true", help="… also what would be the same whatever stores it")
    parser.addoption(
        "--late", choices=["answers", "streams", "everything"], help="let these reach the phones late: shows where a test does not wait"
    )
    parser.addoption("--pictures", action="store_true", help="take the README's picture anew")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--postgresql"):
        whole = config.getoption("--whole")
        fits = [item for item in items if _fits(item, whole) and not item.get_closest_marker("file")]
        config.hook.pytest_deselected(items=[item for item in items if item not in fits])
        items[:] = fits


def _fits(item, whole):
    place = item.path.relative_to(TESTS)
    if place.parts[0] == "browser" and not whole:
        return item.name.startswith(IN_BROWSER.get(place.name, ()))
    return place.parts[0] in ON_BOTH and (whole or place.name not in LEFT_OUT)


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
        self.process.wait(10)

    def kill(self):
        self.process.kill()
        self.process.wait(10)


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


def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
    (folder / f"{module}.py").write_text((TOY / f"{module}.py").read_text(encoding="utf-8"), encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}:GAME\n")
    return folder
