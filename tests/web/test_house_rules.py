"""Disputes and house rules: put to the table, accepted or answered, booked, remembered; and options kept under a name."""

import json
import re
from threading import Barrier, Thread

import pytest
from conftest import Browser, make_evening
from web.looking import page, stored, stream

from companion.web import disputes
from companion.web.asked import address_of

pytestmark = pytest.mark.postgresql

TIE = {"trump": "green", "cards": [{"highest": 6}, {"green": 2}, {"green": 2}]}  # by the rules the second one to play wins


@pytest.fixture
def lab(evening):
    return evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"], starter=evening.person("Ana").id)


def house(evening):
    return evening.app.extensions["companion"].house_rules


def put(evening, match, question=TIE, name="Ben", key="the key of it", **more):
    text = question if isinstance(question, str) else json.dumps(question)
    return evening[name].post(f"/m/{match}/disputes", {"question": text, "key": key}, **more)


def raised(evening, match, question=TIE, name="Ben", key="the key of it"):
    """A dispute just put to the table; gives its id."""
    assert put(evening, match, question, name, key).status_code == 303
    return house(evening).disputes(match)[-1].id


def say(evening, match, dispute, name, how="accept", turn=0, **data):
    return evening[name].post(f"/m/{match}/disputes/{dispute}/{how}", {"turn": str(turn), **data})


def table(evening, match, name="Tom"):
    return evening[name].get(f"/m/{match}").get_data(as_text=True)


def words(evening, path, name="Tom"):
    return page(evening[name].get(path)).text


def dispute_of(evening, match):
    return house(evening).disputes(match)[-1]


# ---- a dispute is put to the table -----------------------------------------------------------------------------------


def test_everybody_and_the_tv_see_who_asks_what_the_verdict_is_and_why(evening, lab):
    raised(evening, lab)
    for path in (f"/m/{lab}", f"/n/{evening.id}/tv"):
        for name in ("Ana", "Ben", "Cem", "Tom"):
            text = words(evening, path, name)
            assert "Ben asks the table" in text
            assert "By the rules: Ben" in text
            assert "Cem has green 2 too, but Ben played it earlier." in text
            assert "AN Ana has not answered yet CE Cem has not answered yet" in text


def test_it_arrives_on_a_stream_that_is_open_already(evening, lab):
    with stream(evening["Cem"], f"/m/{lab}/live") as got:
        got.get(timeout=60)
        raised(evening, lab)
        seen = ""
        while "asks the table" not in seen:
            seen += str(got.get(timeout=60))


def test_watchers_and_the_tv_get_no_buttons(evening, lab):
    raised(evening, lab)
    assert "We accept" in table(evening, lab, "Cem")
    assert "We accept" not in table(evening, lab, "Tom")
    assert "We accept" not in evening["Ana"].get(f"/n/{evening.id}/tv").get_data(as_text=True)


def test_a_double_tap_asks_once_and_so_do_two_who_ask_the_same(evening, lab):
    for _ in range(2):
        put(evening, lab)
    put(evening, lab, name="Cem", key="another key")
    assert len(house(evening).disputes(lab)) == 1
    put(evening, lab, {**TIE, "trump": "blue"}, key="a third key")
    assert len(house(evening).disputes(lab)) == 2


def test_a_table_is_not_flooded_with_questions(evening, lab):
    for n, trump in enumerate(("green", "blue", "yellow")):
        assert put(evening, lab, {"trump": trump, "cards": [{trump: 1}] * 3}, key=f"key number {n}").status_code == 303
    answer = put(evening, lab, {"trump": "purple", "cards": [{"purple": 1}] * 3}, key="one too many")
    assert answer.status_code == 409
    assert "Settle one of them first" in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ("[" * 5000, 400),
        (json.dumps({"trump": "green", "cards": [{"green": 1}] * 10_000}), 413),
        (json.dumps({"trump": "green", "cards": [{"green": 1}] * 1_000}), 400),
        ({"trump": "green"}, 422),
        ({"trump": "pink", "cards": [{"green": 1}] * 3}, 422),
        ({"trump": "green", "cards": [{"green": 1}] * 2}, 422),
        ({"trump": "green", "cards": [{"green": 9}] * 3}, 422),
        ({"trump": "green", "cards": [{"green": 1}] * 3, "leader": 7}, 422),
        ({"trump": "green", "cards": [{"green": 1}] * 3, "leader": None}, 422),
        ({"trump": "green", "cards": [{"green": 1}] * 3, "more": "fields"}, 422),
        ({"trump": {"a": []}, "cards": "green"}, 422),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_in_words_and_nothing_is_stored(evening, lab, question, status):
    before = stored(evening.app)
    answer = put(evening, lab, question)
    assert answer.status_code == status
    assert len(page(answer).text) > 40
    assert stored(evening.app) == before


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "not ascii é"])
def test_a_dispute_needs_a_key(evening, lab, key):
    assert put(evening, lab, key=key).status_code == 400


def test_what_others_typed_into_their_forms_is_not_part_of_a_dispute(evening, lab):
    """Only what was typed: names, another game and what somebody claims are not taken over."""
    raised(evening, lab, {**TIE, "players": ["<b>", "x", "y"], "game": "the-academy", "claim": 2})
    assert dispute_of(evening, lab).question == {"leader": 0, **TIE}


# ---- what the table says ---------------------------------------------------------------------------------------------


def test_it_is_settled_when_everybody_with_a_phone_has_accepted(evening, lab):
    dispute = raised(evening, lab)
    assert say(evening, lab, dispute, "Cem").status_code == 303
    assert dispute_of(evening, lab).settled_at is None
    assert "CE Cem AN Ana has not answered yet" in words(evening, f"/m/{lab}")
    say(evening, lab, dispute, "Ana")
    assert dispute_of(evening, lab).accepted == [evening.person(name).id for name in ("Ben", "Cem", "Ana")]
    assert "Settled" in words(evening, f"/m/{lab}")


def is_spread(evening, path, name="Cem"):
    return bool(re.search(r'<details class="dispute panel[^>]* open>', evening[name].get(path).get_data(as_text=True)))


def test_what_is_settled_and_cannot_be_entered_is_folded_away_but_not_on_the_tv(evening, lab):
    dispute = raised(evening, lab)
    assert is_spread(evening, f"/m/{lab}")
    say(evening, lab, dispute, "Ana", "answer", words="Ties are played again")
    assert "Settled House rule by Ana: Ties are played again" in words(evening, f"/m/{lab}")
    assert not is_spread(evening, f"/m/{lab}")
    assert is_spread(evening, f"/n/{evening.id}/tv")


def test_what_is_settled_and_can_be_entered_is_open_for_those_who_may(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana")
    assert is_spread(evening, f"/m/{lab}")
    assert not is_spread(evening, f"/m/{lab}", "Tom")


def test_the_hosts_word_settles_it_at_once(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana")
    assert dispute_of(evening, lab).settled_at is not None


def test_whoever_has_no_phone_is_not_waited_for(evening):
    evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Oma"})
    match = evening.start("crazy-lab", seats=["Ben", "Cem", "Oma"])
    dispute = raised(evening, match)
    say(evening, match, dispute, "Cem")
    assert dispute_of(evening, match).settled_at is not None


def test_a_double_tap_accepts_once(evening, lab):
    dispute = raised(evening, lab)
    for _ in range(2):
        assert say(evening, lab, dispute, "Cem").status_code == 303
    assert len(dispute_of(evening, lab).accepted) == 2
    for _ in range(2):
        assert say(evening, lab, dispute, "Ana").status_code == 303
    assert len(dispute_of(evening, lab).accepted) == 3


def test_a_house_rule_is_proposed_and_then_that_is_what_people_accept(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Cem", "answer", winner="2")
    text = words(evening, f"/m/{lab}")
    assert "House rule by Cem: Cem" in text
    assert "By the rules: Ben" in text
    assert "Ana has not answered yet" in text
    assert "Ben has not answered yet" in text
    late = say(evening, lab, dispute, "Ben", turn=0)
    assert late.status_code == 409
    assert "proposed something else meanwhile" in late.get_data(as_text=True)
    say(evening, lab, dispute, "Ben", turn=1)
    say(evening, lab, dispute, "Ana", turn=1)
    assert dispute_of(evening, lab).answer == {"place": 2}
    assert dispute_of(evening, lab).settled_at is not None


def test_a_double_tap_on_a_house_rule_proposes_it_once(evening, lab):
    dispute = raised(evening, lab)
    for _ in range(2):
        assert say(evening, lab, dispute, "Cem", "answer", words="Later cards win ties").status_code == 303
    assert dispute_of(evening, lab).turn == 1


def test_two_phones_that_answer_at_the_same_moment_do_not_mix(evening, lab):
    dispute = raised(evening, lab)
    gate, got = Barrier(2), {}

    def answer(name, **data):
        browser = evening[name]
        token = browser.token()
        gate.wait()
        got[name] = browser.client.post(
            f"/m/{lab}/disputes/{dispute}/answer",
            data={"csrf_token": token, "turn": "0", **data},
            headers={"Origin": f"http://{browser.host}"},
            base_url=f"http://{browser.host}",
        ).status_code

    threads = [Thread(target=answer, args=("Ben",), kwargs={"winner": "0"}), Thread(target=answer, args=("Cem",), kwargs={"winner": "2"})]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got.values()) == [303, 409]
    (first,) = [name for name, status in got.items() if status == 303]
    assert dispute_of(evening, lab).answered_by == evening.person(first).id
    assert dispute_of(evening, lab).turn == 1


@pytest.mark.parametrize(
    "data",
    [{}, {"winner": "3"}, {"winner": "-1"}, {"winner": "٢"}, {"winner": ""}, {"words": " "}, {"words": "x" * 141}, {"words": "a\u202eb"}],
)
def test_a_house_rule_that_says_nothing_is_refused_in_words(evening, lab, data):
    dispute = raised(evening, lab)
    before = stored(evening.app)
    answer = say(evening, lab, dispute, "Cem", "answer", **data)
    assert answer.status_code == 422
    assert len(page(answer).text) > 40
    assert stored(evening.app) == before


@pytest.mark.parametrize("turn", ["", "x", "٠", "-1"])
def test_a_form_without_its_turn_is_refused(evening, lab, turn):
    dispute = raised(evening, lab)
    for how in ("accept", "answer"):
        assert say(evening, lab, dispute, "Cem", how, turn=turn, words="ours").status_code == 400


def test_whoever_asked_and_the_host_can_take_it_back(evening, lab):
    dispute = raised(evening, lab)
    assert say(evening, lab, dispute, "Cem", "withdraw").status_code == 403
    assert say(evening, lab, dispute, "Ben", "withdraw").status_code == 303
    assert "asks the table" not in table(evening, lab)
    for how in ("accept", "withdraw", "answer"):
        gone = say(evening, lab, dispute, "Ana", how, words="ours")
        assert gone.status_code == 404
        assert "taken back" in gone.get_data(as_text=True)


def test_what_is_settled_stays_so(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana")
    for how in ("accept", "answer", "withdraw"):
        late = say(evening, lab, dispute, "Ben" if how != "accept" else "Cem", how, winner="0")
        assert late.status_code == 409
        assert "settled this meanwhile" in late.get_data(as_text=True)


def test_a_dispute_of_another_match_cannot_be_answered_from_here(evening, lab):
    other = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"])
    dispute = raised(evening, other)
    assert say(evening, lab, dispute, "Cem").status_code == 404
    assert say(evening, lab, dispute, "Ana", "withdraw").status_code == 404


def test_play_goes_on_while_something_is_open(evening, lab):
    raised(evening, lab)
    enter(evening, lab, winner="0", trump="green")
    assert len(evening.seated(lab).position.booked) == 1
    assert "asks the table" in table(evening, lab)


# ---- booking ---------------------------------------------------------------------------------------------------------


def enter(evening, match, ask="round-1-trick-1", name="Ana", **fields):
    answer = evening[name].post(f"/m/{match}/act/{ask}", {**fields, "key": f"key of {name} {ask}"})
    assert answer.status_code == 303, page(answer).text
    return answer


def booking_form(evening, match, name="Cem"):
    """The form that enters what was settled, as a browser would send it."""
    forms = [form for form in page(evening[name].get(f"/m/{match}")).forms if "/act/" in form.action]
    return forms[-1]


def send(evening, form, name):
    data = {key: value for key, value in form.data.items() if key != "csrf_token"}
    return evening[name].post(form.action, data)


def test_what_was_accepted_is_entered_with_one_tap_by_the_normal_entry(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana")
    form = booking_form(evening, lab)
    assert form.action.endswith("/act/round-1-trick-1")
    assert {"winner": "1", "trump": "green"}.items() <= form.data.items()
    assert send(evening, form, "Cem").status_code == 303
    assert evening.seated(lab).position.booked[-1].action == {"do": "trick", "winner": 1, "trump": "green"}
    assert send(evening, form, "Cem").status_code == 303  # a double tap
    assert len(evening.seated(lab).position.booked) == 1
    assert "Settled" not in words(evening, f"/m/{lab}")
    assert "Disputed, and the verdict was accepted." in words(evening, f"/m/{lab}")


def test_a_house_rule_never_changes_a_score_in_silence(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana", "answer", winner="2")  # the host's word
    send(evening, booking_form(evening, lab), "Ben")
    assert evening.seated(lab).position.booked[-1].action == {"do": "trick", "winner": 2, "trump": "green"}
    told = "House rule: Cem gets it. By the rules: Ben."
    for path in (f"/m/{lab}", f"/m/{lab}/story", f"/m/{lab}/entries/1"):
        assert told in words(evening, path), path
    evening["Ben"].post(f"/m/{lab}/entries/1/undo", {"key": "the key of undo"})
    assert told not in words(evening, f"/m/{lab}/story")


def test_a_house_rule_is_told_too_where_it_was_entered_by_hand(evening, lab):
    """The control of what the story says: it belongs to what answered the question, whichever form that came from."""
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana", "answer", words="The later one wins")
    enter(evening, lab, winner="2", trump="green")
    enter(evening, lab, ask="round-1-trick-2", winner="0", trump="green")
    assert "House rule: “The later one wins”. By the rules: Ben." in words(evening, f"/m/{lab}/entries/1")
    assert "House rule" not in words(evening, f"/m/{lab}/entries/2")


def test_an_entry_about_something_else_is_not_the_answer(evening, lab):
    dispute = raised(evening, lab)
    say(evening, lab, dispute, "Ana", "answer", winner="2")
    enter(evening, lab, ask="round-1-minus", **{f"colours.{n}": colour for n, colour in enumerate(("purple", "blue", "yellow"))})
    enter(evening, lab, winner="2", trump="green")
    assert "House rule" not in words(evening, f"/m/{lab}/entries/1")
    assert "House rule" in words(evening, f"/m/{lab}/entries/2")


ACADEMY = {"trump": "green", "cards": ["blue-5", "blue-7", "green-3", "purple-2"]}


@pytest.fixture
def four(app):
    return make_evening(app, players=("Ben", "Cem", "Dia"))


def test_in_the_academy_the_verdict_is_entered_with_its_cards(four):
    match = four.start("the-academy", captain=four.person("Ana").id)
    enter(four, match, "round-1-exam", rule="swap-hands", trump="green")
    dispute = raised(four, match, ACADEMY)
    say(four, match, dispute, "Ana")
    send(four, booking_form(four, match), "Dia")
    assert four.seated(match).position.booked[-1].action == {"do": "trick", "cards": ACADEMY["cards"]}


def test_what_was_asked_before_the_trick_could_be_entered_is_said_of_nothing(four):
    """During the exam: the exam is not the trick in question, nor is the one after it."""
    match = four.start("the-academy", captain=four.person("Ana").id)
    say(four, match, raised(four, match, ACADEMY), "Ana")
    enter(four, match, "round-1-exam", rule="swap-hands", trump="green")
    enter(four, match, "round-1-trick-1", winner="2")
    assert four.seated(match).position.version == 2
    assert "Disputed" not in words(four, f"/m/{match}/story")


def test_a_trick_with_another_trump_is_not_the_one_in_question(evening, lab):
    say(evening, lab, raised(evening, lab), "Ana")
    enter(evening, lab, winner="1", trump="purple")
    assert "Disputed" not in words(evening, f"/m/{lab}/story")


def test_where_the_table_would_come_to_another_winner_the_outcome_is_entered(four):
    """Asked with another trump than the one that lies there."""
    match = four.start("the-academy", captain=four.person("Ana").id)
    enter(four, match, "round-1-exam", rule="swap-hands", trump="orange")
    dispute = raised(four, match, ACADEMY)
    say(four, match, dispute, "Ana")
    send(four, booking_form(four, match), "Dia")
    assert four.seated(match).position.booked[-1].action == {"do": "trick", "winner": 2}


def test_in_tricky_cribby_the_draw_card_is_chosen_with_it(four):
    match = four.start("tricky-cribby", leader=four.person("Ana").id)
    line = ["red", "yellow", "green", "blue", "purple"]
    cards = ["red-1", "blue-7", "green-3", "purple-2"]
    dispute = raised(four, match, {"strength": line, "cards": cards})
    say(four, match, dispute, "Ana")
    form = booking_form(four, match)
    assert form.data["up"] not in cards
    send(four, form, "Dia")
    assert four.seated(match).position.booked[-1].action == {"do": "trick", "up": form.data["up"], "cards": cards}


def test_in_crazy_race_the_edge_is_chosen_with_it(evening):
    match = evening.start("crazy-race", seats=["Ana", "Ben", "Cem"])
    dispute = raised(evening, match, {"cards": [[2, 3], [0, 3]]})
    say(evening, match, dispute, "Ana")
    form = booking_form(evening, match)
    assert {"animal", "value"} <= form.data.keys()
    assert send(evening, form, "Cem").status_code == 303
    assert evening.seated(match).position.booked[-1].action["cards"] == [[2, 3], [0, 3]]


def test_in_ligretto_the_answer_is_yes_or_no_and_nothing_is_entered(evening):
    match = evening.start()
    dispute = raised(evening, match, {"top": 4, "card": 3, "piles": 1})
    assert "Yes, it may" in words(evening, f"/m/{match}")
    assert "Who gets it at your table?" not in table(evening, match, "Cem")
    say(evening, match, dispute, "Ana", "answer", words="Not while somebody is drinking")
    assert "Not while somebody is drinking" in words(evening, f"/m/{match}")
    assert not [form for form in page(evening["Cem"].get(f"/m/{match}")).forms if "/act/" in form.action and "disp" in str(form.data)]


# ---- the same question again -----------------------------------------------------------------------------------------


def shown_before(evening, match, question, name="Tom"):
    """The page without a night, as somebody at the table of this match sees it."""
    return words(evening, asking(evening, match, question), name)


def asking(evening, match, question):
    seated, room = evening.seated(match), evening.app.extensions["companion"].nights.room(evening.id)
    game = seated.position.game
    asked = {"game": game.id, "players": room.names(seated.match.seats), **game.known(seated.position.state), **question}
    return address_of(asked)


def settled(evening, match, question=TIE, **answer):
    dispute = raised(evening, match, question, key=f"key {len(house(evening).disputes(match))} of {match}")
    say(evening, match, dispute, "Ana", "answer" if answer else "accept", **answer)


def test_the_earlier_answer_is_shown_with_its_date_whoever_sits_where(evening, lab):
    assert "You had this before" not in shown_before(evening, lab, TIE)
    settled(evening, lab, winner="2")
    with evening.app.test_request_context():
        from companion.web.render import on_day

        day = on_day(dispute_of(evening, lab).settled_at)
    again = evening.start("crazy-lab", seats=["Cem", "Ana", "Ben"], starter=evening.person("Ana").id)
    assert f"You had this before. {day} : house rule: Cem gets it." in shown_before(evening, lab, TIE)
    assert f"You had this before. {day} : house rule: Cem gets it." in shown_before(evening, again, TIE)  # Ana leads, Ben, Cem
    assert f"{day} : house rule: Ana gets it." in shown_before(evening, again, {**TIE, "leader": 2})  # Ben leads, Cem, Ana
    raised(evening, again)
    assert f"You had this before. {day} : house rule: Cem gets it." in words(evening, f"/n/{evening.id}/tv")


def test_other_facts_are_another_question(evening, lab):
    settled(evening, lab, winner="2")
    for other in ({**TIE, "trump": "blue"}, {**TIE, "cards": [*TIE["cards"][:2], {"green": 3}]}, {**TIE, "cards": TIE["cards"][::-1]}):
        assert "You had this before" not in shown_before(evening, lab, other)
    same = {"trump": "green", "cards": [{"blue": 1, "purple": 2}, {"green": 2, "blue": 6}, {"green": 2}]}  # told in full
    assert "You had this before" in shown_before(evening, lab, same)


def test_the_newest_answer_counts(evening, lab):
    settled(evening, lab, winner="2")
    settled(evening, lab)
    assert "the verdict was accepted" in shown_before(evening, lab, TIE)


def test_what_was_taken_back_or_is_open_is_no_answer(evening, lab):
    dispute = raised(evening, lab)
    assert "You had this before" not in shown_before(evening, lab, TIE)
    say(evening, lab, dispute, "Ben", "withdraw")
    assert "You had this before" not in shown_before(evening, lab, TIE)


@pytest.mark.file
def test_the_next_nights_know_it_too(evening, lab):
    settled(evening, lab, words="Ties are played again")
    next_night = make_evening(evening.app, "Pia", ("Quin", "Rob"), ())
    match = next_night.start("crazy-lab", by="Pia")
    assert "house rule: “Ties are played again”" in shown_before(next_night, match, TIE, "Pia")
    assert "Ties are played again" in words(next_night, f"/n/{next_night.id}/house-rules", "Pia")


def test_a_narrower_circle_of_nights_would_be_kept_to(evening, lab, monkeypatch):
    """The control, and what a database for strangers does: every night keeps its own."""
    settled(evening, lab, winner="2")
    monkeypatch.setattr(type(evening.app.extensions["companion"].database), "is_shared", True)
    next_night = make_evening(evening.app, "Pia", ("Quin", "Rob"), ())
    match = next_night.start("crazy-lab", by="Pia")
    assert "You had this before" not in shown_before(next_night, match, TIE, "Pia")
    assert "You had this before" in shown_before(evening, lab, TIE)


def test_a_question_that_the_rules_no_longer_understand_is_left_out(evening, lab):
    settled(evening, lab, winner="2")
    evening.app.extensions["companion"].house_rules._disputes.clear()
    with evening.app.extensions["companion"].database.write() as session:
        from companion.models import Dispute

        session.get_one(Dispute, dispute_of_row(session)).question = {"colour": "of yesterday"}
    for path in (f"/m/{lab}", f"/n/{evening.id}/house-rules", f"/m/{lab}/story"):
        assert evening["Ana"].get(path).status_code == 200


def dispute_of_row(session):
    from sqlmodel import select

    from companion.models import Dispute

    return session.exec(select(Dispute)).one().id


# ---- the page without a night, for a phone that is at one ------------------------------------------------------------


def forms_on(evening, path, name):
    return [form for form in page(evening[name].get(path)).forms if form.method == "post"]


@pytest.mark.parametrize(
    ("game", "known"),
    [
        ("crazy-lab", "leader=1"),
        ("the-academy", "trump=green"),
        ("tricky-cribby", "strength=red,yellow,green,blue,purple"),
        ("crazy-race", "name=Ana"),
        ("ligretto-crazy", "name=Dia"),
    ],
)
def test_one_tap_from_the_table_is_the_page_filled_with_what_is_known(four, game, known):
    match = four.start(game, **{name: four.person("Ben").id for name in ("starter", "captain", "leader")})
    if game == "the-academy":
        enter(four, match, "round-1-exam", rule="swap-hands", trump="green")
    link = f"/m/{match}/who-wins"
    assert link in page(four["Cem"].get(f"/m/{match}")).links
    address = four["Cem"].get(link).headers["Location"]
    assert known in address
    answer = four["Cem"].get(address)
    assert answer.status_code == 200
    assert "here is an empty one" not in page(answer).text
    assert page(answer).links[0] == f"/m/{match}"  # and back again


def test_the_way_back_leads_to_the_table_only_for_those_who_sit_at_it(evening, lab):
    address = asking(evening, lab, TIE)
    shown = page(evening["Ben"].get(address))
    assert shown.links[0] == f"/m/{lab}"
    assert "‹ Crazy Lab" in shown.text
    for stranger in (Browser(evening.app), make_evening(evening.app, host="Dora")["Dora"]):
        shown = page(stranger.get(address))
        assert shown.links[0] == "/who-wins"
        assert "‹ Who wins this trick?" in shown.text


def test_its_verdict_is_entered_or_put_to_the_table_from_there(evening, lab):
    entering, asking_all = forms_on(evening, asking(evening, lab, TIE), "Ben")
    assert entering.action == f"/m/{lab}/act/round-1-trick-1"
    assert send(evening, asking_all, "Ben").headers["Location"] == f"/m/{lab}"
    assert dispute_of(evening, lab).question == {"leader": 0, **TIE}
    assert send(evening, entering, "Ben").status_code == 303
    assert evening.seated(lab).position.booked[-1].action == {"do": "trick", "winner": 1, "trump": "green"}


def test_only_those_at_this_very_table_get_the_buttons(evening, lab):
    address = asking(evening, lab, TIE)
    assert not forms_on(evening, address, "Tom")
    assert not [form for form in page(Browser(evening.app).get(address)).forms if form.method == "post"]
    assert not forms_on(evening, address.replace("name=Cem", "name=Kim"), "Ben")
    assert not forms_on(evening, address.replace("crazy-lab", "the-academy"), "Ben")


def test_where_no_such_match_is_played_the_earlier_answer_is_shown_all_the_same(evening, lab):
    settled(evening, lab, words="Ties are played again")
    address = asking(evening, lab, TIE).replace("name=", "name=Old ")
    assert "house rule: “Ties are played again”" in words(evening, address, "Tom")
    assert "Ties are played again" not in page(Browser(evening.app).get(address)).text


# ---- options under a name --------------------------------------------------------------------------------------------


def keep(evening, name="Our Tuesday rules", by="Ben", game="crazy-lab", **options):
    return evening[by].post(f"/n/{evening.id}/new/{game}/rules", {"rules_name": name, **options})


def chosen(evening, answer, by="Ben"):
    """What the page is filled with that an answer leads to."""
    assert answer.status_code == 303
    return page(evening[by].get(answer.headers["Location"])).forms[0].data


def test_rules_are_kept_under_a_name_and_picked_again(evening):
    seats = [evening.person(name).id for name in ("Cem", "Ana", "Ben")]
    kept = keep(evening, rounds="3", tie="extra-round", seat=seats, order=",".join(seats))
    data = chosen(evening, kept)
    assert (data["rounds"], data["tie"], data["order"]) == ("3", "extra-round", ",".join(seats))
    (preset,) = house(evening).presets(evening.app.extensions["companion"].nights.room(evening.id).night, "crazy-lab")
    assert preset.options == {"rounds": 3, "tie": "extra-round"}  # who begins is no rule
    assert "Our Tuesday rules" in words(evening, f"/n/{evening.id}/new/crazy-lab", "Cem")
    assert "Our Tuesday rules" not in words(evening, f"/n/{evening.id}/new/crazy-race", "Cem")


@pytest.mark.file
def test_the_next_nights_are_offered_them_and_only_the_host_deletes_them(evening):
    keep(evening, rounds="3")
    later = make_evening(evening.app, "Pia", ("Quin",), ())
    preset = page(later["Quin"].get(f"/n/{later.id}/new/crazy-lab")).links
    (link,) = [each for each in preset if "preset=" in each]
    assert page(later["Quin"].get(link)).forms[0].data["rounds"] == "3"
    id = link.split("preset=")[1].split("&")[0]
    assert later["Quin"].post(f"/n/{later.id}/house-rules/{id}/delete").status_code == 403
    assert later["Pia"].post(f"/n/{later.id}/house-rules/{id}/delete").status_code == 303
    assert later["Pia"].post(f"/n/{later.id}/house-rules/{id}/delete").status_code == 404
    assert "Our Tuesday rules" not in words(evening, f"/n/{evening.id}/new/crazy-lab", "Ben")


@pytest.mark.file
def test_the_same_name_again_replaces_them(evening):
    keep(evening, rounds="3")
    keep(evening, "our  TUESDAY rules", rounds="2")
    later = make_evening(evening.app, "Pia", ("Quin",), ())
    keep(later, "Our Tuesday Rules", "Pia", rounds="5")
    shown = house(evening).presets(evening.app.extensions["companion"].nights.room(evening.id).night, "crazy-lab")
    assert [(each.name, each.options["rounds"]) for each in shown] == [("Our Tuesday Rules", 5)]
    later["Pia"].post(f"/n/{later.id}/house-rules/{shown[0].id}/delete")
    assert not house(evening).presets(evening.app.extensions["companion"].nights.room(evening.id).night, "crazy-lab")


@pytest.mark.parametrize(
    "given",
    [{"name": ""}, {"name": "x" * 25}, {"name": "a\u202eb"}, {"rounds": "0"}, {"rounds": "many"}, {"rounds": "٣"}, {"rounds": "9" * 400}],
)
def test_what_cannot_be_kept_is_refused_in_words_and_nothing_typed_is_lost(evening, given):
    seats = [evening.person(name).id for name in ("Cem", "Ana", "Ben")]
    before = stored(evening.app)
    answer = keep(evening, **{"tie": "extra-round", "seat": seats, "order": ",".join(seats), **given})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.get_data(as_text=True)
    data = page(answer).forms[0].data
    assert (data["tie"], data["order"]) == ("extra-round", ",".join(seats))
    assert stored(evening.app) == before


def test_a_night_keeps_only_so_many(evening, monkeypatch):
    monkeypatch.setattr("companion.house_rules.MAX_PRESETS", 2)
    assert [keep(evening, f"Rules {n}").status_code for n in range(3)] == [303, 303, 422]
    assert keep(evening, "Rules 1").status_code == 303


@pytest.mark.parametrize("address", ["?preset=nowhere", "?preset=", "?seat=nobody&preset=x", "?preset=a&preset=b"])
def test_an_address_with_rules_that_are_gone_shows_the_plain_page(evening, address):
    assert evening["Ben"].get(f"/n/{evening.id}/new/crazy-lab{address}").status_code == 200


def test_a_game_that_does_not_exist_keeps_nothing(evening):
    assert keep(evening, game="poker").status_code == 404


def test_strangers_see_no_house_rules(evening, lab):
    settled(evening, lab, words="Our secret rule")
    assert "Our secret rule" in words(evening, f"/n/{evening.id}/house-rules")
    stranger = Browser(evening.app)
    assert stranger.get(f"/n/{evening.id}/house-rules").status_code == 403


def test_the_helpers_of_disputes_know_when_nothing_fits(evening, lab):
    position = evening.seated(lab).position
    assert disputes.booking_of(position, {"leader": 0, **TIE}, None) is None
    assert disputes.about(position, {"leader": 0, **TIE}, None) == "round-1-trick-1"
