"""The home page, and what is not about a night."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from flask import Blueprint, Response, render_template

from companion.web.access import guest_of, nights, seats_of_browser

views = Blueprint("pages", __name__)

HTMX = files("js_lib_htmx").joinpath("static", "htmx", "htmx.min.js")
HTMX_SHA256 = "491955cd1810747d7d7b9ccb936400afb760e06d25d53e4572b64b6563b2784e"


@views.get("/")
def home() -> str:
    rooms = [room for room in map(nights().room, seats_of_browser()) if room]
    mine = [guest for guest in map(guest_of, rooms) if guest]
    return render_template("home.html", mine=mine[::-1])


@views.get("/static/htmx-2.0.3.min.js")
def htmx() -> Response:
    """htmx comes out of its package; another file than the known one is not served."""
    script = HTMX.read_bytes()
    assert hashlib.sha256(script).hexdigest() == HTMX_SHA256
    response = Response(script, mimetype="text/javascript")
    response.cache_control.max_age = 31_536_000
    response.cache_control.public = True
    return response


@views.get("/health")
def health() -> dict[str, str]:
    return {"status": "ok"}
