"""The Academy on the phones: deep, short and mixed, the sheet's own examples, taps counted, long names."""

import pytest
from browser.phones import gather, play_from_lobby, sit

from companion.games import replay

NAMES = ("Bianca", "Xavier", "Tyler", "Enid")
B, X, T, E = range(4)
LONG = ("Bianca-Maria von Hohenbg", "Xaver Maximilian Oberons", "TylerWWWWWWWWWWWWWWWWWWW", "Enid Annabella Charlotte")
PANE = "#enter .pane:not([hidden])"
MAX_TAPS = 14  # a round in the short form
SHEET = ("blue-5", "blue-7", "green-3", "purple-2")


# ---- hands -----------------------------------------------------------------------------------------------------------


def exam(phone, trump, rule):
    phone.tap(f"#enter .aca-exam .suit-{trump}")
    phone.tap(f"#enter [name=rule][value={rule}]")
    at_trick(1, phone)


def at_trick(n, *phones):
    for phone in phones:
        phone.page.wait_for_selector(f"#enter h2:has-text('Trick {n} of 8')")


def way(phone, name):
    """By the winner, or by cards; the choice comes back by itself."""
    phone.tap(f"#enter [data-tab={name}]")


def took(phone, *seats, first=1):
    for n, seat in enumerate(seats, first):
        at_trick(n, phone)
        phone.tap(f"{PANE} .aca-plain [name=winner][value='{seat}']")
        phone.page.wait_for_selector(f"#enter h2:has-text('Trick {n} of 8')", state="detached")


def lay(phone, *cards, form=".aca-plain"):
    for card in cards:
        phone.tap(f"{PANE} {form} [data-pick={card}]")


def play(phone, n, *cards):
    """A trick by its cards, with the tap that enters it."""
    at_trick(n, phone)
    before = phone.taps
    lay(phone, *cards)
    phone.tap(f"{PANE} .aca-plain [data-done]")
    assert phone.taps - before == len(cards) + 1


def end(phone, ace, rebel):
    phone.page.wait_for_selector("#enter [data-aca-end]")
    phone.tap(f"#enter .tile:has([name=ace][value='{ace}'])")
    phone.tap(f"#enter .tile:has([name=rebel][value={rebel}])")
    phone.tap("#enter [data-done]")


def awards(phone):
    """Everybody's awards, as drawn."""
    rows = phone.page.locator("#standings .aca-awards li")
    stars = [each.locator(".stars .won").count() for each in rows.all()]
    return dict(zip(rows.locator(".name b").all_inner_texts(), stars, strict=True))


def roles(phone):
    return phone.page.locator("#waiting .role > span").all_inner_texts()


def leads(phone):
    return phone.text("#waiting .leads > span:not(.seat)")


def enter(phone, match, ask, **fields):
    """Straight to the server: how a test gets to a late position."""
    send = """([url, fields]) => {
        const token = document.querySelector("[name=csrf_token]").value, key = "key " + Math.random();
        const body = new URLSearchParams({csrf_token: token, key, ...fields});
        return fetch(url, {method: "POST", headers: {"HX-Request": "true"}, body}).then(answer => answer.status);
    }"""
    assert phone.page.evaluate(send, [f"{match}/act/{ask}", fields]) == 204


def by_cards(*cards, **more):
    return {**{f"cards.{n}": card for n, card in enumerate(cards)}, **more}


def start(table, *phones, names=NAMES):
    return sit(table, *phones, game="the-academy", names=names[: len(phones)], without=names[len(phones) :])


# ---- a whole match by cards ------------------------------------------------------------------------------------------


def eight(*winners, leader):
    """Tricks of one colour each, the highest card by the winner; the purple 7 is in trick 6."""
    for n, winner in enumerate(winners):
        low, order = 1 + n % 2 * 4, [1, 2, 3]
        order.insert((winner - leader) % 4, 4)
        yield tuple(f"{('blue', 'green', 'purple', 'orange')[n // 2]}-{low + value - 1}" for value in order)
        leader = winner


FIRST = list(eight(X, E, X, E, X, E, B, T, leader=B))
SECOND = list(eight(X, X, E, T, E, X, B, B, leader=X))


def replayed():
    tricks = [[{"do": "trick", "cards": list(cards)} for cards in each] for each in (FIRST, SECOND)]
    exams = [{"do": "exam", "trump": "green", "rule": "joint-award"}, {"do": "exam", "trump": "blue", "rule": "face-down"}]
    actions = [exams[0], *tricks[0], exams[1], *tricks[1]]
    return replay({"format": "companion-record/1", "game": "the-academy", "players": list(NAMES), "options": {}, "actions": actions})


def test_a_whole_match_by_cards(new_phone, table, cable):
    bianca, xavier, tyler = phones = new_phone(), new_phone(dark=True), new_phone(url=cable.url)
    play_from_lobby(bianca, [xavier, tyler], NAMES, "The Academy", without=NAMES[3:], captain="Bianca")
    assert roles(tyler) == ["Captain", "Mastermind", "Teamplayer", "Rebel"]
    exam(bianca, "green", "joint-award")
    for phone in phones:
        at_trick(1, phone)
        way(phone, "cards")
    play(bianca, 1, *FIRST[0])
    _too_late(bianca, xavier, FIRST[1], FIRST[2])
    _reload_and_undo(xavier, bianca, FIRST[2])
    _offline(cable, bianca, tyler, FIRST[3])
    for n in range(4, 8):
        play(phones[n % 3], n + 1, *FIRST[n])
    for phone in phones:
        phone.sees("Round 1: the awards", "#board")
    assert awards(tyler) == {"Xavier": 2, "Enid": 2, "Bianca": 0, "Tyler": 0}
    assert roles(tyler) == ["Rebel", "Captain", "Mastermind", "Teamplayer"]
    tyler.sees("would win in this round with one more award and the purple 7", "#standings")
    exam(tyler, "blue", "face-down")
    for n in range(7):
        play(phones[n % 3], n + 1, *SECOND[n])
    play(xavier, 8, *SECOND[7])
    told = replayed()
    assert told["winners"] == [X]
    for phone in phones:
        phone.sees("Xavier", "#enter .win")
        assert awards(phone) == dict(zip(NAMES, told["totals"], strict=True))


def _too_late(bianca, xavier, cards, others):
    """Two phones enter the same trick: the second is told, and what it tapped stays to be seen."""
    at_trick(2, xavier)
    lay(xavier, *cards[:2])
    play(bianca, 2, *cards)
    xavier.sees("Somebody else entered something meanwhile.", "#enter")
    assert xavier.page.input_value(f"{PANE} .aca-plain [name='cards.0']") == cards[0]
    lay(xavier, *others[2:])
    xavier.expect("status of 409")
    xavier.tap(f"{PANE} .aca-plain [data-done]")
    xavier.sees("Bianca entered this meanwhile", "#enter")
    xavier.sees(others[3].replace("-", " "), "#enter .answers")
    xavier.tap("Go on")


def _reload_and_undo(xavier, bianca, cards):
    at_trick(3, xavier)
    xavier.page.reload()
    assert xavier.page.locator(f"{PANE} [data-pick]").count() == 36  # still by cards
    xavier.page.dispatch_event(f"{PANE} [data-pick=blue-1]", "click")
    xavier.sees("Bianca played blue 1 in trick 1.", "#enter")
    assert xavier.page.input_value(f"{PANE} [name='cards.0']") == ""
    play(xavier, 3, *cards)
    at_trick(4, xavier, bianca)
    xavier.tap("#undo button")
    at_trick(3, xavier, bianca)
    play(xavier, 3, *cards)


def _offline(cable, bianca, tyler, cards):
    at_trick(4, tyler)
    tyler.expect("net::ERR")
    tyler.page.context.set_offline(True)
    cable.silent = True
    cable.cut()
    play(bianca, 4, *cards)
    at_trick(5, bianca)
    assert tyler.text("#enter h2").startswith("Trick 4")
    cable.silent = False
    tyler.page.context.set_offline(False)
    at_trick(5, tyler)


# ---- a whole match by winners ----------------------------------------------------------------------------------------


def test_a_whole_match_by_winners_within_the_budget(new_phone, table):
    bianca, xavier, tyler = phones = new_phone(), new_phone(), new_phone(dark=True)
    play_from_lobby(bianca, [xavier, tyler], NAMES, "The Academy", without=NAMES[3:], captain="Bianca")
    before = bianca.taps
    exam(bianca, "green", "swap-hands")
    took(bianca, T, X, X, X, T, E, B, E)
    bianca.sees("3 : 3", "#board .aca-sums")
    end(bianca, X, "true")
    assert bianca.taps - before <= MAX_TAPS - 1
    for phone in phones:
        phone.sees("Round 1: the awards", "#board")
    assert awards(tyler) == {"Xavier": 1, "Enid": 1, "Bianca": 0, "Tyler": 0}
    exam(xavier, "blue", "last-trick-award")
    took(xavier, X, E, X, E, B, T)
    _correct(xavier)
    took(xavier, X, first=7)
    xavier.sees("This is the last trick: whoever takes it gets one more award.", "#enter")
    took(xavier, X, first=8)
    end(xavier, X, "false")
    for phone in phones:
        phone.sees("Xavier", "#enter .win")
        phone.sees("wins with three awards and the purple 7", "#enter")
    assert awards(tyler) == {"Xavier": 3, "Enid": 2, "Bianca": 0, "Tyler": 0}
    tyler.tap(tyler.page.locator("#standings .points").first)
    tyler.sees("Xavier took the last trick and gets one more award.")


def _correct(xavier):
    """Trick 2 was Tyler's, not Enid's."""
    at_trick(7, xavier)
    xavier.tap(xavier.page.locator("#board .aca-rack a").nth(1))
    xavier.page.wait_for_url("**/entries/*")
    xavier.sees("as entered", ".person:has-text('Enid')")
    xavier.tap("css=main [name=winner][value='2']")
    at_trick(7, xavier)
    xavier.sees("corrected", "#story")
    assert [row.inner_text().split()[0] for row in xavier.page.locator("#board .aca-count").all()] == ["2", "2", "1", "1"]


# ---- mixed: the sheet's own examples ---------------------------------------------------------------------------------


def test_a_mixed_round_gives_the_sheets_results(new_phone, table):
    """Cases 1 to 4 of the sheet; Y14: the sum of Captain and Teamplayer is nowhere before trick 8."""
    bianca, xavier, tyler = phones = new_phone(), new_phone(dark=True), new_phone()
    match = start(table, *phones)
    xavier.sees("look at the four exam cards", "#enter .aca-you")
    tyler.sees("pick the other one out of the three cards left", "#enter .aca-you")
    exam(tyler, "green", "swap-hands")
    way(tyler, "cards")
    play(tyler, 1, *SHEET)
    for phone in phones:
        phone.sees("Tyler wins: green 3 is the highest trump in the trick.", "#board")
        phone.sees("Trick 1 Tyler wins: green 3 is the highest trump in the trick.", "#enter .taken summary")
    at_trick(2, bianca)
    bianca.sees("Before trick 2: Xavier may swap whole hands with somebody", "#enter")
    assert leads(bianca) == "Tyler"
    tyler.tap("#enter .taken summary")
    tyler.sees("ACA-7", "#enter .taken .why")
    way(tyler, "winner")
    took(tyler, X, X, first=2)
    at_trick(4, tyler)
    assert tyler.page.locator("#enter .taken").count() == 0  # nobody said which cards
    way(xavier, "cards")
    play(xavier, 4, "orange-4", "orange-1", "orange-2", "orange-3")
    took(bianca, T, E, B, first=5)
    assert bianca.page.locator("#board .aca-sums").count() == 0
    took(bianca, E, first=8)
    bianca.sees("3 : 3", "#board .aca-sums")
    end(bianca, X, "true")
    xavier.sees("Round 1: Xavier +1, Enid +1", "#enter")
    xavier.sees("Xavier has at least as many tricks as Bianca and Tyler together, 3 to 3, and gets an award.", "#board")
    assert awards(xavier) == {"Xavier": 1, "Enid": 1, "Bianca": 0, "Tyler": 0}
    enter(bianca, match, "round-2", **{f"tricks.{n}": 2 for n in range(4)}, rebel="false", ace=E)
    xavier.sees("Round 2: the awards", "#board")


@pytest.mark.postgresql
def test_a_whole_match_at_both_depths_with_a_correction_two_rounds_back(new_phone, table):
    """From the lobby to the winner: what was wrong in round 1 is put right in round 3, on all phones, also on one that was away."""
    bianca, xavier, tyler = phones = new_phone(), new_phone(), new_phone(dark=True)
    match = play_from_lobby(bianca, [xavier, tyler], NAMES, "The Academy", without=NAMES[3:], captain="Bianca")
    exam(bianca, "green", "swap-hands")
    way(tyler, "cards")
    play(tyler, 1, *SHEET)
    way(xavier, "winner")
    took(xavier, E, first=2)
    at_trick(3, *phones)
    xavier.tap("#undo button")  # it was his own
    at_trick(2, *phones)
    took(xavier, X, first=2)
    for n, seat in enumerate((X, X, T, E, B, E), 3):
        enter(bianca, match, f"round-1-trick-{n}", winner=seat)
    end(bianca, X, "true")
    tyler.sees("Round 1: the awards", "#board")
    enter(bianca, match, "round-2", **{f"tricks.{n}": 2 for n in range(4)}, rebel="true", ace=E)
    for phone in phones:
        phone.sees("Round 2: the awards", "#board")
        assert awards(phone) == {"Xavier": 2, "Enid": 2, "Bianca": 1, "Tyler": 0}
    exam(tyler, "purple", "no-trump")
    _correct_the_first_round(bianca, xavier, tyler, match)
    for n, seat in enumerate((X, X, X, X, E, E, B), 1):
        enter(bianca, match, f"round-3-trick-{n}", winner=seat)
    took(xavier, T, first=8)
    end(xavier, X, "true")
    for phone in phones:
        phone.sees("Xavier", "#enter .win")
        assert awards(phone) == {"Xavier": 3, "Enid": 2, "Bianca": 1, "Tyler": 0}


def _correct_the_first_round(bianca, xavier, tyler, match):
    """Enid's cards of round 1 showed only two colours. Tyler was away meanwhile, Xavier loads his page again."""
    tyler.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    tyler.page.context.set_offline(True)
    bianca.go(match + "/story")
    bianca.tap(bianca.page.locator("#story a", has_text="Enid shows three colours in the cards won and gets an award.").last)
    bianca.page.wait_for_selector("form[data-aca-end]")
    assert bianca.page.is_checked(f"main [name=ace][value='{X}']")
    assert bianca.page.is_checked("main [name=rebel][value=true]")
    bianca.tap("css=main .tile:has([name=rebel][value=false])")
    bianca.tap("Correct it")
    at_trick(1, bianca)
    xavier.page.reload()
    tyler.page.context.set_offline(False)
    for phone in (bianca, xavier, tyler):
        phone.page.wait_for_selector("#standings .aca-awards li:has-text('Enid') .stars[aria-label='1 award of 3']")
        at_trick(1, phone)
        assert awards(phone) == {"Xavier": 2, "Enid": 1, "Bianca": 1, "Tyler": 0}


# ---- what the rules allow --------------------------------------------------------------------------------------------


TOP = "document.querySelector('#enter').getBoundingClientRect().top"


def test_after_a_long_form_the_next_question_is_in_view_with_the_undo_below_it(new_phone, table):
    bianca = new_phone()
    start(table, bianca)
    bianca.tap("#enter .aca-exam .suit-green")
    bianca.find("#enter [name=rule][value=last-trick-award]").scroll_into_view_if_needed()
    assert bianca.page.evaluate(TOP) < 0
    bianca.tap("#enter [name=rule][value=last-trick-award]")
    at_trick(1, bianca)
    bianca.page.wait_for_function(f"() => {TOP} >= 0")
    bianca.tap("#undo button")
    bianca.page.wait_for_selector("#enter .aca-exam")
    bianca.page.wait_for_function(f"() => {TOP} >= 0")


def test_a_mastermind_who_covers_has_no_card_in_the_trick(new_phone, table):
    """Case 6, then a rule covered by a tap, and with it the buttons of the new rule."""
    bianca = new_phone()
    match = start(table, bianca)
    exam(bianca, "green", "new-trump")
    way(bianca, "cards")
    before = bianca.taps
    lay(bianca, "blue-5", "purple-7", "green-3", "purple-2")
    bianca.page.dispatch_event(f"{PANE} [data-cover]", "click")
    bianca.sees("The purple 7 is never laid over the exam.", "#enter")
    bianca.tap(f"{PANE} [data-slot] >> nth=1")
    lay(bianca, "purple-1")
    bianca.tap(f"{PANE} [data-cover]")
    assert bianca.taps - before == len(SHEET) + 1 + 2  # two for the purple 7
    at_trick(2, bianca)
    bianca.sees("Enid wins: purple 2 is the highest trump in the trick.", "#board")
    assert bianca.text("#enter .aca-now").split()[:2] == ["P", "purple"]
    assert bianca.page.locator(f"{PANE} [data-pick=purple-1].struck").count() == 1
    enter(bianca, match, "round-1", **{"tricks.0": 2, "tricks.1": 1, "tricks.2": 1, "tricks.3": 4}, rebel="true", ace=E)
    bianca.page.wait_for_selector("#enter .aca-exam")
    exam(bianca, "blue", "new-rule")
    way(bianca, "winner")
    bianca.tap(f"{PANE} .aca-cover summary")
    assert bianca.page.locator(f"{PANE} .aca-cover [name=winner]:enabled").count() == 0  # the card comes first
    bianca.page.dispatch_event(f"{PANE} .aca-cover [data-pick=purple-7]", "click")
    bianca.sees("The purple 7 is never laid over the exam.", "#enter")
    lay(bianca, "orange-4", form=".aca-cover")
    bianca.tap(f"{PANE} .aca-cover .tile:has([value=trick-exchange])")
    bianca.tap(f"{PANE} .aca-cover [name=winner][value='{E}']")
    at_trick(2, bianca)
    assert bianca.page.locator("#enter .aca-cover").count() == 0
    bianca.sees("Now Tyler may swap a hand card with a card of this trick", "#enter")


def test_a_rule_covered_by_cards_takes_a_tap_a_card_and_one_for_the_new_rule(new_phone, table):
    """Cases 6 and 19; a refused one comes back with its cards where they were."""
    bianca = new_phone()
    start(table, bianca)
    exam(bianca, "green", "new-rule")
    way(bianca, "cards")
    before = bianca.taps
    lay(bianca, *SHEET)
    bianca.tap(f"{PANE} [data-cover][value=joint-award]")
    assert bianca.taps - before == len(SHEET) + 1
    at_trick(2, bianca)
    bianca.sees("Xavier lays blue 7 over the round rule; the new one works at once.", "#board")
    bianca.sees("Tyler wins: green 3 is the highest trump in the trick.", "#board")
    bianca.tap("#undo button")
    at_trick(1, bianca)
    lay(bianca, *SHEET)
    bianca.expect("status of 422")
    bianca.page.evaluate("document.querySelector('[data-slot]:nth-child(4) input').value = 'green-3'")  # as from a broken screen
    bianca.tap(f"{PANE} [data-cover][value=joint-award]")
    bianca.sees("green 3 was shown in this round before", "#enter .notice")
    bianca.sees("ACA-7", "#enter .notice .rule")
    assert [each.input_value() for each in bianca.page.locator(f"{PANE} [data-slot] input").all()] == [*SHEET[:3], "green-3"]


def test_swapped_roles_and_an_exchanged_card(new_phone, table):
    """Cases 16 and Y13; nobody is offered what the rule does not allow."""
    bianca, xavier = new_phone(), new_phone()
    match = start(table, bianca, xavier)
    exam(bianca, "green", "swap-roles")
    bianca.tap("#enter .aca-extra summary")
    bianca.tap(f"#enter .aca-extra [name=seat][value='{E}']")
    xavier.sees("Your goal: three colours in the cards won.", "#enter")
    bianca.page.wait_for_selector("#enter .aca-extra", state="detached")
    assert roles(bianca) == ["Captain", "Rebel", "Teamplayer", "Mastermind"]
    enter(bianca, match, "round-1-swapped", **{"tricks.0": 1, "tricks.1": 1, "tricks.2": 2, "tricks.3": 4}, rebel="true", ace=T)
    bianca.sees("Round 2: the exam", "#enter")
    assert awards(bianca) == {"Xavier": 1, "Enid": 1, "Bianca": 0, "Tyler": 0}
    assert roles(bianca) == ["Rebel", "Captain", "Mastermind", "Teamplayer"]
    exam(bianca, "green", "trick-exchange")
    assert bianca.page.locator("#enter .aca-extra").count() == 0
    way(bianca, "cards")
    play(bianca, 1, *SHEET)
    bianca.sees("A card exchanged", "#enter")
    bianca.tap("#enter .aca-extra summary")
    bianca.tap("#enter .aca-extra .tile:has([value=purple-2])")
    bianca.tap("#enter .aca-extra [data-pick=purple-7]")
    bianca.tap("#enter .aca-extra [data-done]")
    xavier.sees("Tyler takes purple 2 out of the trick of Enid and puts purple 7 there.", "#board")
    bianca.page.wait_for_selector(f"{PANE} [data-pick=purple-2]:not(.struck)")


def test_what_cannot_be_is_struck_and_says_why(new_phone, table):
    bianca = new_phone()
    match = start(table, bianca)
    bianca.tap("#enter [name=rule][value=pass-left]")
    bianca.sees("Tap the trump colour first.", "#enter")
    bianca.tap("#enter .aca-exam .tile:has([data-none])")
    bianca.tap("#enter [name=rule][value=pass-left]")
    bianca.sees("Without a trump the rule is “No trump”.", "#enter")
    exam(bianca, "orange", "joint-award")
    for n, seat in enumerate((X, X, X, X, E, E, E), 1):
        enter(bianca, match, f"round-1-trick-{n}", winner=seat)
    enter(bianca, match, "round-1-trick-8-cards", **by_cards("blue-9", "green-2", "blue-3", "blue-4"))
    bianca.page.wait_for_selector("#enter [data-aca-end]")
    bianca.page.dispatch_event(f"#enter .tile:has([name=ace][value='{B}'])", "click")
    bianca.sees("Bianca has no trick; purple 7 lies with somebody who has one.", "#enter")
    bianca.tap(f"#enter .tile:has([name=ace][value='{E}'])")  # two colours are known, and now the third
    assert bianca.page.is_checked("[name=rebel][value=true]")
    bianca.page.dispatch_event("#enter .tile:has([name=rebel][value=false])", "click")
    bianca.sees("The cards that Enid won show three colours", "#enter .told")
    bianca.tap("#enter [data-done]")
    bianca.sees("Round 1: the awards", "#board")
    enter(bianca, match, "round-2-exam", trump="green", rule="joint-award")
    for n, cards in enumerate([*FIRST[:5], *FIRST[6:]], 1):
        enter(bianca, match, f"round-2-trick-{n}-cards", **by_cards(*cards))
    way(bianca, "cards")
    lay(bianca, "blue-9", "green-9", "purple-9")
    bianca.page.dispatch_event(f"{PANE} [data-pick=orange-9]", "click")
    bianca.sees("The purple 7 has not been shown yet", "#enter")
    lay(bianca, "purple-7")
    bianca.tap(f"{PANE} [data-done]")
    bianca.sees("Round 2: the awards", "#board")


def test_without_script(new_phone, table):
    """Plain forms enter the same; what is refused comes back in words with what was chosen."""
    bianca = new_phone(java_script_enabled=False)
    lobby, _ = gather(table, bianca, names=NAMES[:1], without=NAMES[1:])
    bianca.go(f"{lobby}/new/the-academy")
    for box in bianca.page.locator(".tap").all():
        if not box.locator("input").is_checked():
            bianca.tap(box)
    bianca.tap("Start the match")
    bianca.expect("status of 422")
    bianca.tap("#enter .aca-exam .tile:has([data-none])")
    bianca.tap("#enter [name=rule][value=pass-left]")
    bianca.sees("Something is missing: Trump", "#enter .notice")
    assert bianca.page.is_checked("#enter [name=trump][data-none]")
    assert bianca.text("#enter .aca-rules .chosen b") == "Pass left"
    exam(bianca, "green", "pass-left")
    bianca.tap("#enter .aca-plain [name=winner][value='1']")
    at_trick(2, bianca)
    bianca.tap("Choose card by card")
    bianca.sees("Card of Xavier", "#enter")


# ---- how it looks ----------------------------------------------------------------------------------------------------


def test_nothing_scrolls_sideways_with_long_names(new_phone, table):
    bianca, xavier = phones = new_phone(), new_phone(dark=True)
    match = start(table, *phones, names=LONG)
    _fits(*phones)
    exam(bianca, "green", "new-rule")
    way(bianca, "cards")
    play(bianca, 1, *SHEET)
    at_trick(2, *phones)
    xavier.tap(f"{PANE} .aca-cover summary")
    lay(bianca, "blue-1", "blue-2", "blue-3", "blue-4")
    bianca.page.wait_for_selector(f"{PANE} .aca-over")
    _fits(*phones)
    bianca.page.reload()
    for n in range(2, 9):
        enter(bianca, match, f"round-1-trick-{n}", winner=n % 4)
    bianca.page.wait_for_selector("#enter [data-aca-end]")
    _fits(bianca)
    end(bianca, X, "true")
    bianca.sees("Round 1: the awards", "#board")
    _fits(bianca)
    lobby = bianca.page.evaluate("document.querySelector('.top .home').pathname")
    xavier.go(lobby + "/tv")
    xavier.sees("Round 1: the awards", "#board")
    _fits(xavier)


WIDE = """() => [...document.querySelectorAll("main *")].filter(each => each.getBoundingClientRect().right > 360.5)
    .map(each => each.outerHTML.slice(0, 90))"""
SMALL = """() => [...document.querySelectorAll("main button, main .button, main .tile, main summary, main a")]
    .filter(each => each.getBoundingClientRect().height && each.getBoundingClientRect().height < 47.5)
    .filter(each => !each.closest(".notice, .people")).map(each => each.outerHTML.slice(0, 90))"""


def _fits(*phones):
    """Nothing wider than the phone, and nothing to tap that is smaller than a finger."""
    for phone in phones:
        assert phone.page.evaluate(WIDE) == []
        assert phone.page.evaluate(SMALL) == []
