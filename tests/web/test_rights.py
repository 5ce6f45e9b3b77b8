"""Promises 15, 16, 18: reading changes nothing, no foreign page can act, every role does what the table says, only our own code runs."""

import re

import pytest
from web.calls import CALLS, Call, call, full_house
from web.looking import page, stored, stream, words
from web.rights import PAGE, ROLES, addresses, rows, written

from companion.web import security
from companion.web.permissions import Right, allow, right_to

TRIED_ELSEWHERE = (("history.forget", "own"),)  # nobody would be left to try the rest: test_history.py does it
STORES_NOTHING = ("nights.find", "history.take", "pages.choose_language", "pages.know_sleep")  # a change, but only of the cookie, or none


@pytest.fixture
def house(app):
    return full_house(app)


def endpoints(app):
    return {rule.endpoint for rule in app.url_map.iter_rules()}


# ---- promise 16: every role, every route -----------------------------------------------------------------------------


def without_a_row(app):
    return endpoints(app) - {endpoint for endpoint, _, _ in rows()}


def answered(house, role, endpoint, case):
    """What that role got: yes, no, back or idle; anything else in full."""
    asked = call(house, endpoint, role, case)
    before = stored(house.app)
    answer = watched(house, role, asked) if endpoint in ("live.night", "live.tv", "live.match") else house.phones[role].send(asked)
    unchanged = stored(house.app) == before
    house.set_right()
    answer.close()
    if answer.status_code in (403, 409) and unchanged:
        return {403: "no", 409: "idle"}[answer.status_code] if page(answer).text else "refused without a word"
    if answer.status_code == 303 and answer.headers["Location"] in (f"/n/{house.night}", f"/n/{house.night}/tv") and unchanged:
        return "back"
    done = unchanged if endpoint in STORES_NOTHING or not asked.changes else not unchanged
    return "yes" if answer.status_code in (200, 303) and done else f"{answer.status_code}, {'unchanged' if unchanged else 'changed'}"


def watched(house, role, asked):
    with stream(house.phones[role].browser(), asked.path) as got:
        return got.get(timeout=60)


def deviations(house, only=None):
    return [
        f"{role} at {endpoint} {case}: {found} instead of {cell}"
        for endpoint, case, cells in rows()
        if only in (None, endpoint) and (endpoint, case) not in TRIED_ELSEWHERE
        for role, cell in cells.items()
        if (found := answered(house, role, endpoint, case)) != cell
    ]


def test_every_route_has_a_row_in_the_table(app):
    assert without_a_row(app) == set()
    assert {endpoint for endpoint, _, _ in rows()} == {each for each in endpoints(app) if right_to(app, each)} == set(CALLS)


def test_the_page_is_made_from_what_stands_at_the_routes(app):
    assert PAGE.read_text(encoding="utf-8") == written(app), "python tests/web/rights.py writes it anew"


def test_another_right_at_a_route_is_another_page(app, monkeypatch):
    monkeypatch.setattr(app.view_functions["nights.lock"], "right", Right("player"))
    assert PAGE.read_text(encoding="utf-8") != written(app)


def test_the_page_says_where_every_route_is(app):
    known = {}
    for rule in app.url_map.iter_rules():
        known.setdefault(rule.endpoint, set()).add(f"{'POST' if 'POST' in rule.methods else 'GET'} {rule.rule}")
    assert addresses() == known


def test_another_word_on_the_page_is_another_test():
    """The control: the page is what the test is made from."""
    page = PAGE.read_text(encoding="utf-8")
    changed = re.sub(r"(\| `nights.lock` \|[^|]*\|) no ", r"\1 yes ", page)
    before, after = ({(endpoint, case): cells for endpoint, case, cells in rows(text)} for text in (page, changed))
    assert {key for key in before if before[key] != after[key]} == {("nights.lock", "")}


def test_every_role_can_do_exactly_what_the_table_says(house):
    assert deviations(house) == []


@pytest.mark.parametrize(
    ("endpoint", "broken", "who"),
    [
        ("nights.remove", "player", {"player", "unseated", "former host"}),
        ("matches.act", "player", {"unseated"}),
        ("nights.lobby", "anybody", None),
        ("matches.table", "host", {"spectator", "player", "unseated", "former host"}),
    ],
)
def test_a_right_given_or_taken_by_mistake_is_noticed(house, monkeypatch, endpoint, broken, who):
    monkeypatch.setattr(house.app.view_functions[endpoint], "right", Right(broken))
    house.app.testing = False  # a view that was never meant for strangers may well break
    house.app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(house.app.logger, "disabled", True)
    found = deviations(house, endpoint)
    assert {text.split(" at ")[0] for text in found} == who if who else found


def test_undoing_what_others_entered_would_be_noticed(house, monkeypatch):
    monkeypatch.setattr("companion.web.matches._may_change", lambda *_: True)
    assert {text.split(" at ")[0] for text in deviations(house, "matches.undo")} == {"player", "former host"}


def test_a_new_route_without_a_row_is_noticed_and_closed(app):
    app.add_url_rule("/sneaky", "sneaky", lambda: "secret")
    assert without_a_row(app) == {"sneaky"}
    answer = app.test_client().get("/sneaky", base_url="http://game.test:8000")
    assert answer.status_code == 403
    assert "secret" not in answer.get_data(as_text=True)


# ---- promise 15: reading changes nothing, no foreign page can act ----------------------------------------------------


def routes(app, changing):
    for rule in app.url_map.iter_rules():
        methods = rule.methods - {"HEAD", "OPTIONS"}
        if (methods != {"GET"}) == changing:
            yield rule.endpoint, methods


def changed_by_reading(house):
    found = []
    for endpoint, _ in routes(house.app, changing=False):
        asked = call(house, endpoint, "host")
        for method in ("GET", "HEAD", "OPTIONS"):
            before = stored(house.app)
            if endpoint in ("live.night", "live.tv", "live.match") and method == "GET":
                with stream(house.phones["host"].browser(), asked.path) as got:
                    assert got.get(timeout=60).status_code == 200
                    got.get(timeout=60)
            else:
                house.phones["host"].send(asked, method=method).close()
            if stored(house.app) != before:
                found.append((endpoint, method))
    return found


def test_reading_changes_nothing(house):
    assert changed_by_reading(house) == []


def test_a_page_that_changes_something_when_read_is_noticed(house):
    shown = house.app.view_functions["nights.lobby"]

    @allow("watcher")
    def changing(night):
        house.nights.lock(house.room.night, joining=False)
        return shown(night=night)

    house.app.view_functions["nights.lobby"] = changing
    assert ("nights.lobby", "GET") in changed_by_reading(house)


FOREIGN = {
    "no token": {"token": ""},
    "a made-up token": {"token": "x" * 91},
    "somebody else's token": None,
    "another site": {"headers": {"Origin": "http://evil.test"}},
    "another port": {"headers": {"Origin": "http://game.test:9000"}},
    "a name that begins alike": {"headers": {"Origin": "http://game.test:8000.evil.test"}},
    "a sandbox": {"headers": {"Origin": "null"}},
    "a broken origin": {"headers": {"Origin": "http://["}},
    "another site without an origin": {"headers": {"Origin": "http://game.test:8000", "Sec-Fetch-Site": "cross-site"}},
}


def let_in(house, only=FOREIGN):
    """Which changes a foreign page could make."""
    found = []
    for endpoint, methods in routes(house.app, changing=True):
        assert methods == {"POST"}, f"{endpoint}: the Origin is checked for every method, but nobody thought of {methods}"
        for case in only:
            asked = call(house, endpoint, "host", "own")
            how = FOREIGN[case] or {"token": house.phones["player"].token}
            before = stored(house.app)
            answer = house.phones["host"].send(asked, **how)
            if answer.status_code not in (400, 403) or stored(house.app) != before or not words(answer):
                found.append((endpoint, case, answer.status_code))
            house.set_right()
    return found


def test_no_foreign_page_can_act(house):
    assert let_in(house) == []


def test_forms_without_the_check_of_tokens_are_noticed(house):
    house.app.config["WTF_CSRF_ENABLED"] = False
    assert let_in(house, ["no token"])


def test_forms_without_the_check_of_origins_are_noticed(house):
    house.app.before_request_funcs[None].remove(security.check_origin)
    assert let_in(house, ["another site"])


def test_other_methods_are_refused(house):
    for endpoint in CALLS:
        asked = call(house, endpoint, "host", "own")
        before = stored(house.app)
        for method in ("PUT", "PATCH", "DELETE", "TRACE"):
            assert house.phones["host"].send(asked, method=method).status_code in (400, 403, 405, 411), endpoint
        assert stored(house.app) == before
        house.set_right()


# ---- promise 18: only our own code runs ------------------------------------------------------------------------------


def policies(house):
    """Every kind of answer there is, by a name for it."""
    for endpoint, case, cells in rows():
        for role in {cell: role for role, cell in cells.items()}.values():  # one role for each kind of cell
            asked = call(house, endpoint, role, case)
            yield f"{endpoint} {role}", answer_to(house, endpoint, role, asked)
            house.set_right()
    host, base = house.phones["host"], "http://game.test:8000"
    client = host.browser().client
    yield "no such page", client.get("/nowhere", base_url=base)
    yield "no such file", client.get("/static/nowhere.js", base_url=base)
    yield "a foreign host", client.get("/", base_url="http://evil.test")
    yield "too large", client.post("/nights", data={"name": "x" * 70_000}, base_url=base)
    yield "wrong method", client.delete("/nights", base_url=base)
    yield "options", client.options("/nights", base_url=base)
    yield "no token", client.post("/nights", base_url=base)
    yield "a fragment", host.send(Call(f"/m/{house.match}"), headers={"HX-Request": "true"})
    yield "a refused fragment", house.phones["nobody"].send(Call(f"/m/{house.match}"), headers={"HX-Request": "true"})
    for _ in range(11):
        limited = client.get("/j/wrong", base_url=base)
    assert limited.status_code == 429
    yield "too many", limited


def answer_to(house, endpoint, role, asked):
    return watched(house, role, asked) if endpoint in ("live.night", "live.tv", "live.match") else house.phones[role].send(asked)


def unsafe(house):
    """Answers whose policy would let in code that is not ours, or that carry code of their own."""
    found = []
    for name, answer in policies(house):
        policy = dict(part.split(" ", 1) for part in answer.headers.get("Content-Security-Policy", "none none").split("; "))
        sources = {source for each in policy.values() for source in each.split()}
        if policy.get("default-src") != "'none'" or not sources <= {"'none'", "'self'"} or policy.get("base-uri") != "'none'":
            found.append((name, "policy"))
        if answer.headers.get("X-Content-Type-Options") != "nosniff":
            found.append((name, "sniff"))
        if answer.mimetype in ("text/html", "application/json") and answer.status_code != 303:
            found += [(name, what) for what in own_code(answer.get_data(as_text=True).replace('\\"', '"'))]
        answer.close()
    return found


def own_code(html):
    """Code or style that stands in a page itself."""
    seen = re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son[a-z]+=|hx-on|javascript:|hx-vals=.js|<base|<iframe|<object", html)
    return [*seen, *re.findall(r"(?:src|href|action)=\"(?:[a-z]+:)?//[^\"]*", html)]


def test_the_policy_is_on_every_answer_and_no_page_holds_code(house):
    assert unsafe(house) == []


def test_a_weaker_policy_is_noticed(house, monkeypatch):
    monkeypatch.setitem(
        security.HEADERS, "Content-Security-Policy", security.POLICY.replace("script-src 'self'", "script-src 'unsafe-inline'")
    )
    assert unsafe(house)


def test_an_answer_without_a_policy_is_noticed(house):
    house.app.after_request_funcs[None].remove(security.add_headers)
    assert len(unsafe(house)) > len(ROLES)


@pytest.mark.parametrize(
    "html", ['<p onclick="x()">', "<b style='color:red'>", "<script>x()</script>", '<a href="//evil.test">', '<i hx-on:click="">']
)
def test_code_in_a_page_is_noticed(html):
    assert own_code(html)


def test_the_script_uses_no_eval_and_sets_no_code(app):
    with app.test_client().get("/static/app.js", base_url="http://game.test:8000") as answer:
        script = answer.get_data(as_text=True)
    assert len(script) > 1000
    assert not re.search(r"\beval\(|new Function|\.innerHTML\s*=|document\.write|insertAdjacentHTML|hx-on|setTimeout\(['\"]", script)


def test_what_is_about_people_is_kept_by_no_cache(house):
    for endpoint, _ in routes(house.app, changing=False):
        answer = answer_to(house, endpoint, "host", call(house, endpoint, "host"))
        kept = "max-age" in answer.headers["Cache-Control"]
        assert kept == (endpoint in ("static", "pages.icon")), endpoint
        answer.close()
