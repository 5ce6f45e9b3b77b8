"""A disk that can lose power: from the notes that disk.c takes, the files as they could be found after a cut."""

import os
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HEAD = struct.Struct("<ciqII")
SECTOR = 512


@dataclass(frozen=True)
class Event:
    kind: str
    fd: int
    path: str
    at: int
    data: bytes
    end: int  # where the note ends in the journal


class Disk:
    """A folder under watch, for as many servers as start with its environment."""

    def __init__(self, place, compiler):
        self.root, self.journal = place / "disk", place / "journal"
        self.root.mkdir()
        library = place / "disk.so"
        source = Path(__file__).with_name("disk.c")
        subprocess.run([*compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True)
        self.journal.touch()
        self.environment = {"LD_PRELOAD": str(library), "COMPANION_DISK_FOLDER": str(self.root), "COMPANION_DISK_LOG": str(self.journal)}

    def now(self):
        """Everything up to here has happened."""
        return os.path.getsize(self.journal)

    def events(self, folder, since=0):
        """What happened in one of the folders."""
        return [event for event in self._all(since) if Path(event.path) == folder or folder in Path(event.path).parents]

    def _all(self, at):
        notes = self.journal.read_bytes()
        while at < len(notes):
            kind, fd, offset, path, data = HEAD.unpack_from(notes, at)
            at += HEAD.size
            name, content = notes[at : at + path].decode(), notes[at + path : at + path + data]
            at += path + data
            yield Event(kind.decode(), fd, name, offset, content, at)


@dataclass
class File:
    """What of a file is on the disk for sure, and what is on its way."""

    sure: bytearray = field(default_factory=bytearray)
    coming: list = field(default_factory=list)
    named: bool = False  # the folder was synced since it was made


def after_a_cut(events, cut, folder, to, random=None):
    """Make `to` what is found in `folder` when the power goes at that place of the journal.

    Only what was synced is there. With `random` any part of the rest is, too, sector by sector in any order, some of them torn."""
    to.mkdir()
    for path, file in _files(events, cut, folder).items():
        kept = file.named or (random is not None and random.random() < 0.5)
        if kept and not path.endswith("-shm"):
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            (to / path).write_bytes(_found(file, random))
    return to


def as_written(events, folder):
    """The contents of all files if nothing is cut: what the program itself would read."""
    files = _files(events, events[-1].end, folder)
    for file in files.values():
        _arrive(file)
    return {path: bytes(file.sure) for path, file in files.items()}


def _files(events, cut, folder):
    files = {}
    for event in events:
        if event.end > cut:
            break
        _happen(event, str(folder), files)
    return files


def _arrive(file):
    for at, data in file.coming:
        _put(file.sure, at, data)
    file.coming.clear()


def _happen(event, folder, files):
    path = os.path.relpath(event.path, folder)
    match event.kind:
        case "w":
            files.setdefault(path, File()).coming.append((event.at, event.data))
        case "t":
            files.setdefault(path, File()).coming.append((event.at, None))
        case "s" if path == ".":
            for file in files.values():
                file.named = True
        case "s" if path in files:
            _arrive(files[path])
        case "u":
            files.pop(path, None)
        case "r":
            files[os.path.relpath(event.data.decode(), folder)] = moved = files.pop(path, File())
            moved.named = False


def _put(content, at, data):
    if data is None:
        del content[at:]
        return
    content.extend(bytes(max(0, at - len(content))))
    content[at : at + len(data)] = data


def _found(file, random):
    content = bytearray(file.sure)
    share = random.random() if random else 0
    for at, data in file.coming if random else ():
        if data is None:
            if random.random() < share:
                _put(content, at, None)
            continue
        for start, piece in _sectors(at, data):
            if random.random() < share:
                torn = random.random() < 0.2
                _put(content, start, piece[: random.randrange(len(piece) + 1)] if torn else piece)
    return bytes(content)


def _sectors(at, data):
    while data:
        length = SECTOR - at % SECTOR
        yield at, data[:length]
        at, data = at + length, data[length:]
