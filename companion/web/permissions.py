"""Who may do what: it stands at every route (`@allow("table")`), and a route that says nothing is closed to everybody.

`rights.md` beside this file is made from it and says what every route answers to whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from flask import Flask, abort, current_app, g, request

from companion.nights import UserError
from companion.web.guests import Guest, Reach, guest_of, reach_of_browser
from companion.web.i18n import _t
from companion.web.services import services

# anybody · watcher (everybody who joined) · player (not the watchers) · table (seated, or the host) · host ·
# past (whoever has a seat at some night, each as far as the nights go that they were at) · laptop (the browser on the machine itself)
Who = Literal["anybody", "watcher", "player", "table", "host", "past", "laptop"]
View = TypeVar("View", bound=Callable[..., Any])
BACK = dict.fromkeys(("spectator", "player", "unseated", "host", "former host"), "back")  # a seat at this night is kept


@dataclass(frozen=True, slots=True)
class Right:
    """Who may call a route. What the view itself looks at, whose entry it is and who comes back to a seat, is told for `rights.md`."""

    who: Who
    others: Who | None = None  # who may where it is about what somebody else entered, asked or is
    cells: Mapping[str, str] = field(default_factory=dict)  # by role, what it gets instead of a plain yes or no


def allow(who: Who, *, others: Who | None = None, cells: Mapping[str, str] | None = None) -> Callable[[View], View]:
    """Open a view to these; stands right below its route."""

    def mark(view: View) -> View:
        view.right = Right(who, others, cells or {})  # type: ignore[attr-defined]
        return view

    return mark


def right_to(app: Flask, endpoint: str) -> Right | None:
    return getattr(app.view_functions[endpoint], "right", None)


def install(app: Flask) -> None:
    allow("anybody")(app.view_functions["static"])
    app.before_request(check_right)


def check_right() -> None:
    """Before every request: find the night, the match and the person it is about, and whether they may."""
    if request.endpoint is None:
        return  # there is no such page
    right = right_to(current_app, request.endpoint) or abort(403)
    if right.who in ("past", "laptop"):
        g.reach = reach_of_browser()
        _check_reach(right.who, g.reach)
    elif right.who != "anybody":
        _check(right.who, _find_place(request.view_args or {}))


def _find_place(given: dict[str, str]) -> Guest | None:
    here = services()
    if not here.database.hears:  # what is kept may be old
        here.forget(None)
    seated, night = None, given.get("night", "")
    if "match" in given:
        seated = here.store.match(given["match"], to_change=request.method == "POST") or abort(404)
        night = seated.match.night_id
    g.seated = seated
    g.guest = guest = guest_of(here.nights.room(night) or abort(404))
    return guest


def _check(who: Who, guest: Guest | None) -> None:
    if guest is None:
        raise UserError(
            _t("You are not at this night, or your seat went to another phone. Scan the QR code or type the code to come in."), 403
        )
    if who == "host" and not guest.is_host:
        raise UserError(_t("Only the host can do that."), 403)
    if who in ("player", "table") and guest.level == "watcher":
        raise UserError(_t("You are watching; only players can do that."), 403)
    if who == "table" and not guest.may_enter(g.seated.match):
        raise UserError(_t("You have no seat in this match; only those at the table can enter something."), 403)


def _check_reach(who: Who, reach: Reach) -> None:
    if who == "laptop" and not reach.laptop:
        raise UserError(_t("That can only be done on the machine itself, the one that Companion runs on."), 403)
    if not (reach.laptop or reach.guests or reach.known):
        raise UserError(
            _t("Past nights are for those who were there. Join a night first, or look on the machine that Companion runs on."), 403
        )
