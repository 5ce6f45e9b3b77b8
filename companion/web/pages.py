"""The home page, and what is not about a night."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files

from babel import Locale
from flask import Blueprint, Response, current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.web.access import at_the_laptop, guests_of_browser, nights

views = Blueprint("pages", __name__)

MOST_SHOWN, MOST_LISTED = 3, 5  # nights on the home page: the browser's own, and on the machine itself others
HAS_SWITCH = re.compile(r"/([jn]/[\w-]+)?", re.ASCII)  # the pages on which the language can be changed
HTMX = files("js_lib_htmx").joinpath("static", "htmx", "htmx.min.js")
HTMX_SHA256 = "491955cd1810747d7d7b9ccb936400afb760e06d25d53e4572b64b6563b2784e"


@views.get("/")
def home() -> str:
    mine = guests_of_browser()[::-1][:MOST_SHOWN]
    shown = [guest.room for guest in mine]
    others = [room for room in nights().newest(MOST_LISTED) if room not in shown] if at_the_laptop() else []
    return render_template(
        "home.html", mine=mine, others=others, paused={room.night.id: nights().paused(room.night.id) for room in shown + others}
    )


@views.post("/language")
def choose_language() -> BaseResponse:
    """From now on this browser reads that language, and goes on where it was."""
    chosen, back = request.form.get("language", ""), request.form.get("back", "")
    if chosen in current_app.config["LANGUAGES"]:
        session["language"] = chosen
        session.permanent = True
    return redirect(back if HAS_SWITCH.fullmatch(back) else url_for(".home"), 303)


@views.app_template_global()
def tongues() -> list[Locale]:
    """The languages to choose from, each of which says what it is called."""
    return [Locale.parse(each) for each in current_app.config["LANGUAGES"]]


@views.get("/static/htmx-2.0.3.min.js")
def htmx() -> Response:
    return Response(_known_htmx(), mimetype="text/javascript")


@cache
def _known_htmx() -> bytes:
    """htmx comes out of its package; another file than the known one is not served."""
    script = HTMX.read_bytes()
    assert hashlib.sha256(script).hexdigest() == HTMX_SHA256
    return script


@views.get("/tv")
def tv() -> BaseResponse:
    """The short address for a TV or tablet: this browser's newest night, or the page to join one."""
    mine = guests_of_browser()
    return redirect(url_for("nights.tv", night=mine[-1].room.night.id) if mine else url_for(".home"), 303)


@views.get("/health")
def health() -> dict[str, str]:
    """This process runs."""
    return {"status": "ok"}


@views.get("/ready")
def ready() -> tuple[dict[str, str], int]:
    """… and can serve: its database answers."""
    good = current_app.extensions["companion"].database.is_ready()
    return {"status": "ready" if good else "not ready"}, 200 if good else 503
