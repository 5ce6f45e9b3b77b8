"""Taking a match along and bringing it back: the pages, and every record that is refused with its reason."""

import json
from importlib.resources import files
from io import BytesIO

import pytest
from conftest import make_evening

from companion.games import replay


@pytest.fixture
def evening(app):
    return make_evening(app, "Ana", ("Ben", "Cem"), ("Tom",))


def example(game="ligretto-crazy"):
    return json.loads((files("companion.games") / "examples" / f"{game}.json").read_text(encoding="utf-8"))


def bring(evening, record, by="Ana", **more):
    text = record if isinstance(record, str) else json.dumps(record)
    return evening[by].post(f"/n/{evening.id}/export", {"record": text, **more})


def brought(evening, record):
    answer = bring(evening, record)
    assert answer.status_code == 303, answer.get_data(as_text=True)
    return answer.headers["Location"].rsplit("/", 1)[1]


def stored(evening):
    """Everything a refusal must leave alone."""
    parts = evening.app.extensions["companion"]
    return [match.id for match in parts.nights.matches(evening.id)], [person.name for person in parts.nights.room(evening.id).people]


# ---- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["crazy-lab", "ligretto-crazy", "the-academy", "tricky-cribby", "crazy-race"])
def test_a_record_comes_back_as_the_same_match(evening, game):
    record = example(game)
    match = brought(evening, record)
    saved = evening["Tom"].get(f"/m/{match}/record.json")
    assert saved.headers["Content-Disposition"] == f'attachment; filename="{game}.json"'
    assert replay(saved.get_json()) == replay(record)
    again = brought(evening, saved.get_data(as_text=True))
    assert replay(evening["Ana"].get(f"/m/{again}/record.json").get_json()) == replay(record)


def test_a_record_comes_in_as_a_file(evening):
    sent = (BytesIO(b"\xef\xbb\xbf" + json.dumps(example()).encode()), "match.json")
    answer = evening["Ben"].post(f"/n/{evening.id}/export", {"file": sent}, content_type="multipart/form-data")
    assert answer.status_code == 303


def test_whoever_is_here_keeps_the_seat_and_others_are_added(evening):
    record = example()
    record["players"] = ["ben", "Zoe", "Yan", "Xia"]
    match = brought(evening, record)
    seats = evening.seated(match).match.seats
    assert seats[0] == evening.person("Ben").id
    assert evening.person("Zoe").phone is None


def test_a_match_that_was_brought_in_goes_on(evening):
    record = {"format": "companion-record/1", "game": "ligretto-crazy", "players": ["Ana", "Ben"], "actions": []}
    record["actions"].append({"do": "round", "scored": [9, 8], "left": [1, 2]})
    match = brought(evening, record)
    store = evening.app.extensions["companion"].store
    store.act(match, "round-2", {"do": "round", "scored": [5, 5], "left": [5, 5]}, evening.person("Ana").id, "the next round")
    assert len(evening.seated(match).position.rounds) == 2
    store.undo(match, 1, evening.person("Ana").id, "not the first")
    assert len(evening.seated(match).position.rounds) == 1


def test_a_finished_one_has_its_result(evening):
    match = brought(evening, example())
    assert evening.seated(match).match.result["winners"] == replay(example())["winners"]


# ---- what is refused -------------------------------------------------------------------------------------------------

RIGHT = {"format": "companion-record/1", "game": "ligretto-crazy", "players": ["Ana", "Zoe"], "actions": []}
WRONG = {
    "nothing": ("", "no record"),
    "no JSON": ("{", "no record"),
    "nested": ("[" * 20_000, "no record"),
    "a list": ("[]", "no list of actions"),
    "no actions": ({**RIGHT, "actions": None}, "no list of actions"),
    "a newer format": ({**RIGHT, "format": "companion-record/2"}, "companion-record/2; this version reads companion-record/1"),
    "another format": ({**RIGHT, "format": 1}, "its format is not companion-record/1"),
    "no game": ({**RIGHT, "game": ["x"]}, "not installed"),
    "an unknown game": ({**RIGHT, "game": "skat"}, "not installed"),
    "no players": ({**RIGHT, "players": []}, "does not begin right"),
    "too long a name": ({**RIGHT, "players": ["Ana", "x" * 30]}, "too long"),
    "one name twice": ({**RIGHT, "players": ["Zoe", "zoe"]}, "same name"),
    "look-alikes": ({**RIGHT, "players": ["Zoe", "Zое"]}, "same name"),
    "an unknown option": ({**RIGHT, "options": {"speed": 1}}, "does not begin right"),
    "an illegal action": (
        {**RIGHT, "actions": [{"do": "round", "scored": [1, 1], "left": [1, 1]}, {"do": "round", "scored": [99, 1], "left": [1, 1]}]},
        "Action 2 of this record is against the rules",
    ),
    "no action": ({**RIGHT, "actions": [7]}, "Action 1 of this record"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_record_that_does_not_replay_is_refused_with_the_reason_and_nothing_is_stored(evening, what):
    record, reason = WRONG[what]
    before = stored(evening)
    answer = bring(evening, record)
    assert answer.status_code == 422
    assert reason in answer.get_data(as_text=True)
    assert stored(evening) == before


def test_what_was_pasted_is_kept(evening):
    assert "&#34;skat&#34;" in bring(evening, {**RIGHT, "game": "skat"}).get_data(as_text=True)


def test_who_only_watches_brings_nothing_in(evening):
    assert bring(evening, RIGHT, by="Tom").status_code == 403


def test_a_record_larger_than_any_evening_is_refused_in_words(evening):
    record = {**RIGHT, "actions": [{"do": "round", "scored": [1, 1], "left": [1, 1]}] * 3_000}
    answer = bring(evening, record)
    assert answer.status_code == 413
    assert "too much at once" in answer.get_data(as_text=True)


# ---- secrets ---------------------------------------------------------------------------------------------------------


def test_a_hidden_choice_leaves_with_nobody_before_the_reveal(evening):
    """Not even with whoever chose it: what is saved is for all to see."""
    match = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"])
    store, ben = evening.app.extensions["companion"].store, evening.person("Ben").id
    store.act(match, _ask(evening, match, "minus"), {"do": "minus", "colours": ["purple", "blue", "yellow"]}, ben, "the minus colours")
    store.act(match, _ask(evening, match, "plus", 1), {"do": "plus", "seat": 1, "colour": "orange"}, ben, "the secret one")
    for name in ("Ana", "Ben", "Tom"):
        for path in ("record.json", "table.csv", "export"):
            assert "orange" not in evening[name].get(f"/m/{match}/{path}").get_data(as_text=True)
    assert [action["do"] for action in evening["Ben"].get(f"/m/{match}/record.json").get_json()["actions"]] == ["minus"]


def _ask(evening, match, do, seat=None):
    asks = evening.seated(match).position.asks.values()
    return next(ask.id for ask in asks if ask.do == do and (seat is None or seat in ask.seats))


# ---- BG Stats --------------------------------------------------------------------------------------------------------


def test_a_finished_match_is_handed_to_bg_stats(evening):
    match = brought(evening, example("crazy-race"))
    answer = evening["Tom"].get(f"/m/{match}/bg-stats")
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22")


def test_one_that_runs_is_not(evening):
    answer = evening["Ana"].get(f"/m/{evening.start()}/bg-stats")
    assert answer.status_code == 409
    assert "not over yet" in answer.get_data(as_text=True)


def test_the_qr_code_leads_there_without_a_seat_and_cannot_be_made_up(evening, app):
    from web.qr import read_svg

    match = brought(evening, example())
    short = read_svg(evening["Ana"].get(f"/m/{match}/export").get_data(as_text=True))
    assert short.startswith("http://game.test:8000/bg-stats/")
    path = short.removeprefix("http://game.test:8000")
    stranger = app.test_client()
    assert stranger.get(path, base_url="http://game.test:8000").headers["Location"].startswith("https://app.bgstatsapp.com/")
    for wrong in (path[:-2] + ("A" if path[-2] != "A" else "B") + path[-1], f"/bg-stats/{match}", "/bg-stats/x.y"):
        assert stranger.get(wrong, base_url="http://game.test:8000").status_code == 404


def test_the_night_is_a_table(evening):
    brought(evening, example())
    table = evening["Tom"].get(f"/n/{evening.id}/table.csv")
    lines = table.get_data(as_text=True).splitlines()
    assert table.content_type == "text/csv; charset=utf-8"
    assert lines[0] == "\ufeffmatch,game,started,minutes,player,points,place,winner"
    assert len(lines) == 1 + len(example()["players"])
