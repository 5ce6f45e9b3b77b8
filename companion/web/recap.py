"""A match told afterwards: who won, the places, how long it took, how it went; as facts for pages, a picture and a text for the chat."""

from __future__ import annotations

from functools import cache
from typing import Any

from babel.dates import format_date
from flask_babel import get_locale

from companion.chart import chart_of
from companion.course import Course, leader, turning_points
from companion.games import title_of
from companion.games.base import EVERYBODY, Name, Standing, Text, Value, many, names
from companion.i18n import plain
from companion.models import Match
from companion.nights import NightSnapshot, minutes_of
from companion.standings import lasted
from companion.store import MatchSnapshot
from companion.web.i18n import _t, speak
from companion.web.table import looked_at

MAX_TOLD = 150  # entries of the story on this page; a longer one has a page of its own
MAX_LINES = 6  # places with a line of their own on the card; the others share one


def result_facts(room: NightSnapshot, seated: MatchSnapshot) -> dict[str, Any]:
    """As somebody sees it who only looks: what is passed on is for everybody."""
    facts, course = looked_at(room, seated), course_of(seated)
    return facts | {
        "course": course,
        "chart": chart_of(course, facts["names"]) if course.played else None,
        "title": _title(room, seated),
        "headline": headline(course),
        "places": places(course),
        "turning_points": turning_points(course),
        "length": length(course, seated.match),
        "in_words": cache(lambda: chat_text(room, seated)),
        "told": facts["seen"].story()[::-1] if seated.position.version <= MAX_TOLD else [],
    }


def course_of(seated: MatchSnapshot) -> Course:
    seen = seated.position.seen_by(EVERYBODY)
    return Course(seen.marks(), seen.over)


def card(room: NightSnapshot, seated: MatchSnapshot) -> tuple[str, str, list[str]]:
    """Kicker, headline and lines of the picture."""
    course, players = course_of(seated), room.names(seated.match.seats)
    shown = [speak(_place(each), players) for each in places(course)]
    if len(shown) > MAX_LINES:
        shown[MAX_LINES - 1 :] = [" · ".join(shown[MAX_LINES - 1 :])]
    return speak(_title(room, seated)), speak(headline(course), players), shown


# ---- in words --------------------------------------------------------------------------------------------------------


def chat_text(room: NightSnapshot, seated: MatchSnapshot) -> str:
    """The result for the group chat, a line a sentence."""
    course = course_of(seated)
    texts = [_title(room, seated), headline(course), *map(_place, places(course)), length(course, seated.match), *turning_points(course)]
    return plain("\n".join(speak(text, room.names(seated.match.seats)) for text in texts if text))


def headline(course: Course) -> Text:
    winners, ahead = course.winners, leader(course, course.last)
    if winners:
        return many("{players} wins", "{players} win", n=len(winners), players=names(winners))
    if course.over:
        return _t("Nobody wins")
    if ahead:
        return many("{players} is ahead so far", "{players} are ahead so far", n=len(ahead), players=names(ahead))
    return _t("Nobody is ahead yet")


def places(course: Course) -> list[Standing]:
    return sorted(course.last.standings, key=lambda each: each.rank)


def _place(each: Standing) -> Text:
    said: dict[str, Value] = {"place": each.rank, "player": Name(each.seat), "points": each.points}
    if each.tiebreak is None:
        return _t("{place}. {player}: {points}", **said)
    return _t("{place}. {player}: {points} ({reason})", reason=each.tiebreak, **said)


def length(course: Course, match: Match) -> Text | None:
    """How many rounds, and when it is over how long they took."""
    rounds = many("{n} round", "{n} rounds", n=course.rounds) if course.rounds else None
    time = lasted(minutes_of(match)) if course.over else None
    return _t("{rounds} in {time}", rounds=rounds, time=time) if rounds and time else rounds or time


def _title(room: NightSnapshot, seated: MatchSnapshot) -> Text:
    """Which game on which day: the laptop's day, as the people at the table know it."""
    match = seated.match
    day = format_date((match.finished_at or match.started_at).astimezone(), "medium", locale=get_locale() or "en")
    title = title_of(match.game, match.options, len(match.seats))
    return _t("{game}, {night}, {day}", game=title, night=room.night.name, day=day)
