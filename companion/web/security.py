"""What keeps others out: only our own code runs, only our own pages can act."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from companion.nights import UserError
from companion.web.assets import is_static
from companion.web.i18n import _t
from companion.web.services import services

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")


def install(app: Flask) -> None:
    app.before_request(check_origin)
    app.after_request(add_headers)


def check_origin() -> None:
    """A change must come from a page of ours; browsers name the page's origin with every POST."""
    if request.method in SAFE:
        return
    headers = request.headers
    origin = headers.get("Origin")
    if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise UserError(_t("That came from another site, so nothing was done."), 403)
    if origin is not None and (place := _place(origin)) != request.host and place != _place(services().url):
        raise UserError(_t("That came from another site, so nothing was done."), 403)
    if request.content_length is None:  # it would be cut off at the limit and its beginning taken for the whole
        abort(411)


def _place(url: str) -> str | None:
    try:
        return urlsplit(url).netloc
    except ValueError:  # such as http://[
        return None


def add_headers(response: Response) -> Response:
    response.headers.extend(HEADERS)
    if not is_static(request.endpoint):
        response.headers["Cache-Control"] = "no-store"
    return response
