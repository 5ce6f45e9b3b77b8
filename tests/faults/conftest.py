"""What the fault tests share."""

import pytest
from conftest import needed
from faults.disks import Disk
from faults.servers import Nursery
from machine import COMPILER


@pytest.fixture(scope="session")
def nursery():
    """Gives running servers quickly."""
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture(scope="session")
def disk(tmp_path_factory):
    """A disk that notes what servers do to it; they come from `disk.nursery`."""
    disk = Disk(tmp_path_factory.mktemp("watched"), needed(COMPILER))
    disk.nursery = Nursery(disk.environment)
    yield disk
    disk.nursery.close()
