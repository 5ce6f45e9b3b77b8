"""A second, independent scorer for The Academy, for tests only.

Written from the specification alone (record.md, rules/the-academy.md), without a look at the rules engine, so that
the two can be compared. Slow and obvious on purpose: plain lists and dicts, and a fold over the actions.

    score(record)     what `companion replay` prints, warnings as [action, rule] pairs; {"error": i} if refused
    answer(question)  what `companion resolve` prints, without `why`; {"error": -1} if refused
    records()         hypothesis strategy: matches, about one in four with something wrong in it
    questions()       hypothesis strategy: questions for `answer`, mostly valid
"""

import json
import random

from hypothesis import strategies as st

COLOURS = ["blue", "green", "purple", "orange"]
CARDS = [f"{colour}-{value}" for colour in COLOURS for value in range(1, 10)]
ACE = "purple-7"
ROLES = ["captain", "mastermind", "teamplayer", "rebel"]
RULES = [
    "pass-left",
    "face-down",
    "new-trump",
    "swap-hands",
    "blind-swap",
    "swap-roles",
    "no-trump",
    "new-rule",
    "joint-award",
    "trick-exchange",
    "last-trick-award",
]
MOVES_CARDS_FOR_ALL = ["pass-left", "swap-hands", "blind-swap"]
MOVES_CARDS_FOR_MASTERMIND = ["trick-exchange"]


class Illegal(Exception):
    """The players, an option, an action or a question is refused."""


def need(condition, reason):
    if not condition:
        raise Illegal(reason)


# ---------------------------------------------------------------- values


def is_int(value, low, high):
    return type(value) is int and low <= value <= high


def is_seat(value):
    return is_int(value, 0, 3)


def is_one_of(value, words):
    return type(value) is str and value in words


def check_fields(action, required, optional=()):
    for field in required:
        need(field in action, f"{field} is missing")
    for field in action:
        need(field in required or field in optional, f"{field} is unknown")


def check_players(players):
    need(type(players) is list and len(players) == 4, "four players")
    need(all(type(name) is str for name in players), "a name is text")


def colour_of(card):
    return card.split("-")[0]


def value_of(card):
    return int(card.split("-")[1])


# ---------------------------------------------------------------- one trick


def trick_winner(trump, played):
    """`played` is a list of [seat, card] in the order played."""
    trumps = [pair for pair in played if colour_of(pair[1]) == trump]
    led = colour_of(played[0][1])
    followers = [pair for pair in played if colour_of(pair[1]) == led]
    best = max(trumps or followers, key=lambda pair: value_of(pair[1]))
    return best[0]


# ---------------------------------------------------------------- state


def start(players, options):
    check_players(players)
    need(type(options) is dict, "options is an object")
    for name in options:
        need(name in ["captain", "new_trump", "revoke"], "unknown option")
    captain = options.get("captain", 0)
    new_trump = options.get("new_trump", "unlimited")
    revoke = options.get("revoke", "warn")
    need(is_seat(captain), "captain is a seat")
    need(is_one_of(new_trump, ["unlimited", "once"]), "new_trump")
    need(is_one_of(revoke, ["warn", "ignore"]), "revoke")
    return {
        "new_trump": new_trump,
        "revoke": revoke,
        "captain": captain,  # who holds the Captain's card by rotation, swapped or not
        "totals": [0, 0, 0, 0],
        "rounds": [],
        "winners": [],
        "finished": False,
        "warnings": [],
        "round": new_round(captain),
    }


def new_round(captain):
    roles = ["", "", "", ""]
    for step in range(4):
        roles[(captain + step) % 4] = ROLES[step]
    return {
        "roles": roles,
        "exam": False,
        "trump": None,
        "rule": None,
        "swapped": False,
        "tricks": [],  # {"winner": seat, "pile": the cards as they lie now, or None for the short form}
        "covers": [],  # [as, card]
        "exchanged": False,  # after the latest trick
        "voids": [],  # [seat, colour]: did not follow that colour
    }


def seat_of(state, role):
    return state["round"]["roles"].index(role)


def leader_now(state):
    tricks = state["round"]["tricks"]
    if tricks:
        return tricks[-1]["winner"]
    return seat_of(state, "captain")


def trump_now(state):
    if state["round"]["rule"] == "no-trump":
        return None
    return state["round"]["trump"]


def seen_cards(state):
    seen = [card for kind, card in state["round"]["covers"]]
    for trick in state["round"]["tricks"]:
        seen += trick["pile"] or []
    return seen


def tricks_won(state):
    won = [0, 0, 0, 0]
    for trick in state["round"]["tricks"]:
        won[trick["winner"]] += 1
    return won


def known_cards(state, seat):
    """The cards in the tricks of this seat that were entered with cards."""
    cards = []
    for trick in state["round"]["tricks"]:
        if trick["winner"] == seat:
            cards += trick["pile"] or []
    return cards


def known_tricks(state, seat):
    return sum(1 for trick in state["round"]["tricks"] if trick["winner"] == seat and trick["pile"] is not None)


def ace_holder(state):
    for seat in range(4):
        if ACE in known_cards(state, seat):
            return seat
    return None


# ---------------------------------------------------------------- actions


def apply(state, index, action):
    """Change the state by one action, or raise Illegal (the state is then worth nothing)."""
    need(not state["finished"], "the game is over")
    need(type(action) is dict, "an action is an object")
    do = action.get("do")
    need(is_one_of(do, list(ACTIONS)), "unknown do")
    ACTIONS[do](state, index, action)


def apply_exam(state, index, action):
    check_fields(action, ["do", "rule"], ["trump"])
    the_round = state["round"]
    need(not the_round["exam"], "second exam")
    need(is_one_of(action["rule"], RULES), "unknown rule")
    trump = action.get("trump")
    need(trump is None or is_one_of(trump, COLOURS), "unknown trump")
    need(trump is not None or action["rule"] == "no-trump", "no trump colour")
    the_round["exam"] = True
    the_round["rule"] = action["rule"]
    the_round["trump"] = trump


def apply_swap_roles(state, index, action):
    check_fields(action, ["do", "seat"])
    the_round = state["round"]
    seat = action["seat"]
    need(is_seat(seat), "seat")
    need(the_round["rule"] == "swap-roles", "only under swap-roles")
    need(not the_round["tricks"], "only before trick 1")
    need(not the_round["swapped"], "only once")
    mastermind = seat_of(state, "mastermind")
    need(seat != mastermind, "not with oneself")
    roles = the_round["roles"]
    roles[seat], roles[mastermind] = roles[mastermind], roles[seat]
    the_round["swapped"] = True


def apply_trick(state, index, action):
    check_fields(action, ["do"], ["cards", "winner", "cover"])
    need("cards" in action or "winner" in action, "neither cards nor winner")
    the_round = state["round"]
    need(the_round["exam"], "a trick needs an exam")
    need(len(the_round["tricks"]) < 8, "a ninth trick")
    order = [(leader_now(state) + step) % 4 for step in range(4)]
    if "cover" in action:
        apply_cover(state, index, action["cover"])
        order.remove(seat_of(state, "mastermind"))
    if "winner" in action:
        need(is_seat(action["winner"]), "winner is a seat")
        need(action["winner"] in order, "who covers cannot win")
    if "cards" in action:
        winner = play_cards(state, index, order, action["cards"])
        need(action.get("winner", winner) == winner, "wrong claim")
        pile = list(action["cards"])
    else:
        winner = action["winner"]
        pile = None
    the_round["tricks"].append({"winner": winner, "pile": pile})
    the_round["exchanged"] = False
    forget_voids(state)
    if len(the_round["tricks"]) == 8 and all(trick["pile"] is not None for trick in the_round["tricks"]):
        end_round_by_cards(state)


def apply_cover(state, index, cover):
    the_round = state["round"]
    need(type(cover) is dict, "cover is an object")
    need(is_one_of(cover.get("as"), ["trump", "rule"]), "cover as trump or rule")
    kind = cover["as"]
    check_fields(cover, ["as", "card"] if kind == "trump" else ["as", "card", "rule"])
    card = cover["card"]
    need(is_one_of(card, CARDS), "unknown card")
    need(card != ACE, "never the purple 7")
    need(card not in seen_cards(state), "card seen twice")
    before = [old_kind for old_kind, old_card in the_round["covers"]]
    if kind == "trump":
        need(the_round["rule"] == "new-trump", "only under new-trump")
        need(state["new_trump"] == "unlimited" or "trump" not in before, "new trump once a round")
        the_round["trump"] = colour_of(card)
    else:
        need(the_round["rule"] == "new-rule", "only under new-rule")
        need("rule" not in before, "new rule once a round")
        need(is_one_of(cover["rule"], RULES), "unknown rule")
        the_round["rule"] = cover["rule"]
    the_round["covers"].append([kind, card])
    show(state, index, seat_of(state, "mastermind"), card)


def play_cards(state, index, order, cards):
    need(type(cards) is list and len(cards) == len(order), "one card a seat")
    seen = seen_cards(state)
    for card in cards:
        need(is_one_of(card, CARDS), "unknown card")
        need(card not in seen, "card seen twice")
        seen.append(card)
    led = colour_of(cards[0])
    played = [[seat, card] for seat, card in zip(order, cards, strict=True)]
    for seat, card in played:
        show(state, index, seat, card)
        if colour_of(card) != led and [seat, led] not in state["round"]["voids"]:
            state["round"]["voids"].append([seat, led])
    return trick_winner(trump_now(state), played)


def show(state, index, seat, card):
    """A seat shows a card from its hand: one warning for each time it did not follow that colour before."""
    void = [seat, colour_of(card)]
    if void in state["round"]["voids"]:
        state["round"]["voids"].remove(void)
        if state["revoke"] == "warn":
            state["warnings"].append([index, "ACA-6"])


def forget_voids(state):
    """Between two tricks a rule may bring new cards into a hand: what was said about it is then no longer known."""
    the_round = state["round"]
    if the_round["rule"] in MOVES_CARDS_FOR_ALL:
        the_round["voids"] = []
    if the_round["rule"] in MOVES_CARDS_FOR_MASTERMIND:
        mastermind = seat_of(state, "mastermind")
        the_round["voids"] = [void for void in the_round["voids"] if void[0] != mastermind]


def apply_exchange(state, index, action):
    check_fields(action, ["do", "take", "give"])
    the_round = state["round"]
    take, give = action["take"], action["give"]
    need(is_one_of(take, CARDS) and is_one_of(give, CARDS), "unknown card")
    need(the_round["rule"] == "trick-exchange", "only under trick-exchange")
    need(1 <= len(the_round["tricks"]) <= 7, "after tricks 1 to 7")
    need(not the_round["exchanged"], "one exchange a trick")
    trick = the_round["tricks"][-1]
    need(trick["pile"] is not None, "only after a trick entered with cards")
    need(trick["winner"] != seat_of(state, "mastermind"), "the Mastermind won it")
    need(take in trick["pile"], "not a card of this trick")
    need(give not in seen_cards(state), "card seen twice")
    trick["pile"].remove(take)
    trick["pile"].append(give)
    the_round["exchanged"] = True


def apply_round(state, index, action):
    check_fields(action, ["do", "rebel", "ace"], ["tricks", "last"])
    entered = len(state["round"]["tricks"])
    won = tricks_won(state)
    if entered < 8:
        need("tricks" in action, "tricks is missing")
    tricks = action.get("tricks", won)
    check_tricks(tricks, won)
    last = outcome_last(state, action, tricks, won)
    ace, rebel = action["ace"], action["rebel"]
    need(is_seat(ace), "ace is a seat")
    need(type(rebel) is bool, "rebel is true or false")
    check_ace(state, tricks, ace)
    check_rebel(state, tricks, rebel, ace)
    end_round(state, tricks, rebel, ace, last)


def check_tricks(tricks, won):
    need(type(tricks) is list and len(tricks) == 4, "tricks per seat")
    need(all(is_int(number, 0, 8) for number in tricks), "numbers 0 to 8")
    need(sum(tricks) == 8, "eight tricks")
    for seat in range(4):
        need(tricks[seat] >= won[seat], "contradicts the tricks entered")


def outcome_last(state, action, tricks, won):
    entered = state["round"]["tricks"]
    if len(entered) == 8:
        last = entered[-1]["winner"]
        if "last" in action:
            need(is_seat(action["last"]) and action["last"] == last, "contradicts trick 8")
        return last
    if "last" not in action:
        need(state["round"]["rule"] != "last-trick-award", "last is missing")
        return None
    last = action["last"]
    need(is_seat(last), "last is a seat")
    need(tricks[last] >= 1, "last has no trick")
    need(tricks[last] > won[last], "trick 8 is not entered yet, and this seat wins no further trick")
    return last


def check_ace(state, tricks, ace):
    need(tricks[ace] >= 1, "ace has no trick")
    holder = ace_holder(state)
    if holder is not None:
        need(ace == holder, "the purple 7 was seen elsewhere")
    else:
        need(tricks[ace] > known_tricks(state, ace), "all tricks of this seat are known: no purple 7")


def check_rebel(state, tricks, claimed, ace):
    seat = seat_of(state, "rebel")
    colours = {colour_of(card) for card in known_cards(state, seat)}
    if ace == seat:
        colours.add("purple")
    if claimed:
        need(tricks[seat] >= 1, "the Rebel has no trick")
        all_known = tricks[seat] == known_tricks(state, seat)
        need(len(colours) >= 3 or not all_known, "all cards of the Rebel are known: not three colours")
    else:
        need(len(colours) < 3, "the Rebel is known to have three colours")


ACTIONS = {"exam": apply_exam, "swap-roles": apply_swap_roles, "trick": apply_trick, "exchange": apply_exchange, "round": apply_round}


# ---------------------------------------------------------------- the end of a round


def end_round_by_cards(state):
    ace = ace_holder(state)
    need(ace is not None, "eight tricks without the purple 7")
    rebel_cards = known_cards(state, seat_of(state, "rebel"))
    rebel = len({colour_of(card) for card in rebel_cards}) >= 3
    end_round(state, tricks_won(state), rebel, ace, leader_now(state))


def earned_awards(state, tricks, rebel, last):
    captain, mastermind, teamplayer, the_rebel = [seat_of(state, role) for role in ROLES]
    rule = state["round"]["rule"]
    earned = [0, 0, 0, 0]
    team = tricks[captain] + tricks[teamplayer]
    if team > tricks[mastermind]:
        earned[captain] += 1
        earned[teamplayer] += 1
    else:
        earned[mastermind] += 1
    if rebel:
        earned[the_rebel] += 1
    if rule == "joint-award" and tricks[mastermind] + tricks[the_rebel] > team:
        earned[mastermind] += 1
        earned[the_rebel] += 1
    if rule == "last-trick-award":
        earned[last] += 1
    return earned


def end_round(state, tricks, rebel, ace, last):
    earned = earned_awards(state, tricks, rebel, last)
    taken = [min(earned[seat], 3 - state["totals"][seat]) for seat in range(4)]
    state["rounds"].append(taken)
    state["totals"] = [state["totals"][seat] + taken[seat] for seat in range(4)]
    if state["totals"][ace] == 3:
        state["finished"] = True
        state["winners"] = [ace]
    else:
        state["captain"] = (state["captain"] + 1) % 4
        state["round"] = new_round(state["captain"])


# ---------------------------------------------------------------- replay and resolve


def report(state):
    return {
        "finished": state["finished"],
        "rounds": state["rounds"],
        "totals": state["totals"],
        "winners": state["winners"],
        "warnings": sorted(state["warnings"]),
        "roles": None if state["finished"] else state["round"]["roles"],
        "leader": None if state["finished"] else leader_now(state),
    }


def score(record: dict) -> dict:
    """What `companion replay` would print, without game and players; {"error": index} where it refuses."""
    try:
        state = start(record.get("players"), record.get("options", {}))
    except Illegal:
        return {"error": -1}
    for index, action in enumerate(record["actions"]):
        try:
            apply(state, index, action)
        except Illegal:
            return {"error": index}
    return report(state)


def answer(question: dict) -> dict:
    """What `companion resolve` would print, without why; {"error": -1} where it refuses."""
    try:
        return resolve(question)
    except Illegal:
        return {"error": -1}


def resolve(question):
    check_fields(question, ["game", "players", "trump", "cards"], ["leader", "claim"])
    check_players(question["players"])
    leader = question.get("leader", 0)
    need(is_seat(leader), "leader is a seat")
    trump, cards = question["trump"], question["cards"]
    need(trump is None or is_one_of(trump, COLOURS), "unknown trump")
    need(type(cards) is list and len(cards) == 4, "one place a seat")
    played = [[(leader + place) % 4, card] for place, card in enumerate(cards) if card is not None]
    need(len(played) >= 3, "only one Mastermind covers")
    laid = [card for seat, card in played]
    need(all(is_one_of(card, CARDS) for card in laid), "unknown card")
    need(len(set(laid)) == len(laid), "card seen twice")
    result = {"winner": trick_winner(trump, played)}
    if "claim" in question:
        need(is_seat(question["claim"]), "claim is a seat")
        result["right"] = question["claim"] == result["winner"]
    return result


# ================================================================ strategies
#
# Hypothesis draws the outline (options, how many rounds, each round's plan, what is wrong and where); the cards of a
# round come from a random.Random with a drawn seed. So failures reproduce, shrink by rounds, and making one is fast.

NAMES = ["Bianca", "Xavier", "Tyler", "Enid", "Ana", "Ben", "Zoë", "Ole"]
MOST_ROUNDS = 14


def duplicate(data):
    """A deep copy of JSON data, which states and actions are."""
    return json.loads(json.dumps(data))


def allowed(state, action):
    try:
        apply(duplicate(state), 0, action)
    except Illegal:
        return False
    return True


def fold(options, actions):
    """The state after these actions, or None if one is illegal."""
    try:
        state = start(NAMES[:4], options)
        for index, action in enumerate(actions):
            apply(state, index, action)
    except Illegal:
        return None
    return state


def add(state, actions, action):
    actions.append(duplicate(action))
    apply(state, len(actions) - 1, action)


# ---------------------------------------------------------------- one round played out with hidden hands


@st.composite
def plans(draw):
    """How one round is played and entered."""
    return {
        "depth": draw(st.sampled_from(["outcome", "bare", "cards", "cards", "mixed", "mixed", "short"])),
        "rule": draw(st.sampled_from(RULES + ["new-trump", "new-rule", "new-rule", "trick-exchange", "swap-roles"])),
        "entered": draw(st.sampled_from([8, 8, 8, 7, 6, 5, 4, 3, 2, 1])),
        "revokes": draw(st.sampled_from([0.0, 0.0, 0.1, 0.4])),
        "loose": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**32 - 1)),
    }


def deal(rng, ace_in_play=True):
    """Four hands of eight; the four exam cards stay out, the purple 7 normally not among them."""
    others = [card for card in CARDS if card != ACE]
    rng.shuffle(others)
    deck = others[:31] + [ACE] if ace_in_play else others[:32]
    rng.shuffle(deck)
    return [deck[8 * seat : 8 * seat + 8] for seat in range(4)]


def enter_round(state, actions, plan, ace_in_play=True):
    """Add the actions of one round to `actions`, following the plan."""
    rng = random.Random(plan["seed"])
    if plan["depth"] == "bare":
        add(state, actions, any_outcome(rng, state))
        return
    add(state, actions, make_exam(rng, plan["rule"]))
    if plan["rule"] == "swap-roles" and rng.random() < 0.8:
        others = [seat for seat in range(4) if seat != seat_of(state, "mastermind")]
        add(state, actions, {"do": "swap-roles", "seat": rng.choice(others)})
    if plan["depth"] == "outcome":
        add(state, actions, any_outcome(rng, state))
        return
    play_round(rng, state, actions, plan, ace_in_play)


def make_exam(rng, rule):
    exam = {"do": "exam", "trump": rng.choice(COLOURS), "rule": rule}
    if rule == "no-trump":
        exam["trump"] = rng.choice([None, None, "blue", "green"])
        if rng.random() < 0.4:
            del exam["trump"]
    return exam


def play_round(rng, state, actions, plan, ace_in_play):
    done_before = len(state["rounds"])
    hands = deal(rng, ace_in_play)
    piles = [[], [], [], []]  # what everybody won, entered or not
    tricks = [0, 0, 0, 0]
    leader = leader_now(state)
    for number in range(8):
        entered = number < plan["entered"] or (plan["depth"] == "cards" and not plan["loose"])
        move_cards(rng, state, hands)
        cover = make_cover(rng, state, hands) if entered else None
        played, winner = play_trick(rng, state, hands, leader, cover, plan["revokes"])
        pile = [card for seat, card in played]
        tricks[winner] += 1
        leader = winner
        if entered:
            add(state, actions, trick_action(rng, plan, played, winner, cover))
            if len(state["rounds"]) > done_before:
                return
            exchange = make_exchange(rng, state, hands)
            if exchange:
                add(state, actions, exchange)
                pile[pile.index(exchange["take"])] = exchange["give"]
        piles[winner] += pile
    close_round(rng, state, actions, plan, tricks, piles, leader)


def move_cards(rng, state, hands):
    """What happens before a trick under the rules that move cards between hands."""
    rule = state["round"]["rule"]
    mastermind = seat_of(state, "mastermind")
    other = (mastermind + rng.randint(1, 3)) % 4
    if rule == "pass-left":
        given = [hand.pop(rng.randrange(len(hand))) for hand in hands]
        for seat in range(4):
            hands[(seat + 1) % 4].append(given[seat])
    elif rule == "swap-hands" and rng.random() < 0.2:
        hands[mastermind], hands[other] = hands[other], hands[mastermind]
    elif rule == "blind-swap" and rng.random() < 0.5:
        mine = hands[mastermind].pop(rng.randrange(len(hands[mastermind])))
        theirs = hands[other].pop(rng.randrange(len(hands[other])))
        hands[mastermind].append(theirs)
        hands[other].append(mine)


def make_cover(rng, state, hands):
    if rng.random() < 0.6:
        return None
    hand = [card for card in hands[seat_of(state, "mastermind")] if card != ACE]
    if not hand:
        return None
    card = rng.choice(hand)
    rule = rng.choice(RULES + ["trick-exchange", "last-trick-award", "joint-award", "new-trump", "no-trump"])
    for cover in [{"as": "trump", "card": card}, {"as": "rule", "card": card, "rule": rule}]:
        if may_cover(state, cover):
            return cover
    return None


def may_cover(state, cover):
    try:
        apply_cover(duplicate(state), 0, cover)
    except Illegal:
        return False
    return True


def play_trick(rng, state, hands, leader, cover, revokes):
    """Take the cards out of the hands; returns [seat, card] pairs and the winner."""
    mastermind = seat_of(state, "mastermind")
    trump = trump_now(state)
    if cover:
        hands[mastermind].remove(cover["card"])
        if cover["as"] == "trump":
            trump = colour_of(cover["card"])
        elif cover["rule"] == "no-trump":
            trump = None
    played = []
    for step in range(4):
        seat = (leader + step) % 4
        if cover and seat == mastermind:
            continue
        choice = hands[seat]
        if played and rng.random() >= revokes:
            led = colour_of(played[0][1])
            choice = [card for card in hands[seat] if colour_of(card) == led] or hands[seat]
        card = rng.choice(choice)
        hands[seat].remove(card)
        played.append([seat, card])
    return played, trick_winner(trump, played)


def trick_action(rng, plan, played, winner, cover):
    by_cards = {"cards": 1.0, "mixed": 0.7, "short": 0.0}[plan["depth"]]
    action = {"do": "trick"}
    if rng.random() < by_cards:
        action["cards"] = [card for seat, card in played]
        if rng.random() < 0.2:
            action["winner"] = winner
    else:
        action["winner"] = winner
    if cover:
        action["cover"] = cover
    return action


def make_exchange(rng, state, hands):
    """A legal exchange now, or None; the hidden hand of the Mastermind changes with it."""
    trick = state["round"]["tricks"][-1]
    hand = hands[seat_of(state, "mastermind")]
    if trick["pile"] is None or not hand or rng.random() < 0.3:
        return None
    take, give = rng.choice(trick["pile"]), rng.choice(hand)
    if ACE in trick["pile"] and rng.random() < 0.7:
        take = ACE
    if ACE in hand and rng.random() < 0.3:
        give = ACE
    action = {"do": "exchange", "take": take, "give": give}
    if not allowed(state, action):
        return None
    hand.remove(give)
    hand.append(take)
    return action


def close_round(rng, state, actions, plan, tricks, piles, last):
    """End a round that did not end by itself: by the truth, or by anything that contradicts nothing."""
    if plan["loose"] or not any(ACE in pile for pile in piles):
        add(state, actions, any_outcome(rng, state))
        return
    rebel_colours = {colour_of(card) for card in piles[seat_of(state, "rebel")]}
    ace = [seat for seat in range(4) if ACE in piles[seat]][0]
    action = {"do": "round", "tricks": tricks, "rebel": len(rebel_colours) >= 3, "ace": ace, "last": last}
    for field in ["tricks", "last"]:
        shorter = {key: value for key, value in action.items() if key != field}
        if rng.random() < 0.5 and allowed(state, shorter):
            action = shorter
    add(state, actions, action)


def random_outcome(rng, state):
    """A `round` that respects the tricks entered; the rest of it is a guess."""
    tricks = tricks_won(state)
    lucky = [rng.randrange(4) for _ in range(rng.choice([1, 2, 3, 4, 6]))]
    while sum(tricks) < 8:
        tricks[rng.choice(lucky)] += 1
    action = {"do": "round", "tricks": tricks, "rebel": rng.random() < 0.5, "ace": rng.randrange(4)}
    if rng.random() < 0.5 or state["round"]["rule"] == "last-trick-award":
        action["last"] = rng.randrange(4)
    return action


def any_outcome(rng, state):
    """Some allowed `round`: guesses first, then every possible one in turn."""
    for _ in range(12):
        action = random_outcome(rng, state)
        if allowed(state, action):
            return action
    action = random_outcome(rng, state)
    for ace in range(4):
        for rebel in [False, True]:
            for last in range(4):
                tried = dict(action, ace=ace, rebel=rebel, last=last)
                if allowed(state, tried):
                    return tried
    raise AssertionError("no outcome is possible")


# ---------------------------------------------------------------- something wrong


NOT_NUMBERS = [True, False, 0.0, 1.0, 2.0, "1", None, -1, 4, 5, 9, 99, [0]]
NOT_CARDS = ["red-5", "blue-10", "blue-0", "blue5", "Blue-5", "blue-05", "", None, 7, True, ["blue-5"]]


def paths(data, wanted, path=()):
    """All places in an action whose value satisfies `wanted`."""
    found = [path] if path and wanted(data) else []
    if isinstance(data, dict):
        for key in data:
            found += paths(data[key], wanted, path + (key,))
    if isinstance(data, list):
        for place in range(len(data)):
            found += paths(data[place], wanted, path + (place,))
    return found


def put(data, path, value):
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def spoil_number(rng, state, action):
    places = paths(action, lambda value: type(value) is int)
    if places:
        put(action, rng.choice(places), rng.choice(NOT_NUMBERS))
    return action


def spoil_seat(rng, state, action):
    """Another seat, or one more or less: a wrong claim, a contradiction, a sum that is not eight."""
    places = paths(action, lambda value: type(value) is int)
    if places:
        put(action, rng.choice(places), rng.randrange(5))
    return action


def spoil_card(rng, state, action):
    places = paths(action, lambda value: is_one_of(value, CARDS))
    if places:
        laid = [card for card in CARDS if card in seen_cards(state)] or CARDS
        bad = rng.choice([rng.choice(NOT_CARDS), rng.choice(laid), rng.choice(laid), ACE, rng.choice(CARDS)])
        put(action, rng.choice(places), bad)
    return action


def repeat_card(rng, state, action):
    """The same card twice within one action."""
    places = paths(action, lambda value: is_one_of(value, CARDS))
    if len(places) >= 2:
        first, second = rng.sample(places, 2)
        value = action
        for key in first:
            value = value[key]
        put(action, second, value)
    return action


def spoil_length(rng, state, action):
    lists = [key for key in action if type(action[key]) is list]
    if lists:
        key = rng.choice(lists)
        if rng.random() < 0.5:
            action[key].pop()
        else:
            fresh = [card for card in CARDS if card not in seen_cards(state) and card not in action[key]]
            action[key].append(0 if key == "tricks" else rng.choice(fresh or CARDS))
    return action


def drop_field(rng, state, action):
    inner = action["cover"] if "cover" in action and rng.random() < 0.5 else action
    del inner[rng.choice(sorted(inner))]
    return action


def extra_field(rng, state, action):
    extra = {"note": 1, "seat": 0, "winner": rng.randrange(4), "trump": "blue", "rule": "no-trump", "cards": []}
    extra.update({"last": rng.randrange(4), "cover": None, "tricks": None, "caller": 0})
    inner = action["cover"] if "cover" in action and rng.random() < 0.5 else action
    field = rng.choice(sorted(set(extra) - set(inner)))
    inner[field] = extra[field]
    return action


def spoil_word(rng, state, action):
    words = COLOURS + RULES + ["trump", "rule", *ACTIONS]
    places = paths(action, lambda value: type(value) is bool or is_one_of(value, words))
    odd = ["deal", "red", "count", "Green", "", None, 1, 0, True, "trump", "rule", "new-rule", ["green"]]
    put(action, rng.choice(places), rng.choice(odd))
    return action


def flip_rebel(rng, state, action):
    if type(action.get("rebel")) is bool:
        action["rebel"] = not action["rebel"]
    return action


def move_trick(rng, state, action):
    """One trick more for one seat and, mostly, one less for another."""
    if "tricks" in action:
        more, less = rng.sample(range(4), 2)
        action["tricks"][more] += 1
        if rng.random() < 0.7:
            action["tricks"][less] -= 1
    return action


def wrong_claim(rng, state, action):
    if "cards" in action:
        action["winner"] = rng.randrange(4)
    return action


def odd_cover(rng, state, action):
    """A cover where the rule does not allow it, or with a wrong number of cards, or won by the Mastermind."""
    unseen = [card for card in CARDS if card not in seen_cards(state)] or CARDS
    cover = {"as": "trump", "card": rng.choice(unseen + [ACE] * 6)}
    if rng.random() < 0.5:
        cover.update({"as": "rule", "rule": rng.choice(RULES)})
    trick = {"do": "trick", "cover": cover, "winner": rng.randrange(4)}
    if rng.random() < 0.5 and len(unseen) >= 4:
        del trick["winner"]
        trick["cards"] = rng.sample(unseen, rng.choice([2, 3, 3, 4]))
    return trick


def out_of_turn(rng, state, action):
    """Something that may not be its time."""
    unseen = [card for card in CARDS if card not in seen_cards(state)] or CARDS
    tricks = state["round"]["tricks"]
    pile = tricks[-1]["pile"] if tricks else None
    outcome = {"do": "round", "tricks": [2, 2, 2, 2], "rebel": rng.random() < 0.5, "ace": rng.randrange(4)}
    choices = [
        {"do": "exam", "trump": rng.choice(COLOURS), "rule": rng.choice(RULES)},
        {"do": "swap-roles", "seat": rng.randrange(4)},
        {"do": "swap-roles", "seat": seat_of(state, "mastermind")},
        {"do": "trick", "winner": rng.randrange(4)},
        {"do": "trick", "cards": rng.sample(unseen, min(4, len(unseen)))},
        {"do": "exchange", "take": rng.choice(pile or CARDS), "give": rng.choice(unseen)},
        {"do": "exchange", "take": rng.choice(pile or CARDS), "give": rng.choice(CARDS)},
        {"do": "round", "rebel": rng.random() < 0.5, "ace": rng.randrange(4)},
        outcome,
        dict(outcome, last=rng.randrange(4)),
    ]
    return rng.choice(choices)


def early_outcome(rng, state, action):
    """A `round` that respects the tricks entered but perhaps not the cards."""
    return random_outcome(rng, state)


def near_miss(rng, state, action):
    """What the rule in force invites to and only just forbids (or not)."""
    the_round = state["round"]
    unseen = [card for card in CARDS if card not in seen_cards(state)] or CARDS
    mastermind = seat_of(state, "mastermind")
    covers = [kind for kind, card in the_round["covers"]]
    if len(the_round["tricks"]) == 8:
        tricks = tricks_won(state)
        outcome = {"do": "round", "rebel": rng.random() < 0.5, "ace": rng.randrange(4), "last": rng.randrange(4)}
        return move_trick(rng, state, dict(outcome, tricks=tricks)) if rng.random() < 0.3 else outcome
    if the_round["rule"] == "trick-exchange" and the_round["tricks"]:
        pile = the_round["tricks"][-1]["pile"] or CARDS
        return {"do": "exchange", "take": rng.choice(pile), "give": rng.choice(unseen + pile)}
    if the_round["rule"] in ["new-trump", "new-rule"] or "rule" in covers:
        winner = rng.choice([mastermind, (mastermind + 1) % 4])
        cover = {"as": "trump", "card": rng.choice(unseen)}
        if the_round["rule"] == "new-rule" or rng.random() < 0.2:
            cover.update({"as": "rule", "rule": rng.choice(RULES)})
        return {"do": "trick", "winner": winner, "cover": cover}
    if the_round["rule"] == "swap-roles":
        return {"do": "swap-roles", "seat": rng.choice([mastermind, rng.randrange(4)])}
    return random_outcome(rng, state)


SPOILERS = [
    spoil_number,
    spoil_seat,
    spoil_card,
    repeat_card,
    spoil_length,
    drop_field,
    extra_field,
    spoil_word,
    flip_rebel,
    move_trick,
    wrong_claim,
    odd_cover,
    out_of_turn,
    out_of_turn,
    early_outcome,
    near_miss,
    near_miss,
    near_miss,
    near_miss,
]

WRONG_SETUPS = [
    ("players", []),
    ("players", NAMES[:1]),
    ("players", NAMES[:3]),
    ("players", NAMES[:5]),
    ("options", {"target": 100}),
    ("options", {"captain": 4}),
    ("options", {"captain": -1}),
    ("options", {"captain": True}),
    ("options", {"captain": 2.0}),
    ("options", {"captain": None}),
    ("options", {"captain": "0"}),
    ("options", {"new_trump": "twice"}),
    ("options", {"new_trump": True}),
    ("options", {"revoke": "replay"}),
    ("options", {"revoke": None}),
]


def spoil_action(rng, spoiler, options, actions, place):
    """Put one (most likely) wrong action at `place`: in the stead of what is there, or before it."""
    state = fold(options, actions[:place])
    model = actions[place] if place < len(actions) else out_of_turn(rng, state, None)
    wrong = model
    for _ in range(4):
        wrong = spoiler(rng, state, duplicate(model))
        if not allowed(state, wrong):
            break
    keep = actions[place:] if rng.random() < 0.3 else actions[place + 1 :]
    actions[place:] = [wrong] + keep


def fitting_place(spoiler, actions, place):
    """From the drawn place on, the next action that this spoiler can spoil."""
    fits = {
        flip_rebel: lambda action: "rebel" in action,
        move_trick: lambda action: "tricks" in action,
        wrong_claim: lambda action: "cards" in action,
        repeat_card: lambda action: "cards" in action or "take" in action,
        spoil_card: lambda action: "cards" in action or "take" in action or "cover" in action,
        early_outcome: lambda action: action["do"] == "trick",
        near_miss: lambda action: action["do"] != "exam",
    }
    fit = fits.get(spoiler, lambda action: True)
    for later in range(place, len(actions)):
        if fit(actions[later]):
            return later
    return place


# ---------------------------------------------------------------- whole records


@st.composite
def some_options(draw):
    options = {}
    if draw(st.booleans()):
        options["captain"] = draw(st.integers(0, 3))
    if draw(st.booleans()):
        options["new_trump"] = draw(st.sampled_from(["unlimited", "once"]))
    if draw(st.booleans()):
        options["revoke"] = draw(st.sampled_from(["warn", "warn", "ignore"]))
    return options


@st.composite
def some_players(draw):
    return draw(st.lists(st.sampled_from(NAMES), min_size=4, max_size=4, unique=True))


def make_record(players, options, actions):
    record = {"format": "companion-record/1", "game": "the-academy", "players": players}
    record["options"] = options
    record["actions"] = actions
    return record


@st.composite
def records(draw):
    """Records of The Academy: most are legal whole games or prefixes, about one in four has something wrong."""
    players, options = draw(some_players()), draw(some_options())
    extent = draw(st.sampled_from(["whole", "whole", "whole", "whole", "long", "long", "short"]))
    wanted = MOST_ROUNDS if extent == "whole" else draw(st.integers(1, 5))
    fault = draw(st.sampled_from([None] * 15 + ["action"] * 7 + ["setup", "no-ace"]))
    state, actions = start(players, options), []
    while len(state["rounds"]) < wanted and not state["finished"]:
        enter_round(state, actions, draw(plans()))
    if extent == "long":
        actions = actions[: len(actions) - draw(st.integers(0, min(10, len(actions))))]
    elif extent == "short":
        actions = actions[: draw(st.integers(0, len(actions)))]
    record = make_record(players, options, actions)
    if not options and draw(st.booleans()):
        del record["options"]
    if fault == "setup":
        field, value = draw(st.sampled_from(WRONG_SETUPS))
        record[field] = duplicate(value)
    elif fault == "no-ace":
        record["actions"] = lose_the_ace(options, actions, draw(plans()))
    elif fault == "action":
        rng = random.Random(draw(st.integers(0, 2**32 - 1)))
        spoiler = rng.choice(SPOILERS)
        place = len(actions) if rng.random() < 0.15 else draw(st.integers(0, len(actions)))
        spoil_action(rng, spoiler, options, actions, fitting_place(spoiler, actions, place))
    return record


def lose_the_ace(options, actions, plan):
    """Go on after some finished round with one that is all cards, but without the purple 7: refused at the eighth."""
    starts = [0] + [place for place in range(1, len(actions)) if actions[place]["do"] == "exam"]
    actions = actions[: random.Random(plan["seed"]).choice(starts)]
    state = fold(options, actions)
    try:
        enter_round(state, actions, dict(plan, depth="cards", entered=8), ace_in_play=False)
    except Illegal:
        pass
    return actions


# ---------------------------------------------------------------- questions


@st.composite
def questions(draw):
    """Questions for `answer`: mostly valid, some not."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    question = {"game": "the-academy", "players": draw(some_players())}
    question["trump"] = draw(st.sampled_from(COLOURS + [None]))
    question["cards"] = some_cards(rng)
    if draw(st.booleans()):
        question["cards"][draw(st.integers(0, 3))] = None
    if draw(st.booleans()):
        question["leader"] = draw(st.integers(0, 3))
    if draw(st.booleans()):
        question["claim"] = draw(st.integers(0, 3))
    if draw(st.sampled_from([False, False, False, True])):
        spoil_question(rng, question, rng.choice(QUESTION_FAULTS))
    return question


def some_cards(rng):
    """Four cards, often of few colours so that following and trumping happen."""
    colours = rng.sample(COLOURS, rng.choice([1, 2, 2, 3, 4]))
    return rng.sample([card for card in CARDS if colour_of(card) in colours], 4)


QUESTION_FAULTS = ["missing", "extra", "seat", "card", "double", "length", "nulls", "trump", "players"]


def spoil_question(rng, question, fault):
    cards = question["cards"]
    if fault == "missing":
        del question[rng.choice(["players", "trump", "cards"])]
    elif fault == "extra":
        question[rng.choice(["note", "rule", "cover", "strength"])] = None
    elif fault == "seat":
        question[rng.choice(["leader", "claim"])] = rng.choice(NOT_NUMBERS)
    elif fault == "card":
        cards[rng.randrange(4)] = rng.choice(NOT_CARDS)
    elif fault == "double":
        first, second = rng.sample(range(4), 2)
        cards[first] = cards[second]
    elif fault == "length":
        question["cards"] = rng.choice([[], cards[:3], cards + [rng.choice(CARDS)], None, "blue-5"])
    elif fault == "nulls":
        question["cards"] = [None if rng.random() < 0.6 else card for card in cards]
    elif fault == "trump":
        question["trump"] = rng.choice(["red", "", "Green", "blue-5", 1, True, ["green"]])
    elif fault == "players":
        question["players"] = rng.choice([[], NAMES[:3], NAMES[:5], None])
