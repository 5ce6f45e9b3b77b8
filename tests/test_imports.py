"""The house: arrows point one way, also in imports inside functions; no import goes round in a circle, no view imports a view."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PURE = {"flask", "sqlmodel", "sqlalchemy", "random", "time", "os", "jinja2", "socket"}  # what rules have nothing to do with


def modules(root=ROOT):
    """Every module by its name, as a tree."""
    found = {}
    for path in sorted((root / "companion").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree):
    """Whatever is imported anywhere in it; not what only type checkers read."""
    for_types = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and id(node) not in for_types:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and id(node) not in for_types:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph(trees):
    """Which of our modules each one imports."""
    return {name: {found for each in imported(tree) if (found := _ours(each, trees)) and found != name} for name, tree in trees.items()}


def _ours(name, trees):
    return next((each for each in (name, name.rpartition(".")[0]) if each in trees), None)


def views(trees):
    """The modules with a blueprint."""
    return {
        name for name, tree in trees.items() if any(isinstance(node, ast.Assign) and "Blueprint" in ast.dump(node) for node in tree.body)
    }


def test_no_import_goes_round_in_a_circle():
    TopologicalSorter(graph(modules())).prepare()


def test_an_import_inside_a_function_counts():
    trees = modules()
    trees["companion.games.base"].body.append(ast.parse("def late():\n    from companion.web import app").body[0])
    with pytest.raises(CycleError):
        TopologicalSorter(graph(trees)).prepare()


def test_no_view_imports_a_view():
    trees = modules()
    found = graph(trees)
    assert len(views(trees)) > 9
    assert {name: found[name] & views(trees) for name in views(trees) if found[name] & views(trees)} == {}


def test_the_rules_import_nothing_but_rules():
    rules = {name: set(imported(tree)) for name, tree in modules().items() if name.startswith("companion.games")}
    assert len(rules) > 9
    assert {each for names in rules.values() for each in names if _is_strange(each)} == set()


def _is_strange(name):
    return name.split(".")[0] in PURE or (name.startswith("companion") and not name.startswith("companion.games"))
