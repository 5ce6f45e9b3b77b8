"""Tricky Cribby on the phones: whole matches at both depths, what goes wrong on the way, the worked cases, and the taps."""

from browser.phones import play_from_lobby, sit

from companion.games.tricky_cribby.model import COLOURS

GAME = "tricky-cribby"
LINE = "red,green,blue,yellow,purple"
FOUR = {"game": GAME, "strength": LINE, "leader": ""}
FIRST = ("blue-2", "red-1", "green-9", "green-4", "purple-9")  # worked case 1: the draw card, then Ana to Dia
LONG = ("Maximilian-Alexander Vos", "Anna-Katharina Müller-Wo", "Bartholomäus Oppenheimer", "Wilhelmine von Trautheim")
SEND = """async entries => {
  const token = document.querySelector("[name=csrf_token]").value;
  for (const [ask, fields] of entries) {
    const body = new URLSearchParams({ csrf_token: token, key: "filled " + ask, ...fields });
    const answer = await fetch(location.pathname + "/act/" + ask, { method: "POST", body });
    if (!answer.ok) throw new Error(ask + ": " + answer.status);
  }
}"""
FIT = "document.documentElement.scrollWidth <= innerWidth"


# ---- hands -----------------------------------------------------------------------------------------------------------


def lay_line(phone):
    """The markers as they lie on the table; the fifth is left over."""
    for colour in LINE.split(",")[:4]:
        phone.tap(f"css=[data-cri-list='5'] [data-colour={colour}]")
    assert phone.page.input_value("[name=strength]") == LINE


def gather_round(ana, ben, cem, **choices):
    """From the lobby's screens to the first trick; Dia has no phone."""
    return play_from_lobby(ana, [ben, cem], ("Ana", "Ben", "Cem"), "Tricky Cribby", ["Dia"], lay_line, leader="Ana", **choices)


def fill(phone, entries):
    """Entries that somebody made meanwhile, as plain forms."""
    phone.page.evaluate(SEND, entries)


def takes(start, *amounts):
    """Tiles by the short form: side, colour and how many, from tile number `start` on."""
    tiles = [{"side": side, "tile": tile} for side, tile, n in amounts for _ in range(n)]
    return [(f"take-{n}", fields) for n, fields in enumerate(tiles, start)]


def choose(phone, *cards):
    for card in cards:
        phone.tap(f'[data-pick="{card}"]')


def enter(phone, *cards):
    choose(phone, *cards)
    phone.tap("css=.cri-trick [data-done]")
    phone.page.wait_for_selector(".cri-order")


def turn(phone, used):
    """Wait until so many cards of the trick are used: a tap on an older screen would only be told so."""
    phone.page.wait_for_function(
        "n => document.querySelector('#enter .cri-order') && document.querySelectorAll('#enter .cri-order .done').length === n", arg=used
    )


def pick(phone, used, card, tile, story):
    """A pick: card and tile, then what the table is told."""
    turn(phone, used)
    if phone.page.locator(".cri-card").count() > 1:
        phone.tap(f'css=.cri-card:has([value="{card}"])')
    phone.tap(f'css=.tile:has([name=tile][value="{tile}"])')
    phone.sees(story, "#board")
    phone.page.wait_for_selector("#enter .htmx-request", state="detached")


def take(phone, side, tile):
    tile = phone.page.locator(f'.cri-take:has([name=side][value="{side}"]) [name=tile][value="{tile}"]')
    now = int(tile.locator("small").inner_text()) + 1
    phone.tap(tile)
    tile.locator("small").get_by_text(str(now), exact=True).wait_for()


def ask_why(phone, struck, words):
    """A tap on something struck through: nothing happens, and it says why."""
    phone.page.wait_for_selector("#enter:not(.fresh)")
    phone.page.locator(struck).first.tap(force=True)
    phone.sees(words, "#enter")


def tab(phone, name):
    phone.tap(f'[data-tab="{name}"]')


# ---- eyes ------------------------------------------------------------------------------------------------------------


def counts(phone):
    """Tiles of both sides, colour by colour."""
    return [int(each) for each in phone.page.locator("#board .cri-count b").all_inner_texts()]


def line(phone):
    return phone.page.locator("#enter .cri-line li b").all_inner_texts()


def order(phone):
    return phone.page.locator("#enter .cri-order .cri-who").all_inner_texts()


def shows(phone, read, expected):
    """Wait until this phone shows it: regions arrive one after the other."""
    for _ in range(100):
        if read(phone) == expected:
            return
        phone.page.wait_for_timeout(50)
    assert read(phone) == expected


def slots(phone):
    return [each.input_value() for each in phone.page.locator("[data-slot] input").all()]


def fits(phone):
    assert phone.page.evaluate(FIT)


# ---- the deep form ---------------------------------------------------------------------------------------------------


def test_a_whole_match_card_by_card(new_phone, table):
    ana, ben, cem = new_phone(), new_phone(), new_phone()
    gather_round(ana, ben, cem)
    _first_trick(ana, ben, cem)
    _wrong_second_trick(ana, ben)
    _undo_and_correct(ana, ben, cem)
    _end_inside_the_picks(ana, ben, cem)


def _first_trick(ana, ben, cem):
    """Worked cases 1, 3 and 4, within the budget of 6 + 10 taps."""
    shows(ana, line, ["R", "G", "B", "Y", "P"])
    assert ana.text("[data-done]") == "Tap the face-up draw card"
    taps = [phone.taps for phone in (ana, ben, cem)]
    choose(ana, *FIRST[:4])
    assert ana.text("[data-done]") == "Next: Dia’s card"
    choose(ana, FIRST[4])
    ana.tap("Enter the trick")
    for phone in (ana, ben, cem):
        phone.sees("Ana wins the trick with the red 1.", "#board")
        shows(phone, order, ["Dia", "Cem", "Ben", "Ana", "Ana"])
    assert ana.taps - taps[0] == 6
    ben.sees("Dia picks a card")
    pick(ben, 0, "blue-2", "red", "Dia uses the blue 2 and takes a red tile.")  # Dia has no phone
    cem.page.context.set_offline(True)
    cem.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    ana.sees("Cem picks a card", "#enter")
    pick(ana, 1, "red-1", "blue", "Cem uses the red 1 and takes a blue tile.")
    ben.sees("You pick a card", "#enter")
    pick(ben, 2, "green-9", "green", "Ben uses the green 9 and takes a green tile.")
    pick(ana, 3, "purple-9", "blue", "Ana uses the purple 9 and takes a blue tile.")
    pick(ana, 4, "green-4", "yellow", "Ana uses the green 4 and takes a yellow tile.")
    cem.page.context.set_offline(False)
    for phone in (ana, ben, cem):
        phone.sees("The red marker goes to the weak end of the line, and Ana leads the next trick.", "#board")
        phone.sees("Trick 2", "#enter")
        shows(phone, line, ["G", "B", "Y", "P", "R"])
        shows(phone, counts, [0, 1, 1, 0, 0, 1, 2, 0, 0, 0])  # three tiles for the trick's winner, two for the others
    assert sum(phone.taps for phone in (ana, ben, cem)) - sum(taps) <= 6 + 10


def _wrong_second_trick(ana, ben):
    """A card that was seen says where; what the server refuses stays on the form; the slower of two is told."""
    ask_why(ben, '[data-pick="green-9"]', "Ben played the green 9 in trick 1.")
    ask_why(ben, '[data-pick="blue-2"]', "The blue 2 was the draw card of trick 1.")
    assert slots(ben) == [""] * 5
    cards = ["green-1", "green-2", "purple-3", "red-4", "yellow-5"]
    choose(ben, *cards)
    ben.page.evaluate("document.querySelector('[name=\"cards.3\"]').value = 'red-1'")  # as from a screen that is out of date
    ben.expect("status of 422", "status of 409")
    ben.tap("Enter the trick")
    ben.sees("Ana played the red 1 in trick 1. It is in the game only once.", "#enter .notice")
    ben.sees("CRI-2", "#enter .notice .rule")
    assert slots(ben) == [*cards[:4], "red-1"]
    ben.tap("css=[data-slot] >> nth=4")
    choose(ben, "yellow-5")
    enter(ana, *cards)
    ben.sees("Somebody else went on meanwhile.", "#enter")
    assert slots(ben) == cards
    ben.tap("Enter the trick")
    ben.sees("Ana entered this meanwhile.", "#enter")
    ben.sees("purple 3", "#enter .answers")
    ben.tap("Go on")
    ben.page.wait_for_selector(".cri-order")
    for phone in (ana, ben):
        shows(phone, order, ["Cem", "Ben", "Dia", "Ana", "Ana"])


def _undo_and_correct(ana, ben, cem):
    """A pick undone in the middle of the trick, and a pick of the first trick corrected."""
    ana.sees("Cem picks a card", "#enter")
    pick(cem, 0, "green-1", "red", "Cem uses the green 1 and takes a red tile.")
    cem.tap("css=#undo button")
    for phone in (ana, ben, cem):
        phone.sees("Cem picks a card" if phone is not cem else "You pick a card", "#enter")
    shows(cem, counts, [0, 1, 1, 0, 0, 1, 2, 0, 0, 0])
    pick(cem, 0, "green-1", "purple", "Cem uses the green 1 and takes a purple tile.")
    ben.page.reload()
    ben.sees("You pick a card", "#enter")
    ben.tap(ben.page.locator("#story a", has_text="Ben uses the green 9 and takes a green tile."))
    ben.page.wait_for_url("**/entries/*")
    assert ben.page.locator("main input:checked").evaluate_all("all => all.map(each => each.value)") == ["green-9", "green"]
    ben.tap("css=main .tile:has([name=tile][value=blue])")
    ben.tap("Correct it")
    ben.page.wait_for_url("**/m/*")
    for phone in (ana, ben, cem):
        phone.sees("Ben uses the green 9 and takes a blue tile.", "#story")
        phone.line("live")
        shows(phone, counts, [0, 1, 1, 0, 0, 0, 2, 1, 1, 0])


def _end_inside_the_picks(ana, ben, cem):
    """Worked cases 6 and 8: the third colour is completed by a pick, the others are void."""
    steps = [("green-2", "red"), ("purple-3", "yellow"), ("red-4", "blue"), ("yellow-5", "blue")]
    fill(ben, [(f"trick-2-pick-{n}", {"card": card, "tile": tile}) for n, (card, tile) in enumerate(steps, 2)])
    fill(ben, takes(11, (0, "red", 5), (1, "red", 2), (1, "blue", 4), (0, "yellow", 5), (1, "yellow", 1)))  # red 5:4, blue 4:5, yellow 6:2
    ana.sees("Trick 3", "#enter")
    ana.sees("Tiles were entered without their cards.", "#enter")
    shows(ana, counts, [5, 4, 6, 2, 0, 0, 4, 5, 1, 0])
    ana.sees("Needs the next colour to be completed.", "#board")
    _correct_two_tricks_back(ana, ben, cem)
    enter(ana, "green-3", "green-5", "green-6", "green-7", "green-8")
    pick(ben, 0, "green-5", "yellow", "Three colours are complete: the game ends at once.")
    for phone in (ana, ben, cem):
        phone.sees("4 picks of this trick are left out.", "#board")
        phone.sees("Ana & Cem", "#enter .win")
        phone.sees("Ana and Cem win with the majorities of red and yellow.", "#enter")


def _correct_two_tricks_back(ana, ben, cem):
    """In trick 3: another card in trick 1 would break its picks and is refused; another tile of it is not."""
    match = ana.page.url
    ana.go(match + "/story")
    ana.tap(ana.page.locator("#story a", has_text="Ana wins the trick with the red 1."))
    ana.page.wait_for_selector("form.cri-trick")
    assert slots(ana) == list(FIRST)
    ana.tap("css=[data-slot] >> nth=0")
    choose(ana, "yellow-9")
    ana.expect("status of 409")
    ana.tap("Correct it")
    ana.sees("would no longer be right: Dia cannot use the blue 2: it does not lie face up in this trick.", ".notice")
    assert slots(ana) == ["yellow-9", *FIRST[1:]]
    ben.go(match + "/story")
    ben.tap(ben.page.locator("#story a", has_text="Dia uses the blue 2 and takes a red tile."))
    ben.tap("css=main .tile:has([name=tile][value=purple])")
    ben.tap("Correct it")
    ben.page.wait_for_url("**/m/*")
    ana.go(match)
    for phone in (ana, ben, cem):
        shows(phone, counts, [5, 3, 6, 2, 0, 0, 4, 5, 1, 1])
    fill(ben, takes(28, (1, "red", 1)))
    shows(ana, counts, [5, 4, 6, 2, 0, 0, 4, 5, 1, 1])


# ---- the short form --------------------------------------------------------------------------------------------------


def test_a_whole_match_by_tiles_only(new_phone, table):
    """Worked case 7: 9:0, 4:5, 4:5 wins with fewer tiles; five taps for the five tiles of a trick."""
    ana, ben, cem = new_phone(), new_phone(), new_phone()
    gather_round(ana, ben, cem)
    tab(ben, "tiles")
    before = ben.taps
    for side, tile in ((0, "red"), (0, "red"), (1, "green"), (0, "blue"), (1, "blue")):
        take(ben, side, tile)
    assert ben.taps - before == 5
    for phone in (ana, ben, cem):
        shows(phone, counts, [2, 0, 0, 0, 0, 1, 1, 1, 0, 0])
    fill(ana, takes(6, (0, "red", 7), (0, "green", 4), (1, "green", 4), (0, "blue", 3), (1, "blue", 3)))
    ben.sees("26 of 45 taken", "#enter")
    ask_why(ben, ".cri-take .struck", "All nine red tiles are taken.")  # worked case 12: there is no tenth
    ben.page.reload()
    ben.page.wait_for_selector(".cri-take")  # the short form came back by itself
    ben.tap('css=.cri-take:has([name=side][value="1"]) [value=blue]')
    for phone in (ana, ben, cem):
        phone.sees("Ben & Dia", "#enter .win")
        phone.sees("Majorities decide, not the number of tiles.", "#standings")
        phone.sees("17 tiles", "#standings")


# ---- mixed -----------------------------------------------------------------------------------------------------------


def test_tiles_and_cards_mixed_until_it_is_decided(new_phone, table):
    """Worked case 9, ended by the house rule; every number explains itself."""
    ana, ben, cem = new_phone(), new_phone(), new_phone()
    gather_round(ana, ben, cem, stop_when_decided="the game ends at once")
    tab(ben, "tiles")
    take(ben, 1, "purple")
    tab(ben, "cards")
    ben.sees("Tiles were entered without their cards.", "#enter")
    enter(ben, *FIRST)
    fill(ben, [(f"trick-1-pick-{n}", {"card": card, "tile": "red"}) for n, card in enumerate(FIRST, 1)])
    for phone in (ana, ben, cem):
        phone.sees("Trick 2", "#enter")
    fill(ana, takes(7, (0, "red", 4), (0, "green", 8), (1, "purple", 1)))
    cem.sees("All nine", "#story")
    tab(cem, "tiles")
    cem.sees("Needs one of the next two colours to be completed.", "#board")
    ana.tap("css=#undo button")
    cem.sees("18 of 45 taken", "#enter")
    cem.tap('css=.cri-take:has([name=side][value="0"]) [value=green]')
    for phone in (ana, ben, cem):
        phone.sees("The game is decided, and by your house rule it ends here.", "#board")
        phone.sees("Ana & Cem", "#enter .win")
    ana.tap(ana.page.locator("#standings .points").first)
    ana.page.wait_for_url("**/seats/0")
    ana.sees("All nine red tiles are taken, 7 to 2: red counts for Ana and Cem.")


# ---- two players and the loop ----------------------------------------------------------------------------------------


def test_two_players_set_up_their_loop_and_walk_it(new_phone, table):
    """Worked case 5. The line and the loop are tapped in order or mixed; then a pick is one tap on where the pawn lands."""
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben, game="ligretto-crazy")
    ana.tap("css=.top .home")
    ana.page.wait_for_url("**/n/*")
    ana.go(ana.page.url + "/new/" + GAME)
    ana.page.select_option("#leader", label="Ana")
    lay_line(ana)
    ana.tap("Shuffle a layout for us to copy")
    assert sorted(ana.page.input_value("[name=loop]").split(",")) == sorted(COLOURS * 9)
    ana.tap("Tap our tiles in order")
    for colour in COLOURS[:4]:
        for _ in range(9):
            ana.page.locator(f"[data-cri-list='45'] [data-colour={colour}]").click()
    assert ana.page.input_value("[name=loop]").split(",") == [colour for colour in COLOURS for _ in range(9)]
    ana.tap("Start the match")
    ana.sees("Two players: hand and stacks")
    ben.go(ana.page.url)
    assert ben.page.locator(".tabs").count() == 0  # with the loop there is no short form
    enter(ana, "blue-2", "red-1", "purple-9", "green-9", "green-4")
    ben.page.wait_for_selector(".cri-order")
    shows(ben, order, ["Ana", "Ben", "Ben", "Ana", "Ana"])
    assert ana.page.locator(".cri-way").all_inner_texts()[0].split("\n")[-1] == "tile 1 of red for this side"
    before = ana.taps + ben.taps
    steps = (
        (ana, "purple-9", "Ana counts on from the front pawn with the purple 9 and takes the red tile there."),
        (ben, "red-1", "Ben counts on from the front pawn with the red 1 and takes the red tile there."),
        (ben, "green-9", "Ben counts on from the front pawn with the green 9 and takes the yellow tile there."),
        (ana, "blue-2", "Ana counts on from the front pawn with the blue 2 and takes the yellow tile there."),
        (ana, "green-4", "Ana counts on from the front pawn with the green 4 and takes the yellow tile there."),
    )
    for used, (phone, card, story) in enumerate(steps):
        turn(phone, used)
        phone.tap(f'css=.cri-way[value="{card}"]')
        phone.sees(story, "#board")
    assert ana.taps + ben.taps - before == 5
    shows(ana, counts, [1, 1, 2, 1, 0, 0, 0, 0, 0, 0])
    ben.sees("40 tiles left", "#board")


def test_a_loop_that_is_not_whole_is_refused_and_kept(new_phone, table):
    ana = new_phone()
    sit(table, ana, names=("Ana",), without=["Ben"])
    ana.tap("css=.top .home")
    ana.page.wait_for_url("**/n/*")
    ana.go(ana.page.url + "/new/" + GAME)
    ana.tap("Tap our tiles in order")
    for colour in ("red", "blue", "blue"):
        ana.tap(f"css=[data-cri-list='45'] [data-colour={colour}]")
    ana.tap("One back")
    ana.expect("status of 422")
    ana.tap("Start the match")
    ana.sees("The loop has nine tiles of each colour; of red it cannot have 1.")
    assert ana.page.input_value("[name=loop]") == "red,blue"


# ---- what it looks like ----------------------------------------------------------------------------------------------


def test_nothing_scrolls_sideways_and_watchers_have_no_forms(new_phone, table):
    ana, tv = new_phone(), new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
    match = sit(table, ana, names=LONG[:1], without=LONG[1:], **FOUR)
    tv.page.context.add_cookies(ana.page.context.cookies())
    fits(ana)
    _check_targets(ana)
    ana.tap("css=.top .home")
    ana.page.wait_for_url("**/n/*")
    tv.go(ana.page.url + "/tv")
    ana.go(match)
    enter(ana, *FIRST)
    tv.sees(f"{LONG[0]} wins the trick with the red 1.", "#board")
    assert tv.page.locator("form").count() == 0
    for phone in (ana, tv):
        fits(phone)
    _check_targets(ana)
    fill(ana, [(f"trick-1-pick-{n}", {"card": card, "tile": "red"}) for n, card in enumerate(FIRST, 1)])
    ana.sees("Trick 2", "#enter")
    tab(ana, "tiles")
    fits(ana)
    _check_targets(ana)


def _check_targets(phone):
    """Everything to tap is at least 48 px high."""
    heights = "all => all.filter(each => each.offsetParent).map(each => Math.round(each.getBoundingClientRect().height))"
    assert min(phone.page.locator("#enter button, #enter .tile, #enter .button, #board a, #enter summary").evaluate_all(heights)) >= 48


def test_a_trick_and_a_pick_without_script(new_phone, table):
    ana, plain = new_phone(), new_phone("plain", java_script_enabled=False)
    match = sit(table, ana, names=("Ana",), without=["Ben", "Cem", "Dia"], **FOUR)
    plain.page.context.add_cookies(ana.page.context.cookies())
    plain.go(match)
    plain.tap('css=.cri-take:has([name=side][value="1"]) [value=blue]')
    plain.sees("Ben and Dia take a blue tile.", "#board")
    plain.tap("Step by step")
    for card in FIRST:
        plain.tap(card.replace("-", " "))
    plain.tap("Enter it")
    plain.page.check('[name=card][value="blue-2"]', force=True)
    plain.page.check("[name=tile][value=purple]", force=True)
    plain.tap("Enter the pick")
    plain.sees("Dia uses the blue 2 and takes a purple tile.", "#board")
