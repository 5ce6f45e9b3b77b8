"""Nights and their people: starting, joining, seats lost and found, the host. Everything here is one short transaction."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from companion.bounded_dict import BoundedDict
from companion.database import Database
from companion.games.base import Text, Value
from companion.live import Live
from companion.models import Claim, Entry, Match, Night, Person, now
from companion.names import key_of, new_code, tidy, tidy_code
from companion.standings import SCHEMES, Played

MAX_PEOPLE = 30
MAX_IN_MEMORY = 1_000  # nights; the others are read again when somebody asks
TABLE_NAMES = ("Table", "Laptop", "Companion")  # what a machine goes by that only hosts
HOST_AWAY = 60.0  # seconds after which a player may take over


def called(person: Person) -> Value:
    """A machine that only hosts goes by a word, which everybody reads in their own language."""
    return Text("Table") if person.watching and person.name == TABLE_NAMES[0] else person.name


class UserError(Exception):
    """Something that cannot be done here, in words."""

    def __init__(self, text: Text, status: int = 422) -> None:
        super().__init__(text.key)
        self.text, self.status = text, status


class NameTaken(UserError):
    """Somebody is called that already."""


@dataclass(frozen=True, slots=True)
class Membership:
    """Who somebody is at a night, and the secret that the phone keeps."""

    person: Person
    secret: str


@dataclass(frozen=True, slots=True)
class NightSnapshot:
    """A night with everybody who is or was there: kept in memory, made anew when somebody comes or goes."""

    night: Night
    everybody: dict[str, Person]

    @property
    def people(self) -> list[Person]:
        return [person for person in self.everybody.values() if person.removed_at is None]

    @property
    def players(self) -> list[Person]:
        return [person for person in self.people if not person.watching]

    def names(self, seats: Sequence[str]) -> list[str]:
        return [self.everybody[seat].name for seat in seats]


class Nights:
    def __init__(self, database: Database, live: Live) -> None:
        self.database, self.live = database, live
        self._rooms: BoundedDict[str, NightSnapshot] = BoundedDict(MAX_IN_MEMORY)
        self._reopened: BoundedDict[str, float] = BoundedDict(MAX_IN_MEMORY)  # that go on, since when; the next start forgets it

    # ---- looking -----------------------------------------------------------------------------------------------------

    def room(self, id: str) -> NightSnapshot | None:
        return self._rooms.get(id) or self._load(id)

    def _load(self, id: str) -> NightSnapshot | None:
        with self.database.lock, self.database.read() as session:
            night = session.get(Night, id)
            if night is None:
                return None
            people = session.exec(select(Person).where(Person.night_id == id).order_by(col(Person.joined_at)))
            room = self._rooms[id] = NightSnapshot(night, {person.id: person for person in people})
        return room

    def _tell(self, night: str) -> None:
        """Others see it from now on."""
        self._rooms.pop(night, None)
        self.live.tell(night)

    def reread(self, night: str) -> None:
        """Somebody else has written about its people."""
        self._tell(night)

    def forget(self, night: str | None) -> None:
        """Another process changed that night (None: any of them)."""
        with self.database.lock:  # not while somebody is reading it as it was
            for id in [night] if night else list(self._rooms):
                self._rooms.pop(id, None)

    def by_token(self, token: str) -> Night | None:
        with self.database.read() as session:
            return session.exec(select(Night).where(Night.token == token)).first()

    def by_code(self, typed: str) -> Night | None:
        """The night of a typed code, while joining is open."""
        with self.database.read() as session:
            night = session.exec(select(Night).where(Night.code == tidy_code(typed))).first()
        return night if night and night.joining else None

    def person(self, room: NightSnapshot, id: str, secret: str) -> Person | None:
        """The person behind a phone's cookie; None when the seat went to another phone or was taken away."""
        person = room.everybody.get(id)
        if person is None or person.removed_at or not person.phone:
            return None
        return person if compare_digest(person.phone, hashed(secret)) else None

    def matches(self, night: str) -> list[Match]:
        with self.database.read() as session:
            return list(session.exec(select(Match).where(Match.night_id == night).order_by(col(Match.started_at))))

    def newest(self, most: int) -> list[NightSnapshot]:
        """The last nights of this machine, the newest first."""
        with self.database.read() as session:
            ids = session.exec(select(Night.id).order_by(col(Night.created_at).desc()).limit(most)).all()
        return [room for room in map(self.room, ids) if room]

    def paused(self, night: str) -> list[Match]:
        """What is not played to its end."""
        open = select(Match).where(Match.night_id == night, col(Match.finished_at).is_(None)).order_by(col(Match.started_at))
        with self.database.read() as session:
            return list(session.exec(open))

    def at_play(self, night: str) -> Match | None:
        """The match that the table is busy with: the one in which something happened last."""
        played = self.matches(night)
        likely = [match for match in played if not match.result or match is played[-1]]
        with self.database.read() as session:
            return max(likely, key=lambda match: _last_moment(session, match), default=None)

    def claims(self, night: str) -> list[Claim]:
        """Phones that wait for the host's word."""
        with self.database.read() as session:
            return list(session.exec(_open_claims(night)))

    # ---- coming ------------------------------------------------------------------------------------------------------

    def start(self, name: str, host: str) -> tuple[Night, Membership]:
        """A night with its first person; without a name this device only hosts."""
        title = tidy(name) if name.strip() else "Game night"
        night = Night(name=title, code=new_code())
        person, secret = _new_person(night.id, host if host.strip() else TABLE_NAMES[0], phone=True, watching=not host.strip())
        night.host_id = person.id
        with self.database.write() as session:
            session.add(night)
            session.flush()
            session.add(person)
        return night, Membership(person, secret)

    def join(self, night: Night, name: str, watching: bool = False) -> Membership:
        person, secret = _new_person(night.id, name, phone=True, watching=watching)
        self._add(night, person)
        return Membership(person, secret)

    def join_tv(self, night: Night, n: int = 1) -> Membership:
        """A screen that only watches and that nobody has to name: TV, or the next free one of TV 2, TV 3 …"""
        try:
            return self.join(night, "TV" if n == 1 else f"TV {n}", watching=True)
        except NameTaken:  # ends when the night is full, if not before
            return self.join_tv(night, n + 1)

    def add(self, night: Night, name: str) -> Person:
        """Somebody without a phone."""
        person, _ = _new_person(night.id, name, phone=False)
        self._add(night, person)
        return person

    def _add(self, night: Night, person: Person) -> None:
        try:
            with self.database.write(night.id) as session:
                fresh = session.get_one(Night, night.id)
                if not fresh.joining:
                    raise UserError(Text("Joining is closed for this night. Ask the host to open it."), 403)
                if len(session.exec(_present(night.id)).all()) >= MAX_PEOPLE:
                    raise UserError(Text("This night is full: {most} people.", most=MAX_PEOPLE), 409)
                session.add(person)
        except IntegrityError:
            text = Text(
                "Somebody called {name}, or much like it, is here already. Is that you? Then take your seat back below.", name=person.name
            )
            raise NameTaken(text, 409) from None
        self._tell(night.id)

    # ---- seats lost and found ----------------------------------------------------------------------------------------

    def is_free(self, person: Person) -> bool:
        """Whether a phone may just take this seat: it has none, or the night goes on and the phone it had has not come back."""
        if not person.phone or not self.goes_on(person.night_id):
            return not person.phone
        return self.live.away(person.night_id, person.id) > time.time() - self._reopened[person.night_id]

    def goes_on(self, night: str) -> bool:
        """Whether this is a past night that was opened again."""
        return night in self._reopened

    def take_seat(self, night: Night, id: str) -> Membership:
        """A phone for somebody who has none yet."""
        secret = new_secret()
        with self.database.write(night.id) as session:
            person = _somebody(session, night.id, id)
            if not self.is_free(person):
                raise UserError(Text("{name} has a phone already. Use the seat's code, or ask the host.", name=person.name), 409)
            person.phone = hashed(secret)
            self.live.saw(person.id)
        self._tell(night.id)
        return Membership(person, secret)

    def return_with_code(self, night: Night, id: str, typed: str) -> Membership:
        """The seat's own code brings it back on another phone; the old one loses it."""
        secret = new_secret()
        with self.database.write(night.id) as session:
            person = _somebody(session, night.id, id)
            if not compare_digest(person.code, tidy_code(typed)):
                raise UserError(
                    Text("That is not the code of this seat. It stands on the lost phone's night page; the host can help, too."), 404
                )
            person.phone = hashed(secret)
        self._tell(night.id)
        return Membership(person, secret)

    def ask_for_seat(self, night: Night, id: str) -> Membership:
        """Wait for the host's word; the phone has the seat as soon as it is given."""
        secret = new_secret()
        with self.database.write(night.id) as session:
            person = _somebody(session, night.id, id)
            waiting = session.exec(_open_claims(night.id)).all()
            if len(waiting) >= MAX_PEOPLE:
                raise UserError(Text("Too many phones are waiting for the host."), 429)
            session.add(Claim(night_id=night.id, person_id=person.id, phone=hashed(secret)))
        self._tell(night.id)
        return Membership(person, secret)

    def answer_claim(self, night: Night, id: str, yes: bool) -> None:
        with self.database.write(night.id) as session:
            claim = session.get(Claim, id)
            if claim is None or claim.night_id != night.id or claim.answered_at:
                raise UserError(Text("That phone is no longer waiting."), 409)
            claim.answered_at = now()
            if yes:
                _somebody(session, night.id, claim.person_id).phone = claim.phone
        self._tell(night.id)

    # ---- the host ----------------------------------------------------------------------------------------------------

    def lock(self, night: Night, joining: bool) -> None:
        with self.database.write(night.id) as session:
            _let_in(session.get_one(Night, night.id), joining)
        if not joining:  # everybody has come back who was expected
            self._reopened.pop(night.id, None)
        self._tell(night.id)

    def choose_scheme(self, night: Night, scheme: str) -> None:
        """What a match is worth tonight, also those that were played already."""
        if scheme not in SCHEMES:
            raise UserError(Text("There is no such way to count."))
        with self.database.write(night.id) as session:
            session.get_one(Night, night.id).scheme = scheme
        self._tell(night.id)

    def remove(self, night: Night, id: str) -> None:
        """Somebody leaves for good: the phone loses its seat, the name is free again, the scores stay."""
        with self.database.write(night.id) as session:
            person = _somebody(session, night.id, id)
            if person.id == session.get_one(Night, night.id).host_id:
                raise UserError(Text("The host cannot be removed; hand over first."), 409)
            person.removed_at, person.key, person.phone = now(), None, None
            for claim in session.exec(_open_claims(night.id).where(Claim.person_id == id)):
                claim.answered_at = now()
        self._tell(night.id)

    def reopen(self, night: Night, guest: Person | None) -> Membership | None:
        """Go on with a past night: joining is open, whoever sits at this machine hosts, and seats whose phones do not come back by
        themselves can be taken again. Gives the seat of the machine itself where it has none yet."""
        secret = new_secret()
        with self.database.write(night.id) as session:
            fresh = session.get_one(Night, night.id)
            host = _somebody(session, night.id, guest.id) if guest else _table(session, night.id, secret)
            _let_in(fresh, True)
            fresh.host_id = host.id
        self._reopened[night.id] = time.time()
        self.live.saw(host.id)
        self._tell(night.id)
        return None if guest else Membership(host, secret)

    def hand_over(self, night: Night, id: str) -> None:
        with self.database.write(night.id) as session:
            person = _somebody(session, night.id, id)
            if not person.phone:
                raise UserError(Text("{name} has no phone to host with.", name=person.name), 409)
            session.get_one(Night, night.id).host_id = person.id
        self._tell(night.id)

    def host_is_away(self, night: Night) -> bool:
        return night.host_id is None or self.live.away(night.id, night.host_id) > HOST_AWAY

    def take_over(self, night: Night, person: Person) -> None:
        with self.database.write(night.id) as session:
            fresh = session.get_one(Night, night.id)
            if not self.host_is_away(fresh):
                raise UserError(Text("The host is here; ask for a hand-over."), 409)
            fresh.host_id = _somebody(session, night.id, person.id).id
        self._tell(night.id)


# ---- helpers ---------------------------------------------------------------------------------------------------------


def played(matches: Iterable[Match]) -> list[Played]:
    """The finished ones, as the night counts them."""
    return [_played(match, match.result) for match in matches if match.result]


def _played(match: Match, result: dict[str, Any]) -> Played:
    return Played(match.id, match.game, tuple(match.seats), tuple(result["ranks"]), frozenset(result["winners"]), minutes_of(match))


def minutes_of(match: Match) -> int:
    """How long a finished match took."""
    time = (match.finished_at or match.started_at) - match.started_at
    return max(1, round(time.total_seconds() / 60))


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Only the hash is stored: the file alone opens no seat."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _let_in(night: Night, joining: bool) -> None:
    night.joining = joining
    night.opened_at = now() if joining else night.opened_at


def _new_person(night: str, name: str, phone: bool, watching: bool = False) -> tuple[Person, str]:
    tidied, secret = tidy(name), new_secret()
    person = Person(
        night_id=night, name=tidied, key=key_of(tidied), code=new_code(), watching=watching, phone=hashed(secret) if phone else None
    )
    return person, secret


def _last_moment(session: Session, match: Match) -> datetime:
    newest = select(Entry.at).where(Entry.match_id == match.id).order_by(col(Entry.n).desc()).limit(1)
    try:
        return session.exec(newest).first() or match.started_at
    except (TypeError, ValueError):  # no time at all: somebody changed the file by hand
        return match.started_at


def _table(session: Session, night: str, secret: str) -> Person:
    """The machine itself as somebody who only hosts: as before, else new, under a name that nobody plays by."""
    by_key = {person.key: person for person in session.exec(_present(night))}
    for name in TABLE_NAMES:
        person = by_key.get(key_of(name))
        if person is None:
            person, _ = _new_person(night, name, phone=False, watching=True)
            session.add(person)
            session.flush()
        if person.watching:
            person.phone = hashed(secret)
            return person
    raise UserError(Text("There is no name left for this machine. Start a new night."), 409)


def _present(night: str):  # type: ignore[no-untyped-def]
    return select(Person).where(Person.night_id == night, col(Person.removed_at).is_(None)).order_by(col(Person.joined_at))


def _open_claims(night: str):  # type: ignore[no-untyped-def]
    return select(Claim).where(Claim.night_id == night, col(Claim.answered_at).is_(None)).order_by(col(Claim.asked_at))


def _somebody(session: Session, night: str, id: str) -> Person:
    person = session.get(Person, id)
    if person is None or person.night_id != night or person.removed_at:
        raise UserError(Text("There is nobody like that at this night."), 404)
    return person
