"""A verdict at a table, before anything is entered: the question it answers, and how it would be entered."""

from __future__ import annotations

import json
import secrets
from typing import Any

from companion.games.base import Plain, Verdict
from companion.nights import UserError
from companion.store import MatchSnapshot
from companion.web.disputes import booking_of, earlier_answer, with_names
from companion.web.guests import Guest
from companion.web.i18n import _t
from companion.web.services import nights
from companion.web.table import table_facts

MAX_QUESTION = 2_000  # characters


def verdict_facts(seated: MatchSnapshot, guest: Guest, question: dict[str, Plain], verdict: Verdict) -> dict[str, Any]:
    """A verdict at the table, how it is entered, and what was answered to the same question before."""
    facts = table_facts(seated, guest, nights().live.tick(guest.room.night.id))
    earlier = earlier_answer(guest.room, seated.position.game, with_names(guest.room, seated.match, question))
    booking, key = booking_of(seated.position, question, verdict.winner), secrets.token_urlsafe(16)
    return facts | {"verdict": verdict, "question": question, "booking": booking, "earlier": earlier, "dispute_key": key}


def question_in(text: str, seated: MatchSnapshot) -> dict[str, Plain]:
    """A question about this table: by seats, and where it does not say who led, from whoever leads now."""
    return about_table(_json_object(text[:MAX_QUESTION]), seated)


def about_table(given: dict[str, Plain], seated: MatchSnapshot) -> dict[str, Plain]:
    leader = seated.position.game.known(seated.position.state).get("leader", 0)
    return {"leader": leader, **{name: value for name, value in given.items() if name not in ("game", "players", "claim")}}


def _json_object(text: str) -> dict[str, Plain]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UserError(_t("This address is not one of ours."), 400)
    return found
