"""What a form at the table is answered with: the key it was sent with, the new regions, or the refusal with what was typed."""

from __future__ import annotations

import time
from typing import Any

from flask import abort, make_response, redirect, render_template, request, url_for
from htmx_flask import request as htmx_request

from companion.nights import UserError
from companion.store import MatchSnapshot
from companion.web.guests import Guest
from companion.web.i18n import _t
from companion.web.render import drawing, out_of_band, regions
from companion.web.services import nights, store
from companion.web.table import TABLE, at_once, shared_by, table_facts

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


def done(match: str, guest: Guest, main: str = "enter") -> Any:
    """After an entry: the new regions, the one of its form first, or back to the table."""
    if not htmx_request.htmx:
        return redirect(url_for("matches.table", match=match), 303)
    tick, seated = nights().live.tick(guest.room.night.id), store().match(match) or abort(404)
    draw = drawing("table", table_facts(seated, guest, tick), shared_by(seated, guest, tick))
    parts = draw(at_once(seated))  # what lies below comes over the stream, as to all
    time.sleep(0)  # to those who only look it is sent first: whoever entered it sees it anyway
    parts |= draw(dict.fromkeys((main, "enter", "undo")))
    return make_response(out_of_band(parts, main), 200, {"X-Tick": str(tick)})


def entry_region(seated: MatchSnapshot | None, guest: Guest, status: int, **more: Any) -> Any:
    """The region in which something is entered, with what was typed kept; as a whole page without script."""
    assert seated is not None
    if not htmx_request.htmx:
        return table_page(seated, guest, **more), status
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    return make_response(regions("table", ("enter",), facts)["enter"], status, {"X-Tick": str(tick)})
