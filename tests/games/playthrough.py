"""A whole game as a text: every entry, what it led to, what is asked next. `python tests/games/playthrough.py` writes all of them anew."""

import json
import sys
from pathlib import Path

from companion.games import GAMES, read_action, read_options
from companion.games.base import say

HERE = Path(__file__).parent
FOLDER = HERE / "playthroughs"
EXAMPLES = HERE.parents[1] / "companion" / "games" / "examples"


def told(record):
    """The text of a record."""
    return "\n".join(lines(record)) + "\n"


def lines(record):
    game, players = GAMES[record["game"]], record["players"]
    head = {key: value for key, value in record.items() if key != "actions"}
    yield json.dumps(head)
    state = game.setup(len(players), read_options(game, record.get("options", {}), len(players)))
    for plain in record["actions"]:
        step = game.apply(state, read_action(game, plain, len(players)))
        state = step.state
        yield ""
        yield "> " + json.dumps(plain)
        yield from (note_line(note, players) for note in step.notes)
        yield from reason_lines(step.notes, players)
        yield "points " + " ".join(f"{players[each.seat]} {each.points} ({each.rank}.)" for each in game.standings(state))
        yield "asks " + " ".join(ask.id + ("" if ask.needed else "?") for ask in game.asks(state))
    yield ""
    yield json.dumps(game.report(state))
    yield from standing_lines(game.standings(state), players)


def note_line(note, players):
    return f"  {'! ' if note.warning else ''}{say(note.text, players)} [{note.rule}]"


def reason_lines(notes, players):
    for reason in (reason for note in notes if note.verdict for reason in note.verdict.why):
        yield f"    {say(reason.text, players)} [{reason.rule}]"


def standing_lines(standings, players):
    for each in standings:
        tiebreak = f" {say(each.tiebreak, players)}" if each.tiebreak else ""
        yield f"{each.rank}. {players[each.seat]} {each.points}{' wins' if each.won else ''}{tiebreak}"


def record_of(text):
    """The record that a text tells."""
    head, *rest = text.splitlines()
    return {**json.loads(head), "actions": [json.loads(line[2:]) for line in rest if line.startswith("> ")]}


def main():
    for path in sorted(EXAMPLES.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        (FOLDER / f"{record['game']}-{len(record['players'])}.txt").write_text(told(record), encoding="utf-8")
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(told(record_of(path.read_text(encoding="utf-8"))), encoding="utf-8")
    for path in map(Path, sys.argv[1:]):
        record = json.loads(path.read_text(encoding="utf-8"))
        (FOLDER / f"{path.stem}.txt").write_text(told(record), encoding="utf-8")


if __name__ == "__main__":
    main()
