"""Ports for the servers of tests, also where several workers run at once."""

import os
import random
import socket
from itertools import count

FIRST, EACH, SHARES = 10_000, 1_000, 22  # below 32,768: from there on the system takes the near ends of connections
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
_next = count(random.randrange(EACH))


def free_port():
    """A port that nobody listens on, and that no other worker is given."""
    while True:
        port = FIRST + _worker % SHARES * EACH + next(_next) % EACH
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
