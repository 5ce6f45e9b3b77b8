"""Serving many: several processes on one PostgreSQL, behind a proxy with HTTPS. Refuses to start where that would not be safe.

With gunicorn, this module is also its configuration:

    COMPANION_DATABASE=postgresql://… COMPANION_URL=https://games.example COMPANION_KEY=$(openssl rand -hex 32) \\
    gunicorn --config python:companion.hosted --workers 4 'companion.hosted:app()'
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.games.base import Text
from companion.i18n import InWords

KEY = re.compile(r"[0-9a-f]{64,}", re.ASCII)
NO_HTTPS = Text(
    "Give the address that phones use with --url https://… (or COMPANION_URL): cookies and hidden choices would travel in the open "
    "without HTTPS. On a network of your own, --plain-http allows it."
)
NO_KEY = Text("All processes need the same key: set COMPANION_KEY (openssl rand -hex 32), or give an instance folder with a secret.key.")
MAX_FILES = 10_240  # connections and files; macOS gives a program no more
CANNOT_LOAD = 4  # gunicorn then stops; with any other status it tries again


class NotSafe(InWords):
    """… without a risk for everybody's data."""


class NotThere(NotSafe):
    """… and perhaps there is, a little later: PostgreSQL is being started, or started again."""


def app() -> Flask:
    """For gunicorn: everything comes from the environment."""
    try:
        return shared_app(
            os.environ.get("COMPANION_DATABASE", ""), os.environ.get("COMPANION_URL", ""), os.environ.get("COMPANION_INSTANCE")
        )
    except NotSafe as error:
        print(error, file=sys.stderr, flush=True)
        if isinstance(error, NotThere):
            time.sleep(1)  # gunicorn starts the next worker at once
            sys.exit(1)
        sys.exit(CANNOT_LOAD)


def shared_app(
    database: str, url: str, instance: Path | str | None, hosts: tuple[str, ...] = (), plain_http: bool = False, proxies: int = 1
) -> Flask:
    """The application on a PostgreSQL that other processes use, too."""
    _check(database, url, plain_http, instance)
    made = _made(database, url, instance, hosts)
    if not plain_http:
        made.wsgi_app = ProxyFix(made.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]
    log_requests(made)
    _sweep(made)
    return made


def _made(database: str, url: str, instance: Path | str | None, hosts: tuple[str, ...]) -> Flask:
    from sqlalchemy.exc import SQLAlchemyError  # late: gunicorn reads its configuration from here before anything is patched

    from companion import create_app
    from companion.database import NewerSchema

    try:
        return create_app(instance, url, hosts, database)
    except NewerSchema:
        text = Text("The data in the database was written by a newer version of Companion. Update the program; nothing was changed.")
        raise NotSafe(text) from None
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise NotThere(Text("The database cannot be used: {reason}", reason=reason)) from None


def _sweep(made: Flask) -> None:
    """Idle nights are archived and old ones deleted, as long as this process runs."""
    from companion.expiry import Sweeper

    Sweeper(made.extensions["companion"]).start()


def _check(database: str, url: str, plain_http: bool, instance: Path | str | None) -> None:
    if urlsplit(database).scheme not in ("postgresql", "postgres"):
        raise NotSafe(Text("Several processes need a PostgreSQL: give its address, postgresql://user@host/name."))
    if urlsplit(url).scheme != "https" and not plain_http:
        raise NotSafe(NO_HTTPS)
    key = os.environ.get("COMPANION_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise NotSafe(Text("COMPANION_KEY must have at least 64 hexadecimal digits. Make one with: openssl rand -hex 32"))
    if key is None and not (instance and (Path(instance) / "secret.key").exists()):
        raise NotSafe(NO_KEY)


def allow_many_connections() -> None:
    """Some systems let a program open only 256 files unless it asks for more: one guest could take them all."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


# ---- logs: a line of JSON for every answer, without names, tokens, codes or addresses of nights ----------------------


def log_requests(app: Flask) -> None:
    log = logging.getLogger("companion.requests")
    log.setLevel(logging.INFO)
    if not log.handlers:
        log.addHandler(logging.StreamHandler(sys.stderr))
    log.propagate = False

    @app.before_request
    def start() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def write(response: Response) -> Response:
        log.info(json.dumps(_line(response)))
        return response


def _line(response: Response) -> dict[str, Any]:
    """The rule of the route, never the address that was asked for: tokens are in it."""
    took = (time.perf_counter() - g.began) * 1_000 if "began" in g else 0.0
    rule = str(request.url_rule) if request.url_rule else None
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {"at": when, "method": request.method, "route": rule, "status": response.status_code, "ms": round(took, 1)}


# ---- gunicorn --------------------------------------------------------------------------------------------------------

worker_class = "gevent"
worker_connections = (
    10_000  # above what a process takes in streams: with gunicorn's own 1,000 so many open pages would leave no room for entries
)
bind = os.environ.get("COMPANION_BIND", "127.0.0.1:8000")
accesslog = None  # addresses hold tokens; the lines above are instead
graceful_timeout = 10
keepalive = 75


def post_worker_init(worker: Any) -> None:
    """Room for many phones. Asked to end, streams are told so at once: their pages come back to another worker and get everything anew."""
    allow_many_connections()
    stop = worker.handle_exit

    def end(sig: Any, frame: Any) -> None:
        worker.wsgi.extensions["companion"].live.stop()
        stop(sig, frame)

    import gevent

    gevent.signal_handler(15, end, 15, None)


def worker_exit(server: Any, worker: Any) -> None:
    if hasattr(worker, "wsgi"):  # not where it refused to start
        worker.wsgi.extensions["companion"].database.close()
