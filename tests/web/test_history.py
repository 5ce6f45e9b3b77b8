"""Past nights: who may look how far back, who is who, and forgetting somebody."""

import re
from dataclasses import replace

import pytest
from conftest import Browser, make_evening
from databases import new_app
from itsdangerous import URLSafeSerializer
from past_nights import PastNights
from web.looking import file_of, page, stored, words
from web.qr import read_svg

from companion import history
from companion.history import NOBODY
from companion.models import Match
from companion.web import guests
from companion.web import history as history_pages

pytestmark = pytest.mark.postgresql

LAN, LAPTOP, PHONE = "192.168.1.5:8000", "127.0.0.1:8000", "192.168.1.77"


@pytest.fixture
def home(tmp_path):
    """The application as it runs on a laptop in the living room."""
    app = new_app(tmp_path / "instance", f"http://{LAN}", ("192.168.1.5",))
    app.testing = True
    yield app
    app.extensions["companion"].database.close()


@pytest.fixture
def nights(home):
    return PastNights(home)


@pytest.fixture
def laptop(home):
    return Browser(home, LAPTOP)


def a_phone(app, *seats, address=PHONE):
    """A phone with seats: (night, person, name)."""
    browser = Browser(app, LAN)
    browser.client.environ_base = {"REMOTE_ADDR": address}
    with browser.client.session_transaction(base_url=f"http://{LAN}") as session:
        session["seats"] = list(seats)
    return browser


@pytest.fixture
def three(home, nights):
    """Ana is at two nights, Ben at all three, Zoe only where Ana is not. Gives the nights and their people."""
    first, second, third = nights.night("Ana", "Ben", "Cem"), nights.night("Ben", "Zoe"), nights.night("Ana", "Ben")
    for (night, ids), points in ((first, [9, 5, 1]), (second, [4, 8]), (third, [3, 7])):
        nights.match(night, list(ids.values()), points)
    return first, second, third


def shown_nights(browser):
    return {link.rsplit("/", 1)[1] for link in page(browser.get("/past/nights")).links if link.startswith("/past/nights/")}


def seat(night, name):
    return (night[0], night[1][name], name)


# ---- who may look how far back ---------------------------------------------------------------------------------------


def test_the_laptop_sees_every_night(three, laptop):
    assert shown_nights(laptop) == {night for night, _ in three}
    assert "Past nights" in words(laptop.get("/"))


def test_the_laptop_is_known_by_its_own_address_as_well(home, three):
    assert len(shown_nights(a_phone(home, address="192.168.1.5"))) == 3


def test_a_phone_sees_the_nights_at_which_it_has_a_seat(home, three):
    first, second, third = three
    assert shown_nights(a_phone(home, seat(first, "Ana"))) == {first[0]}
    assert shown_nights(a_phone(home, seat(first, "Ana"), seat(third, "Ana"))) == {first[0], third[0]}
    assert shown_nights(a_phone(home, seat(second, "Zoe"))) == {second[0]}


@pytest.mark.parametrize("path", ["/past", "/past/nights", "/past/people", "/past/games/ligretto-crazy"])
def test_a_stranger_sees_nothing(home, three, path):
    answer = a_phone(home).get(path)
    assert answer.status_code == 403
    assert not {"Ana", "Ben", "Cem", "Zoe"} & set(words(answer).split())
    wrong = (three[0][0], three[0][1]["Ana"], "not the secret")
    assert a_phone(home, wrong).get(path).status_code == 403


def pages_about(night):
    id, ids = night
    one, two = list(ids.values())[:2]
    yield from (f"/past/nights/{id}", f"/past/people/{one}", f"/past/people/{one}/against/{two}", f"/past/people/{two}/forget")


def test_a_phone_cannot_open_what_it_does_not_see_in_its_lists(home, three):
    zoe = a_phone(home, seat(three[1], "Zoe"))
    for path in pages_about(three[0]):
        answer = zoe.get(path)
        assert answer.status_code == 403, path
        assert "Cem" not in words(answer)
    assert [zoe.get(path).status_code for path in pages_about(three[1])][:3] == [200] * 3


def test_made_up_addresses_find_nobody(laptop, three):
    for path in ("/past/nights/1", "/past/people/1", "/past/people/ana", "/past/people/1/forget", "/past/games/chess", "/past/me/x.y"):
        assert laptop.get(path).status_code == 404
    assert laptop.get(f"/past/people/{three[0][1]['Ana']}/against/ben").status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_behind_a_proxy_nobody_is_at_the_laptop(laptop, three, header):
    assert laptop.get("/past", headers={header: "203.0.113.9"}).status_code == 403


def test_a_machine_that_goes_by_a_name_may_have_a_proxy_before_it(tmp_path):
    app = new_app(tmp_path / "hosted", "https://games.example", ("192.168.1.5", "nas.local"))
    try:
        for host in ("127.0.0.1:8000", "localhost:8000", "games.example", "nas.local", "192.168.1.5:8000"):
            assert Browser(app, host).get("/past").status_code == 403
    finally:
        app.extensions["companion"].database.close()


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "192.168.1.5:8000"])
def test_at_the_laptop_all_addresses_are_its_own(home, three, host):
    assert Browser(home, host).get("/past").status_code == 200


def test_a_laptop_that_trusted_every_near_address_would_be_noticed(home, three, monkeypatch):
    monkeypatch.setattr(guests, "_is_own", lambda address: True)
    assert len(shown_nights(a_phone(home))) == 3


def night_of_an_impostor(home):
    """A stranger starts a night under Ana's name; gives what they see of the past."""
    stranger = a_phone(home)
    answer = stranger.post("/nights", {"name": "Ana"})
    id = answer.headers["Location"].rsplit("/", 1)[1]
    own = home.extensions["companion"].nights.room(id).night.host_id
    return shown_nights(stranger) | set(words(stranger.get(f"/past/people/{own}")).split())


def test_a_name_alone_opens_nothing(home, three):
    seen = night_of_an_impostor(home)
    assert not {night for night, _ in three} & seen
    assert not {"Ben", "Cem", "Zoe"} & seen


def test_a_name_that_opened_something_would_be_noticed(home, three, monkeypatch):
    """The control: everybody of the same name counts as the same phone."""
    real = history_pages._nights

    def by_name(reach):
        people = history_pages.history().book().people
        return real(replace(reach, known=tuple(guest.person.id for guest in reach.guests if guest.person.id in people)))

    monkeypatch.setattr(history_pages, "_nights", by_name)
    assert {three[0][0], "Ben", "Cem"} <= night_of_an_impostor(home)


def test_figures_count_only_the_nights_in_view(home, three, laptop):
    """Ben has played three matches; Ana's phone knows of two, and not of Zoe."""
    ana = a_phone(home, seat(three[0], "Ana"), seat(three[2], "Ana"))
    ben = f"/past/people/{three[0][1]['Ben']}"
    assert "2 played" in tally(ana.get(ben))
    assert "3 played" in tally(laptop.get(ben))
    assert "Zoe" not in words(ana.get(ben))
    assert "Zoe" in words(laptop.get(ben))
    assert "Zoe" not in words(ana.get("/past/people")) + words(ana.get("/past/games/ligretto-crazy"))


def tally(answer):
    """How many matches somebody has played and won, as the page says it."""
    figures = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", answer.get_data(as_text=True)))
    return f"{figures['played']} played {figures['won']} won"


def test_another_name_from_a_night_out_of_view_is_not_told(home, nights, three, laptop):
    away = nights.night("Secret Agent", "Gus")
    nights.match(away[0], list(away[1].values()), [5, 3])
    ben = three[0][1]["Ben"]
    laptop.post(f"/past/people/{ben}/same", {"other": away[1]["Secret Agent"]})
    assert "Secret Agent" in words(laptop.get(f"/past/people/{ben}"))
    assert "Secret Agent" not in words(a_phone(home, seat(three[0], "Ana")).get(f"/past/people/{ben}"))


# ---- a phone that is somebody over all nights ------------------------------------------------------------------------


def scanned(laptop, phone, person):
    """Scan the code on the laptop's page about somebody; gives the address it leads to."""
    shown = laptop.get(f"/past/people/{person}/phone").get_data(as_text=True)
    address = read_svg(shown[shown.index("<svg") :])
    assert address.startswith(f"http://{LAN}/past/me/")
    path = address.removeprefix(f"http://{LAN}")
    assert phone.get(path).status_code == 200
    return path


def test_the_code_on_the_laptop_shows_a_phone_all_nights_of_one_person(home, three, laptop):
    phone = a_phone(home, seat(three[2], "Ana"))
    path = scanned(laptop, phone, three[2][1]["Ana"])
    assert shown_nights(phone) == {three[2][0]}  # looking changes nothing
    assert phone.post(path).status_code == 303
    assert shown_nights(phone) == {three[0][0], three[2][0]}
    assert "you" in words(phone.get("/past"))
    assert phone.get(f"/past/people/{three[1][1]['Zoe']}").status_code == 403


def test_a_code_that_was_not_made_here_opens_nothing(home, three, laptop):
    ana = three[0][1]["Ana"]
    right = scanned(laptop, laptop, ana).rsplit("/", 1)[1]
    for token in (
        ana,
        URLSafeSerializer("guessed", salt="past").dumps(ana),
        right[:-2] + ("yy" if right[-2] == "x" else "xx"),  # of the last letter not every bit counts
        URLSafeSerializer(home.secret_key).dumps(ana),
    ):
        assert a_phone(home).post(f"/past/me/{token}").status_code == 404


# ---- who is who ------------------------------------------------------------------------------------------------------


@pytest.fixture
def anna(nights):
    """Anna won a night, Ana another one; both against Ben. Gives both people."""
    one, two = nights.night("Anna", "Ben"), nights.night("Ana", "Ben")
    for night, ids in (one, two):
        nights.match(night, list(ids.values()), [9, 5])
    return one[1]["Anna"], two[1]["Ana"]


def people_shown(browser):
    return len([link for link in set(page(browser.get("/past/people")).links) if link.count("/") == 3 and "/people/" in link])


def test_two_names_can_be_one_person_and_two_again(laptop, anna):
    assert people_shown(laptop) == 3
    assert laptop.post(f"/past/people/{anna[0]}/same", {"other": anna[1]}).status_code == 303
    assert people_shown(laptop) == 2
    shown = laptop.get(f"/past/people/{anna[1]}")
    assert tally(shown) == "2 played 2 won"
    assert "Also played as Ana." in words(shown)
    form = page(laptop.get(f"/past/people/{anna[0]}/correct")).form("/apart")
    assert laptop.post(form.action, form.data).status_code == 303
    assert people_shown(laptop) == 3
    assert tally(laptop.get(f"/past/people/{anna[0]}")) == tally(laptop.get(f"/past/people/{anna[1]}")) == "1 played 1 won"


def test_who_played_against_each_other_are_two_people(laptop, three):
    answer = laptop.post(f"/past/people/{three[0][1]['Ana']}/same", {"other": three[0][1]["Ben"]})
    assert answer.status_code == 409
    assert "against each other" in words(answer)
    assert stored(laptop.client.application)["same"] == []


def test_nobody_is_merged_with_themselves_or_twice(laptop, anna, three):
    assert laptop.post(f"/past/people/{anna[0]}/same", {"other": anna[0]}).status_code == 409
    laptop.post(f"/past/people/{anna[0]}/same", {"other": anna[1]})
    for one, other in (anna, anna[::-1]):
        assert laptop.post(f"/past/people/{one}/same", {"other": other}).status_code == 409
    assert len(stored(laptop.client.application)["same"]) == 1


def test_three_names_in_a_chain_can_be_taken_apart_in_the_middle(laptop, nights, anna):
    third = nights.night("Änn", "Gus")
    nights.match(third[0], list(third[1].values()), [1, 2])
    laptop.post(f"/past/people/{anna[0]}/same", {"other": anna[1]})  # Ana is Anna
    laptop.post(f"/past/people/{third[1]['Änn']}/same", {"other": anna[0]})  # and Anna is Änn
    assert tally(laptop.get(f"/past/people/{anna[1]}")) == "3 played 2 won"
    laptop.post(f"/past/people/{anna[0]}/apart", {"other": anna[0]})
    assert tally(laptop.get(f"/past/people/{anna[1]}")) == "2 played 2 won"
    assert tally(laptop.get(f"/past/people/{third[1]['Änn']}")) == "1 played 0 won"


def test_one_name_can_be_two_people_and_one_again(laptop, three):
    (_, ids), _, (third, later) = three
    assert tally(laptop.get(f"/past/people/{ids['Ana']}")) == "2 played 1 won"
    assert laptop.post(f"/past/people/{ids['Ana']}/split", {"night": third}).status_code == 303
    assert tally(laptop.get(f"/past/people/{ids['Ana']}")) == "1 played 1 won"
    assert tally(laptop.get(f"/past/people/{later['Ana']}")) == "1 played 0 won"
    laptop.post(f"/past/people/{ids['Ana']}/same", {"other": later["Ana"]})
    assert tally(laptop.get(f"/past/people/{later['Ana']}")) == "2 played 1 won"


@pytest.mark.parametrize("chosen", ["none", "all", "another's"])
def test_a_split_needs_some_nights_and_not_all(laptop, three, chosen):
    (first, ids), (second, _), (third, _) = three
    data = {"none": {}, "all": {"night": [first, third]}, "another's": {"night": second}}[chosen]
    before = stored(laptop.client.application)
    answer = laptop.post(f"/past/people/{ids['Ana']}/split", data)
    assert answer.status_code == 422
    assert "not all of them" in words(answer)
    assert stored(laptop.client.application) == before


def test_only_the_laptop_says_who_is_who(home, three, anna):
    ben = a_phone(home, seat(three[0], "Ben"), seat(three[2], "Ben"))
    before = stored(home)
    for path, data in (("same", {"other": anna[0]}), ("apart", {"other": anna[0]}), ("split", {"night": three[0][0]})):
        assert ben.post(f"/past/people/{three[0][1]['Ana']}/{path}", data).status_code == 403
    assert ben.get(f"/past/people/{three[0][1]['Ana']}/phone").status_code == 403
    assert stored(home) == before


# ---- forgetting ------------------------------------------------------------------------------------------------------


def in_the_file(app, text):
    """The rows of all tables that hold that text, in any case."""
    return [f"{name}: {row}" for name, rows in stored(app).items() for row in rows if text.casefold() in str(row).casefold()]


def test_nothing_stored_has_a_forgotten_name_and_the_others_keep_their_figures(home, nights, laptop):
    first, second = nights.night("Rumpel", "Ben", name="Rumpel's birthday"), nights.night("Rumpelina", "Ben", "Cem", name="Rumpelina")
    third = nights.night("Rumpel", "Cem", name="RUMPEL! And Rumpelstilz")
    for night, ids in (first, second, third):
        nights.match(night, list(ids.values()), [9, 5, 1][: len(ids)])
    laptop.post(f"/past/people/{first[1]['Rumpel']}/same", {"other": second[1]["Rumpelina"]})
    before = tally(laptop.get(f"/past/people/{first[1]['Ben']}")), tally(laptop.get(f"/past/people/{third[1]['Cem']}"))
    assert "cannot be undone" in words(laptop.get(f"/past/people/{first[1]['Rumpel']}/forget"))
    assert laptop.post(f"/past/people/{first[1]['Rumpel']}/forget").status_code == 303
    left = in_the_file(home, "rumpel")
    assert len(left) == 1
    assert f"{NOBODY}! And Rumpelstilz" in left[0]  # another word
    assert people_shown(laptop) == 2
    assert (tally(laptop.get(f"/past/people/{first[1]['Ben']}")), tally(laptop.get(f"/past/people/{third[1]['Cem']}"))) == before
    for path in ("/past", f"/past/nights/{first[0]}", "/past/games/ligretto-crazy", f"/past/people/{first[1]['Ben']}"):
        assert "Rumpelina" not in words(laptop.get(path))
    assert NOBODY in words(laptop.get(f"/past/nights/{first[0]}"))
    assert laptop.get(f"/past/people/{first[1]['Rumpel']}").status_code == 404


def test_a_score_sheet_named_after_somebody_forgets_the_name_too(home, nights, laptop):
    night, ids = nights.night("Rumpel", "Ben")
    sheet = {"title": "Rumpel's own", "rows": ["Tricks", "for Rumpel", "Rumpelstilz"], "wins": "lowest"}
    match = nights.match(night, list(ids.values()), [9, 5], "score-sheet", options=sheet)
    laptop.post(f"/past/people/{ids['Rumpel']}/forget")
    with home.extensions["companion"].database.read() as session:
        options = session.get(Match, match).options
    assert options == {"title": f"{NOBODY}'s own"[:12], "rows": ["Tricks", "2", "Rumpelstilz"], "wins": "lowest"}


def test_a_house_rule_that_names_somebody_forgets_the_name_too(evening):
    match, ben = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"]), evening.person("Ben")
    question = '{"trump": "green", "cards": [{"highest": 6}, {"green": 2}, {"green": 2}]}'
    evening["Cem"].post(f"/m/{match}/disputes", {"question": question, "key": "the key of it"})
    (dispute,) = evening.app.extensions["companion"].house_rules.disputes(match)
    answered = {"turn": "0", "words": "As Ben said: Benno wins"}
    assert evening["Ana"].post(f"/m/{match}/disputes/{dispute.id}/answer", answered).status_code == 303
    for name in ("Ben's way", "The way of Ben"):
        saved = {"rounds": "2", "rules_name": name}
        assert evening["Ana"].post(f"/n/{evening.id}/new/crazy-lab/rules", saved).status_code == 303
    assert "As Ben said" in words(evening["Ana"].get(f"/m/{match}"))
    evening["Ben"].post(f"/past/people/{ben.id}/forget")
    left = in_the_file(evening.app, "ben")
    assert len(left) == 1
    assert f"As {NOBODY} said: Benno wins" in left[0]
    assert f"As {NOBODY} said" in words(evening["Ana"].get(f"/m/{match}"))


def bytes_left(app, name):
    """How often a name stands in the files of the instance, rows or not."""
    return sum(each.read_bytes().count(name.encode()) for each in file_of(app).parent.glob(file_of(app).name + "*"))


def forget_rumpel(app, nights, laptop):
    for n in range(30):
        night, ids = nights.night("Rumpelstilz", "Ben", name=f"Night {n}")
        nights.match(night, list(ids.values()), [9, 5])
    assert bytes_left(app, "Rumpelstilz") >= 30
    laptop.post(f"/past/people/{ids['Rumpelstilz']}/forget")
    return bytes_left(app, "Rumpelstilz")


@pytest.mark.file
def test_the_files_have_no_trace_of_a_forgotten_name(home, nights, laptop):
    assert forget_rumpel(home, nights, laptop) == 0


@pytest.mark.file
def test_traces_in_the_gaps_of_the_file_would_be_noticed(home, nights, laptop, monkeypatch):
    monkeypatch.setattr(home.extensions["companion"].database, "rewrite", lambda: None)
    assert forget_rumpel(home, nights, laptop) > 0


def test_whoever_comes_later_under_a_forgotten_name_starts_anew(nights, laptop, three):
    laptop.post(f"/past/people/{three[0][1]['Ana']}/forget")
    later = nights.night("Ana", "Ben")
    nights.match(later[0], list(later[1].values()), [9, 5])
    assert tally(laptop.get(f"/past/people/{later[1]['Ana']}")) == "1 played 1 won"


def test_a_phone_that_was_somebody_forgotten_is_nobody(home, three, laptop):
    phone = a_phone(home, seat(three[0], "Ana"))
    phone.post(scanned(laptop, phone, three[0][1]["Ana"]))
    laptop.post(f"/past/people/{three[0][1]['Ana']}/forget")
    assert shown_nights(phone) == set()
    assert phone.get(f"/past/nights/{three[0][0]}").status_code == 403
    assert phone.get(f"/n/{three[0][0]}").status_code == 403


def test_a_phone_has_itself_forgotten_where_it_has_a_seat(home, three, laptop):
    first, _, third = three
    ana = a_phone(home, seat(first, "Ana"))
    asked = ana.get(f"/past/people/{first[1]['Ana']}/forget")
    assert "At 1 night" in words(asked)
    assert ana.post(f"/past/people/{first[1]['Ana']}/forget").status_code == 303
    assert laptop.get(f"/past/people/{first[1]['Ana']}").status_code == 404
    assert tally(laptop.get(f"/past/people/{third[1]['Ana']}")) == "1 played 0 won"


def test_a_phone_that_scanned_the_code_is_forgotten_everywhere(home, three, laptop):
    ana = a_phone(home)
    ana.post(scanned(laptop, ana, three[0][1]["Ana"]))
    ana.post(f"/past/people/{three[0][1]['Ana']}/forget")
    assert in_the_file(home, "'ana'") == []


def test_neither_other_players_nor_the_host_can_have_somebody_forgotten(home, three, laptop):
    first = three[0]
    ben = f"/past/people/{first[1]['Ben']}/forget"
    cem, ana = a_phone(home, seat(first, "Cem")), a_phone(home, seat(first, "Ana"))  # Ana hosts the first night
    before = stored(home)
    for answer in (cem.get(ben), cem.post(ben), ana.get(ben), ana.post(ben)):
        assert answer.status_code == 403
    assert stored(home) == before
    assert laptop.post(ben).status_code == 303


def test_what_is_left_of_several_names_is_still_one_person(home, laptop, nights, anna):
    third = nights.night("Ann", "Gus")
    nights.match(third[0], list(third[1].values()), [1, 2])
    for other in (anna[1], third[1]["Ann"]):
        laptop.post(f"/past/people/{anna[0]}/same", {"other": other})
    phone = a_phone(home, (person_night(home, anna[0]), anna[0], "Anna"))
    phone.post(f"/past/people/{anna[0]}/forget")
    assert in_the_file(home, "anna") == []
    assert tally(laptop.get(f"/past/people/{anna[1]}")) == tally(laptop.get(f"/past/people/{third[1]['Ann']}")) == "2 played 1 won"


def person_night(app, person):
    return app.extensions["companion"].history.book().people[person].night


def pages_of_a_match_after_forgetting(evening):
    """Ben is forgotten in the middle of a match: by then everything with his name has been rendered once. Gives what Ana's pages say."""
    match = evening.start()
    for seat_, (name, scored) in enumerate((("Ana", 20), ("Ben", 30), ("Cem", 10))):
        evening[name].post(f"/m/{match}/act/round-1-count-{seat_}", {"scored": scored, "left": "5", "key": f"the key of {name}"})
    paths = (f"/m/{match}", f"/m/{match}/story", f"/m/{match}/entries/2", f"/m/{match}/seats/1", f"/n/{evening.id}", f"/n/{evening.id}/tv")
    assert all("Ben" in words(evening["Ana"].get(path)) for path in paths)
    log = stored(evening.app)["entry"]
    assert evening["Ben"].post(f"/past/people/{evening.person('Ben').id}/forget").status_code == 303
    assert stored(evening.app)["entry"] == log
    return match, [words(evening["Ana"].get(path)) for path in paths]


def test_a_match_goes_on_without_the_name_of_somebody_forgotten(evening):
    match, said = pages_of_a_match_after_forgetting(evening)
    assert not [each for each in said if "Ben" in each]
    assert evening["Ben"].get(f"/m/{match}").status_code == 403
    evening["Ana"].post(f"/m/{match}/call", {"call": "stop"})
    answer = evening["Ana"].post(f"/m/{match}/act/round-2-count-1", {"scored": "9", "left": "3", "key": "for whoever it was"})
    assert answer.status_code == 303


def test_forgetting_somebody_reads_nothing_of_the_nights_of_others(home, three, monkeypatch):
    """Where thousands of nights are hosted, that would take long."""
    read = []
    monkeypatch.setattr(history, "_read", lambda session, nights, real=history._read: read.append(nights) or real(session, nights))
    ana = a_phone(home, seat(three[0], "Ana"))
    assert ana.post(f"/past/people/{three[0][1]['Ana']}/forget").status_code == 303
    assert read == [frozenset({three[0][0]})]


def test_pages_kept_from_before_would_be_noticed(evening, monkeypatch):
    monkeypatch.setattr(history_pages.region_cache, "clear", lambda: None)
    _, said = pages_of_a_match_after_forgetting(evening)
    assert [each for each in said if "Ben" in each]


def test_the_log_of_a_whole_evening_holds_no_name(app):
    """Names stand in the table of people alone, so that they can be forgotten."""
    evening = make_evening(app, host="Xanthippe", players=("Ben", "Cem"))
    match = evening.start(by="Xanthippe", target="20")
    evening["Xanthippe"].post(f"/m/{match}/act/round-1-count-0", {"scored": "20", "left": "5", "key": "a key of hers"})
    evening["Xanthippe"].post(f"/m/{match}/entries/1/amend", {"scored": "22", "left": "5", "key": "another key"})
    evening["Xanthippe"].post(f"/m/{match}/entries/1/undo", {"key": "yet another key"})
    assert len(stored(app)["entry"]) == 3
    assert [line.split(":")[0] for line in in_the_file(app, "xanthippe")] == ["person"]


def test_a_night_whose_host_was_forgotten_can_be_taken_over(home, three, laptop):
    laptop.post(f"/past/people/{three[0][1]['Ana']}/forget")
    cem = a_phone(home, seat(three[0], "Cem"))
    assert cem.post(f"/n/{three[0][0]}/take-over").status_code == 303
    assert "host" in words(cem.get(f"/n/{three[0][0]}"))


# ---- what is shown ---------------------------------------------------------------------------------------------------


def test_before_the_first_match_there_is_a_way_on(laptop, nights):
    night, ids = nights.night("Ana", "Ben")
    assert "Nothing to look back on yet" in words(laptop.get("/past"))
    assert "No match was played to its end" in words(laptop.get(f"/past/nights/{night}"))
    assert "No match played to its end yet" in words(laptop.get(f"/past/people/{ids['Ana']}"))
    assert "not played a match together" in words(laptop.get(f"/past/people/{ids['Ana']}/against/{ids['Ben']}"))
    assert "No match of this game" in words(laptop.get("/past/games/crazy-lab"))


def test_a_running_match_does_not_count_and_an_undone_end_no_longer(evening):
    match = evening.start(target="50", seats=["Ana", "Ben"])
    ana, ben = evening["Ana"], evening.person("Ben").id
    assert "No match played to its end yet" in words(ana.get(f"/past/people/{ben}"))
    counts = {"scored.0": "10", "scored.1": "55", "left.0": "5", "left.1": "2"}
    ana.post(f"/m/{match}/act/round-1", {**counts, "key": "the key of a round"})
    assert tally(ana.get(f"/past/people/{ben}")) == "1 played 1 won"
    ana.post(f"/m/{match}/entries/1/amend", {**counts, "scored.0": "56", "scored.1": "9", "key": "the key of another"})
    assert tally(ana.get(f"/past/people/{ben}")) == "1 played 0 won"
    ana.post(f"/m/{match}/entries/1/undo", {"key": "the key of an undo"})
    assert "No match played to its end yet" in words(ana.get(f"/past/people/{ben}"))


def test_a_removed_player_keeps_the_figures(evening):
    match = evening.start(target="50", seats=["Ana", "Ben"])
    counts = {"scored.0": "10", "scored.1": "55", "left.0": "5", "left.1": "2"}
    evening["Ana"].post(f"/m/{match}/act/round-1", {**counts, "key": "the key of a round"})
    ben = evening.person("Ben").id
    evening["Ana"].post(f"/n/{evening.id}/people/{ben}/remove")
    assert tally(evening["Ana"].get(f"/past/people/{ben}")) == "1 played 1 won"


def test_long_lists_go_on_a_page_away(laptop, nights):
    laid = nights.many(35, each=1, names=("Ana", "Ben", "Cem", "Dia"))
    seen, first = set(), 0
    while first is not None:
        links = page(laptop.get("/past/nights", query_string={"older": first})).links
        seen.update(link for link in links if link.startswith("/past/nights/"))
        first = next((n for n in (int(link.split("older=")[1]) for link in links if "older=" in link) if n > first), None)
    assert len(seen) == len(laid) == 35
    assert len(page(laptop.get("/past/nights")).links) < 15


@pytest.mark.parametrize("older", ["x", "-1", "99999", "٣", "1e3", "", "1+1"])
def test_a_page_that_is_not_there_is_no_error(laptop, nights, older):
    _, ids = nights.many(3)[0]
    for path in ("/past/nights", "/past/people", f"/past/people/{ids['Ana']}", "/past/games/ligretto-crazy"):
        assert laptop.get(path, query_string={"older": older}).status_code == 200


def test_a_score_sheet_counts_by_the_box_that_was_opened(laptop, nights):
    night, ids = nights.night("Ana", "Ben")
    for title, points in (("Wizard & Co", [9, 5]), ("wizard & co", [1, 5]), ("Hearts", [3, 5])):
        nights.match(night, list(ids.values()), points, "score-sheet", options={"title": title})
    shown = laptop.get("/past")
    link = next(link for link in page(shown).links if "Wizard" in link)
    assert "Wizard & Co" in words(shown)
    assert "wizard & co" not in words(shown)
    assert "2 matches" in words(shown)
    assert "Record: 9 by Ana" in words(laptop.get(link))


def test_the_past_is_read_once_until_something_changes(home, nights, laptop, monkeypatch):
    nights.many(3)
    read, real = [], history._read
    monkeypatch.setattr(history, "_read", lambda *given: read.append(1) or real(*given))
    for _ in range(3):
        assert "3 matches" in words(laptop.get("/past/nights"))
    assert len(read) == 1
    nights.many(1)
    assert "1 match" in words(laptop.get("/past/nights"))
    assert len(read) == 2
