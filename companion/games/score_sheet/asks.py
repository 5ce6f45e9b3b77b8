"""What is asked for, with the forms."""

from __future__ import annotations

from functools import partial

from companion.games.base import Ask, Field, Form, Text, ask_id, path
from companion.games.score_sheet.model import MAX_POINTS, State


def open_asks(state: State) -> tuple[Ask, ...]:
    """Every cell of the open lines, then each of these lines as a whole, then the end."""
    cells = (_ask_score(state, line, side) for line in state.open_lines for side in range(len(state.sides)))
    lines = (_ask_round(state, line) for line in state.open_lines)
    return (*cells, *lines, *_ask_end(state))


def _where(state: State, line: int) -> tuple[str, int]:
    return ("row", line) if state.rows else ("round", line + 1)


def _row(state: State, line: int) -> dict[str, int]:
    return {"row": line} if state.rows else {}


# ---- one number ------------------------------------------------------------------------------------------------------


def _ask_score(state: State, line: int, side: int) -> Ask:
    cell = state.lines[line][side]
    again = ("again", cell.entry) if cell else ()
    return Ask(
        ask_id(*_where(state, line), "side", side, *again),
        "score",
        _score_text(state, line, side),
        partial(_score_form, state, line, side),
        needed=cell is None,
    )


def _score_text(state: State, line: int, side: int) -> Text:
    if state.rows:
        return Text("{row}: the points of {side}", row=state.rows[line], side=state.named(side))
    return Text("Round {n}: the points of {side}", n=line + 1, side=state.named(side))


def _score_form(state: State, line: int, side: int) -> Form:
    seat = state.sides[side][0]
    if len(state.sides[side]) > 1:
        seat = yield Field("seat", state.sides[side], Text("For whom?"), "seat")
    points = yield _points_field("points", Text("Points"))
    return {"do": "score", "seat": seat, "points": points, **_row(state, line)}


def _points_field(name: str, text: Text) -> Field:
    return Field(name, range(-MAX_POINTS, MAX_POINTS + 1), text, "number")


# ---- a whole line ----------------------------------------------------------------------------------------------------


def _ask_round(state: State, line: int) -> Ask:
    """Its id tells what the line held: whoever enters all numbers replaces none that they have not seen."""
    newest = max((cell.entry + 1 for cell in state.lines[line] if cell), default=0)
    text = Text("{row}: the points of everybody", row=state.rows[line]) if state.rows else Text("The points of everybody")
    return Ask(ask_id(*_where(state, line), "all", newest), "round", text, partial(_round_form, state, line), needed=False)


def _round_form(state: State, line: int) -> Form:
    points = []
    for side in range(len(state.sides)):
        points.append((yield _points_field(path("points", side), Text("{side}", side=state.named(side)))))
    return {"do": "round", "points": points, **_row(state, line)}


# ---- the end ---------------------------------------------------------------------------------------------------------


def _ask_end(state: State) -> tuple[Ask, ...]:
    begun = any(map(any, state.lines)) if state.rows else state.closed and not any(state.lines[-1])
    return (Ask(ask_id("end", state.closed), "end", Text("We are done"), _end_form, needed=False),) if begun else ()


def _end_form() -> Form:
    yield from ()
    return {"do": "end"}
