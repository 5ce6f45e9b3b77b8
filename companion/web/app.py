"""The application factory: configuration, extensions, blueprints, and what keeps others out."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.routing import IntegerConverter

from companion.i18n import TRANSLATIONS, languages
from companion.instance import assets_folder, instance_folder, secret_key
from companion.web import (
    errors,
    exports,
    history,
    house_rules,
    matches,
    nights,
    pages,
    permissions,
    plugins,
    render,
    resolver,
    results,
    rules,
    seating,
    security,
    sse,
)
from companion.web.extensions import babel, compress, csrf, htmx, limiter
from companion.web.i18n import language
from companion.web.services import start_services

MAX_BODY = 64 * 1024
BLUEPRINTS = tuple(part.views for part in (pages, nights, seating, matches, sse, resolver, rules, house_rules, results, history, exports))


class Number(IntegerConverter):
    """A number in an address: ASCII digits, where `\\d` would take those of every script."""

    regex = "[0-9]{1,9}"


def build(instance: Path | str | None, url: str, hosts: tuple[str, ...], address: str | None = None) -> Flask:
    folder = instance_folder(instance)
    templates, static = (str(assets_folder(name)) for name in ("templates", "static"))
    app = Flask("companion", template_folder=templates, static_folder=static, instance_path=str(folder.resolve()))
    _configure(app, folder, url, hosts)
    app.extensions["companion"] = start_services(folder, address, url.rstrip("/"))
    htmx.init_app(app)
    compress.init_app(app)
    csrf.init_app(app)
    limiter.init_app(app)
    babel.init_app(app, locale_selector=language, default_translation_directories=str(TRANSLATIONS))
    _register(app)
    return app


def _register(app: Flask) -> None:
    app.url_map.converters["int"] = Number
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    plugins.install(app)
    security.install(app)
    permissions.install(app)
    errors.install(app)
    render.install(app)


def _configure(app: Flask, folder: Path, url: str, hosts: tuple[str, ...]) -> None:
    home = urlsplit(url)
    app.config.update(
        SECRET_KEY=secret_key(folder),
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_MEMORY_SIZE=MAX_BODY,
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
        COMPRESS_STREAMS=False,
        LANGUAGES=languages(),
    )
