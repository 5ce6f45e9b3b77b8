"""What stays of a match and of a night: the result with its course, what is passed on, and the standings by a scheme."""

import json
import re
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from conftest import make_evening
from databases import new_app
from web.looking import next_regions, page, stream, words

from companion.models import Match
from companion.nights import played

pytestmark = pytest.mark.postgresql

ROUNDS = (((20, 30, 10), (5, 5, 5)), ((40, 10, 10), (5, 5, 5)), ((10, 60, 10), (5, 5, 5)))  # 15 25 5, 50 30 10, 55 85 15


def enter(evening, match, rounds=ROUNDS):
    for n, (scored, left) in enumerate(rounds, 1):
        fields = {f"scored.{seat}": str(each) for seat, each in enumerate(scored)} | {
            f"left.{seat}": str(each) for seat, each in enumerate(left)
        }
        answer = evening["Ana"].post(f"/m/{match}/act/round-{n}", {**fields, "key": f"the key of round {n}"})
        assert answer.status_code == 303, words(answer)
    return match


def finished(evening, **more):
    return enter(evening, evening.start(target="75", **more))


def replayed(evening, game):
    """The example of a game, played on these seats."""
    record = json.loads((files("companion.games") / "examples" / f"{game}.json").read_text(encoding="utf-8"))
    store, by = evening.app.extensions["companion"].store, evening.person("Ana").id
    seats = [evening.person(name).id for name in evening.browsers]
    match = store.start(Match(night_id=evening.id, game=game, seats=seats, options=record.get("options", {}))).id
    for n, action in enumerate(record["actions"]):
        ask = next(ask.id for ask in evening.seated(match).position.asks.values() if ask.do == action["do"])
        store.act(match, ask, action, by, f"key of entry {n}")
    return match


def result(evening, match, name="Tom"):
    answer = evening[name].get(f"/m/{match}/result")
    assert answer.status_code == 200
    return answer


# ---- the result of a match -------------------------------------------------------------------------------------------


def test_a_result_says_who_won_the_places_and_how_it_went(evening):
    match = finished(evening)
    text = words(result(evening, match))
    assert "Ben wins with 85 points" in text
    assert re.search(r"1 BE Ben 85 2 AN Ana 55 3 CE Cem 15", text)
    assert "Ben took the lead only at the very end, with round 3." in text
    assert "3 rounds in 1 minute" in text


def test_the_table_shows_the_winner_at_once_and_leads_to_the_result(evening):
    match = finished(evening)
    assert f"/m/{match}/result" in page(evening["Tom"].get(f"/m/{match}")).links
    assert "wins with 85 points" in words(evening["Tom"].get(f"/m/{match}"))


def without_links(html):
    """Every number leads to how it came about."""
    return re.sub(r"</?a\b[^>]*>", "", html)


def test_the_course_is_a_picture_with_words_and_a_table_for_those_who_listen(evening):
    html = result(evening, finished(evening)).get_data(as_text=True)
    assert html.count("<polyline") == 3
    assert len(set(re.findall(r'<polyline points="[^"]*" stroke-dasharray="([^"]*)"', html))) == 3  # colour is never alone
    assert len(set(re.findall(r'class="sign"[^>]* d="([^"]*)"', html))) == 3
    assert re.search(r'<svg class="chart"[^>]*role="img" aria-labelledby="chart-title chart-desc"', html)
    assert "Ben: 85, Ana: 55, Cem: 15" in re.search(r'<desc id="chart-desc">(.*?)</desc>', html)[1]
    assert '<tr><th scope="row">2</th><td>50</td><td>30</td><td>10</td></tr>' in without_links(html)


def test_while_a_match_runs_it_says_how_it_went_so_far(evening):
    match = enter(evening, evening.start(), ROUNDS[:2])
    text = words(result(evening, match))
    assert "Ana is ahead so far" in text
    assert "Places so far" in text
    assert "In front since round 2: Ana." in text
    assert "wins" not in text
    assert f"/m/{match}/result" in page(evening["Ben"].get(f"/m/{match}")).links


def test_before_the_first_round_there_is_no_picture_and_a_word_about_it(evening):
    answer = result(evening, evening.start())
    assert "<polyline" not in answer.get_data(as_text=True)
    assert "The lines begin with the first points." in words(answer)
    assert "Nobody is ahead yet" in words(answer)


def test_several_winners_are_all_named(evening):
    match = enter(evening, evening.start(target="50"), [((30, 30, 10), (5, 5, 5))] * 2)
    text = words(result(evening, match))
    assert "Ana & Ben win with 50 points each" in text
    assert "1 AN Ana 50 1 BE Ben 50 3 CE Cem 10" in text
    assert "Ana and Ben win\n" in evening["Tom"].get(f"/m/{match}/result").get_data(as_text=True)


def test_numbers_below_zero_have_a_real_minus(evening):
    match = enter(evening, evening.start(), [((5, 20, 10), (20, 5, 5))])
    html = result(evening, match).get_data(as_text=True)
    assert "<td>−15</td>" in without_links(html)
    assert ">-15<" not in html


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("tricky-cribby", "Majorities decide, not the number of tiles."),
        ("the-academy", "wins with three awards and the purple 7"),
        ("crazy-race", "took the lead with entry 27 and kept it."),
        ("crazy-lab", "led from start to finish."),
    ],
)
def test_every_game_has_a_course_and_its_own_reasons(app, game, said):
    evening = make_evening(app, players=("Ben", "Cem", "Dia"), watchers=())
    answer = result(evening, replayed(evening, game), "Dia")
    assert said in words(answer)
    assert answer.get_data(as_text=True).count("<polyline") == (2 if game == "tricky-cribby" else 4)


def test_the_whole_story_is_there_and_a_long_one_has_its_own_page(evening, monkeypatch):
    match = finished(evening)
    links = page(result(evening, match)).links
    assert [link for link in links if "/entries/" in link] == [f"/m/{match}/entries/{n}" for n in (1, 2, 3)]
    monkeypatch.setattr("companion.web.recap.MAX_TOLD", 2)
    links = page(result(evening, match)).links
    assert f"/m/{match}/story" in links
    assert not [link for link in links if "/entries/" in link]


def test_a_correction_changes_the_result(evening):
    match = finished(evening)
    fields = {f"scored.{seat}": each for seat, each in enumerate(("70", "10", "10"))} | {f"left.{seat}": "5" for seat in range(3)}
    assert evening["Ana"].post(f"/m/{match}/entries/3/amend", {**fields, "key": "the key of the correction"}).status_code == 303
    assert "Ana wins with 115 points" in words(result(evening, match))


# ---- passing it on ---------------------------------------------------------------------------------------------------


def test_the_group_chat_gets_plain_text(evening):
    html = result(evening, finished(evening)).get_data(as_text=True)
    lines = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.DOTALL)[1].split("\n")
    assert re.fullmatch(r"Ligretto Crazy, Game night, \w+ \d+, \d{4}", lines[0])
    assert lines[1:6] == ["Ben wins", "1. Ben: 85", "2. Ana: 55", "3. Cem: 15", "3 rounds in 1 minute"]
    assert "Ben took the lead only at the very end, with round 3." in lines


def test_names_in_the_text_for_the_chat_are_only_text(app):
    evening = make_evening(app, players=("</textarea><b>x</b>", "&lt;Cem"), watchers=())
    html = result(evening, finished(evening), "Ana").get_data(as_text=True)
    assert "1. &lt;/textarea&gt;&lt;b&gt;x&lt;/b&gt;: 85" in html
    assert "3. &amp;lt;Cem: 15" in html


def test_the_card_is_a_picture_with_winner_and_places(evening):
    match = finished(evening)
    drawn = evening["Tom"].get(f"/m/{match}/result/card.svg")
    assert drawn.mimetype == "image/svg+xml"
    for text in ("Ligretto Crazy, Game night", "Ben wins", "1. Ben: 85", "3. Cem: 15"):
        assert text in drawn.get_data(as_text=True)
    painted = evening["Tom"].get(f"/m/{match}/result/card.png")
    assert painted.mimetype == "image/png"
    assert painted.get_data().startswith(b"\x89PNG\r\n\x1a\n")


def test_without_script_nothing_is_offered_that_needs_one(evening):
    html = result(evening, finished(evening)).get_data(as_text=True)
    assert re.search(r"<button[^>]*data-copy[^>]* hidden>", html)
    assert re.search(r"<button[^>]*data-share[^>]* hidden>", html)
    assert "execCommand" not in html


# ---- playing on ------------------------------------------------------------------------------------------------------


def test_players_can_play_again_or_another_game_and_watchers_cannot(evening):
    match = finished(evening)
    playing, watching = page(result(evening, match, "Ben")).links, page(result(evening, match, "Tom")).links
    again, other = f"/n/{evening.id}/new/ligretto-crazy?again={match}", f"/n/{evening.id}/new?again={match}"
    assert again in playing
    assert other in playing
    assert not {again, other}.intersection(watching)


def test_another_game_has_the_same_people_but_not_the_same_house_rules(evening):
    match = finished(evening, seats=["Cem", "Ana", "Ben"])
    links = page(evening["Ben"].get(f"/n/{evening.id}/new?again={match}")).links
    other = next(link for link in links if "crazy-lab" in link)
    assert urlsplit(other).query == f"again={match}"
    order = ",".join(evening.person(name).id for name in ("Cem", "Ana", "Ben"))
    assert f'name="order" value="{order}"' in evening["Ben"].get(other).get_data(as_text=True)
    rounds = evening["Ben"].get(other + "&rounds=9").get_data(as_text=True)
    assert 'id="rounds" name="rounds" inputmode="numeric" value="1"' in rounds


# ---- the night -------------------------------------------------------------------------------------------------------


def standings(evening, name="Tom"):
    answer = evening[name].get(f"/n/{evening.id}/standings")
    assert answer.status_code == 200
    return answer


def lines(evening, name="Tom"):
    """Place, name, points of everybody."""
    html = standings(evening, name).get_data(as_text=True)
    rows = re.findall(r'<span class="rank">(\d+)</span>.*?<span class="name">(.*?)[ <].*?<b class="points">(\d+)', html, re.DOTALL)
    return [(int(rank), who, int(points)) for rank, who, points in rows]


def test_a_night_without_a_finished_match_says_what_comes_next(evening):
    assert lines(evening) == []
    assert "No game yet" in words(standings(evening))


def test_the_night_adds_up_all_finished_matches(evening):
    finished(evening)
    finished(evening, seats=["Cem", "Ana", "Ben"])
    evening.start()
    assert lines(evening) == [(1, "Ana", 5), (2, "Ben", 4), (3, "Cem", 3)]
    text = words(standings(evening))
    assert "place 1 of 3" in text
    assert "one more for everybody who came in behind you" in text
    assert "1 minute" in text


def test_the_host_changes_what_a_match_is_worth_and_everybody_sees_it_in_words(evening):
    finished(evening)
    with stream(evening["Tom"], f"/n/{evening.id}/live") as got:
        assert got.get(timeout=60).status_code == 200
        assert "Ben" in next_regions(got, "standings")["regions"]["standings"]
        assert evening["Ana"].post(f"/n/{evening.id}/scheme", {"scheme": "winner"}).status_code == 303
        assert "1 point to its winner" in next_regions(got, "standings")["regions"]["standings"]
    assert lines(evening) == [(1, "Ben", 1), (2, "Ana", 0), (2, "Cem", 0)]


def test_only_the_host_is_offered_to_change_it(evening):
    finished(evening)
    assert [form.action for form in page(standings(evening, "Ana")).forms] == [f"/n/{evening.id}/scheme"]
    assert page(standings(evening, "Ben")).forms == []
    assert evening["Ben"].post(f"/n/{evening.id}/scheme", {"scheme": "winner"}).status_code == 403


@pytest.mark.parametrize("scheme", ["", "shaken", "Winner", "beaten\n"])
def test_a_scheme_that_does_not_exist_is_refused_in_words(evening, scheme):
    finished(evening)
    answer = evening["Ana"].post(f"/n/{evening.id}/scheme", {"scheme": scheme})
    assert answer.status_code == 422
    assert "There is no such way to count." in words(answer)
    assert lines(evening) == [(1, "Ben", 3), (2, "Ana", 2), (3, "Cem", 1)]


def test_the_scheme_is_still_the_same_after_a_restart(tmp_path):
    app = new_app(tmp_path / "instance", "http://game.test:8000")
    evening = make_evening(app)
    evening["Ana"].post(f"/n/{evening.id}/scheme", {"scheme": "places"})
    app.extensions["companion"].database.close()
    again = new_app(tmp_path / "instance", "http://game.test:8000")
    assert again.extensions["companion"].nights.room(evening.id).night.scheme == "places"
    again.extensions["companion"].database.close()


def test_whoever_was_removed_keeps_the_line(evening):
    finished(evening)
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/remove")
    assert lines(evening)[0] == (1, "Ben", 3)
    assert "Ben left" in words(standings(evening))


def test_a_match_that_is_taken_back_no_longer_counts(evening):
    match = finished(evening)
    assert lines(evening)
    assert evening["Ana"].post(f"/m/{match}/entries/3/undo", {"key": "the key of the undo"}).status_code == 303
    assert lines(evening) == []


def test_a_match_lasts_from_its_start_to_its_last_entry(evening):
    finished(evening)
    (match,) = evening.app.extensions["companion"].nights.matches(evening.id)
    (counted,) = played([match.model_copy(update={"finished_at": match.started_at.replace(year=match.started_at.year + 1)})])
    assert counted.minutes in (365 * 1440, 366 * 1440)
    assert played([match])[0].minutes == 1


def test_the_lobby_shows_the_standings_when_there_are_some(evening):
    assert 'id="standings" class="unseen"' in evening["Tom"].get(f"/n/{evening.id}").get_data(as_text=True)
    finished(evening)
    lobby = evening["Tom"].get(f"/n/{evening.id}")
    assert "The night's standings" in words(lobby)
    assert f"/n/{evening.id}/standings" in page(lobby).links


def test_a_game_that_is_no_longer_installed_still_counts(evening, uninstall):
    finished(evening)
    uninstall("ligretto-crazy")
    assert lines(evening) == [(1, "Ben", 3), (2, "Ana", 2), (3, "Cem", 1)]
    assert "ligretto-crazy" in words(standings(evening))


def test_the_tv_shows_the_match_while_it_runs_and_the_standings_between_matches(evening):
    match = enter(evening, evening.start(target="75"), ROUNDS[:2])
    running = evening["Tom"].get(f"/n/{evening.id}/tv")
    assert "To 75 points" in words(running)
    assert "The night's standings" not in words(running)
    evening["Ana"].post(
        f"/m/{match}/act/round-3",
        {**{f"scored.{n}": "30" for n in range(3)}, **{f"left.{n}": str(n) for n in range(3)}, "key": "the last round"},
    )
    between = evening["Tom"].get(f"/n/{evening.id}/tv")
    assert "Ana wins" in words(between)
    assert "The night's standings" in words(between)
    assert "<polyline" in between.get_data(as_text=True)
    evening.start()
    assert "The night's standings" not in words(evening["Tom"].get(f"/n/{evening.id}/tv"))


def sheet(evening, *actions, **options):
    store, by = evening.app.extensions["companion"].store, evening.person("Ana").id
    seats = [evening.person(name).id for name in ("Ana", "Ben", "Cem")]
    match = store.start(Match(night_id=evening.id, game="score-sheet", seats=seats, options=options)).id
    for n, action in enumerate(actions):
        ask = next(ask.id for ask in evening.seated(match).position.asks.values() if ask.do == action["do"])
        store.act(match, ask, action, by, f"key of entry {n}")
    return match


def test_a_match_that_the_table_ends_has_its_winner(evening):
    match = sheet(evening, {"do": "round", "points": [5, -9, 7]}, {"do": "round", "points": [5, -9, 2]}, {"do": "end"}, wins="lowest")
    text = words(result(evening, match))
    assert "Ben wins with −18 points" in text
    assert "Ben wins 1. Ben: −18" in text  # for the chat
    assert "Nobody" not in text
    assert "2 rounds in 1 minute" in text
    assert lines(evening)[0] == (1, "Ben", 3)


def test_the_numbers_of_an_open_row_are_in_the_lines_but_are_no_round(evening):
    first, second = ({"do": "score", "row": 0, "seat": seat, "points": 10 * seat} for seat in (1, 2))
    match = sheet(evening, {"do": "round", "row": 1, "points": [1, 2, 3]}, first, second, rows=["Ones", "Twos"])
    html = result(evening, match).get_data(as_text=True)
    assert '<tr><th scope="row">1</th><td>1</td><td>2</td><td>3</td></tr>' in without_links(html)
    assert '<tr><th scope="row">…</th><td>1</td><td>12</td><td>23</td></tr>' in without_links(html)
    assert "1 round" in words(result(evening, match))
