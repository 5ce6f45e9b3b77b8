"""The command line: `companion` alone serves a game night; `replay` and `resolve` work without one."""

from __future__ import annotations

import argparse
import errno
import json
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from companion.games import GAMES, NoRecord, replay, resolve
from companion.games.base import Plain, Text, Tongue, Value, many
from companion.i18n import prepare_terminal, told, tongue

EXAMPLES = files("companion.games") / "examples"
COMMANDS = ("serve", "replay", "resolve", "export", "backup", "restore", "doctor")


def main(arguments: Sequence[str] | None = None) -> int:
    prepare_terminal()
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = _parser().parse_args(words if words and words[0] in (*COMMANDS, "-h", "--help") else ["serve", *words])
    run: Callable[[argparse.Namespace], int] = given.run
    return run(given)


def _(message: str, /, **values: Value) -> str:
    return told(Text(message, **values))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description=_("The phone app beside the real cards at a game night."))
    commands = parser.add_subparsers(required=True, metavar=_("command"))
    _add_serve(commands.add_parser("serve", help=_("run a game night on this machine (this is what companion alone does)")))
    play = commands.add_parser("replay", help=_("play a record from start to end and say how the match stands"))
    source = play.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", metavar=_("FILE"), help=_("the record as JSON; - reads standard input"))
    source.add_argument("--example", choices=sorted(GAMES), help=_("a whole game that comes with the program"))
    play.set_defaults(run=lambda given: _answer(given, replay))
    dispute = commands.add_parser("resolve", help=_("say who wins one trick, and why"))
    dispute.add_argument("file", metavar=_("FILE"), help=_("the question as JSON; - reads standard input"))
    dispute.set_defaults(run=lambda given: _answer(given, resolve), example=None)
    _add_archive(commands)
    return parser


def _add_archive(commands: Any) -> None:
    out = commands.add_parser("export", help=_("write every match as a record and a table, also while people play"))
    out.add_argument("to", type=Path, metavar=_("FOLDER"), help=_("where to write them"))
    out.set_defaults(run=_export)
    keep = commands.add_parser("backup", help=_("copy everything into one file, also while people play"))
    keep.add_argument("to", type=Path, nargs="?", metavar=_("FILE"), help=_("the copy (in the instance's backups)"))
    keep.set_defaults(run=_backup)
    back = commands.add_parser("restore", help=_("put a backup in the place of the data, which is kept as a backup, too"))
    back.add_argument("file", type=Path, metavar=_("FILE"), help=_("the backup"))
    back.set_defaults(run=_restore)
    look = commands.add_parser("doctor", help=_("look whether everything is in order on this machine"))
    look.add_argument("--database", metavar="URL", help=_("the PostgreSQL that is used instead of the file"))
    look.add_argument("--port", type=_port, default=8000, help=_("the port that is to be free (8000)"))
    look.set_defaults(run=_doctor)
    for each in (out, keep, back, look):
        each.add_argument("--instance", type=Path, help=_("the folder of the database and the key"))


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, help=_("the port to listen on (8000, or the next free one)"))
    parser.add_argument("--host", default="0.0.0.0", help=_("the address to listen on (all)"))
    parser.add_argument("--url", help=_("the address that phones use, where it is another one: behind a proxy, or a name of your own"))
    parser.add_argument("--trust", action="append", metavar="NAME", help=_("a further host name this machine is reached by"))
    parser.add_argument("--instance", type=Path, help=_("the folder of the database and the key"))
    parser.add_argument(
        "--database", metavar="URL", help=_("a PostgreSQL, postgresql://…, that any number of processes can share; without it a file")
    )
    parser.add_argument("--plain-http", action="store_true", help=_("with --database: serve without HTTPS, on a network of your own"))
    parser.add_argument("--https", nargs=2, metavar=("CERT", "KEY"), help=_("serve HTTPS with this certificate and key"))
    parser.set_defaults(run=_serve)


def _port(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and int(typed) < 65_536):
        raise argparse.ArgumentTypeError(_("a port is a number up to 65535"))
    return int(typed)


def _serve(given: argparse.Namespace) -> int:
    from companion.server import serve  # late: it changes how sockets wait, which nothing else here wants

    return serve(given)


def _export(given: argparse.Namespace) -> int:
    from companion import archive

    def exported(folder: Path) -> Text:
        n = archive.export(folder, given.to)
        return many("{n} match is in {folder}.", "{n} matches are in {folder}.", n=n, folder=str(given.to))

    return _kept(exported, given)


def _backup(given: argparse.Namespace) -> int:
    from companion import archive

    return _kept(lambda folder: Text("Everything is in {file}.", file=str(archive.backup(folder, given.to))), given)


def _restore(given: argparse.Namespace) -> int:
    from companion import archive

    def restored(folder: Path) -> Text:
        kept = archive.restore(folder, given.file)
        if kept is None:
            return Text("The backup is restored.")
        return Text("The backup is restored. What was there before is in {file}.", file=str(kept))

    return _kept(restored, given)


def _doctor(given: argparse.Namespace) -> int:
    from companion.doctor import examine
    from companion.instance import instance_folder

    findings = examine(instance_folder(given.instance), given.database, given.port)
    for each in findings:
        found: dict[str, Value] = {"about": each.about, "finding": each.text}
        print(_("ok    {about}: {finding}", **found) if each.is_fine else _("WRONG {about}: {finding}", **found))
    return 0 if all(each.is_fine for each in findings) else 1


def _kept(run: Callable[[Path], Text], given: argparse.Namespace) -> int:
    from companion.archive import CannotDo
    from companion.instance import instance_folder

    try:
        print(told(run(instance_folder(given.instance))))
    except CannotDo as error:
        return _fail(error.text, 1)
    except OSError as error:
        return _fail(Text("{file}: {reason}", file=str(error.filename), reason=_reason(error)) if error.filename else _reason(error), 1)
    return 0


def _fail(why: Value, status: int) -> int:
    print("companion:", told(why), file=sys.stderr)
    return status


def _answer(given: argparse.Namespace, answer: Callable[[Plain, Tongue], dict[str, Plain]]) -> int:
    try:
        return _print(answer(json.loads(_text(given), parse_constant=_no_constant), tongue()))
    except (OSError, ValueError, RecursionError) as error:
        return _fail(_why(error), 2)


def _text(given: argparse.Namespace) -> str:
    if given.example:
        return EXAMPLES.joinpath(str(given.example) + ".json").read_text(encoding="utf-8")
    if given.file == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig")
    return Path(str(given.file)).read_text(encoding="utf-8-sig")


def _no_constant(name: str) -> Plain:
    raise ValueError(name)


def _print(answer: dict[str, Plain]) -> int:
    print(json.dumps(answer, indent=1))
    return 1 if "error" in answer else 0


def _why(error: Exception) -> Text:
    match error:
        case NoRecord():
            return error.text
        case OSError():
            return Text("cannot read the file: {reason}", reason=_reason(error))
        case RecursionError():
            return Text("this is no record: it is nested too deeply")
        case json.JSONDecodeError():
            return Text("this is no record: it is no JSON in line {line}, column {column}", line=error.lineno, column=error.colno)
        case _:
            return Text("this is no record: it is no JSON")


REASONS = {
    errno.ENOENT: Text("No such file or directory"),
    errno.EACCES: Text("Permission denied"),
    errno.EISDIR: Text("Is a directory"),
    errno.ENOTDIR: Text("Not a directory"),
    errno.EEXIST: Text("File exists"),
    errno.ENOSPC: Text("No space left on device"),
    errno.EROFS: Text("Read-only file system"),
}


def _reason(error: OSError) -> Value:
    """What the system says, which speaks only English here."""
    return REASONS.get(error.errno or 0) or error.strerror or str(error)
