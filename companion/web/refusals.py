"""Why something was not done, as people read it."""

from __future__ import annotations

from companion.database import DiskFull, NotStored
from companion.games.base import RuleError, Text
from companion.match_log import LogError
from companion.nights import UserError
from companion.web.i18n import _t, speak

DISK_FULL = _t("The disk of the laptop is full: this was not saved. Make room, then send it again.")
UNREACHABLE = _t("The database does not answer: this may not have been saved. Send it again; it is booked once.")


def not_stored(error: NotStored) -> Text:
    return DISK_FULL if isinstance(error, DiskFull) else UNREACHABLE


class Refusal(str):
    """What is wrong, as people read it, and the rule that says so."""

    rule = ""


def refusal(error: RuleError | UserError | LogError, names: list[str]) -> Refusal:
    said = Refusal(speak(error.text, names))
    said.rule = getattr(error, "rule", "")
    return said
