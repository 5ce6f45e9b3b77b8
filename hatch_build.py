"""Makes what is not kept in git, whenever the project is built or installed: the catalogues that the program reads (.mo) out of those that
people write (.po), and the scripts of others, which come out of the package that has them."""

import hashlib
from importlib.util import find_spec
from io import BytesIO
from os import getpid
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDORED = {  # what it is called with us, where it lies in django-htmx, of which nothing else is used, and its SHA-256
    "htmx.min.js": ("htmx-2.min.js", "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de")
}


class Made(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))
        fetch_vendored(Path(self.root))


def compile_catalogues(root: Path) -> None:
    for source in (root / "companion" / "translations").glob("*/LC_MESSAGES/messages.po"):
        compiled = BytesIO()
        with source.open("rb") as file:
            write_mo(compiled, read_po(file))
        _put(source.with_suffix(".mo"), compiled.getvalue())


def fetch_vendored(root: Path) -> None:
    """… unless it is there, as in a source archive: then the package is not needed."""
    for name, (file, sha256) in VENDORED.items():
        place = root / "static" / "vendor" / name
        if not place.exists() or _sha256(place) != sha256:
            place.parent.mkdir(exist_ok=True)
            _put(place, _known(_package() / "static" / "django_htmx" / file, sha256))


def _put(place: Path, data: bytes) -> None:
    """Whole, and only where it is another: somebody else may be packing the same folder."""
    if not place.exists() or place.read_bytes() != data:
        fresh = place.with_name(f"{place.name}.{getpid()}")
        fresh.write_bytes(data)
        fresh.replace(place)


def _package() -> Path:
    found = find_spec("django_htmx")
    if found is None or found.origin is None:
        raise FileNotFoundError("django-htmx is not installed, from which static/vendor is made")
    return Path(found.origin).parent


def _known(file: Path, sha256: str) -> bytes:
    if _sha256(file) != sha256:
        raise ValueError(f"{file.name} is not what it should be: it has another checksum")
    return file.read_bytes()


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
