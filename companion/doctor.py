"""What can be wrong with a machine before people notice: every finding in words, with what to do about it."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.addresses import machine_addresses
from companion.database import FILE, NewerSchema, address_of, current_revision, is_older
from companion.games.base import Text, many

LEAST_ROOM = 100  # megabytes
BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # no clock can be right that is behind this
SLACK = timedelta(minutes=5)
KEY_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was looked at: fine, or what is wrong and what would help."""

    about: Text
    text: Text
    is_fine: bool = True


def examine(folder: Path, database: str | None = None, port: int | None = None) -> list[Finding]:
    """Everything that can be seen from here; the port only where nothing runs on it yet."""
    stored = _postgres(database) if database else _file(folder)
    ports = [] if port is None else [_port(port)]
    return [stored, _sqlite(sqlite3.sqlite_version_info), _disk(folder), _key(folder), _addresses(), *ports, _clock(folder)]


# ---- the data --------------------------------------------------------------------------------------------------------

DATABASE = Text("Database")
NEWER = Text("The data was written by a newer version of Companion. Update the program.")


def _file(folder: Path) -> Finding:
    if not (folder / FILE).exists():
        return Finding(DATABASE, Text("Nothing is stored yet; the first start makes the file."))
    try:
        with _opened(folder) as file:
            found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
            (revision,) = file.execute("SELECT version_num FROM alembic_version").fetchone()
            (lines,) = file.execute("SELECT count(*) FROM entry").fetchone()
    except (sqlite3.Error, TypeError):
        found = "unreadable"
    if found != "ok":
        text = Text("The file is damaged. Put the newest backup in its place: companion restore {folder}", folder=str(folder / "backups"))
        return Finding(DATABASE, text, False)
    return _known(revision) or Finding(
        DATABASE, many("The file is whole; {n} line is in the log.", "The file is whole; {n} lines are in the log.", n=lines)
    )


def _known(revision: str) -> Finding | None:
    try:
        is_older(revision)
    except NewerSchema:
        return Finding(DATABASE, NEWER, False)
    return None


def _postgres(url: str) -> Finding:
    from sqlalchemy import create_engine
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), connect_args={"connect_timeout": 5})
    try:
        with engine.connect() as connection:
            older = is_older(current_revision(connection))
    except NewerSchema:
        return Finding(DATABASE, NEWER, False)
    except SQLAlchemyError:
        return Finding(
            DATABASE, Text("PostgreSQL does not answer. Does it run, and are the address, the name and the password right?"), False
        )
    finally:
        engine.dispose()
    return Finding(DATABASE, Text("PostgreSQL answers; the next start upgrades it.") if older else Text("PostgreSQL answers."))


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(address_of(folder / FILE, "ro"), uri=True)) as file:
        yield file


def _sqlite(version: tuple[int, ...]) -> Finding:
    name = ".".join(map(str, version))
    if version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45):
        return Finding(Text("SQLite"), Text("Version {version}.", version=name))
    text = Text(
        "Version {version} can lose a commit where several programs write one file. Companion alone writes here, so it cannot.",
        version=name,
    )
    return Finding(Text("SQLite"), text)


def _disk(folder: Path) -> Finding:
    room = shutil.disk_usage(folder).free // 1_000_000
    if not os.access(folder, os.W_OK):
        return Finding(
            Text("Disk"), Text("Nothing can be written into {folder}. Choose another with --instance.", folder=str(folder)), False
        )
    if room < LEAST_ROOM:
        return Finding(Text("Disk"), Text("Only {room} MB are free. Make room, or entries cannot be saved.", room=room), False)
    return Finding(Text("Disk"), Text("{room} MB are free.", room=room))


def _key(folder: Path) -> Finding:
    path = folder / "secret.key"
    if "COMPANION_KEY" in os.environ:
        return Finding(Text("Key"), Text("It comes from COMPANION_KEY."))
    if not path.exists():
        return Finding(Text("Key"), Text("There is none yet; the first start makes one."))
    if path.stat().st_size != KEY_LENGTH:
        return Finding(
            Text("Key"), Text("It is damaged. The next start makes a new one; phones then come back with their seat's code."), False
        )
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        return Finding(Text("Key"), Text("Others on this machine can read it: chmod 600 {path}", path=str(path)), False)
    return Finding(Text("Key"), Text("It is there, and only its owner can read it."))


# ---- the machine -----------------------------------------------------------------------------------------------------


def _addresses() -> Finding:
    real = [address for address in machine_addresses() if not address.virtual]
    if not real:
        text = Text("No network is there that phones could share. Connect this machine to the Wi-Fi, or to a phone's hotspot.")
        return Finding(Text("Network"), text, False)
    return Finding(Text("Network"), Text("Phones find this machine at {addresses}.", addresses=tuple(address.ip for address in real)))


def _port(port: int) -> Finding:
    with closing(socket.socket()) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            text = Text("Port {port} is taken: Companion runs already, or another program is there. Choose another with --port.", port=port)
            return Finding(Text("Port"), text, False)
    return Finding(Text("Port"), Text("Port {port} is free.", port=port))


def _clock(folder: Path) -> Finding:
    now = datetime.now().astimezone()  # as the clock on the wall shows it
    if max(BUILT, _newest(folder) - SLACK) > now:
        text = Text(
            "The clock says {now}, but newer things are stored. Set it right: pages take what is newer for the truth.",
            now=f"{now:%Y-%m-%d %H:%M %Z}",
        )
        return Finding(Text("Clock"), text, False)
    return Finding(Text("Clock"), Text("It says {now}.", now=f"{now:%Y-%m-%d %H:%M %Z}"))


def _newest(folder: Path) -> datetime:
    """When the last entry was made."""
    try:
        with _opened(folder) as file:
            found: Any = file.execute("SELECT max(at) FROM entry").fetchone()[0]
        return datetime.fromisoformat(found).replace(tzinfo=UTC)
    except (sqlite3.Error, TypeError, ValueError):
        return BUILT
