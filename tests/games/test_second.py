"""Every engine against a second scorer, written from the rules alone by somebody who did not know the engine."""

import importlib
import sys

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.games import GAMES, replay, resolve

SECOND = {game: importlib.import_module("second." + game.replace("-", "_")) for game in GAMES}
RELAXED = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def summary(answer):
    """What both say: everything but the sentences."""
    if "error" in answer:
        return {"error": answer["error"]["action"]}
    plain = {key: value for key, value in answer.items() if key not in ("game", "players", "why")}
    if "warnings" in plain:
        plain["warnings"] = sorted([warning["action"], warning["rule"]] for warning in plain["warnings"])
    return plain


def agree_on_a_record(game, data):
    record = data.draw(SECOND[game].records())
    assert summary(replay(record)) == SECOND[game].score(record)


@pytest.mark.parametrize("game", GAMES)
@RELAXED
@given(data=st.data())
def test_both_scorers_agree_on_every_record(game, data):
    agree_on_a_record(game, data)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@settings(RELAXED, max_examples=10_000)
@given(data=st.data())
def test_both_scorers_agree_on_ten_thousand_records(game, data):
    agree_on_a_record(game, data)


CHANGED = {  # one rule of each game, a little different
    "crazy-lab": ("MAX_TRUMPS", 5),
    "crazy-race": ("MAX_CARDS", 2),
    "ligretto-crazy": ("FEWEST_LEFT", 4),
    "score-sheet": ("MAX_ROWS", 2),
    "the-academy": ("REBEL_COLOURS", 2),
    "tricky-cribby": ("MAJORITY", 4),
}


def modules_of(game):
    """The game's file, or all of its package."""
    package = "companion.games." + game.replace("-", "_")
    return [module for name, module in sys.modules.items() if name == package or name.startswith(package + ".")]


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_with_a_slightly_different_rule_is_noticed(game, monkeypatch):
    @settings(RELAXED, max_examples=5_000, phases=[Phase.generate], database=None)  # the first difference ends it, and 300 may show none
    @given(data=st.data())
    def agree(data):
        agree_on_a_record(game, data)

    name, value = CHANGED[game]
    for module in modules_of(game):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)
    with pytest.raises(AssertionError):
        agree()


@pytest.mark.parametrize("game", GAMES)
@RELAXED
@given(data=st.data())
def test_both_scorers_agree_on_every_dispute(game, data):
    question = data.draw(SECOND[game].questions())
    assert summary(resolve(question)) == SECOND[game].answer(question)


@pytest.mark.parametrize("game", GAMES)
@RELAXED
@given(data=st.data())
def test_a_record_cut_short_still_replays(game, data):
    """An error is where the record says: everything before it stands."""
    record = data.draw(SECOND[game].records())
    error = replay(record).get("error")
    if error and error["action"] >= 0:
        assert "error" not in replay({**record, "actions": record["actions"][: error["action"]]})
        assert error["message"].endswith(".")
