"""The command line: `companion replay` and `companion resolve`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from companion.games import GAMES, replay, resolve
from companion.games.base import Plain

EXAMPLES = files("companion.games") / "examples"


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    answer: Callable[[Plain], Plain] = given.answer
    try:
        return _print(answer(_read(given)))
    except (OSError, ValueError, RecursionError) as error:
        print("companion:", _one_line(error), file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="The phone app beside the real cards at a game night.")
    commands = parser.add_subparsers(required=True, metavar="command")
    play = commands.add_parser("replay", help="play a record from start to end and say how the match stands")
    source = play.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", help="the record as JSON; - reads standard input")
    source.add_argument("--example", choices=sorted(GAMES), help="a whole game that comes with the program")
    play.set_defaults(answer=replay)
    dispute = commands.add_parser("resolve", help="say who wins one trick, and why")
    dispute.add_argument("file", help="the question as JSON; - reads standard input")
    dispute.set_defaults(answer=resolve, example=None)
    return parser


def _read(given: argparse.Namespace) -> Plain:
    return json.loads(_text(given), parse_constant=_no_constant)


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
