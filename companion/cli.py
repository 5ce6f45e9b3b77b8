"""The command line: `companion` alone serves a game night; `replay` and `resolve` work without one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from companion.games import GAMES, replay, resolve
from companion.games.base import Plain, say

EXAMPLES = files("companion.games") / "examples"
COMMANDS = ("serve", "replay", "resolve", "export", "backup", "restore", "doctor")


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = _parser().parse_args(words if words and words[0] in (*COMMANDS, "-h", "--help") else ["serve", *words])
    run: Callable[[argparse.Namespace], int] = given.run
    return run(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="The phone app beside the real cards at a game night.")
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_serve(commands.add_parser("serve", help="run a game night on this machine (this is what companion alone does)"))
    play = commands.add_parser("replay", help="play a record from start to end and say how the match stands")
    source = play.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", help="the record as JSON; - reads standard input")
    source.add_argument("--example", choices=sorted(GAMES), help="a whole game that comes with the program")
    play.set_defaults(run=lambda given: _answer(given, replay))
    dispute = commands.add_parser("resolve", help="say who wins one trick, and why")
    dispute.add_argument("file", help="the question as JSON; - reads standard input")
    dispute.set_defaults(run=lambda given: _answer(given, resolve), example=None)
    _add_archive(commands)
    return parser


def _add_archive(commands: Any) -> None:
    out = commands.add_parser("export", help="write every match as a record and a table, also while people play")
    out.add_argument("to", type=Path, metavar="FOLDER", help="where to write them")
    out.set_defaults(run=_export)
    keep = commands.add_parser("backup", help="copy everything into one file, also while people play")
    keep.add_argument("to", type=Path, nargs="?", metavar="FILE", help="the copy (in the instance's backups)")
    keep.set_defaults(run=_backup)
    back = commands.add_parser("restore", help="put a backup in the place of the data, which is kept as a backup, too")
    back.add_argument("file", type=Path, metavar="FILE", help="the backup")
    back.set_defaults(run=_restore)
    look = commands.add_parser("doctor", help="look whether everything is in order on this machine")
    look.add_argument("--database", metavar="URL", help="the PostgreSQL that is used instead of the file")
    look.add_argument("--port", type=_port, default=8000, help="the port that is to be free (8000)")
    look.set_defaults(run=_doctor)
    for each in (out, keep, back, look):
        each.add_argument("--instance", type=Path, help="the folder of the database and the key")


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, help="the port to listen on (8000, or the next free one)")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (all)")
    parser.add_argument("--url", help="the address that phones use, where it is another one: behind a proxy, or a name of your own")
    parser.add_argument("--trust", action="append", metavar="NAME", help="a further host name this machine is reached by")
    parser.add_argument("--instance", type=Path, help="the folder of the database and the key")
    parser.add_argument(
        "--database", metavar="URL", help="a PostgreSQL, postgresql://…, that any number of processes can share; without it a file"
    )
    parser.add_argument("--plain-http", action="store_true", help="with --database: serve without HTTPS, on a network of your own")
    parser.add_argument("--https", nargs=2, metavar=("CERT", "KEY"), help="serve HTTPS with this certificate and key")
    parser.set_defaults(run=_serve)


def _port(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and int(typed) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number up to 65535")
    return int(typed)


def _serve(given: argparse.Namespace) -> int:
    from companion.server import serve  # late: it changes how sockets wait, which nothing else here wants

    return serve(given)


def _export(given: argparse.Namespace) -> int:
    from companion import archive

    return _kept(lambda folder: f"{archive.export(folder, given.to)} matches are in {given.to}.", given)


def _backup(given: argparse.Namespace) -> int:
    from companion import archive

    return _kept(lambda folder: f"Everything is in {archive.backup(folder, given.to)}.", given)


def _restore(given: argparse.Namespace) -> int:
    from companion import archive

    def restored(folder: Path) -> str:
        kept = archive.restore(folder, given.file)
        return "The backup is restored." + (f" What was there before is in {kept}." if kept else "")

    return _kept(restored, given)


def _doctor(given: argparse.Namespace) -> int:
    from companion.doctor import examine
    from companion.web import instance_folder

    findings = examine(instance_folder(given.instance), given.database, given.port)
    for each in findings:
        print("ok   " if each.is_fine else "WRONG", say(each.about, ()) + ":", say(each.text, ()))
    return 0 if all(each.is_fine for each in findings) else 1


def _kept(run: Callable[[Path], str], given: argparse.Namespace) -> int:
    from companion.archive import CannotDo
    from companion.web import instance_folder  # late: the rules alone need no web

    try:
        print(run(instance_folder(given.instance)))
    except (CannotDo, OSError) as error:
        print("companion:", error, file=sys.stderr)
        return 1
    return 0


def _answer(given: argparse.Namespace, answer: Callable[[Plain], dict[str, Plain]]) -> int:
    try:
        return _print(answer(json.loads(_text(given), parse_constant=_no_constant)))
    except (OSError, ValueError, RecursionError) as error:
        print("companion:", _one_line(error), file=sys.stderr)
        return 2


def _text(given: argparse.Namespace) -> str:
    if given.example:
        return EXAMPLES.joinpath(str(given.example) + ".json").read_text(encoding="utf-8")
    if given.file == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig")
    return Path(str(given.file)).read_text(encoding="utf-8-sig")


def _no_constant(name: str) -> Plain:
    raise ValueError(name + " is no JSON")


def _print(answer: dict[str, Plain]) -> int:
    print(json.dumps(answer, indent=1))
    return 1 if "error" in answer else 0


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError):
        return " ".join(("cannot read the file:", error.strerror or str(error)))
    if isinstance(error, RecursionError):
        return "this is no record: it is nested too deeply"
    return " ".join(("this is no record:", *str(error).split()))
