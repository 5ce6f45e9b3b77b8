"""A match from choosing the game to playing again: setting up, the questions of every game, undo, correction, results, TV, machine page."""

import json
import random
import re
import shutil
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import Browser, make_evening
from databases import new_app
from jinja2 import FileSystemLoader
from web.looking import html_in, next_regions, page, stored, stream, words

from companion.games import GAMES

pytestmark = pytest.mark.postgresql

SEATS = {"crazy-lab": 3, "crazy-race": 3, "the-academy": 4, "tricky-cribby": 4, "score-sheet": 4}


def count(browser, match, round, seat, scored, left=5, key=None, **more):
    data = {"scored": str(scored), "left": str(left), "key": key or f"key-{round}-{seat}-{scored}-{left}"}
    return browser.post(f"/m/{match}/act/round-{round}-count-{seat}", data, **more)


def play_round(evening, match, round, scores):
    for seat, (name, scored) in enumerate(zip(("Ana", "Ben", "Cem"), scores, strict=True)):
        assert count(evening[name], match, round, seat, scored).status_code == 303


# ---- setting up ------------------------------------------------------------------------------------------------------


def set_up(evening, game, names, order=None, by="Ana", **options):
    ids = [evening.person(name).id for name in names]
    ordered = ",".join(evening.person(name).id for name in order or ())
    return evening[by].post(f"/n/{evening.id}/new/{game}", {"seat": ids, "order": ordered, **options})


def started(evening, answer):
    assert answer.status_code == 303, words(answer)
    return evening.seated(answer.headers["Location"].rsplit("/", 1)[1])


def names_at(evening, seated):
    return evening.app.extensions["companion"].nights.room(evening.id).names(seated.match.seats)


def test_every_game_can_be_chosen_and_says_for_how_many_it_is(evening):
    shown = page(evening["Ben"].get(f"/n/{evening.id}/new"))
    assert {f"/n/{evening.id}/new/{id}" for id in GAMES} <= set(shown.links)
    assert "4 players · you are 3; add people first" in shown.text
    for id in GAMES:
        assert evening["Ben"].get(f"/n/{evening.id}/new/{id}").status_code == 200
    assert evening["Ben"].get(f"/n/{evening.id}/new/poker").status_code == 404
    assert evening["Ben"].post(f"/n/{evening.id}/new/poker").status_code == 404


def test_seats_are_in_the_order_they_were_tapped(evening):
    seated = started(evening, set_up(evening, "ligretto-crazy", ["Ana", "Ben", "Cem"], ["Cem", "Ana", "Ben"]))
    assert names_at(evening, seated) == ["Cem", "Ana", "Ben"]
    assert seated.match.started_by == evening.person("Ana").id


def test_without_an_order_seats_are_as_they_stand_in_the_form(evening):
    assert names_at(evening, started(evening, set_up(evening, "ligretto-crazy", ["Ben", "Ana"]))) == ["Ben", "Ana"]


def test_an_order_that_is_stale_or_odd_seats_everybody_once(evening):
    ana, ben = evening.person("Ana").id, evening.person("Ben").id
    form = {"seat": [ana, ben, ana, "nobody", evening.person("Tom").id], "order": f"{ben},gone,,{ben},{ana}"}
    seated = started(evening, evening["Ana"].post(f"/n/{evening.id}/new/ligretto-crazy", form))
    assert names_at(evening, seated) == ["Ben", "Ana"]


def test_four_at_tricky_cribby_read_who_plays_with_whom(evening):
    told = "With four, seats 1 and 3 play together against seats 2 and 4."
    assert told not in words(evening["Ana"].get(f"/n/{evening.id}/new/tricky-cribby"))
    evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Oma"})
    assert told in words(evening["Ana"].get(f"/n/{evening.id}/new/tricky-cribby"))
    assert told not in words(evening["Ana"].get(f"/n/{evening.id}/new/crazy-race"))


@pytest.mark.parametrize(
    ("game", "names", "why"),
    [
        ("ligretto-crazy", [], "is for 2, 3, 4 and 5 players, not for 0"),
        ("ligretto-crazy", ["Ana"], "is for 2, 3, 4 and 5 players, not for 1"),
        ("ligretto-crazy", ["Ana", "Ben", "Cem", "Dora", "Eli", "Fay"], "is for 2, 3, 4 and 5 players, not for 6"),
        ("the-academy", ["Ana", "Ben", "Cem"], "players, not for 3"),
        ("tricky-cribby", ["Ana", "Ben", "Cem"], "is for 2 and 4 players, not for 3"),
        ("crazy-lab", ["Ana", "Tom"], "not for 1"),  # watchers do not play
    ],
)
def test_too_few_or_too_many_players_are_told_and_the_choice_is_kept(app, game, names, why):
    evening = make_evening(app, players=("Ben", "Cem", "Dora", "Eli", "Fay"))
    before = stored(app)
    answer = set_up(evening, game, names)
    assert answer.status_code == 422
    assert why in words(answer)
    assert stored(app) == before
    chosen = page(answer).form("/new/").data.get("seat", [])
    if len(names) > 1 and "Tom" not in names:
        assert chosen == [evening.person(name).id for name in names]


def test_people_of_another_night_and_those_who_left_cannot_be_seated(evening):
    other = make_evening(evening.app, host="Olga", players=("Pia",), watchers=())
    gone = evening.person("Cem").id
    evening["Ana"].post(f"/n/{evening.id}/people/{gone}/remove")
    form = {"seat": [evening.person("Ana").id, other.person("Pia").id, gone]}
    answer = evening["Ana"].post(f"/n/{evening.id}/new/ligretto-crazy", form)
    assert answer.status_code == 422
    assert "not for 1" in words(answer)


def test_house_rules_are_taken_as_chosen(evening):
    seated = started(
        evening, set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], rounds="2", tie="extra-round", starter=evening.person("Ben").id)
    )
    assert seated.match.options == {"rounds": 2, "tie": "extra-round", "starter": 1}
    seated = started(evening, set_up(evening, "ligretto-crazy", ["Ana", "Ben"], target="50"))
    assert seated.match.options == {"target": 50}


def test_the_starter_is_counted_in_the_tapped_order(evening):
    answer = set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], ["Cem", "Ben", "Ana"], starter=evening.person("Cem").id)
    assert started(evening, answer).match.options["starter"] == 0


def test_pick_for_us_picks_everybody_sometimes(evening):
    picked = {
        started(evening, set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], starter="pick")).match.options["starter"] for _ in range(40)
    }
    assert picked == {0, 1, 2}


def test_pick_for_us_without_anybody_is_told(evening):
    answer = set_up(evening, "crazy-lab", [], starter="pick")
    assert answer.status_code == 422
    assert "not for 0" in words(answer)


def test_a_wrong_number_is_told_and_kept(evening):
    before = stored(evening.app)
    for typed in ("0", "-1", "two", "1.5", "9999999", "٢"):
        answer = set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], tie="extra-round", rounds=typed)
        assert answer.status_code == 422
        form = page(answer).form("/new/").data
        assert (form["rounds"], form["tie"]) == (typed, "extra-round")
    assert stored(evening.app) == before


def test_choices_that_are_not_offered_fall_back_to_the_default(evening):
    """No form of ours sends them; the match starts with the house rule as it would be without a choice."""
    answer = set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], tie="<b>", starter="nobody", strange="1")
    assert started(evening, answer).match.options == {}


@pytest.mark.parametrize("game", GAMES)
def test_the_form_as_it_is_shown_starts_a_match(app, game):
    """Everything is filled in: one tap is enough."""
    evening = make_evening(app, players=("Ben", "Cem", "Dora"), watchers=())
    form = page(evening["Ben"].get(f"/n/{evening.id}/new/{game}")).form("/new/")
    seated = started(evening, evening["Ben"].post(form.action, form.data))
    assert len(seated.match.seats) == 4


# ---- the questions of every game, by following what the page offers --------------------------------------------------


@pytest.fixture
def plain(app, tmp_path):
    """The application as it would be if no game had screens of its own: everything is entered by the forms for all games."""
    shutil.copytree(app.template_folder, tmp_path / "templates", ignore=shutil.ignore_patterns("games"))
    app.jinja_loader = FileSystemLoader(tmp_path / "templates")
    return app


def forward(shown, path, answers):
    """The links that go one answer further."""
    return [link for link in shown.links if urlsplit(link).path == path and len(parse_qs(urlsplit(link).query).get("a", [])) == answers + 1]


def answered(browser, link, chance, htmx=False):
    """Follow one question from its link to its last form, always choosing something that is offered; gives the form."""
    headers = {"HX-Request": "true"} if htmx else None
    for answers in range(200):
        answer = browser.get(link, headers=headers)
        assert answer.status_code == 200, (link, words(answer))
        assert ("<html" in answer.get_data(as_text=True)) is not htmx
        shown = page(answer)
        posts = [form for form in shown.forms if form.method == "post" and re.search(r"/(act|amend)", form.action) and form.fields[0][0]]
        if posts:
            return posts[0]
        links = forward(shown, urlsplit(link).path, answers)
        link = chance.choice(links) if links else typed(shown, chance)
    raise AssertionError("this question has no end")


def typed(shown, chance):
    """Where a number is to be typed: one of those that the page names."""
    form = next(form for form in shown.forms if form.method == "get")
    least, most = map(int, re.search(r"(-?\d+) – (-?\d+)", shown.text).groups())
    given = [value for name, value in form.fields if name == "a" and value] + [str(chance.randint(least, min(most, 9)))]
    of = [("of", value) for name, value in form.fields if name == "of"]
    from urllib.parse import urlencode

    return f"{form.action}?{urlencode([*of, *(('a', each) for each in given)])}"


def enter_something(evening, match, chance, names, htmx=False):
    """Somebody at the table enters what the page asks for; gives who."""
    for name in chance.sample(names, len(names)):
        asked = [link for link in page(evening[name].get(f"/m/{match}")).links if f"/m/{match}/ask/" in link]
        if asked:
            form = answered(evening[name], chance.choice(asked[:3]), chance, htmx)
            return name, evening[name].post(form.action, form.data, htmx=htmx)
    raise AssertionError("nobody is asked for anything")


@pytest.mark.parametrize("game", SEATS)
def test_a_match_goes_on_by_following_what_the_page_offers(plain, game):
    evening = make_evening(plain, players=("Ben", "Cem", "Dora"), watchers=("Tom",))
    names = ["Ana", "Ben", "Cem", "Dora"][: SEATS[game]]
    match, chance = evening.start(game, seats=names), random.Random(game)
    booked = 0
    for n in range(10):
        if evening.seated(match).position.over:
            break
        htmx = n % 2 == 1
        name, answer = enter_something(evening, match, chance, names, htmx)
        if answer.status_code == 422:  # the rules know better than the form; then it is said in words
            assert 'role="alert"' in answer.get_data(as_text=True)
            continue
        assert answer.status_code == (204 if htmx else 303), words(answer)
        booked += 1
        position = evening.seated(match).position
        assert len(position.booked) == booked
        assert position.booked[-1].line.by == evening.person(name).id
        assert f"entered by {name}" in words(evening["Tom"].get(f"/m/{match}"))
    assert booked >= 8 or evening.seated(match).position.over
    newest = evening.seated(match).position.booked[-1].line
    assert evening["Tom"].get(f"/m/{match}/entries/{newest.n}").status_code == 200
    assert evening["Tom"].get(f"/n/{evening.id}/tv").status_code == 200


@pytest.mark.parametrize("game", SEATS)
def test_an_entry_of_any_game_can_be_corrected_by_following_its_page(plain, game):
    evening = make_evening(plain, players=("Ben", "Cem", "Dora"), watchers=())
    names = ["Ana", "Ben", "Cem", "Dora"][: SEATS[game]]
    match, chance = evening.start(game, seats=names), random.Random(f"correct {game}")
    name, answer = enter_something(evening, match, chance, names)
    assert answer.status_code == 303
    for _ in range(6):
        before = evening.seated(match).position
        link = next(link for link in page(evening[name].get(f"/m/{match}/entries/1")).links if "of=1" in link)
        form = answered(evening[name], link, chance)
        assert "/entries/1/amend" in form.action
        answer = evening[name].post(form.action, form.data)
        after = evening.seated(match).position
        assert answer.status_code == 303, words(answer)
        assert len(after.booked) == 1
        assert after.booked[0].action["do"] == before.booked[0].action["do"]
        if after.version > before.version:
            assert "corrected" in words(evening[name].get(f"/m/{match}/entries/1"))
            return
    raise AssertionError("six corrections, and none was another answer")


def test_a_step_back_and_a_changed_question_are_handled(plain):
    evening = make_evening(plain)
    match = evening.start("crazy-lab")
    link = next(link for link in page(evening["Ana"].get(f"/m/{match}")).links if "/ask/" in link)
    first = page(evening["Ana"].get(link))
    ahead = forward(first, urlsplit(link).path, 0)[0]
    assert link in page(evening["Ana"].get(ahead)).links  # one step back
    answer = evening["Ana"].get(link + "?a=%22pink%22")
    assert answer.status_code == 409
    assert "That has changed meanwhile. Start this entry again." in words(answer)


def test_anothers_secret_is_neither_asked_nor_taken(evening):
    match = evening.start("crazy-lab")
    data = {"colours.0": "purple", "colours.1": "blue", "colours.2": "green", "key": "a key of a form"}
    assert evening["Ana"].post(f"/m/{match}/act/round-1-minus", data).status_code == 303
    assert not [link for link in page(evening["Ana"].get(f"/m/{match}")).links if "round-1-plus-1" in link]
    for answer in (
        evening["Ana"].get(f"/m/{match}/ask/round-1-plus-1"),
        evening["Ana"].post(f"/m/{match}/act/round-1-plus-1", {"colour": "orange", "key": "another key of a form"}),
    ):
        assert answer.status_code == 403
        assert "That is for somebody else to choose, on their own phone." in words(answer)
    assert evening["Ben"].post(f"/m/{match}/act/round-1-plus-1", {"colour": "orange", "key": "a key of Ben's form"}).status_code == 303
    for name in ("Ana", "Cem", "Tom"):
        answer = evening[name].get(f"/m/{match}/entries/2")
        assert answer.status_code == 200
        assert "orange" not in html_in(answer)
        assert evening[name].get(f"/m/{match}/ask/x?of=2&rest=1").status_code == 403
    assert "orange" in words(evening["Ben"].get(f"/m/{match}/ask/x?of=2&rest=1"))
    assert evening["Ana"].post(f"/m/{match}/entries/2/amend", {"colour": "yellow", "key": "the key of the host"}).status_code == 403
    assert evening["Ana"].post(f"/m/{match}/entries/2/undo", {"key": "the undo of the host"}).status_code == 303
    assert len(evening.seated(match).position.booked) == 1


# ---- Ligretto Crazy: start, stop, counting ---------------------------------------------------------------------------


def test_anybody_at_the_table_calls_start_and_stop_and_everybody_sees_it(evening):
    match = evening.start()
    assert "everybody ready?" in words(evening["Cem"].get(f"/m/{match}"))
    with stream(evening["Cem"], f"/m/{match}/live") as got:
        got.get(timeout=60)
        next_regions(got, "enter")
        evening["Ben"].post(f"/m/{match}/call", {"call": "start"})
        assert "Go!" in next_regions(got, "enter")["regions"]["enter"]
        evening["Ben"].post(f"/m/{match}/call", {"call": "stop"})
        assert "Count your cards" in next_regions(got, "enter")["regions"]["enter"]
    for wrong in ({"call": "pause"}, {}, {"call": ""}, {"call": "<b>"}):
        assert evening["Ben"].post(f"/m/{match}/call", wrong).status_code == 400


def test_swapped_hands_are_called_once_a_round_and_every_phone_knows(app):
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start("the-academy", seats=["Ana", "Ben", "Cem", "Dia"])
    exam = {"trump": "green", "rule": "swap-hands", "key": "the first exam"}
    assert evening["Ana"].post(f"/m/{match}/act/round-1-exam", exam).status_code == 303
    assert "Ben may swap whole hands with somebody, once a round." in words(evening["Cem"].get(f"/m/{match}"))
    for called, told in (("swapped", True), ("not-swapped", False), ("swapped", True)):
        assert evening["Ben"].post(f"/m/{match}/call", {"call": called}).status_code == 303
        assert ("Hands were swapped in this round: that was the once." in words(evening["Cem"].get(f"/m/{match}"))) == told
    ended = {**{f"tricks.{seat}": "2" for seat in range(4)}, "ace": "0", "rebel": "true", "key": "the first round"}
    assert evening["Ana"].post(f"/m/{match}/act/round-1", ended).status_code == 303
    assert evening["Ana"].post(f"/m/{match}/act/round-2-exam", {**exam, "key": "the second exam"}).status_code == 303
    assert "Cem may swap whole hands with somebody, once a round." in words(evening["Cem"].get(f"/m/{match}"))  # a new round


def test_a_count_that_cannot_be_is_told_and_kept(evening):
    match = evening.start()
    answer = count(evening["Ana"], match, 1, 0, 200, htmx=True)
    assert answer.status_code == 422
    assert "There are 108 cards in the game" in words(answer)
    assert 'value="200"' in answer.get_data(as_text=True)


def test_an_entry_is_answered_with_its_tick_and_without_script_with_the_way_back(evening):
    match = evening.start()
    answer = count(evening["Ana"], match, 1, 0, 20, htmx=True)
    assert (answer.status_code, answer.get_data()) == (204, b"")
    assert int(answer.headers["X-Tick"]) == json.loads(evening["Ana"].get(f"/m/{match}/now").get_data())["tick"]
    assert count(evening["Ben"], match, 1, 1, 20).headers["Location"] == f"/m/{match}"


@pytest.mark.parametrize("htmx", [True, False])
def test_an_answer_to_what_was_undone_is_told_and_what_is_open_is_shown(evening, htmx):
    match = evening.start("crazy-lab")
    answer = evening["Ana"].post(f"/m/{match}/act/round-1-trick-2", {"winner": "0", "key": "of the second trick"}, htmx=htmx)
    assert answer.status_code == 409
    assert "That has changed meanwhile. Start this entry again." in words(answer)
    assert f"/m/{match}/act/round-1-trick-1" in answer.get_data(as_text=True)
    assert evening.seated(match).position.version == 0


def test_a_game_is_won_the_result_is_stored_once_and_played_again_with_the_same_seats(evening):
    match = evening.start(target="50")
    play_round(evening, match, 1, (70, 10, 6))
    shown = evening["Ben"].get(f"/m/{match}")
    assert "Ana wins with 65 points" in words(shown)
    assert "Play again" not in words(evening["Tom"].get(f"/m/{match}"))
    assert evening.seated(match).match.result == {"points": [65, 5, 1], "ranks": [1, 2, 3], "winners": [0]}
    answer = count(evening["Ana"], match, 2, 0, 10)
    assert answer.status_code in (404, 409, 422)
    again = next(link for link in page(shown).links if "again=" in link)
    form = page(evening["Ben"].get(again)).form("/new/")
    assert form.data["target"] == "50"
    seated = started(evening, evening["Ben"].post(form.action, form.data))
    assert names_at(evening, seated) == ["Ana", "Ben", "Cem"]
    assert "Ana" in words(evening["Cem"].get(f"/n/{evening.id}")).split("Tonight")[1]


def test_undoing_the_last_round_of_a_won_game_takes_the_result_back(evening):
    match = evening.start(target="50")
    play_round(evening, match, 1, (70, 10, 6))
    assert evening["Ana"].post(f"/m/{match}/entries/3/undo", {"key": "the key of an undo"}).status_code == 303
    assert evening.seated(match).match.result is None
    assert stored(evening.app)["match"][0][-1] is None
    assert count(evening["Cem"], match, 1, 2, 7).status_code == 303
    assert evening.seated(match).match.result["points"] == [65, 5, 2]


def test_play_again_lets_the_next_one_begin_and_leaves_out_who_is_gone(evening):
    match = started(evening, set_up(evening, "crazy-lab", ["Ana", "Ben", "Cem"], starter=evening.person("Ana").id, rounds="3")).match.id
    form = page(evening["Ana"].get(f"/n/{evening.id}/new/crazy-lab?again={match}")).form("/new/")
    assert (form.data["starter"], form.data["rounds"]) == (evening.person("Ben").id, "3")
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Cem').id}/remove")
    form = page(evening["Ana"].get(f"/n/{evening.id}/new/crazy-lab?again={match}")).form("/new/")
    assert form.data["order"] == f"{evening.person('Ana').id},{evening.person('Ben').id}"


def test_play_again_knows_nothing_of_other_nights(evening):
    other = make_evening(evening.app, host="Olga", players=("Pia",), watchers=())
    match = other.start(seats=["Olga", "Pia"], by="Olga")
    for again in (match, "nothing", "", "<b>"):
        answer = evening["Ana"].get(f"/n/{evening.id}/new/ligretto-crazy", query_string={"again": again})
        assert answer.status_code == 200
        assert "Olga" not in answer.get_data(as_text=True)


def test_play_again_with_another_game_is_only_about_the_seats(evening):
    match = evening.start("crazy-lab", seats=["Cem", "Ana", "Ben"], rounds="3")
    form = page(evening["Ana"].get(f"/n/{evening.id}/new/score-sheet?again={match}")).form("/new/").data
    assert (form["order"].split(","), form["rounds"]) == (evening.seated(match).match.seats, "0")


STARTS = {"crazy-lab": "starter", "crazy-race": "starter", "the-academy": "captain", "tricky-cribby": "leader"}


@pytest.mark.parametrize("game", STARTS)
def test_in_every_game_the_next_one_begins_and_after_the_last_the_first(app, game):
    evening = make_evening(app, players=("Ben", "Cem", "Dora"), watchers=())
    names = ["Dora", "Ana", "Cem", "Ben"]
    ids = [evening.person(name).id for name in names]
    for starter, following in ((0, 1), (3, 0)):
        match = evening.start(game, seats=names, **{STARTS[game]: ids[starter]})
        form = page(evening["Ana"].get(f"/n/{evening.id}/new/{game}?again={match}")).form("/new/").data
        assert (form["order"].split(","), form[STARTS[game]]) == (ids, ids[following])


def test_who_begins_next_is_clockwise_from_whoever_began_also_where_somebody_left(app):
    evening = make_evening(app, players=("Ben", "Cem", "Dora"), watchers=())
    match = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem", "Dora"], starter=evening.person("Ben").id)
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Cem').id}/remove")
    form = page(evening["Ana"].get(f"/n/{evening.id}/new/crazy-lab?again={match}")).form("/new/").data
    assert form["starter"] == evening.person("Dora").id


def test_the_next_game_has_the_same_people_in_their_seats_where_their_number_fits(evening):
    evening.start("ligretto-crazy", seats=["Cem", "Ana"])
    seats = [evening.person(name).id for name in ("Cem", "Ana")]
    assert page(evening["Ben"].get(f"/n/{evening.id}/new/tricky-cribby")).form("/new/").data["order"].split(",") == seats
    assert page(evening["Ben"].get(f"/n/{evening.id}/new/crazy-lab")).form("/new/").data["order"] == ""


# ---- undo and correction ---------------------------------------------------------------------------------------------


@pytest.fixture
def counted(evening):
    """Round 1 is over; in round 2 Ben has counted for himself."""
    match = evening.start()
    play_round(evening, match, 1, (20, 21, 22))
    count(evening["Ben"], match, 2, 1, 9)
    return evening, match


def test_the_undo_button_names_what_it_undoes_and_is_there_for_those_who_may(counted):
    evening, match = counted
    for name in ("Ana", "Ben"):  # the host, and who entered it
        assert "Undo: Ben: 9 in the score pile, 5 left over." in words(evening[name].get(f"/m/{match}"))
    for name in ("Cem", "Tom"):
        assert "Undo:" not in words(evening[name].get(f"/m/{match}"))
    form = page(evening["Ben"].get(f"/m/{match}")).form("/undo")
    assert evening["Ben"].post(form.action, form.data).status_code == 303
    assert evening.seated(match).position.state.counts == (None, None, None)


def count_again(browser, match, ask, scored, left):
    data = {"scored": str(scored), "left": str(left), "key": f"the key of {ask} with {scored} and {left}"}
    assert browser.post(f"/m/{match}/act/{ask}", data).status_code == 303


def test_the_undo_button_says_how_much_more_it_takes_back(evening):
    match, colours = evening.start("crazy-lab"), {f"colours.{n}": colour for n, colour in enumerate(("purple", "blue", "green"))}
    assert evening["Ana"].post(f"/m/{match}/act/round-1-minus", {**colours, "key": "the minus colours"}).status_code == 303
    assert "Undo: Ana avoids purple. … and 2 more" in words(evening["Ana"].get(f"/m/{match}"))


def test_a_doubt_is_nothing_that_an_undo_takes_back(counted):
    evening, match = counted
    count_again(evening["Ben"], match, "round-2-count-1-again-9-5", 3, 40)
    shown = words(evening["Ana"].get(f"/m/{match}"))
    assert "Undo: Ben: 3 in the score pile, 40 left over." in shown
    assert "… and" not in shown


def test_whoever_counted_something_doubtful_is_told_where_it_can_be_counted_again(counted):
    evening, match = counted

    def entering(name):
        return words(evening[name].get(f"/m/{match}")).split("Undo: ")[0]

    assert "Please count again" not in entering("Ben")
    count_again(evening["Ben"], match, "round-2-count-1-again-9-5", 3, 40)
    assert "closed piles have 5, 7, 9 or more cards each. Please count again. LIG-19" in entering("Ben")
    assert "that takes a surplus pile from the middle. Please count again. LIG-10 Count again: 3 and 40" in entering("Ben")
    assert "Please count again" not in entering("Ana")
    count_again(evening["Ben"], match, "round-2-count-1-again-3-40", 9, 5)
    assert "Please count again" not in entering("Ben")


def test_a_double_tap_on_undo_undoes_once(counted):
    evening, match = counted
    form = page(evening["Ana"].get(f"/m/{match}")).form("/undo")
    assert [evening["Ana"].post(form.action, form.data).status_code for _ in range(3)] == [303] * 3
    assert [entry.line.n for entry in evening.seated(match).position.booked] == [1, 2, 3]


def test_of_two_who_undo_the_same_one_wins_and_the_other_is_told(counted):
    evening, match = counted
    forms = {name: page(evening[name].get(f"/m/{match}")).form("/undo") for name in ("Ana", "Ben")}
    assert evening["Ana"].post(forms["Ana"].action, forms["Ana"].data).status_code == 303
    answer = evening["Ben"].post(forms["Ben"].action, forms["Ben"].data)
    assert answer.status_code == 409
    assert "That entry has been undone already." in words(answer)
    assert len(stored(evening.app)["entry"]) == 5


def test_only_who_entered_it_and_the_host_can_change_an_entry(counted):
    evening, match = counted
    before = stored(evening.app)
    for what in ("undo", "amend"):
        answer = evening["Cem"].post(f"/m/{match}/entries/4/{what}", {"scored": "8", "left": "5", "key": f"the key of {what}"})
        assert answer.status_code == 403
        assert "Only Ben or the host can change this entry." in words(answer)
    assert stored(evening.app) == before
    assert page(evening["Cem"].get(f"/m/{match}/entries/4")).forms == []
    assert len(page(evening["Ana"].get(f"/m/{match}/entries/4")).forms) == 2


def test_a_former_host_can_no_longer_change_what_others_entered(counted):
    evening, match = counted
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Cem').id}/host")
    assert evening["Ana"].post(f"/m/{match}/entries/4/undo", {"key": "the key of an undo"}).status_code == 403
    assert evening["Cem"].post(f"/m/{match}/entries/4/undo", {"key": "the key of an undo"}).status_code == 303


def test_a_correction_computes_everything_after_it_anew(counted):
    evening, match = counted
    form = page(evening["Ana"].get(f"/m/{match}/entries/1")).form("/amend")
    assert form.data["scored"] == "20"
    answer = evening["Ana"].post(form.action, {**form.data, "scored": "10+20"})
    assert answer.headers["Location"] == f"/m/{match}"
    position = evening.seated(match).position
    assert position.rounds == ((25, 16, 17),)
    assert position.state.counts[1].scored == 9
    shown = words(evening["Tom"].get(f"/m/{match}"))
    assert "Ana: 30 − 5 = 25." in shown
    assert "corrected" in shown
    assert [row[2] for row in stored(evening.app)["entry"]] == ["act"] * 4 + ["amend"]


@pytest.mark.parametrize("htmx", [True, False])
def test_whoever_corrects_is_told_once_whose_totals_that_changed(counted, htmx):
    evening, match = counted
    for scored, told in (("1", "Corrected. Ana 15 → −4."), ("1", "Corrected. Ligretto Crazy"), ("20", "Corrected. Ana −4 → 15.")):
        form = page(evening["Ana"].get(f"/m/{match}/entries/1")).form("/amend")
        answer = evening["Ana"].post(form.action, {**form.data, "scored": scored}, htmx=htmx)
        assert answer.headers["HX-Redirect" if htmx else "Location"] == f"/m/{match}"
        assert "Corrected." not in words(evening["Ben"].get(f"/m/{match}"))
        assert told in words(evening["Ana"].get(f"/m/{match}"))
        assert "Corrected." not in words(evening["Ana"].get(f"/m/{match}"))


def test_a_correction_that_makes_a_later_entry_wrong_is_refused_with_its_reason(counted):
    evening, match = counted
    before = stored(evening.app)
    form = page(evening["Ana"].get(f"/m/{match}/entries/1")).form("/amend")
    for htmx in (False, True):
        answer = evening["Ana"].post(form.action, {**form.data, "scored": "70"}, htmx=htmx)
        assert answer.status_code == 409
        assert "A later entry (number 2) would no longer be right" in words(answer) or "A later entry (number 3)" in words(answer)
    assert stored(evening.app) == before


def test_undoing_an_old_entry_under_somebodys_secret_is_refused_with_the_reason(evening):
    match = evening.start("crazy-lab")
    data = {"colours.0": "purple", "colours.1": "blue", "colours.2": "green", "key": "a key of a form"}
    evening["Ana"].post(f"/m/{match}/act/round-1-minus", data)
    evening["Ben"].post(f"/m/{match}/act/round-1-plus-1", {"colour": "orange", "key": "a key of Ben's form"})
    before = stored(evening.app)
    answer = evening["Ana"].post(f"/m/{match}/entries/1/undo", {"key": "the key of an undo"})
    assert answer.status_code == 409
    assert "Ben has chosen in secret after this entry; that has to be undone first." in words(answer)
    assert stored(evening.app) == before


def test_a_wrong_correction_is_told_and_changes_nothing(counted):
    evening, match = counted
    before = stored(evening.app)
    form = page(evening["Ben"].get(f"/m/{match}/entries/4")).form("/amend")
    for typed in ("", "x", "-1", "999", "٣", "1.0"):
        answer = evening["Ben"].post(form.action, {**form.data, "scored": typed})
        assert answer.status_code in (409, 422)
        assert 'role="alert"' in answer.get_data(as_text=True)
    assert stored(evening.app) == before


def test_an_entry_that_was_undone_is_no_page_any_more(counted):
    evening, match = counted
    evening["Ben"].post(f"/m/{match}/entries/4/undo", {"key": "the key of an undo"})
    for path in ("4", "5", "99", "0"):
        assert evening["Ben"].get(f"/m/{match}/entries/{path}").status_code == 404
    for what in ("undo", "amend"):
        answer = evening["Ben"].post(f"/m/{match}/entries/4/{what}", {"scored": "1", "left": "5", "key": f"a later key of {what}"})
        assert answer.status_code in (404, 409)
        assert words(answer)
    answer = evening["Ben"].get(f"/m/{match}/ask/x?of=4")
    assert answer.status_code in (404, 409)


def test_an_entry_says_who_typed_it_and_for_whom(evening):
    match = evening.start()
    evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Dora"})
    count(evening["Ana"], match, 1, 2, 20)
    assert "Entered by Ana for Cem" in words(evening["Tom"].get(f"/m/{match}/entries/1"))
    count(evening["Ana"], match, 1, 0, 20)
    assert " for " not in words(evening["Tom"].get(f"/m/{match}/entries/2")).split("Entered by Ana")[1].split(".")[0]


def test_matches_of_another_night_are_closed(evening):
    other = make_evening(evening.app, host="Olga", players=("Pia",), watchers=())
    match = other.start(seats=["Olga", "Pia"], by="Olga")
    for path in ("", "/now", "/live", "/entries/1", "/ask/round-1-count-0"):
        answer = evening["Ana"].get(f"/m/{match}{path}")
        assert answer.status_code == 403
        assert "Olga" not in answer.get_data(as_text=True)


# ---- the TV and the machine's page -----------------------------------------------------------------------------------


def test_the_tv_shows_the_code_the_people_and_the_newest_match_and_has_nothing_to_press(evening):
    shown = evening["Tom"].get(f"/n/{evening.id}/tv")
    assert "Ben" in words(shown)
    assert f"{evening.code[:3]} {evening.code[3:]}" in words(shown)
    evening.start("crazy-lab")
    match = evening.start()
    play_round(evening, match, 1, (20, 21, 22))
    shown = page(evening["Tom"].get(f"/n/{evening.id}/tv"))
    assert "Ligretto Crazy" in shown.text
    assert "17" in shown.text
    assert shown.forms == []
    with stream(evening["Tom"], f"/n/{evening.id}/tv/live") as got:
        got.get(timeout=60)
        next_regions(got)
        for seat, name in enumerate(("Ana", "Ben", "Cem")):
            assert count(evening[name], match, 2, seat, 30 - seat, left=1).status_code == 303
        assert "+29" in next_regions(got)["regions"]["tv"]


def test_the_machines_page_turns_green_with_the_first_phone(app):
    browser = Browser(app)
    night = browser.post("/nights", {"name": ""}).headers["Location"].rsplit("/", 1)[1]
    shown = words(browser.get(f"/n/{night}/machine"))
    assert "Waiting for the first phone" in shown
    assert "http://game.test:8000" in shown
    assert "Nothing after a minute?" in shown
    token = app.extensions["companion"].nights.room(night).night.token
    Browser(app).post(f"/j/{token}", {"name": "Ben"})
    shown = words(browser.get(f"/n/{night}/machine"))
    assert "The first phone is here" in shown
    assert "Nothing after a minute?" not in shown


def test_a_game_that_is_no_longer_installed_leaves_the_night_usable(tmp_path, uninstall):
    app = new_app(tmp_path / "without")
    app.testing = True
    evening = make_evening(app)
    match = evening.start("crazy-lab")
    evening.start()
    uninstall("crazy-lab")
    app.extensions["companion"].store._seated.clear()
    assert evening["Ana"].get(f"/n/{evening.id}").status_code == 200
    assert evening["Ana"].get(f"/n/{evening.id}/tv").status_code == 200
    answer = evening["Ana"].get(f"/m/{match}")
    assert answer.status_code == 409
    assert words(answer)
    app.extensions["companion"].database.close()
