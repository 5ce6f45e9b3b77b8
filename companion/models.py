"""The tables: a night, its people, the matches they play, the log of each match, to which lines are only ever added, and house rules."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, DateTime, Dialect, ForeignKey, MetaData, TypeDecorator, UniqueConstraint
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention


def new_id() -> str:
    """128 bits that fit an address and cannot be guessed."""
    return secrets.token_urlsafe(16)


def now() -> datetime:
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A time in UTC; SQLite alone would give it back without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


def _when() -> Any:
    return Field(default_factory=now, sa_type=Moment)


class Night(SQLModel, table=True):
    """One evening: the people, the games, one code to join."""

    id: str = Field(default_factory=new_id, primary_key=True)
    name: str
    token: str = Field(default_factory=new_id, unique=True)  # in the QR code
    code: str = Field(unique=True)  # typed
    joining: bool = True
    host_id: str | None = None
    scheme: str = Field(default="beaten", sa_column_kwargs={"server_default": "beaten"})  # what a match is worth tonight
    created_at: datetime = _when()
    opened_at: datetime | None = Field(default=None, sa_type=Moment)  # by the host, after joining was closed


class Person(SQLModel, table=True):
    """Somebody at the night, with or without a phone; watchers only look."""

    __table_args__ = (UniqueConstraint("night_id", "key"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    night_id: str = Field(foreign_key="night.id", index=True)
    name: str
    key: str | None  # the name as it may occur only once; none for those who left
    who: str | None = None  # over all nights, where it is not the name that says so
    watching: bool = False
    phone: str | None = None  # the hash of what the phone keeps in its cookie
    code: str  # gives the seat back to whoever lost the phone
    joined_at: datetime = _when()
    removed_at: datetime | None = Field(default=None, sa_type=Moment)
    forgotten_at: datetime | None = Field(default=None, sa_type=Moment)  # the name is gone for good


class Same(SQLModel, table=True):
    """Two names of one person: whoever is `who` counts as `of`."""

    who: str = Field(primary_key=True)
    of: str
    at: datetime = _when()


class Claim(SQLModel, table=True):
    """A phone that asks the host for a seat."""

    id: str = Field(default_factory=new_id, primary_key=True)
    night_id: str = Field(foreign_key="night.id", index=True)
    person_id: str = Field(foreign_key="person.id")
    phone: str
    asked_at: datetime = _when()
    answered_at: datetime | None = Field(default=None, sa_type=Moment)


class Match(SQLModel, table=True):
    """One play of one game by seated people; the result is stored once, when it is over."""

    id: str = Field(default_factory=new_id, primary_key=True)
    night_id: str = Field(foreign_key="night.id", index=True)
    game: str
    seats: list[str] = Field(sa_column=Column(JSON, nullable=False))  # people in clockwise order
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    started_at: datetime = _when()
    started_by: str | None = None
    finished_at: datetime | None = Field(default=None, sa_type=Moment, index=True)
    call: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))  # "start" or "stop", called at the table
    result: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class Entry(SQLModel, table=True):
    """One line of a match's log. Triggers refuse to change or delete it."""

    __table_args__ = (UniqueConstraint("match_id", "key"), CheckConstraint("kind IN ('act', 'undo', 'amend')", name="kind"))

    match_id: str = Field(sa_column=Column(ForeignKey("match.id"), primary_key=True))
    n: int = Field(primary_key=True)
    kind: str
    data: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    of: int | None = None
    by: str | None = None
    key: str
    at: datetime = _when()


class Preset(SQLModel, table=True):
    """House rules of a game under a name, to be picked again."""

    __table_args__ = (UniqueConstraint("night_id", "game", "key"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    night_id: str = Field(foreign_key="night.id", index=True)
    game: str
    name: str
    key: str  # the name as it may occur only once
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    saved_by: str | None = None
    saved_at: datetime = _when()


class Dispute(SQLModel, table=True):
    """A question put to the table: it accepts the verdict, or answers with a house rule. It changes no score by itself."""

    __table_args__ = (UniqueConstraint("match_id", "key"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    match_id: str = Field(foreign_key="match.id", index=True)
    question: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))  # as it was typed, by seats
    facts: str = Field(index=True)  # the same for the same question, whoever asks it
    ask: str | None = None  # what the match waited for
    since: int  # lines of the log when it was raised
    raised_by: str
    raised_at: datetime = _when()
    key: str
    turn: int = 0  # rises with every house rule that is proposed: what people accept is one of them
    answer: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))  # "place" or "text"; none: the verdict
    answered_by: str | None = None
    accepted: list[str] = Field(sa_column=Column(JSON, nullable=False))  # people
    settled_at: datetime | None = Field(default=None, sa_type=Moment)
    settled_n: int | None = None  # lines of the log when it was settled
