"""What the views work with: one of each for an application, found through the request."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flask import current_app

from companion.database import Database
from companion.history import TOPIC as WHO_IS_WHO
from companion.history import History
from companion.house_rules import HouseRules
from companion.live import Live
from companion.nights import Nights
from companion.store import Store
from companion.web import region_cache


@dataclass(frozen=True, slots=True)
class Services:
    database: Database
    live: Live
    nights: Nights
    store: Store
    house_rules: HouseRules
    history: History
    url: str  # where phones come in: always as configured, never what a request claims to be

    @classmethod
    def on(cls, database: Database, live: Live, url: str) -> Services:
        nights, store, house_rules = Nights(database, live), Store(database, live), HouseRules(database, live)
        return cls(database, live, nights, store, house_rules, History(database, live, nights, store, house_rules), url)

    def forget(self, night: str | None, played: bool = False) -> None:
        """Another process changed that night (None: any of them), or who is who: what is kept of it is old. Where they only `played`,
        nothing else changed than their matches."""
        if played:
            self.store.forget(night)
            return
        if night in (None, WHO_IS_WHO):
            region_cache.clear()
        self.nights.forget(night)
        self.store.forget(night)
        self.house_rules.forget(night)


def start_services(folder: Path, address: str | None, url: str) -> Services:
    """On the file in that folder, or on the PostgreSQL with that address."""
    if address is None:
        return Services.on(Database(folder), Live(), url)
    from companion.postgres import Postgres  # late: a laptop needs no driver for it

    database = Postgres(address, folder)
    services = Services.on(database, Live(database), url)
    database.listen(services.live, services.forget)
    return services


def services() -> Services:
    found: Services = current_app.extensions["companion"]
    return found


def nights() -> Nights:
    return services().nights


def store() -> Store:
    return services().store


def house_rules() -> HouseRules:
    return services().house_rules


def history() -> History:
    return services().history
