"""A dispute as the table sees it: the verdict, what is proposed, who accepted, what was answered before, and how it is entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.games import AnyGame, Shape, read_action, shape_of, verdict_on
from companion.games.base import SKIP, Ask, Field, Name, Plain, RuleError, Text, Verdict
from companion.games.forms import NotOffered, is_offered, look_up, walk
from companion.match_log import AppliedEntry, Position
from companion.models import Dispute, Match
from companion.nights import NightSnapshot
from companion.web.render import encoded
from companion.web.services import house_rules


@dataclass(frozen=True, slots=True)
class Booking:
    """How something is entered: the question it answers, the fields that are known, and those that are still to be chosen."""

    ask: Ask
    known: Mapping[str, str]
    open: tuple[Field, ...]
    action: Plain  # with the first choice of each

    @property
    def by_cards(self) -> bool:
        return any(name.startswith("cards.") for name in self.known)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a table answered to the same question before, told with the seats of now."""

    dispute: Dispute
    verdict: Verdict
    winner: int | None  # by the house rule; none where it is in words, or the verdict was accepted

    @property
    def words(self) -> str:
        return str((self.dispute.answer or {}).get("text", ""))

    @property
    def gets_it(self) -> int | None:
        """By what is proposed, or was settled."""
        return self.winner if self.dispute.answer else self.verdict.winner


@dataclass(frozen=True, slots=True)
class Raised(Earlier):
    """A dispute of this match."""

    entry: AppliedEntry | None  # what was entered for it
    earlier: Earlier | None
    booking: Booking | None
    needed: tuple[str, ...]  # whose word would settle it

    @property
    def waiting(self) -> list[str]:
        return [person for person in self.needed if person not in self.dispute.accepted]


def open_at(room: NightSnapshot, match: Match, position: Position) -> list[Raised]:
    """What is open at this table, and what was settled since the last entry."""
    shown = [each for each in house_rules().disputes(match.id) if not each.settled_at or each.settled_n == position.version]
    return [raised for raised in (_raised(each, room, match, position) for each in shown) if raised]


def _raised(dispute: Dispute, room: NightSnapshot, match: Match, position: Position) -> Raised | None:
    question = with_names(room, match, dispute.question)
    found = told(position.game, dispute, question)
    if found is None:
        return None
    earlier = earlier_answer(room, position.game, question, but=dispute.id)
    entry = entry_for(dispute, position)
    booking = _booking(found, position) if dispute.settled_at and not entry else None
    return Raised(dispute, found.verdict, found.winner, entry, earlier, booking, voices(room, match))


def _booking(found: Earlier, position: Position) -> Booking | None:
    """By the verdict, or by who gets it under the house rule; words alone enter nothing."""
    if found.words:
        return None
    return booking_of(position, found.dispute.question, found.gets_it, by_rules=found.dispute.answer is None)


def with_names(room: NightSnapshot, match: Match, question: Mapping[str, Plain]) -> dict[str, Plain]:
    """The question with the names of those who sit there."""
    return {**question, "players": room.names(match.seats)}


def told(game: AnyGame, dispute: Dispute, question: dict[str, Plain]) -> Earlier | None:
    """What was answered, for those who ask now; None where the rules no longer understand the question."""
    verdict = verdict_on(game, question)
    if isinstance(verdict, RuleError):
        return None
    return Earlier(dispute, verdict, _house_winner(dispute, shape_of(game, question)))


def _house_winner(dispute: Dispute, shape: Shape) -> int | None:
    place = (dispute.answer or {}).get("place")
    return None if place is None else shape.turns[place]


def earlier_answer(room: NightSnapshot, game: AnyGame, question: dict[str, Plain], but: str = "") -> Earlier | None:
    """What was answered to the same question before, at this night or at one that shares its house rules."""
    found = house_rules().earlier(room.night, game.id, shape_of(game, question).facts, but)
    return told(game, found, question) if found else None


def voices(room: NightSnapshot, match: Match) -> tuple[str, ...]:
    """Everybody at the table who has a phone to answer with."""
    return tuple(id for id in match.seats if room.everybody[id].phone)


# ---- in the story ----------------------------------------------------------------------------------------------------


def entry_for(dispute: Dispute, position: Position) -> AppliedEntry | None:
    """What was entered for a dispute: the first entry in force since then that answered what the match waited for, if it is a trick."""
    for entry in position.booked:
        if entry.line.n > dispute.since and dispute.ask not in {ask.id for ask in position.game.asks(entry.step.state)}:
            return entry if _is_about(entry.action, dispute.question) else None
    return None


def _is_about(action: Plain, question: Mapping[str, Plain]) -> bool:
    """Whether that may be the trick in question: one can be asked about at any time, also while something else is to be entered."""
    is_trick = "winner" in action or "cards" in action
    return is_trick and action.get("trump", question.get("trump")) == question.get("trump")


def remarks(room: NightSnapshot, match: Match, position: Position) -> dict[int, list[Text]]:
    """What the table had answered, by the number of the entry: a house rule never changes a score in silence."""
    found: dict[int, list[Text]] = {}
    for dispute in house_rules().disputes(match.id):
        entry = entry_for(dispute, position) if dispute.settled_at else None
        answered = told(position.game, dispute, with_names(room, match, dispute.question)) if entry else None
        if entry and answered:
            found.setdefault(entry.line.n, []).append(remark(answered))
    return found


def remark(answered: Earlier) -> Text:
    if answered.dispute.answer is None:
        return Text("Disputed, and the verdict was accepted.")
    rules = by_the_rules(answered.verdict)
    if answered.winner is None:
        return Text("House rule: “{words}”. {rules}", words=answered.words, rules=rules)
    return Text("House rule: {player} gets it. {rules}", player=Name(answered.winner), rules=rules)


def by_the_rules(verdict: Verdict) -> Text:
    if verdict.winner is not None:
        return Text("By the rules: {player}.", player=Name(verdict.winner))
    return verdict.why[0].text


# ---- how it is entered -----------------------------------------------------------------------------------------------


def booking_of(position: Position, question: Mapping[str, Plain], winner: int | None, by_rules: bool = True) -> Booking | None:
    """How a trick is entered: with its cards where they are all known and lead to this winner, else by its outcome."""
    outcome = {name: value for name, value in question.items() if name != "cards"}
    for given in (question, outcome) if by_rules and position.game.asks_whole_cards else (outcome,):
        bookings = (filled(ask, winner, given) for ask in position.asks.values())
        fitting = (each for each in bookings if each and each.by_cards == ("cards" in given) and _leads_to(position, each, winner))
        found = next(fitting, None)
        if found:
            return found
    return None


def about(position: Position, question: Mapping[str, Plain], winner: int | None) -> str | None:
    """What the match waits for that this question is about: what would be entered, else what has to be answered next."""
    booking = booking_of(position, question, winner)
    needed = (ask.id for ask in position.asks.values() if ask.needed)
    return booking.ask.id if booking else next(needed, None)


def filled(ask: Ask, winner: int | None, given: Mapping[str, Plain]) -> Booking | None:
    """The fields that enter a trick as the answer to that question; None where it takes no such answer."""
    known: dict[str, str] = {}
    still_open: list[Field] = []

    def answer(field: Field) -> Plain:
        value = winner if field.name == "winner" else look_up(given, field.name)
        if value is SKIP and not field.optional:
            still_open.append(_to_choose(field, given))
            return still_open[-1].values[0]
        if not is_offered(field, value):
            raise NotOffered
        known.update({} if value is SKIP else {field.name: encoded(value)})
        return value

    try:
        action = walk(ask.form, answer)
    except NotOffered:
        return None
    booking = Booking(ask, known, tuple(still_open), action)
    return booking if "winner" in known or booking.by_cards else None


def _to_choose(field: Field, given: Mapping[str, Plain]) -> Field:
    """A field that the question says nothing about; a card that lies in the trick is no choice."""
    values = [value for value in field.values if value not in given.get("cards", ())]
    if not values or field.name.startswith("cards."):
        raise NotOffered
    return replace(field, values=values)


def _leads_to(position: Position, booking: Booking, winner: int | None) -> bool:
    try:
        step = position.game.apply(position.state, read_action(position.game, booking.action, position.players))
    except RuleError:
        return False
    return all(note.verdict.winner == winner for note in step.notes if note.verdict)
