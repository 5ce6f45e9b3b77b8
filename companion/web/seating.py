"""Sitting down to a match: choose a game, the seats, the house rules, who begins."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import Field as Option
from dataclasses import fields
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for

from companion.games import GAMES, AnyGame, read_options, read_players
from companion.games.base import SKIP, Plain, RuleError
from companion.models import Match, Preset
from companion.names import BadName
from companion.nights import NightSnapshot, UserError
from companion.web.i18n import speak
from companion.web.numbers import whole
from companion.web.permissions import allow
from companion.web.refusals import refusal
from companion.web.services import house_rules, nights, store

views = Blueprint("seating", __name__)


@views.get("/n/<night>/new")
@allow("player")
def choose(night: str) -> str:
    return render_template("choose.html", guest=g.guest, room=g.guest.room, again=request.args.get("again"), tick=0)


@views.get("/n/<night>/new/<game>")
@allow("player")
def prepare(night: str, game: str) -> str:
    """Again, or the next game with the same people: they sit where they sat."""
    played, again, room = _game(game), request.args.get("again"), g.guest.room
    last = _last_match(again, room)
    seats = _still_here(last, room) if last else []
    if not again and len(seats) not in played.players:
        seats = []
    options = _options_again(last, seats) if last and again and last.game == game else {}
    preset = _preset(game, request.args.get("preset", ""))
    chosen = [id for id in request.args.getlist("seat") if id in room.everybody]
    return _prepare_page(played, chosen or seats, {**options, **(preset.options if preset else {})}, None)


def _preset(game: str, id: str) -> Preset | None:
    return next((each for each in house_rules().presets(g.guest.room.night, game) if each.id == id), None) if id else None


@views.post("/n/<night>/new/<game>/rules")
@allow("player")
def save(night: str, game: str) -> Any:
    """Keep the house rules chosen here under a name, for this night and the next ones."""
    played, room = _game(game), g.guest.room
    seats = _chosen_seats(room)
    try:
        options = {name: value for name, value in _chosen_options(played, seats).items() if name in _rules_of(played)}
        read_options(played, options, played.players[0])
        preset = house_rules().save(room.night, game, request.form.get("rules_name", ""), options, g.guest.person.id)
    except (RuleError, UserError, BadName) as error:
        return _prepare_page(played, seats, request.form.to_dict(), speak(error.text)), 422
    return redirect(url_for(".prepare", night=night, game=game, preset=preset.id, seat=seats), 303)


def _rules_of(game: AnyGame) -> set[str]:
    """The options that are about the rules; the others are about this very match: who begins, what lies where."""
    return {each.name for each in fields(game.options) if kind_of(each) in ("choice", "number")}


@views.post("/n/<night>/new/<game>")
@allow("player")
def start(night: str, game: str) -> Any:
    played, room = _game(game), g.guest.room
    seats = _chosen_seats(room)
    try:
        read_players(played, room.names(seats))
        options = _chosen_options(played, seats)
        played.setup(len(seats), read_options(played, options, len(seats)))
    except (RuleError, UserError) as error:
        return _prepare_page(played, seats, request.form.to_dict(), refusal(error, room.names(seats))), 422
    match = store().start(Match(night_id=night, game=game, seats=seats, options=options, started_by=g.guest.person.id))
    return redirect(url_for("matches.table", match=match.id), 303)


def _game(id: str) -> AnyGame:
    return GAMES.get(id) or abort(404)


def _prepare_page(game: AnyGame, seats: list[str], options: Mapping[str, Any], error: str | None) -> str:
    shown = [each for each in fields(game.options) if kind_of(each) not in ("list", "other")]
    facts = {"game": game, "seats": seats, "shown": shown, "given": options, "error": error, "kind_of": kind_of}
    facts |= {"presets": house_rules().presets(g.guest.room.night, game.id), "savable": _rules_of(game)}
    return render_template("prepare.html", guest=g.guest, room=g.guest.room, tick=0, **facts)


def _last_match(again: str | None, room: NightSnapshot) -> Match | None:
    """The match to play again, else the night's newest."""
    played = nights().matches(room.night.id)
    return next((match for match in reversed(played) if again in (None, match.id)), None)


def _still_here(last: Match, room: NightSnapshot) -> list[str]:
    here = {person.id for person in room.people}
    return [seat for seat in last.seats if seat in here]


def _options_again(last: Match, seats: list[str]) -> dict[str, Any]:
    """The same house rules as the form knows them; the next one starts."""
    options = dict(last.options)
    for each in fields(GAMES[last.game].options):
        if kind_of(each) == "seat" and seats:
            options[each.name] = _next_seat(last.seats, options.get(each.name, each.default), seats)
        if kind_of(each) == "each":
            options |= {f"{each.name}.{seat}": value for seat, value in zip(last.seats, options.pop(each.name, ()), strict=False)}
    return options


def _next_seat(sat: list[str], starter: int, here: list[str]) -> str:
    """Clockwise from whoever started, the first one who is still here."""
    return next(seat for seat in sat[starter + 1 :] + sat[: starter + 1] if seat in here)


def _chosen_seats(room: NightSnapshot) -> list[str]:
    """The people in the order they were tapped, else as they stand in the form."""
    order = [id for id in request.form.get("order", "").split(",") if id]
    chosen = list(dict.fromkeys(request.form.getlist("seat")))
    known = {person.id for person in room.players}
    return [id for id in sorted(chosen, key=lambda id: order.index(id) if id in order else len(order)) if id in known]


def kind_of(option: Option[Any]) -> str:
    """How a house rule is chosen."""
    if option.metadata.get("kind"):
        return str(option.metadata["kind"])
    if option.metadata["choices"]:
        return "choice"
    return "number" if type(option.default) is int else "other"


def _chosen_options(game: AnyGame, seats: list[str]) -> dict[str, Plain]:
    chosen = {each.name: _chosen(each, _typed(each, seats), seats) for each in fields(game.options)}
    return {name: value for name, value in chosen.items() if value is not SKIP}


def _typed(option: Option[Any], seats: list[str]) -> str:
    """What stands in the form; where every seat chooses, seat by seat with commas."""
    if kind_of(option) != "each":
        return request.form.get(option.name, "")
    return ",".join(request.form.get(f"{option.name}.{seat}", "") for seat in seats)


def _chosen(option: Option[Any], typed: str, seats: list[str]) -> Any:
    match kind_of(option):
        case "seat" if typed == "pick":
            return secrets.randbelow(len(seats))
        case "seat":
            return seats.index(typed) if typed in seats else SKIP
        case "choice":
            return next((value for value in option.metadata["choices"] if str(value) == typed), SKIP)
        case "number" if typed:
            return whole(typed)
        case "list" if typed:
            return typed.split(",")
        case "each" if typed.strip(","):
            return typed.split(",")
        case "text":
            return typed
        case "lines" if typed.strip():
            return [line for line in typed.splitlines() if line.strip()]
        case _:
            return SKIP
