"""Pictures to pass on: a card with a headline and a few lines, as SVG, and as PNG for messengers that show nothing else.

PNG needs the extra `pictures`; without it there is SVG alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from textwrap import wrap
from typing import Any

from flask import Response, abort, render_template

from companion.i18n import plain

try:
    import font_source_sans_pro as fonts
    import resvg_py
except ImportError:
    resvg_py = fonts = None  # type: ignore[assignment]

PNG = resvg_py is not None
HEADLINE, LINE = 26, 50  # characters that fit across
ROWS = {1: 7, 2: 5}  # of text below a headline of one row or two
MAX_KEPT = 200
GROUND = "#14532d"  # of the icon


def svg(kicker: str, headline: str, lines: Sequence[str]) -> str:
    """Small above, large, then what there is to say; what does not fit ends in an ellipsis."""
    large = _fitted([headline], HEADLINE, 2)
    return render_template("picture.svg", kicker=kicker, headline=large, lines=_fitted(lines, LINE, ROWS[len(large)]))


def png(kicker: str, headline: str, lines: Sequence[str]) -> bytes:
    return _drawn(svg(kicker, headline, lines)) if PNG else abort(404)


def answer(picture: str | bytes) -> Response:
    return Response(picture, mimetype="image/png" if isinstance(picture, bytes) else "image/svg+xml")


@cache
def icon(source: Path, pixels: int, whole: bool) -> bytes:
    """The icon as phones want it; `whole` fills the square to its corners, for those that cut out a shape of their own."""
    drawing = source.read_text(encoding="utf-8")
    if whole:
        inner = drawing.replace("<svg ", '<svg x="6.4" y="6.4" width="51.2" height="51.2" ', 1)
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{GROUND}"/>{inner}</svg>'
    return _rasterized(drawing, width=pixels, height=pixels)


@lru_cache(MAX_KEPT)
def _drawn(picture: str) -> bytes:
    """The same on every machine: only the font that comes with us, and nothing fetched."""
    files = [fonts.font_files_ttf[each] for each in ("SourceSansPro", "SourceSansProBold")]
    return _rasterized(picture, font_files=files, sans_serif_family="Source Sans Pro")


def _rasterized(picture: str, **how: Any) -> bytes:
    drawn: bytes = resvg_py.svg_to_bytes(svg_string=picture, skip_system_fonts=True, **how)
    return drawn


def _fitted(texts: Sequence[str], width: int, most: int) -> list[str]:
    rows = [row for text in texts for row in wrap(plain(text), width) or [""]]
    return rows if len(rows) <= most else [*rows[: most - 1], rows[most - 1][: width - 2] + " …"]
