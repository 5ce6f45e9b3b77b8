"""A second, independent scorer for Crazy Race, used only in tests.

Written from shared/record.md and shared/rules/crazy-race.md alone, without a look at the real engine, so that the two
can be compared. It is meant to be slow and obvious: a state is a dict of plain lists, an action changes it or raises
`Refused`.

    score(record)     what `companion replay` prints, warnings as [action, rule] pairs; {"error": i} for a refusal
    answer(question)  what `companion resolve` prints, without `why`; {"error": -1} for a bad question
    records()         a hypothesis strategy for records, about one in four with something wrong in it
    questions()       the same for questions
"""

import copy
import random

from hypothesis import strategies as st

GAME = "crazy-race"
ANIMALS = ["sprinter", "reptile", "flyer"]
MAGIC_CARDS = [1, 1, 2, 2, 3, 3, 4, 6]
TURNAROUND = 6
HOME = 12
STAGES = 8
EDGES = 4
CARDS_A_STAGE = 3
CHOICES = {"occupied_turnaround": ["jump", "share"], "penalty_per": ["owner", "animal"], "second_last": ["next-position", "skip-after-tie"]}


class Refused(Exception):
    """The action, the options or the question is not allowed."""


def demand(condition):
    if not condition:
        raise Refused


# ---------------------------------------------------------------- small checks


def is_whole(thing, low, high):
    """A real whole number from low to high: neither True nor 2.0 is one."""
    return type(thing) is int and low <= thing <= high


def is_seat(thing, n):
    return is_whole(thing, 0, n - 1)


def is_animal(thing):
    return type(thing) is str and thing in ANIMALS


def check_fields(thing, needed, optional=()):
    demand(type(thing) is dict)
    for name in needed:
        demand(name in thing)
    for name in thing:
        demand(name in needed or name in optional)


def check_players(players):
    demand(type(players) is list and len(players) in (3, 4))
    for name in players:
        demand(type(name) is str)


def check_options(options, n):
    """The options with the defaults filled in."""
    demand(type(options) is dict)
    for name, value in options.items():
        if name == "starter":
            demand(is_seat(value, n))
        else:
            demand(name in CHOICES)
            demand(type(value) is str and value in CHOICES[name])
    full = {"starter": 0}
    for name, allowed in CHOICES.items():
        full[name] = allowed[0]
    full.update(options)
    return full


# ---------------------------------------------------------------- the state


def highest_tile(n):
    return 6 if n == 4 else 5


def new_state(n, options):
    pile = list(range(highest_tile(n), 0, -1))
    return {
        "n": n,
        "options": options,
        "phase": "race",  # then "discard", then "over"
        "started": False,  # whether any action has happened
        "stages": 0,
        "edge": 0,  # edges of the open stage evaluated so far
        "edges_with_cards": 0,  # in the open stage
        "uncounted": False,  # a short form left cards uncounted
        "hand": [list(MAGIC_CARDS) for _ in range(n)],
        "laid": [[] for _ in range(n)],  # in the open stage
        "used": [[] for _ in range(n)],  # in finished stages
        "taken_back": [False] * n,
        "animals": [[0, 0, 0] for _ in range(n)],
        "tiles": [[] for _ in range(n)],
        "turn_tiles": list(pile),
        "finish_tiles": list(pile),
        "debts": [0] * n,  # discards of choice still owed
    }


def apply(state, action):
    """Change the state by the action, or raise Refused."""
    demand(state["phase"] != "over")
    demand(type(action) is dict)
    do = action.get("do")
    demand(type(do) is str and do in ACTIONS)
    ACTIONS[do](state, action)
    state["started"] = True


# ---------------------------------------------------------------- an edge


def sums_at(cards, n):
    sums = [0] * n
    for seat, value in cards:
        sums[seat] += value
    return sums


def winner_at(cards, n):
    """Highest sum; among the tied, whose first card here was laid earliest; None without cards."""
    if not cards:
        return None
    sums = sums_at(cards, n)
    for seat, _ in cards:
        if sums[seat] == max(sums):
            return seat


def check_cards(cards, hands, laid, n):
    """Well formed, in hand, and at most three a player and stage (`laid` counts those before)."""
    demand(type(cards) is list)
    hands = [list(hand) for hand in hands]
    laid = list(laid)
    for card in cards:
        demand(type(card) is list and len(card) == 2)
        seat, value = card
        demand(is_seat(seat, n))
        demand(type(value) is int and value in hands[seat])
        hands[seat].remove(value)
        laid[seat] += 1
        demand(laid[seat] <= CARDS_A_STAGE)


def check_card(action):
    """The printed edge: an animal and a number, or `any` and a number or `?`."""
    animal, value = action["animal"], action["value"]
    demand(is_animal(animal) or animal == "any")
    if not (animal == "any" and value == "?"):
        demand(is_whole(value, 1, 4))


def check_winner(state, action):
    """The winner's seat or None, and the number of cards at the edge (None where unknown)."""
    n = state["n"]
    demand("cards" in action or "winner" in action)
    if "winner" in action:
        demand(action["winner"] is None or is_seat(action["winner"], n))
    if "cards" in action:
        demand("count" not in action)
        check_cards(action["cards"], state["hand"], [len(cards) for cards in state["laid"]], n)
        winner = winner_at(action["cards"], n)
        if "winner" in action:
            demand(action["winner"] == winner)
        return winner, len(action["cards"])
    winner = action["winner"]
    if action["value"] == "?" and winner is not None:
        demand("count" in action and is_whole(action["count"], 1, 3 * n))
        return winner, action["count"]
    demand("count" not in action)
    return winner, None


def check_moves_form(moves, animals_of_winner):
    """A list of [animal, points], each animal once, at least one point, none at home."""
    demand(type(moves) is list)
    seen = []
    for move in moves:
        demand(type(move) is list and len(move) == 2)
        animal, points = move
        demand(is_animal(animal) and animal not in seen)
        demand(type(points) is int and points >= 1)
        demand(animals_of_winner[ANIMALS.index(animal)] != HOME)
        seen.append(animal)


def check_moves(state, action, winner, count):
    """The moves to be made, as a list of [animal, points]."""
    if winner is None:
        demand("moves" not in action or action["moves"] == [])
        return []
    mine = state["animals"][winner]
    animal, value = action["animal"], action["value"]
    if "moves" in action:
        check_moves_form(action["moves"], mine)
    if animal != "any":
        if "moves" not in action:
            return [] if mine[ANIMALS.index(animal)] == HOME else [[animal, value]]
        demand(action["moves"] in ([], [[animal, value]]))
        return action["moves"]
    demand("moves" in action)
    moves = action["moves"]
    if moves and value == "?":
        demand(sum(points for _, points in moves) == count)
    elif moves:
        demand(len(moves) == 1 and moves[0][1] == value)
    return moves


def do_edge(state, action):
    check_fields(action, ["do", "animal", "value"], ["cards", "winner", "moves", "count"])
    demand(state["phase"] == "race")
    check_card(action)
    winner, count = check_winner(state, action)
    moves = check_moves(state, action, winner, count)
    if winner is not None:
        demand(state["n"] == 4 or state["edges_with_cards"] < 3)
        state["edges_with_cards"] += 1
        if "cards" not in action:
            state["uncounted"] = True
    for seat, value in action.get("cards", []):
        state["hand"][seat].remove(value)
        state["laid"][seat].append(value)
    for animal, points in moves:
        move(state, winner, ANIMALS.index(animal), points)
    state["edge"] += 1
    if state["edge"] == EDGES:
        finish_stage(state)


def finish_stage(state):
    for seat in range(state["n"]):
        state["used"][seat] += state["laid"][seat]
        state["laid"][seat] = []
    state["edge"] = 0
    state["edges_with_cards"] = 0
    state["stages"] += 1
    if state["stages"] == STAGES or all_used_up_twice(state):
        end_race(state)


def all_used_up_twice(state):
    """Only told with all cards known; otherwise the table says `end`."""
    return not state["uncounted"] and all(state["taken_back"]) and state["hand"] == [[]] * state["n"]


# ---------------------------------------------------------------- movement


def space(progress):
    """The place in the lane: 1 to 6 out, 5 to 1 back."""
    return progress if progress <= TURNAROUND else HOME - progress


def is_occupied(state, seat, animal, progress):
    """Whether another own animal stands on that space; the start and home never count."""
    if progress == TURNAROUND and state["options"]["occupied_turnaround"] == "share":
        return False
    for other in range(3):
        there = state["animals"][seat][other]
        if other != animal and 0 < there < HOME and space(there) == space(progress):
            return True
    return False


def take_tile(state, seat, pile):
    if state[pile]:
        state["tiles"][seat].append(state[pile].pop(0))


def move_one_point(state, seat, animal):
    progress = state["animals"][seat][animal]
    while True:
        progress += 1
        if progress == TURNAROUND:
            take_tile(state, seat, "turn_tiles")
        if progress == HOME:
            take_tile(state, seat, "finish_tiles")
            break
        if not is_occupied(state, seat, animal, progress):
            break
    state["animals"][seat][animal] = progress


def move(state, seat, animal, points):
    for _ in range(points):
        if state["animals"][seat][animal] < HOME:
            move_one_point(state, seat, animal)


# ---------------------------------------------------------------- the other actions


def do_take_back(state, action):
    check_fields(action, ["do", "seat"])
    demand(state["phase"] == "race")
    seat = action["seat"]
    demand(is_seat(seat, state["n"]))
    demand(not state["taken_back"][seat])
    demand(state["used"][seat] or state["uncounted"])
    state["hand"][seat] += state["used"][seat]
    state["used"][seat] = []
    state["taken_back"][seat] = True


def do_end(state, action):
    check_fields(action, ["do"])
    demand(state["phase"] == "race")
    demand(state["stages"] >= 1 and state["edge"] == 0)
    demand(state["uncounted"])
    end_race(state)


def do_discard(state, action):
    check_fields(action, ["do", "seat", "tile"])
    demand(state["phase"] == "discard")
    seat, tile = action["seat"], action["tile"]
    demand(is_seat(seat, state["n"]))
    demand(state["debts"][seat] > 0)
    demand(type(tile) is int and tile in state["tiles"][seat])
    state["tiles"][seat].remove(tile)
    state["debts"][seat] -= 1
    settle(state)


def do_final(state, action):
    check_fields(action, ["do", "tiles", "animals"])
    demand(not state["started"])
    n = state["n"]
    check_final_tiles(action["tiles"], n)
    check_final_animals(action["animals"], n)
    state["tiles"] = [list(tiles) for tiles in action["tiles"]]
    state["animals"] = [list(animals) for animals in action["animals"]]
    end_race(state)


def check_final_tiles(tiles, n):
    demand(type(tiles) is list and len(tiles) == n)
    together = []
    for held in tiles:
        demand(type(held) is list)
        together += held
    for tile in together:
        demand(is_whole(tile, 1, 6))
    for value in range(1, 7):
        demand(together.count(value) <= 2)


def check_final_animals(animals, n):
    demand(type(animals) is list and len(animals) == n)
    for mine in animals:
        demand(type(mine) is list and len(mine) == 3)
        for progress in mine:
            demand(is_whole(progress, 0, HOME))


ACTIONS = {"edge": do_edge, "take-back": do_take_back, "end": do_end, "discard": do_discard, "final": do_final}


# ---------------------------------------------------------------- the end


def end_race(state):
    """Both penalties, looking at the same final positions."""
    state["phase"] = "discard"
    positions = sorted({p for mine in state["animals"] for p in mine if p < HOME})
    if positions:
        last = penalised(state, positions[0])
        for seat, times in enumerate(last):
            for _ in range(times):
                lose_best(state, seat)
    if len(positions) >= 2 and not second_is_used_up(state, positions[0]):
        state["debts"] = penalised(state, positions[1])
    settle(state)


def penalised(state, position):
    """How many tiles each seat loses for its animals on that position."""
    times = [mine.count(position) for mine in state["animals"]]
    if state["options"]["penalty_per"] == "owner":
        times = [min(t, 1) for t in times]
    return times


def second_is_used_up(state, last):
    tied = sum(mine.count(last) for mine in state["animals"])
    return state["options"]["second_last"] == "skip-after-tie" and tied >= 2


def lose_best(state, seat):
    if state["tiles"][seat]:
        state["tiles"][seat].remove(max(state["tiles"][seat]))


def settle(state):
    """A discard without two different tiles to choose from happens by itself; with none owed, the game is over."""
    for seat in range(state["n"]):
        while state["debts"][seat] > 0 and len(set(state["tiles"][seat])) < 2:
            lose_best(state, seat)
            state["debts"][seat] -= 1
    if not any(state["debts"]):
        state["phase"] = "over"


def winners(state):
    if state["phase"] != "over":
        return []
    seats = range(state["n"])
    standing = [(sum(state["tiles"][seat]), min(state["animals"][seat])) for seat in seats]
    return [seat for seat in seats if standing[seat] == max(standing)]


# ---------------------------------------------------------------- score and answer


def report(state):
    pending = []
    for seat, debt in enumerate(state["debts"]):
        pending += [seat] * debt
    return {
        "finished": state["phase"] == "over",
        "totals": [sum(tiles) for tiles in state["tiles"]],
        "winners": winners(state),
        "warnings": [],
        "animals": [list(mine) for mine in state["animals"]],
        "tiles": [sorted(tiles, reverse=True) for tiles in state["tiles"]],
        "stages": state["stages"],
        "pending": pending,
    }


def score(record):
    try:
        check_players(record.get("players"))
        n = len(record["players"])
        state = new_state(n, check_options(record.get("options", {}), n))
    except Refused:
        return {"error": -1}
    for i, action in enumerate(record["actions"]):
        try:
            apply(state, action)
        except Refused:
            return {"error": i}
    return report(state)


def answer(question):
    try:
        return resolve(question)
    except Refused:
        return {"error": -1}


def resolve(question):
    check_fields(question, ["game", "players", "cards"], ["leader", "claim"])
    demand(question["game"] == GAME)
    check_players(question["players"])
    n = len(question["players"])
    demand(is_seat(question.get("leader", 0), n))
    check_cards(question["cards"], [MAGIC_CARDS] * n, [0] * n, n)
    winner = winner_at(question["cards"], n)
    result = {"winner": winner, "sums": sums_at(question["cards"], n)}
    if "claim" in question:
        demand(is_seat(question["claim"], n))
        result["right"] = question["claim"] == winner
    return result


# ---------------------------------------------------------------- generating legal actions

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def chance(rng, probability):
    return rng.random() < probability


def legal_action(rng, state, style):
    """Some legal action in this state (which is not over)."""
    if state["phase"] == "discard":
        return good_discard(rng, state)
    if not state["started"] and style["final"]:
        return good_final(rng, state["n"])
    if state["stages"] and state["edge"] == 0 and state["uncounted"] and chance(rng, style["end"]):
        return {"do": "end"}
    seats = seats_for_take_back(rng, state, style)
    if seats:
        return {"do": "take-back", "seat": rng.choice(seats)}
    return good_edge(rng, state, style)


def seats_for_take_back(rng, state, style):
    seats = []
    for seat in range(state["n"]):
        able = not state["taken_back"][seat] and (state["used"][seat] or state["uncounted"])
        eager = 0.4 if not state["hand"][seat] else style["take_back"]
        if able and chance(rng, eager):
            seats.append(seat)
    return seats


def good_discard(rng, state):
    seat = rng.choice([s for s in range(state["n"]) if state["debts"][s]])
    return {"do": "discard", "seat": seat, "tile": rng.choice(state["tiles"][seat])}


def good_final(rng, n):
    tiles = [[] for _ in range(n)]
    holders = range(rng.choice([1, n - 1, n, n, n]))
    for value in list(range(1, highest_tile(n) + 1)) * 2:
        if chance(rng, 0.7):
            tiles[rng.choice(holders)].append(value)
    for held in tiles:
        rng.shuffle(held)
    values = rng.choice([[0, 6, 12], [0, 5, 7, 12, 12], list(range(13)), [9, 11, 12, 12, 12, 12], [12]])
    animals = [[rng.choice(values) for _ in ANIMALS] for _ in range(n)]
    return {"do": "final", "tiles": tiles, "animals": animals}


def edge_is_locked(state):
    return state["n"] == 3 and state["edges_with_cards"] >= 3


def good_edge(rng, state, style):
    action = {"do": "edge"}
    action["animal"], action["value"] = good_edge_print(rng, style)
    if chance(rng, style["short"]):
        add_short_form(rng, state, style, action)
        winner, count = action["winner"], action.get("count")
    else:
        action["cards"] = good_cards(rng, state, style)
        winner, count = winner_at(action["cards"], state["n"]), len(action["cards"])
        if chance(rng, 0.2):
            action["winner"] = winner
    add_moves(rng, state, action, winner, count)
    return action


def good_edge_print(rng, style):
    roll = rng.random()
    numbers = [3, 4, 4] if style["fast"] else [1, 2, 3, 4]
    if roll < 0.55:
        return rng.choice(ANIMALS), rng.choice(numbers)
    if roll < (0.65 if style["fast"] else 0.8):
        return "any", rng.choice(numbers)
    return "any", "?"


def add_short_form(rng, state, style, action):
    n = state["n"]
    winner = rng.randrange(n)
    if style["favourite"] is not None and chance(rng, 0.6):
        winner = style["favourite"] % n
    if edge_is_locked(state) or chance(rng, 0.12):
        winner = None
    action["winner"] = winner
    if action["value"] == "?" and winner is not None:
        action["count"] = rng.choice([rng.randint(1, 3 * n), rng.randint(1, 5), 3 * n])


def good_cards(rng, state, style):
    if edge_is_locked(state):
        return []
    last_chance = state["edge"] == EDGES - 1 or (state["n"] == 3 and state["edges_with_cards"] == 2)
    cards = []
    for seat in range(state["n"]):
        most = min(CARDS_A_STAGE - len(state["laid"][seat]), len(state["hand"][seat]))
        number = rng.randint(0, most) if chance(rng, style["greed"]) else 0
        if style["greed"] > 0.8 and last_chance:
            number = most
        for value in rng.sample(state["hand"][seat], number):
            cards.append([seat, value])
    rng.shuffle(cards)
    return cards


def add_moves(rng, state, action, winner, count):
    if winner is None:
        if chance(rng, 0.08):
            action["moves"] = []
        return
    mine = state["animals"][winner]
    free = [animal for animal, p in zip(ANIMALS, mine) if p != HOME]
    if action["animal"] != "any":
        add_named_moves(rng, action, free)
    elif not free or chance(rng, 0.05):
        action["moves"] = []
    elif action["value"] == "?":
        action["moves"] = good_split(rng, free, count)
    else:
        action["moves"] = [[rng.choice(free), action["value"]]]


def add_named_moves(rng, action, free):
    roll = rng.random()
    if roll < 0.06:
        action["moves"] = []
    elif roll < 0.2 and action["animal"] in free:
        action["moves"] = [[action["animal"], action["value"]]]


def good_split(rng, free, count):
    parts = rng.randint(1, min(len(free), count))
    cuts = sorted(rng.sample(range(1, count), parts - 1))
    sizes = [b - a for a, b in zip([0] + cuts, cuts + [count])]
    return [[animal, size] for animal, size in zip(rng.sample(free, parts), sizes)]


# ---------------------------------------------------------------- generating wrong actions


def wrong_action(rng, state, style):
    """Some action refused in this state."""
    while True:
        action = rng.choice(WRONG)(rng, state, style)
        if action is not None and is_refused(state, action):
            return action


def is_refused(state, action):
    try:
        apply(copy.deepcopy(state), action)
    except Refused:
        return True
    return False


def base_action(rng, state, style):
    """A legal action, or after the end one that would have been legal once."""
    if state["phase"] == "over":
        return rng.choice([{"do": "end"}, {"do": "take-back", "seat": 0}, good_edge(rng, state, style)])
    return legal_action(rng, state, style)


def wrong_missing(rng, state, style):
    action = base_action(rng, state, style)
    del action[rng.choice(list(action))]
    return action


def wrong_extra(rng, state, style):
    action = base_action(rng, state, style)
    name, value = rng.choice([("note", "x"), ("seat", 0), ("count", 2), ("winner", 0), ("cards", []), ("moves", [])])
    if name in action:
        return None
    action[name] = value
    return action


def wrong_do(rng, state, style):
    action = base_action(rng, state, style)
    action["do"] = rng.choice(["pass", "trick", "", "Edge", "take_back", None, 1])
    return action


def places(thing):
    """Every place in nested JSON data, as (container, key)."""
    found = []
    keys = list(thing) if type(thing) is dict else range(len(thing))
    for key in keys:
        found.append((thing, key))
        if type(thing[key]) in (dict, list):
            found += places(thing[key])
    return found


def wrong_value(rng, state, style):
    """One value somewhere replaced by a wrong one."""
    action = copy.deepcopy(base_action(rng, state, style))
    container, key = rng.choice(places(action))
    old = container[key]
    bad = [True, False, None, -1, 0, 5, 7, 13, 1000000, "1", "", [], {}, 2.5, "any", "?"]
    if type(old) is int:
        bad += [float(old), old + 1, old - 1, str(old)] * 3
    container[key] = rng.choice(bad)
    return action


def wrong_seat(rng, state, style):
    seat = rng.choice([-1, state["n"], 4, True, 1.0, None, "0"])
    return rng.choice(
        [
            {"do": "take-back", "seat": seat},
            {"do": "discard", "seat": seat, "tile": 3},
            {"do": "edge", "animal": "flyer", "value": 2, "winner": seat},
            {"do": "edge", "animal": "flyer", "value": 2, "cards": [[seat, 1]]},
        ]
    )


def wrong_turn(rng, state, style):
    """Right in form, perhaps at the wrong time; is_refused picks those that are."""
    return rng.choice(
        [
            {"do": "end"},
            {"do": "take-back", "seat": rng.randrange(state["n"])},
            {"do": "discard", "seat": rng.randrange(state["n"]), "tile": rng.randint(1, 6)},
            good_final(rng, state["n"]),
            {"do": "edge", "animal": "flyer", "value": 1, "winner": rng.randrange(state["n"])},
        ]
    )


def wrong_cards(rng, state, style):
    """Cards not in hand, too many of them, an unknown value, or at a fourth edge of three players."""
    seat = rng.randrange(state["n"])
    cards = rng.choice(
        [
            [[seat, 6], [seat, 6]],
            [[seat, 4]] * 2,
            [[seat, 3]] * 3,
            [[seat, 1], [seat, 2], [seat, 1], [seat, 2]],
            [[seat, 5]],
            [[seat, 0]],
            [[seat, rng.choice(MAGIC_CARDS)]],
            [[seat, value] for value in rng.sample(MAGIC_CARDS, 3)],
            [[seat, value] for value in state["hand"][seat][:4]],
            [[seat, value] for value in state["hand"][seat][:1]],
            [[seat]],
            [[seat, 1, 1]],
        ]
    )
    action = {"do": "edge", "animal": rng.choice(ANIMALS), "value": rng.randint(1, 4), "cards": copy.deepcopy(cards)}
    legal = [[s, state["hand"][s][0]] for s in range(state["n"]) if s != seat and state["hand"][s]]
    if chance(rng, 0.5):
        action["cards"] += legal[:1]
    return action


def wrong_claim(rng, state, style):
    action = good_edge(rng, state, dict(style, short=0))
    action["winner"] = rng.choice([None] + list(range(state["n"])))
    return action


def wrong_moves(rng, state, style):
    """A right edge with moves that do not fit it."""
    action = good_edge(rng, state, style)
    points = action["value"] if action["value"] != "?" else action.get("count", len(action.get("cards", [])))
    one, two = rng.sample(ANIMALS, 2)
    action["moves"] = rng.choice(
        [
            [[one, points]],
            [[one, points + 1]],
            [[one, points - 1]],
            [[one, 1], [two, points - 1]],
            [[one, 1], [one, points - 1]],
            [[one, 0], [two, points]],
            [[one, -1], [two, points + 1]],
            [["any", points]],
            [[one]],
            [one, points],
            None,
            {},
        ]
    )
    return action


def wrong_count(rng, state, style):
    n = state["n"]
    action = {"do": "edge", "animal": "any", "value": rng.choice(["?", "?", 2]), "winner": rng.choice([0, 1, 2, None])}
    action["count"] = rng.choice([0, -1, 3 * n, 3 * n + 1, 13, 100, 3.0, True, None])
    action["moves"] = rng.choice([[], [["flyer", 2]], [["flyer", action["count"]]]])
    return action


def wrong_print(rng, state, style):
    action = good_edge(rng, state, style)
    action["animal"] = rng.choice(ANIMALS + ["any", "cat", "?", None, 0])
    action["value"] = rng.choice([0, 5, 6, "?", "2", 2.0, True, None, -1])
    return action


def wrong_final(rng, state, style):
    action = good_final(rng, state["n"])
    twist = rng.randrange(6)
    if twist == 0:
        action["tiles"][0] += [3, 3, 3]
    elif twist == 1:
        action["tiles"][-1].append(rng.choice([0, 6, 7, -1, 2.0, True, None, "2"]))
    elif twist == 2:
        action["animals"][rng.randrange(state["n"])][0] = rng.choice([13, -1, 6.0, True, None, "6"])
    elif twist == 3:
        action[rng.choice(["tiles", "animals"])].pop()
    elif twist == 4:
        action["animals"][0].append(12)
    else:
        action["animals"].append([12, 12, 12])
    return action


def wrong_discard(rng, state, style):
    action = {"do": "discard", "seat": rng.randrange(state["n"])}
    action["tile"] = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, None, True])
    owing = [seat for seat in range(state["n"]) if state["debts"][seat]]
    if owing and chance(rng, 0.5):
        action["seat"] = rng.choice(owing)
    return action


WRONG = [
    wrong_missing, wrong_extra, wrong_do, wrong_value, wrong_value, wrong_value, wrong_seat, wrong_turn, wrong_turn,
    wrong_cards, wrong_cards, wrong_cards, wrong_claim, wrong_moves, wrong_moves, wrong_count, wrong_print, wrong_final,
    wrong_discard, wrong_discard,
]  # fmt: skip

WRONG_OPTIONS = [
    {"stages": 8}, {"starter": -1}, {"starter": 4}, {"starter": True}, {"starter": 1.0}, {"starter": None},
    {"starter": "0"}, {"occupied_turnaround": "wait"}, {"occupied_turnaround": None}, {"penalty_per": "seat"},
    {"penalty_per": True}, {"second_last": "next"}, {"second_last": []}, {"Starter": 0}, {"target": 100},
]  # fmt: skip
WRONG_PLAYERS = [[], NAMES[:1], NAMES[:2], NAMES + ["Eva"]]


# ---------------------------------------------------------------- the strategies


def random_from(draw):
    """One drawn number a step: steps reproduce, and shrink one by one."""
    return random.Random(draw(st.integers(0, 2**20)))


@st.composite
def options_for(draw, n):
    options = {}
    if draw(st.booleans()):
        options["starter"] = draw(st.integers(0, n - 1))
    for name, values in CHOICES.items():
        value = draw(st.sampled_from([None, *values, values[1]]))
        if value is not None:
            options[name] = value
    return options


@st.composite
def styles(draw):
    """What a table is like: how much it enters, how it plays."""
    return {
        "final": draw(st.integers(0, 3)) == 3,
        "short": draw(st.sampled_from([0, 0, 0.03, 0.4, 1])),
        "greed": draw(st.sampled_from([0.3, 0.6, 0.9, 1])),
        "fast": draw(st.booleans()),
        "favourite": draw(st.sampled_from([None, None, 0, 1, 2, 3])),
        "take_back": draw(st.sampled_from([0.01, 0.05, 0.2])),
        "end": draw(st.sampled_from([0, 0, 0.1])),
    }


@st.composite
def records(draw):
    """A record: mostly whole games or long beginnings, about one in four with one wrong thing."""
    n = draw(st.sampled_from([3, 4]))
    record = {"format": "companion-record/1", "game": GAME, "players": NAMES[:n], "actions": []}
    options = draw(options_for(n))
    if options or draw(st.booleans()):
        record["options"] = options
    state = new_state(n, check_options(options, n))
    style = draw(styles())
    length = draw(st.sampled_from([None, None, None, st.integers(0, 40)]))
    length = 80 if length is None else draw(length)
    patience = draw(st.sampled_from([9, 9, 9, 1, 0]))  # discards made before the record breaks off
    wrong = draw(st.sampled_from([""] * 15 + ["somewhere"] * 3 + ["at the end"] * 2 + ["setting"]))
    wrong_at = draw(st.integers(0, 36)) if wrong == "somewhere" else None
    while len(record["actions"]) < length and state["phase"] != "over":
        if state["phase"] == "discard" and count_discards(record) >= patience:
            break
        rng = random_from(draw)
        if len(record["actions"]) == wrong_at:
            record["actions"].append(wrong_action(rng, state, style))
            length = min(length, wrong_at + 4)
        else:
            action = legal_action(rng, state, style)
            apply(state, action)
            record["actions"].append(action)
    if wrong == "at the end" or (wrong == "somewhere" and len(record["actions"]) <= wrong_at):
        record["actions"].append(wrong_action(random_from(draw), state, style))
    if wrong == "setting":
        spoil_setting(draw, record)
    return record


def count_discards(record):
    return sum(action.get("do") == "discard" for action in record["actions"])


def spoil_setting(draw, record):
    if draw(st.integers(0, 2)) == 0:
        record["players"] = list(draw(st.sampled_from(WRONG_PLAYERS)))
    else:
        record["options"] = dict(record.get("options", {}), **draw(st.sampled_from(WRONG_OPTIONS)))


@st.composite
def questions(draw):
    """A question about one edge, about one in four with one wrong thing."""
    n = draw(st.sampled_from([3, 4]))
    rng = random_from(draw)
    state = new_state(n, {})
    style = {"greed": draw(st.sampled_from([0.3, 0.6, 0.8, 0.8]))}
    question = {"game": GAME, "players": NAMES[:n], "cards": good_cards(rng, state, style)}
    if draw(st.integers(0, 3)) == 3:
        question["leader"] = draw(st.integers(0, n - 1))
    if draw(st.booleans()):
        question["claim"] = draw(st.integers(0, n - 1))
    if draw(st.integers(0, 3)) == 3:
        spoil_question(rng, question, n)
    return question


def spoil_question(rng, question, n):
    twist = rng.randrange(6)
    seat = rng.randrange(n)
    if twist == 0:
        del question[rng.choice(["players", "cards"])]
    elif twist == 1:
        question[rng.choice(["winner", "value", "note"])] = 1
    elif twist == 2:
        question["players"] = list(rng.choice(WRONG_PLAYERS))
    elif twist == 3:
        question[rng.choice(["claim", "leader"])] = rng.choice([-1, n, True, 1.0, None, "0"])
    elif twist == 4:
        bad = [[n, 1], [-1, 1], [True, 1], [seat, 5], [seat, 0], [seat, True], [seat, 2.0], [seat], None, [seat, 1, 1]]
        question["cards"].insert(rng.randint(0, len(question["cards"])), rng.choice(bad))
    else:
        question["cards"] += rng.choice([[[seat, 6], [seat, 6]], [[seat, 4], [seat, 4]], [[seat, 1]] * 4])
