"""A second, independent scorer for Ligretto Crazy, used only in tests to check the real rules engine.

Written from the specification alone (record.md and rules/ligretto-crazy.md), with nothing taken from the engine:
slow, plain and obvious on purpose. `score` answers as `companion replay` would, `answer` as `companion resolve`
would, both without the sentences; `records` and `questions` are hypothesis strategies that feed both sides.

Where the specification leaves a choice, the reading taken stands as a constant under "Readings".
"""

import copy
import random as random_module

from hypothesis import strategies as st

CARDS_EACH = 36
FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
DEFAULT_TARGET = 100
NAMES = ["Ana", "Ben", "Cleo", "Dóra", "Emil", "Fay"]

# Readings -------------------------------------------------------------------------------------------------------

ODD_SCORES = (1, 2, 3, 4, 6, 8)  # LIG-19: no score pile has that many cards
FEWEST_LEFT = 3  # LIG-20: everybody still holds cards at the stop call
LEFT_ABOVE_DECK_WARNS = True  # "above 36 only with confirmation (rule 10)" is taken as a warning LIG-10
REPLACED_COUNT_KEEPS_WARNING = True  # a warning belongs to its action, also where a later count replaced it
NAMED_OPENER_MUST_BE_ONE = True  # G1: a crazy card that opens a pile is a 1, so opening "as 3" is not legal
CARD_ON_NO_PILE_IS_ERROR = False  # `piles: 0` with a `top`: nothing in the specification refuses it
AS_NEEDS_CRAZY = True  # `as` belongs to "crazy"; with a number card it is an unknown field


class Refused(Exception):
    """The action, the set-up or the question is not allowed."""


def require(condition):
    if not condition:
        raise Refused


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value):
    return is_number(value) and value >= 0


def is_seat(value, seats):
    return is_number(value) and 0 <= value < seats


# The match ------------------------------------------------------------------------------------------------------


def check_players(players):
    require(isinstance(players, list))
    require(FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS)
    require(all(isinstance(name, str) for name in players))


def start(record):
    """The state before the first action."""
    check_players(record.get("players"))
    options = record.get("options", {})
    require(isinstance(options, dict))
    require(set(options) <= {"target"})
    target = options.get("target", DEFAULT_TARGET)
    require(is_number(target) and target >= 1)
    return {
        "seats": len(record["players"]),
        "target": target,
        "open": {},  # seat -> [scored, left, index of the action] in the round not yet closed
        "rounds": [],
        "warnings": [],  # [action index, rule]
        "actions": 0,
    }


def totals(state):
    return [sum(points[seat] for points in state["rounds"]) for seat in range(state["seats"])]


def finished(state):
    return max(totals(state)) >= state["target"]


def check_fields(action, needed, optional):
    require(set(needed) <= set(action))
    require(set(action) <= set(needed) | set(optional))


def check_caller(action, seats):
    if "caller" in action:
        require(is_seat(action["caller"], seats))


def check_cards(pairs, seats):
    """LIG-18: the cards counted are never more than there are."""
    require(sum(scored + left for scored, left in pairs) <= CARDS_EACH * seats)


def doubts(scored, left):
    """The rules by which one seat's numbers look wrong, though they are possible."""
    rules = []
    if scored in ODD_SCORES:
        rules.append("LIG-19")
    if left < FEWEST_LEFT:
        rules.append("LIG-20")
    if left > CARDS_EACH and LEFT_ABOVE_DECK_WARNS:
        rules.append("LIG-10")
    return rules


def warn(state, scored, left):
    for rule in doubts(scored, left):
        state["warnings"].append([state["actions"], rule])


def forget_warnings_of(state, index):
    state["warnings"] = [pair for pair in state["warnings"] if pair[0] != index]


def close_round(state, pairs):
    state["rounds"].append([scored - left for scored, left in pairs])
    state["open"] = {}


def apply_count(state, action):
    check_fields(action, ["do", "seat", "scored", "left"], ["caller"])
    check_caller(action, state["seats"])
    seat, scored, left = action["seat"], action["scored"], action["left"]
    require(is_seat(seat, state["seats"]))
    require(is_count(scored) and is_count(left))
    others = [entry[:2] for other, entry in state["open"].items() if other != seat]
    check_cards(others + [[scored, left]], state["seats"])
    if seat in state["open"] and not REPLACED_COUNT_KEEPS_WARNING:
        forget_warnings_of(state, state["open"][seat][2])
    state["open"][seat] = [scored, left, state["actions"]]
    warn(state, scored, left)
    if len(state["open"]) == state["seats"]:
        close_round(state, [state["open"][each][:2] for each in range(state["seats"])])


def apply_round(state, action):
    check_fields(action, ["do", "scored", "left"], ["caller"])
    check_caller(action, state["seats"])
    for numbers in (action["scored"], action["left"]):
        require(isinstance(numbers, list) and len(numbers) == state["seats"])
        require(all(is_count(number) for number in numbers))
    pairs = [[action["scored"][seat], action["left"][seat]] for seat in range(state["seats"])]
    check_cards(pairs, state["seats"])
    if not REPLACED_COUNT_KEEPS_WARNING:
        for entry in state["open"].values():
            forget_warnings_of(state, entry[2])
    for scored, left in pairs:
        warn(state, scored, left)
    close_round(state, pairs)


def apply(state, action):
    """Do one action, or raise Refused and leave the state as it was."""
    require(not finished(state))
    require(isinstance(action, dict))
    if action.get("do") == "count":
        apply_count(state, action)
    elif action.get("do") == "round":
        apply_round(state, action)
    else:
        raise Refused
    state["actions"] += 1


def allowed(state, action):
    try:
        apply(copy.deepcopy(state), action)
    except Refused:
        return False
    return True


def result(state):
    points = totals(state)
    over = finished(state)
    return {
        "finished": over,
        "rounds": state["rounds"],
        "totals": points,
        "winners": [seat for seat in range(state["seats"]) if points[seat] == max(points)] if over else [],
        "warnings": sorted(state["warnings"]),
    }


def score(record):
    """What `companion replay` says: warnings as [action, rule], errors as the index alone."""
    try:
        state = start(record)
    except Refused:
        return {"error": -1}
    for index, action in enumerate(record["actions"]):
        try:
            apply(state, action)
        except Refused:
            return {"error": index}
    return result(state)


# The dispute ----------------------------------------------------------------------------------------------------


def check_question(question):
    require(isinstance(question, dict))
    check_fields(question, ["game", "players", "top", "card", "piles"], ["as", "leader", "claim"])
    require(question["game"] == "ligretto-crazy")
    check_players(question["players"])
    for field in ("leader", "claim"):
        if field in question:
            require(is_seat(question[field], len(question["players"])))
    top, card = question["top"], question["card"]
    require(top is None or (is_number(top) and 1 <= top <= 4))
    require(card == "crazy" or (is_number(card) and 1 <= card <= 5))
    if "as" in question:
        require(is_number(question["as"]) and 1 <= question["as"] <= 5)
        require(card == "crazy" or not AS_NEEDS_CRAZY)
    require(is_count(question["piles"]))
    if CARD_ON_NO_PILE_IS_ERROR and top is not None:
        require(question["piles"] >= 1)


def judge_opening(value, room):
    """LIG-4, LIG-5: value is None for a crazy card without a name."""
    if value is None or not NAMED_OPENER_MUST_BE_ONE:
        return room, False
    return room and value == 1, False


def judge_laying(value, top):
    """LIG-6, LIG-9, LIG-11, G2, G3: value is None for a crazy card without a name."""
    if value is None:
        return True, (None if top == 4 else False)
    return abs(value - top) == 1, (top == 4 and value == 5)


def answer(question):
    """What `companion resolve` says, without its reasons."""
    try:
        check_question(question)
    except Refused:
        return {"error": -1}
    value = question.get("as") if question["card"] == "crazy" else question["card"]
    if question["top"] is None and question["card"] == "crazy":
        legal, closes = judge_opening(value, question["piles"] < len(question["players"]))
    elif question["top"] is None:
        legal, closes = question["card"] == 1 and question["piles"] < len(question["players"]), False
    else:
        legal, closes = judge_laying(value, question["top"])
    reply = {"winner": None, "legal": legal, "closes": closes}
    if "claim" in question:
        reply["right"] = question["claim"] == reply["winner"]
    return reply


# Strategies: the numbers of one round ---------------------------------------------------------------------------


def trimmed(pairs):
    """Take cards away, from whoever counted most, until there are no more than exist."""
    while sum(map(sum, pairs)) > CARDS_EACH * len(pairs):
        pair = max(pairs, key=sum)
        excess = sum(map(sum, pairs)) - CARDS_EACH * len(pairs)
        largest = 0 if pair[0] >= pair[1] else 1
        pair[largest] -= min(excess, (pair[largest] + 1) // 2)
    return pairs


def ordinary(rng, points, target):
    return trimmed([[rng.randint(0, 40), rng.randint(3, 25)] for _ in points])


def small(rng, points, target):
    """Where the doubtful numbers live."""
    return [[rng.randint(0, 12), rng.randint(0, 5)] for _ in points]


def lucky(rng, points, target):
    """One seat takes nearly everything."""
    pairs = [[rng.choice([0, 5, 7]), rng.randint(3, 8)] for _ in points]
    pairs[rng.randrange(len(pairs))] = [CARDS_EACH * len(pairs) - rng.randint(0, 30), rng.randint(0, 6)]
    return trimmed(pairs)


def surplus(rng, points, target):
    """One seat with about a whole deck left over, or more (LIG-10)."""
    pairs = [[rng.randint(0, 9), rng.randint(0, 6)] for _ in points]
    pairs[rng.randrange(len(pairs))] = [rng.randint(0, 9), rng.choice([35, 36, 37, 38, 50])]
    return trimmed(pairs)


def every_card(rng, points, target):
    """Nothing lies in the middle: exactly 36 cards a player are counted."""
    pairs = ordinary(rng, points, target)
    rest = CARDS_EACH * len(pairs) - sum(map(sum, pairs))
    pairs[rng.randrange(len(pairs))][rng.randint(0, 1)] += rest
    return pairs


def pair_for(rng, net):
    """Two numbers with that difference."""
    left = rng.randint(0, 6)
    return [net + left, left] if net + left >= 0 else [0, -net]


def aimed(rng, points, target):
    """Some seats land together just below, on or just above the target, if there are cards enough."""
    goal = target + rng.choice([-1, 0, 0, 1, 5])
    pairs = [[0, 3] for _ in points]
    together = rng.randint(1, len(points))
    for seat in sorted(range(len(points)), key=lambda each: -points[each])[:together]:
        before = pairs[seat]
        pairs[seat] = pair_for(rng, goal - points[seat])
        if sum(map(sum, pairs)) > CARDS_EACH * len(pairs):
            pairs[seat] = before
    return trimmed(pairs)


ROUND_KINDS = [ordinary, ordinary, small, lucky, lucky, surplus, every_card, aimed, aimed, aimed]


# Strategies: whole matches --------------------------------------------------------------------------------------


def called(rng, action, seats):
    if rng.randint(0, 3) == 0:
        action["caller"] = rng.randrange(seats)
    return action


def round_action(rng, pairs):
    action = {"do": "round", "scored": [pair[0] for pair in pairs], "left": [pair[1] for pair in pairs]}
    return called(rng, action, len(pairs))


def count_action(rng, seat, pair, seats):
    return called(rng, {"do": "count", "seat": seat, "scored": pair[0], "left": pair[1]}, seats)


def take(state, actions, action):
    """Add the action to the record if it is legal."""
    if allowed(state, action):
        apply(state, action)
        actions.append(action)


def play_counts(rng, state, actions, pairs, how_many):
    """Seats enter their own numbers, in any order, some first wrongly and then again."""
    seats = state["seats"]
    order = rng.sample(range(seats), how_many)
    for seat in order:
        if seat != order[-1] and rng.randint(0, 5) == 0:
            slip = [rng.randint(0, 20), rng.randint(0, 40)]
            take(state, actions, count_action(rng, seat, slip, seats))
            if rng.randint(0, 1):
                slip = [rng.randint(0, 8), rng.randint(0, 4)]
                take(state, actions, count_action(rng, rng.choice(order), slip, seats))
                if not state["open"]:
                    return
        take(state, actions, count_action(rng, seat, pairs[seat], seats))
        if not state["open"]:
            return


def play_round(rng, state, actions):
    """One whole round, by `round`, by `count`s, or begun with the one and ended with the other."""
    seats = state["seats"]
    pairs = rng.choice(ROUND_KINDS)(rng, totals(state), state["target"])
    before = len(state["rounds"])
    depth = rng.choice(["round", "round", "counts", "counts", "mixed"])
    if depth == "counts":
        play_counts(rng, state, actions, pairs, seats)
    if depth == "mixed":
        play_counts(rng, state, actions, pairs, rng.randint(1, seats - 1))
    if len(state["rounds"]) == before:
        take(state, actions, round_action(rng, pairs))


def play(rng, record, most_rounds):
    state, actions = start(record), record["actions"]
    while len(state["rounds"]) < most_rounds and not finished(state):
        play_round(rng, state, actions)
    if not finished(state) and rng.randint(0, 2) == 0:
        pairs = rng.choice(ROUND_KINDS)(rng, totals(state), state["target"])
        play_counts(rng, state, actions, pairs, rng.randint(1, state["seats"] - 1))


# Strategies: wrong actions --------------------------------------------------------------------------------------

NO_NUMBERS = [True, False, 2.0, "3", None, -1, [], {}, 1.5]
NO_ACTIONS = [None, "round", [], 3, {}, {"do": None}, {"do": ["round"]}, {"do": "stop"}, {"do": "Round"}]


def state_before(record, index):
    state = start(record)
    for action in record["actions"][:index]:
        apply(state, action)
    return state


def any_action(rng, state):
    """A legal action, were the game not over."""
    seats = state["seats"]
    if rng.randint(0, 1):
        return round_action(rng, small(rng, totals(state), state["target"]))
    seat = rng.randrange(seats)
    return count_action(rng, seat, [0, 0], seats)


def missing_field(rng, state, action):
    del action[rng.choice(sorted(set(action) - {"caller"}))]


def extra_field(rng, state, action):
    name = rng.choice(["seats", "note", "winner", "seat" if action["do"] == "round" else "round", "middle"])
    action[name] = rng.choice([0, None, "x"])


def wrong_do(rng, state, action):
    action["do"] = rng.choice(["stop", "", "rounds", None, 1, "count" if action["do"] == "round" else "round"])


def wrong_number(rng, state, action):
    field = rng.choice(["scored", "left"])
    if action["do"] == "round" and rng.randint(0, 3):
        action[field][rng.randrange(state["seats"])] = rng.choice(NO_NUMBERS)
    else:
        action[field] = rng.choice(NO_NUMBERS)


def wrong_length(rng, state, action):
    field = rng.choice(["scored", "left"])
    if action["do"] == "count":
        action[field] = [action[field]]
    elif rng.randint(0, 1):
        action[field].append(0)
    else:
        action[field].pop()


def wrong_seat(rng, state, action):
    field = "caller" if action["do"] == "round" else rng.choice(["seat", "caller"])
    action[field] = rng.choice(NO_NUMBERS + [state["seats"], state["seats"], 5, 99])


def too_many_cards(rng, state, action):
    """One card more than there are, or many more."""
    field, most = rng.choice(["scored", "left"]), CARDS_EACH * state["seats"]
    extra = rng.choice([1, 1, 1, 2, 10, 10**20])
    if action["do"] == "round":
        action[field][rng.randrange(state["seats"])] += most - sum(action["scored"] + action["left"]) + extra
    else:
        counted = sum(sum(entry[:2]) for seat, entry in state["open"].items() if seat != action["seat"])
        action[field] += most - counted - action["scored"] - action["left"] + extra


SPOILERS = [
    missing_field,
    extra_field,
    wrong_do,
    wrong_number,
    wrong_number,
    wrong_length,
    wrong_seat,
    wrong_seat,
    too_many_cards,
    too_many_cards,
    too_many_cards,
]


def spoil_an_action(rng, record):
    """Put in a wrong action, or make one wrong, at any place or at the end."""
    actions = record["actions"]
    index = rng.choice([len(actions), rng.randint(0, len(actions))])
    state = state_before(record, index)
    replace = index < len(actions) and rng.randint(0, 1) == 1
    action = copy.deepcopy(actions[index]) if replace else any_action(rng, state)
    if rng.randint(0, 9) == 0:
        action = copy.deepcopy(rng.choice(NO_ACTIONS))
    elif not finished(state) or rng.randint(0, 3) == 0:
        rng.choice(SPOILERS)(rng, state, action)
    actions[index : index + replace] = [action]


def spoil_the_setup(rng, record):
    """Wrong players or options: nothing else of the record matters then."""
    if rng.randint(0, 2) == 0:
        record["players"] = rng.choice([[], NAMES[:1], NAMES[:6], [*NAMES[:2], 7]])
    else:
        target = rng.choice([0, -1, -100, True, False, 100.0, "100", None, [100]])
        unknown = rng.choice([{"goal": 100}, {"target": 50, "rounds": 1}])
        record["options"] = rng.choice([{"target": target}, {"target": target}, unknown])


@st.composite
def records(draw, wrong=None):
    """Records of all sizes; `wrong` forces (True) or forbids (False) the spoiling that one in four gets."""
    seats = draw(st.sampled_from([2, 3, 4, 5]))
    record = {"format": "companion-record/1", "game": "ligretto-crazy", "players": NAMES[:seats], "actions": []}
    options = draw(st.sampled_from([None, {}, "target", "target", "target"]))
    if options == "target":
        targets = st.sampled_from([1, 2, 20, 50, 75, 100, 150, 300]) | st.integers(1, 200)
        record["options"] = {"target": draw(targets)}
    elif options is not None:
        record["options"] = {}
    most_rounds = draw(st.sampled_from([0, 1, 2, 4, 15, 15, 15, 15, 15]))
    rng = random_module.Random(draw(st.integers(0, 2**32 - 1)))
    spoiled = rng.randint(0, 3) == 0 if wrong is None else wrong
    play(rng, record, most_rounds)
    if spoiled and rng.randint(0, 9) == 0:
        spoil_the_setup(rng, record)
    elif spoiled:
        spoil_an_action(rng, record)
    return record


# Strategies: disputes -------------------------------------------------------------------------------------------


def spoil_question(draw, question):
    """Make one thing of the question wrong."""
    wrong = {
        "players": [[], NAMES[:1], NAMES[:6], "Ana", None],
        "top": [0, 5, -1, True, 2.0, "crazy", "1", []],
        "card": [0, 6, -1, True, 2.0, None, "Crazy", "joker", "5", []],
        "piles": [-1, True, 1.0, None, "2", []],
        "as": [0, 6, True, 3.0, None, "5", "crazy"],
        "claim": [-1, len(question["players"]), 9, True, 0.0, None, "Ana"],
        "leader": [-1, len(question["players"]), 9, True, 0.0, None, "Ana"],
        "trump": [None, 1],
    }
    kind = draw(st.sampled_from(["value", "value", "value", "missing", "as"]))
    if kind == "missing":
        del question[draw(st.sampled_from(["players", "top", "card", "piles"]))]
    elif kind == "as":
        question["card"], question["as"] = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    else:
        field = draw(st.sampled_from(sorted(wrong)))
        if field == "as":
            question["card"] = "crazy"
        question[field] = draw(st.sampled_from(wrong[field]))


@st.composite
def questions(draw, wrong=None):
    """Questions for `answer`; `wrong` forces (True) or forbids (False) the spoiling that one in five gets."""
    seats = draw(st.sampled_from([2, 3, 4, 5]))
    top = draw(st.sampled_from([None, None, 1, 2, 3, 4, 4]))
    fewest = 0 if top is None or not CARD_ON_NO_PILE_IS_ERROR else 1
    question = {
        "game": "ligretto-crazy",
        "players": NAMES[:seats],
        "top": top,
        "card": draw(st.sampled_from([1, 2, 3, 4, 5, "crazy", "crazy", "crazy"])),
        "piles": draw(st.integers(fewest, seats + 1)),
    }
    if question["card"] == "crazy" and draw(st.booleans()):
        question["as"] = draw(st.integers(1, 5))
    for field in ("claim", "leader"):
        if draw(st.integers(0, 3)) == 3:
            question[field] = draw(st.integers(0, seats - 1))
    if draw(st.integers(0, 4)) == 4 if wrong is None else wrong:
        spoil_question(draw, question)
    return question
