"""Crazy Race on the phones: both depths, the sheet's own example, wrong entries, undo, correction, a lost line; taps counted."""

import itertools
import json
import random

import pytest
from browser.phones import PATIENCE, play_from_lobby, sit
from browser.test_pages import LONG, check

from companion.games import GAMES, read_action, replay
from companion.games.base import SKIP
from companion.games.forms import walk
from companion.web.render import encoded

MAX_TAPS = 4  # an edge in the short form
KEYS = itertools.count()
POST = """async ([url, fields]) => {
  const body = new URLSearchParams({ csrf_token: document.querySelector('[name=csrf_token]').value, ...fields });
  return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
}"""
ANIMALS = ("sprinter", "reptile", "flyer")


# ---- hands -----------------------------------------------------------------------------------------------------------


def report(phone, match, ask, **fields):
    """An entry without looking: how a test gets to where it starts."""
    fields = {"key": f"filled-in-{next(KEYS)}", **fields}
    assert phone.page.evaluate(POST, [f"{match}/act/{ask}", fields]) == 0, (ask, fields)  # sent on to the table


def fill(phone, match, stage, *edges):
    """A stage by its winners; what is not said is an edge without cards."""
    for n, (animal, value, winner, *moves) in enumerate([*edges, *[("any", "?", None)] * (4 - len(edges))], 1):
        more = {"moves": json.dumps(moves, separators=(",", ":"))} if moves else {}
        report(phone, match, f"stage-{stage}-edge-{n}", animal=animal, value=str(value), winner=json.dumps(winner), **more)


def at(phone, stage, edge):
    phone.sees(f"Stage {stage} of 8, edge {edge} of 4", "#enter h2")


def shows(phone, animal, value):
    """What the edge shows; then both depths are there."""
    phone.tap(".mystery" if value == "?" else f"{animal if animal in ANIMALS else 'any animal'} +{value}")
    phone.page.wait_for_selector("#enter .tabs")
    phone.sees(", edge", "#enter p.soft")  # where the race is stays to be read


def depth(phone, which):
    if phone.page.locator(f'[data-tab="{which}"]').get_attribute("aria-selected") != "true":
        phone.tap(f'[data-tab="{which}"]')


def wins(phone, name):
    phone.tap(phone.page.locator("#enter .person", has_text=name))


def lay(phone, *cards):
    for seat, card in cards:
        phone.tap(f'[data-seat="{seat}"] [data-card="{card}"]')


def laid(phone):
    return phone.page.locator(".laid-card").evaluate_all("all => all.map(each => each.title + ' ' + each.querySelector('b').textContent)")


def lane(phone, seat):
    """The text twin of a lane."""
    return phone.page.locator("#board .race a").nth(seat).get_attribute("aria-label")


def stands(phone, seat, words, soon=PATIENCE):
    phone.page.locator(f"#board .race a:nth-of-type({seat + 1})[aria-label*='{words}']").wait_for(timeout=soon)


def left_at(phone, end):
    return phone.page.locator(f"#board [aria-label^='Tiles left at the {end}']").get_attribute("aria-label").split(": ")[1]


# ---- the sheet -------------------------------------------------------------------------------------------------------


def test_the_sheets_example_gives_the_sheets_result(new_phone, table):
    """Yellow is seat 0, blue 1, green 2: cases 1 to 5."""
    yellow, blue = new_phone(), new_phone(dark=True)
    match = sit(table, yellow, blue, names=("Yellow", "Blue"), without=["Green"], game="crazy-race")
    fill(yellow, match, 1, ("sprinter", 2, 1), ("reptile", 1, 1), ("sprinter", 3, 0))
    fill(yellow, match, 2, ("reptile", 4, 0), ("flyer", 4, 2), ("flyer", 4, 2))
    fill(yellow, match, 3, ("flyer", 2, 2))
    at(yellow, 4, 1)
    assert lane(yellow, 0) == "Yellow: sprinter on space 3, going out, reptile on space 5, going out, flyer at the start"
    assert (left_at(yellow, "turnaround"), left_at(yellow, "finish")) == ("4, 3, 2, 1", "5, 4, 3, 2, 1")
    _any_animal_with_a_single_card(yellow)
    _a_tie_goes_to_the_first_card(yellow)
    at(yellow, 4, 3)
    shows(yellow, "flyer", 2)
    lay(yellow, (2, 6), (0, 4))
    yellow.sees("Green wins with 6", "#enter")
    yellow.tap("Enter it")
    for phone in (yellow, blue):
        phone.sees("The flyer of Green is home and takes the 5.", "#board")
        stands(phone, 2, "flyer home")
    assert left_at(blue, "finish") == "4, 3, 2, 1"
    _the_fourth_edge_is_locked(yellow)


def _any_animal_with_a_single_card(phone):
    shows(phone, "any", 2)
    depth(phone, "cards")
    lay(phone, (1, 1))
    phone.tap("Now the animal")
    phone.page.wait_for_selector(".choice")
    reptile = phone.page.locator(".choice[value*=reptile]")
    assert reptile.locator("small").inner_text() == "→ jumps the sprinter · space 4"
    phone.tap(reptile)
    phone.sees("The reptile of Blue jumps over the sprinter.", "#board")
    stands(phone, 1, "reptile on space 4, going out")


def _a_tie_goes_to_the_first_card(phone):
    at(phone, 4, 2)
    shows(phone, "sprinter", 3)
    assert phone.page.locator('[data-pane="race:cards"]').is_visible()  # the depth used last
    lay(phone, (0, 2), (1, 4), (0, 2))
    phone.sees("4 each: Yellow laid first here and wins", "#enter")
    phone.tap("Enter it")
    phone.sees("Yellow wins with the 2: 4 in all, as much as Blue, but with the earlier first card at this edge.", "#board")
    phone.sees("The sprinter of Yellow turns and takes the 4.", "#board")
    stands(phone, 0, "sprinter on space 4, facing home")


def _the_fourth_edge_is_locked(phone):
    at(phone, 4, 4)
    phone.sees("this one is locked with three players", "#enter")
    assert not phone.page.locator(".edge-grid").count()
    phone.tap("No card lies here")
    at(phone, 5, 1)
    phone.sees("starts", "#waiting li.leads:has-text('Blue')")  # stage 5 with three players


# ---- whole races -----------------------------------------------------------------------------------------------------


NAMES = ("Ana", "Ben", "Cem")


def planned(seed, depth):
    """A whole race of eight stages: every edge as its ask, its form and its action. No take-back, every winner moves what the edge says."""
    game, chance = GAMES["crazy-race"], random.Random(seed)
    state = game.setup(3, game.options())
    while not state.ended:
        short, deep = [ask for ask in game.asks(state) if ask.do == "edge"]
        ask = {"cards": deep, "winner": short}.get(depth) or chance.choice((short, deep))
        fields = {}
        action = walk(ask.form, lambda field, fields=fields: fields.setdefault(field.name, _likely(chance, field)))
        state = game.apply(state, read_action(game, action, 3)).state
        yield ask.id, {name: encoded(value) for name, value in fields.items() if value is not SKIP}, action
    yield from _tiles_given_up(game, state)


def _likely(chance, field):
    match field.name.split(".")[0]:
        case "animal":
            return chance.choice(ANIMALS * 2 + ("any",))
        case "cards":
            return SKIP if field.name == "cards.2" or chance.random() < 0.4 else chance.choice(field.values)
        case "moves":
            return SKIP if field.optional else field.values[0]
        case "winner":
            return chance.choice(field.values[1:] or field.values)
        case "value":
            return chance.choice(field.values[1:4])
        case _:
            return chance.choice(field.values)


def _tiles_given_up(game, state):
    """Every owner gives up the lowest tile."""
    while asks := game.asks(state):
        action = walk(asks[0].form, lambda field: field.values[-1])
        state = game.apply(state, read_action(game, action, 3)).state
        yield asks[0].id, {"tile": str(action["tile"])}, action


def outcome(actions):
    told = replay({"format": "companion-record/1", "game": "crazy-race", "players": list(NAMES), "options": {}, "actions": actions})
    return dict(zip(NAMES, told["totals"], strict=True)), " & ".join(NAMES[seat] for seat in told["winners"])


def enter_edge(phone, action):
    """An edge by taps, as deep as it was planned."""
    animal, value, cards = action["animal"], action["value"], action.get("cards")
    if not cards and action.get("winner") is None:
        phone.tap("No card lies here")
        return
    shows(phone, animal, value)
    if cards:
        depth(phone, "cards")
        lay(phone, *cards)
        phone.tap("Enter it" if animal in ANIMALS else "Now the animal")
    else:
        depth(phone, "winner")
        wins(phone, NAMES[action["winner"]])
    if animal == "any":
        phone.page.wait_for_selector(".choice, .choices")
        phone.tap(f".choices [value='{encoded(action['moves'])}']")


def result(phone):
    phone.page.wait_for_selector("#enter .win")
    rows = phone.page.locator("#standings tbody tr")
    return {name: int(rows.filter(has_text=name).locator(".points").inner_text()) for name in NAMES}, phone.text("#enter .win").strip()


@pytest.mark.parametrize("how", ["cards", "winner", "mixed"])
def test_eight_stages_from_the_lobby_to_the_winner(new_phone, table, how):
    """Two stages on the screens, the others behind them; in stage 4 an edge of stage 2 is corrected."""
    ana, ben, cem = phones = new_phone(), new_phone(dark=True), new_phone()
    match = play_from_lobby(ana, [ben, cem], NAMES, "Crazy Race", starter="Ana")
    plan = list(planned({"cards": 23, "winner": 2, "mixed": 29}[how], how))
    actions = [action for _, _, action in plan]
    for n, (ask, fields, action) in enumerate(plan):
        if n in range(4) or n in range(8, 12):
            phone = phones[n % 3]
            at(phone, n // 4 + 1, n % 4 + 1)
            enter_edge(phone, action)
            at(phone, (n + 1) // 4 + 1, (n + 1) % 4 + 1)
        else:
            report(ana if "tile" not in fields else phones[action["seat"]], match, ask, **fields)
        if n == 1:
            _undone_in_the_middle(phones, action)
        if n == 13:  # in stage 4
            actions[4] = _correct_two_stages_back(ana, ben, cem, match, actions[4])
    expected = outcome(actions)
    for phone in phones:
        assert result(phone) == expected


def _undone_in_the_middle(phones, action):
    """Whoever entered the second edge takes it back and enters it again."""
    phone = phones[1]
    phone.tap("css=#undo button")
    for each in phones:
        at(each, 1, 2)
    enter_edge(phone, action)
    for each in phones:
        at(each, 1, 3)


def _correct_two_stages_back(ana, ben, cem, match, action):
    """The winner of the first edge of stage 2 did not want to move. Cem was away meanwhile, Ben loads his page again."""
    cem.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    cem.page.context.set_offline(True)
    ana.go(f"{match}/story")
    ana.tap(ana.page.locator("#story a", has_text="wins edge 1 of stage 2"))
    ana.tap("Correct this entry")
    ana.tap(ana.page.locator("#enter .changes a").last)
    ana.tap("css=#enter .choices [value='[]']")
    ana.page.wait_for_url("**" + match)
    ben.page.reload()
    cem.page.context.set_offline(False)
    for phone in (ana, ben, cem):
        phone.line("live")
        at(phone, 4, 3)
    assert len({lane(phone, seat) for phone in (ana, ben, cem) for seat in range(3)}) == 3  # all see the same
    return {**action, "moves": []}


def test_a_whole_race_by_every_card(new_phone, table):
    ana, ben, cem = phones = [new_phone(dark=bool(n % 2)) for n in range(3)]
    match = sit(table, *phones, game="crazy-race")
    for n, (animal, value, cards) in enumerate([("sprinter", 4, [(0, 6)]), ("reptile", 4, [(1, 6), (2, 4)]), ("flyer", 4, [(2, 6)])], 1):
        at(ana, 1, n)
        ana.taps = 0
        shows(ana, animal, value)
        depth(ana, "cards")
        lay(ana, *cards)
        ana.tap("Enter it")
        assert ana.taps <= len(cards) + 2 + (n == 1)
    at(ben, 1, 4)
    ben.tap("No card lies here")
    for phone in phones:
        phone.sees("Stage 1 is over; Ben starts the next one.", "#board")
        phone.sees("7 cards", "#waiting li:has-text('Ana')")
        phone.sees("6 cards", "#waiting li:has-text('Cem')")
    _a_used_card_says_where_it_lies(ben)
    _take_back(ana, ben)
    for stage in range(2, 8):
        fill(ana, match, stage)
    _last_stage(ana, ben, cem)
    _penalties(ana, ben, cem)


def _a_used_card_says_where_it_lies(phone):
    shows(phone, "flyer", 1)
    depth(phone, "cards")
    lay(phone, (2, 6))
    phone.sees("Cem has used the 6 at edge 3 of stage 1; to lay it again, enter first that Cem takes cards back.", "#enter .told")
    lay(phone, (1, 1), (1, 1), (1, 2), (1, 4))
    phone.sees("Ben lays at most 3 cards in a stage.", "#enter .told")
    assert laid(phone) == ["Ben 1", "Ben 1", "Ben 2"]
    assert phone.text('[data-seat="1"] [data-sum]') == "= 4"
    phone.tap(".laid-card")
    assert laid(phone) == ["Ben 1", "Ben 2"]
    phone.tap("Change")


def _take_back(ana, ben):
    ana.tap("Take my used cards back (once a game)")
    ben.sees("taken back", "#waiting li:has-text('Ana')")
    ben.sees("8 cards", "#waiting li:has-text('Ana')")
    assert not ben.page.locator("#enter button", has_text="Ana takes").count()  # only on the own phone


def _last_stage(ana, ben, cem):
    at(cem, 8, 1)
    shows(cem, "any", "?")
    depth(cem, "cards")
    lay(cem, (2, 3), (0, 1), (2, 2), (0, 1))
    cem.tap("Now the animal")
    cem.sees("4 points to move", "#enter")
    cem.tap(cem.page.locator(".parts[aria-label=flyer] .part").nth(1))  # +2 of 4: turns
    cem.sees("2 points to move", "#enter")
    cem.tap(".parts[aria-label=reptile] .part.all")
    at(ana, 8, 2)
    stands(ana, 2, "reptile on space 2, going out, flyer on the turnaround")
    for n in (2, 3, 4):
        at(ana, 8, n)
        ana.tap("No card lies here")


def _penalties(ana, ben, cem):
    """Only Cem has a tile, and everybody has an animal at the start: it is lost."""
    for phone in (ana, ben, cem):
        phone.sees("Cem has a last animal and loses the most valuable tile, the 5.", "#board")
        phone.sees("A tie: each owner loses the best tile.", "#board")
        phone.page.wait_for_selector("#enter .win")
        assert phone.text("#enter .win").strip() == "Ana & Ben & Cem"


def test_a_whole_race_by_winners_within_the_tap_budget(new_phone, table):
    ana, ben, cem = new_phone(), new_phone(), new_phone(dark=True)
    sit(table, ana, ben, cem, without=["Oma"], game="crazy-race")
    for n, (animal, value, name, then, most) in enumerate(
        [("flyer", 4, "Ben", [], 2), ("any", 3, "Ana", ["sprinter"], 3), ("any", "?", "Cem", ["8", "all"], MAX_TAPS)], 1
    ):
        at(ana, 1, n)
        ana.taps = 0
        shows(ana, animal, value)
        wins(ana, name)
        for what in then:
            ana.page.wait_for_selector(".choice, .values, .parts")
            ana.tap({"sprinter": ".choice", "all": ".part.all"}.get(what, what))
        at(ana, 1, n + 1)
        assert ana.taps <= most <= MAX_TAPS
    ana.taps = 0
    ana.tap("No card lies here")
    assert ana.taps == 1
    stands(ben, 2, "sprinter on space 4, facing home")
    for phone in (ana, ben, cem):
        phone.page.wait_for_selector("#standings .held .point")
        assert phone.page.locator("#standings .held .point").all_inner_texts() == ["6"]
    cem.tap("Oma takes the used cards back")  # she has no phone
    ben.sees("taken back", "#waiting li:has-text('Oma')")
    ben.tap("Nobody has cards left: end the race")
    for phone in (ana, ben, cem):
        phone.page.wait_for_selector("#enter .win, #enter h2:has-text('The race is over')")
        phone.sees("Nobody has cards left: the race is over.", "#board")


def test_a_whole_race_in_both_depths_with_an_undo_a_correction_and_a_reload(new_phone, table):
    ana, ben, cem = new_phone(), new_phone(), new_phone()
    match = sit(table, ana, ben, cem, game="crazy-race")
    shows(ana, "sprinter", 2)
    wins(ana, "Ana")
    at(ana, 1, 2)
    shows(ana, "flyer", 3)
    depth(ana, "cards")
    lay(ana, (1, 3))
    ana.tap("Enter it")
    stands(cem, 1, "flyer on space 3, going out")
    at(ana, 1, 3)
    ana.tap("css=#undo button")  # in the middle of a stage
    stands(cem, 1, "flyer at the start")
    at(cem, 1, 2)
    shows(cem, "flyer", 4)
    wins(cem, "Cem")
    stands(ben, 2, "flyer on space 4, going out")
    _correct_the_first(ana)
    for phone in (ana, ben, cem):
        stands(phone, 1, "sprinter on space 3, going out")
        stands(phone, 0, "sprinter at the start")
        phone.sees("corrected", "#story")
    ben.page.reload()
    at(ben, 1, 3)
    assert lane(ben, 1) == "Ben: sprinter on space 3, going out, reptile at the start, flyer at the start"
    ben.tap(ben.page.locator("#board .race a").nth(1))
    ben.page.wait_for_url("**/seats/1#sprinter")
    ben.sees("at the start → on space 3, going out", "#sprinter")
    ben.go(match)
    for n in (3, 4):
        at(ben, 1, n)
        ben.tap("No card lies here")
    at(cem, 2, 1)
    fill(cem, match, 2, ("any", 3, 2, ["flyer", 3]), ("sprinter", 4, 1))  # Cem's flyer turns for a 5, Ben's sprinter for a 4
    at(ana, 3, 1)
    ana.tap("Nobody has cards left: end the race")
    for phone in (ana, ben, cem):
        phone.page.wait_for_selector("#enter .win")
        phone.sees("Ben has a last animal and loses the most valuable tile, the 4.", "#board")


def _correct_the_first(ana):
    """Ben won it, and it showed a 3."""
    ana.tap(ana.page.locator("#story a", has_text="Ana wins edge 1 of stage 1."))
    ana.tap("Correct this entry")
    ana.page.wait_for_selector("#enter .changes")
    assert ana.page.locator("#enter .changes b").all_inner_texts() == ["sprinter", "2", "Ana", "as the edge says"]  # as it was entered
    ana.tap(ana.page.locator("#enter .changes a", has_text="Points"))
    ana.tap(ana.page.locator("#enter .values .button", has_text="3"))
    ana.page.locator("#enter .changes b", has_text="3").wait_for()
    ana.tap(ana.page.locator("#enter .changes a", has_text="Winner"))
    ana.sees("→ space 3", "#enter .person")  # as the board was then
    wins(ana, "Ben")
    ana.page.wait_for_url("**/m/*")


# ---- wrong entries, late entries, a lost line ------------------------------------------------------------------------


def test_a_wrong_entry_is_refused_and_what_was_tapped_stays(new_phone, table):
    """Ben's screen is old: meanwhile an older entry was corrected, and Cem's 6 lies there."""
    ana, ben = new_phone(), new_phone()
    match = sit(table, ana, ben, without=["Cem"], game="crazy-race")
    report(ana, match, "stage-1-edge-1-cards", **{"animal": "flyer", "value": "1", "cards.0": "[2,4]"})
    at(ben, 1, 2)
    ben.expect("status of 422")
    shows(ben, "sprinter", 2)
    depth(ben, "cards")
    lay(ben, (0, 1), (2, 6))
    fields = {"key": f"filled-in-{next(KEYS)}", "animal": "flyer", "value": "1", "cards.0": "[2,6]"}
    assert ana.page.evaluate(POST, [f"{match}/entries/1/amend", fields]) == 0
    ana.sees("corrected", "#story")
    ben.tap("Enter it")
    ben.page.wait_for_selector("#enter .notice ~ * .laid-card")
    assert "Cem has no further 6: laid at edge 1 of stage 1." in ben.text("#enter .notice")
    assert laid(ben) == ["Ana 1", "Cem 6"]
    ben.tap(ben.page.locator(".laid-card").nth(1))
    lay(ben, (2, 6))
    ben.sees("Cem has no further 6: laid at edge 1 of stage 1.", "#enter .told")
    lay(ben, (2, 3))
    ben.tap("Enter it")
    at(ben, 1, 3)
    stands(ana, 2, "sprinter on space 3, going out")  # over the flyer


@pytest.mark.postgresql
def test_whoever_is_late_is_told_and_keeps_the_input(new_phone, table):
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben, without=["Cem"], game="crazy-race")
    ben.expect("status of 409")
    shows(ben, "flyer", 2)
    shows(ana, "flyer", 2)
    wins(ana, "Cem")
    at(ana, 1, 2)
    wins(ben, "Ben")
    ben.sees("Ana entered this meanwhile", "#enter .notice")
    assert ben.page.locator("#enter .answers b").all_inner_texts() == ["flyer", "2", "Ben", "as the edge says"]
    ben.tap("Go on")
    at(ben, 1, 2)
    stands(ben, 2, "flyer on space 2, going out")


def test_a_phone_that_was_offline_catches_up_and_loses_nothing(cable, table, new_phone):
    ana, ben = new_phone(url=cable.url), new_phone()
    ana.expect("net::ERR", "htmx:")
    sit(table, ana, ben, without=["Cem"], game="crazy-race")
    shows(ana, "reptile", 3)
    depth(ana, "cards")
    lay(ana, (0, 3), (1, 2))
    ana.page.context.set_offline(True)
    cable.silent = True
    ana.tap("Enter it")
    ana.line("unsaved")
    assert laid(ana) == ["Ana 3", "Ben 2"]
    cable.silent = False
    ana.page.context.set_offline(False)
    at(ana, 1, 2)
    stands(ben, 0, "reptile on space 3, going out")
    ben.page.wait_for_selector("#story li")
    assert ben.page.locator("#story li").count() == 1


# ---- the score only --------------------------------------------------------------------------------------------------


def test_a_race_that_was_not_entered_is_scored_and_owners_choose_their_tile(new_phone, table):
    """Case 15: last are Ben and Cem with their best tile, second-last is Ben with one of choice."""
    ana, ben, cem = new_phone(), new_phone(), new_phone()
    sit(table, ana, ben, cem, game="crazy-race")
    ana.tap("Only score a race that is over")
    ana.page.wait_for_selector(".tap-tiles")
    for seat, tile in [(0, 5), (0, 4), (1, 5), (1, 3), (1, 2), (2, 4)]:
        ana.tap(f'[data-owner="{seat}"] [data-tile="{tile}"]')
    ana.tap('[data-owner="2"] [data-tile="5"]')
    ana.sees("There are only two tiles with a 5.", "#enter .told")
    for name, progress in {"0.2": 9, "1.1": 7, "1.2": 0, "2.0": 0, "2.1": 8}.items():
        ana.page.select_option(f"[name='animals.{name}']", str(progress))
    ana.tap("Work it out")
    for phone in (ana, cem):
        phone.sees("Waiting for Ben to choose a tile on their own phone", "#enter")
        assert not phone.page.locator("#enter .point-button").count()
    ben.sees("Choose a tile to give up", "#enter")
    ben.sees("A tie: each owner loses the best tile.", "#board")
    assert ben.page.locator("#enter .point-button").all_inner_texts() == ["3", "2"]
    ben.taps = 0
    ben.tap("Give up the 2")
    for phone in (ana, ben, cem):
        phone.sees("wins with 9 points", "#enter")
        assert phone.text("#enter .win").strip() == "Ana"
        phone.sees("3", "#standings .points")
        assert phone.page.locator("#standings .points a").all_inner_texts() == ["9", "3", "0"]
    assert ben.taps == 1


# ---- room, watchers, the TV, no script -------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_no_screen_scrolls_sideways_with_long_names(new_phone, table, dark):
    ana = new_phone(dark=dark)
    match = sit(table, ana, names=LONG, without=LONG[1:4], game="crazy-race")
    check(ana, "an edge")
    shows(ana, "flyer", 2)
    check(ana, "who won")
    depth(ana, "cards")
    lay(ana, *[(seat, card) for seat in range(4) for card in (1, 1, 6)])
    check(ana, "every card")
    ana.tap("Enter it")
    at(ana, 1, 2)
    check(ana, "a verdict")
    for which in ("any", "?"):
        shows(ana, "any", 2 if which == "any" else "?")
        depth(ana, "winner")
        wins(ana, LONG[1])
        ana.page.wait_for_selector(".choice, .values")
        check(ana, which)
        if which == "?":
            ana.tap("12")
            ana.page.wait_for_selector(".parts")
            check(ana, "a split")
        ana.go(match)
    ana.tap("css=#undo button")
    ana.page.wait_for_selector("text=Only score a race")
    ana.tap("Only score a race that is over")
    ana.page.wait_for_selector(".tap-tiles")
    check(ana, "the score only")


def test_the_tv_shows_the_board_and_no_form(new_phone, table):
    ana, tv = new_phone(), new_phone("tv", viewport={"width": 1280, "height": 720}, is_mobile=False)
    match = sit(table, ana, tv, without=["Cem"], game="crazy-race")
    lobby = tv.page.evaluate("document.querySelector('.top .home').pathname")
    tv.go(lobby + "/tv")
    tv.line("live")
    fill(ana, match, 1, ("flyer", 4, 0))
    stands(tv, 0, "flyer on space 4, going out")
    assert not tv.page.locator("#tv form").count()
    assert tv.page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert tv.box("#board .race")["height"] < 720


def test_an_edge_is_entered_without_script(new_phone, table):
    ana = new_phone()
    match = sit(table, ana, names=("Ana",), without=["Ben", "Cem"], game="crazy-race")
    plain = new_phone("plain", java_script_enabled=False)
    plain.page.context.add_cookies(ana.page.context.cookies())
    plain.go(match)
    plain.tap("flyer +2")
    plain.tap(plain.page.locator("button.person", has_text="Ben"))
    plain.tap("any animal +1")
    plain.tap("Enter the cards one by one")
    plain.tap(plain.page.locator("#enter .values .button", has_text="Cem 4"))
    plain.tap("No further card")
    plain.tap(plain.page.locator(".choice[value*=reptile]"))
    stands(ana, 1, "flyer on space 2, going out")
    stands(ana, 2, "reptile on space 1, going out")
