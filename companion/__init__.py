"""Companion: the phone app beside the real cards at a game night."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def create_app(
    instance: Path | str | None = None, url: str = "http://127.0.0.1:8000", hosts: tuple[str, ...] = (), database: str | None = None
) -> Flask:
    """The web application; `url` is where phones reach it, `hosts` are further names it answers to, `database` is a PostgreSQL's address
    where the file in the instance folder is not to be used."""
    from companion.web.app import build  # late: the rules alone need no web

    return build(instance, url, hosts, database)
