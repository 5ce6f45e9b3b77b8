"""A match or a night for other programs: the record, tables for a spreadsheet, a play for BG Stats. Only what everybody may see."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from urllib.parse import quote

from companion.games import FORMAT, read_options, title_of
from companion.games.base import EVERYBODY, Plain, Text, Value, many
from companion.games.base import say as in_english
from companion.i18n import plain
from companion.match_log import Mark
from companion.models import Match
from companion.names import key_of
from companion.nights import minutes_of
from companion.store import MatchSnapshot

WORDS = {
    "round": Text("round"), "entry": Text("entry"), "total": Text("total"), "place": Text("place"), "winner": Text("winner"),
    "yes": Text("yes"), "tie-break": Text("tie-break"), "game": Text("game"), "started": Text("started"),
    "minutes": Text("minutes"), "player": Text("player"), "points": Text("points"),
    "match": many("match", "matches", n=1),  # as the catalogues have it: early Python 3.11 finds no singular by itself
}  # fmt: skip
Cell = str | int | None
Say = Callable[[Value], str]  # puts names in and translates
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would calculate what begins like this
SOURCE = "Companion"
BGG_IDS = {"crazy-lab": 134631, "crazy-race": 1346}
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


# ---- the record ------------------------------------------------------------------------------------------------------


def record_of(seated: MatchSnapshot, names: Sequence[str]) -> dict[str, Plain]:
    """As `companion replay` reads it. A choice that is still hidden is left out: it is nobody's business yet."""
    told = seated.position.seen_by(EVERYBODY).story()[::-1]
    actions = [each.action for each in told if each.action is not None]
    return {"format": FORMAT, "game": seated.match.game, "players": list(names), "options": dict(seated.match.options), "actions": actions}


def as_json(record: Mapping[str, Plain]) -> str:
    """An action a line, so that a person can read it, too."""
    head = {key: value for key, value in record.items() if key != "actions"}
    actions = ",\n  ".join(json.dumps(action, ensure_ascii=False) for action in record["actions"])
    start = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{start},\n "actions": [\n  {actions}\n ]\n}}\n' if actions else f'{start},\n "actions": []\n}}\n'


# ---- tables ----------------------------------------------------------------------------------------------------------


def as_csv(rows: Iterable[Sequence[Cell]]) -> str:
    """With the mark by which spreadsheets know UTF-8; numbers are numbers, names are only ever text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([[_cell(each) for each in row] for row in rows])
    return "\ufeff" + out.getvalue()


def _cell(value: Cell) -> Cell:
    if not isinstance(value, str):
        return value
    return "'" + plain(value) if value.startswith(FORMULA) else plain(value)


def match_table(seated: MatchSnapshot, names: Sequence[str], say: Say, words: Mapping[str, str]) -> list[list[Cell]]:
    """What every round brought, where there are rounds; else the points after every entry. Then totals and places."""
    seen = seated.position.seen_by(EVERYBODY)
    rows: list[list[Cell]] = [[words["round" if seen.rounds else "entry"], *names]]
    rows += [[n, *scored] for n, scored in enumerate(seen.rounds, 1)] if seen.rounds else [_after(mark) for mark in seen.marks()[1:]]
    rows.append([words["total"], *(each.points for each in seen.standings)])
    rows.append([words["place"], *(each.rank for each in seen.standings)])
    if seen.over:
        rows.append([words["winner"], *(words["yes"] if each.won else "" for each in seen.standings)])
    if any(each.tiebreak for each in seen.standings):
        rows.append([words["tie-break"], *(say(each.tiebreak) if each.tiebreak else "" for each in seen.standings)])
    return rows


def _after(mark: Mark) -> list[Cell]:
    return [mark.n, *mark.points]


NIGHT_COLUMNS = ("match", "game", "started", "minutes", "player", "points", "place", "winner")


def night_table(matches: Iterable[tuple[Match, str, Sequence[str]]], words: Mapping[str, str]) -> list[list[Cell]]:
    """A line for every player of every finished match: (the match, what its game is called, its players)."""
    rows: list[list[Cell]] = [[words[name] for name in NIGHT_COLUMNS]]
    for n, (match, title, names) in enumerate(matches, 1):
        rows += [_line(n, match, title, names, seat, words) for seat in range(len(names))] if match.result else []
    return rows


def _line(n: int, match: Match, title: str, names: Sequence[str], seat: int, words: Mapping[str, str]) -> list[Cell]:
    assert match.result is not None
    won = words["yes"] if seat in match.result["winners"] else ""
    when = match.started_at.astimezone().strftime("%Y-%m-%d %H:%M")
    return [n, title, when, minutes_of(match), names[seat], match.result["points"][seat], match.result["ranks"][seat], won]


# ---- BG Stats --------------------------------------------------------------------------------------------------------


def play_of(seated: MatchSnapshot, names: Sequence[str], title: str, place: str, comments: str, say: Say) -> dict[str, Plain]:
    """A finished match as BG Stats takes it: every yes and no is there, ids stay the same from play to play, times are UTC."""
    match, seen = seated.match, seated.position.seen_by(EVERYBODY)
    starter, roles = _starter(seated), [say(role) for role in _roles(seated)]
    standings = seen.standings
    return {
        "sourceName": SOURCE,
        "sourcePlayId": match.id,
        "playDate": _utc(match.finished_at or match.started_at),
        "durationMin": minutes_of(match),
        "comments": comments[:200],
        "location": place,
        "game": _game(seated, title),
        "players": [
            {
                "name": names[each.seat],
                "sourcePlayerId": stable_id(key_of(names[each.seat])),
                "startPlayer": each.seat == starter,
                "score": each.points,
                "rank": each.rank,
                "role": roles[each.seat],
                "winner": each.won,
            }
            for each in standings
        ],
    }


def _game(seated: MatchSnapshot, title: str) -> dict[str, Plain]:
    match = seated.match
    known = {"bggId": BGG_IDS[match.game]} if match.game in BGG_IDS else {}
    same = stable_id(
        match.game + in_english(title_of(match.game, match.options, len(match.seats)), ())
    )  # in whatever language it is handed over
    return {"name": title, **known, "highestWins": _highest_wins(seated), "noPoints": False, "sourceGameId": same}


def _highest_wins(seated: MatchSnapshot) -> bool:
    game, match = seated.position.game, seated.match
    return game.highest_wins(read_options(game, match.options, len(match.seats)))


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def stable_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _starter(seated: MatchSnapshot) -> int | None:
    """Who began, in a game where that is a house rule."""
    options = seated.position.game.options
    return next(
        (seated.match.options.get(each.name, each.default) for each in fields(options) if each.metadata.get("kind") == "seat"), None
    )


def _roles(seated: MatchSnapshot) -> Sequence[Value]:
    """The roles of the last round, in a game that has some."""
    position = seated.position
    state = position.booked[-1].before if position.booked else position.state
    figures = [position.game.figures(state, seat) for seat in range(position.players)]
    return [each["role"].value if "role" in each else "" for each in figures]


def bg_stats_link(play: Mapping[str, Plain]) -> str:
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
