"""Errors are pages in words, with the way back. Bad input never costs data and never gives a 500."""

from __future__ import annotations

from typing import Any

from flask import Flask, current_app, g, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError
from werkzeug.exceptions import HTTPException, SecurityError

from companion.database import NotStored
from companion.games.base import Text
from companion.match_log import LogError
from companion.names import BadName
from companion.nights import UserError
from companion.store import Unreadable
from companion.web.i18n import _t, speak
from companion.web.refusals import not_stored

WORDS = {
    400: _t("This request does not make sense here. Go back and try again."),
    403: _t("That is not for you to do."),
    404: _t("There is no such page. Perhaps the address was mistyped, or the night is over."),
    405: _t("This page cannot be called like that."),
    411: _t("This request does not say how long it is, so nothing was done."),
    413: _t("That is too much at once."),
    414: _t("This address is too long."),
    429: _t("Too many wrong tries. Wait a minute, then try again."),
}


PLAIN = {"Content-Type": "text/plain; charset=utf-8"}  # without a trusted host there are no addresses to build a page with


def install(app: Flask) -> None:
    app.register_error_handler(HTTPException, lambda error: page(WORDS.get(error.code or 500, WORDS[400]), error.code or 500))
    app.register_error_handler(SecurityError, lambda error: (speak(_t("This machine does not answer to that name.")), 400, PLAIN))
    app.register_error_handler(
        CSRFError, lambda error: page(_t("This page is too old, so nothing was done. Load it again, then repeat."), 400)
    )
    app.register_error_handler(UserError, lambda error: page(error.text, error.status))
    app.register_error_handler(LogError, lambda error: page(error.text, 409))
    app.register_error_handler(BadName, lambda error: page(error.text, 422))
    app.register_error_handler(DataError, lambda error: page(WORDS[400], 400))  # PostgreSQL takes no NUL, also where it is only looked for
    app.register_error_handler(NotStored, lambda error: page(not_stored(error), 503))
    app.register_error_handler(Unreadable, unreadable)


def unreadable(error: Unreadable) -> Any:
    """The reason may name a secret, and nobody's rights are known yet: it is for the laptop's owner alone."""
    current_app.logger.error("unreadable log: %r", error)
    return page(_t("The log of this match cannot be read: somebody changed the file by hand, or the game is no longer installed."), 409)


def page(text: Text, status: int) -> Any:
    """The error as a whole page, or where htmx waits for it as a notice above the form, which stays as it was filled in."""
    guest = g.get("guest")
    back = f"/n/{guest.room.night.id}" if guest else "/"
    if request.headers.get("HX-Request"):
        return render_template("_notice.html", text=speak(text)), status, {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
    return render_template("error.html", text=speak(text), back=back, status=status), status
