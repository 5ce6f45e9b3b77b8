"""Promises 3, 5 and 6: a resend books once, the same fact from two phones books once, different facts all land."""

import html
import re
from functools import partial
from random import Random

import pytest
from faults.phones import Phone, as_data, at_once, sit_down, whole_round
from faults.servers import has_no_lock, ignores_keys, ignores_questions, stored, whole

pytestmark = pytest.mark.postgresql


def twin(phone):
    """The same phone once more: as many connections as it likes."""
    other = Phone(f"http://{phone.host}")
    other.cookie, other._token = phone.cookie, phone.token
    return other


# ---- 3: a retry or double tap books once -----------------------------------------------------------------------------


def tap_too_often(nursery, folder, variant, keys, sends=5):
    """What went wrong when every form is sent five times at once: answers that are no yes, and keys that were not booked once."""
    random, wrong = Random(keys), []
    with nursery.serve(folder, variant) as server, sit_down(server.url) as table:
        taps = [twin(table.phones[0]) for _ in range(sends)]
        for n in range(1, keys + 1):
            form = {"key": f"round-{n:06}", **whole_round(random)}
            answers = at_once([partial(tap.post, f"/m/{table.match}/act/round-{n}", form) for tap in taps])
            wrong += [(n, answer.status) for answer in answers if not answer.booked]
        for tap in taps:
            tap.hang_up()
    file = stored(folder)
    times = {n: file.times(table.match, f"round-{n:06}") for n in range(1, keys + 1)}
    return wrong, {n: found for n, found in times.items() if found != 1}, len(file.entries[table.match])


def test_a_form_that_is_sent_five_times_at_once_is_booked_once(tmp_path, nursery):
    assert tap_too_often(nursery, tmp_path / "instance", whole, 200) == ([], {}, 200)


@pytest.mark.soak
def test_a_thousand_forms_that_are_sent_five_times_at_once_are_booked_once(tmp_path, nursery):
    assert tap_too_often(nursery, tmp_path / "instance", whole, 1_000) == ([], {}, 1_000)


def test_a_server_that_ignores_keys_is_caught(tmp_path, nursery):
    _, not_once, rows = tap_too_often(nursery, tmp_path / "instance", ignores_keys, 3)
    assert not_once == {1: 5, 2: 5, 3: 5}
    assert rows == 15


def test_the_same_key_with_another_body_is_refused(tmp_path, nursery):
    with nursery.serve(tmp_path / "instance") as server, sit_down(server.url) as table:
        phone, address = table.phones[0], f"/m/{table.match}/act/round-1"
        first, second = whole_round(Random(1)), whole_round(Random(2))
        assert phone.post(address, {"key": "the-same-key", **first}).booked
        for where in (address, f"/m/{table.match}/act/round-2"):
            refused = phone.post(where, {"key": "the-same-key", **second})
            assert refused.status == 422
            assert "sent before with something else" in refused.text
    assert list(stored(server.folder).entries[table.match].values()) == [as_data(first)]


def drop_answers(nursery, folder, variant, drops):
    """Send, hang up without listening, send again on a new line; what was answered then."""
    random, answers = Random(drops), []
    with nursery.serve(folder, variant) as server, sit_down(server.url) as table:
        phone = table.phones[0]
        for n in range(1, drops + 1):
            form, address = {"key": f"round-{n:06}", **whole_round(random)}, f"/m/{table.match}/act/round-{n}"
            with phone.dial() as line:
                line.sendall(phone.raw(address, form))
                if n % 2:  # every other time it is certain that the answer was on its way
                    line.recv(1)
            answers.append(phone.post(address, form).status)
    return answers, sum(stored(folder).forms.values())


def test_an_answer_that_got_lost_after_the_commit_is_given_again(tmp_path, nursery):
    assert drop_answers(nursery, tmp_path / "instance", whole, 40) == ([303] * 40, 40)


def test_a_server_that_books_the_resend_once_more_is_caught(tmp_path, nursery):
    answers, rows = drop_answers(nursery, tmp_path / "instance", ignores_keys, 4)
    assert rows > len(answers)


# ---- 5: the same fact from two phones --------------------------------------------------------------------------------


def collide(nursery, folder, variant, pairs):
    """Ana and Ben both enter what Cem counted, at the same moment, with different numbers. What did not go as promised."""
    wrong, random = [], Random(pairs)
    with nursery.serve(folder, variant) as server, sit_down(server.url, ("Ana", "Ben", "Cem")) as table:
        phones = dict(zip(table.names, table.phones, strict=True))
        for n in range(1, pairs + 1):
            numbers = random.sample(range(9, 19), 2)  # nobody wins anything: the match goes on
            typed = {name: {"scored": number, "left": number} for name, number in zip(("Ana", "Ben"), numbers, strict=True)}
            jobs = [
                partial(phones[name].post, f"/m/{table.match}/act/round-{n}-count-2", {"key": f"{name}-{n:06}", **form})
                for name, form in typed.items()
            ]
            answers = dict(zip(typed, at_once(jobs), strict=True))
            wrong += _wrong(answers, typed)
            _close_round(table, n)
    lines = stored(folder).entries[table.match]
    counts = [line for line in lines.values() if line.get("seat") == 2]
    if len(counts) != pairs:
        wrong.append(f"{len(counts)} rows for {pairs} facts")
    return wrong


def _wrong(answers, typed):
    """Exactly one is booked; the other is told who was quicker and has its numbers in the form that it gets back."""
    booked = [name for name in answers if answers[name].booked]
    if len(booked) != 1:
        return [f"booked by {booked}"]
    late = next(name for name in answers if name not in booked)
    text = html.unescape(answers[late].text)
    form = text[text.find('id="enter"') :]
    kept = {name: re.search(rf'name="{name}"[^>]*value="(\d*)"', form) for name in ("scored", "left")}
    wrong = [] if answers[late].status == 409 else [f"answered {answers[late].status}"]
    wrong += [] if f"{booked[0]} entered this meanwhile" in text else ["not told by whom"]
    wrong += [] if all(kept[name] and kept[name][1] == str(n) for name, n in typed[late].items()) else ["what was typed is gone"]
    return wrong


def _close_round(table, n):
    for seat in (0, 1):
        form = {"key": f"close-{n:06}-{seat}", "scored": 9, "left": 9}
        table.phones[seat].post(f"/m/{table.match}/act/round-{n}-count-{seat}", form)


def test_the_same_fact_from_two_phones_is_booked_once_and_the_other_is_told(tmp_path, nursery):
    assert collide(nursery, tmp_path / "instance", whole, 200) == []


@pytest.mark.soak
def test_the_same_fact_from_two_phones_is_booked_once_a_thousand_times(tmp_path, nursery):
    assert collide(nursery, tmp_path / "instance", whole, 1_000) == []


def test_a_server_that_books_answers_to_closed_questions_is_caught(tmp_path, nursery):
    wrong = collide(nursery, tmp_path / "instance", ignores_questions, 5)
    assert "booked by ['Ana', 'Ben']" in wrong
    assert "10 rows for 5 facts" in wrong


def test_the_last_fact_of_a_round_keeps_the_late_input_too(tmp_path, nursery):
    """The question is gone for good: there is no form to keep the numbers in, so they are told."""
    with nursery.serve(tmp_path / "instance") as server, sit_down(server.url) as table:
        ana, ben = table.phones
        form = dict(zip(("scored.0", "scored.1", "left.0", "left.1"), (11, 12, 13, 14), strict=True))
        assert ana.post(f"/m/{table.match}/act/round-1", {"key": "ana-round-1", **whole_round(Random(1))}).booked
        late = ben.post(f"/m/{table.match}/act/round-1", {"key": "ben-round-1", **form})
        assert late.status == 409
        answers = late.text[late.text.find('class="answers"') :]
        assert re.findall(r"<b>(\d+)</b>", answers)[:4] == ["11", "12", "13", "14"]


# ---- 6: different facts at one moment --------------------------------------------------------------------------------


def count_together(nursery, folder, variant, rounds):
    """Four phones answer four questions at once: what was not answered with yes, and how many rows there are."""
    wrong, names = [], ("Ana", "Ben", "Cem", "Dia")
    with nursery.serve(folder, variant) as server, sit_down(server.url, names) as table:
        for n in range(1, rounds + 1):
            jobs = [
                partial(phone.post, f"/m/{table.match}/act/round-{n}-count-{seat}", {"key": f"count-{n:06}-{seat}", "scored": 9, "left": 9})
                for seat, phone in enumerate(table.phones)
            ]
            wrong += [(n, answer.status) for answer in at_once(jobs) if not answer.booked]
            if wrong:
                break
    return wrong, len(stored(folder).entries.get(table.match, {}))


def test_four_phones_that_count_at_the_same_moment_are_all_stored(tmp_path, nursery):
    assert count_together(nursery, tmp_path / "instance", whole, 200) == ([], 800)


@pytest.mark.soak
def test_four_phones_that_count_at_the_same_moment_are_all_stored_a_thousand_times(tmp_path, nursery):
    assert count_together(nursery, tmp_path / "instance", whole, 1_000) == ([], 4_000)


def test_a_server_without_its_lock_is_caught(tmp_path, nursery):
    wrong, rows = count_together(nursery, tmp_path / "instance", has_no_lock, 20)
    assert wrong
    assert rows < 80
