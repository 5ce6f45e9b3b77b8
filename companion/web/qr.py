"""QR codes, and the address in the one that lets phones in."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import qrcode
from markupsafe import Markup
from qrcode.image.svg import SvgPathImage

from companion.web.services import services


def join_url(token: str) -> str:
    """Where phones come in: always the configured address, never what a request claims to be."""
    return f"{services().url}/j/{token}"


@lru_cache(1_000)
def qr(text: str) -> Markup:
    image = qrcode.make(text, image_factory=SvgPathImage, border=4)
    out = BytesIO()
    image.save(out)
    svg = out.getvalue().decode()
    return Markup(svg[svg.index("<svg") :].replace("<svg ", '<svg class="qr" role="img" aria-label="QR" ', 1))
