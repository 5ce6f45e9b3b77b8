"""Who may do what, read from the page that says so to people: `companion/web/rights.md`. The test tries every cell."""

from pathlib import Path

import companion.web

PAGE = Path(companion.web.__file__).with_name("rights.md")
ROLES = ("nobody", "spectator", "player", "unseated", "host", "former host", "removed", "elsewhere")


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
