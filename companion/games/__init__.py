"""The games, found and not registered, and what can be done with any of them: replay a record, resolve a dispute."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from companion.games.base import ENGLISH, Game, Note, Plain, RuleError, Text, Tongue, Value, Verdict, say
from companion.games.record import Players, Question, read, written

AnyGame = Game[Any, Any]
FORMAT = "companion-record/1"
FIELDS = ("format", "game", "players", "options", "actions")
ABOUT_PEOPLE = ("players", "leader", "claim")  # in a question; the rest is about cards


def find_games() -> dict[str, AnyGame]:
    """Every module here that has a GAME, and every installed plugin of the entry-point group companion.games."""
    modules = [import_module(".".join((__name__, found.name))) for found in pkgutil.iter_modules(__path__)]
    here = [module.GAME for module in modules if hasattr(module, "GAME")]
    plugins = [plugin.load() for plugin in entry_points(group="companion.games")]
    return {game.id: game for game in (*here, *plugins)}


GAMES: dict[str, AnyGame] = find_games()


# ---- replay ----------------------------------------------------------------------------------------------------------


class NoRecord(ValueError):
    """Something that is no record, or no question, at all."""

    def __init__(self, text: Text) -> None:
        super().__init__(say(text, ()))
        self.text = text


class Stopped(Exception):
    """A record that cannot go on: which action is wrong, and why."""

    def __init__(self, action: int, error: RuleError) -> None:
        super().__init__(action, error)
        self.action, self.error = action, error


def replay(record: Plain, tongue: Tongue = ENGLISH) -> dict[str, Plain]:
    """Play a record from its first action to its last and say how the match stands; `RECORD.md` has the format."""
    game = _game_of(record)
    if record.get("format") != FORMAT:
        raise NoRecord(Text("this is no record: the format is not {format}", format=FORMAT))
    if not isinstance(record.get("actions"), list):
        raise NoRecord(Text("this is no record: there is no list of actions"))
    try:
        return _replayed(game, record, tongue)
    except Stopped as stopped:
        return _error(stopped.action, stopped.error, record.get("players"), tongue)


def _replayed(game: AnyGame, record: dict[str, Plain], tongue: Tongue) -> dict[str, Plain]:
    players, state = _seated(game, record)
    rounds: list[list[int]] = []
    warnings: list[dict[str, Plain]] = []
    for number, plain in enumerate(record["actions"]):
        try:
            step = game.apply(state, read_action(game, plain, len(players)))
        except RuleError as error:
            raise Stopped(number, error) from None
        state = step.state
        rounds += [list(step.scored)] if step.scored is not None else []
        warnings += [_warning(number, note, players, tongue) for note in step.notes if note.warning]
    shown = {"rounds": rounds} if game.has_rounds else {}
    return {"game": game.id, "players": players, **shown, **_outcome(game, state), "warnings": warnings, **game.report(state)}


def _seated(game: AnyGame, record: dict[str, Plain]) -> tuple[list[str], Any]:
    try:
        unknown = [name for name in record if name not in FIELDS]
        if unknown:
            raise RuleError(Text("A record has no field “{field}”.", field=unknown[0]), "RECORD")
        players = read_players(game, record.get("players"))
        return players, game.setup(len(players), read_options(game, record.get("options", {}), len(players)))
    except RuleError as error:
        raise Stopped(-1, error) from None


def _outcome(game: AnyGame, state: Any) -> dict[str, Plain]:
    standings = game.standings(state)
    return {
        "finished": game.over(state),
        "totals": [standing.points for standing in standings],
        "winners": [standing.seat for standing in standings if standing.won],
    }


def _warning(number: int, note: Note, players: Sequence[str], tongue: Tongue) -> dict[str, Plain]:
    return {"action": number, "rule": note.rule, "message": say(note.text, players, tongue)}


def _error(action: int, error: RuleError, players: Plain, tongue: Tongue) -> dict[str, Plain]:
    seated = players if isinstance(players, list) else []
    return {"error": {"action": action, "rule": error.rule, "message": say(error.text, [str(name) for name in seated], tongue)}}


# ---- reading ---------------------------------------------------------------------------------------------------------


def _game_of(data: Plain) -> AnyGame:
    if not isinstance(data, dict):
        raise NoRecord(Text("this is no record: there is no object"))
    game = data.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise NoRecord(Text("this is no record: the game is none of {games}", games=tuple(GAMES)))
    return GAMES[game]


def read_players(game: AnyGame, data: Plain) -> list[str]:
    """The names in seat order, as many as can play."""
    if isinstance(data, list):
        _check_number(game, len(data))
    return list(read(Players, {"players": data}, "the record", 0).players)


def _check_number(game: AnyGame, n: int) -> None:
    if n not in game.players:
        fits = tuple(game.players)
        raise RuleError(Text("{game} is for {fits} players, not for {n}.", game=game.name, fits=fits, n=n), game.players_rule)


def read_options(game: AnyGame, data: Plain, players: int) -> Any:
    return read(game.options, data, "options", players)


def title_of(game: str, options: Plain, players: int) -> Value:
    """What a match goes by, also where its game is no longer installed or its house rules cannot be read."""
    if game not in GAMES:
        return game
    try:
        return GAMES[game].title(read_options(GAMES[game], options, players))
    except RuleError:
        return GAMES[game].name


def read_action(game: AnyGame, data: Plain, players: int) -> Any:
    """The typed action behind its JSON."""
    if not isinstance(data, dict):
        raise RuleError(Text("An action must be an object with a field “do”."), "RECORD")
    for kind in game.actions:
        if kind.do == data.get("do"):
            return read(kind, {name: value for name, value in data.items() if name != "do"}, kind.do, players)
    known = tuple(kind.do for kind in game.actions)
    raise RuleError(Text("The “do” of an action in {game} must be one of {known}.", game=game.name, known=known), "RECORD")


# ---- resolve ---------------------------------------------------------------------------------------------------------


def resolve(question: Plain, tongue: Tongue = ENGLISH) -> dict[str, Plain]:
    """Answer one dispute without a match: who wins, and why, card by card."""
    game = _game_of(question)
    players = question.get("players")
    try:
        asked = _read_question(game, question)
        return _answer(asked, game.resolve(asked), tongue)
    except RuleError as error:
        return _error(-1, error, players, tongue)


def verdict_on(game: AnyGame, question: dict[str, Plain]) -> Verdict | RuleError:
    """The verdict itself, or why the question makes no sense."""
    try:
        return game.resolve(_read_question(game, question))
    except RuleError as error:
        return error


class Shape(NamedTuple):
    """A question, whoever asks it: two with the same facts are the same question. `turns` are the seats by their places in it."""

    facts: str
    turns: tuple[int, ...]


def shape_of(game: AnyGame, question: dict[str, Plain]) -> Shape:
    """What is asked, without names and seats; a RuleError where the question makes no sense."""
    asked = _read_question(game, question)
    game.resolve(asked)
    told = written(game.retold(asked))
    facts = {"players": len(asked.players), **{name: value for name, value in told.items() if name not in ABOUT_PEOPLE}}
    return Shape(json.dumps(facts, sort_keys=True), game.turns(asked))


def _read_question(game: AnyGame, data: dict[str, Plain]) -> Any:
    players = read_players(game, data.get("players"))
    asked = {name: value for name, value in data.items() if name != "game"}
    return read(game.question, asked, "the question", len(players))


def _answer(asked: Question, verdict: Verdict, tongue: Tongue) -> dict[str, Plain]:
    why = [{"text": say(reason.text, asked.players, tongue), "rule": reason.rule} for reason in verdict.why]
    right = {} if asked.claim is None else {"right": asked.claim == verdict.winner}
    return {"winner": verdict.winner, "why": why, **verdict.adds, **right}
