"""A night with every page of the product in every main state, for tests that look at all of them."""

import json
import re
from dataclasses import dataclass, field
from importlib.resources import files
from urllib.parse import urlsplit

from browser.phones import Hand
from web.qr import read_svg

from companion.games import GAMES

LONG = tuple(f"{letter}ximiliana-Wilhelmine {n}x"[:24] for n, letter in enumerate("ABCDEFGH"))
STAGES = {  # after how many actions of the example: a set-up, in the middle, with a verdict, waiting for the last entries, finished
    "crazy-lab": (0, 1, 8, 15, 27, 30),
    "crazy-race": (0, 7, 13, 37, 38),
    "ligretto-crazy": (0, 2, 5, 11),
    "score-sheet": (0, 2, 5, 10),
    "the-academy": (0, 1, 4, 9, 22, 45),
    "tricky-cribby": (10, 11, 12, 16, 48),
}
LOOP = ["blue", "red", "purple", "yellow", "green"] * 9
REFUSED = {"crazy-lab": 8, "crazy-race": 7, "ligretto-crazy": 2, "score-sheet": 2, "the-academy": 4, "tricky-cribby": 11}
ASKED = "".join(f"&name={name.replace(' ', '+')}" for name in LONG[:5])
RESOLVER = (
    "/who-wins",
    "/who-wins/crazy-lab",
    "/who-wins/crazy-lab?trump=green&cards=green:6.blue:5.purple:1,green:0,green:5&players=5&edit=1" + ASKED,
    "/who-wins/crazy-lab?trump=green&cards=green:5.blue:5.purple:1,highest:1,green:5,green:1,green:2&claim=4&if=leader-3" + ASKED,
    "/who-wins/the-academy?trump=none&cards=blue-5&players=4" + ASKED,
    "/who-wins/the-academy?trump=green&cards=blue-5,blue-7,green-3,purple-2&if=follow-2&players=4" + ASKED,
    "/who-wins/the-academy?trump=mauve",
    "/who-wins/tricky-cribby?strength=red,green,blue,yellow,purple&cards=red-1,green-9,green-4,purple-9&players=4" + ASKED,
    "/who-wins/crazy-race?cards=0:6,0:4,0:3,1:6,1:4,1:3,2:6,2:4,3:1&players=4" + ASKED,
    "/who-wins/ligretto-crazy?top=none&card=crazy",
)
OPEN = """() => {
  document.querySelectorAll('details').forEach(each => { each.open = true; });
  document.querySelectorAll('.pane').forEach(each => { each.hidden = false; });
}"""
SEND = """([path, fields]) => {
  const form = Object.assign(document.createElement('form'), {method: 'post', action: path, noValidate: true});
  for (const [name, value] of Object.entries({csrf_token: document.querySelector('[name=csrf_token]').value, ...fields}))
    form.append(Object.assign(document.createElement('input'), {name, value}));
  document.body.append(form);
  form.submit();
}"""


@dataclass
class World:
    """A server with a night on it, its host's phone hand, and the addresses of its matches by game and stage."""

    server: object
    hand: Hand
    lobby: str
    join: str
    past: dict
    matches: dict = field(default_factory=dict)


def example(game, actions=None):
    """The example that comes with a game, played so far by people with long names."""
    record = json.loads((files("companion.games") / "examples" / f"{game}.json").read_text(encoding="utf-8"))
    return {**record, "players": LONG[: len(record["players"])], "actions": record["actions"][:actions]}


def build(server, past):
    """Somebody's night: every game in every stage, and somebody who asks for a seat back."""
    hand = Hand(urlsplit(server.url).port)
    lobby, page = hand.post("/nights", {"name": LONG[0]})
    world = World(server, hand, urlsplit(lobby).path, urlsplit(read_svg(page)).path, past)
    for game, stages in STAGES.items():
        for stage in stages:
            world.matches[game, stage] = bring(world.hand, world.lobby, example(game, stage))
    world.matches["score-sheet", "rows"] = bring(world.hand, world.lobby, rows())
    world.matches["tricky-cribby", "loop"] = bring(world.hand, world.lobby, looped())
    return world


def bring(hand, lobby, record):
    return urlsplit(hand.post(f"{lobby}/export", {"record": json.dumps(record)})[0]).path


def rows():
    """A score sheet with named rows, for eight people."""
    options = {"title": "Yatzy", "rows": ["Ones", "Full house", "The longest row of all 2"]}
    return {"format": "companion-record/1", "game": "score-sheet", "players": LONG, "options": options, "actions": []}


def looped():
    """Tricky Cribby with its loop, at the first pick."""
    record = example("tricky-cribby")
    return {**record, "options": {**record["options"], "loop": LOOP}, "actions": record["actions"][10:11]}


def pages(world):
    """Every page that has an address, by its name; all for the host's phone."""
    lobby, matches = world.lobby, world.matches
    found = {
        "home": "/",
        "lobby": lobby,
        **{f"lobby{each}": lobby + each for each in ("/new", "/machine", "/standings", "/export", "/house-rules", "/tv")},
    }
    found |= {f"prepare {game}": f"{lobby}/new/{game}" for game in GAMES}
    found |= {f"{game} {stage}": path for (game, stage), path in matches.items()}
    for game, stages in STAGES.items():
        found |= {f"result {game}": f"{matches[game, stages[-1]]}/result", f"seat {game}": f"{matches[game, stages[-2]]}/seats/0"}
        found |= {f"entry {game}": f"{matches[game, stages[-2]]}/entries/1"}
    midway = matches["ligretto-crazy", 5]
    found |= {f"match{each}": midway + each for each in ("/result", "/story")} | {"export": matches["ligretto-crazy", 11] + "/export"}
    found |= {each: each for each in (*RESOLVER, "/rules", "/rules?q=tie", "/rules?q=xyzzy", *(f"/rules/{game}" for game in GAMES))}
    night, people = world.past["night"], world.past["people"]
    who = people["Maximiliana-Wilhelmine X"]
    more = ("", "/correct", "/phone", "/forget", f"/against/{people['Oma Ingeborg']}")
    found |= {each: each for each in ("/past", "/past/nights", "/past/people", f"/past/nights/{night}", "/past/games/crazy-lab")}
    return found | {f"past person {each}": f"/past/people/{who}{each}" for each in more} | {"nowhere": "/m/nowhere"}


def walk(world, phone, stranger):
    """Goes everywhere, one state after the other: gives its name and the phone that shows it, with everything unfolded."""
    world.hand.give(phone)
    phone.expect("status of 404", "status of 422", "status of 400", "status of 409")
    stranger.expect("status of 404", "status of 409", "status of 422")
    for name, path in pages(world).items():
        yield name, opened(phone.go(path))
    yield from refusals(world, phone)
    yield from strangers(world, stranger)
    yield "lobby with a claim", opened(phone.go(world.lobby))
    yield from disputed(world, phone)
    yield from on_tv(world, phone)


def opened(phone):
    phone.page.evaluate(OPEN)
    return phone


def send(phone, path, **fields):
    """A form as a browser without script sends it; what comes back is the page."""
    with phone.page.expect_navigation():
        phone.page.evaluate(SEND, [path, fields])
    return opened(phone)


def refusals(world, phone):
    for game, stage in REFUSED.items():
        phone.go(world.matches[game, stage])
        asked = phone.page.evaluate('document.querySelector(\'#enter [action*="/act/"], #enter [href*="/ask/"]\').outerHTML')
        ask = re.search(r"/(?:act|ask)/([\w.-]+)", asked)[1]
        yield f"{game} refused", send(phone, f"{world.matches[game, stage]}/act/{ask}", key="a key of this test")
    for path in ("/new/crazy-race", "/export"):
        yield f"lobby{path} refused", send(phone.go(world.lobby), world.lobby + path, record="no record")


def strangers(world, stranger):
    yield "home of a stranger", stranger.go("/")
    yield "a wrong code", send(stranger, "/join", code="XXX XXX")
    yield "the way in of a TV", stranger.go("/tv")
    yield "a wrong code on a TV", send(stranger, "/tv", code="XXX XXX")
    yield "invitation", opened(stranger.go(world.join))
    yield "a name that is taken", send(stranger, world.join, name=LONG[0])
    stranger.go(world.join)
    opened(stranger)
    stranger.tap(stranger.page.get_by_role("button", name="Ask the host").first)
    stranger.sees("Waiting for the host")
    yield "waiting for the host", stranger


def disputed(world, phone):
    match = bring(world.hand, world.lobby, example("crazy-lab", 8))
    yield "resolver of a table", opened(phone.go(f"{match}/who-wins"))
    asked = {"trump": "green", "cards": [{"green": 3}, {"green": 5}, {"green": 5}, {"green": 1}]}
    yield "a dispute", send(phone.go(match), f"{match}/disputes", key="a key of this test", question=json.dumps(asked))
    yield "a dispute on the TV", phone.go(world.lobby + "/tv")


def on_tv(world, phone):
    for game, stages in STAGES.items():
        bring(world.hand, world.lobby, example(game, stages[2]))
        yield f"TV {game}", phone.go(world.lobby + "/tv")
    bring(world.hand, world.lobby, example("ligretto-crazy"))
    yield "TV after a match", phone.go(world.lobby + "/tv")
