"""The home page, and what is not about a night."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from babel import Locale
from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, session, url_for
from flask_babel import get_locale
from werkzeug.wrappers import Response as BaseResponse

from companion.models import now
from companion.web import pictures
from companion.web.assets import asset
from companion.web.guests import at_the_laptop, guests_of_browser
from companion.web.i18n import _t, speak
from companion.web.lobby import A_WHILE
from companion.web.permissions import BACK, allow
from companion.web.services import nights, services

views = Blueprint("pages", __name__)

MAX_SHOWN, MAX_LISTED = 3, 5  # nights on the home page: the browser's own, and on the machine itself others
LEADS_BACK = re.compile(r"/([jn]/[\w-]+|tv)?", re.ASCII)  # the pages on which the language can be changed, or a hint put away
PAPER = "#f4efe4"
ICONS = {"192": (192, False), "512": (512, False), "maskable": (512, True), "touch": (180, True)}  # pixels, and whether to the corners
DRAWN_ICON = {"sizes": "any", "type": "image/svg+xml", "purpose": "any"}  # where there are no PNGs


@views.get("/")
@allow("anybody")
def home() -> str:
    mine = guests_of_browser()[::-1][:MAX_SHOWN]
    shown = [guest.room for guest in mine]
    others = [room for room in nights().newest(MAX_LISTED) if room not in shown] if at_the_laptop() else []
    return render_template(
        "home.html", mine=mine, others=others, paused={room.night.id: nights().paused(room.night.id) for room in shown + others}
    )


@views.post("/language")
@allow("anybody")
def choose_language() -> BaseResponse:
    """From now on this browser reads that language, and goes on where it was."""
    chosen = request.form.get("language", "")
    if chosen in current_app.config["LANGUAGES"]:
        session["language"] = chosen
        session.permanent = True
    return _back()


def _back() -> BaseResponse:
    back = request.form.get("back", "")
    return redirect(back if LEADS_BACK.fullmatch(back) else url_for(".home"), 303)


@views.app_template_global()
def tongues() -> list[Locale]:
    """The languages to choose from, each of which says what it is called."""
    return [Locale.parse(each) for each in current_app.config["LANGUAGES"]]


# ---- what a phone can do with us where the line is safe -----------------------------------------------------------------


@views.app_template_global()
def is_secure_context() -> bool:
    """Whether the browser calls this page one: with HTTPS, and on the machine itself."""
    called = urlsplit(request.host_url).hostname
    return request.is_secure or services().url.startswith("https:") or called in ("localhost", "127.0.0.1", "::1")


@views.get("/manifest.webmanifest")
@allow("anybody")
def manifest() -> Response:
    """How the phone shows us when we are installed; the same addresses as in the browser, so that the seat stays."""
    facts = {
        "name": "Companion",
        "short_name": "Companion",
        "description": speak(_t("You play with the real cards. The Companion keeps the score, on every phone at the table.")),
        "lang": str(get_locale()),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [_described(kind, *how) for kind, how in ICONS.items() if kind != "touch"]
        if pictures.PNG
        else [DRAWN_ICON | {"src": asset("icon.svg")}],
        "shortcuts": [{"name": speak(_t("Who wins this trick?")), "url": url_for("resolver.choose")}],
    }
    return Response(json.dumps(facts, ensure_ascii=False), mimetype="application/manifest+json")


@views.app_template_global()
def has_png() -> bool:
    return pictures.PNG


def _described(kind: str, pixels: int, whole: bool) -> dict[str, str]:
    return {"src": icon_address(kind), "sizes": f"{pixels}x{pixels}", "type": "image/png", "purpose": "maskable" if whole else "any"}


@views.app_template_global()
def icon_address(kind: str) -> str:
    return url_for("pages.icon", kind=kind, v=asset("icon.svg").partition("?v=")[2])


@views.get("/static/icon-<kind>.png")
@allow("anybody")
def icon(kind: str) -> Response:
    if kind not in ICONS or not pictures.PNG:
        abort(404)
    assert current_app.static_folder is not None
    return pictures.answer(pictures.icon(Path(current_app.static_folder) / "icon.svg", *ICONS[kind]))


@views.app_template_global()
def may_sleep() -> bool:
    """Whether to tell this browser that the phone may go to sleep: where nothing can keep it awake, until it was read."""
    return not is_secure_context() and "knows_sleep" not in session


@views.post("/sleep")
@allow("anybody")
def know_sleep() -> BaseResponse:
    """That was read, and is not told again."""
    session["knows_sleep"] = True
    session.permanent = True
    return Response() if request.headers.get("HX-Request") else _back()


@views.get("/tv")
@allow("anybody", cells=BACK)
def tv() -> str | BaseResponse:
    """The short address for a TV or tablet: tonight's night of this browser, or where its code is typed."""
    last = next((guest.room.night for guest in reversed(guests_of_browser())), None)
    if last and max(last.created_at, last.opened_at or last.created_at) > now() - A_WHILE:
        return redirect(url_for("nights.tv", night=last.id), 303)
    return render_template("tv_code.html", last=last)


@views.get("/health")
@allow("anybody")
def health() -> dict[str, str]:
    """This process runs."""
    return {"status": "ok"}


@views.get("/ready")
@allow("anybody")
def ready() -> tuple[dict[str, str], int]:
    """… and can serve: its database answers."""
    good = services().database.is_ready()
    return {"status": "ready" if good else "not ready"}, 200 if good else 503
