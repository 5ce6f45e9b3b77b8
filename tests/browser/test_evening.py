"""A whole evening: five people, three different games, and at its end the night's standings, the statistics and the TV.

In every language that there is: phones find what they tap and see by the message in the catalogue, as their own language says it."""

import pytest
from browser.phones import gather, sit
from browser.test_pages import SIDEWAYS
from browser.test_results import TV, enter, start

from companion.i18n import languages

pytestmark = pytest.mark.postgresql

FIVE = ("Ana", "Ben", "Cem")  # with a phone; the other two have none
WITHOUT = ("Dia", "Eva")


def lab_round(hand, match, plus, minus):
    sums = {f"{name}.{seat}": each for name, pile in (("plus", plus), ("minus", minus)) for seat, each in enumerate(pile)}
    hand.post(f"{match}/act/round-1", {**sums, "key": "the sums of everybody"})


def sheet_round(hand, match, points):
    numbers = {f"points.{seat}": each for seat, each in enumerate(points)}
    hand.post(f"{match}/act/round-1-all-0", {**numbers, "key": "the numbers of everybody"})


@pytest.mark.parametrize("language", languages())
def test_three_games_of_five_people_end_on_standings_statistics_and_the_tv(own_table, new_phone, language):
    phones = [new_phone(name, url=own_table.url, language=language) for name in FIVE]
    ana, ben, cem = phones
    lobby, hands = gather(own_table, *phones, names=FIVE, without=WITHOUT)
    tv = new_phone("TV", url=own_table.url, language=language, **TV)
    hands[2].give(tv)
    tv.go(lobby + "/tv")

    first = start(hands[0], lobby, seats=5, target=50)
    tv.sees("To %(target)s points", target=50)
    enter(hands[1], first, [((20, 60, 10, 10, 10), (5, 5, 5, 5, 5))])  # Ben 55, Ana 15, the others 5
    tv.sees("{players} wins", players="Ben")
    tv.sees("The night's standings")

    second = start(hands[0], lobby, "crazy-lab", seats=5)
    tv.sees("Crazy Lab")
    lab_round(hands[2], second, (20, 14, 8, 9, 1), (2, 6, 8, 1, 9))  # 18 8 0 8 -8
    tv.sees("{players} wins", players="Ana")

    third = start(hands[0], lobby, "score-sheet", seats=5, title="Skull King", rounds=1)
    tv.sees("Skull King")
    sheet_round(hands[1], third, (-20, 10, 40, 30, 0))
    tv.sees("{players} wins", players="Cem")

    standings_of_the_night(ben, lobby)
    statistics(ana)
    tv.sees("The night's standings")
    assert first_words(tv, ".night .lines .name") == ["Ben", "Ana", "Cem", "Dia", "Eva"]
    for phone in (ana, ben, cem.go(lobby), tv):
        wide, room = phone.page.evaluate(SIDEWAYS)
        assert wide <= room


def test_phones_in_three_languages_see_the_same_match_each_in_its_own_words(new_phone, table):
    phones = [new_phone(name, language=language) for name, language in zip(("Ana", "Ben", "Cem"), languages(), strict=True)]
    sit(table, *phones, target=50)
    for phone, counts in zip(phones, ((10, 5), (20, 5), (56, 5)), strict=True):
        phone.count(*counts)
    for phone in phones:
        phone.sees("wins with %(points)s points", points=51)
        phone.shows({"Ana": 5, "Ben": 15, "Cem": 51})
    assert len({phone.says("Another game") for phone in phones}) == 3
    for phone in phones:
        assert phone.find("Another game").is_visible()


def standings_of_the_night(phone, lobby):
    """Players beaten + 1: Ben 5 + 3 + 3, Ana 4 + 5 + 1, Cem 1 + 2 + 5 with a win, Dia 1 + 3 + 4 without, Eva 1 + 1 + 2."""
    phone.go(lobby)
    phone.tap("Who played what, and how it counts")
    phone.page.wait_for_url("**/standings")
    assert first_words(phone, ".lines .name") == ["Ben", "Ana", "Cem", "Dia", "Eva"]
    for game in ("Ligretto Crazy", "Crazy Lab", "Skull King"):
        phone.sees(game, "#matches")


def first_words(phone, what):
    return [text.split()[0] for text in phone.page.locator(what).all_inner_texts()]


def statistics(phone):
    phone.go("/past")
    phone.sees("Ana")
    for game in ("Ligretto Crazy", "Crazy Lab", "Skull King"):
        phone.sees(game)
    phone.tap("All my figures")
    phone.sees("won")
    phone.sees("Ben")
