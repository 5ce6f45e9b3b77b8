"""The rules pages: every rule has its paragraph, every example is the engine's, every rule that is shown leads there."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rule_ids import RULE_IDS
from test_rule_ids import CITED, files, strings
from toy.high_card import GAME as HIGH_CARD
from web.looking import Page

from companion import create_app
from companion.games import GAMES, crazy_lab
from companion.web.rules import PLAYERS, rule_url, rules_in, search, write_sheet

SHEETS = Path(__file__).parents[3] / "shared" / "rulesheets"
EXAMPLE = re.compile(r"<figure.*?</figure>", re.DOTALL)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """One for all: reading changes nothing, and every evening is a night of its own."""
    app = create_app(tmp_path_factory.mktemp("instance"), "http://game.test:8000")
    app.testing = True
    yield app
    app.extensions["companion"].database.close()


@pytest.fixture
def page(app):
    """The page at an address, as text."""
    return lambda path, **more: app.test_client().get(path, base_url="http://game.test:8000", **more).get_data(as_text=True)


@pytest.fixture
def told(app):
    """What somebody is told while a request is answered."""
    with app.test_request_context(base_url="http://game.test:8000"):
        yield


class Anchors(HTMLParser):
    """The ids on a page, and links that stand inside other links."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.nested, self.depth = [], [], 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        if tag == "a":
            self.nested += [given] if self.depth else []
            self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= tag == "a"


def without_paragraph(html, rules):
    """The rules that this page does not explain."""
    ids = Anchors(html).ids
    return [rule for rule in rules if rule not in ids]


# ---- every rule ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RULE_IDS)
def test_every_rule_has_its_paragraph(page, game):
    html = page(f"/rules/{game}")
    assert without_paragraph(html, RULE_IDS[game]) == []
    ids = Anchors(html).ids
    assert len(ids) == len(set(ids))


def test_control_a_missing_paragraph_is_noticed(page):
    html = page("/rules/crazy-lab").replace('id="LAB-14"', "")
    assert without_paragraph(html, RULE_IDS["crazy-lab"]) == ["LAB-14"]


@pytest.mark.parametrize("game", RULE_IDS)
def test_every_paragraph_says_something_and_rulings_say_why(told, game):
    paragraphs = {each.anchor: each for each in write_sheet(GAMES[game]).paragraphs}
    assert [rule for rule in RULE_IDS[game] if not (paragraphs[rule].heading and len(paragraphs[rule].text) >= 10)] == []
    rulings = [rule for rule in RULE_IDS[game] if "-" not in rule]
    assert [rule for rule in rulings if paragraphs[rule].kind != "ruling"] == []
    assert rulings or game == "score-sheet"  # which has no rule sheet to be silent
    assert all("Our ruling." in paragraphs[rule].text for rule in rulings)
    assert sum(each.kind == "question" for each in paragraphs.values()) >= 5


@pytest.mark.parametrize("game", RULE_IDS)
def test_what_an_engine_cites_leads_to_a_paragraph_of_its_page(app, told, page, game):
    cited = {text for path in files(game) for text in strings(path) if CITED.fullmatch(text)}
    assert {rule_url(rule) for rule in cited} == {f"/rules/{game}#{rule}" for rule in cited}
    assert rules_in(app.jinja_env, game) == [each for each in Anchors(page(f"/rules/{game}")).ids if each in RULE_IDS[game]]


def test_what_no_page_explains_leads_nowhere(app, told):
    icons = app.jinja_env.globals["icons"]
    for rule in ("RECORD", "LAB-99", ""):
        assert rule_url(rule) == ""
        assert "<a" not in icons.rule(rule)
    assert 'href="/rules/crazy-lab#LAB-14"' in icons.rule("LAB-14")


@pytest.mark.parametrize("path", ["/rules", "/rules?q=tie", *(f"/rules/{game}" for game in RULE_IDS)])
def test_every_link_leads_somewhere(page, path):
    html = page(path)
    links = {link if link[0] != "#" else path + link for link in Page(html).links}
    assert len(links) >= 5
    assert Anchors(html).nested == []
    pages = {place: page(place) for place in {link.partition("#")[0] for link in links}}
    assert [place for place, found in pages.items() if "There is no such page" in found] == []
    ids = {place: Anchors(found).ids for place, found in pages.items()}
    assert [link for link in links if "#" in link and link.partition("#")[2] not in ids[link.partition("#")[0]]] == []


def runs(text):
    """Every eight words in a row."""
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[n : n + 8]) for n in range(len(words) - 7)}


@pytest.mark.parametrize("game", RULE_IDS)
def test_the_words_are_our_own(told, game):
    """Where the rule sheets lie beside the project, no eight words in a row are theirs."""
    ours = runs(" ".join(each.text for each in write_sheet(GAMES[game]).paragraphs))
    assert len(ours) > 200
    if (SHEETS / f"{game}.txt").exists():
        assert ours & runs((SHEETS / f"{game}.txt").read_text(encoding="utf-8")) == set()


# ---- the engine --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RULE_IDS)
def test_every_game_has_worked_examples(page, game):
    assert len(EXAMPLE.findall(page(f"/rules/{game}"))) >= 5


def decisions(html):
    return re.findall(r'<span class="decision">(.*?)</span>', html)


def test_the_examples_are_worked_out_while_the_page_is_made(page, monkeypatch):
    assert decisions(page("/rules/crazy-lab")) == ["Ben wins", "Ben wins", "Cem wins"]
    monkeypatch.setattr(crazy_lab.verdict, "first_highest", lambda values: max(range(len(values)), key=lambda n: (values[n], n)))
    assert decisions(page("/rules/crazy-lab"))[0] == "Cem wins"  # an engine in which the later card wins a tie


def test_numbers_come_from_the_engine(page, monkeypatch):
    assert "At most 4 times in a round" in page("/rules/crazy-lab")
    monkeypatch.setattr(crazy_lab.model, "MAX_TRUMPS", 7)
    assert "At most 7 times in a round" in page("/rules/crazy-lab")


OUTCOMES = {  # worked cases of the rules of record, by what the page must say
    "crazy-lab": ["11 − 2 = 9", "Ana wins with −3 points.", "Ana and Ben win with 14 points."],
    "ligretto-crazy": ["Ana: 23 − 16 = 7.", "add up to 74", "Ben wins with 102 points."],
    "the-academy": ["3 to 3, and gets an award", "0 to 0, and gets an award", "5 to 3: one more award each", "4 to 4: no joint award"],
    "tricky-cribby": ["Dia, Cem, Ben and Ana, who uses both last cards", "majorities of green and blue", "two majorities are certain"],
    "crazy-race": [
        "stands on space 4 of the way out",
        "past the turnaround",
        "shares the turnaround",
        "Ben wins with 11 points: among equals",
    ],
    "score-sheet": [
        "Ben leads with 20 points",
        "Forests is full already",
        "Ben and Cem win with 7 points",
        "5 in Coins left",
        "Ben reached 50",
    ],
}


@pytest.mark.parametrize("game", RULE_IDS)
def test_the_worked_cases_have_their_outcomes(page, game):
    text = Page(page(f"/rules/{game}")).text
    assert [outcome for outcome in OUTCOMES[game] if outcome not in text] == []


def test_no_example_is_refused_by_mistake(page):
    """Only the ones that show a refusal do."""
    refused = {game: page(f"/rules/{game}").count("note doubt") for game in RULE_IDS}
    assert refused == dict.fromkeys(RULE_IDS, 0) | {"ligretto-crazy": 1, "score-sheet": 1}


def test_a_game_without_a_page_of_its_own_gets_a_plain_one(page, monkeypatch):
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    html = page("/rules/high-card")
    assert "For 2 and 3 players." in html
    assert "High Card" in page("/rules")
    assert page("/rules?q=card")


def test_a_game_that_does_not_exist_has_no_rules(app):
    answer = app.test_client().get("/rules/chess", base_url="http://game.test:8000")
    assert answer.status_code == 404
    assert "There is no such page" in answer.get_data(as_text=True)


# ---- search ------------------------------------------------------------------------------------------------------------


def found(query):
    return {each.anchor for _, paragraphs in search(query) for each in paragraphs}


def test_a_word_finds_its_rules_in_all_games(told):
    assert {"LAB-14", "L1", "LIG-16", "ACA-9", "CRI-6", "RACE-8", "R10"} <= found("tie")
    assert {"RACE-15", "R3"} <= found("turnaround")
    assert {game.id for game, _ in search("turnaround")} == {"crazy-race"}
    assert {"pass-left", "Y6"} <= found("pass left")
    assert "LAB-14" in found("lab-14")


def test_all_words_must_be_there_and_at_the_beginning_of_a_word(told):
    assert found("TIE trump") < found("tie")
    assert "LAB-14" in found("TIE trump")
    assert found("ard") == set()  # there are cards everywhere


def test_a_heading_with_the_word_comes_first(told):
    race = next(paragraphs for game, paragraphs in search("tie") if game.id == "crazy-race")
    has = ["tie" in each.heading.casefold() for each in race]
    assert has == sorted(has, reverse=True)
    assert set(has) == {True, False}


@pytest.mark.parametrize("query", ["", "  ", "(", "\\", "[a-", "—", "%", "xyzzy", "<script>", "a" * 5000, "\x00", "٣"])
def test_a_search_for_nonsense_is_answered_in_words(app, query):
    answer = app.test_client().get("/rules", query_string={"q": query}, base_url="http://game.test:8000")
    html = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "<script>" not in html
    assert 'href="/rules/crazy-lab"' in html or "<mark>" in html


def test_the_words_that_were_looked_for_are_marked(page):
    assert 'href="/rules/crazy-lab#LAB-14">A <mark>tie</mark> in trump' in page("/rules?q=tie")


# ---- the way there -------------------------------------------------------------------------------------------------------


def test_the_rules_are_reached_from_home_from_a_table_and_before_a_match(evening):
    match = evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"])
    for path, rules in (
        ("/", "/rules"),
        (f"/n/{evening.id}/new", "/rules"),
        (f"/n/{evening.id}/new/crazy-race", "/rules/crazy-race"),
        (f"/m/{match}", "/rules/crazy-lab"),
    ):
        assert rules in Page(evening["Ana"].get(path).get_data(as_text=True)).links, path


PLAYED = {  # by the game, entries that show a verdict
    "crazy-lab": [("round-1-trick-1-cards", {"trump": "green", **{f"cards.{n}.green": str(n + 1) for n in range(3)}}, "LAB-13")],
    "the-academy": [
        ("round-1-exam", {"trump": "green", "rule": "pass-left"}, "ACA-2"),
        ("round-1-trick-1-cards", {f"cards.{n}": f"blue-{n + 1}" for n in range(4)}, "ACA-7"),
    ],
    "tricky-cribby": [("trick-1", {"up": "red-9", **{f"cards.{n}": f"blue-{n + 1}" for n in range(4)}}, "CRI-6")],
    "crazy-race": [("stage-1-edge-1-cards", {"animal": "flyer", "value": "2", "cards.0": "[0,3]", "cards.1": "[1,2]"}, "RACE-7")],
}


@pytest.mark.parametrize("game", PLAYED)
def test_verdicts_at_a_table_and_of_an_entry_lead_to_the_rules(app, game):
    from conftest import make_evening

    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    names = ["Ana", "Ben", "Cem", "Dia"][: GAMES[game].players[0] if game == "crazy-lab" else 4]
    match = evening.start(game, seats=names)
    for n, (ask, answers, rule) in enumerate(PLAYED[game], 1):
        answer = evening["Ana"].post(f"/m/{match}/act/{ask}", {**answers, "key": f"the key of {n}"}, htmx=True)
        assert answer.status_code == 204, answer.get_data(as_text=True)
        for path in (f"/m/{match}", f"/m/{match}/entries/{n}"):
            html = evening["Tom"].get(path).get_data(as_text=True)
            assert f'href="/rules/{game}#{rule}"' in html, path
            assert Anchors(html).nested == [], path
    for path in (f"/m/{match}/story", f"/m/{match}/seats/0", f"/n/{evening.id}/tv"):
        assert Anchors(evening["Tom"].get(path).get_data(as_text=True)).nested == [], path


def test_a_refusal_leads_to_its_rule(evening):
    match = evening.start()
    for htmx in (True, False):
        answer = evening["Ana"].post(f"/m/{match}/act/round-1-count-0", {"scored": "150", "left": "5", "key": "the key of it"}, htmx=htmx)
        assert answer.status_code == 422
        assert 'Somebody counted 47 too many. <small class="rule"><a href="/rules/ligretto-crazy#LIG-18"' in answer.get_data(as_text=True)


def test_a_refusal_before_a_match_leads_to_its_rule(evening):
    ana = evening.person("Ana").id
    answer = evening["Ana"].post(f"/n/{evening.id}/new/crazy-lab", {"seat": [ana], "order": ana})
    assert answer.status_code == 422
    assert 'href="/rules/crazy-lab#LAB-1"' in answer.get_data(as_text=True)


def test_a_refusal_that_no_rule_covers_shows_none(evening):
    match = evening.start()
    answer = evening["Ana"].post(f"/m/{match}/act/round-1-count-0", {"scored": "<b>", "left": "5", "key": "the key of it"}, htmx=True)
    html = answer.get_data(as_text=True)
    assert "“&lt;b&gt;” is no whole number." in html
    assert 'class="rule"' not in html


def test_a_warning_leads_to_its_rule(evening):
    match = evening.start()
    for seat, scored in enumerate((3, 20, 20)):
        evening["Ana"].post(f"/m/{match}/act/round-1-count-{seat}", {"scored": str(scored), "left": "5", "key": f"count-of-{seat}"})
    assert 'href="/rules/ligretto-crazy#LIG-19"' in evening["Tom"].get(f"/m/{match}/entries/1").get_data(as_text=True)


def test_the_examples_have_names_enough_for_every_game():
    assert len(PLAYERS) == max(game.players[-1] for game in GAMES.values())
