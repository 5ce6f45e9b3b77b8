"""“Who wins this trick?”: the address is the question, in every game, and nothing that stands in it can break a page."""

import re
from html import unescape
from urllib.parse import parse_qsl, quote, urlsplit
from urllib.request import urlopen

import pytest
from conftest import Browser
from dispute_tables import EVERY, GAMES, disputes
from web.looking import Page, page, stored, words
from web.qr import read_svg
from werkzeug.datastructures import MultiDict

from companion import create_app
from companion.games import GAMES as ENGINES
from companion.games import resolve
from companion.web import resolver
from companion.web.asked import address_of, asked_in
from companion.web.resolver import Answer, answer_to

WORKED = {  # the worked cases of the rules of record that ask who wins a trick, an edge, or what may be laid
    "crazy-lab": {1, 2, 3, 4, 5, 6, 7},
    "crazy-race": {1, 3, 5, 12},
    "ligretto-crazy": {14, 15, 16},
    "the-academy": {1, 5, 6},
    "tricky-cribby": {1, 2, 5, 16},
}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """One for all: nothing here is ever stored."""
    app = create_app(tmp_path_factory.mktemp("resolver"), "http://game.test:8000")
    app.testing = True
    yield app
    app.extensions["companion"].database.close()


@pytest.fixture
def browser(app):
    return Browser(app)


def question(app, dispute):
    with app.test_request_context("/", base_url="http://game.test:8000"):
        return asked_in(ENGINES[dispute.game], MultiDict(dispute.asked)).question


def result(answer):
    """The answer of `resolve` as the tables write it."""
    if "legal" in answer:
        return "illegal" if not answer["legal"] else {None: "perhaps", True: "closes", False: "legal"}[answer["closes"]]
    winner = "nobody" if answer["winner"] is None else str(answer["winner"])
    added = answer.get("picks", answer.get("sums"))
    return winner if added is None else f"{winner}: {' '.join(map(str, added))}"


def rules_on(html):
    """The rule ids of a verdict as they stand on a page, with those of what comes next."""
    return re.findall(r'<small class="rule">\s*(?:<a[^>]*>)?([A-Z]+-?\d+)', html.split('class="verdict', 1)[1].split("</div>")[0])


# ---- the tables of disputes ------------------------------------------------------------------------------------------


def test_there_are_thirty_disputes_a_game():
    assert set(GAMES) == {game.id for game in ENGINES.values() if game.disputes}
    assert {game: len({each.address for each in disputes(game)}) >= 30 for game in GAMES} == dict.fromkeys(GAMES, True)


@pytest.mark.parametrize("dispute", EVERY, ids=str)
def test_a_dispute_ends_as_the_rules_say(app, dispute):
    answer = resolve(question(app, dispute))
    assert result(answer) == dispute.result
    assert [step["rule"] for step in answer["why"]] == list(dispute.rules)
    claim = dict(dispute.asked).get("claim")
    assert answer.get("right") == (None if claim is None else claim == dispute.result.split(":")[0])


@pytest.mark.parametrize("dispute", EVERY, ids=str)
def test_its_address_opens_with_the_verdict(browser, app, dispute):
    html = browser.get(dispute.address).get_data(as_text=True)
    answer = resolve(question(app, dispute))
    shown = Page(html).text
    for step in answer["why"]:
        assert step["text"] in shown
    found = rules_on(html)
    assert found[: len(dispute.rules)] == list(dispute.rules)
    if answer["winner"] is not None:
        assert f"{question(app, dispute)['players'][answer['winner']]} wins this" in shown
    if "right" in answer:
        assert ("says “I win”: right." in shown) == answer["right"]


@pytest.mark.parametrize("game", GAMES)
def test_every_worked_case_is_among_them(game):
    cases = {int(found[1]) for each in disputes(game) if (found := re.match(r"case (\d+)", each.why))}
    assert cases == WORKED[game]


def test_a_wrong_table_would_be_noticed(app):
    first = EVERY[0]
    assert result(resolve(question(app, first))) != "0"
    assert [step["rule"] for step in resolve(question(app, first))["why"]] != ["LAB-14"] * 3


# ---- the address is the question -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dispute", EVERY, ids=str)
def test_a_question_has_an_address_that_asks_it_again(app, dispute):
    asked = question(app, dispute)
    path, _, query = address_of(asked).partition("?")
    assert path == f"/who-wins/{dispute.game}"
    with app.test_request_context("/", base_url="http://game.test:8000"):
        again = asked_in(ENGINES[dispute.game], MultiDict(parse_qsl(query))).question
    assert again == asked
    assert address_of(again) == address_of(asked)


def test_an_address_can_be_read():
    asked = {"game": "crazy-lab", "players": ["Ana", "Ben", "Cem"], "trump": "green", "leader": 1}
    cards = [{"highest": 6}, {"green": 5, "purple": 1}, {"green": 1}]
    wanted = "/who-wins/crazy-lab?trump=green&cards=highest:6,green:5.purple:1,green:1&name=Ana&name=Ben&name=Cem&leader=1"
    assert address_of({**asked, "cards": cards}) == wanted
    race = {"game": "crazy-race", "players": ["Ana & Co", "Ben", "Cem"], "cards": [[0, 2], [1, 4]]}
    assert address_of(race) == "/who-wins/crazy-race?cards=0:2,1:4&name=Ana+%26+Co&name=Ben&name=Cem"


def test_what_a_messenger_adds_does_not_matter(browser):
    address = EVERY[0].address
    assert words(browser.get(address + "&fbclid=IwAR0&utm_source=x")) == words(browser.get(address))


def test_sharing_never_trusts_the_host_header(app):
    """The page, its preview and its QR code all name the configured address."""
    there = EVERY[0].address
    for headers in ({"Host": "localhost"}, {"X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test"}):
        html = app.test_client().get(there, base_url="http://localhost", headers=headers).get_data(as_text=True)
        assert "evil.test" not in html
        assert re.search(r'property="og:image" content="http://game\.test:8000/who-wins/crazy-lab/card\.png\?', html)
        assert re.search(r'<input id="address" value="http://game\.test:8000/who-wins/crazy-lab\?', html)
        code = unescape(re.search(r'class="qr" src="([^"]+)"', html)[1])
        svg = app.test_client().get(code, base_url="http://localhost", headers=headers).get_data(as_text=True)
        assert read_svg(svg) == unescape(re.search(r'<input id="address" value="([^"]+)"', html)[1])


def test_a_preview_says_who_wins(browser):
    html = unescape(browser.get(EVERY[1].address).get_data(as_text=True))
    assert "<title>Cristiano wins this trick. · Crazy Lab</title>" in html
    assert '<meta property="og:title" content="Cristiano wins this trick. · Crazy Lab">' in html
    assert re.search(r'<meta property="og:description" content="Jordi has blue 4, lower than blue 5\. Cristiano wins', html)
    assert re.search(r'<meta name="description" content="Jordi has blue 4', html)


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_shows_the_verdict(browser, game):
    dispute = disputes(game)[0]
    there = dispute.address.replace("?", "/card.{}?")
    svg, png = browser.get(there.format("svg")), browser.get(there.format("png"))
    assert (svg.mimetype, png.mimetype) == ("image/svg+xml", "image/png")
    assert png.data.startswith(b"\x89PNG")
    html = browser.get(dispute.address).get_data(as_text=True)
    headline = re.search(r'<p class="win[^"]*">([^<]+)<', html)[1]
    assert headline.split()[0] in svg.get_data(as_text=True)
    address = unescape(re.search(r'property="og:image" content="([^"]+)"', html)[1])
    assert browser.get(urlsplit(address)._replace(scheme="", netloc="").geturl()).data == png.data


def test_without_a_verdict_there_is_no_picture(browser):
    for part in ("card.svg", "card.png", "qr.svg"):
        for query in ("", "?trump=green", "?trump=mauve", "?cards=" + "x" * 7_000):
            assert browser.get(f"/who-wins/crazy-lab/{part}{query}").status_code == 404
    assert "og:image" not in browser.get("/who-wins/crazy-lab").get_data(as_text=True)


def test_names_that_are_too_long_for_a_qr_code_give_no_server_error(browser):
    names = "".join("&name=" + quote("👨‍👩‍👧‍👦" * 24) for _ in range(4))
    there = f"/who-wins/crazy-race?cards=0:1{names}"
    assert browser.get(there).status_code == 200
    assert browser.get(there.replace("?", "/qr.svg?")).status_code in (200, 404)


# ---- for other pages -------------------------------------------------------------------------------------------------


def test_a_question_of_a_match_is_answered_for_a_partial(app):
    asked = {"game": "the-academy", "players": ["Ana", "Ben", "Cem", "Dora"], "trump": None, "cards": ["blue-1", "blue-2", "blue-3", None]}
    with app.test_request_context("/", base_url="http://game.test:8000"):
        answer = answer_to({**asked, "claim": 0})
        assert isinstance(answer, Answer)
        html = app.jinja_env.get_template("resolver/_verdict.html").render(answer=answer)
    assert "Cem wins this trick." in Page(html).text
    assert "Ana says “I win”: wrong." in Page(html).text
    assert rules_on(html) == ["ACA-7"] * 4 + ["ACA-8"]


# ---- tap by tap ------------------------------------------------------------------------------------------------------


def taps(html):
    """Where every link and every button of a form that only asks leads."""
    found = Page(html)
    return [unescape(link) for link in found.links if link.startswith("/who-wins/")]


def test_home_leads_to_it(browser):
    assert "/who-wins" in page(browser.get("/")).links
    links = [link for link in page(browser.get("/who-wins")).links if link.startswith("/who-wins/")]
    assert sorted(links) == sorted(f"/who-wins/{game}" for game in GAMES)


@pytest.mark.parametrize("dispute", EVERY[::7], ids=str)
def test_no_link_leads_to_an_address_that_cannot_be_read(browser, dispute):
    pairs, html = list(dispute.asked), browser.get(dispute.address).get_data(as_text=True)
    pages = [html, browser.get(f"/who-wins/{dispute.game}?{pairs[0][0]}={pairs[0][1]}").get_data(as_text=True)]
    for there in {link for each in pages for link in taps(each)}:
        answer = browser.get(there)
        assert answer.status_code == 200
        assert "no question that can be answered" not in words(answer), there


def test_whole_cards_can_be_tapped_in_and_tell_more(browser):
    there = "/who-wins/crazy-lab?trump=green&cards=green:5,green:0,green:2&players=3"
    assert "if blue were trump" not in words(browser.get(there))
    for turn, colour, value in ((0, "blue", 1), (1, "blue", 6), (2, "purple", 3)):
        html = browser.get(f"{there}&edit={turn}").get_data(as_text=True)
        there = next(link for link in taps(html) if f"{colour}:{value}" in link and link.endswith(f"&edit={turn}"))
        there = there.removesuffix(f"&edit={turn}")
    assert "if blue were trump" in words(browser.get(there))


def test_a_card_has_three_colours_at_most(browser):
    html = browser.get("/who-wins/crazy-lab?trump=green&cards=green:5.blue:1.purple:1&players=3&edit=0").get_data(as_text=True)
    assert 'data-why="A card has at most three colours."' in html
    assert not [link for link in taps(html) if "orange:" in link]


def test_only_what_changes_is_shown(browser):
    """With the leader's card the same, four steps become the one that is another."""
    there = "/who-wins/the-academy?trump=orange&cards=blue-5,blue-7,green-3,purple-2"
    html = browser.get(there + "&if=trump-none").get_data(as_text=True)
    otherwise = Page(html.split('class="otherwise', 1)[1].split("</section>")[0]).text
    assert "Player 2 wins: there is no trump, and blue 7 is the highest card of the led colour. ACA-7" in otherwise
    assert "That stays as it is." in otherwise
    assert "Player 1 has blue 5" not in otherwise.split("Send this")[0]
    assert "Player 1 has blue 5, lower than blue 7." in Page(html).text


def test_where_nothing_changes_that_is_said(browser):
    there = "/who-wins/tricky-cribby?strength=red,green,blue,yellow,purple&cards=red-1,green-9,green-4,purple-9&if=leader-2"
    assert "No step of the argument changes." in words(browser.get(there))


def test_an_unknown_what_if_is_left_alone(browser):
    assert browser.get(EVERY[0].address + "&if=pigs-fly").status_code == 200


def test_it_is_decided_as_soon_as_it_can_be(browser):
    early = words(browser.get("/who-wins/crazy-lab?trump=green&cards=green:3,green:6&players=4"))
    assert "Player 2 wins this trick. Decided already, whatever is still played." in early
    open_ = words(browser.get("/who-wins/crazy-lab?trump=green&cards=green:3,green:5&players=4"))
    assert "wins this trick." not in open_
    assert "How much green does the card of Player 3 show?" in open_


def test_a_button_adds_one_card(browser):
    """A form keeps what there is and the button brings the next card."""
    there = "/who-wins/the-academy?trump=green&cards=blue-5,blue-7&players=4"
    html = browser.get(there).get_data(as_text=True)
    form = page(browser.get(there)).form("/who-wins/the-academy")
    assert form.method == "get"
    assert ("cards", "blue-5,blue-7") in form.fields
    assert 'name="card" value="green-3"' in html
    assert "Which card does Player 4 play?" in words(browser.get(there + "&card=green-3"))
    assert "Player 3 wins this trick." in words(browser.get(there + "&card=green-3&card=purple-2"))


def test_who_sits_there_is_folded_away_until_somebody_has_a_name(browser):
    shut, opened = '<details class="panel players">', '<details class="panel players" open>'
    assert shut in browser.get(LAB + "trump=green").get_data(as_text=True)
    assert opened in browser.get(LAB + "trump=green&name=Ana").get_data(as_text=True)


def test_names_can_be_given_to_some(browser):
    shown = words(browser.get("/who-wins/crazy-lab?trump=green&cards=green:3,green:6,green:1&name=Ana&name=&name=Zo%C3%AB"))
    assert "Player 2 wins this trick." in shown
    assert "Zoë has green 1" in shown


# ---- what cannot be --------------------------------------------------------------------------------------------------


LAB, ACADEMY, CRIBBY, RACE, LIGRETTO = (
    f"/who-wins/{game}?" for game in ("crazy-lab", "the-academy", "tricky-cribby", "crazy-race", "ligretto-crazy")
)
LINE = "strength=red,green,blue,yellow,purple"
WRONG = {
    ACADEMY + "trump=green&cards=blue-5,blue-5": "“blue-5” is there twice.",
    ACADEMY + "trump=green&cards=blue-1,blue-2,blue-3,blue-4,blue-5": "There is more in it than belongs to a question.",
    ACADEMY + "trump=mauve": "“mauve” is no answer to: Which colour is trump?",
    ACADEMY + "trump=green&cards=blue-10": "“blue-10” is no answer to: Which card does Player 1 play?",
    ACADEMY + "trump=green&cards=none,none": "“none” is there twice.",
    ACADEMY + "trump=green&players=3": "The Academy is not for that many players.",
    ACADEMY + "trump=green&leader=4": "There is nobody in that seat.",
    ACADEMY + "trump=green&leader=%D9%A3": "There is nobody in that seat.",
    ACADEMY + "trump=green&claim=-1": "There is nobody in that seat.",
    ACADEMY + "trump=green&name=a%00b": "That name has signs in it that cannot be shown.",
    ACADEMY + "trump=green&name=" + "x" * 30: "That name is too long",
    ACADEMY + "cards=blue-5": "There is more in it than belongs to a question.",
    ACADEMY + "trump=green&cards=" + ",".join(["blue-1"] * 10_000): "It is much too long.",
    ACADEMY + "trump=green&cards=" + ",".join(["x"] * 2_000): "“x” is there twice.",
    LAB + "trump=green&cards=green:7": "“7” is no answer to: How much green does the card of Player 1 show?",
    LAB + "trump=green&cards=green:%EF%BC%91": "is no answer to: How much green",
    LAB + "trump=green&cards=red:1": "There is more in it than belongs to a question.",
    LAB + "trump=green&cards=5": "There is more in it than belongs to a question.",
    LAB + "trump=green&cards=[{%22green%22:5}]": "There is more in it than belongs to a question.",
    LAB + "trump=green&cards=purple:1.blue:1.yellow:1.orange:1,green:1,green:1&players=3": "has room for at most 3 values",
    LAB + "trump={%22a%22:{%22b%22:[[[1]]]}}": "is no answer to: Which colour is trump?",
    LAB + "players=9": "Crazy Lab is not for that many players.",
    LAB + "players=1e1": "Crazy Lab is not for that many players.",
    LAB + "trump=" + ":".join("1" * 2_000): "is no answer to",
    CRIBBY + "strength=red,red": "“red” is there twice.",
    CRIBBY + LINE + "&cards=orange-1": "“orange-1” is no answer to: Which card does Player 1 play?",
    CRIBBY + "players=2&two_player_order=sideways": "“sideways” is no answer to",
    RACE + "cards=0:5": "“0:5” is no answer to: Who laid which card?",
    RACE + "cards=7:1": "“7:1” is no answer to",
    RACE + "cards=0:4,0:4": "“0:4” is there twice.",
    RACE + "cards=0:6,0:4,0:3,0:1": "“0:1” is no answer to",
    RACE + "cards=0:1:1": "is no answer to: Who laid which card?",
    LIGRETTO + "top=5": "“5” is no answer to: What lies on top of the pile?",
    LIGRETTO + "top=4&card=6": "“6” is no answer to: Which card is laid?",
    LIGRETTO + "top=4&card=5&as=5": "There is more in it than belongs to a question.",
    LIGRETTO + "top=none&card=1&piles=-1": "“-1” is no answer to: How many piles are open already?",
}


@pytest.mark.parametrize("address", WRONG, ids=lambda address: address[10:70])
def test_what_cannot_be_gives_the_empty_form_and_a_sentence(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    assert WRONG[address] in words(answer)
    assert "This address is no question that can be answered, so here is an empty one." in words(answer)
    empty = words(browser.get(address.split("?")[0]))
    assert words(answer).endswith(empty.split("Who wins this trick?", 2)[-1].strip())


def test_ten_thousand_cards_are_answered_in_words_by_the_real_server(served):
    cards = ",".join(["green:5.purple:1.orange:1"] * 10_000)
    with urlopen(f"{served.url}/who-wins/crazy-lab?trump=green&cards={cards}", timeout=20) as answer:
        assert answer.status == 200
        assert "It is much too long." in answer.read().decode()


def test_nobody_claims_to_have_won_where_nobody_can(browser):
    assert "says “I win”" not in words(browser.get(LIGRETTO + "top=4&card=5&claim=1"))


def test_a_game_that_does_not_exist_is_a_page_in_words(browser):
    for there in ("/who-wins/poker", "/who-wins/poker/card.png", "/who-wins/poker/qr.svg", "/who-wins/%2e%2e"):
        answer = browser.get(there)
        assert answer.status_code == 404
        assert "There is no such page." in words(answer)


@pytest.mark.parametrize("game", [game.id for game in ENGINES.values() if not game.disputes])
def test_a_game_without_such_a_page_says_so(browser, game):
    assert "Nothing in this game has to be decided by its rules" in words(browser.get(f"/who-wins/{game}?cards=1"))
    assert browser.get(f"/who-wins/{game}/card.png").status_code == 404


def test_a_plugin_without_such_a_page_says_so(browser, monkeypatch):
    """As every game does that comes with its rules alone."""
    monkeypatch.setattr(type(ENGINES["crazy-lab"]), "disputes", None)
    assert "Nothing in this game has to be decided by its rules" in words(browser.get(EVERY[0].address))
    assert "/who-wins/crazy-lab" not in page(browser.get("/who-wins")).links


def test_a_name_is_only_text(browser):
    plain = Page(browser.get(LAB + "trump=green&cards=green:1,green:2,green:3&players=3&claim=0&name=Ana").get_data(as_text=True))
    for name in ("<script>a()</script>", '"><b>x</b>', "' onfocus='a()", "{{7*7}}", "%(name)s", "{0}", "&lt;b&gt;"):
        asked = LAB + f"trump=green&cards=green:1,green:2,green:3&players=3&claim=0&name={quote(name)}"
        html = browser.get(asked).get_data(as_text=True)
        assert Page(html).nodes == plain.nodes
        assert name in Page(html).text
        assert Page(browser.get(asked.replace("?", "/card.svg?")).get_data(as_text=True)).nodes


def test_nothing_is_stored(app, browser):
    before = stored(app)
    for dispute in EVERY[::5]:
        browser.get(dispute.address)
    for address in WRONG:
        browser.get(address)
    assert stored(app) == before


def test_what_is_kept_in_memory_has_an_end():
    assert resolver._code.cache_info().maxsize == 200
