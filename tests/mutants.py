"""Would the tests notice? Change one thing at a time in the rules, the log or the store, and run the tests that concern it.

`python tests/mutants.py --each 40 --seed 1 companion/log.py …` prints the changes that no test noticed and a line of JSON for every file.
Which things are changed is drawn by the seed. A change never touches a file: it is put in when a forked process imports the module.
"""

import argparse
import ast
import copy
import json
import os
import random
import resource
import signal
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path

import alembic.command  # noqa: F401 what the tests load is loaded once
import flask_babel  # noqa: F401
import hypothesis
import psycopg  # noqa: F401
import pydantic  # noqa: F401
import pytest
import sqlmodel  # noqa: F401

ROOT = Path(__file__).parents[1]
GAMES = ("crazy_lab", "crazy_race", "ligretto_crazy", "score_sheet", "the_academy", "tricky_cribby")
QUIETLY = ("-x", "-q", "-n0", "-p", "no:cacheprovider", "--noconftest", "--assert=plain", "--hypothesis-seed=1")
RULES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "companion" / "games").rglob("*.py"))
FILES = [*RULES, "companion/log.py", "companion/store.py"]
MOST_SECONDS = 120  # of computing, several times what the tests need; a change that makes the tests run on for ever is noticed


# ---- what is changed -------------------------------------------------------------------------------------------------

OTHER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def changed(node):
    """What stands there instead; None where nothing is changed."""
    match node:
        case ast.Compare(ops=[op, *more]) if type(op) in OTHER:
            return _with(node, ops=[OTHER[type(op)](), *more])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in OTHER:
            return _with(node, op=OTHER[type(op)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return operand
        case ast.Constant(value=bool() as value):
            return _with(node, value=not value)
        case ast.Constant(value=int() as value):
            return _with(node, value=value + 1)
        case ast.Constant(value=str() as value):
            return _with(node, value=value + "?")
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=[_, *_]):
            return _with(node, ifs=[])
        case ast.Return(value=ast.Constant(value=None)):
            return None  # would be the same
        case ast.Return(value=ast.expr()):
            return _with(node, value=ast.Constant(None))
        case ast.Raise() | ast.Expr(value=ast.Call()):
            return ast.Pass()
    return None


def _with(node, **new):
    other = copy.copy(node)
    for name, value in new.items():
        setattr(other, name, value)
    return other


class Change(ast.NodeTransformer):
    """Changes the thing at that place, and counts how many there are."""

    def __init__(self, place=None):
        self.place, self.there, self.said = place, 0, ""

    def visit(self, node):
        new = changed(node)
        if new is not None:
            self.there += 1
            if self.there - 1 == self.place:
                self.said = f"line {node.lineno if hasattr(node, 'lineno') else '?'}: {_line(node)}  →  {_line(new)}"
                return ast.copy_location(new, node) if hasattr(node, "lineno") else new
        return super().visit(node)

    def visit_FunctionDef(self, node):
        self._without_words(node)
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        return node

    def visit_ClassDef(self, node):
        self._without_words(node)
        return node

    def visit_Module(self, node):
        self._without_words(node)
        return node

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node):
        return node

    def visit_Call(self, node):
        """Not the words of a sentence: test_catalogue.py notices every change of one, but reads the file, which stays as it is here."""
        is_sentence = isinstance(node.func, ast.Name) and node.func.id in ("Text", "many")
        words = [each for each in node.args if is_sentence and isinstance(each, ast.Constant)]
        node.args = [each if each in words else self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        node.func = self.visit(node.func)
        return node

    def visit_keyword(self, node):
        """Not the `strict` of a zip: it speaks up only where a mistake elsewhere made two lists differ in length."""
        return node if node.arg == "strict" else self.generic_visit(node)

    def _without_words(self, node):
        """Not the docstring, no annotations and no decorators."""
        first = ast.get_docstring(node) is not None
        node.body = node.body[:first] + [self.visit(each) for each in node.body[first:]]


def _line(node):
    try:
        return ast.unparse(node).split("\n")[0][:100]
    except AttributeError:
        return type(node).__name__


# ---- what has to notice it -------------------------------------------------------------------------------------------


def tests_of(file):
    """The tests that concern a file, those that know most about it first: the others are only loaded where these notice nothing."""
    name = Path(file).stem if Path(file).parent.name not in GAMES else Path(file).parent.name
    if name in ("log", "store"):
        other = {"log": "store", "store": "log"}[name]
        return [[f"tests/test_{name}.py"], [f"tests/test_{other}.py", "tests/test_course.py", "tests/test_archive.py"]]
    if name in GAMES:
        only = ["-k", f"{name} or {name.replace('_', '-')}"]
        of_all_games = _in_games("playthroughs", "disputes", "records", "contract", "second")
        return [_in_games(name), [*of_all_games, *only], _in_games("disputes", "records", "shapes")]
    return [
        _in_games("forms", "texts", "shapes", *GAMES),
        _in_games("playthroughs", "records", "disputes"),
        _in_games("contract", "second"),
    ]


def _in_games(*names):
    return [f"tests/games/test_{name}.py" for name in names]


class Changed(SourceFileLoader):
    """Imports one module as it was changed."""

    def __init__(self, file, tree):
        super().__init__(".".join(Path(file).with_suffix("").parts).removesuffix(".__init__"), str(ROOT / file))
        self.tree = tree

    def find_spec(self, name, path=None, target=None):
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname):
        return compile(self.tree, self.path, "exec")


def unnoticed(file, tree):
    """Whether the tests pass all the same."""
    child = os.fork()
    if child == 0:
        _in_silence()
        sys.meta_path.insert(0, Changed(file, tree))
        os._exit(any(pytest.main([*some, *QUIETLY]) for some in tests_of(file)))
    return os.waitpid(child, 0)[1] == 0


def _in_silence():
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(nowhere, standard)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    signal.alarm(MOST_SECONDS * 20)  # where it waits for ever


def try_out(file, each, seed):
    """So many changes of a file: how many there were, and those that nobody noticed."""
    source = (ROOT / file).read_text(encoding="utf-8")
    count = Change()
    count.visit(ast.parse(source))
    places = sorted(random.Random(f"{seed} {file}").sample(range(count.there), min(each, count.there)))
    survivors = []
    for place in places:
        change = Change(place)
        tree = ast.fix_missing_locations(change.visit(ast.parse(source)))
        if unnoticed(file, tree):
            survivors.append(change.said)
            print(f"{file} {change.said}", flush=True)
    if not survivors and not unnoticed(file, ast.parse(source)):
        raise SystemExit(f"{file}: the tests fail without any change, too")
    return {"file": file, "possible": count.there, "tried": len(places), "noticed": len(places) - len(survivors)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", default=FILES)
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp()
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # nobody reads the example
    hypothesis.settings.register_profile("mutants", phases=phases)
    hypothesis.settings.load_profile("mutants")
    for file in given.files:
        print(json.dumps(try_out(file, given.each, given.seed)), flush=True)


if __name__ == "__main__":
    main()
