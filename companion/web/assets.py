"""Static files: addresses with their hash in them, so that browsers may keep them for a year."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Response, current_app, request, url_for

from companion.web.plugins import blueprint_of

STATIC = ("static", "pages.icon")
A_YEAR, A_MINUTE = "public, max-age=31536000, immutable", "public, max-age=60"


def asset(name: str) -> str:
    """The address of a static file with its hash, so that it can be kept for a year."""
    assert current_app.static_folder is not None
    return f"{current_app.static_url_path}/{name}?v={_hash(f'{current_app.static_folder}/{name}', current_app.debug)}"


@cache
def _hash_once(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def _hash(path: str, debug: bool) -> str:
    return _hash_once.__wrapped__(path) if debug else _hash_once(path)


def own_assets(game: str, ending: str) -> list[str]:
    """The address of the script or style that only this game needs, where it has one; a plugin's lies in its own package."""
    name, blueprint = f"{game.replace('-', '_')}.{ending}", current_app.blueprints.get(blueprint_of(game))
    if blueprint is None:
        return [asset(f"games/{name}")] if _is_there(f"{current_app.static_folder}/games/{name}") else []
    path = f"{blueprint.root_path}/static/{name}"
    return [url_for(f"{blueprint.name}.static", filename=name, v=_hash(path, current_app.debug))] if _is_there(path) else []


@cache
def _is_there(path: str) -> bool:
    return Path(path).exists()


def is_static(endpoint: str | None) -> bool:
    return endpoint in STATIC or (endpoint or "").endswith(".static")


def keep_for_a_year(response: Response) -> Response:
    if is_static(request.endpoint):
        response.headers["Cache-Control"] = A_YEAR if response.status_code < 400 and _is_as_named() else A_MINUTE
        response.direct_passthrough = False
        response.make_sequence()  # to be compressed: what is sent in pieces Flask-Compress leaves as it is, or leaves open
    return response


def _is_as_named() -> bool:
    """Whether the file is the one whose hash was asked for: while a newer version takes over, its pages may still ask an older process,
    and what that one sends must not be kept for a year."""
    name = (request.view_args or {}).get("filename")
    return name is None or (request.endpoint == "static" and request.full_path == asset(name))
