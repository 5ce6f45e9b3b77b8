"""Promise 17 and the seats: a lost phone, the host's word, the seat's code, hand over, take over, removing, watching."""

import re
from datetime import timedelta

import pytest
from conftest import Browser, make_evening
from web.looking import html_in, next_regions, page, stored, stream, words

from companion.nights import HOST_AWAY, MAX_PEOPLE, Nights

pytestmark = pytest.mark.postgresql


def lobby(evening, name):
    return evening[name].get(f"/n/{evening.id}")


def claims(evening):
    return evening.app.extensions["companion"].nights.claims(evening.id)


def answer_first_claim(evening, answer, by="Ana"):
    form = page(lobby(evening, by)).form("/claims/")
    return evening[by].post(form.action, {**form.data, "answer": answer})


def new_phone(evening):
    """Another browser at another address: nothing of the old one is left."""
    browser = Browser(evening.app)
    browser.client.environ_base = {"REMOTE_ADDR": "192.168.178.77"}
    return browser


def names_of(evening):
    room = evening.app.extensions["companion"].nights.room(evening.id)
    return {person.name: person for person in room.people}


# ---- promise 17: a lost phone gets its own seat back, nobody else's --------------------------------------------------


def hidden_choice(evening):
    """A match of Crazy Lab in which Ben has chosen in secret."""
    match = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"])
    store = evening.app.extensions["companion"].store
    book(store, match, {"do": "minus", "colours": ["purple", "blue", "green"]}, evening.person("Ana").id)
    book(store, match, {"do": "plus", "seat": 1, "colour": "yellow"}, evening.person("Ben").id)
    return match


def book(store, match, action, by):
    """Book an action by the question that offers it."""
    from companion.games.forms import ask_for

    position = store.match(match).position
    ask = ask_for(position.game.asks(position.state), action)
    assert ask is not None, (action, [each.id for each in position.game.asks(position.state)])
    store.act(match, ask.id, action, by, f"key {position.version} {action['do']}")


def secret_of(browser, match, n):
    """What the entry's page offers to whoever may see it."""
    html = browser.get(f"/m/{match}/entries/{n}").get_data(as_text=True)
    return "Correct this entry" in html


def wrongly_seated(evening, match, phone, old, name):
    """What is wrong after somebody got the seat of that name back on another phone."""
    found = []
    person = evening.person(name)
    if "you" not in words(phone.get(f"/n/{evening.id}")) or phone.get(f"/m/{match}").status_code != 200:
        found.append("the new phone is not at the night")
    cookie_person = names_of(evening)[name]
    if cookie_person.id != person.id or person.id not in evening.seated(match).match.seats:
        found.append("the seat is another one")
    if old.get(f"/n/{evening.id}").status_code != 403:
        found.append("the old phone is still in")
    if not secret_of(phone, match, 2):
        found.append("the own secret is lost")
    for other in ("Ana", "Cem"):
        if evening[other].get(f"/n/{evening.id}").status_code != 200:
            found.append(f"{other} lost the seat")
        if secret_of(evening[other], match, 2):
            found.append(f"{other} sees the secret")
    return found


@pytest.fixture
def full(app):
    """A full night in the middle of a match with a hidden choice."""
    evening = make_evening(app)
    nights = app.extensions["companion"].nights
    for n in range(MAX_PEOPLE - 4):
        nights.add(nights.room(evening.id).night, f"Guest {n}")
    return evening


@pytest.mark.parametrize("way", ["code", "host", "code while joining is closed"])
def test_a_lost_phone_gets_its_own_seat_back_in_a_full_night(full, way):
    evening, match = full, hidden_choice(full)
    if way.endswith("closed"):
        evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"})
    phone, ben, before = new_phone(evening), evening.person("Ben"), stored(evening.app, ("match", "entry"))
    shown = page(phone.get(f"/j/{evening.token}"))
    if way == "host":
        form = shown.form(f"/seats/{ben.id}/ask")
        assert phone.post(form.action, form.data).headers["Location"] == f"/j/{evening.token}?waiting=1"
        assert "Waiting for the host" in words(phone.get(f"/j/{evening.token}?waiting=1"))
        assert evening["Ben"].get(f"/n/{evening.id}").status_code == 200  # until the host says yes
        assert phone.get(f"/n/{evening.id}").status_code == 403
        assert "A new phone says it is Ben. Is that right?" in words(lobby(evening, "Ana"))
        assert "A new phone" not in words(lobby(evening, "Cem"))
        answer_first_claim(evening, "yes")
        assert phone.get(f"/j/{evening.token}?waiting=1").headers["Location"] == f"/n/{evening.id}"
    else:
        code = page(lobby(evening, "Ben")).text.split("if you lose this phone: ")[1][:7]
        form = shown.form(f"/seats/{ben.id}/return")
        assert phone.post(form.action, {**form.data, "code": code.lower()}).status_code == 303
    assert wrongly_seated(evening, match, phone, evening["Ben"], "Ben") == []
    assert stored(evening.app, ("match", "entry")) == before
    assert evening.app.extensions["companion"].nights.claims(evening.id) == []


def test_a_seat_given_back_without_its_secret_would_be_noticed(full, monkeypatch):
    """The same check on a night that gives whoever returns a new person instead of the old one."""
    evening, match = full, hidden_choice(full)
    ben = evening.person("Ben")

    def careless(self, night, id, typed):
        self.remove(night, id)
        return self.join(night, "Ben")

    monkeypatch.setattr(Nights, "return_with_code", careless)
    phone = new_phone(evening)
    phone.post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": ben.code})
    assert "the own secret is lost" in wrongly_seated(evening, match, phone, evening["Ben"], "Ben")


def test_a_seat_given_back_without_locking_out_the_old_phone_would_be_noticed(evening, monkeypatch):
    match, ben = hidden_choice(evening), evening.person("Ben")
    monkeypatch.setattr("companion.nights.compare_digest", lambda *_: True)
    phone = new_phone(evening)
    phone.post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": ben.code})
    assert "the old phone is still in" in wrongly_seated(evening, match, phone, evening["Ben"], "Ben")


def test_a_wrong_code_opens_no_seat_and_neither_does_another_seats(evening):
    phone, ben, before = new_phone(evening), evening.person("Ben"), stored(evening.app)
    for code in ("", "AAAAAA", evening.person("Cem").code, evening.code, ben.code[:5], ben.code + "A", "é", "Ｂ" * 6, ben.id):
        answer = phone.post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": code})
        assert answer.status_code == 404
        assert "That is not the code of this seat" in words(answer)
    assert stored(evening.app) == before
    assert phone.get(f"/n/{evening.id}").status_code == 403


def test_a_seats_code_is_shown_to_nobody_else(evening):
    code = evening.person("Ben").code
    for name in ("Ana", "Cem", "Tom"):
        for path in ("", "/now", "/tv", "/tv/now"):
            html = html_in(evening[name].get(f"/n/{evening.id}{path}"))
            assert code not in html
            assert f"{code[:3]} {code[3:]}" not in html
    assert f"{code[:3]} {code[3:]}" in words(lobby(evening, "Ben"))


def test_the_host_may_say_no(evening):
    phone, ben = new_phone(evening), evening.person("Ben")
    phone.post(f"/j/{evening.token}/seats/{ben.id}/ask")
    answer_first_claim(evening, "no")
    assert phone.get(f"/n/{evening.id}").status_code == 403
    assert lobby(evening, "Ben").status_code == 200
    assert claims(evening) == []


def test_a_claim_is_answered_once(evening):
    phone, ben = new_phone(evening), evening.person("Ben")
    phone.post(f"/j/{evening.token}/seats/{ben.id}/ask")
    claim = claims(evening)[0]
    evening["Ana"].post(f"/n/{evening.id}/claims/{claim.id}", {"answer": "no"})
    before = stored(evening.app)
    answer = evening["Ana"].post(f"/n/{evening.id}/claims/{claim.id}", {"answer": "yes"})
    assert answer.status_code == 409
    assert "no longer waiting" in words(answer)
    assert stored(evening.app) == before


def test_nobody_waits_for_the_seat_of_somebody_who_was_removed(evening):
    phone, ben = new_phone(evening), evening.person("Ben")
    phone.post(f"/j/{evening.token}/seats/{ben.id}/ask")
    evening["Ana"].post(f"/n/{evening.id}/people/{ben.id}/remove")
    assert claims(evening) == []
    assert "A new phone" not in words(lobby(evening, "Ana"))
    assert phone.get(f"/n/{evening.id}").status_code == 403


def test_two_phones_ask_for_one_seat_and_the_host_chooses(evening):
    right, wrong, ben = new_phone(evening), new_phone(evening), evening.person("Ben")
    right.post(f"/j/{evening.token}/seats/{ben.id}/ask")
    wrong.post(f"/j/{evening.token}/seats/{ben.id}/ask")
    first, second = claims(evening)
    evening["Ana"].post(f"/n/{evening.id}/claims/{second.id}", {"answer": "no"})
    evening["Ana"].post(f"/n/{evening.id}/claims/{first.id}", {"answer": "yes"})
    assert right.get(f"/n/{evening.id}").status_code == 200
    assert wrong.get(f"/n/{evening.id}").status_code == 403


def test_a_claim_of_another_night_cannot_be_answered(evening):
    other = make_evening(evening.app, host="Olga", players=("Pia",), watchers=())
    new_phone(evening).post(f"/j/{other.token}/seats/{other.person('Pia').id}/ask")
    claim = claims(other)[0]
    assert evening["Ana"].post(f"/n/{evening.id}/claims/{claim.id}", {"answer": "yes"}).status_code == 409
    assert len(claims(other)) == 1


def test_the_seats_of_another_night_cannot_be_taken_with_ones_own_token(evening):
    other = make_evening(evening.app, host="Olga", players=("Pia",), watchers=())
    pia, before = other.person("Pia"), stored(evening.app)
    for what in ("take", "return", "ask"):
        answer = new_phone(evening).post(f"/j/{evening.token}/seats/{pia.id}/{what}", {"code": pia.code})
        assert answer.status_code == 404
        assert "nobody like that" in words(answer)
    for what in ("remove", "host"):
        assert evening["Ana"].post(f"/n/{evening.id}/people/{pia.id}/{what}").status_code == 404
    assert stored(evening.app) == before


def test_asking_for_anothers_seat_does_not_cost_the_own_one(evening):
    answer = evening["Ben"].post(f"/j/{evening.token}/seats/{evening.person('Cem').id}/ask")
    assert answer.headers["Location"] == f"/n/{evening.id}"
    assert lobby(evening, "Ben").status_code == 200
    assert claims(evening) == []


# ---- people without a phone ------------------------------------------------------------------------------------------


def test_somebody_without_a_phone_is_added_and_can_take_the_seat_later(evening):
    evening["Ben"].post(f"/n/{evening.id}/people", {"name": "Dora"})
    dora, phone = evening.person("Dora"), new_phone(evening)
    assert "Dora no phone" in words(lobby(evening, "Ana"))
    match = evening.start(seats=["Ana", "Ben", "Cem", "Dora"])
    form = page(phone.get(f"/j/{evening.token}")).form(f"/seats/{dora.id}/take")
    assert phone.post(form.action, form.data).status_code == 303
    assert phone.post(f"/m/{match}/call", {"call": "stop"}).status_code == 303
    assert "Count your cards" in words(phone.get(f"/m/{match}"))
    answer = new_phone(evening).post(form.action)
    assert answer.status_code == 409
    assert "Dora has a phone already" in words(answer)


def test_a_seat_with_a_phone_is_not_offered_to_others(evening):
    shown = page(new_phone(evening).get(f"/j/{evening.token}"))
    assert not [form for form in shown.forms if form.action.endswith("/take")]
    before = stored(evening.app)
    assert new_phone(evening).post(f"/j/{evening.token}/seats/{evening.person('Ben').id}/take").status_code == 409
    assert stored(evening.app) == before


def test_nobody_is_added_while_joining_is_closed(evening):
    evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"})
    answer = evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Dora"})
    assert answer.status_code == 403
    assert "Joining is closed" in words(answer)


# ---- removing --------------------------------------------------------------------------------------------------------


def test_a_removed_players_open_page_is_told_in_words_and_the_scores_stay(evening):
    match = evening.start()
    for seat, name in enumerate(("Ana", "Ben", "Cem")):
        count(evening[name], match, 1, seat, 20 + seat)
    form = page(evening["Ben"].get(f"/m/{match}"))
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/remove")
    before = stored(evening.app)
    for answer in (
        evening["Ben"].get(f"/m/{match}"),
        evening["Ben"].get(f"/m/{match}/now"),
        evening["Ben"].get(f"/m/{match}/live"),
        evening["Ben"].get(f"/n/{evening.id}"),
        count(evening["Ben"], match, 2, 1, 9),
        count(evening["Ben"], match, 2, 1, 9, htmx=True),
        evening["Ben"].post(form.forms[0].action, form.forms[0].data),
    ):
        assert answer.status_code == 403
        assert "You are not at this night, or your seat went to another phone." in words(answer)
    assert stored(evening.app) == before
    assert evening.seated(match).position.rounds == ((15, 16, 17),)
    assert "Ben" in words(evening["Ana"].get(f"/m/{match}"))
    assert "Ben" not in words(lobby(evening, "Ana")).split("Tonight")[0]
    assert evening["Ben"].get("/").status_code == 200


def count(browser, match, round, seat, scored, left=5, **more):
    data = {"scored": str(scored), "left": str(left), "key": f"key-{round}-{seat}-{scored}-{left}"}
    return browser.post(f"/m/{match}/act/round-{round}-count-{seat}", data, **more)


def test_a_removed_players_open_stream_ends(evening):
    match = evening.start()
    with stream(evening["Ben"], f"/m/{match}/live") as got:
        assert got.get(timeout=60).status_code == 200
        assert "Ben" in next_regions(got)["regions"]["waiting"]
        next_regions(got, "enter")
        evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/remove")
        assert got.get(timeout=60) == "event: bye\ndata: \n\n"


def test_others_can_count_for_whoever_was_removed(evening):
    match = evening.start()
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/remove")
    evening["Ana"].post(f"/m/{match}/call", {"call": "stop"})
    for seat in range(3):
        assert count(evening["Cem"], match, 1, seat, 20).status_code == 303
    assert evening.seated(match).position.rounds == ((15, 15, 15),)


def test_the_host_cannot_be_removed(evening):
    answer = evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ana').id}/remove")
    assert answer.status_code == 409
    assert "hand over first" in words(answer)
    assert lobby(evening, "Ana").status_code == 200


def test_whoever_was_removed_is_not_removed_again(evening):
    ben = evening.person("Ben")
    evening["Ana"].post(f"/n/{evening.id}/people/{ben.id}/remove")
    answer = evening["Ana"].post(f"/n/{evening.id}/people/{ben.id}/remove")
    assert answer.status_code == 404
    assert "nobody like that" in words(answer)
    assert new_phone(evening).post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": ben.code}).status_code == 404


# ---- the host --------------------------------------------------------------------------------------------------------


def test_the_host_hands_over_and_all_see_it(evening):
    with stream(evening["Cem"], f"/n/{evening.id}/live") as got:
        got.get(timeout=60)
        next_regions(got)
        evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/host")
        people = next_regions(got)["regions"]["people"]
    assert "host" in people.split("Ben")[1].split("</li>")[0]
    assert "Close joining" in words(lobby(evening, "Ben"))
    assert "Close joining" not in words(lobby(evening, "Ana"))
    assert evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"}).status_code == 403


def test_only_somebody_with_a_phone_can_host(evening):
    evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Dora"})
    dora = evening.person("Dora")
    assert not [form for form in page(lobby(evening, "Ana")).forms if form.action.endswith(f"{dora.id}/host")]
    answer = evening["Ana"].post(f"/n/{evening.id}/people/{dora.id}/host")
    assert answer.status_code == 409
    assert "Dora has no phone to host with." in words(answer)


def away(evening, seconds, name="Ana"):
    """Nothing came from that phone for so long."""
    live = evening.app.extensions["companion"].live
    live._seen[evening.person(name).id] -= seconds


def test_while_the_host_is_here_nobody_takes_over(evening):
    lobby(evening, "Ana")
    away(evening, HOST_AWAY - 5)
    assert "Be the host" not in words(lobby(evening, "Ben"))
    answer = evening["Ben"].post(f"/n/{evening.id}/take-over")
    assert answer.status_code == 409
    assert "The host is here; ask for a hand-over." in words(answer)


def test_after_a_minute_without_the_host_a_player_takes_over_and_the_host_is_a_player(evening):
    lobby(evening, "Ana")
    away(evening, HOST_AWAY + 1)
    assert "The host has been away for more than a minute." in words(lobby(evening, "Ben"))
    assert "Be the host" not in words(lobby(evening, "Tom"))
    assert evening["Tom"].post(f"/n/{evening.id}/take-over").status_code == 403
    form = page(lobby(evening, "Ben")).form("/take-over")
    assert evening["Ben"].post(form.action, form.data).status_code == 303
    answer = evening["Cem"].post(f"/n/{evening.id}/take-over")
    assert answer.status_code == 409  # there is a host again
    assert "Ben host" in words(lobby(evening, "Cem"))
    assert evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"}).status_code == 403
    assert lobby(evening, "Ana").status_code == 200


def test_a_host_with_an_open_page_is_never_away(evening):
    with stream(evening["Ana"], f"/n/{evening.id}/live") as got:
        got.get(timeout=60)
        next_regions(got)
        away(evening, 10_000)
        assert evening["Ben"].post(f"/n/{evening.id}/take-over").status_code == 409


def test_after_a_restart_the_host_has_a_minute_to_come_back(evening):
    live = evening.app.extensions["companion"].live
    live._seen.clear()
    assert evening["Ben"].post(f"/n/{evening.id}/take-over").status_code == 409
    live._seen.clear()
    live.started -= HOST_AWAY + 1
    assert evening["Ben"].post(f"/n/{evening.id}/take-over").status_code == 303


def test_a_lost_host_phone_comes_back_through_whoever_took_over(evening):
    lobby(evening, "Ana")
    away(evening, HOST_AWAY + 1)
    evening["Ben"].post(f"/n/{evening.id}/take-over")
    phone = new_phone(evening)
    phone.post(f"/j/{evening.token}/seats/{evening.person('Ana').id}/ask")
    answer_first_claim(evening, "yes", by="Ben")
    assert "Ana you" in words(phone.get(f"/n/{evening.id}"))


# ---- the one thing to do now -----------------------------------------------------------------------------------------


def next_step(evening, name):
    """Where the big button leads, and what it says."""
    html = lobby(evening, name).get_data(as_text=True)
    found = re.search(r'<a class="button do wide" href="([^"]+)">([^<]+)</a>', html)
    return found and found.groups()


def finish(evening, match):
    """Two rounds of Ligretto Crazy, which are enough for 50 points."""
    store, by = evening.app.extensions["companion"].store, evening.person("Ana").id
    for n in (1, 2):
        store.act(match, f"round-{n}", {"do": "round", "scored": [30, 35], "left": [1, 1]}, by, f"the key of round {n}")
    assert evening.seated(match).position.over


def test_whoever_plays_is_led_to_the_table_and_the_others_to_the_next_game(evening):
    choose = (f"/n/{evening.id}/new", "Choose a game")
    assert [next_step(evening, name) for name in ("Ana", "Cem", "Tom")] == [choose, choose, None]
    match = evening.start(seats=["Ana", "Ben"], target="50")
    assert next_step(evening, "Ben") == (f"/m/{match}", "To the table: Ligretto Crazy")
    assert choose[0] in page(lobby(evening, "Ben")).links  # … and quietly to another one
    assert [next_step(evening, name) for name in ("Cem", "Tom")] == [choose, None]
    finish(evening, match)
    assert next_step(evening, "Ben") == choose


def test_a_match_of_last_week_does_not_stand_in_the_way_of_the_next_game(evening, monkeypatch):
    evening.start(seats=["Ana", "Ben"])
    monkeypatch.setattr("companion.web.lobby.A_WHILE", timedelta(0))
    assert next_step(evening, "Ben") == (f"/n/{evening.id}/new", "Choose a game")


def listed(evening):
    """The matches in the lobby, from the top: the game, and whether it stands out."""
    html = lobby(evening, "Ben").get_data(as_text=True)
    return [(name, bool(now)) for now, name in re.findall(r'<a class="match( now)?".*?<strong>([^<]+)</strong>', html, re.DOTALL)]


def test_what_was_left_stands_quietly_below_what_is_on_and_what_was_played(evening):
    evening.start("score-sheet", title="Hearts")
    evening.start("crazy-lab")
    assert listed(evening) == [("Crazy Lab", True), ("Hearts", False)]
    finish(evening, evening.start(seats=["Ana", "Ben"], target="50"))
    assert listed(evening) == [("Ligretto Crazy", False), ("Crazy Lab", False), ("Hearts", False)]
    evening.start("score-sheet", title="Whist")
    assert listed(evening) == [("Whist", True), ("Ligretto Crazy", False), ("Crazy Lab", False), ("Hearts", False)]
    assert "Crazy Lab paused, tap to continue" in words(lobby(evening, "Ben"))


# ---- watching --------------------------------------------------------------------------------------------------------


def test_watchers_only_look(evening):
    match = evening.start()
    evening["Ana"].post(f"/m/{match}/call", {"call": "stop"})
    count(evening["Ana"], match, 1, 0, 20)
    for path in (f"/n/{evening.id}", f"/n/{evening.id}/tv", f"/m/{match}", f"/m/{match}/entries/1"):
        answer = evening["Tom"].get(path)
        assert answer.status_code == 200
        assert {form.action for form in page(answer).forms} <= {"/language"}, path
    assert "You are watching this match." in words(evening["Tom"].get(f"/m/{match}"))
    assert "Choose a game" not in words(lobby(evening, "Tom"))
    assert "Tom" not in words(evening["Ana"].get(f"/n/{evening.id}/new/ligretto-crazy"))


def test_a_player_without_a_seat_in_the_match_only_looks_at_it(evening):
    match = evening.start(seats=["Ana", "Ben"])
    shown = evening["Cem"].get(f"/m/{match}")
    assert page(shown).forms == []
    assert "You are watching this match." in words(shown)


def test_the_host_without_a_seat_can_enter_for_the_table(evening):
    match = evening.start(seats=["Ben", "Cem"])
    for seat in range(2):
        assert count(evening["Ana"], match, 1, seat, 20).status_code == 303
    assert evening.seated(match).position.rounds == ((15, 15),)
