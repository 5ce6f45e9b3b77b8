"""What a form at the table is answered with: the tick it led to, or the refusal with what was typed; and the key it was sent with."""

from __future__ import annotations

from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from htmx_flask import request as htmx_request

from companion.nights import UserError
from companion.store import MatchSnapshot
from companion.web.guests import Guest
from companion.web.i18n import _t
from companion.web.render import regions
from companion.web.services import nights
from companion.web.table import TABLE, shared_by, table_facts

MAX_KEY = 64  # characters


def sent_key() -> str:
    key = request.form.get("key", "")
    if not 8 <= len(key) <= MAX_KEY or not key.isascii() or not key.isprintable():
        raise UserError(_t("This form has no key. Load the page again."), 400)
    return key


def table_page(seated: MatchSnapshot, guest: Guest, **more: Any) -> str:
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    shared = () if more else shared_by(seated, guest, tick)  # what was typed, and why it was refused, is for this answer alone
    has = tick if shared else None  # nothing of this tick need be sent again
    return render_template("table.html", parts=regions("table", TABLE, facts, shared), has=has, **facts)


def done(match: str, guest: Guest) -> Any:
    """After an entry: the tick it led to, for the regions come to this phone as to all others; without script back to the table."""
    if not htmx_request.htmx:
        return redirect(url_for("matches.table", match=match), 303)
    return make_response("", 204, {"X-Tick": str(nights().live.tick(guest.room.night.id))})


def entry_region(seated: MatchSnapshot | None, guest: Guest, status: int, **more: Any) -> Any:
    """The region in which something is entered, with what was typed kept; as a whole page without script."""
    assert seated is not None
    if not htmx_request.htmx:
        return table_page(seated, guest, **more), status
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    return make_response(regions("table", ("enter",), facts)["enter"], status, {"X-Tick": str(tick)})
