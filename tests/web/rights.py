"""Who may do what, as the page says it to people: `companion/web/rights.md`. The test tries every cell.

The page is made from what stands at the routes: `.venv/bin/python tests/web/rights.py` writes it anew.
"""

import tempfile
from pathlib import Path

import companion.web
from companion import create_app
from companion.web.permissions import right_to

PAGE = Path(companion.web.__file__).with_name("rights.md")
ROLES = ("nobody", "spectator", "player", "unseated", "host", "former host", "removed", "elsewhere")
OPEN_TO = {  # the roles that a right is for
    "anybody": ROLES,
    "watcher": ("spectator", "player", "unseated", "host", "former host"),
    "player": ("player", "unseated", "host", "former host"),
    "table": ("player", "host", "former host"),
    "host": ("host",),
    "past": ("spectator", "player", "unseated", "host", "former host", "elsewhere"),
    "laptop": (),
}
PARTS = {  # what the page is divided into, by blueprint
    "Pages for everybody": ("static", "pages", "rules"),
    "Who wins this trick?": ("resolver",),
    "Nights and seats": ("nights",),
    "Matches": ("seating", "matches"),
    "House rules and disputes": ("house_rules",),
    "Results and standings": ("results",),
    "Past nights": ("history",),
    "Exports": ("exports",),
    "Live updates": ("live",),
}


# ---- reading it ------------------------------------------------------------------------------------------------------


def lines(page=None):
    """The cells of every row that is about a route."""
    text = PAGE.read_text(encoding="utf-8") if page is None else page
    for line in text.splitlines():
        if line.startswith("| route "):
            assert tuple(_cells(line)[2:]) == ROLES, line
        if line.startswith("| `"):
            yield _cells(line)


def rows(page=None):
    """(endpoint, which of its cases, {role: cell})"""
    for route, _, *answers in lines(page):
        endpoint, _, case = route.replace("`", "").partition(" ")
        yield endpoint, case, dict(zip(ROLES, answers, strict=True))


def addresses():
    """By endpoint, what the page says about where it is."""
    return {route.split("`")[1]: set(address.strip("`").split("` `")) for route, address, *_ in lines()}


def _cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


# ---- writing it ------------------------------------------------------------------------------------------------------


def written(app):
    """The page: its beginning stays as people wrote it, the tables are made."""
    beginning, _, _ = PAGE.read_text(encoding="utf-8").partition("\n## ")
    return "\n".join([beginning, *(_part(app, title, blueprints) for title, blueprints in PARTS.items())])


def _part(app, title, blueprints):
    rules = [rule for rule in app.url_map.iter_rules() if _blueprint(rule) in blueprints]
    rules.sort(key=lambda rule: (blueprints.index(_blueprint(rule)), list(app.view_functions).index(rule.endpoint)))
    head = [f"## {title}", "", f"| route | address | {' | '.join(ROLES)} |", "|" + "---|" * (len(ROLES) + 2)]
    return "\n".join([*head, *(row for rule in rules for row in _rows(app, rule)), ""])


def _blueprint(rule):
    return rule.endpoint.split(".")[0]


def _rows(app, rule):
    right, address = right_to(app, rule.endpoint), f"`{'POST' if 'POST' in rule.methods else 'GET'} {rule.rule}`"
    if right is not None and right.others is None:
        yield _row(rule.endpoint, "", address, right.who, right.cells)
    elif right is not None:
        yield _row(rule.endpoint, " own", address, right.who, right.cells)
        yield _row(rule.endpoint, " another's", address, right.others, right.cells)


def _row(endpoint, case, address, who, cells):
    answers = [cells.get(role, "yes" if role in OPEN_TO[who] else "no") for role in ROLES]
    return f"| `{endpoint}`{case} | {address} | {' | '.join(answers)} |"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = create_app(folder)
        PAGE.write_text(written(made), encoding="utf-8")
        made.extensions["companion"].database.close()
