"""Take it with you: records and tables to keep, a play for BG Stats, and a record back in."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as BaseResponse

from companion.exports import WORDS, as_csv, as_json, bg_stats_link, match_table, night_table, play_of, record_of
from companion.games import FORMAT, GAMES, AnyGame, Stopped, read_options, read_players, title_of
from companion.games.base import Plain, RuleError, Text
from companion.models import Match
from companion.names import BadName, key_of, tidy
from companion.nights import NightSnapshot, UserError
from companion.store import MatchSnapshot, played_before
from companion.web.guests import Guest
from companion.web.i18n import _t, speak
from companion.web.permissions import allow
from companion.web.qr import qr
from companion.web.recap import course_of, length, result_facts
from companion.web.services import nights, services, store

views = Blueprint("exports", __name__)


# ---- a match ---------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/export")
@allow("watcher")
def match(match: str) -> str:
    seated: MatchSnapshot = g.seated
    short = f"{services().url}{url_for('.bg_stats_short', sealed=_seal().dumps(match))}"
    facts = result_facts(g.guest.room, seated)
    return render_template("export.html", **(facts | {"guest": g.guest, "short": short, "qr": qr(short) if seated.position.over else None}))


@views.get("/m/<match>/record.json")
@allow("watcher")
def record(match: str) -> Response:
    seated: MatchSnapshot = g.seated
    return _file(as_json(record_of(seated, _names(seated))), "application/json", f"{seated.match.game}.json")


@views.get("/m/<match>/table.csv")
@allow("watcher")
def match_csv(match: str) -> Response:
    seated: MatchSnapshot = g.seated
    names = _names(seated)
    rows = match_table(seated, names, lambda text: speak(text, names), _words())
    return _file(as_csv(rows), "text/csv", f"{seated.match.game}.csv")


@views.get("/m/<match>/bg-stats")
@allow("watcher")
def bg_stats(match: str) -> BaseResponse:
    return _to_bg_stats(g.guest.room, g.seated)


@views.get("/bg-stats/<sealed>")
@allow("anybody")
def bg_stats_short(sealed: str) -> BaseResponse:
    """The short address in the QR code: the phone that scans it need not be at the night, but only we can have made it."""
    try:
        seated = store().match(_seal().loads(sealed)) or abort(404)
    except BadSignature:
        abort(404)
    return _to_bg_stats(nights().room(seated.match.night_id) or abort(404), seated)


def _seal() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt="bg-stats")


def _to_bg_stats(room: NightSnapshot, seated: MatchSnapshot) -> BaseResponse:
    if not seated.position.over:
        raise UserError(_t("The match is not over yet; BG Stats takes finished plays."), 409)
    said = length(course_of(seated), seated.match)
    play = play_of(seated, room.names(seated.match.seats), _title(seated.match), room.night.name, speak(said) if said else "", speak)
    return redirect(bg_stats_link(play), 303)


def _names(seated: MatchSnapshot) -> list[str]:
    room: NightSnapshot = g.guest.room
    return room.names(seated.match.seats)


def _title(match: Match) -> str:
    return speak(title_of(match.game, match.options, len(match.seats)))


def _words() -> dict[str, str]:
    return {key: speak(text) for key, text in WORDS.items()}


def _file(content: str, kind: str, name: str) -> Response:
    return Response(content, content_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'})


# ---- a night ---------------------------------------------------------------------------------------------------------


@views.get("/n/<night>/export")
@allow("watcher")
def night(night: str) -> str:
    return _night_page("", None)


def _night_page(typed: str, error: str | None) -> str:
    return render_template("export_night.html", guest=g.guest, room=g.guest.room, tick=0, typed=typed, error=error)


@views.get("/n/<night>/table.csv")
@allow("watcher")
def night_csv(night: str) -> Response:
    room: NightSnapshot = g.guest.room
    played = [(match, _title(match), room.names(match.seats)) for match in nights().matches(night)]
    return _file(as_csv(night_table(played, _words())), "text/csv", "night.csv")


# ---- and back in -----------------------------------------------------------------------------------------------------


@views.post("/n/<night>/export")
@allow("player")
def bring(night: str) -> Any:
    """A record as a file or pasted; whoever is not at this night yet is added by name."""
    sent = request.files.get("file")
    typed = request.form.get("record", "") or (sent.read().decode("utf-8-sig", "replace") if sent else "")
    try:
        game, record = _read(typed)
        match = _brought(game, record, g.guest)
    except (UserError, BadName) as error:
        return _night_page(typed, speak(error.text)), 422
    return redirect(url_for("matches.table", match=match.id), 303)


def _read(typed: str) -> tuple[AnyGame, dict[str, Plain]]:
    try:
        record = json.loads(typed)
    except (ValueError, RecursionError):
        raise UserError(_t("This is no record: a record is a text that begins with a curly bracket, as the Companion saves it.")) from None
    if not isinstance(record, dict) or not isinstance(record.get("actions"), list):
        raise UserError(_t("This is no record: it has no list of actions."))
    if record.get("format") != FORMAT:
        raise UserError(_other_format(record.get("format")))
    if not isinstance(record.get("game"), str) or record["game"] not in GAMES:
        raise UserError(_t("This record is of a game that is not installed here."))
    return GAMES[record["game"]], record


def _other_format(found: Plain) -> Text:
    if isinstance(found, str) and found.startswith(FORMAT.rpartition("/")[0] + "/"):
        return _t("This record is of the format {found}; this version reads {known}. Update the Companion.", found=found[:40], known=FORMAT)
    return _t("This is no record: its format is not {known}.", known=FORMAT)


def _brought(game: AnyGame, record: dict[str, Plain], guest: Guest) -> Match:
    """Everything is checked before anything is stored."""
    names: list[str] = []
    try:
        names = [tidy(name) for name in read_players(game, record.get("players"))]
        _check_names(names)
        options = record.get("options", {})
        read_options(game, options, len(names))
        match = Match(night_id=guest.room.night.id, game=game.id, seats=names, options=options, started_by=guest.person.id)
        position = played_before(match, record["actions"], guest.person.id)
    except RuleError as error:
        raise UserError(_t("This record does not begin right: {reason}", reason=speak(error.text, names))) from None
    except Stopped as stopped:
        reason = speak(stopped.error.text, names)
        raise UserError(_t("Action {n} of this record is against the rules: {reason}", n=stopped.action + 1, reason=reason)) from None
    match.seats = _seats(guest.room, names)
    return store().bring(match, position)


def _check_names(names: list[str]) -> None:
    if len({key_of(name) for name in names}) < len(names):
        raise UserError(_t("Two players of this record have the same name, or much the same. Change one of them in the record."))


def _seats(room: NightSnapshot, names: list[str]) -> list[str]:
    """Who those people are tonight, by their names."""
    here = {person.key: person.id for person in room.people}
    return [here.get(key_of(name)) or nights().add(room.night, name).id for name in names]
