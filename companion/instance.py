"""Where the database and the key are kept on this machine, and where the program's own files lie."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent
KEY_LENGTH = 32  # bytes


def assets_folder(name: str) -> Path:
    """A folder of templates or static files: inside the package when installed, beside it in a checkout."""
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
