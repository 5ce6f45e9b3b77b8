"""Walking through what a game asks for: answer a form at random, or see whether it offers a given action."""

import json
import random

from companion.games import read_action
from companion.games.base import SKIP, RuleError


def is_one_of(value, values):
    """Membership that tells 1 from true."""
    if isinstance(values, range):
        return type(value) is int and value in values
    return any(type(each) is type(value) and each == value for each in values)


def look_up(plain, name):
    """What stands at a path such as `cards.2.green`; SKIP where there is nothing."""
    for part in name.split("."):
        if isinstance(plain, list):
            plain = plain[int(part)] if int(part) < len(plain) else SKIP
        elif isinstance(plain, dict):
            plain = plain.get(part, SKIP)
        else:
            return SKIP
    return plain


def guided(form, plain):
    """The action that a form gives when it is answered as in `plain`; None where it does not offer that."""
    walk = form()
    try:
        field = next(walk)
        while True:
            answer = look_up(plain, field.name)
            if not (field.optional if answer is SKIP else is_one_of(answer, field.values)):
                return None
            field = walk.send(answer)
    except StopIteration as done:
        return done.value


def offers(game, state, plain):
    return any(ask.do == plain["do"] and same(guided(ask.form, plain), plain) for ask in game.asks(state))


def same(one, other):
    """Equality that tells 1 from true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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
    walk = form()
    try:
        field = next(walk)
        while True:
            field = walk.send(pick(chance, field))
    except StopIteration as done:
        return done.value


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
