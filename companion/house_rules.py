"""House rules: options kept under a name, and disputes with what the table answered. Nothing here changes a score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, true
from sqlmodel import Session, col, select

from companion.bounded_dict import BoundedDict
from companion.database import Database
from companion.games.base import Plain, Text
from companion.live import Live
from companion.models import Dispute, Match, Night, Preset, now
from companion.names import key_of, tidy
from companion.nights import UserError

MAX_OPEN = 3  # disputes of a match at the same time
MAX_PRESETS = 30  # of a game at a night
MAX_ANSWERS = 100  # on the page of the house rules
MAX_IN_MEMORY = 300  # matches whose disputes are remembered


class HouseRules:
    def __init__(self, database: Database, live: Live) -> None:
        self.database, self.live = database, live
        self._disputes: BoundedDict[str, tuple[Dispute, ...]] = BoundedDict(MAX_IN_MEMORY)

    # ---- disputes ----------------------------------------------------------------------------------------------------

    def disputes(self, match: str) -> tuple[Dispute, ...]:
        """What was disputed in a match, oldest first."""
        found = self._disputes.get(match)
        return self._load(match) if found is None else found

    def _load(self, match: str) -> tuple[Dispute, ...]:
        with self.database.lock, self.database.read() as session:  # else a change could land between reading and remembering
            found = self._disputes[match] = tuple(session.exec(_of(match)))
        return found

    def forget(self, night: str | None) -> None:
        """Another process changed that night (None: any of them)."""
        with self.database.lock:  # not while somebody is reading it as it was
            self._disputes.clear()

    def _shared_with(self, night: Night) -> ColumnElement[bool]:
        """Which nights share their house rules with this one. On a laptop all of them do: the same friends come again, and nobody else
        can. Where a database serves strangers, every night keeps its own."""
        return col(Night.id) == night.id if self.database.is_shared else true()

    def _tell(self, match: Match) -> None:
        self._disputes.pop(match.id, None)
        self.live.tell(match.night_id)

    def put(self, match: Match, dispute: Dispute) -> None:
        """Ask the whole table; the same question is asked once, however often it is sent."""
        with self.database.write(match.night_id) as session:
            known = session.exec(_of(match.id)).all()
            if any(each.key == dispute.key or (not each.settled_at and each.question == dispute.question) for each in known):
                return
            if sum(not each.settled_at for each in known) >= MAX_OPEN:
                raise UserError(Text("{most} questions are open at this table already. Settle one of them first.", most=MAX_OPEN), 409)
            session.add(dispute)
        self._tell(match)

    def accept(self, match: Match, id: str, turn: int, by: str, needed: Iterable[str], n: int) -> None:
        """One more accepts what is proposed; with all who are needed it is settled. `n` are the lines of the log now."""
        with self.database.write(match.night_id) as session:
            dispute = _find(session, match, id)
            if dispute.settled_at and by in dispute.accepted and dispute.turn == turn:
                return  # a double tap
            _check_open(dispute, turn)
            dispute.accepted = list(dict.fromkeys((*dispute.accepted, by)))
            _settle(dispute, needed, n)
        self._tell(match)

    def answer(self, match: Match, id: str, turn: int, by: str, answer: Plain, needed: Iterable[str], n: int) -> None:
        """Propose a house rule instead: from now on this is what people accept."""
        with self.database.write(match.night_id) as session:
            dispute = _find(session, match, id)
            if (dispute.answered_by, dispute.answer, dispute.turn) == (by, answer, turn + 1):
                return  # a double tap
            _check_open(dispute, turn)
            dispute.turn, dispute.answer, dispute.answered_by, dispute.accepted = turn + 1, answer, by, [by]
            _settle(dispute, needed, n)
        self._tell(match)

    def withdraw(self, match: Match, id: str) -> None:
        with self.database.write(match.night_id) as session:
            dispute = _find(session, match, id)
            _check_open(dispute, dispute.turn)
            session.delete(dispute)
        self._tell(match)

    def earlier(self, night: Night, game: str, facts: str, but: str = "") -> Dispute | None:
        """What was answered to the same question the last time."""
        with self.database.read() as session:
            found: Dispute | None = session.exec(
                _settled(game, self._shared_with(night)).where(Dispute.facts == facts, Dispute.id != but)
            ).first()
        return found

    def answers(self, night: Night, game: str) -> list[Dispute]:
        """What was answered to each question, newest first."""
        with self.database.read() as session:
            found = session.exec(_settled(game, self._shared_with(night)).limit(MAX_ANSWERS)).all()
        return list({dispute.facts: dispute for dispute in reversed(found)}.values())[::-1]

    # ---- presets -----------------------------------------------------------------------------------------------------

    def presets(self, night: Night, game: str) -> list[Preset]:
        """The house rules with a name, newest first; of those called alike the newest."""
        with self.database.read() as session:
            found = session.exec(_presets(game, self._shared_with(night))).all()
        return list({preset.key: preset for preset in reversed(found)}.values())[::-1]

    def save(self, night: Night, game: str, name: str, options: dict[str, Any], by: str) -> Preset:
        """Keep these options; another set of the same name at this night is replaced."""
        tidied = tidy(name)
        with self.database.write(night.id) as session:
            own = session.exec(select(Preset).where(Preset.night_id == night.id, Preset.game == game)).all()
            preset = next((each for each in own if each.key == key_of(tidied)), None)
            if preset is None and len(own) >= MAX_PRESETS:
                raise UserError(Text("There are {most} sets of house rules already.", most=MAX_PRESETS), 409)
            preset = preset or Preset(night_id=night.id, game=game, name=tidied, key=key_of(tidied), options=options)
            preset.name, preset.options, preset.saved_by, preset.saved_at = tidied, options, by, now()
            session.add(preset)
        return preset

    def delete(self, night: Night, id: str) -> None:
        """Take a name off the list, also where earlier nights saved it."""
        with self.database.write(night.id) as session:
            known = session.get(Preset, id)
            alike = (
                [each for each in session.exec(_presets(known.game, self._shared_with(night))) if each.key == known.key] if known else []
            )
            if known not in alike:
                raise UserError(Text("These house rules are gone already."), 404)
            for each in alike:
                session.delete(each)


def _settle(dispute: Dispute, needed: Iterable[str], n: int) -> None:
    if set(needed) <= set(dispute.accepted):
        dispute.settled_at, dispute.settled_n = now(), n


def _find(session: Session, match: Match, id: str) -> Dispute:
    dispute = session.get(Dispute, id)
    if dispute is None or dispute.match_id != match.id:
        raise UserError(Text("That question was taken back."), 404)
    return dispute


def _check_open(dispute: Dispute, turn: int) -> None:
    if dispute.settled_at:
        raise UserError(Text("The table has settled this meanwhile."), 409)
    if dispute.turn != turn:
        raise UserError(Text("Somebody proposed something else meanwhile. Look at it, then answer again."), 409)


def _of(match: str):  # type: ignore[no-untyped-def]
    return select(Dispute).where(Dispute.match_id == match).order_by(col(Dispute.raised_at))


def _settled(game: str, shared: ColumnElement[bool]):  # type: ignore[no-untyped-def]
    found = select(Dispute).join(Match, col(Match.id) == col(Dispute.match_id)).join(Night, col(Night.id) == col(Match.night_id))
    return found.where(Match.game == game, col(Dispute.settled_at).is_not(None), shared).order_by(col(Dispute.settled_at).desc())


def _presets(game: str, shared: ColumnElement[bool]):  # type: ignore[no-untyped-def]
    found = select(Preset).join(Night, col(Night.id) == col(Preset.night_id))
    return found.where(Preset.game == game, shared).order_by(col(Preset.saved_at).desc())
