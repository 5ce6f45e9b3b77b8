"""A match is its log: fold the lines into a position. Undo and amend are lines like any other; nothing is ever taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from itertools import takewhile
from operator import attrgetter
from typing import Any, Literal

from companion.games import AnyGame, read_action
from companion.games.base import Ask, Figure, Name, Note, Plain, RuleError, Standing, Step, Text, Viewer

Kind = Literal["act", "undo", "amend"]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log: a report, or the undoing or amending of an earlier one."""

    n: int
    kind: Kind
    data: Plain  # the action; nothing for an undo
    of: int | None  # the line that is undone or amended
    by: str | None  # the person who typed it
    key: str
    at: datetime


class LogError(Exception):
    """A line that does not fit the log: what it names is not in force."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class Broken(LogError):
    """Undoing or amending would make a later entry wrong."""

    def __init__(self, n: int, error: RuleError) -> None:
        super().__init__(Text("A later entry (number {n}) would no longer be right: {reason}", n=n, reason=error.text))
        self.n, self.rule = n, error.rule


@dataclass(frozen=True, slots=True)
class AppliedEntry:
    """An entry in force: its line, the action as it stands now, and the step it made."""

    line: LogEntry
    action: Plain
    before: Any
    step: Step[Any]
    amended: LogEntry | None = None


@dataclass(frozen=True)
class Position:
    """Where a match stands after its last line."""

    game: AnyGame
    players: int
    start: Any
    booked: tuple[AppliedEntry, ...] = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    version: int = 0  # the number of lines

    @property
    def state(self) -> Any:
        return self.booked[-1].step.state if self.booked else self.start

    @property
    def over(self) -> bool:
        return self.game.over(self.state)

    @property
    def changes(self) -> int:
        """Stays the same while entries are only added; rises with everything that is undone or amended."""
        return self.version - len(self.booked)

    def after(self, line: LogEntry) -> Position:
        """The position after one more line; a RuleError or LogError leaves this one as it is."""
        match line.kind:
            case "act":
                return _booked(self, line, line.data, version=line.n)
            case "undo":
                position = _undone(self, line)
            case "amend":  # pragma: no branch: there is no other kind
                position = _amended(self, line)
        return replace(position, version=line.n)

    @cached_property
    def asks(self) -> dict[str, Ask]:
        """The open questions by their ids."""
        return {ask.id: ask for ask in self.game.asks(self.state)}

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        return self.game.standings(self.state)

    def find(self, n: int | None) -> int:
        """The place of an entry in force."""
        for place in range(len(self.booked) - 1, -1, -1):
            if self.booked[place].line.n == n:
                return place
        raise LogError(Text("That entry has been undone already."))

    def answer_to(self, ask: str) -> AppliedEntry | None:
        """The entry that answered a question which is no longer open."""
        for entry in reversed(self.booked):
            if any(each.id == ask for each in self.game.asks(entry.before)):
                return entry
        return None

    def seen_by(self, viewer: Viewer) -> PlayerView:
        return PlayerView(self, viewer)


def begin(game: AnyGame, players: int, options: Any) -> Position:
    return Position(game, players, game.setup(players, options))


def fold(position: Position, lines: Iterable[LogEntry]) -> Position:
    for line in lines:
        position = position.after(line)
    return position


def _booked(position: Position, line: LogEntry, action: Plain, amended: LogEntry | None = None, version: int = 0) -> Position:
    before, game = position.state, position.game
    step = game.apply(before, read_action(game, action, position.players))
    rounds = position.rounds if step.scored is None else (*position.rounds, step.scored)
    booked = (*position.booked, AppliedEntry(line, action, before, step, amended))
    return Position(game, position.players, position.start, booked, rounds, version or position.version)


def _undone(position: Position, line: LogEntry) -> Position:
    place = position.find(line.of)
    return _played_on(_back_to(position, place), position.booked[place + 1 :])


def _amended(position: Position, line: LogEntry) -> Position:
    place = position.find(line.of)
    changed = _booked(_back_to(position, place), position.booked[place].line, line.data, line)
    return _played_on(changed, position.booked[place + 1 :])


def _back_to(position: Position, place: int) -> Position:
    """The position before the entry at that place."""
    gone = sum(entry.step.scored is not None for entry in position.booked[place:])
    rounds = position.rounds[: len(position.rounds) - gone]
    return replace(position, booked=position.booked[:place], rounds=rounds)


def _played_on(position: Position, entries: Sequence[AppliedEntry]) -> Position:
    hidden = {entry.line.n for entry, secret in _with_secrets(position.game, entries) if secret}
    for entry in entries:
        if entry.line.n in hidden:
            _check_choices(position, entry)
        try:
            position = _booked(position, entry.line, entry.action, entry.amended)
        except RuleError as error:
            raise Broken(entry.line.n, error) from None
    return position


def _check_choices(position: Position, entry: AppliedEntry) -> None:
    """Whether a hidden choice still fits would tell what it is: where it could be chosen from other values, it is in the way."""
    seat = entry.action["seat"]
    if _choices(position.game, position.state, entry.action) != _choices(position.game, entry.before, entry.action):
        raise LogError(Text("{player} has chosen in secret after this entry; that has to be undone first.", player=Name(seat)))


def _choices(game: AnyGame, state: Any, action: Plain) -> list[Plain]:
    """What a seat can choose from in secret; nothing where it is not asked."""
    asked = [ask for ask in game.asks(state) if ask.do == action["do"] and action["seat"] in ask.seats]
    return [value for ask in asked for value in next(ask.form()).values]


# ---- what may be seen ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """An entry as a viewer may see it."""

    n: int
    do: str
    seat: int | None  # for whom it was entered
    by: str | None
    at: datetime
    notes: tuple[Note, ...]
    amended: bool
    action: Plain  # None where it is somebody else's secret
    scored: bool  # whether it ended a round


@dataclass(frozen=True, slots=True)
class Change:
    """What an entry did to a seat's points, and which round it ended; a round can bring nothing."""

    told: Told
    before: int
    after: int
    round: int | None


@dataclass(frozen=True, slots=True)
class Mark:
    """Where everybody stood at one point of the match: after a round, or where there are none after an entry."""

    kind: Literal["start", "round", "entry"]
    n: int  # the number of the round or of the entry
    standings: tuple[Standing, ...]
    scored: tuple[int, ...] = ()  # what the round brought each seat

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(each.points for each in self.standings)

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(each.rank for each in self.standings)


@dataclass(frozen=True)
class PlayerView:
    """A position as some seats may see it: the only way to templates, streams, exports and JSON."""

    _position: Position
    viewer: Viewer

    @property
    def game(self) -> AnyGame:
        return self._position.game

    @property
    def players(self) -> int:
        return self._position.players

    @property
    def version(self) -> int:
        return self._position.version

    @property
    def changes(self) -> int:
        return self._position.changes

    @property
    def over(self) -> bool:
        return self._position.over

    @property
    def rounds(self) -> Sequence[tuple[int, ...]]:
        return self._position.rounds

    @cached_property
    def state(self) -> Any:
        return self.game.view(self._position.state, self.viewer)

    @property
    def standings(self) -> tuple[Standing, ...]:
        return self._position.standings

    @property
    def ranking(self) -> list[Standing]:
        """The same, whoever is ahead first."""
        return sorted(self.standings, key=attrgetter("rank"))

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What these seats may answer; a question of other seats is theirs."""
        return tuple(ask for ask in self._position.asks.values() if not ask.seats or self.viewer.intersection(ask.seats))

    @property
    def awaited(self) -> tuple[Name, ...]:
        """The seats that a needed question belongs to."""
        return tuple(Name(seat) for ask in self._position.asks.values() if ask.needed for seat in ask.seats)

    def story(self, most: int | None = None) -> list[Told]:
        """The entries in force, newest first."""
        entries = self._position.booked if most is None else self._position.booked[-most:]
        return [self._told(entry, hidden) for entry, hidden in _with_secrets(self.game, entries)]

    @property
    def closing(self) -> tuple[Note, ...]:
        """What was said when the last round ended."""
        return next((entry.step.notes for entry in reversed(self._position.booked) if entry.step.scored is not None), ())

    def entry(self, n: int) -> Told:
        place = self._position.find(n)
        later = list(_with_secrets(self.game, self._position.booked[place:]))
        return self._told(*later[-1])

    def number(self, place: int) -> int:
        """The number of the entry at that place among those in force, counted from 0."""
        return self._position.booked[place].line.n

    def course(self, seat: int) -> list[Change]:
        """The entries that changed a seat's points or ended a round, newest first."""
        changes, rounds = [], len(self.rounds)
        for told, entry in zip(self.story(), reversed(self._position.booked), strict=True):
            before, after = (self.game.standings(state)[seat].points for state in (entry.before, entry.step.state))
            if told.scored or before != after:
                changes.append(Change(told, before, after, rounds if told.scored else None))
            rounds -= told.scored
        return changes

    def marks(self) -> list[Mark]:
        """The course of the match: its start, then every round; in a game without rounds every entry that changed the standings."""
        position = self._position
        rounds = [entry for entry in position.booked if entry.step.scored is not None]
        found = [Mark("start", 0, self.game.standings(position.start))]
        found += [Mark("round", n, self.game.standings(entry.step.state), entry.step.scored or ()) for n, entry in enumerate(rounds, 1)]
        for entry in position.booked[-1:] if rounds else position.booked:  # an open round can have points already
            after = Mark("entry", entry.line.n, self.game.standings(entry.step.state))
            if (after.points, after.ranks) != (found[-1].points, found[-1].ranks):
                found.append(after)
        found[-1] = replace(found[-1], standings=self.standings)  # the last entry may have said no more than that it is over
        return found

    def figures(self, seat: int) -> dict[str, tuple[Figure, list[tuple[Told, Figure, Figure]]]]:
        """Each further number of a seat, with the entries that changed it, newest first: of the open round, where there are rounds."""
        told = {each.n: each for each in self.story()}
        steps = [
            (told[entry.line.n], self._figures(entry.before, seat), self._figures(entry.step.state, seat)) for entry in self._open_round()
        ]
        return {
            name: (now, [(each, before[name], after[name]) for each, before, after in steps if before[name] != after[name]])
            for name, now in self._figures(self._position.state, seat).items()
        }

    def _figures(self, state: Any, seat: int) -> dict[str, Figure]:
        return self.game.figures(self.game.view(state, self.viewer), seat)

    def _open_round(self) -> Iterator[AppliedEntry]:
        return takewhile(lambda entry: entry.step.scored is None, reversed(self._position.booked))

    def _told(self, entry: AppliedEntry, hidden: bool) -> Told:
        seat = entry.action.get("seat")
        action = None if hidden and seat not in self.viewer else entry.action
        line = entry.line
        scored, amended = entry.step.scored is not None, entry.amended is not None
        return Told(line.n, entry.action["do"], seat, line.by, line.at, entry.step.notes, amended, action, scored)


def _with_secrets(game: AnyGame, entries: Sequence[AppliedEntry]) -> Iterator[tuple[AppliedEntry, bool]]:
    """Newest first, with whether it is a secret still: until a round is scored after it."""
    secrets = _secrets(game)
    scored = False
    for entry in reversed(entries):
        scored = scored or entry.step.scored is not None
        yield entry, entry.action["do"] in secrets and not scored


@cache
def _secrets(game: AnyGame) -> frozenset[str]:
    """The actions that are secret until the round is scored."""
    return frozenset(kind.do for kind in game.actions if kind.secret)
