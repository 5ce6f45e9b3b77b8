"""Makes the catalogues that the program reads (.mo) out of those that people write (.po), whenever it is built or installed."""

from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))


def compile_catalogues(root: Path) -> None:
    for source in (root / "companion" / "translations").glob("*/LC_MESSAGES/messages.po"):
        compiled = BytesIO()
        with source.open("rb") as file:
            write_mo(compiled, read_po(file))
        source.with_suffix(".mo").write_bytes(compiled.getvalue())
