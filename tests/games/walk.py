"""Playing at random by what a game asks for, and seeing whether it offers a given action."""

import random
from dataclasses import fields

from companion.games import read_action
from companion.games.base import SKIP, RuleError
from companion.games.forms import guided, same, walk


def offers(game, state, plain):
    return any(ask.do == plain["do"] and same(guided(ask.form, plain), plain) for ask in game.asks(state))


def accepts(game, state, players, plain):
    try:
        return game.apply(state, read_action(game, plain, players))
    except RuleError:
        return None


def pick(chance: random.Random, field):
    """A random answer; numbers are mostly small, optional things are left out half the time."""
    if field.optional and (not field.values or chance.random() < 0.5):
        return SKIP
    if isinstance(field.values, range) and len(field.values) > 20 and chance.random() < 0.8:
        return chance.choice(field.values[:20])
    return chance.choice(field.values)


def at_random(chance: random.Random, form):
    """An action that the form offers."""
    return walk(form, lambda field: pick(chance, field))


def house_rules(game, chance: random.Random, players):
    """House rules at random: of the choices that the game names, for all or for each seat; and now and then some lines of text."""
    picked = {}
    for each in fields(game.options):
        kind, choices = each.metadata["kind"], list(each.metadata["choices"])
        if kind == "each":
            picked[each.name] = chance.choices(choices, k=players)
        elif choices:
            picked[each.name] = chance.choice(choices)
        elif kind == "lines" and chance.random() < 0.5:
            picked[each.name] = ["Castles", "Roads", "Coins"]
    return picked


def play(game, players, chance: random.Random, options=None, most=120):
    """A random match: yields (state, plain action, step) until it is over. Each table has its own habits of entering."""
    habits = {kind.do: chance.random() ** 4 for kind in game.actions}
    state = game.setup(players, options or game.options())
    for _ in range(most):
        asks = game.asks(state)
        if not asks:
            return
        ask = chance.choices(asks, [habits[each.do] for each in asks])[0]
        plain = at_random(chance, ask.form)
        step = game.apply(state, read_action(game, plain, players))
        yield state, plain, step
        state = step.state
