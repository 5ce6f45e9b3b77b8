"""The fold of a match's log: undo and amend are lines, nothing is taken out, and a secret stays one until it is told."""

from datetime import UTC, datetime

import pytest

import companion.match_log
from companion.games import GAMES, replay
from companion.games.base import EVERYBODY, Name, RuleError, say
from companion.match_log import Broken, LogEntry, LogError, begin, fold

LIGRETTO, LAB = GAMES["ligretto-crazy"], GAMES["crazy-lab"]
PEOPLE = ["Ana", "Ben", "Cem"]
AT = datetime(2026, 1, 1, tzinfo=UTC)
MINUS = ["purple", "blue", "yellow"]


def lines(*entries, first=1):
    """Log lines: a report as it is, ("undo", n) or ("amend", n, report)."""
    for n, entry in enumerate(entries, first):
        kind, of, data = ("act", None, entry) if isinstance(entry, dict) else (entry[0], entry[1], entry[2] if len(entry) > 2 else None)
        yield LogEntry(n, kind, data, of, "ana", f"key-{n}", AT)


def ligretto(*entries, players=2, **options):
    return fold(begin(LIGRETTO, players, LIGRETTO.options(**options)), lines(*entries))


def lab(*entries):
    return fold(begin(LAB, 3, LAB.options()), lines(*entries))


def then(position, *entries):
    return fold(position, lines(*entries, first=position.version + 1))


def count(seat, scored, left):
    return {"do": "count", "seat": seat, "scored": scored, "left": left}


def one_round(*scored, left=5):
    return {"do": "round", "scored": list(scored), "left": [left] * len(scored)}


def plus(seat, colour):
    return {"do": "plus", "seat": seat, "colour": colour}


TOLD = {"do": "round", "plus": [9, 8, 7], "minus": [1, 2, 3]}  # a counted round tells the secrets


# ---- the fold --------------------------------------------------------------------------------------------------------


def test_a_fold_says_what_replay_says():
    reports = [count(0, 20, 5), one_round(30, 25), count(1, 11, 4), count(0, 13, 3)]
    position = ligretto(*reports)
    record = {"format": "companion-record/1", "game": "ligretto-crazy", "players": ["Ana", "Ben"], "actions": reports}
    said = replay(record)
    assert [list(each) for each in position.rounds] == said["rounds"]
    assert [each.points for each in position.game.standings(position.state)] == said["totals"]
    assert (position.version, len(position.booked), position.over) == (4, 4, said["finished"])


def test_an_empty_log_is_the_start():
    position = ligretto()
    assert (position.version, position.booked, position.rounds, position.state) == (0, (), (), position.start)


def test_undo_takes_the_newest_entry_back_and_counts_as_a_line():
    before = ligretto(one_round(20, 10))
    after = then(before, one_round(9, 9), ("undo", 2))
    assert (after.state, after.rounds, after.version) == (before.state, before.rounds, 3)


def test_undo_of_an_old_entry_plays_the_later_ones_again():
    position = ligretto(one_round(20, 10), one_round(9, 12), ("undo", 1))
    assert position.rounds == ((4, 7),)
    assert [entry.line.n for entry in position.booked] == [2]
    assert position.state.round == 2


def test_amend_recomputes_everything_after_it():
    position = ligretto(one_round(20, 10), one_round(9, 12), ("amend", 1, one_round(15, 10)))
    assert position.rounds == ((10, 5), (4, 7))
    assert position.state.totals == (14, 12)
    first, second = position.booked
    assert (first.line.n, first.amended.n, first.action) == (1, 3, one_round(15, 10))
    assert second.amended is None


def test_an_amended_entry_keeps_its_mark_when_an_earlier_one_changes():
    position = ligretto(one_round(20, 10), one_round(9, 12), ("amend", 2, one_round(11, 12)), ("undo", 1))
    (left,) = position.booked
    assert (left.line.n, left.amended.n, left.action) == (2, 3, one_round(11, 12))


def test_an_entry_can_be_amended_again_and_then_undone():
    position = ligretto(one_round(20, 10), ("amend", 1, one_round(15, 10)), ("amend", 1, one_round(12, 10)))
    assert position.rounds == ((7, 5),)
    assert then(position, ("undo", 1)).booked == ()


def test_an_undone_game_end_opens_the_match_again():
    over = ligretto(one_round(40, 20), target=30)
    assert over.over
    assert not over.asks
    again = then(over, ("undo", 1))
    assert not again.over
    assert again.asks


@pytest.mark.parametrize(
    "entry", [("undo", 1), ("amend", 1, one_round(9, 9)), ("undo", 7), ("undo", 2), ("undo", None), ("amend", None, {})]
)
def test_only_an_entry_in_force_can_be_changed(entry):
    position = ligretto(one_round(20, 10), ("undo", 1))
    with pytest.raises(LogError):
        then(position, entry)


def test_a_later_entry_that_would_break_is_named_with_its_reason():
    position = ligretto(count(0, 20, 5), count(1, 30, 5))
    with pytest.raises(Broken) as refused:
        then(position, ("amend", 1, count(0, 60, 5)))
    assert (refused.value.n, refused.value.rule) == (2, "LIG-18")
    assert "number 2" in say(refused.value.text, PEOPLE)
    assert "too many" in say(refused.value.text, PEOPLE)


def test_an_undo_that_would_break_a_later_entry_is_refused():
    position = lab({"do": "minus", "colours": MINUS}, plus(0, "green"), TOLD)
    with pytest.raises(Broken) as refused:
        then(position, ("undo", 1))
    assert (refused.value.n, refused.value.rule) == (2, "LAB-3")


def test_an_entry_after_the_game_would_have_ended_is_in_the_way():
    position = ligretto(one_round(20, 10), one_round(9, 12), target=30)
    with pytest.raises(Broken) as refused:
        then(position, ("amend", 1, one_round(40, 10)))
    assert refused.value.n == 2


@pytest.mark.parametrize(
    "entry", [one_round(70, 10), {"do": "fly"}, None, 7, ("amend", 1, one_round(70, 10)), ("amend", 1, None), ("amend", 1, {"do": "round"})]
)
def test_a_wrong_report_is_refused_and_leaves_the_position_alone(entry):
    position = ligretto(one_round(20, 10))
    same = ligretto(one_round(20, 10))
    line = next(lines(entry, first=2)) if isinstance(entry, dict | tuple) else LogEntry(2, "act", entry, None, None, "key", AT)
    with pytest.raises(RuleError):
        position.after(line)
    assert position == same


# ---- who answered what -----------------------------------------------------------------------------------------------


def test_a_closed_question_knows_the_entry_that_answered_it():
    position = ligretto(count(0, 20, 5), count(1, 10, 5), one_round(9, 9))
    assert position.answer_to("round-1-count-0").line.n == 1
    assert position.answer_to("round-1-count-1").line.n == 2
    assert position.answer_to("round-1").line.n == 2  # the last count closed the round
    assert position.answer_to("round-2").line.n == 3


@pytest.mark.parametrize("ask", ["round-9", "", "nonsense", "round-1-count-7"])
def test_a_question_that_never_was_has_no_answer(ask):
    assert ligretto(count(0, 20, 5), one_round(9, 9)).answer_to(ask) is None


def test_a_question_whose_answer_was_undone_is_open_again():
    position = ligretto(count(0, 20, 5), ("undo", 1))
    assert "round-1-count-0" in position.asks


# ---- what may be seen ------------------------------------------------------------------------------------------------


def test_the_story_is_told_newest_first():
    seen = ligretto(count(0, 20, 5), count(1, 10, 5), one_round(9, 9), ("amend", 1, count(0, 21, 5))).seen_by(EVERYBODY)
    assert [(told.n, told.do, told.seat, told.amended) for told in seen.story()] == [
        (3, "round", None, False),
        (2, "count", 1, False),
        (1, "count", 0, True),
    ]
    assert [told.n for told in seen.story(2)] == [3, 2]
    assert (seen.entry(1).by, seen.entry(1).at, seen.entry(1).action) == ("ana", AT, count(0, 21, 5))


def test_an_entry_that_was_undone_is_not_shown():
    seen = ligretto(count(0, 20, 5), ("undo", 1)).seen_by(EVERYBODY)
    assert seen.story() == []
    with pytest.raises(LogError):
        seen.entry(1)


def test_a_question_of_one_seat_is_only_shown_to_it():
    position = lab({"do": "minus", "colours": MINUS})
    assert "round-1-plus-1" in {ask.id for ask in position.seen_by(frozenset({1})).asks}
    assert not [ask.id for ask in position.seen_by(frozenset({0})).asks if ask.id == "round-1-plus-1"]
    assert not [ask for ask in position.seen_by(EVERYBODY).asks if ask.do == "plus"]
    assert position.seen_by(EVERYBODY).awaited == ()


def test_the_seats_that_a_needed_question_belongs_to_are_awaited():
    race = GAMES["crazy-race"]
    position = begin(race, 3, race.options())
    asks = [ask for ask in race.asks(position.state) if ask.needed]
    assert position.seen_by(EVERYBODY).awaited == tuple(Name(seat) for ask in asks for seat in ask.seats)


def everything(position, viewer):
    """All that somebody can get to see of a position."""
    seen = position.seen_by(viewer)
    asks = [(ask.id, ask.do, ask.text, ask.seats, ask.needed) for ask in seen.asks]
    entries = [seen.entry(entry.line.n) for entry in position.booked]
    facts = (seen.version, seen.over, seen.rounds, seen.state, seen.standings, seen.awaited)
    return repr((facts, asks, seen.story(), [seen.story(most) for most in range(1, 6)], entries))


SECRETS = [("green", "orange"), ("green", "blue"), ("blue", "yellow")]


def with_secret(colour, *more):
    return lab({"do": "minus", "colours": MINUS}, plus(0, colour), {"do": "trick", "winner": 1}, *more)


@pytest.mark.parametrize(("one", "other"), SECRETS)
@pytest.mark.parametrize("viewer", [EVERYBODY, frozenset({1}), frozenset({1, 2})])
def test_others_see_the_same_whatever_the_secret_is(one, other, viewer):
    assert everything(with_secret(one), viewer) == everything(with_secret(other), viewer)


def test_who_chose_it_sees_the_secret():
    """The control of the test before: the comparison does find a colour that is shown."""
    own = frozenset({0})
    assert everything(with_secret("green"), own) != everything(with_secret("orange"), own)
    assert with_secret("green").seen_by(own).entry(2).action == plus(0, "green")
    assert with_secret("green").seen_by(own).state.plus[0] == "green"


def test_a_secret_that_is_not_marked_as_one_would_be_noticed(monkeypatch):
    monkeypatch.setattr(companion.match_log, "_with_secrets", lambda game, entries: ((entry, False) for entry in reversed(entries)))
    assert everything(with_secret("green"), EVERYBODY) != everything(with_secret("orange"), EVERYBODY)


def test_a_scored_round_tells_its_secrets_and_its_undo_hides_them_again():
    told = with_secret("green", TOLD)
    assert told.seen_by(EVERYBODY).entry(2).action == plus(0, "green")
    assert [each.action for each in told.seen_by(EVERYBODY).story()][-2] == plus(0, "green")
    hidden = then(told, ("undo", 4))
    assert hidden.seen_by(EVERYBODY).entry(2).action is None
    assert "green" not in everything(hidden, EVERYBODY)


def test_the_secrets_of_the_next_round_stay_hidden_when_the_last_one_is_scored():
    position = fold(begin(LAB, 3, LAB.options(rounds=2)), lines({"do": "minus", "colours": MINUS}, plus(0, "green"), TOLD))
    position = then(position, {"do": "minus", "colours": MINUS}, plus(0, "orange"))
    seen = position.seen_by(EVERYBODY)
    assert seen.entry(2).action == plus(0, "green")
    assert seen.entry(5).action is None
    assert seen.story(1)[0].action is None


# A correction of the minus colours is refused where it would tell a secret: by its reason, or by being refused at all.

AMENDED = [["green", "blue", "yellow"], ["orange", "blue", "yellow"], ["blue", "purple", "yellow"], ["yellow", "blue", "purple"]]


def said_to(position, *entries):
    """How a change ends, in words."""
    try:
        return everything(then(position, *entries), EVERYBODY)
    except LogError as error:
        return say(error.text, PEOPLE)


def tells_a_secret(colours):
    answers = {said_to(with_secret(secret), ("amend", 1, {"do": "minus", "colours": colours})) for secret in ("green", "orange")}
    return len(answers) > 1


@pytest.mark.parametrize("colours", AMENDED)
def test_a_correction_before_a_secret_choice_tells_nothing_about_it(colours):
    assert not tells_a_secret(colours)
    answer = said_to(with_secret("green"), ("amend", 1, {"do": "minus", "colours": colours}))
    assert answer == "Ana has chosen in secret after this entry; that has to be undone first."


def test_without_that_care_a_correction_would_tell_the_secret(monkeypatch):
    monkeypatch.setattr(companion.match_log, "_check_choices", lambda position, entry: None)
    assert tells_a_secret(["green", "blue", "yellow"])


def test_a_correction_that_leaves_the_choices_of_a_secret_alone_is_fine():
    position = then(with_secret("green"), ("amend", 1, {"do": "minus", "colours": ["purple", "yellow", "blue"]}))
    assert position.state.minus == ("purple", "yellow", "blue")
    assert position.state.plus[0] == "green"


def test_undoing_what_a_secret_needs_is_refused_without_telling_it():
    assert {said_to(with_secret(secret), ("undo", 1)) for secret in ("green", "orange", "blue")} == {
        "Ana has chosen in secret after this entry; that has to be undone first."
    }


def test_a_secret_can_be_undone_and_chosen_again():
    position = then(with_secret("green"), ("undo", 2), plus(0, "orange"))
    assert position.state.plus[0] == "orange"


# ---- how a number came about -----------------------------------------------------------------------------------------


def test_the_course_of_a_seat_names_the_entries_that_changed_its_points():
    position = ligretto(one_round(20, 5), count(0, 9, 5), count(1, 10, 5), one_round(30, 9))
    course = position.seen_by(EVERYBODY).course(1)
    assert [(each.told.n, each.before, each.after) for each in course] == [(4, 5, 9), (3, 0, 5), (1, 0, 0)]
    assert [each.round for each in course] == [3, 2, 1]  # the first brought nothing, and that is a number, too
    assert [each.told.n for each in position.seen_by(EVERYBODY).course(0)] == [4, 3, 1]


def test_the_course_of_a_seat_has_no_round_where_points_change_within_one():
    cribby = GAMES["tricky-cribby"]
    position = fold(begin(cribby, 2, cribby.options()), lines({"do": "take", "side": 1, "tile": "red"}))
    assert [(each.before, each.after, each.round) for each in position.seen_by(EVERYBODY).course(1)] == [(0, 1, None)]


def test_an_entry_says_whether_it_ended_a_round():
    seen = ligretto(count(0, 20, 5), count(1, 10, 5)).seen_by(EVERYBODY)
    assert [told.scored for told in seen.story()] == [True, False]


def test_what_was_said_when_the_last_round_ended_is_said_until_the_next_one_ends():
    began, ended = ligretto(count(0, 9, 3)), ligretto(one_round(9, 12), one_round(5, 7))
    assert began.seen_by(EVERYBODY).closing == ()
    assert then(ended, count(0, 9, 3)).seen_by(EVERYBODY).closing == ended.booked[-1].step.notes


def test_changes_rise_with_undo_and_amend_alone():
    position, changes = ligretto(), []
    for entry in (count(0, 20, 5), count(1, 9, 5), ("undo", 2), count(1, 8, 5), ("amend", 1, count(0, 21, 5)), one_round(9, 9)):
        position = then(position, entry)
        changes.append(position.changes)
    assert changes == [0, 0, 2, 2, 3, 3]


def test_a_refusal_can_be_read_in_a_log_of_errors():
    with pytest.raises(LogError, match="undone already"):
        then(ligretto(), ("undo", 1))
    with pytest.raises(Broken, match="would no longer be right"):
        then(ligretto(one_round(20, 10), one_round(9, 9), target=30), ("amend", 1, one_round(40, 10)))


def test_a_viewer_gets_the_facts_of_the_position():
    position = ligretto(count(0, 20, 5), ("undo", 1), one_round(40, 20), target=30)
    seen = position.seen_by(EVERYBODY)
    assert (seen.game, seen.players, seen.version, seen.changes, seen.over) == (LIGRETTO, 2, 3, 2, True)
    assert (seen.rounds, seen.standings, seen.state) == (position.rounds, position.standings, position.state)
    assert ligretto().seen_by(EVERYBODY).over is False


def test_an_entry_is_found_by_its_place_among_those_in_force():
    seen = ligretto(count(0, 20, 5), ("undo", 1), one_round(9, 9), one_round(8, 8)).seen_by(EVERYBODY)
    assert [seen.number(place) for place in (0, 1)] == [3, 4]


def test_a_figure_is_told_with_the_entries_of_the_open_round_that_changed_it():
    tricks = [{"do": "trick", "winner": winner} for winner in (1, 0, 1)]
    seen = fold(begin(LAB, 3, LAB.options(rounds=2)), lines(tricks[0], TOLD, *tricks)).seen_by(EVERYBODY)
    now, entries = seen.figures(1)["tricks"]
    assert now.value == 2
    assert [(told.n, before.value, after.value) for told, before, after in entries] == [(5, 1, 2), (3, 0, 1)]
    assert [told.n for told, _, _ in seen.figures(0)["tricks"][1]] == [4]


def test_a_figure_tells_nothing_of_the_rounds_before():
    seen = lab({"do": "minus", "colours": MINUS}, {"do": "trick", "winner": 1}, TOLD).seen_by(EVERYBODY)
    assert seen.figures(1)["tricks"][1] == []


# ---- the marks of its course -----------------------------------------------------------------------------------------


def marks_of(position):
    return [(mark.kind, mark.n, mark.points, mark.ranks, mark.scored) for mark in position.seen_by(EVERYBODY).marks()]


def test_the_marks_of_a_match_are_its_start_and_its_rounds():
    assert marks_of(ligretto(count(0, 20, 5), count(1, 10, 5), one_round(9, 30))) == [
        ("start", 0, (0, 0), (1, 1), ()),
        ("round", 1, (15, 5), (1, 2), (15, 5)),
        ("round", 2, (19, 30), (2, 1), (4, 25)),
    ]


def test_without_rounds_every_entry_that_changed_the_points_is_a_mark():
    cribby = GAMES["tricky-cribby"]
    taken = [{"do": "take", "side": side, "tile": tile} for side, tile in ((1, "red"), (0, "blue"))]
    assert marks_of(fold(begin(cribby, 2, cribby.options()), lines(*taken))) == [
        ("start", 0, (0, 0), (1, 1), ()),
        ("entry", 1, (0, 1), (1, 1), ()),
        ("entry", 2, (1, 1), (1, 1), ()),
    ]
