"""Nights of the past, written straight into the tables: finished matches with results, as the store would have left them."""

import random
from datetime import UTC, datetime, timedelta

from sqlmodel import select

from companion.models import Match, Night, Person
from companion.names import key_of, new_code
from companion.nights import hashed

FIRST = datetime(2025, 1, 3, 19, 30, tzinfo=UTC)
GAMES = {"crazy-lab": 4, "ligretto-crazy": 4, "crazy-race": 3, "the-academy": 4, "tricky-cribby": 4}
NAMES = ("Ana", "Ben", "Cem", "Dia", "Eli", "Oma Ingeborg", "Maximiliana-Wilhelmine X")


class PastNights:
    """Writes one night after the other, a week apart."""

    def __init__(self, app):
        self.parts, self.weeks = app.extensions["companion"], 0

    def night(self, *names, name="Game night", watching=()):
        """A night with these people; gives its id and theirs by name."""
        at = FIRST + timedelta(weeks=self.weeks)
        self.weeks += 1
        night = Night(name=name, code=new_code(), created_at=at)
        people = [self._person(night, each, at, each in watching) for each in (*names, *watching)]
        night.host_id = people[0].id
        with self.parts.database.write() as session:
            session.add(night)
            session.flush()
            session.add_all(people)
        return night.id, {person.name: person.id for person in people}

    def _person(self, night, name, at, watching):
        return Person(night_id=night.id, name=name, key=key_of(name), code=new_code(), watching=watching, joined_at=at, phone=hashed(name))

    def match(self, night, seats, points, game="ligretto-crazy", minutes=30, options=None, ranks=None):
        """A finished match; the highest points have won."""
        ranks = ranks or [1 + sum(other > each for other in points) for each in points]
        result = {"points": points, "ranks": ranks, "winners": [seat for seat, rank in enumerate(ranks) if rank == 1]}
        with self.parts.database.write() as session:
            before = len(session.exec(select(Match.id).where(Match.night_id == night)).all())
            started = session.get(Night, night).created_at + timedelta(minutes=60 * before)
            ended = started + timedelta(minutes=minutes)
            match = Match(
                night_id=night, game=game, seats=seats, options=options or {}, started_at=started, finished_at=ended, result=result
            )
            session.add(match)
        return match.id

    def many(self, matches, each=10, names=NAMES, seed=1):
        """So many matches, some a night, of all games; gives the nights, the oldest first."""
        chance, nights = random.Random(seed), []
        for number in range(matches):
            if number % each == 0:
                nights.append(self.night(*names, name=f"Friday {number // each + 1}"))
            night, ids = nights[-1]
            game = chance.choice(list(GAMES))
            seats = chance.sample(list(ids.values()), GAMES[game])
            self.match(night, seats, [chance.randint(-5, 120) for _ in seats], game, chance.randint(12, 75))
        return nights
