"""What pages keep for others and what forms carry: nothing old, nothing secret, a key that books once."""

import itertools
import sqlite3
import time

import pytest
from flask import session
from markupsafe import Markup

import companion.web.entering
import companion.web.render
import companion.web.table
from companion.database import FILE
from companion.live import Live
from companion.web.guests import Guest
from companion.web.render import regions
from companion.web.sse import _in_turn
from companion.web.table import at_once, form_key, shared_by, table_facts, table_regions

MINUS = {"do": "minus", "colours": ["purple", "blue", "yellow"]}


def parts_of(evening):
    return evening.app.extensions["companion"]


def guest_of(evening, name):
    return Guest(parts_of(evening).nights.room(evening.id), evening.person(name))


def count(seat, scored, left=5):
    return {"do": "count", "seat": seat, "scored": scored, "left": left}


# ---- regions that are shared -----------------------------------------------------------------------------------------


def shown_after_somebody_was_slow(evening):
    """Tom's request looked before the round was entered and draws its page after it; then Ben's page is drawn."""
    match, parts = evening.start(), parts_of(evening)
    looked, tom = parts.store.match(match), guest_of(evening, "Tom")
    parts.store.act(match, "round-1", {"do": "round", "scored": [37, 20, 20], "left": [5, 5, 5]}, evening.person("Ana").id, "key-00001")
    tick = parts.live.tick(evening.id)
    with evening.app.test_request_context("/", base_url="http://game.test:8000"):
        table_regions(looked, tom, tick)
        return "".join(table_regions(parts.store.match(match), guest_of(evening, "Ben"), tick).values())


def test_a_slow_request_does_not_leave_old_regions_for_others(evening):
    assert "37" in shown_after_somebody_was_slow(evening)


def test_keeping_whatever_was_drawn_would_be_noticed(evening, monkeypatch):
    monkeypatch.setattr(companion.web.table, "is_current", lambda *given: True)
    assert "37" not in shown_after_somebody_was_slow(evening)


@pytest.mark.parametrize("game", ["ligretto-crazy", "crazy-race"])
def test_who_is_ahead_is_in_what_is_sent_first(evening, game):
    match, parts = evening.start(game), parts_of(evening)
    with evening.app.test_request_context("/", base_url="http://game.test:8000"):
        drawn = table_regions(parts.store.match(match), guest_of(evening, "Ana"), 1)
        first = "".join(drawn[name] for name in at_once(parts.store.match(match)))
    assert first.count('class="points"') == 3


# ---- the key of a form -----------------------------------------------------------------------------------------------


def test_a_form_has_the_same_key_however_often_it_is_drawn(evening):
    match, ana = evening.start(), guest_of(evening, "Ana")
    first = form_key(evening.seated(match), ana, "round-1-count-0")
    assert form_key(evening.seated(match), ana, "round-1-count-0") == first
    parts_of(evening).store.act(match, "round-1-count-1", count(1, 20), "ben", "key-00001")
    assert form_key(evening.seated(match), ana, "round-1-count-0") == first
    others = {form_key(evening.seated(match), guest_of(evening, name), "round-1-count-0") for name in ("Ben", "Cem")}
    assert len({first, *others}) == 3


def test_correcting_back_and_forth_books_every_time(evening):
    match, ana, store = evening.start(), guest_of(evening, "Ana"), parts_of(evening).store
    for n, scored in enumerate((20, 21, 20, 21, 20), 1):
        ask = next(id for id in evening.seated(match).position.asks if id.startswith("round-1-count-0"))
        key = form_key(evening.seated(match), ana, ask)
        assert store.act(match, ask, count(0, scored), ana.person.id, key).n == n
    assert evening.seated(match).position.state.counts[0].scored == 20


def test_after_an_undo_the_same_question_has_another_key(evening):
    match, ana, store = evening.start(), guest_of(evening, "Ana"), parts_of(evening).store
    first = form_key(evening.seated(match), ana, "round-1-count-0")
    store.act(match, "round-1-count-0", count(0, 20), ana.person.id, first)
    store.undo(match, 1, ana.person.id, "key-00002")
    assert form_key(evening.seated(match), ana, "round-1-count-0") != first


# ---- undo ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def secret(evening):
    """Ben has chosen green in secret; gives the match."""
    match, store = evening.start("crazy-lab"), parts_of(evening).store
    store.act(match, "round-1-minus", MINUS, evening.person("Ana").id, "key-00001")
    chosen = evening["Ben"].post(f"/m/{match}/act/round-1-plus-1", {"colour": "green", "key": "key-00002"})
    assert chosen.status_code == 303
    return match


def test_the_host_can_undo_a_secret_without_seeing_it(evening, secret):
    page = evening["Ana"].get(f"/m/{secret}/entries/2").get_data(as_text=True)
    assert "/entries/2/undo" in page
    assert "green" not in page
    assert evening["Ana"].post(f"/m/{secret}/entries/2/undo", {"key": "key-00003"}).status_code == 303
    assert evening.seated(secret).position.state.plus[1] is None


def test_the_host_cannot_choose_for_somebody_in_secret(evening, secret):
    answer = evening["Ana"].post(f"/m/{secret}/entries/2/amend", {"colour": "orange", "key": "key-00003"})
    assert answer.status_code == 403
    assert evening.seated(secret).position.state.plus[1] == "green"
    assert evening["Ben"].post(f"/m/{secret}/entries/2/amend", {"colour": "orange", "key": "key-00004"}).status_code == 303


def test_another_player_cannot_undo_a_secret(evening, secret):
    assert evening["Cem"].post(f"/m/{secret}/entries/2/undo", {"key": "key-00003"}).status_code == 403


def test_correcting_minus_colours_does_not_tell_a_secret(evening, secret):
    answers = []
    for colours in (("purple", "green", "yellow"), ("purple", "orange", "yellow")):  # right with Ben's secret green, and not
        data = {f"colours.{seat}": colour for seat, colour in enumerate(colours)} | {"key": "key-" + colours[1]}
        answer = evening["Ana"].post(f"/m/{secret}/entries/1/amend", data)
        assert "Ben has chosen in secret after this entry" in answer.get_data(as_text=True)
        answers.append(answer.status_code)
    assert answers == [409, 409]


@pytest.mark.parametrize("htmx", [True, False])
def test_whoever_undoes_too_late_is_told_so(evening, htmx):
    match = evening.start()
    evening["Ben"].post(f"/m/{match}/act/round-1-count-1", {"scored": "20", "left": "5", "key": "key-00001"})
    assert evening["Ben"].post(f"/m/{match}/entries/1/undo", {"key": "key-00002"}).status_code == 303
    late = evening["Ana"].post(f"/m/{match}/entries/1/undo", {"key": "key-00003"}, htmx=htmx)
    assert late.status_code == 409
    assert "undone already" in late.get_data(as_text=True)


# ---- a log that cannot be read ---------------------------------------------------------------------------------------


def test_an_unreadable_log_is_a_page_in_words_that_tells_nothing_of_it(evening, secret, caplog):
    parts = parts_of(evening)
    connection = sqlite3.connect(parts.database.path.parent / FILE)
    with connection:
        wrong = '{"do": "plus", "seat": 1, "colour": "green"}'
        connection.execute("INSERT INTO entry VALUES (?, 3, 'act', ?, NULL, NULL, 'key-9', '2026-01-01 20:00:00')", (secret, wrong))
    connection.close()
    parts.store._seated.clear()
    for name in ("Ana", "Tom"):
        answer = evening[name].get(f"/m/{secret}")
        assert answer.status_code == 409
        assert "cannot be read" in answer.get_data(as_text=True)
        assert "green" not in answer.get_data(as_text=True)
        assert "has chosen" not in answer.get_data(as_text=True)
    assert evening["Ana"].get(f"/n/{evening.id}").status_code == 200
    assert "LAB-5" in caplog.text  # the owner of the laptop gets the reason


def test_the_night_goes_on_where_a_game_is_no_longer_installed(evening):
    match = evening.start()
    parts = parts_of(evening)
    connection = sqlite3.connect(parts.database.path.parent / FILE)
    with connection:
        connection.execute("UPDATE match SET game = 'poker' WHERE id = ?", (match,))
    connection.close()
    parts.store._seated.clear()
    assert evening["Ana"].get(f"/m/{match}").status_code == 409
    lobby = evening["Ana"].get(f"/n/{evening.id}")
    assert lobby.status_code == 200
    assert "poker" in lobby.get_data(as_text=True)


# ---- forms that are kept for their phone -----------------------------------------------------------------------------


def entered_wrong(evening, match):
    """Ana counts more cards than there are, without script: the page says so."""
    page = evening["Ana"].post(f"/m/{match}/act/round-1-count-0", {"scored": "999", "left": "5", "key": "key-00001"})
    assert page.status_code == 422
    assert "data-busy" in page.get_data(as_text=True)
    return page


def test_a_refusal_is_for_one_answer_alone(evening):
    match = evening.start()
    entered_wrong(evening, match)
    assert "data-busy" not in evening["Ana"].get(f"/m/{match}").get_data(as_text=True)


def test_keeping_a_refusal_would_be_noticed(evening, monkeypatch):
    match, page = evening.start(), companion.web.entering.table_page

    def keeps(seated, guest, **more):
        tick = parts_of(evening).live.tick(evening.id)
        facts = table_facts(seated, guest, tick) | more
        regions("table", ("enter",), facts, shared_by(seated, guest, tick))
        return page(seated, guest, **more)

    monkeypatch.setattr(companion.web.entering, "table_page", keeps)
    entered_wrong(evening, match)
    assert "data-busy" in evening["Ana"].get(f"/m/{match}").get_data(as_text=True)


def forms_of_two_sessions(evening):
    """Ana's forms on two phones, drawn at the same tick."""
    match, tick = evening.seated(evening.start()), parts_of(evening).live.tick(evening.id)
    drawn = []
    for token in ("token-of-one-phone", "token-of-another"):
        with evening.app.test_request_context("/", base_url="http://game.test:8000"):
            session["csrf_token"] = token
            drawn.append(table_regions(match, guest_of(evening, "Ana"), tick)["enter"])
    return drawn


def test_a_form_that_was_kept_is_for_the_phone_it_was_drawn_for(evening):
    one, other = forms_of_two_sessions(evening)
    assert "csrf_token" in one
    assert one != other


def test_keeping_a_form_for_everybody_at_that_seat_would_be_noticed(evening, monkeypatch):
    monkeypatch.setattr(companion.web.table, "_whose", lambda guest: (guest.person.id,))
    one, other = forms_of_two_sessions(evening)
    assert one == other


def test_a_form_is_drawn_once_for_its_phone_and_tick(evening):
    match, tick = evening.seated(evening.start()), parts_of(evening).live.tick(evening.id)
    with evening.app.test_request_context("/", base_url="http://game.test:8000"):
        session["csrf_token"] = "token-of-ana"
        first, again, later = (table_regions(match, guest_of(evening, "Ana"), each)["enter"] for each in (tick, tick, tick + 1))
    assert again is first
    assert later is not first


# ---- streams ---------------------------------------------------------------------------------------------------------


def test_a_page_for_which_there_is_no_room_gets_everything_once_and_is_sent_away(evening, monkeypatch):
    """… and asks again a little later, see `bye` in app.js; without a limit this test would wait for ever."""
    monkeypatch.setattr(parts_of(evening).live, "MAX_PER_TOPIC", 0)
    said = evening["Tom"].get(f"/n/{evening.id}/live").get_data(as_text=True)
    assert said.count("event: regions") == said.count("event: bye") == 1
    assert said.index('"people"') < said.index("event: bye")
    assert parts_of(evening).live.streams(evening.id) == 0


def sent_in_turn(watch, seats=9):
    """What a stream with something for all and a form sends, and what it is woken with meanwhile; the seat is lost after so many looks."""
    frames, looks = [], itertools.count(1)

    def now():
        if (look := next(looks)) > seats:
            return None
        return look, [lambda: {"board": Markup("for all")}, lambda: {"enter": Markup(f"a form at look {look}")}]

    sending = _in_turn(watch, now, {}, time.monotonic() + 60)
    try:
        while True:
            frames.append(next(sending))
    except StopIteration as end:
        return frames, end.value


def test_a_form_follows_what_all_see_when_nothing_else_changes():
    live = Live()
    with live.watch("night", "ana") as watch:
        (first, second), woken = sent_in_turn(watch)
    assert (b"for all" in first, b"a form" in second, woken) == (True, True, None)


def test_a_form_is_drawn_as_things_are_after_the_lull():
    with Live().watch("night", "ana") as watch:
        (first, second), _ = sent_in_turn(watch)
    assert (b'"tick": 1' in first, b'"tick": 2' in second, b"a form at look 2" in second) == (True, True, True)


@pytest.mark.parametrize("seats", [0, 1])
def test_whoever_lost_the_seat_meanwhile_is_sent_no_more(seats):
    with Live().watch("night", "ana") as watch:
        frames, woken = sent_in_turn(watch, seats)
    assert (len(frames), woken) == (seats, False)


def test_a_form_that_is_old_before_it_is_drawn_is_left_out():
    live = Live()
    with live.watch("night", "ana") as watch:
        live.tell("night")
        frames, woken = sent_in_turn(watch)
    assert (len(frames), b"for all" in frames[0], woken) == (1, True, True)
