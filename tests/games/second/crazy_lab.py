"""Crazy Lab a second time: an independent scorer, and hypothesis strategies for records and questions.

Written from the specification alone (the match record and the rules of record), without a look at the rules
engine, and used only in tests to check that engine. Slow and obvious on purpose: plain lists and dicts.

* `score(record)` is what `companion replay` prints, without `game` and `players`, and with the warnings as sorted
  `[action, rule]` pairs; `{"error": i}` where action i is refused, -1 for wrong players or options.
* `answer(question)` is what `companion resolve` prints, without `why`; `{"error": -1}` for a bad question.
* `records()` and `questions()` are hypothesis strategies for both; about one in four is wrong somewhere.
"""

from copy import deepcopy
from itertools import combinations, product

from hypothesis import strategies as st

COLOURS = ["purple", "blue", "yellow", "orange", "green"]
NAMES = ["Ana", "Ben", "Cem", "Dora", "Eli", "Fay"]
TRICKS = 10
TIES = ["shared", "extra-round"]


class Refused(Exception):
    """The specification does not allow this."""


def demand(condition):
    if not condition:
        raise Refused


# ---------------------------------------------------------------- plain checks of values


def is_whole(value, low, high=None):
    """A real whole number: neither true nor 2.0."""
    return type(value) is int and value >= low and (high is None or value <= high)


def is_seat(value, seats):
    return is_whole(value, 0, seats - 1)


def is_colour(value):
    return type(value) is str and value in COLOURS


def is_card(value):
    """One to three colours, each with a number from 1 to 6."""
    if type(value) is not dict or not 1 <= len(value) <= 3:
        return False
    return all(is_colour(colour) and is_whole(number, 1, 6) for colour, number in value.items())


def is_list_of(value, length):
    return type(value) is list and len(value) == length


def demand_fields(thing, needed, optional=()):
    demand(all(field in thing for field in needed))
    demand(all(field in needed or field in optional for field in thing))


# ---------------------------------------------------------------- a match


def check_players(players):
    demand(type(players) is list and 3 <= len(players) <= 5)
    demand(all(type(name) is str for name in players))


def new_match(players, options):
    check_players(players)
    demand(type(options) is dict)
    demand_fields(options, [], ["rounds", "starter", "tie"])
    seats = len(players)
    match = {
        "seats": seats,
        "agreed": options.get("rounds", 1),
        "starter": options.get("starter", 0),
        "tie": options.get("tie", "shared"),
        "rounds": [],
        "open": new_round(seats),
    }
    demand(is_whole(match["agreed"], 1))
    demand(is_seat(match["starter"], seats))
    demand(type(match["tie"]) is str and match["tie"] in TIES)
    return match


def new_round(seats):
    return {"minus": None, "plus": [None] * seats, "counts": [None] * seats, "tricks": []}


def totals(match):
    return [sum(points[seat] for points in match["rounds"]) for seat in range(match["seats"])]


def best_seats(match):
    points = totals(match)
    return [seat for seat in range(match["seats"]) if points[seat] == max(points)]


def is_finished(match):
    if len(match["rounds"]) < match["agreed"]:
        return False
    return match["tie"] == "shared" or len(best_seats(match)) == 1


def leader(match):
    """Who leads the next trick: the last winner, or the seat whose turn it is to start the round."""
    if is_finished(match):
        return None
    if match["open"]["tricks"]:
        return match["open"]["tricks"][-1]["winner"]
    return (match["starter"] + len(match["rounds"])) % match["seats"]


def trick_winner(trump, cards, first, seats):
    """The earliest of the highest trumps, or without any trump the earliest of the highest single numbers."""
    if any(trump in card for card in cards):
        strengths = [card.get(trump, 0) for card in cards]
    else:
        strengths = [max(card.values()) for card in cards]
    return (first + strengths.index(max(strengths))) % seats


def trump_uses(match, colour):
    return len([trick for trick in match["open"]["tricks"] if trick["trump"] == colour])


def tricks_won(match, seat):
    return len([trick for trick in match["open"]["tricks"] if trick["winner"] == seat])


def limit(match, seat):
    """The most points of one colour this seat can report now."""
    if len(match["open"]["tricks"]) == TRICKS:
        return 6 * match["seats"] * tricks_won(match, seat)
    return 60 * match["seats"]


# ---------------------------------------------------------------- the actions


def act(match, action):
    """Carry out one action on the match, or raise Refused and leave the match as it was."""
    demand(type(action) is dict)
    demand(type(action.get("do")) is str and action["do"] in ACTIONS)
    demand(not is_finished(match))
    ACTIONS[action["do"]](match, action)


def act_minus(match, action):
    demand_fields(action, ["do", "colours"])
    colours, current = action["colours"], match["open"]
    demand(is_list_of(colours, match["seats"]) and all(is_colour(colour) for colour in colours))
    demand(len(set(colours)) == len(colours))
    demand(current["minus"] is None)
    demand(current["tricks"] == [] and all(count is None for count in current["counts"]))
    current["minus"] = list(colours)


def act_plus(match, action):
    demand_fields(action, ["do", "seat", "colour"])
    seat, colour, current = action["seat"], action["colour"], match["open"]
    demand(is_seat(seat, match["seats"]) and is_colour(colour))
    demand(current["minus"] is not None)
    demand(current["minus"][seat] != colour)
    demand(current["plus"][seat] is None)
    current["plus"][seat] = colour
    score_cards_if_complete(match)


def act_trick(match, action):
    demand(len(match["open"]["tricks"]) < TRICKS)
    if "cards" in action:
        winner = winner_by_cards(match, action)
    else:
        demand_fields(action, ["do", "winner"], ["trump"])
        winner = action["winner"]
        demand(is_seat(winner, match["seats"]))
    if "trump" in action:
        demand(is_colour(action["trump"]))
        demand(trump_uses(match, action["trump"]) < 4)
    trick = {"winner": winner, "trump": action.get("trump"), "cards": deepcopy(action.get("cards"))}
    match["open"]["tricks"].append(trick)
    score_cards_if_complete(match)


def winner_by_cards(match, action):
    demand_fields(action, ["do", "trump", "cards"], ["winner"])
    trump, cards = action["trump"], action["cards"]
    demand(is_colour(trump))
    demand(is_list_of(cards, match["seats"]) and all(is_card(card) for card in cards))
    winner = trick_winner(trump, cards, leader(match), match["seats"])
    if "winner" in action:
        demand(is_seat(action["winner"], match["seats"]) and action["winner"] == winner)
    return winner


def act_count(match, action):
    demand_fields(action, ["do", "seat", "plus", "minus"])
    seat = action["seat"]
    demand(is_seat(seat, match["seats"]))
    demand_sums(match, seat, action["plus"], action["minus"])
    counts = match["open"]["counts"]
    counts[seat] = action["plus"] - action["minus"]
    if all(count is not None for count in counts):
        close_round(match, counts)


def act_round(match, action):
    demand_fields(action, ["do", "plus", "minus"])
    plus, minus, seats = action["plus"], action["minus"], match["seats"]
    demand(is_list_of(plus, seats) and is_list_of(minus, seats))
    for seat in range(seats):
        demand_sums(match, seat, plus[seat], minus[seat])
    close_round(match, [plus[seat] - minus[seat] for seat in range(seats)])


def demand_sums(match, seat, plus, minus):
    demand(is_whole(plus, 0, limit(match, seat)))
    demand(is_whole(minus, 0, limit(match, seat)))


def score_cards_if_complete(match):
    """Ten tricks with cards and every plus colour: the round scores itself, whatever was counted before."""
    current = match["open"]
    if len(current["tricks"]) < TRICKS or any(trick["cards"] is None for trick in current["tricks"]):
        return
    if any(colour is None for colour in current["plus"]):
        return
    close_round(match, [points_by_cards(current, seat) for seat in range(match["seats"])])


def points_by_cards(current, seat):
    points = 0
    for trick in current["tricks"]:
        if trick["winner"] == seat:
            for card in trick["cards"]:
                points += card.get(current["plus"][seat], 0)
                points -= card.get(current["minus"][seat], 0)
    return points


def close_round(match, points):
    match["rounds"].append(list(points))
    match["open"] = new_round(match["seats"])


ACTIONS = {"minus": act_minus, "plus": act_plus, "trick": act_trick, "count": act_count, "round": act_round}


# ---------------------------------------------------------------- the two answers


def score(record):
    try:
        match = new_match(record.get("players"), record.get("options", {}))
    except Refused:
        return {"error": -1}
    for index, action in enumerate(record["actions"]):
        try:
            act(match, action)
        except Refused:
            return {"error": index}
    return report(match)


def report(match):
    return {
        "finished": is_finished(match),
        "rounds": deepcopy(match["rounds"]),
        "totals": totals(match),
        "winners": best_seats(match) if is_finished(match) else [],
        "warnings": [],  # nothing a Crazy Lab record can say is doubtful yet possible
        "leader": leader(match),
        "tricks_played": len(match["open"]["tricks"]),
    }


def answer(question):
    try:
        return resolved(question)
    except Refused:
        return {"error": -1}


def resolved(question):
    demand_fields(question, ["game", "players", "trump", "cards"], ["leader", "claim"])
    check_players(question["players"])
    seats, trump, cards = len(question["players"]), question["trump"], question["cards"]
    first = question.get("leader", 0)
    demand(is_seat(first, seats) and is_colour(trump))
    demand(is_list_of(cards, seats) and all(is_card(card) or is_highest(card) for card in cards))
    winner = trick_winner(trump, cards, first, seats)
    if "claim" not in question:
        return {"winner": winner}
    demand(is_seat(question["claim"], seats))
    return {"winner": winner, "right": question["claim"] == winner}


def is_highest(card):
    """The short card of a question: no trump colour, and only its highest number is told."""
    return type(card) is dict and list(card) == ["highest"] and is_whole(card["highest"], 1, 6)


# ---------------------------------------------------------------- making legal records
# `rnd` is a random.Random drawn through hypothesis: every choice is hypothesis's own, so failures reproduce and
# shrink. Choices name the plainest possibility first, as hypothesis shrinks towards the first.


def all_cards():
    cards = []
    for size in (1, 2, 3):
        for colours in combinations(COLOURS, size):
            for numbers in product(range(1, 7), repeat=size):
                cards.append(dict(zip(colours, numbers)))
    return cards


CARDS = all_cards()
CARDS_WITHOUT = {colour: [card for card in CARDS if colour not in card] for colour in COLOURS}
CARDS_HIGH = {colour: [card for card in CARDS if card.get(colour, 0) >= 5] for colour in COLOURS}


def chance(rnd, one_in):
    """True once in that many times; hypothesis shrinks it to False."""
    return rnd.randrange(one_in) == one_in - 1


def some_cards(rnd, trump, seats):
    """Cards for a trick: any, none of the trump colour, one small trump among others, or many equal high trumps."""
    kind = rnd.choice(["any", "any", "no trump", "one trump", "high"])
    if kind == "any":
        pool = CARDS
    elif kind == "high":
        pool = CARDS_HIGH[trump]
    else:
        pool = CARDS_WITHOUT[trump]
    cards = [dict(rnd.choice(pool)) for _ in range(seats)]
    if kind == "one trump":
        cards[rnd.randrange(seats)] = {trump: rnd.randint(1, 6)}
    return cards


def some_trump(rnd, match, plan):
    """A trump colour that is still allowed; often the round's favourite, so that the fourth time is common."""
    if trump_uses(match, plan["favourite"]) < 4 and chance(rnd, 2):
        return plan["favourite"]
    return rnd.choice([colour for colour in COLOURS if trump_uses(match, colour) < 4])


def some_card_trick(rnd, match, plan):
    trump = some_trump(rnd, match, plan)
    cards = some_cards(rnd, trump, match["seats"])
    action = {"do": "trick", "trump": trump, "cards": cards}
    if chance(rnd, 3):
        action["winner"] = trick_winner(trump, cards, leader(match), match["seats"])
    return action


def some_short_trick(rnd, match, plan):
    action = {"do": "trick", "winner": rnd.randrange(match["seats"])}
    if action["winner"] == plan["unlucky"]:
        action["winner"] = (plan["unlucky"] + 1) % match["seats"]
    if chance(rnd, 2):
        action["trump"] = some_trump(rnd, match, plan)
    return action


def some_minus(rnd, match, plan):
    colours = list(COLOURS)
    rnd.shuffle(colours)
    return {"do": "minus", "colours": colours[: match["seats"]]}


def some_plus(rnd, match, plan):
    """A plus colour of a seat that has none yet; often the favourite trump, which then still may come four times."""
    free = [seat for seat in range(match["seats"]) if match["open"]["plus"][seat] is None]
    seat = rnd.choice(free)
    colours = [colour for colour in COLOURS if colour != match["open"]["minus"][seat]]
    if plan["favourite"] in colours and chance(rnd, 2):
        return {"do": "plus", "seat": seat, "colour": plan["favourite"]}
    return {"do": "plus", "seat": seat, "colour": rnd.choice(colours)}


def some_sum(rnd, match, seat):
    most = limit(match, seat)
    kind = rnd.choice(["small", "small", "any", "most"])
    if kind == "most":
        return most
    return rnd.randint(0, min(most, 3) if kind == "small" else most)


def some_count(rnd, match, plan):
    """A count of a seat that has none; once in four times of any seat, which may replace one."""
    seats = range(match["seats"])
    missing = [seat for seat in seats if match["open"]["counts"][seat] is None]
    seat = rnd.randrange(match["seats"]) if chance(rnd, 4) else rnd.choice(missing)
    return {"do": "count", "seat": seat, "plus": some_sum(rnd, match, seat), "minus": some_sum(rnd, match, seat)}


def some_early_count(rnd, match, plan):
    """A count that does not close the round yet; None where it would."""
    action = some_count(rnd, match, plan)
    others = [count for seat, count in enumerate(match["open"]["counts"]) if seat != action["seat"]]
    return action if None in others else None


def some_round(rnd, match, plan):
    seats = range(match["seats"])
    if chance(rnd, 3):
        plus, minus = level_sums(match)
    else:
        plus = [some_sum(rnd, match, seat) for seat in seats]
        minus = [some_sum(rnd, match, seat) for seat in seats]
    if chance(rnd, 3):  # one seat falls behind
        behind = rnd.choice(seats)
        plus[behind], minus[behind] = 0, limit(match, behind)
    return {"do": "round", "plus": plus, "minus": minus}


def level_sums(match):
    """Sums that bring every seat up to the best total, as far as the limits allow: ties for first."""
    points = totals(match)
    plus = [min(max(points) - points[seat], limit(match, seat)) for seat in range(match["seats"])]
    return plus, [0] * match["seats"]


MAKERS = {
    "minus": some_minus,
    "plus": some_plus,
    "cards": some_card_trick,
    "short": some_short_trick,
    "early count": some_early_count,
    "count": some_count,
    "round": some_round,
}


def some_plan(rnd, seats):
    """What one round is going to report, in which order; the values come later, from the match as it then is."""
    style = rnd.choice(["outcome", "counts", "cards", "cards", "cards", "short", "mixed", "one plus missing"])
    plan = {"favourite": rnd.choice(COLOURS), "unlucky": rnd.randrange(seats), "kinds": []}
    plan["close"] = rnd.choice(["round", "count"])
    if style == "outcome":
        plan["close"] = "round"
    elif style == "counts":
        plan["close"] = "count"
    elif style == "cards":
        plan["kinds"] = with_minus(rnd, ["cards"] * TRICKS, seats)
    elif style == "one plus missing":
        plan["kinds"] = with_minus(rnd, ["cards"] * TRICKS, rnd.randrange(seats))
    else:
        depths = ["short"] if style == "short" else ["short", "cards"]
        amount = rnd.choice([TRICKS, TRICKS, rnd.randint(0, TRICKS)])
        tricks = [rnd.choice(depths) for _ in range(amount)]
        plan["kinds"] = with_minus(rnd, tricks, rnd.randint(0, seats)) if chance(rnd, 2) else tricks
    if chance(rnd, 3):
        insert_early_counts(rnd, plan["kinds"])
    return plan


def with_minus(rnd, tricks, pluses):
    """The minus colours first, and the plus colours anywhere after them, also after the last trick."""
    kinds = list(tricks)
    for _ in range(pluses):
        kinds.insert(rnd.choice([0, rnd.randint(0, len(kinds)), len(kinds)]), "plus")
    return ["minus", *kinds]


def insert_early_counts(rnd, kinds):
    first = 1 if kinds[:1] == ["minus"] else 0
    for _ in range(rnd.randint(1, 3)):
        kinds.insert(rnd.randint(first, len(kinds)), "early count")


def play_round(rnd, match, actions):
    plan = some_plan(rnd, match["seats"])
    done = len(match["rounds"])
    kinds = list(plan["kinds"])
    while len(match["rounds"]) == done:
        kind = kinds.pop(0) if kinds else plan["close"]
        action = MAKERS[kind](rnd, match, plan)
        if action is not None:
            act(match, action)
            actions.append(action)


def play(rnd, players, options):
    """A whole game, or the first three rounds of a longer one."""
    match, actions = new_match(players, options), []
    while not is_finished(match) and len(match["rounds"]) < 3:
        play_round(rnd, match, actions)
    return actions


def some_options(rnd, seats):
    options = {}
    if chance(rnd, 2):
        options["rounds"] = rnd.choice([1, 2, 2, 2, 3, 3, 4, 100])
    if chance(rnd, 2):
        options["starter"] = rnd.randrange(seats)
    if chance(rnd, 2):
        options["tie"] = rnd.choice(TIES[::-1])
    return options


# ---------------------------------------------------------------- making wrong ones

JUNK = [None, True, False, 2.0, 0.0, -1, 1000, "", "1", "red", "Purple", [], {}, [0], {"green": 5}]


def other_junk(rnd, value):
    """Something else than the value, and something JSON would tell apart from it."""
    return deepcopy(rnd.choice([junk for junk in JUNK if repr(junk) != repr(value)]))


def spoil(rnd, thing):
    """Break a well-formed object somewhere: a field away, a field too many, a false value, at any depth."""
    thing = deepcopy(thing)
    field = rnd.choice(sorted(thing))
    kind = rnd.choice(["junk", "junk", "inside", "inside", "missing", "extra", "lookalike"])
    if kind == "missing":
        del thing[field]
    elif kind == "extra":
        name = rnd.choice(["note", "caller", "cards", "winner", "seat", "trump", "highest"])
        thing[name] = rnd.choice([0, None, "x"])
    elif kind == "lookalike":
        thing[field] = lookalike(thing[field])
    elif kind == "inside" and type(thing[field]) is list and thing[field]:
        spoil_list(rnd, thing[field])
    else:
        thing[field] = other_junk(rnd, thing[field])
    return thing


def lookalike(value):
    """The same to a careless reader: 1 as 1.0, 0 and 1 as false and true, also inside a list."""
    if type(value) is list:
        return [lookalike(value[0]), *value[1:]] if value else None
    if type(value) is dict:
        return {key: lookalike(number) for key, number in value.items()}
    if type(value) is int:
        return bool(value) if value in (0, 1) else float(value)
    return [value]


def spoil_list(rnd, items):
    place = rnd.randrange(len(items))
    kind = rnd.choice(["junk", "short", "long", "inside"])
    if kind == "short":
        del items[place]
    elif kind == "long":
        items.append(deepcopy(items[place]))
    elif kind == "inside" and type(items[place]) is dict:
        items[place] = rnd.choice(bad_cards(items[place]))
    else:
        items[place] = other_junk(rnd, items[place])


def bad_cards(card):
    """Wrong in a trick, and (but for the shortened card alone, which is not here) in a question too."""
    colour = sorted(card)[0]
    return [
        {},
        {**card, colour: 0},
        {**card, colour: 7},
        {**card, colour: 2.0},
        {**card, colour: True},
        {**card, colour: None},
        {**card, colour: "3"},
        {**card, "red": 3},
        {"green": 1, "blue": 2, "yellow": 3, "purple": 4},
        {colour: [3]},
        {"highest": 7},
        {"highest": 0},
        {"highest": True},
        "green-5",
        [colour, 3],
    ]


def any_action(rnd, match):
    """Some well-formed action, whether or not its time is now."""
    seats = match["seats"]
    cards = some_cards(rnd, "green", seats)
    return rnd.choice(
        [
            {"do": "round", "plus": [3] * seats, "minus": [1] * seats},
            {"do": "count", "seat": rnd.randrange(seats), "plus": 4, "minus": 2},
            {"do": "trick", "winner": rnd.randrange(seats)},
            {"do": "trick", "winner": rnd.randrange(seats), "trump": "blue"},
            {"do": "trick", "trump": "green", "cards": cards},
            {"do": "minus", "colours": COLOURS[:seats]},
            {"do": "plus", "seat": rnd.randrange(seats), "colour": rnd.choice(COLOURS)},
        ]
    )


def wrong_actions(rnd, match):
    """Actions, each with a weight, that the rules refuse in the match as it is now."""
    return [*wrong_scorings(rnd, match), *wrong_colours(rnd, match), *wrong_tricks(rnd, match), *strange_actions()]


def wrong_scorings(rnd, match):
    seats, seat = match["seats"], rnd.randrange(match["seats"])
    over = limit(match, seat) + rnd.choice([1, 1, 50])
    sums = [0] * seats
    high = [over if other == seat else 0 for other in range(seats)]
    return [
        (2, {"do": "count", "seat": seat, "plus": over, "minus": 0}),
        (2, {"do": "count", "seat": seat, "plus": 0, "minus": over}),
        (1, {"do": "count", "seat": seat, "plus": -1, "minus": 0}),
        (1, {"do": "count", "seat": rnd.choice([seats, -1]), "plus": 0, "minus": 0}),
        (2, {"do": "round", "plus": high, "minus": sums}),
        (2, {"do": "round", "plus": sums, "minus": high}),
        (1, {"do": "round", "plus": sums, "minus": [*sums, 0]}),
        (1, {"do": "round", "plus": sums[1:], "minus": sums}),
    ]


def wrong_colours(rnd, match):
    seats, seat = match["seats"], rnd.randrange(match["seats"])
    current = match["open"]
    wrong = [
        (1, {"do": "minus", "colours": [*COLOURS[: seats - 1], "purple"]}),
        (1, {"do": "minus", "colours": COLOURS[: seats - 1]}),
        (1, {"do": "minus", "colours": [*COLOURS, "red"][: seats + 1]}),
        (1, {"do": "plus", "seat": seats, "colour": "blue"}),
    ]
    if current["minus"] is None:
        wrong.append((2, {"do": "plus", "seat": seat, "colour": "blue"}))
    else:
        wrong.append((3, {"do": "plus", "seat": seat, "colour": current["minus"][seat]}))
    if current["minus"] or current["tricks"] or any(count is not None for count in current["counts"]):
        wrong.append((3, {"do": "minus", "colours": COLOURS[:seats]}))
    for taken in [other for other in range(seats) if current["plus"][other] is not None][:1]:
        free = [colour for colour in COLOURS if colour != current["minus"][taken]]
        wrong.append((4, {"do": "plus", "seat": taken, "colour": rnd.choice(free)}))
    return wrong


def wrong_tricks(rnd, match):
    seats, seat = match["seats"], rnd.randrange(match["seats"])
    cards = some_cards(rnd, "green", seats)
    bad = [*cards[1:], rnd.choice([*bad_cards(cards[0]), {"highest": 5}])]
    wrong = [
        (1, {"do": "trick", "winner": rnd.choice([seats, -1])}),
        (1, {"do": "trick", "winner": seat, "trump": rnd.choice(["red", None])}),
        (1, {"do": "trick", "trump": "green"}),
        (1, {"do": "trick", "cards": cards}),
        (1, {"do": "trick", "cards": cards, "winner": seat}),
        (1, {"do": "trick", "trump": "green", "cards": cards[1:]}),
        (1, {"do": "trick", "trump": "green", "cards": [*cards, {"blue": 1}]}),
        (3, {"do": "trick", "trump": "green", "cards": bad}),
    ]
    if not is_finished(match):
        right = trick_winner("green", cards, leader(match), seats)
        claim = (right + rnd.randint(1, seats - 1)) % seats
        wrong.append((4, {"do": "trick", "trump": "green", "cards": cards, "winner": claim}))
    if len(match["open"]["tricks"]) == TRICKS:
        wrong.append((20, {"do": "trick", "winner": seat}))
        wrong.append((10, {"do": "trick", "trump": "green", "cards": cards}))
    for colour in [colour for colour in COLOURS if trump_uses(match, colour) == 4]:
        wrong.append((10, {"do": "trick", "winner": seat, "trump": colour}))
        wrong.append((10, {"do": "trick", "trump": colour, "cards": cards}))
    return wrong


def strange_actions():
    return [
        (1, {"do": "end"}),
        (1, {"do": "exam", "trump": "green"}),
        (1, {"do": None}),
        (1, {"do": ["round"]}),
        (1, {"winner": 0}),
        (1, {}),
    ]


def by_weight(rnd, weighted):
    return rnd.choice([thing for weight, thing in weighted for _ in range(weight)])


def match_after(players, options, actions):
    match = new_match(players, options)
    for action in actions:
        act(match, action)
    return match


def is_full(match):
    return len(match["open"]["tricks"]) == TRICKS


def is_trump_used_up(match):
    return not is_full(match) and any(trump_uses(match, colour) == 4 for colour in COLOURS)


def places_where(condition, record):
    """The places in the actions where the match is like that; else the end."""
    match, places = new_match(record["players"], record["options"]), []
    for place, action in enumerate(record["actions"]):
        if condition(match):
            places.append(place)
        act(match, action)
    return places or [len(record["actions"])]


def some_place(rnd, record):
    kind = rnd.choice(["end", "any", "any", "full", "used up"])
    if kind == "any":
        return rnd.randint(0, len(record["actions"]))
    if kind == "full":
        return rnd.choice(places_where(is_full, record))
    if kind == "used up":
        return rnd.choice(places_where(is_trump_used_up, record))
    return len(record["actions"])


def put_in_wrong_action(rnd, record):
    """One wrong action (once in a while one that only looks out of place) somewhere or at the end."""
    actions, place = record["actions"], some_place(rnd, record)
    match = match_after(record["players"], record["options"], actions[:place])
    kind = rnd.choice(["rule", "rule", "rule", "spoilt", "spoilt", "any"])
    if kind == "rule":
        actions.insert(place, by_weight(rnd, wrong_actions(rnd, match)))
    elif kind == "any":
        actions.insert(place, any_action(rnd, match))
    elif place < len(actions):
        actions[place] = spoil(rnd, actions[place])
    else:
        actions.append(spoil(rnd, any_action(rnd, match)))


def put_in_wrong_setup(rnd, record):
    """Wrong players or options."""
    seats = len(record["players"])
    if chance(rnd, 3):
        record["players"] = rnd.choice([NAMES[:2], NAMES[:6], [], [*NAMES[:2], 3], [*NAMES[:2], None]])
        return
    record["options"] = {
        **record["options"],
        **rnd.choice(
            [
                {"rounds": rnd.choice([0, -1, True, 2.0, "2", None, [1]])},
                {"starter": rnd.choice([seats, -1, False, 0.0, "Ana", None])},
                {"tie": rnd.choice(["", "Shared", "extra_round", None, True, ["shared"]])},
                {rnd.choice(["target", "Rounds", "leader"]): 1},
            ]
        ),
    }


# ---------------------------------------------------------------- the strategies


@st.composite
def records(draw):
    """Records of all player counts, options and depths of entry: mostly legal, one in four with something wrong."""
    rnd = draw(st.randoms(use_true_random=False))
    players = NAMES[: draw(st.integers(3, 5))]
    options = some_options(rnd, len(players))
    actions = play(rnd, players, options)
    record = {"format": "companion-record/1", "game": "crazy-lab", "players": players}
    record |= {"options": options, "actions": actions}
    if chance(rnd, 3):
        del actions[some_place(rnd, record) :]
    fault = draw(st.sampled_from(["none"] * 15 + ["action"] * 5 + ["setup"]))
    if fault == "action":
        put_in_wrong_action(rnd, record)
    elif fault == "setup":
        put_in_wrong_setup(rnd, record)
    elif options == {} and chance(rnd, 2):
        del record["options"]
    return record


def shortened(rnd, card, trump):
    """The card only as far as it matters: its trump number, or its highest where it has no trump."""
    if not chance(rnd, 2):
        return card
    return {trump: card[trump]} if trump in card else {"highest": max(card.values())}


@st.composite
def questions(draw):
    """One trick each: whole and shortened cards, with and without leader and claim; one in four is wrong."""
    rnd = draw(st.randoms(use_true_random=False))
    seats = draw(st.integers(3, 5))
    trump = rnd.choice(COLOURS)
    cards = [shortened(rnd, card, trump) for card in some_cards(rnd, trump, seats)]
    question = {"game": "crazy-lab", "players": NAMES[:seats], "trump": trump, "cards": cards}
    if chance(rnd, 2):
        question["leader"] = rnd.randrange(seats)
    if chance(rnd, 2):
        question["claim"] = rnd.choice([answer(question)["winner"], rnd.randrange(seats)])
    if draw(st.sampled_from([False] * 3 + [True])):
        spoil_question(rnd, question)
    return question


def spoil_question(rnd, question):
    seats, place = len(question["players"]), rnd.randrange(len(question["cards"]))
    trump, cards = question["trump"], question["cards"]
    kind = rnd.choice(["card", "card", "cards", "seat", "players", "trump", "missing", "extra"])
    if kind == "card":
        bad = [*bad_cards({trump: 5}), {trump: 5, "highest": 6}, None]
        cards[place] = rnd.choice(bad)
    elif kind == "cards":
        question["cards"] = rnd.choice([cards[1:], [*cards, {"blue": 1}], [], None, {"blue": 1}])
    elif kind == "seat":
        question[rnd.choice(["leader", "claim"])] = rnd.choice([seats, -1, True, 0.0, None, "Ana", [0]])
    elif kind == "players":
        question["players"] = rnd.choice([NAMES[:2], NAMES[:6], NAMES[: 3 if seats > 3 else 4], [], None, seats])
    elif kind == "trump":
        question["trump"] = rnd.choice(["red", "", None, 1, True, ["green"], "Green"])
    elif kind == "missing":
        del question[rnd.choice(["players", "trump", "cards"])]
    else:
        question[rnd.choice(["winner", "strength", "note"])] = 0
