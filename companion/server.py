"""Serving on a laptop: one process, any number of phones, until Ctrl-C."""

from gevent import monkey

monkey.patch_all()

import argparse  # noqa: E402
import gc  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import ssl  # noqa: E402
import sys  # noqa: E402
from contextlib import nullcontext, suppress  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402
from urllib.parse import urlsplit  # noqa: E402

import gevent  # noqa: E402
import gevent.pywsgi  # noqa: E402
import qrcode  # noqa: E402
from flask import Flask  # noqa: E402
from gevent.event import Event  # noqa: E402
from gevent.pywsgi import WSGIServer  # noqa: E402

from companion import create_app  # noqa: E402
from companion.addresses import Address, machine_addresses  # noqa: E402
from companion.archive import CannotDo, alone  # noqa: E402
from companion.database import NewerSchema  # noqa: E402
from companion.games.base import Text  # noqa: E402
from companion.hosted import NotSafe, allow_many_connections, shared_app  # noqa: E402
from companion.i18n import InWords, told  # noqa: E402
from companion.instance import instance_folder  # noqa: E402

FIRST_PORT = 8000
PATIENCE = 75  # seconds without a byte after which a connection is closed; streams have their heartbeats
gevent.pywsgi.MAX_REQUEST_LINE = 512 * 1024  # an address that is too long gets a page in words, not the server's own bare line


class CannotStart(InWords):
    """… namely serving."""


class Server(WSGIServer):  # type: ignore[misc]
    def handle(self, sock: socket.socket, address: Any) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else every answer waits 40 ms
        sock.settimeout(PATIENCE)
        super().handle(sock, address)


def serve(given: argparse.Namespace) -> int:
    folder = instance_folder(given.instance)
    try:
        with alone(folder) if given.database is None else nullcontext():
            return _serve(given, folder)
    except (CannotStart, CannotDo) as error:
        return _say(str(error))
    except NewerSchema:
        text = Text(
            "The data in {folder} was written by a newer version of Companion. Update the program; nothing was changed.", folder=str(folder)
        )
        return _say(told(text))


def _say(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


def _serve(given: argparse.Namespace, folder: Path) -> int:
    tls = {"ssl_context": _certified(*given.https)} if given.https else {}
    listener = _listen(given.host, given.port)
    port = listener.getsockname()[1]
    addresses = [address for address in machine_addresses() if given.host in ("0.0.0.0", address.ip)]
    here = f"{'https' if given.https else 'http'}://{{}}:{port}"
    url = _checked(given.url) if given.url else here.format(addresses[0].ip if addresses else "127.0.0.1")
    app = _app(given, folder, url, (*(address.ip for address in addresses), *(given.trust or ())))
    allow_many_connections()
    server = Server(listener, app, log=None, error_log=sys.stderr, **tls)
    gc.freeze()  # what is there now stays; and with so many small objects to an entry, looking for garbage less often pays
    gc.set_threshold(20_000, 50, 50)
    ended = _signalled()
    server.start()
    _greet(url, here, addresses)
    ended.wait()
    _stop(server, app)
    print(told(Text("Good night. Everything is saved.")))
    return 0


def _app(given: argparse.Namespace, folder: Path, url: str, hosts: tuple[str, ...]) -> Flask:
    if given.database is None:
        return create_app(folder, url, hosts)
    try:
        return shared_app(given.database, url, folder, hosts, plain_http=given.plain_http)
    except NotSafe as error:
        raise CannotStart(error.text) from None


def _certified(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        text = Text(
            "The certificate {certificate} with the key {key} cannot be used: {error}", certificate=certificate, key=key, error=str(error)
        )
        raise CannotStart(text) from None
    return context


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise CannotStart(Text("--url must be an address such as https://games.example, not {url}", url=url))
    return url


def _listen(host: str, port: int | None) -> socket.socket:
    """The port asked for, else 8000 or the next free one."""
    for candidate in (port,) if port is not None else (*range(FIRST_PORT, FIRST_PORT + 20), 0):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError:
            listener.close()
            continue
        listener.listen(512)
        return listener
    if port is None:
        raise CannotStart(Text("This machine cannot listen on {host}. Leave out --host, or give one of its IPv4 addresses.", host=host))
    raise CannotStart(
        Text(
            "Port {port} is taken or not allowed on {host}. Choose another with --port, or leave it out to get a free one.",
            port=port,
            host=host,
        )
    )


def _greet(url: str, here: str, addresses: list[Address]) -> None:
    machine, phones = told(Text("On this machine")), told(Text("For phones"))
    wide = max(len(machine), len(phones)) + 3
    print("", told(Text("Companion is running.")), "", f"  {machine:{wide}}{here.format('127.0.0.1')}", sep="\n")
    for address in addresses:
        print(f"  {phones:{wide}}{here.format(address.ip)}   ({address.interface})")
    print("\n ", told(Text("Phones on the same Wi-Fi scan this, or type {url}", url=url)), end="\n\n")
    _print_qr(url)
    print(" ", told(Text("Stop with Ctrl-C.")), end="\n\n", flush=True)


def _print_qr(url: str) -> None:
    code = qrcode.QRCode(border=2)
    code.add_data(url)
    with suppress(UnicodeEncodeError):  # a terminal without block characters: the address above is enough
        "█▀▄".encode(sys.stdout.encoding or "ascii")
        code.print_ascii(invert=True)


def _signalled() -> Event:
    """Is set by Ctrl-C, and when the system asks to end."""
    ended = Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(name, ended.set)
    return ended


def _stop(server: Server, app: Flask) -> None:
    """Streams are told to end, answers under way are finished, the file is put in order."""
    parts = app.extensions["companion"]
    parts.live.stop()
    server.stop(timeout=2)
    parts.database.close()
