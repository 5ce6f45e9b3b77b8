"""A second, independent scorer for Tricky Cribby, used only by tests.

Written from the record contract and the rules of record alone, without a look at the
real engine: slow, plain and obvious. `score` answers like `companion replay`, `answer`
like `companion resolve`; `records` and `questions` are hypothesis strategies that feed
both. Warnings: the game has none, so the list is always empty.
"""

import copy
import itertools
import random

from hypothesis import strategies as st

COLOURS = ["red", "yellow", "green", "blue", "purple"]
CARDS = [colour + "-" + str(number) for colour in COLOURS for number in range(1, 10)]
ORDERS = ["both", "alternate"]
OPTIONS = ["strength", "leader", "loop", "two_player_order", "stop_when_decided"]


class Refused(Exception):
    """The action, the options or the question are not legal."""


def need(condition):
    if not condition:
        raise Refused


# ---------------------------------------------------------------- values


def is_seat(value, seats):
    return type(value) is int and 0 <= value < seats


def is_colour(value):
    return type(value) is str and value in COLOURS


def is_card(value):
    return type(value) is str and value in CARDS


def is_line(value):
    """The five colours, each once."""
    return (
        type(value) is list
        and len(value) == 5
        and all(is_colour(colour) for colour in value)
        and all(colour in value for colour in COLOURS)
    )


def is_loop(value):
    """The 45 tiles, nine of each colour."""
    return (
        type(value) is list
        and len(value) == 45
        and all(is_colour(colour) for colour in value)
        and all(value.count(colour) == 9 for colour in COLOURS)
    )


def are_players(value):
    return type(value) is list and len(value) in (2, 4) and all(type(name) is str for name in value)


def are_four_cards(value):
    """Four different cards."""
    return (
        type(value) is list and len(value) == 4 and all(is_card(card) for card in value) and all(value.count(card) == 1 for card in value)
    )


def has_fields(thing, needed, optional=()):
    return all(name in thing for name in needed) and all(name in needed or name in optional for name in thing)


def colour_of(card):
    return card.split("-")[0]


def number_of(card):
    return int(card.split("-")[1])


# ---------------------------------------------------------------- a trick


def seats_in_order(seats, leader, order):
    """Who played each of the four cards."""
    if seats == 4:
        return [leader, (leader + 1) % 4, (leader + 2) % 4, (leader + 3) % 4]
    other = 1 - leader
    if order == "both":
        return [leader, leader, other, other]
    return [leader, other, leader, other]


def is_stronger(card, other, line):
    if colour_of(card) != colour_of(other):
        return line.index(colour_of(card)) < line.index(colour_of(other))
    return number_of(card) > number_of(other)


def weakest_first(cards, line):
    ranked = []
    for card in cards:
        place = 0
        while place < len(ranked) and is_stronger(card, ranked[place], line):
            place += 1
        ranked.insert(place, card)
    return ranked


def five_pickers(cards, line, seats, leader, order):
    """The picking seats: the owners from weak to strong, the strongest twice."""
    played_by = seats_in_order(seats, leader, order)
    picks = [played_by[cards.index(card)] for card in weakest_first(cards, line)]
    return picks + [picks[3]]


# ---------------------------------------------------------------- the state


def start(record):
    """The state before the first action; Refused for wrong players or options."""
    players = record.get("players")
    options = record.get("options", {})
    need(are_players(players))
    need(type(options) is dict)
    need(has_fields(options, [], OPTIONS))
    line = options.get("strength", COLOURS)
    leader = options.get("leader", 0)
    loop = options.get("loop")
    order = options.get("two_player_order", "both")
    stop = options.get("stop_when_decided", False)
    need(is_line(line))
    need(is_seat(leader, len(players)))
    need(loop is None or is_loop(loop))
    need(type(order) is str and order in ORDERS)
    need(type(stop) is bool)
    return {
        "seats": len(players),
        "order": order,
        "stop": stop,
        "line": list(line),
        "leader": leader,
        "loop": None if loop is None else list(loop),  # None in an emptied place
        "pawns": [-1, -1],  # the place of each side's front pawn
        "tiles": [dict.fromkeys(COLOURS, 0), dict.fromkeys(COLOURS, 0)],
        "seen": [],  # every card shown so far
        "face_up": [],  # cards still to be used in the open pick phase
        "pickers": [],  # seats still to pick
        "winning_card": None,
        "over": False,
    }


def taken(tiles, colour):
    return tiles[0][colour] + tiles[1][colour]


def completed(tiles):
    return [colour for colour in COLOURS if taken(tiles, colour) == 9]


def surely_two(tiles, side):
    """CRI-15: the side gets two majorities, whichever colours complete."""
    done = completed(tiles)
    still_open = [colour for colour in COLOURS if colour not in done]
    for more in itertools.combinations(still_open, 3 - len(done)):
        majorities = [colour for colour in done + list(more) if tiles[side][colour] >= 5]
        if len(majorities) < 2:
            return False
    return True


def is_over(tiles, stop):
    if len(completed(tiles)) == 3:
        return True
    return stop and (surely_two(tiles, 0) or surely_two(tiles, 1))


def winning_seats(state):
    if not state["over"]:
        return []
    side = 0 if surely_two(state["tiles"], 0) else 1
    return [seat for seat in range(state["seats"]) if seat % 2 == side]


def walk(loop, pawn, steps):
    """The place where the pawn lands, emptied places not counted."""
    place = pawn
    while steps > 0:
        place = (place + 1) % len(loop)
        if loop[place] is not None:
            steps -= 1
    return place


# ---------------------------------------------------------------- the actions


def apply(state, action):
    """Change the state by one action, or raise Refused and change nothing."""
    need(not state["over"])
    need(type(action) is dict)
    do = action.get("do")
    if do == "trick":
        apply_trick(state, action)
    elif do == "pick":
        apply_pick(state, action)
    elif do == "take":
        apply_take(state, action)
    else:
        raise Refused


def apply_trick(state, action):
    need(has_fields(action, ["do", "up", "cards"], ["winner"]))
    up, cards = action["up"], action["cards"]
    need(is_card(up))
    need(are_four_cards(cards))
    need(up not in cards)
    need(not state["pickers"])
    for card in cards + [up]:
        need(card not in state["seen"])
    picks = five_pickers(cards, state["line"], state["seats"], state["leader"], state["order"])
    if "winner" in action:
        need(is_seat(action["winner"], state["seats"]))
        need(action["winner"] == picks[4])
    state["seen"] += cards + [up]
    state["face_up"] = cards + [up]
    state["pickers"] = picks
    state["winning_card"] = weakest_first(cards, state["line"])[3]


def apply_pick(state, action):
    loop = state["loop"]
    if loop is None:
        need(has_fields(action, ["do", "card", "tile"]))
    else:
        need(has_fields(action, ["do", "card"], ["tile"]))
    need(state["pickers"])
    card = action["card"]
    need(is_card(card))
    need(card in state["face_up"])
    seat = state["pickers"][0]
    side = seat % 2
    if "tile" in action:
        need(is_colour(action["tile"]))
    if loop is None:
        tile = action["tile"]
        need(taken(state["tiles"], tile) < 9)
    else:
        place = walk(loop, state["pawns"][side], number_of(card))
        tile = loop[place]
        need("tile" not in action or action["tile"] == tile)
        loop[place] = None
        state["pawns"][side] = place
    state["face_up"].remove(card)
    state["pickers"].pop(0)
    gain(state, side, tile)
    if not state["over"] and not state["pickers"]:
        end_trick(state, seat)


def end_trick(state, winner):
    colour = colour_of(state["winning_card"])
    state["line"].remove(colour)
    state["line"].append(colour)
    state["leader"] = winner
    state["winning_card"] = None


def apply_take(state, action):
    need(has_fields(action, ["do", "side", "tile"]))
    need(state["loop"] is None)
    need(not state["pickers"])
    need(is_seat(action["side"], 2))
    need(is_colour(action["tile"]))
    need(taken(state["tiles"], action["tile"]) < 9)
    gain(state, action["side"], action["tile"])


def gain(state, side, tile):
    state["tiles"][side][tile] += 1
    state["over"] = is_over(state["tiles"], state["stop"])


# ---------------------------------------------------------------- the two answers


def score(record):
    """What `companion replay` prints, without game and players."""
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


def result(state):
    tiles = state["tiles"]
    picking = state["pickers"] and not state["over"]
    return {
        "finished": state["over"],
        "totals": [sum(tiles[seat % 2].values()) for seat in range(state["seats"])],
        "winners": winning_seats(state),
        "warnings": [],
        "tiles": copy.deepcopy(tiles),
        "completed": completed(tiles),
        "strength": list(state["line"]),
        "picker": state["pickers"][0] if picking else None,
    }


def answer(question):
    """What `companion resolve` prints, without why."""
    try:
        return resolved(question)
    except Refused:
        return {"error": -1}


def resolved(question):
    players = question.get("players")
    need(are_players(players))
    seats = len(players)
    needed = ["game", "players", "strength", "cards"]
    if seats == 2:
        needed = needed + ["two_player_order"]
    need(has_fields(question, needed, ["leader", "claim"]))
    line, cards = question["strength"], question["cards"]
    leader = question.get("leader", 0)
    order = question.get("two_player_order", "both")
    need(is_line(line))
    need(are_four_cards(cards))
    need(is_seat(leader, seats))
    need(type(order) is str and order in ORDERS)
    picks = five_pickers(cards, line, seats, leader, order)
    found = {"winner": picks[4], "picks": picks}
    if "claim" in question:
        need(is_seat(question["claim"], seats))
        found["right"] = question["claim"] == picks[4]
    return found


# ---------------------------------------------------------------- strategies: legal games

NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva"]
NO_SEATS = [-1, 2, 4, 7, True, False, 0.0, 1.0, "0", None, [0]]
NO_CARDS = ["red-0", "red-10", "red-04", "Red-4", "red 4", "red", "pink-3", "red-4 ", "", 4, None, True, ["red-4"]]
NO_COLOURS = ["pink", "Red", "", "red-4", 3, None, True, ["red"], {"red": 1}]
GOALS = ["any", "early", "late", "fifth", "hoard"]


def shuffled(rnd, things):
    things = list(things)
    rnd.shuffle(things)
    return things


def a_new_record(rnd, loop_chance):
    seats = rnd.choice([2, 4])
    options = {}
    if rnd.random() < 0.6:
        options["strength"] = shuffled(rnd, COLOURS)
    if rnd.random() < 0.6:
        options["leader"] = rnd.randrange(seats)
    if rnd.random() < loop_chance:
        options["loop"] = shuffled(rnd, COLOURS * 9)
    elif rnd.random() < 0.1:
        options["loop"] = None
    if rnd.random() < 0.5:
        options["two_player_order"] = rnd.choice(ORDERS)
    if rnd.random() < 0.6:
        options["stop_when_decided"] = rnd.choice([True, True, True, False])
    record = {"format": "companion-record/1", "game": "tricky-cribby", "players": NAMES[:seats], "options": options, "actions": []}
    if not options and rnd.random() < 0.5:
        del record["options"]
    return record


def would_end(state, side, tile):
    tiles = copy.deepcopy(state["tiles"])
    tiles[side][tile] += 1
    return is_over(tiles, state["stop"])


def wanted_tiles(state, side, tiles, goal):
    """Those of the possible tiles that suit the goal; all where none does."""
    if goal == "any":
        return tiles
    if goal == "early":
        most = max(taken(state["tiles"], tile) for tile in tiles)
        return [tile for tile in tiles if taken(state["tiles"], tile) == most]
    if goal == "hoard":
        own = state["tiles"][side]
        good = [tile for tile in tiles if own[tile] < 5] or tiles
        return [tile for tile in good if taken(state["tiles"], tile) < 8] or good
    ending = [tile for tile in tiles if would_end(state, side, tile)]
    if goal == "fifth" and len(state["pickers"]) == 1:
        return ending or tiles
    return [tile for tile in tiles if tile not in ending] or tiles


def free_tiles(state):
    return [colour for colour in COLOURS if taken(state["tiles"], colour) < 9]


def a_trick(rnd, state):
    unseen = [card for card in CARDS if card not in state["seen"]]
    drawn = rnd.sample(unseen, 5)
    action = {"do": "trick", "up": drawn[0], "cards": drawn[1:]}
    if rnd.random() < 0.3:
        action["winner"] = five_pickers(drawn[1:], state["line"], state["seats"], state["leader"], state["order"])[4]
    return action


def a_pick(rnd, state, goal):
    side = state["pickers"][0] % 2
    loop = state["loop"]
    if loop is None:
        tile = rnd.choice(wanted_tiles(state, side, free_tiles(state), goal))
        return {"do": "pick", "card": rnd.choice(state["face_up"]), "tile": tile}
    lands = {card: loop[walk(loop, state["pawns"][side], number_of(card))] for card in state["face_up"]}
    tiles = [colour for colour in COLOURS if colour in lands.values()]
    wanted = wanted_tiles(state, side, tiles, goal)
    card = rnd.choice([card for card in lands if lands[card] in wanted])
    action = {"do": "pick", "card": card}
    if rnd.random() < 0.5:
        action["tile"] = lands[card]
    return action


def a_take(rnd, state, goal, favour):
    side = 0 if rnd.random() < favour else 1
    tile = rnd.choice(wanted_tiles(state, side, free_tiles(state), goal))
    return {"do": "take", "side": side, "tile": tile}


def a_legal_action(rnd, state, goal, takes, favour):
    if state["pickers"]:
        return a_pick(rnd, state, goal)
    if state["loop"] is None and (rnd.random() < takes or len(state["seen"]) > 40):
        return a_take(rnd, state, goal, favour)
    return a_trick(rnd, state)


def fill_with_actions(rnd, record, goal, takes, favour, longest):
    state = start(record)
    while not state["over"] and len(record["actions"]) < longest:
        action = a_legal_action(rnd, state, goal, takes, favour)
        apply(state, copy.deepcopy(action))
        record["actions"].append(action)


# ---------------------------------------------------------------- strategies: mistakes


def state_before(record, index):
    state = start(record)
    for action in record["actions"][:index]:
        apply(state, copy.deepcopy(action))
    return state


def some_action(rnd, state):
    """An action which suits the moment, or would if the game were not over."""
    if state["pickers"]:
        return a_pick(rnd, state, "any")
    if len(state["seen"]) > 40 or (state["loop"] is None and rnd.random() < 0.4):
        return a_take(rnd, state, "any", 0.5)
    return a_trick(rnd, state)


def out_of_turn(rnd, state):
    """A well-formed action of a kind that may not come now."""
    if state["pickers"]:
        if len(state["seen"]) <= 40 and rnd.random() < 0.5:
            return a_trick(rnd, state)
        return a_take(rnd, state, "any", 0.5)
    if state["loop"] is not None and rnd.random() < 0.5:
        return a_take(rnd, state, "any", 0.5)
    return {"do": "pick", "card": rnd.choice(state["seen"] or CARDS), "tile": rnd.choice(COLOURS)}


def spoil_shape(rnd, action):
    """No action at all, another `do`, a field too many or too few."""
    kind = rnd.randrange(5)
    if kind == 0:
        return rnd.choice([None, "trick", [], {}, 3, [action]])
    if kind == 1:
        action["do"] = rnd.choice(["Trick", "round", "count", "", None, 1, ["trick"]])
    elif kind == 2:
        action[rnd.choice(["seat", "colour", "trump", "place", "note", ""])] = rnd.choice([0, None, "red"])
    elif kind == 3:
        missing = rnd.choice([name for name in action if name not in ("winner", "tile")])
        del action[missing]
    else:
        borrowed = {"trick": "tile", "pick": "winner", "take": "card"}[action["do"]]
        action[borrowed] = {"tile": "red", "winner": 0, "card": "red-4"}[borrowed]
    return action


def spoil_trick(rnd, state, action):
    cards = action["cards"]
    right = five_pickers(cards, state["line"], state["seats"], state["leader"], state["order"])[4]
    place = rnd.randrange(4)
    kind = rnd.randrange(9)
    if kind <= 1:
        action["winner"] = rnd.choice([seat for seat in range(state["seats"]) if seat != right])
    elif kind == 2:
        action["winner"] = rnd.choice([right - state["seats"], right + state["seats"], float(right)] + NO_SEATS[4:])
    elif kind == 3:
        cards[place] = rnd.choice(NO_CARDS)
    elif kind == 4:
        action["up"] = rnd.choice(NO_CARDS)
    elif kind == 5:
        cards[place] = rnd.choice(state["seen"] or [action["up"]])
    elif kind == 6:
        action["up"] = rnd.choice(state["seen"] + cards)
    elif kind == 7:
        cards[place] = rnd.choice([cards[place - 1], action["up"]])
    else:
        action["cards"] = rnd.choice([cards[:3], [], cards[:3] + cards[:2], " ".join(cards), None, cards[0]])
    return action


def spoil_tile(rnd, state, action):
    full = completed(state["tiles"])
    kind = rnd.randrange(4)
    if full and kind <= 1:
        action["tile"] = rnd.choice(full)
    elif kind == 2 and state["loop"] is None:
        del action["tile"]
    elif kind <= 2 and state["loop"] is not None:
        place = walk(state["loop"], state["pawns"][state["pickers"][0] % 2], number_of(action["card"]))
        action["tile"] = rnd.choice([colour for colour in COLOURS if colour != state["loop"][place]])
    else:
        action["tile"] = rnd.choice(NO_COLOURS)
    return action


def spoil_pick(rnd, state, action):
    if rnd.random() < 0.5:
        return spoil_tile(rnd, state, action)
    used = [card for card in state["seen"] if card not in state["face_up"]]
    unseen = [card for card in CARDS if card not in state["seen"]]
    action["card"] = rnd.choice(rnd.choice([used or unseen, unseen or used, NO_CARDS]))
    return action


def spoil_take(rnd, state, action):
    if state["loop"] is None and rnd.random() < 0.6:
        return spoil_tile(rnd, state, action)
    action["side"] = rnd.choice(NO_SEATS)
    return action


def a_wrong_action(rnd, state):
    action = some_action(rnd, state)
    if state["over"]:
        return action
    kind = rnd.random()
    if kind < 0.4 and completed(state["tiles"]) and "tile" in action:
        action["tile"] = rnd.choice(completed(state["tiles"]))  # a tenth tile
        return action
    if kind < 0.25:
        return spoil_shape(rnd, action)
    if kind < 0.45:
        return out_of_turn(rnd, state)
    if action["do"] == "trick":
        return spoil_trick(rnd, state, action)
    if action["do"] == "pick":
        return spoil_pick(rnd, state, action)
    return spoil_take(rnd, state, action)


def a_bad_line(rnd):
    line = shuffled(rnd, COLOURS)
    four = line[:4]
    return rnd.choice([four, line + [line[0]], four + [line[0]], four + ["pink"], four + [1], None, "red"])


def a_bad_loop(rnd):
    loop = shuffled(rnd, COLOURS * 9)
    uneven = ["red"] * 10 + ["yellow"] * 8 + ["green"] * 9 + ["blue"] * 9 + ["purple"] * 9
    return rnd.choice([loop[:44], loop + ["red"], uneven, loop[:44] + ["pink"], [], "red", loop[:44] + [None], True])


def spoil_setup(rnd, record):
    """Wrong players or one wrong option."""
    options = record.setdefault("options", {})
    name = rnd.choice(["players", "unknown"] + OPTIONS)
    if name == "players":
        record["players"] = rnd.choice([[], NAMES[:1], NAMES[:3], NAMES[:5], ["Ana", 7]])
    elif name == "unknown":
        options[rnd.choice(["target", "rounds", "starter", "empty_places", "Leader"])] = rnd.choice([0, 1, None])
    elif name == "strength":
        options[name] = a_bad_line(rnd)
    elif name == "leader":
        options[name] = rnd.choice([-1, len(record["players"])] + NO_SEATS[3:])
    elif name == "loop":
        options[name] = a_bad_loop(rnd)
    elif name == "two_player_order":
        options[name] = rnd.choice(["Both", "", "one-by-one", None, True, 0, ["both"]])
    else:
        options[name] = rnd.choice([0, 1, "true", None, "yes", []])


# ---------------------------------------------------------------- the strategies


def a_place(rnd, length, where):
    if where == "end":
        return length
    return rnd.randint(length * 3 // 4 if where == "late" else 0, length)


@st.composite
def records(draw):
    """Whole games and prefixes; about one in four holds a mistake."""
    goal = draw(st.sampled_from(GOALS))
    takes = draw(st.sampled_from([0.0, 0.0, 0.3, 0.7, 0.9, 1.0]))
    favour = draw(st.sampled_from([0.5, 0.6, 0.1, 0.95]))
    longest = draw(st.one_of(st.just(60), st.just(60), st.integers(0, 60)))
    mistake = draw(st.integers(0, 29))
    where = draw(st.sampled_from(["end", "late", "anywhere"]))
    seed = draw(st.integers(0, 2**32 - 1))
    rnd = random.Random(repr([seed, goal, takes, favour, mistake, where]))
    record = a_new_record(rnd, 0.45 if takes == 0.0 else 0.25)
    fill_with_actions(rnd, record, goal, takes, favour, longest)
    if mistake in range(20, 29):
        index = a_place(rnd, len(record["actions"]), where)
        record["actions"].insert(index, a_wrong_action(rnd, state_before(record, index)))
    elif mistake == 29:
        spoil_setup(rnd, record)
    return record


def spoil_question(rnd, question):
    seats = len(question["players"])
    cards = question["cards"]
    kind = rnd.randrange(9)
    if kind == 0:
        question["players"] = rnd.choice([[], NAMES[:1], NAMES[:3], NAMES[:5]])
    elif kind == 1:
        question["strength"] = a_bad_line(rnd)
    elif kind == 2:
        cards[rnd.randrange(4)] = rnd.choice(NO_CARDS)
    elif kind == 3:
        cards[1] = cards[rnd.choice([0, 2, 3])]
    elif kind == 4:
        question["cards"] = rnd.choice([cards[:3], [], cards + ["red-1"], cards[:2], None, cards[0]])
    elif kind == 5:
        question["leader"] = rnd.choice([-1, seats] + NO_SEATS[3:])
    elif kind == 6:
        question["claim"] = rnd.choice([-1, seats] + NO_SEATS[3:])
    elif kind == 7:
        del question[rnd.choice(["players", "strength", "cards"])]
    elif seats == 2:
        question["two_player_order"] = rnd.choice(["Both", "", None, True, 1, ["both"]])
        if rnd.random() < 0.4:
            del question["two_player_order"]
    else:
        question["trump"] = "red"


@st.composite
def questions(draw):
    """One trick in dispute; about one in five is no proper question."""
    seats = draw(st.sampled_from([2, 4]))
    wrong = draw(st.integers(0, 4)) == 4
    few_colours = draw(st.booleans())
    seed = draw(st.integers(0, 2**32 - 1))
    rnd = random.Random(repr([seed, seats, wrong, few_colours]))
    colours = rnd.sample(COLOURS, 2) if few_colours else COLOURS
    question = {
        "game": "tricky-cribby",
        "players": NAMES[:seats],
        "strength": shuffled(rnd, COLOURS),
        "cards": rnd.sample([card for card in CARDS if colour_of(card) in colours], 4),
    }
    if seats == 2:
        question["two_player_order"] = rnd.choice(ORDERS)
    if rnd.random() < 0.7:
        question["leader"] = rnd.randrange(seats)
    if rnd.random() < 0.5:
        question["claim"] = rnd.randrange(seats)
    if wrong:
        spoil_question(rnd, question)
    return question
