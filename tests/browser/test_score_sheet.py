"""The score sheet on the phones: another game by its name, everybody's number at the same moment, rows, teams, eight long names."""

import json

import pytest
from browser.phones import SIZE, gather, sit
from browser.test_crazy_lab import enter
from browser.test_pages import check

LONG = tuple(f"{letter}ximiliana-Wilhelmine {n}x"[:24] for n, letter in enumerate("ABCDEFGH"))
PANE = "#enter .pane:not([hidden])"
MAX_TAPS = 4  # a player's number of three digits


def type_points(phone, typed):
    for key in typed:
        phone.tap(f'{PANE} .keys [data-key="{key}"]')


def done(phone):
    phone.tap(f"{PANE} [data-next]")
    phone.page.wait_for_selector("#enter .htmx-request", state="detached")


def waits_for_sheet(phone, *lines):
    """Wait until the sheet has these numbers, line by line."""
    phone.page.wait_for_function(
        """lines => JSON.stringify([...document.querySelectorAll('#standings tbody tr:not(.over)')]
           .map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()))) === lines""",
        arg=json.dumps([list(line) for line in lines], separators=(",", ":"), ensure_ascii=False),
    )


def test_a_whole_match_of_another_game_on_three_phones(new_phone, table):
    ana, ben, cem = phones = new_phone("Ana"), new_phone("Ben", dark=True), new_phone("Cem")
    lobby, _ = gather(table, *phones)
    for phone in phones:
        phone.go(lobby)
    match = _choose(ana)
    for phone in (ben, cem):
        phone.tap(phone.page.locator("#matches .match", has_text="Skull King"))  # it appeared by itself
        phone.page.wait_for_url("**" + match)
        phone.line("live")
    _all_at_the_same_moment(*phones)
    _one_for_all(*phones)
    _correct_a_cell(*phones)
    _the_end(*phones)


def _choose(ana):
    ana.tap("Choose a game")
    ana.tap(ana.page.locator(".game", has_text="for any other game"))
    ana.page.wait_for_selector("#title")
    ana.page.fill("#title", "Skull King")
    ana.page.fill("#rounds", "3")
    ana.tap("Start the match")
    ana.page.wait_for_url("**/m/*")
    ana.sees("Skull King", ".top")
    return ana.page.evaluate("location.pathname")


def _all_at_the_same_moment(ana, ben, cem):
    """Three phones type and send; each number lands, and nobody's typing is disturbed."""
    for phone, typed in ((ana, "-20"), (ben, "120"), (cem, "9+4")):
        before = phone.taps
        type_points(phone, typed)
        assert phone.taps - before == MAX_TAPS - 1
    assert ana.text("#enter .net") == "−20 · 0 → −20"
    for phone in (ana, ben, cem):
        phone.tap(f"{PANE} [data-next]")
    for phone in (ana, ben, cem):
        phone.sees("Round 2", PANE)
        phone.shows({"Ana": -20, "Ben": 120, "Cem": 13})
        waits_for_sheet(phone, ("−20", "120", "13"))


def _one_for_all(ana, ben, cem):
    """Ben has typed his own already; Ana enters the round for everybody."""
    type_points(ben, "5")
    done(ben)
    ben.sees("Waiting for Ana and Cem", "#enter")
    ana.page.wait_for_function("() => [...document.querySelectorAll('#enter .number input')].some(each => each.value === '5')")
    ana.tap("#enter [data-tab=all]")
    values = [each.input_value() for each in ana.page.locator(f"{PANE} .number input").all()]
    assert values == ["", "5", ""]
    type_points(ana, "30")
    ana.tap(f"{PANE} [data-next]")
    type_points(ana, "-7")
    done(ana)
    for phone in (ana, ben, cem):
        phone.sees("Round 3", PANE)
        phone.shows({"Ana": 10, "Ben": 125, "Cem": 6})


def _correct_a_cell(ana, ben, cem):
    """Cem meant −13 in round 1."""
    cem.tap(cem.page.locator("#standings tbody tr").last.locator("td a").last)
    cem.page.wait_for_url("**/entries/*")
    cem.tap('.keys [data-key="-"]')
    assert cem.values() == ["13-"]
    for key in ("back", "back", "back", "-", "1", "3"):
        cem.tap(f'.keys [data-key="{key}"]')
    assert cem.values() == ["-13"]
    cem.tap("Correct it")
    cem.page.wait_for_url("**/m/*")
    for phone in (ana, ben, cem):
        phone.shows({"Ana": 10, "Ben": 125, "Cem": -20})


def _the_end(ana, ben, cem):
    type_points(ben, "1")
    done(ben)
    cem.tap("#enter [data-tab=one]")
    type_points(cem, "2")
    done(cem)
    ana.tap("#enter [data-tab=one]")
    type_points(ana, "116")
    done(ana)
    for phone in (ana, ben, cem):
        phone.sees("win with 126 points each", "#enter")
    ana.tap("Play again")
    ana.page.wait_for_selector("#title")
    assert (ana.page.input_value("#title"), ana.page.input_value("#rounds")) == ("Skull King", "3")


@pytest.mark.postgresql
def test_rows_are_filled_in_any_order_on_two_phones(new_phone, table):
    ana, ben = phones = new_phone("Ana"), new_phone("Ben")
    match = sit(table, *phones, without=["Oma"], game="score-sheet", title="Everdell", rows="Castles\nRoads\nCoins left", tie="last-row")
    type_points(ana, "12")
    done(ana)
    ana.page.wait_for_selector(f"{PANE} h2:has-text('Roads')")  # the next one comes by itself
    ben.tap(ben.page.locator(f"{PANE} .sheet-row", has_text="Coins left"))
    ben.page.wait_for_selector(f"{PANE} h2:has-text('Coins left')")
    type_points(ben, "3")
    done(ben)
    for phone in phones:
        waits_for_sheet(phone, ("12", "·", "·"), ("·", "·", "·"), ("·", "3", "·"))
    type_points(ana, "8")
    done(ana)
    type_points(ana, "1")
    done(ana)
    ana.sees("Oma", "#enter .sheet-who")  # her own column is full: the host goes on with whoever has no phone
    enter(ana, match, "row-0-all-1", **{"points.0": "12", "points.1": "-5", "points.2": "12"})
    enter(ana, match, "row-1-all-3", **{"points.0": "8", "points.1": "0", "points.2": "8"})
    waits_for_sheet(ben, ("12", "−5", "12"), ("8", "0", "8"), ("1", "3", "·"))
    ben.tap("We are done")
    ben.sees("Ana", "#enter .win")
    ben.sees("1 in Coins left, which breaks the tie.", "#story")
    ana.sees("wins with 20 points", "#enter")


def test_a_team_has_one_number_whoever_types_it(new_phone, table):
    phones = ana, ben, cem, _ = [new_phone() for _ in range(4)]
    lobby, _ = gather(table, *phones)
    ana.go(lobby + "/new/score-sheet")
    ana.page.fill("#title", "Tichu")
    ana.tap("css=details.each summary")
    for n, select in enumerate(ana.page.locator("details.each select").all()):
        select.select_option("AB"[n % 2])
    ana.tap("Start the match")
    ana.page.wait_for_url("**/m/*")
    for phone in phones:
        phone.go(ana.page.evaluate("location.pathname")).line("live")
    type_points(cem, "150")
    done(cem)
    ana.sees("Waiting for Ben and Dia", "#enter")
    type_points(ben, "-50")
    done(ben)
    for phone in phones:
        waits_for_sheet(phone, ("150", "−50"))
        phone.shows({"Ana and Cem": 150, "Ben and Dia": -50})


def test_eight_long_names_with_large_numbers_fit_the_screen(new_phone, table):
    phones = ana, _ = new_phone(), new_phone(dark=True)
    title = "A very long name of another game, really"
    match = sit(table, *phones, names=LONG, without=LONG[2:], game="score-sheet", title=title)
    for n in (1, 2):
        enter(ana, match, f"round-{n}-all-0", **{f"points.{side}": str((-1) ** side * 999 * side) for side in range(8)})
    for phone in phones:
        phone.go(match)
        check(phone, "a sheet of eight")
        phone.tap("#enter [data-tab=all]")
        check(phone, "everybody's numbers")
        pad = phone.box(f"{PANE} [data-next]")
        assert pad["y"] + pad["height"] <= SIZE["height"]  # the keys stay in reach, however long the list


def test_a_pad_with_eight_rows_for_eight_people_fits_the_screen(new_phone, table):
    ana = new_phone()
    match = sit(table, ana, names=LONG, without=LONG[1:], game="score-sheet", rows="\n".join(LONG), tie="last-row")
    enter(ana, match, "row-1-all-0", **{f"points.{side}": str(-111 * side) for side in range(8)})
    check(ana.go(match), "a pad of eight rows")
    lobby = ana.page.evaluate("document.querySelector('.top .home').pathname")
    ana.go(f"{lobby}/new/score-sheet?again={match.rsplit('/', 1)[1]}")
    ana.tap("css=details.each summary")
    check(ana, "preparing a sheet")
