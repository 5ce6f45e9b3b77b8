"""Not one of pytest's: Lighthouse looks at home, lobby, resolver and every game's table as a phone on plain HTTP loads them. Ends with
status 1 where performance, accessibility or best practices are under 95. Needs npm and Chromium.

python tests/lighthouse.py [FOLDER]   # where Lighthouse is, or will be installed; without it in a temporary folder
"""

import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from browser.phones import FLAGS, Hand, in_play, new_table
from machine import WHOLE, playwright

from companion.games import GAMES

PACKAGE = "lighthouse@12"
CATEGORIES = ("performance", "accessibility", "best-practices")
LEAST = 95
ONLY_WITH_HTTPS = ("is-on-https", "redirects-http")
TRIES = 3  # a machine that is busy with something else looks like a slow page
RESOLVER = "/who-wins/crazy-lab?players=4&trump=green&cards=green:3,green:0,green:5,green:5"


def main(folder):
    program = _installed(folder)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, _chromium(Path(place) / "profile") as port, playwright() as it:
        table, phone = new_table(Path(place) / "instance"), it.chromium.connect_over_cdp(f"http://127.0.0.1:{port}").contexts[0]
        try:
            good = [_good([program, f"--port={port}"], phone, table, *page) for page in _pages(table)]  # all, also after a bad one
        finally:
            table.server.stop()
    return 0 if all(good) else 1


def _installed(folder):
    subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", PACKAGE], cwd=folder, check=True)
    return folder / "node_modules" / ".bin" / "lighthouse"


@contextmanager
def _chromium(profile):
    """A browser that knows our name for this machine; gives the port by which it is led."""
    command = [WHOLE.here().path, "--headless=new", *FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
    process, note = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), profile / "DevToolsActivePort"
    while not (note.exists() and note.read_text().count("\n")):
        time.sleep(0.1)
    try:
        yield note.read_text().split()[0]
    finally:
        process.terminate()
        process.wait(60)


def _pages(table):
    """Every page with the hand that holds the phone's cookie."""
    yield Hand(table.port), "/"
    yield Hand(table.port), RESOLVER
    for game in GAMES:
        hand = Hand(table.port)
        lobby, match = in_play(hand, game)
        yield hand, match
    yield hand, lobby


def _good(program, phone, table, hand, path):
    phone.clear_cookies()
    phone.add_cookies([{"name": each.name, "value": each.value, "url": table.url} for each in hand.jar])
    for _ in range(TRIES):
        report = _report(program, table.url + path)
        scores = {name: round(report["categories"][name]["score"] * 100) for name in CATEGORIES}
        print(path, scores, flush=True)
        if min(scores.values()) >= LEAST:
            return True
    print("\n".join(_faults(report)))
    return False


def _report(program, url):
    more = [f"--only-categories={','.join(CATEGORIES)}", f"--skip-audits={','.join(ONLY_WITH_HTTPS)}"]
    command = [*program, url, "--quiet", "--output=json", *more]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)


def _faults(report):
    for audit in report["audits"].values():
        if audit["score"] is not None and audit["score"] < 1:
            yield f"  {audit['score']:.2f} {audit['id']}: {audit['title']} {audit.get('displayValue', '')}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(Path(folder)))
