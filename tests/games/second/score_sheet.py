"""A second, independent scorer for the score sheet, used only in tests to check the real rules engine.

Written from the rules SHEET-1 to SHEET-12 alone (the docstring of the module), with nothing taken from the engine's code: slow, plain
and obvious on purpose. It keeps nothing but the list of numbers that were written, and adds everything up anew each time.
"""

import random as random_module
import unicodedata

from hypothesis import strategies as st

NAMES = ["Ana", "Ben", "Cleo", "Dóra", "Emil", "Fay", "Gül", "Hugo", "Ida"]
ROW_NAMES = ["Castles", "Roads", "Coins", "Sheep", "<b>", "=1+1"]
LETTERS = ["", "A", "B", "C", "D"]
MOST = 999_999


class Refused(Exception):
    """The action, the set-up or the question is not allowed."""


def require(condition):
    if not condition:
        raise Refused


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_points(value):
    return is_number(value) and -MOST <= value <= MOST


def tidy(text, most):
    """One line of text: white space is one blank; nothing that cannot be printed."""
    require(isinstance(text, str))
    text = " ".join(unicodedata.normalize("NFC", text).split())
    require(all(sign.isprintable() or sign == "\u200d" for sign in text))
    require(len(text) <= most)
    return text


# The sheet ------------------------------------------------------------------------------------------------------


def start(record):
    players = record.get("players")
    require(isinstance(players, list) and 1 <= len(players) <= 8)
    require(all(isinstance(name, str) for name in players))
    options = record.get("options", {})
    require(isinstance(options, dict))
    require(set(options) <= {"title", "wins", "rounds", "target", "rows", "tie", "teams"})
    tidy(options.get("title", ""), 40)
    wins = options.get("wins", "highest")
    require(wins in ("highest", "lowest"))
    rounds = options.get("rounds", 0)
    require(is_number(rounds) and rounds >= 0)
    target = options.get("target", 0)
    require(is_number(target) and target >= 0)
    rows = options.get("rows", [])
    require(isinstance(rows, list) and len(rows) <= 30)
    rows = [tidy(row, 24) for row in rows]
    require("" not in rows)
    require(len({row.casefold() for row in rows}) == len(rows))
    require(not rows or (rounds == 0 and target == 0))
    tie = options.get("tie", "shared")
    require(tie in ("shared", "last-row"))
    teams = options.get("teams", [""] * len(players))
    require(isinstance(teams, list) and len(teams) == len(players))
    require(all(letter in LETTERS for letter in teams))
    return {
        "seats": len(players),
        "sides": sides_of(teams),
        "wins": wins,
        "rounds": rounds,
        "target": target,
        "rows": len(rows),
        "tie row": len(rows) - 1 if rows and tie == "last-row" else None,
        "sheet": {},  # (line, side) -> number; a line is a row, or a round counted from 0
        "closed in order": [],  # the lines in the order in which they became full
        "done": False,
    }


def sides_of(teams):
    sides = []
    for seat, letter in enumerate(teams):
        if letter == "" or letter not in teams[:seat]:
            sides.append([seat])
        else:
            partner = teams.index(letter)
            for side in sides:
                if partner in side:
                    side.append(seat)
    return sides


def is_full(state, line):
    return all((line, side) in state["sheet"] for side in range(len(state["sides"])))


def open_round(state):
    line = 0
    while is_full(state, line):
        line += 1
    return line


def counts(state, line):
    """Whether the numbers of a line are in the total."""
    if state["rows"]:
        return line != state["tie row"]
    return is_full(state, line)


def total(state, side):
    return sum(number for (line, whose), number in state["sheet"].items() if whose == side and counts(state, line))


def totals(state):
    return [total(state, side) for side in range(len(state["sides"]))]


def finished(state):
    if state["done"]:
        return True
    if state["rows"]:
        return all(is_full(state, row) for row in range(state["rows"]))
    if state["rounds"] and open_round(state) >= state["rounds"]:
        return True
    return state["target"] > 0 and max(totals(state)) >= state["target"]


def winners(state):
    """The best total; among equals the higher number in the row that breaks ties."""
    points = totals(state)
    best = max(points) if state["wins"] == "highest" else min(points)
    sides = [side for side in range(len(points)) if points[side] == best]
    if state["tie row"] is not None:
        broken = {side: state["sheet"].get((state["tie row"], side), 0) for side in sides}
        sides = [side for side in sides if broken[side] == max(broken.values())]
    return sorted(seat for side in sides for seat in state["sides"][side])


def side_of(state, seat):
    return [side for side, seats in enumerate(state["sides"]) if seat in seats][0]


def line_for(state, action):
    if not state["rows"]:
        require("row" not in action)
        return open_round(state)
    row = action.get("row")
    require(is_number(row) and 0 <= row < state["rows"])
    require(not is_full(state, row))
    return row


def write(state, line, numbers):
    for side, number in numbers.items():
        state["sheet"][line, side] = number
    if is_full(state, line):
        state["closed in order"].append([line])


def apply_score(state, action):
    require({"do", "seat", "points"} <= set(action) <= {"do", "seat", "points", "row"})
    require(is_number(action["seat"]) and 0 <= action["seat"] < state["seats"])
    require(is_points(action["points"]))
    write(state, line_for(state, action), {side_of(state, action["seat"]): action["points"]})


def apply_round(state, action):
    require({"do", "points"} <= set(action) <= {"do", "points", "row"})
    require(isinstance(action["points"], list) and len(action["points"]) == len(state["sides"]))
    require(all(is_points(number) for number in action["points"]))
    write(state, line_for(state, action), dict(enumerate(action["points"])))


def apply_end(state, action):
    require(set(action) == {"do"})
    if state["rows"]:
        require(state["sheet"])
        rest = [row for row in range(state["rows"]) if not is_full(state, row) and row != state["tie row"]]
        if any(line in rest for line, side in state["sheet"]):
            state["closed in order"].append(rest)
    else:
        line = open_round(state)
        require(line > 0)
        require(not any((line, side) in state["sheet"] for side in range(len(state["sides"]))))
    state["done"] = True


def apply(state, action):
    require(not finished(state))
    require(isinstance(action, dict))
    if action.get("do") == "score":
        apply_score(state, action)
    elif action.get("do") == "round":
        apply_round(state, action)
    elif action.get("do") == "end":
        apply_end(state, action)
    else:
        raise Refused


def per_seat(state, numbers):
    return [numbers[side_of(state, seat)] for seat in range(state["seats"])]


def result(state):
    sides = range(len(state["sides"]))
    lines = range(state["rows"]) if state["rows"] else range(open_round(state))
    brought = [
        per_seat(state, [sum(state["sheet"].get((line, side), 0) for line in closed) for side in sides])
        for closed in state["closed in order"]
        if closed != [state["tie row"]]
    ]
    return {
        "finished": finished(state),
        "rounds": brought,
        "totals": per_seat(state, totals(state)),
        "winners": winners(state) if finished(state) else [],
        "warnings": [],
        "sides": state["sides"],
        "cells": [[state["sheet"].get((line, side)) for side in sides] for line in lines],
    }


def score(record):
    """What `companion replay` says, errors as the index alone."""
    try:
        state = start(record)
    except Refused:
        return {"error": -1}
    for index, action in enumerate(record["actions"]):
        try:
            apply(state, action)
        except Refused:
            return {"error": index}
    return result(state)


# The dispute ----------------------------------------------------------------------------------------------------


def answer(question):
    try:
        return settled(question)
    except Refused:
        return {"error": -1}


def settled(question):
    require(set(question) <= {"game", "players", "leader", "claim", "points", "wins"})
    players, points = question["players"], question.get("points")
    require(isinstance(players, list) and 1 <= len(players) <= 8)
    require(isinstance(points, list) and len(points) == len(players) and all(is_points(number) for number in points))
    wins = question.get("wins", "highest")
    require(wins in ("highest", "lowest"))
    for name in ("leader", "claim"):
        if name in question:
            require(is_number(question[name]) and 0 <= question[name] < len(players))
    best = max(points) if wins == "highest" else min(points)
    winner = points.index(best) if points.count(best) == 1 else None
    right = {"right": question["claim"] == winner} if "claim" in question else {}
    return {"winner": winner, **right}


# Records and questions to try -----------------------------------------------------------------------------------


def number(rng):
    return rng.choice([rng.randint(-5, 20), rng.randint(-5, 20), rng.randint(-5, 20), rng.randint(-MOST, MOST), 0])


def options_of(rng, seats):
    options = {}
    if rng.random() < 0.5:
        options["wins"] = rng.choice(["highest", "lowest"])
    if rng.random() < 0.4:
        options["rows"] = rng.sample(ROW_NAMES, rng.randint(1, 4))
        if rng.random() < 0.5:
            options["tie"] = rng.choice(["shared", "last-row"])
    else:
        if rng.random() < 0.5:
            options["rounds"] = rng.randint(0, 4)
        if rng.random() < 0.5:
            options["target"] = rng.choice([0, 1, 10, 30])
        if rng.random() < 0.2:
            options["tie"] = "last-row"
    if rng.random() < 0.4:
        options["teams"] = [rng.choice(["", "A", "A", "B", "B", "C"]) for _ in range(seats)]
    if rng.random() < 0.3:
        options["title"] = rng.choice(["Skull King", "  two   words ", "", "x" * 40, "Zoe\u0308"])
    if rng.random() < 0.08:
        options.update(
            rng.choice(
                [
                    {"title": "x" * 41},
                    {"title": "a\u202eb"},
                    {"title": 3},
                    {"rows": ["a", "A"]},
                    {"rows": [""]},
                    {"rows": "abc"},
                    {"rounds": -1},
                    {"rows": ["x" * 25]},
                    {"rows": [str(n) for n in range(31)]},
                    {"rows": ["a"], "target": 5},
                    {"rows": ["a"], "rounds": 5},
                    {"teams": ["A"] * (seats + 1)},
                    {"teams": ["E"] * seats},
                    {"wins": "most"},
                    {"tie": True},
                    {"target": True},
                    {"colour": 1},
                ]
            )
        )
    return options


def action_of(rng, state):
    """Mostly something that fits: small numbers, open lines; now and then anything."""
    row = {}
    if state["rows"] and rng.random() < 0.97:
        fitting = [line for line in range(state["rows"]) if not is_full(state, line)]
        row = {"row": rng.choice(fitting or [0]) if rng.random() < 0.95 else rng.randint(-1, state["rows"])}
    kind = rng.random()
    if kind < 0.75:
        return {"do": "score", "seat": rng.randrange(state["seats"]), "points": number(rng), **row}
    if kind < 0.93:
        return {"do": "round", "points": [number(rng) for _ in state["sides"]], **row}
    if kind < 0.96:
        return {"do": "end"}
    return rng.choice(
        [
            {"do": "end", "seat": 0},
            {"do": "score", "seat": state["seats"], "points": 1, **row},
            {"do": "score", "seat": 0, **row},
            {"do": "round", "points": [1] * (len(state["sides"]) + 1), **row},
            {"do": "score", "seat": 0, "points": True, **row},
            {"do": "score", "seat": 0, "points": MOST + 1, **row},
            {"do": "score", "seat": 0, "points": 1, "row": 0},
            {"do": "start"},
            7,
        ]
    )


@st.composite
def records(draw):
    rng = random_module.Random(draw(st.integers(0, 10**9)))
    seats = rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 8, 9])
    record = {
        "format": "companion-record/1",
        "game": "score-sheet",
        "players": NAMES[:seats],
        "options": options_of(rng, seats),
        "actions": [],
    }
    try:
        state = start(record)
    except Refused:
        return record
    for _ in range(draw(st.integers(0, 40))):
        record["actions"].append(action_of(rng, state))
        try:
            apply(state, record["actions"][-1])
        except Refused:
            break
    return record


@st.composite
def questions(draw):
    rng = random_module.Random(draw(st.integers(0, 10**9)))
    seats = rng.randint(0, 9)
    question = {"game": "score-sheet", "players": NAMES[:seats], "points": [rng.randint(-3, 3) for _ in range(seats)]}
    if rng.random() < 0.5:
        question["wins"] = rng.choice(["highest", "lowest"])
    if rng.random() < 0.5:
        question["claim"] = rng.randint(0, max(seats - 1, 0))
    if rng.random() < 0.2:
        question["leader"] = rng.randint(0, 9)
    if rng.random() < 0.15:
        question.update(rng.choice([{"points": [1] * (seats + 1)}, {"points": [True] * seats}, {"wins": "most"}, {"trump": "red"}]))
    return question
