"""A game that lives in a package of its own brings its `templates/` and `static/` along: each such package is a blueprint."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from flask import Blueprint, Flask, Response, send_from_directory

from companion.games import GAMES, AnyGame
from companion.web.permissions import allow

OURS = __name__.partition(".")[0]


def install(app: Flask) -> None:
    for game in GAMES.values():
        if folder := _folder_of(game):
            _add(app, game, folder)


def blueprint_of(game: str) -> str:
    return f"plugin_{game.replace('-', '_')}"


def _folder_of(game: AnyGame) -> Path | None:
    """Where a game's package lies, if it is one and not ours; a plugin may also be a single module, which has only rules."""
    package = import_module(type(game).__module__.partition(".")[0])
    return None if package.__name__ == OURS or not package.__spec__ or not package.__spec__.parent else Path(str(package.__file__)).parent


def _add(app: Flask, game: AnyGame, folder: Path) -> None:
    blueprint = Blueprint(blueprint_of(game.id), __name__, root_path=str(folder), template_folder="templates")

    @blueprint.get(f"/plugins/{game.id}/<path:filename>")
    @allow("anybody")
    def static(filename: str) -> Response:
        return send_from_directory(folder / "static", filename)

    app.register_blueprint(blueprint)
