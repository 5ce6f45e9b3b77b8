"""A match for other programs: golden files for every export, names that are only text, and a spreadsheet that reads numbers as numbers."""

import csv
import io
import json
import re
import subprocess
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from babel.support import Translations
from conftest import needed
from machine import OFFICE

from companion.exports import WORDS, as_csv, as_json, bg_stats_link, match_table, night_table, play_of, record_of
from companion.games import GAMES, replay, title_of
from companion.games.base import say
from companion.i18n import TRANSLATIONS
from companion.models import Match, Night, Person
from companion.nights import NightSnapshot
from companion.store import MatchSnapshot, played_before, result_of
from companion.web import pictures
from companion.web.recap import card, chat_text, course_of, length

GOLDEN = Path(__file__).parent / "exports"
STARTED = datetime(2026, 11, 14, 19, 30, tzinfo=UTC)
LANGUAGES = ("en", "de", "is")
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", sorted(GAMES))


def speaking(language, names=()):
    """What puts names in and translates."""
    return lambda value: say(value, names, Translations.load(TRANSLATIONS, [language]))


def words(language):
    return {key: speaking(language)(text) for key, text in WORDS.items()}


def example(game):
    return json.loads((files("companion.games") / "examples" / f"{game}.json").read_text(encoding="utf-8"))


def played(record, most=None, names=None):
    """The record as a match that is stored."""
    names = names or record["players"]
    match = Match(id="match", night_id="night", game=record["game"], seats=names, options=record.get("options", {}), started_at=STARTED)
    position = played_before(match, record["actions"][:most], None)
    if position.over:
        match.finished_at, match.result = STARTED + timedelta(minutes=42), result_of(position)
    return MatchSnapshot(match, position, {})


def table_of(seated, names, language="en"):
    return as_csv(match_table(seated, names, speaking(language, names), words(language)))


def title(match, language="en"):
    return speaking(language)(title_of(match.game, match.options, len(match.seats)))


def play(seated, names, language="en"):
    said = speaking(language)(length(course_of(seated), seated.match))
    return play_of(seated, names, title(seated.match, language), "Home", said, speaking(language))


# ---- golden files ----------------------------------------------------------------------------------------------------


def same_as_golden(name, text):
    """To look at a change: delete the file, run the test, read the difference."""
    path = GOLDEN / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        path.write_text(text, encoding="utf-8", newline="")
        pytest.fail(f"{name} is new: look at it, and keep it")
    return path.read_bytes().decode() == text


@every_game
def test_a_record_is_as_it_was(game):
    """In every language: it has no words."""
    record = example(game)
    text = as_json(record_of(played(record), record["players"]))
    assert same_as_golden(f"{game}.json", text)
    assert replay(json.loads(text)) == replay(record)


@every_game
@every_language
def test_a_table_is_as_it_was(game, language):
    record = example(game)
    assert same_as_golden(f"{language}/{game}.csv", table_of(played(record), record["players"], language))


@every_game
@every_language
def test_a_play_for_bg_stats_is_as_it_was(game, language):
    record = example(game)
    link = bg_stats_link(play(played(record), record["players"], language))
    assert same_as_golden(f"{language}/{game}.bg-stats.txt", link + "\n")


def a_night(language):
    records = [example(game) for game in sorted(GAMES)]
    matches = [played(each).match for each in records]
    return [(match, title(match, language), match.seats) for match in matches]


@every_language
def test_the_table_of_a_night_is_as_it_was(monkeypatch, language):
    monkeypatch.setenv("TZ", "UTC")
    assert same_as_golden(f"{language}/night.csv", as_csv(night_table(a_night(language), words(language))))


def a_room(names):
    night = Night(id="night", name="Freitag", code="ABCDEF")
    return NightSnapshot(night, {name: Person(id=name, night_id="night", name=name, key=name, code="ABCDEF") for name in names})


@every_game
@every_language
def test_the_words_for_the_group_chat_are_as_they_were(app, game, language):
    record = example(game)
    with app.test_request_context("/", headers={"Accept-Language": language}):
        assert same_as_golden(f"{language}/{game}.txt", chat_text(a_room(record["players"]), played(record)) + "\n")


@every_language
def test_the_card_to_pass_on_is_as_it_was(app, language):
    record = example("tricky-cribby")
    with app.test_request_context("/", headers={"Accept-Language": language}):
        assert same_as_golden(f"{language}/card.svg", pictures.svg(*card(a_room(record["players"]), played(record))))


@every_game
def test_a_table_has_the_same_numbers_in_every_language(game):
    """A spreadsheet adds them up whatever the words around them are."""
    record = example(game)
    tables = [rows(table_of(played(record), record["players"], language)) for language in LANGUAGES]
    numbers = [[[cell for cell in row if re.fullmatch(r"-?[0-9]+", cell)] for row in table] for table in tables]
    assert numbers[0] == numbers[1] == numbers[2]
    assert len({table[0][0] for table in tables}) == 3  # the control: the words do differ


# ---- records ---------------------------------------------------------------------------------------------------------


def test_an_empty_record_is_one_too():
    record = {**example("ligretto-crazy"), "actions": []}
    assert replay(json.loads(as_json(record_of(played(record), record["players"]))))["finished"] is False


def a_hidden_choice():
    """Crazy Lab after Ben has chosen in secret, and a trick later."""
    return {
        "format": "companion-record/1", "game": "crazy-lab", "players": ["Ana", "Ben", "Cem"], "options": {},
        "actions": [
            {"do": "minus", "colours": ["purple", "blue", "yellow"]},
            {"do": "plus", "seat": 1, "colour": "orange"},
            {"do": "trick", "winner": 2},
        ],
    }  # fmt: skip


def test_a_hidden_choice_is_not_in_the_record_before_the_reveal():
    record = a_hidden_choice()
    out = record_of(played(record), record["players"])
    assert [action["do"] for action in out["actions"]] == ["minus", "trick"]
    assert "orange" not in as_json(out)
    assert "error" not in replay(out)


def test_the_choice_is_in_the_record_once_the_round_is_scored():
    record = a_hidden_choice()
    record["actions"].append({"do": "round", "plus": [3, 4, 5], "minus": [1, 1, 1]})
    assert {"do": "plus", "seat": 1, "colour": "orange"} in record_of(played(record), record["players"])["actions"]


# ---- tables ----------------------------------------------------------------------------------------------------------


def rows(text):
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.parametrize("name", ["=1+1", "+49", "-Ana", "@SUM(A1)", "\tx"])
def test_a_name_is_no_formula(name):
    record = example("ligretto-crazy")
    names = [name, *record["players"][1:]]
    assert rows(table_of(played(record), names))[0][1] == "'" + name


def test_negative_points_stay_numbers():
    assert rows(as_csv([["total", -7, "-7"]])) == [["total", "-7", "'-7"]]


def test_quotes_commas_and_lines_stay_in_their_cell():
    name = 'A "b", c'
    assert rows(as_csv([[name, 1]])) == [[name, "1"]]


def test_a_match_that_runs_has_no_winner_yet():
    record = example("ligretto-crazy")
    names = record["players"]
    assert "winner" not in {row[0] for row in rows(table_of(played(record, most=1), names))}
    assert "winner" in {row[0] for row in rows(table_of(played(record), names))}


def test_200_rounds_are_200_lines():
    round = {"do": "round", "scored": [10, 12], "left": [12, 10]}
    record = {"game": "ligretto-crazy", "players": ["Ana", "Ben"], "options": {"target": 99_999}, "actions": [round] * 200}
    assert len(rows(table_of(played(record), record["players"]))) == 1 + 200 + 2


def test_a_spreadsheet_reads_numbers_as_numbers(tmp_path):
    record = example("ligretto-crazy")
    names = ["=1+1", *record["players"][1:]]
    (tmp_path / "table.csv").write_text(table_of(played(record), names), encoding="utf-8", newline="")
    command = [needed(OFFICE), "--headless", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--convert-to", "fods"]
    subprocess.run([*command, "--outdir", str(tmp_path), str(tmp_path / "table.csv")], check=True, capture_output=True, timeout=180)
    sheet = (tmp_path / "table.fods").read_text(encoding="utf-8")
    first = played(record).position.rounds[0]
    assert "table:formula" not in sheet
    assert all(f'office:value-type="float" office:value="{points}"' in sheet for points in first)


# ---- BG Stats --------------------------------------------------------------------------------------------------------


def decoded(game):
    record = example(game)
    return json.loads(parse_qs(urlsplit(bg_stats_link(play(played(record), record["players"]))).query)["data"][0])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_yes_and_no_is_there(game):
    """Android says "No value for …" otherwise."""
    found = decoded(game)
    assert all(type(found["game"][name]) is bool for name in ("highestWins", "noPoints"))
    assert all(type(player[name]) is bool for player in found["players"] for name in ("winner", "startPlayer"))


@pytest.mark.parametrize(("game", "id"), [("crazy-lab", 134631), ("crazy-race", 1346), ("ligretto-crazy", None)])
def test_the_game_is_named_by_its_number_where_it_is_known(game, id):
    """A number, never a text; left out where there is none."""
    found = decoded(game)["game"]
    assert found.get("bggId") == id
    assert ("bggId" in found) is (id is not None)


def test_the_time_is_utc_and_not_iso():
    assert decoded("crazy-lab")["playDate"] == "2026-11-14 20:12:00"


def test_ids_stay_the_same_from_play_to_play():
    one, two = decoded("crazy-lab"), play(played(example("crazy-lab")), ["ANA", *example("crazy-lab")["players"][1:]])
    assert one["game"]["sourceGameId"] == two["game"]["sourceGameId"]
    assert one["players"][1]["sourcePlayerId"] == two["players"][1]["sourcePlayerId"]
    assert len({player["sourcePlayerId"] for player in one["players"]}) == len(one["players"])


def test_a_game_has_the_same_id_in_whatever_language_it_is_handed_over():
    record = example("score-sheet")
    seated = played({**record, "options": {name: value for name, value in record["options"].items() if name != "title"}})
    games = [play(seated, record["players"], language)["game"] for language in LANGUAGES]
    assert len({game["sourceGameId"] for game in games}) == 1
    assert len({game["name"] for game in games}) == 3


def test_places_points_and_winners_are_those_of_the_match():
    record, found = example("ligretto-crazy"), decoded("ligretto-crazy")
    result = replay(record)
    assert [player["score"] for player in found["players"]] == result["totals"]
    assert [seat for seat, player in enumerate(found["players"]) if player["winner"]] == result["winners"]


def test_roles_go_along_where_a_game_has_them():
    assert {player["role"] for player in decoded("the-academy")["players"]} == {"Captain", "Mastermind", "Teamplayer", "Rebel"}
    assert {player["role"] for player in decoded("crazy-race")["players"]} == {""}


def test_comments_stay_short():
    record = example("crazy-lab")
    assert len(play_of(played(record), record["players"], "Crazy Lab", "Home", "x" * 5_000, str)["comments"]) == 200


@pytest.mark.parametrize("game", ["crazy-lab", "crazy-race", "ligretto-crazy", "the-academy", "tricky-cribby"])
def test_more_points_are_better(game):
    assert decoded(game)["game"]["highestWins"] is True
