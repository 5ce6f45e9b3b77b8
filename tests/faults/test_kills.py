"""Promises 1 and 4: what was acknowledged survives kill -9, and nobody was shown what is not stored."""

import http.client
import threading
import time
from dataclasses import dataclass, field
from random import Random

import pytest
from faults.phones import Listener, as_data, as_told, sit_down, whole_round
from faults.servers import answers_before_storing, stored, whole

pytestmark = pytest.mark.postgresql


class Sender(threading.Thread):
    """A phone that enters one round after the other and sends again what was not acknowledged."""

    def __init__(self, phone, match, random, passing=()):
        super().__init__(daemon=True)
        self.phone, self.match, self.random = phone, match, random
        self.passing = passing  # statuses that mean: not now
        self.acknowledged, self.again, self.refused = {}, 0, None  # key: what was entered
        self.ended = threading.Event()

    def run(self):
        n = 1
        while not self.ended.is_set() and self.refused is None:
            form = whole_round(self.random)
            if self._enter(n, {"key": f"round-{n:06}", **form}):
                self.acknowledged[f"round-{n:06}"] = as_data(form)
                n += 1

    def _enter(self, n, form):
        while not self.ended.is_set():
            answer = self._sent(n, form)
            if answer is None or answer.status in self.passing:
                self.again += 1
                time.sleep(0.02)
                continue
            if not answer.booked:
                self.refused = answer
            return answer.booked
        return False

    def _sent(self, n, form):
        try:
            return self.phone.post(f"/m/{self.match}/act/round-{n}", form)
        except (OSError, http.client.HTTPException):
            return None


@dataclass
class Report:
    acknowledged: int = 0
    sent_again: int = 0
    frames: int = 0
    lost: set = field(default_factory=set)
    doubled: set = field(default_factory=set)
    ghosts: set = field(default_factory=set)
    unsound: int = 0
    refused: list = field(default_factory=list)


def kill_again_and_again(nursery, folder, variant, kills, seed):
    """Two senders, two listeners, one file; the server is killed at random and started again."""
    random, report = Random(seed), Report()
    server = nursery.serve(folder, variant)
    with sit_down(server.url, matches=2) as table:
        senders = [Sender(table.phones[seat], table.matches[seat], Random(seed + seat)) for seat in range(2)]
        listeners = [Listener(table.phones[1 - seat], table.matches[seat]) for seat in range(2)]
        for thread in (*senders, *listeners):
            thread.start()
        for _ in range(kills):
            _wait_for_play(senders, listeners)
            time.sleep(random.uniform(0, 0.4))
            server.kill()
            compare(report, stored(folder), senders, listeners, table.names)
            server = nursery.serve(folder, variant, server.port)
        for thread in senders:
            thread.ended.set()
            thread.join(60)
        for listener in listeners:
            listener.end()
        server.stop()
        compare(report, stored(folder), senders, listeners, table.names)
    report.acknowledged = sum(len(each.acknowledged) for each in senders)
    report.sent_again = sum(each.again > 0 for each in senders)
    report.frames = sum(each.frames for each in listeners)
    report.refused = [each.refused.status for each in senders if each.refused]
    return report


def _wait_for_play(senders, listeners):
    """Every server lives long enough to be entered into and listened to, on a busy machine too."""

    def seen():
        return [len(each.acknowledged) // 3 for each in senders] + [each.frames // 3 for each in listeners]

    begun, until = seen(), time.monotonic() + 20
    while any(now == then for now, then in zip(seen(), begun, strict=True)) and time.monotonic() < until:
        time.sleep(0.01)


def compare(report, file, senders, listeners, names):
    report.unsound += not file.sound
    for sender in senders:
        lines = file.entries.get(sender.match, {})
        for key, data in list(sender.acknowledged.items()):
            times = file.times(sender.match, key)
            if times == 0 or data != lines.get(int(key.split("-")[1])):
                report.lost.add((sender.match, key))
            if times > 1:
                report.doubled.add((sender.match, key))
    for listener in listeners:
        lines = file.entries.get(listener.match, {})
        report.ghosts |= {(listener.match, n) for n in listener.brought - set(lines)}
        for n, sentences in list(listener.shown.items()):
            if n not in lines or sentences[:2] != as_told(lines[n], names):
                report.ghosts.add((listener.match, n))


def check(report):
    assert (report.lost, report.doubled, report.ghosts, report.unsound, report.refused) == (set(), set(), set(), 0, [])
    assert report.acknowledged > 40
    assert report.sent_again == 2
    assert report.frames > 20
    print(report)


def test_what_was_acknowledged_or_shown_is_in_the_file_after_twenty_kills(tmp_path, nursery):
    check(kill_again_and_again(nursery, tmp_path / "instance", whole, 20, seed=1))


@pytest.mark.soak
def test_what_was_acknowledged_or_shown_is_in_the_file_after_two_hundred_kills(tmp_path, nursery):
    check(kill_again_and_again(nursery, tmp_path / "instance", whole, 200, seed=2))


def test_a_server_that_answers_before_it_stores_is_caught(tmp_path, nursery):
    report = kill_again_and_again(nursery, tmp_path / "instance", answers_before_storing, 1, seed=3)
    assert report.lost
    assert report.ghosts
