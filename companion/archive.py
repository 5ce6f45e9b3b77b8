"""Keeping and bringing back everything: backups while people play, restoring one, and every match as a file of its own."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from sqlmodel import col, select

from companion.database import FILE, Database, NewerSchema, address_of, copy_file
from companion.exports import WORDS, as_csv, as_json, match_table, night_table, record_of
from companion.games import title_of
from companion.games.base import Text, say
from companion.i18n import InWords, told, tongue
from companion.live import Live
from companion.models import Match, Night, now
from companion.nights import Nights, NightSnapshot
from companion.store import Store, Unreadable


class CannotDo(InWords):
    """… with the data."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """A file has one writer."""
    try:
        with FileLock(folder / "running.lock", timeout=0):
            yield
    except Timeout:
        raise CannotDo(
            Text(
                "Companion is running already with the data in {folder}. Use that one, or another folder with --instance.",
                folder=str(folder),
            )
        ) from None


def backup(folder: Path, to: Path | None) -> Path:
    """A copy of the file that is whole, also while others write."""
    _check_there(folder)
    target = to or folder / "backups" / f"companion-{now():%Y%m%d-%H%M%S}.sqlite3"
    if target.exists():
        raise CannotDo(Text("{file} is there already; nothing was changed. Choose another name.", file=str(target)))
    return copy_file(folder / FILE, target)


def restore(folder: Path, file: Path) -> Path | None:
    """Put a backup in the place of the data; what was there is kept as a backup, whose path is given."""
    _check_backup(file)
    with alone(folder):
        kept = backup(folder, folder / "backups" / f"before-restore-{now():%Y%m%d-%H%M%S-%f}.sqlite3") if (folder / FILE).exists() else None
        fresh = folder / (FILE + ".new")
        fresh.unlink(missing_ok=True)
        copy_file(file, fresh)
        _check_schema(fresh, file)
        _settle(folder / FILE)
        fresh.replace(folder / FILE)
    return kept


def _settle(file: Path) -> None:
    """Bring what lies beside the file into it: whoever stops us now finds it whole, and nothing is left that could go into another one."""
    if file.exists():
        with closing(sqlite3.connect(address_of(file, "rw"), uri=True)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for end in ("-wal", "-shm"):
        file.with_name(FILE + end).unlink(missing_ok=True)


def _check_there(folder: Path) -> None:
    if not (folder / FILE).exists():
        raise CannotDo(Text("There is no data in {folder} yet.", folder=str(folder)))


def _check_backup(file: Path) -> None:
    if not file.is_file():
        raise CannotDo(Text("There is no file {file}.", file=str(file)))
    try:
        with closing(sqlite3.connect(address_of(file, "ro"), uri=True)) as connection:
            sound = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            sound = sound and bool(connection.execute("SELECT count(*) FROM entry").fetchall())
    except sqlite3.Error:
        sound = False
    if not sound:
        raise CannotDo(Text("{file} is no backup of the Companion, or it is damaged. Nothing was changed.", file=str(file)))


def _check_schema(fresh: Path, file: Path) -> None:
    """A copy of an older version is brought to this one's tables right away."""
    with tempfile.TemporaryDirectory(dir=fresh.parent) as beside:
        shutil.move(fresh, Path(beside) / FILE)
        try:
            Database(Path(beside)).close()
        except NewerSchema:
            text = Text("{file} was written by a newer version of Companion. Update the program; nothing was changed.", file=str(file))
            raise CannotDo(text) from None
        shutil.move(Path(beside) / FILE, fresh)


# ---- every match as a file -------------------------------------------------------------------------------------------


def export(folder: Path, to: Path) -> int:
    """A folder a night, with its table and the record and table of every match; gives how many matches."""
    _check_there(folder)
    with tempfile.TemporaryDirectory() as aside:  # from a copy: the file has one writer, and that is not us
        copy_file(folder / FILE, Path(aside) / FILE)
        database = Database(Path(aside))
        try:
            return _export(Nights(database, Live()), Store(database, Live()), to)
        finally:
            database.close()


def _export(nights: Nights, store: Store, to: Path) -> int:
    with nights.database.read() as session:
        ids = session.exec(select(Night.id).order_by(col(Night.created_at))).all()
    rooms = [room for room in map(nights.room, ids) if room]
    return sum(_export_night(room, nights.matches(room.night.id), store, to) for room in rooms)


def _export_night(room: NightSnapshot, matches: list[Match], store: Store, to: Path) -> int:
    place = to / f"{room.night.created_at:%Y-%m-%d-%H%M} {_plain(room.night.name)}"
    words = {key: told(text) for key, text in WORDS.items()}
    if matches:
        named = [(match, _title(match), room.names(match.seats)) for match in matches]
        _write(place / "night.csv", as_csv(night_table(named, words)))
    return sum(_export_match(place / f"{n:02} {match.game}", match, room, store, words) for n, match in enumerate(matches, 1))


def _title(match: Match) -> str:
    return told(title_of(match.game, match.options, len(match.seats)))


def _export_match(path: Path, match: Match, room: NightSnapshot, store: Store, words: dict[str, str]) -> int:
    names = room.names(match.seats)
    try:
        seated = store.match(match.id)
    except Unreadable:
        return 0
    assert seated is not None
    _write(path.with_name(path.name + ".json"), as_json(record_of(seated, names)))
    _write(path.with_name(path.name + ".csv"), as_csv(match_table(seated, names, lambda text: say(text, names, tongue()), words)))
    return 1


def _plain(name: str) -> str:
    """A name as every system takes it for a folder."""
    return re.sub(r"[^\w -]", "_", name).strip() or "night"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
