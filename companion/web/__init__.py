"""The web application: configuration, database, blueprints, and what keeps others out."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs
from flask import Flask, current_app, request, session
from flask.sessions import SecureCookieSessionInterface
from flask_babel import Babel
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFProtect
from htmx_flask import Htmx
from itsdangerous import URLSafeTimedSerializer
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.routing import IntegerConverter

from companion.database import Database
from companion.house import House
from companion.live import Live
from companion.nights import Nights
from companion.past import TOPIC as WHO_IS_WHO
from companion.past import Past
from companion.store import Store
from companion.tongues import TRANSLATIONS, languages

PACKAGE = Path(__file__).resolve().parent.parent
LARGEST_BODY = 64 * 1024
KEY_LENGTH = 32  # bytes

csrf = CSRFProtect()


class App(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view is a coroutine; Flask would look each time."""
        return func


class Sessions(SecureCookieSessionInterface):
    """As Flask signs them, with a signer that is made once for the application and not for every request."""

    _signer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        self._signer = self._signer or super().get_signing_serializer(app)
        return self._signer


class Limits(Limiter):
    """Looks only at the views that have a limit, not at every request: playing has none."""

    def _check_request_limit(self, callable_name: str | None = None, in_middleware: bool = True) -> None:
        if not in_middleware:
            super()._check_request_limit(callable_name, in_middleware)


limiter = Limits(get_remote_address, storage_uri="memory://")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the views work with."""

    database: Database
    live: Live
    nights: Nights
    store: Store
    house: House
    past: Past
    url: str

    @classmethod
    def on(cls, database: Database, live: Live, url: str) -> Parts:
        nights, store, house = Nights(database, live), Store(database, live), House(database, live)
        return cls(database, live, nights, store, house, Past(database, live, nights, store, house), url)

    def forget(self, night: str | None, played: bool = False) -> None:
        """Another process changed that night (None: any of them), or who is who: what is kept of it is old. Where they only `played`,
        nothing else changed than their matches."""
        from companion.web.render import drop_kept

        if played:
            self.store.forget(night)
            return
        if night in (None, WHO_IS_WHO):
            drop_kept()
        self.nights.forget(night)
        self.store.forget(night)
        self.house.forget(night)


def build(instance: Path | str | None, url: str, hosts: tuple[str, ...], address: str | None = None) -> Flask:
    folder = instance_folder(instance)
    app = App(
        "companion", template_folder=str(_assets("templates")), static_folder=str(_assets("static")), instance_path=str(folder.resolve())
    )
    _configure(app, folder, url, hosts)
    app.session_interface = Sessions()
    app.extensions["companion"] = _parts(folder, address, url.rstrip("/"))
    Htmx(app)
    csrf.init_app(app)
    limiter.init_app(app)
    Babel(app, locale_selector=language, default_translation_directories=str(TRANSLATIONS))
    _register(app)
    return app


def _parts(folder: Path, address: str | None, url: str) -> Parts:
    if address is None:
        return Parts.on(Database(folder), Live(), url)
    from companion.postgres import Postgres  # late: a laptop needs no driver for it

    database = Postgres(address, folder)
    parts = Parts.on(database, Live(database), url)
    database.listen(parts.live, parts.forget)
    return parts


class Number(IntegerConverter):
    """A number in an address: ASCII digits, where `\\d` would take those of every script."""

    regex = "[0-9]{1,9}"


def _register(app: Flask) -> None:
    from companion.web import (
        access,
        errors,
        exports,
        guard,
        house,
        matches,
        nights,
        pages,
        past,
        render,
        resolver,
        results,
        rules,
        seating,
        streams,
    )

    app.url_map.converters["int"] = Number
    for part in (pages, nights, seating, matches, streams, resolver, rules, house, results, past, exports):
        app.register_blueprint(part.views)
    guard.install(app)
    app.before_request(access.check_rights)
    errors.install(app)
    render.install(app)


def _configure(app: Flask, folder: Path, url: str, hosts: tuple[str, ...]) -> None:
    home = urlsplit(url)
    app.config.update(
        SECRET_KEY=secret_key(folder),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        MAX_FORM_PARTS=400,
        OWN_ADDRESSES=frozenset(hosts),
        TRUSTED_HOSTS=["127.0.0.1", "localhost", "[::1]", *filter(None, [home.hostname]), *hosts],
        SESSION_COOKIE_NAME="__Host-companion" if home.scheme == "https" else "companion",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=home.scheme == "https",
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_REFRESH_EACH_REQUEST=False,  # signed again only when something in it changes
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # the Origin is checked on every change, with and without HTTPS
        RATELIMIT_HEADERS_ENABLED=False,
        LANGUAGES=languages(),
    )


def _assets(name: str) -> Path:
    """Inside the package when installed, beside it in a checkout."""
    return PACKAGE / name if (PACKAGE / name).is_dir() else PACKAGE.parent / name


def instance_folder(given: Path | str | None) -> Path:
    """Where the database and the key are: as asked, else in a checkout its `instance`, else where the system keeps such things."""
    named = given or os.environ.get("COMPANION_INSTANCE")
    if named:
        folder = Path(named)
    elif (PACKAGE.parent / "pyproject.toml").exists():
        folder = PACKAGE.parent / "instance"
    else:
        folder = platformdirs.user_data_path("companion", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def secret_key(folder: Path) -> bytes:
    """32 bytes that stay the same over restarts, readable by their owner alone; where many machines serve, all are given the same."""
    if "COMPANION_KEY" in os.environ:
        return bytes.fromhex(os.environ["COMPANION_KEY"])
    path, fresh = folder / "secret.key", folder / "secret.key.new"
    if path.exists() and path.stat().st_size == KEY_LENGTH:
        return path.read_bytes()
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secrets.token_bytes(KEY_LENGTH))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)  # whole or not at all
    return path.read_bytes()


def language() -> str:
    """As chosen on this phone, else as the phone is set."""
    offered: tuple[str, ...] = current_app.config["LANGUAGES"]
    chosen: str = session.get("language", "")
    return chosen if chosen in offered else _best_of(request.headers.get("Accept-Language"), offered)


@lru_cache(1_000)
def _best_of(accepted: str | None, offered: tuple[str, ...]) -> str:
    """Of the languages a browser asks for, whatever the country: de-AT is German. Every phone asks for the same ones all evening."""
    wanted = (tag.partition("-")[0].lower() for tag in parse_accept_header(accepted, LanguageAccept).values())
    return next((each for each in wanted if each in offered), offered[0])
