"""Promise 2: what was acknowledged survives a power cut, because it was synced before the answer went out."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from faults.disks import after_a_cut, as_written
from faults.phones import as_data, sit_down, whole_round
from faults.servers import checkpoints_often, forgets_to_sync, never_syncs, stored, whole

from companion import create_app
from companion.database import FILE, Database

pytestmark = pytest.mark.file


@dataclass
class Play:
    """An evening on a watched disk: what was acknowledged, and when."""

    folder: Path
    events: list
    match: str
    cookie: str
    ready: int  # place in the journal at which the match began
    acknowledged: list  # (place, key, what was entered)

    def by(self, cut):
        return [each for each in self.acknowledged if each[0] <= cut]


def play(disk, variant, rounds):
    begun, folder = disk.now(), disk.root / f"{variant.__name__}-{rounds}"
    with disk.nursery.serve(folder, variant) as server:
        with sit_down(server.url) as table:
            random, acknowledged, ready = Random(rounds), [], disk.now()
            for n in range(1, rounds + 1):
                form = whole_round(random)
                assert table.phones[n % 2].post(f"/m/{table.match}/act/round-{n}", {"key": f"round-{n:06}", **form}).booked
                acknowledged.append((disk.now(), f"round-{n:06}", as_data(form)))
            cookie = table.phones[0].cookie
        server.kill()
    return Play(folder, disk.events(folder, begun), table.match, cookie, ready, acknowledged)


def losses(played, cut, to, random):
    """What is wrong after that cut: acknowledged entries that are not there once, or a file that is not whole."""
    folder = after_a_cut(played.events, cut, played.folder, to, random)
    file = stored(folder, to.with_name(to.name + "-copy"))
    lines = file.entries.get(played.match, {})
    lost = [key for n, (_, key, data) in enumerate(played.by(cut), 1) if file.times(played.match, key) != 1 or lines[n] != data]
    return lost + ([] if file.sound else ["the file is not whole"])


def cuts(played, n, seed):
    """Half of them right after an answer went out, the others anywhere; half with nothing more than was synced, half with torn sectors."""
    random = Random(seed)
    for place in range(n):
        moments = [at for at, _, _ in played.acknowledged] if place % 4 < 2 else [e.end for e in played.events if e.end >= played.ready]
        yield random.choice(moments), (random if place % 2 else None)


def check(played, n, tmp_path):
    for place, (cut, random) in enumerate(cuts(played, n, seed=n)):
        to = tmp_path / f"cut-{place}"
        assert losses(played, cut, to, random) == []
        _starts_again(played, cut, to)


def _starts_again(played, cut, folder):
    """The program itself reads what was left, and knows the phones again."""
    app = create_app(folder)
    try:
        seated = app.extensions["companion"].store.match(played.match)
        assert [key for _, key, _ in played.by(cut)] == list(seated.keys)[: len(played.by(cut))]
        assert len(seated.keys) <= len(played.by(cut)) + 1  # the one that was being stored may be there
        name, value = played.cookie.split("=", 1)
        client = app.test_client()
        client.set_cookie(name, value, domain="127.0.0.1")
        assert client.get(f"/m/{played.match}", base_url="http://127.0.0.1:8000").status_code == 200
    finally:
        app.extensions["companion"].database.close()


def test_what_was_acknowledged_is_there_after_ten_power_cuts(tmp_path, disk):
    played = play(disk, checkpoints_often, 60)
    _notes_tell_everything(played)
    check(played, 10, tmp_path)


def _notes_tell_everything(played):
    """Nothing was written past the watch, and there was a checkpoint to be cut."""
    told = as_written(played.events, played.folder)
    for name in (FILE, FILE + "-wal", "secret.key"):
        assert told[name] == (played.folder / name).read_bytes()
    assert any(event.path.endswith(FILE) and event.kind == "w" for event in played.events if event.end > played.ready)


@pytest.mark.soak
@pytest.mark.parametrize("variant", [whole, checkpoints_often])
def test_what_was_acknowledged_is_there_after_two_hundred_power_cuts(tmp_path, disk, variant):
    check(play(disk, variant, 1_000), 200, tmp_path)


@pytest.mark.parametrize("variant", [forgets_to_sync, never_syncs])
def test_a_server_that_does_not_sync_before_it_answers_is_caught(tmp_path, disk, variant):
    played = play(disk, variant, 20)
    assert losses(played, played.acknowledged[-1][0], tmp_path / "cut", None)


def test_every_connection_is_set_to_sync_fully(tmp_path):
    database = Database(tmp_path)
    try:
        for engine in (database.writer, database.reader):
            with engine.connect() as connection:
                assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    finally:
        database.close()
