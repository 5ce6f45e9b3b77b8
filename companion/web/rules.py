"""The rules pages: every game in our own words, its examples worked out by the engine while the page is made, and a search over all."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field as Option
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from flask import Blueprint, abort, current_app, render_template, request, url_for
from jinja2 import Environment, TemplateNotFound
from markupsafe import Markup, escape

from companion.games import GAMES, AnyGame, read_action, read_options, verdict_on
from companion.games.base import Note, Plain, RuleError, Tongue, Verdict
from companion.web.asked import address_of
from companion.web.i18n import tongue
from companion.web.permissions import allow
from companion.web.render import partial

views = Blueprint("rules", __name__)

PLAYERS = ("Ana", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Ida")  # who plays in the examples
MAX_QUERY = 60
EXPLAINED = re.compile(r'\{%-?\s*call\s+(?:rule|step)\(\s*"([^"]+)"')  # the macros of rules/_parts.html that explain a rule


@views.get("/rules")
@allow("anybody")
def index() -> str:
    query = request.args.get("q", "").strip()[:MAX_QUERY]
    return render_template("rules.html", query=query, found=search(query), marked=lambda text: _marked(text, query))


@views.get("/rules/<game>")
@allow("anybody")
def game(game: str) -> str:
    sheet = write_sheet(GAMES.get(game) or abort(404))
    return render_template("rules_of_game.html", game=sheet.game, sheet=sheet)


# ---- the sheet of a game ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One thing to look up: a rule, or a question people fight about."""

    game: AnyGame
    anchor: str
    heading: str
    text: str
    kind: str  # rule, ruling, question, or what a game has besides

    @property
    def address(self) -> str:
        return url_for("rules.game", game=self.game.id, _anchor=self.anchor)

    def has(self, words: Iterable[re.Pattern[str]]) -> bool:
        said = " ".join((self.anchor, self.heading, self.text))
        return all(word.search(said) for word in words)


@dataclass(slots=True)
class Sheet:
    """A game's rules, and what stands in them: the templates tell it while they are rendered."""

    game: AnyGame
    html: Markup = Markup()
    sections: list[tuple[str, str]] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)

    def add_section(self, anchor: str, heading: str) -> str:
        self.sections.append((anchor, heading))
        return ""

    def add(self, anchor: str, heading: str, html: str, kind: str) -> str:
        self.paragraphs.append(Paragraph(self.game, anchor, str(heading), Markup(html).striptags(), kind))
        return ""

    def question_anchor(self) -> str:
        return f"question-{1 + sum(each.kind == 'question' for each in self.paragraphs)}"


def write_sheet(game: AnyGame) -> Sheet:
    """The game's own page, or for a game without one what its engine knows of it."""
    sheet = Sheet(game)
    facts = {
        "game": game,
        "sheet": sheet,
        "module": sys.modules[type(game).__module__],  # its constants: what the text says of numbers cannot drift
        "names": PLAYERS,
        "house_rules": {each.name: each for each in _chosen_in_words(game)},
        "ask": lambda question, players: Answer.to(game, {"game": game.id, "players": list(PLAYERS[:players]), **question}),
        "play": lambda actions, players, **options: play(game, actions, players, options),
    }
    sheet.html = partial("rules", "rules", facts)
    return sheet


def _chosen_in_words(game: AnyGame) -> list[Option[Any]]:
    return [each for each in fields(game.options) if "text" in each.metadata]


# ---- what the engine says --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """A dispute of an example with the engine's verdict, and the page on which to try it oneself."""

    verdict: Verdict | RuleError
    address: str

    @classmethod
    def to(cls, game: AnyGame, question: dict[str, Plain]) -> Answer:
        return cls(verdict_on(game, question), address_of(question))


@dataclass(frozen=True, slots=True)
class Played:
    """The last report of an example: what the table looked like before and after it, and what it led to."""

    before: Any
    state: Any
    notes: tuple[Note, ...]


def play(game: AnyGame, actions: Sequence[Plain], players: int, options: Mapping[str, Plain]) -> Played:
    """Play reports as a table would; a refusal is told like a doubt."""
    state = game.setup(players, read_options(game, dict(options), players))
    for action in actions[:-1]:
        state = game.apply(state, read_action(game, action, players)).state
    try:
        step = game.apply(state, read_action(game, actions[-1], players))
    except RuleError as error:
        return Played(state, state, (Note(error.text, error.rule, warning=True),))
    return Played(state, step.state, step.notes)


# ---- search ----------------------------------------------------------------------------------------------------------


def search(query: str) -> list[tuple[AnyGame, list[Paragraph]]]:
    """By game, every paragraph with all words of the query; those that have them in their heading come first."""
    words = list(_patterns(query))
    return [(game, found) for game in GAMES.values() if (found := _found(game, words))] if words else []


def _found(game: AnyGame, words: list[re.Pattern[str]]) -> list[Paragraph]:
    found = [each for each in _paragraphs(game, tongue()) if each.has(words)]
    return sorted(found, key=lambda each: not all(word.search(each.heading) for word in words))


def _patterns(query: str) -> Iterator[re.Pattern[str]]:
    """A word is found where another begins with it: “tie” in “tied”, but not in “sixties”."""
    return (re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in query.split() if re.search(r"\w", word))


@lru_cache(100)
def _paragraphs(game: AnyGame, tongue: Tongue) -> tuple[Paragraph, ...]:
    return tuple(write_sheet(game).paragraphs)


def _marked(text: str, query: str) -> Markup:
    """The text with the words of the query marked."""
    parts = re.split("(" + "|".join(word.pattern for word in _patterns(query)) + ")", text, flags=re.IGNORECASE)
    return Markup().join(Markup("<mark>{}</mark>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts))


# ---- from a rule to its paragraph ------------------------------------------------------------------------------------


@views.app_template_global()
def rule_url(rule: str) -> str:
    """Where a rule is explained; nothing for what no page explains, such as RECORD."""
    game = _explained(current_app.jinja_env).get(rule)
    return url_for("rules.game", game=game, _anchor=rule) if game else ""


@lru_cache(10)
def _explained(env: Environment) -> dict[str, str]:
    """The game that explains a rule: read from the templates, because their examples ask for it while they are rendered."""
    return {rule: game for game in GAMES for rule in rules_in(env, game)}


def rules_in(env: Environment, game: str) -> list[str]:
    """The rules that a game's page explains, in its order."""
    try:
        source, _, _ = env.loader.get_source(env, f"games/{game.replace('-', '_')}/_rules.html")  # type: ignore[union-attr]
    except TemplateNotFound:
        return []
    return EXPLAINED.findall(source)
