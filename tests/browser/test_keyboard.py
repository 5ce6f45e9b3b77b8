"""By keyboard and by ear: whole entries with Tab, Enter and the arrows, a focus that stays, and every verdict and turn said once."""

from browser.phones import sit

KEYS = {"is_mobile": False, "has_touch": False}
FOCUSED = """() => {
  const on = document.activeElement, shown = on.matches('.tile input, .tap input') ? on.nextElementSibling : on;
  const style = getComputedStyle(shown);
  return on === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2);
}"""


# ---- the keyboard alone ----------------------------------------------------------------------------------------------


def tab_to(phone, selector):
    """Tab after Tab until the focus is there; it can be seen at every stop."""
    for _ in range(150):
        phone.page.keyboard.press("Tab")
        assert phone.page.evaluate(FOCUSED), phone.page.evaluate("document.activeElement.outerHTML")
        if phone.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def enter(phone, selector):
    tab_to(phone, selector)
    phone.page.wait_for_selector(".fresh", state="detached")
    phone.page.keyboard.press("Enter")


def focus_in(phone, region):
    phone.page.wait_for_function("region => document.activeElement.closest(region)", arg=region)


def test_a_round_of_ligretto_by_keyboard(new_phone, table):
    ana, ben = new_phone(**KEYS), new_phone(**KEYS)
    sit(table, ana, ben, counting=False)
    enter(ana, "#enter [value=start]")
    ana.sees("Phones down", "#enter")
    focus_in(ana, "#enter")
    enter(ana, "#enter [value=stop]")
    for phone in (ana, ben):
        phone.page.wait_for_selector("#enter form[data-keypad]")
    tab_to(ana, "[name=scored]")
    ana.page.keyboard.type("28")
    ana.page.keyboard.press("Backspace")
    ana.page.keyboard.type("5")
    tab_to(ana, "[name=left]")
    ana.page.keyboard.type("6+4")
    assert ana.values() == ["25", "6+4"]
    enter(ana, "[data-next]")
    ana.sees("Waiting for Ben", "#enter")
    focus_in(ana, "#enter")
    for key in ("2", "0"):
        enter(ben, f'.keys [data-key="{key}"]')
    enter(ben, "[data-next]")
    enter(ben, '.keys [data-key="5"]')
    enter(ben, "[data-next]")
    ana.shows({"Ana": 15, "Ben": 15})


def test_a_trick_by_keyboard(new_phone, table):
    ana, ben = new_phone(**KEYS), new_phone(**KEYS)
    sit(table, ana, ben, game="crazy-lab", without=["Cem"])
    enter(ana, "#enter details:has([data-tabs]) > summary")
    tab_to(ana, "#enter [data-tab=winner]")
    ana.page.keyboard.press("ArrowRight")
    ana.page.wait_for_selector("#enter .pane:not([hidden]) .lab-keys")
    ana.page.keyboard.press("ArrowLeft")
    tab_to(ana, "#enter .pane:not([hidden]) [name=trump]")
    ana.page.keyboard.press("Space")
    ana.page.keyboard.press("ArrowRight")
    chosen = ana.page.locator("#enter .pane:not([hidden]) [name=trump]:checked").input_value()
    enter(ana, "#enter [name=winner]")
    for phone in (ana, ben):
        phone.page.wait_for_selector("#enter h2:has-text('Trick 2 of 10')", state="attached")
        phone.page.wait_for_selector(f"#board .lab-rack .taken.suit-{chosen}")
    focus_in(ana, "#enter")


# ---- the focus stays -------------------------------------------------------------------------------------------------


def focus_and_count(ana, ben, what):
    """Ana's focus is there while Ben counts."""
    ana.page.focus(what)
    before = ana.page.evaluate("document.activeElement.href")
    ben.count(20, 10)
    ana.page.wait_for_function("() => document.querySelectorAll('#story .story a').length > 1")
    return before


def three(new_phone, table, **more):
    """Ana, Ben and Oma, for whom Ana has counted already."""
    ana, ben = new_phone(**KEYS, **more), new_phone()
    sit(table, ana, ben, without=["Oma", "Opa"])
    ana.page.locator("#enter a", has_text="Count for Oma").click()
    ana.page.wait_for_selector("#enter h2:has-text('Oma counts')")
    ana.page.keyboard.press("Tab")
    for key in "20":
        ana.page.locator(f'.keys [data-key="{key}"]').click()
    ana.page.locator("[data-next]").click()
    ana.page.locator('.keys [data-key="5"]').click()
    ana.page.locator("[data-next]").click()
    ana.page.wait_for_selector("#story .story a")
    ana.page.wait_for_selector(".fresh", state="detached")
    return ana, ben


def test_the_focus_stays_on_its_control_when_the_region_is_drawn_again(new_phone, table):
    ana, ben = three(new_phone, table)
    before = focus_and_count(ana, ben, "#story .story a")
    assert ana.page.evaluate("document.activeElement.href") == before
    assert ana.page.evaluate("document.activeElement.closest('#story li').previousElementSibling !== null")  # the new entry is above it


def test_where_the_control_is_gone_the_focus_stays_in_its_region(new_phone, table):
    ana, ben = three(new_phone, table)
    focus_and_count(ana, ben, "#undo button")  # it would undo something else now, or nothing
    assert ana.page.evaluate("document.activeElement.id || document.activeElement.closest('section').id") == "undo"


def test_control_a_script_that_forgets_the_focus_is_caught(new_phone, table):
    ana, ben = three(new_phone, table, spoil=("    back(fresh);\n", ""))
    focus_and_count(ana, ben, "#story .story a")
    assert ana.page.evaluate("document.activeElement === document.body")


# ---- what is said aloud ----------------------------------------------------------------------------------------------

LISTEN = """() => {
  window.said = [];
  new MutationObserver(changes => changes.forEach(each => each.addedNodes.forEach(node => window.said.push(node.textContent))))
    .observe(document.getElementById('announce'), {childList: true});
}"""


def listen(*phones):
    for phone in phones:
        phone.page.evaluate(LISTEN)


def hears(phone, *pieces):
    """All that was said since, which has these pieces."""
    phone.page.wait_for_function("pieces => pieces.every(each => window.said.join(' ').includes(each))", arg=list(pieces))
    return phone.page.evaluate("window.said")


def take_trick(phone, name):
    pane = "#enter .pane:not([hidden])"
    phone.tap(f"{pane} .tile:has([name=trump]:enabled)")
    phone.tap(phone.page.locator(f"{pane} .person", has_text=name))


def reconnect(phone):
    """A new stream begins with everything."""
    with phone.page.expect_request("**/live*"):
        phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.page.wait_for_timeout(1_000)  # for nothing to be said there is nothing to wait for


def at_a_trick(new_phone, table, **more):
    ana, ben = new_phone(**more), new_phone(**more)
    sit(table, ana, ben, game="crazy-lab", without=["Cem"])
    ana.tap("#enter summary:has-text('Go on without minus colours')")
    listen(ana, ben)
    return ana, ben


def test_a_verdict_and_the_turn_are_said_once(new_phone, table):
    ana, ben = at_a_trick(new_phone, table)
    take_trick(ana, "Ben")
    assert " ".join(hears(ben, "Ben takes trick 1.", "Your turn.")).count("Ben takes trick 1.") == 1
    assert "Your turn." not in " ".join(hears(ana, "Ben takes trick 1."))
    before = ben.page.evaluate("window.said")
    reconnect(ben)
    assert ben.page.evaluate("window.said") == before
    ben.page.reload()
    ben.line("live")
    listen(ben)
    reconnect(ben)
    assert ben.page.evaluate("window.said") == []
    ana.tap("#undo button")
    ana.page.wait_for_selector("#story:has-text('Nothing has been entered yet')")
    ben.page.wait_for_selector("#story:has-text('Nothing has been entered yet')")
    assert "Ben takes trick 1." not in " ".join(ben.page.evaluate("window.said"))


def test_control_a_script_that_repeats_itself_is_caught(new_phone, table):
    ana, ben = at_a_trick(new_phone, table, spoil=("const before = heard,", "const before = {n: 0, entry: '', asked: '', now: ''},"))
    take_trick(ana, "Ben")
    hears(ben, "Ben takes trick 1.")
    before = len(ben.page.evaluate("window.said"))
    take_trick(ben, "Ana")
    hears(ben, "Ana takes trick 2.")
    reconnect(ben)
    ben.page.evaluate("document.dispatchEvent(new CustomEvent('htmx:afterSettle', {detail: {elt: document.querySelector('#board')}}))")
    ben.page.wait_for_function("before => window.said.length > before + 1", arg=before)
