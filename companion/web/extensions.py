"""The Flask extensions that views use; `app.py` binds them to an application."""

from __future__ import annotations

from flask_babel import Babel
from flask_compress import Compress
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFProtect
from htmx_flask import Htmx

babel = Babel()
compress = Compress()
csrf = CSRFProtect()
htmx = Htmx()
limiter = Limiter(get_remote_address, storage_uri="memory://")
