"""How much the rules cost, as ratios within one run: `python tests/bench/rules.py`.

1. One `apply` of a four-card trick against a bare `max(cards, key=…)` over the same cards: at most 25.
2. Action 5,000 of a long Ligretto match against action 10: at most 1.2.
"""

import gc
import sys
import time

from companion.games import GAMES, read_action

TRICKS = {
    "crazy-lab": (
        {
            "do": "trick",
            "trump": "blue",
            "cards": [{"blue": 4}, {"green": 6, "blue": 5}, {"orange": 3}, {"blue": 5, "orange": 1, "green": 1}],
        },
        [],
    ),
    "the-academy": (
        {"do": "trick", "cards": ["blue-5", "blue-7", "green-3", "purple-2"]},
        [{"do": "exam", "trump": "green", "rule": "swap-hands"}],
    ),
    "tricky-cribby": ({"do": "trick", "up": "red-4", "cards": ["red-1", "green-9", "green-4", "purple-9"]}, []),
}
ROUNDS = [{"do": "round", "scored": [10, 12], "left": [12, 10]}, {"do": "round", "scored": [12, 10], "left": [10, 12]}]


def seconds(*calls, times=500, runs=60):
    """What each call takes when nothing else disturbs: the best of many short runs, taken in turns."""
    best = [float("inf")] * len(calls)
    gc.disable()
    for _ in range(runs):
        for place, call in enumerate(calls):
            begin = time.perf_counter()
            for _ in range(times):
                call()
            best[place] = min(best[place], (time.perf_counter() - begin) / times)
    gc.enable()
    return best


def bare(plain):
    """A bare `max` over the same four cards."""
    if isinstance(plain["cards"][0], dict):
        cards = plain["cards"]
        return lambda: max(cards, key=lambda card: card.get("blue", 0))
    cards = [tuple(card.split("-")) for card in plain["cards"]]
    return lambda: max(cards, key=lambda card: (card[0] == "green", card[1]))


def trick_ratio(name):
    game = GAMES[name]
    plain, before = TRICKS[name]
    state = game.setup(4, game.options())
    for action in before:
        state = game.apply(state, read_action(game, action, 4)).state
    action = read_action(game, plain, 4)
    apply, floor = seconds(lambda: game.apply(state, action), bare(plain))
    print(f"{name:15} trick {apply * 1e6:6.2f} µs   bare max {floor * 1e6:5.2f} µs   ratio {apply / floor:5.1f}  (at most 25)")
    return apply / floor


def length_ratio():
    game = GAMES["ligretto-crazy"]
    actions = [read_action(game, plain, 2) for plain in ROUNDS]
    state, states = game.setup(2, game.options()), {}
    for number in range(5_001):
        states[number] = state
        state = game.apply(state, actions[number % 2]).state
    early, late = seconds(lambda: game.apply(states[10], actions[0]), lambda: game.apply(states[5_000], actions[0]))
    print(f"ligretto-crazy  action 10 {early * 1e6:6.2f} µs   action 5,000 {late * 1e6:6.2f} µs   ratio {late / early:5.2f}  (at most 1.2)")
    return late / early


def main():
    tricks = [trick_ratio(name) for name in TRICKS if name in GAMES]
    lengths = length_ratio()
    return 0 if max(tricks) <= 25 and lengths <= 1.2 else 1


if __name__ == "__main__":
    sys.exit(main())
