"""Promises 1, 3, 4 and 10 beyond one laptop: two server processes on one PostgreSQL, each of the three killed in the middle of the play."""

import time
from contextlib import ExitStack
from random import Random
from types import SimpleNamespace

import pytest
from faults.phones import Listener, Phone, sit_down
from faults.servers import answers_before_storing, commits_carelessly, does_not_listen, stored_in, whole
from faults.test_kills import Report, Sender, compare

SOON = 5  # seconds after which all phones are right again
PATIENCE = 60  # seconds that a busy machine may need to start something


class Evening:
    """Ana enters through one process and is watched through the other, and Ben the other way round."""

    def __init__(self, nursery, cluster, folder, variants=(whole, whole), seed=1):
        self.nursery, self.cluster, self.folder, self.variants = nursery, cluster, folder, variants
        self.url = cluster.new_database(f"evening_{seed}")
        self.servers = [nursery.serve(folder, variant, database=self.url) for variant in variants]
        self.report, self.slowest = Report(), 0.0
        self.table = sit_down(self.servers[0].url, matches=2)
        places = [(seat, self.table.matches[seat]) for seat in range(2)]
        self.senders = [Sender(self.phone(seat, seat), match, Random(seed + seat), passing=(503,)) for seat, match in places]
        self.listeners = [Listener(self.phone(seat, 1 - seat), match) for seat, match in places]

    def phone(self, seat, at):
        """The phone of that seat at one of the processes: the same cookie works at both."""
        phone, known = Phone(self.servers[at].url), self.table.phones[seat]
        phone.cookie, phone._token = known.cookie, known.token
        return phone

    def __enter__(self):
        for thread in (*self.senders, *self.listeners):
            thread.start()
        self.right_again()
        return self

    def __exit__(self, *_):
        for sender in self.senders:
            sender.ended.set()
            sender.join(60)
            sender.phone.hang_up()
        for listener in self.listeners:
            listener.end()
        self.table.__exit__()
        for server in self.servers:
            server.stop()

    def end(self, what):
        """Kill one of the two processes, or PostgreSQL (or nothing), and start it again."""
        if what == "postgres":
            self.cluster.kill()
            self.cluster.start()
        elif what != "nothing":
            self.servers[what].kill()
            self.compare()
            self.servers[what] = self.nursery.serve(self.folder, self.variants[what], self.servers[what].port, self.url)

    def compare(self):
        """They play on meanwhile: what counts is what was acknowledged or shown before the database is asked."""
        senders = [SimpleNamespace(match=each.match, acknowledged=dict(each.acknowledged)) for each in self.senders]
        listeners = [SimpleNamespace(match=each.match, shown=dict(each.shown), brought=set(each.brought)) for each in self.listeners]
        compare(self.report, stored_in(self.url), senders, listeners, self.table.names)

    def right_again(self):
        """Wait until something new is entered through each process, and shown through the other; gives how long that took."""
        begun, goals = time.monotonic(), [len(sender.acknowledged) + 2 for sender in self.senders]
        while not all(max(listener.shown, default=0) >= goal for goal, listener in zip(goals, self.listeners, strict=True)):
            if time.monotonic() > begun + PATIENCE or any(sender.refused for sender in self.senders):
                return float("inf")
            time.sleep(0.01)
        return time.monotonic() - begun


def play(evening, faults, seed):
    random = Random(seed)
    with evening:
        for what in faults:
            time.sleep(random.uniform(0, 0.5))
            evening.end(what)
            evening.slowest = max(evening.slowest, evening.right_again())
            evening.compare()
    evening.compare()
    evening.report.acknowledged = sum(len(each.acknowledged) for each in evening.senders)
    evening.report.refused = [each.refused.status for each in evening.senders if each.refused]
    return evening


def check(evening):
    report = evening.report
    print(report.acknowledged, "acknowledged, slowest again", round(evening.slowest, 2), "s")
    assert (report.lost, report.doubled, report.ghosts, report.refused) == (set(), set(), set(), [])
    assert report.acknowledged > 20
    assert evening.slowest < SOON
    assert not [server.said() for server in evening.servers if "Traceback" in server.said()]


def test_an_entry_booked_through_one_process_is_on_the_phones_of_the_other(nursery, cluster, tmp_path):
    check(play(Evening(nursery, cluster, tmp_path / "instance", seed=1), ["nothing"] * 6, 1))


@pytest.mark.parametrize("what", [0, 1, "postgres"])
def test_killing_any_of_the_three_loses_nothing_and_all_phones_are_right_again(nursery, cluster, tmp_path, what):
    seed = 100 + len(str(what)) + (what == 1)
    check(play(Evening(nursery, cluster, tmp_path / "instance", seed=seed), [what] * 2, seed))


@pytest.mark.soak
@pytest.mark.parametrize("n", range(6))
def test_killing_all_of_them_again_and_again_loses_nothing(nursery, cluster, tmp_path, n):
    """Sixty kills in six evenings: a log of thousands of lines, which no match has, would be folded after each of them."""
    faults = Random(n).choices([0, 1, "postgres"], k=10)
    check(play(Evening(nursery, cluster, tmp_path / "instance", seed=200 + n), faults, 200 + n))


# ---- controls --------------------------------------------------------------------------------------------------------


def test_a_process_that_does_not_listen_is_caught(nursery, cluster, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "PATIENCE", 2 * SOON)
    with Evening(nursery, cluster, tmp_path / "instance", (whole, does_not_listen), seed=301) as evening:
        assert evening.right_again() > SOON


def test_a_process_that_answers_before_it_stores_is_caught(nursery, cluster, tmp_path):
    evening = Evening(nursery, cluster, tmp_path / "instance", (answers_before_storing, whole), seed=302)
    assert play(evening, [0], 302).report.lost


def test_a_postgresql_that_may_acknowledge_early_is_caught(nursery, cluster, tmp_path):
    careless = (commits_carelessly, commits_carelessly)
    with ExitStack() as after:
        cluster.set("wal_writer_delay = '10s'")
        after.callback(cluster.set, "wal_writer_delay = '200ms'")
        evening = after.enter_context(Evening(nursery, cluster, tmp_path / "instance", careless, seed=303))
        cluster.run("CHECKPOINT")  # what was there up to now is on the disk, the tables for example
        evening.right_again()
        evening.end("postgres")
        evening.compare()
    assert evening.report.lost
