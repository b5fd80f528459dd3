"""The API shows programs what is on air and nothing else, and lets holders of a token press the desk's buttons."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types
from msgspec.structs import asdict, replace
from playwright.sync_api import Browser
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from assets.make.public_api import broken_parts
from broadcast.api.messages import messages_schema
from broadcast.desk.buttons import BUTTONS, SPEEDS, GiveCue, SetControl, lit_buttons, request_for_press
from server.game.events import ControlSet, HandEnded
from server.paths import ASSETS
from server.tournament.control_values import Controls
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.support.games.recordings import small_contest, until_listed, write
from tests.support.programs.in_node import Node

ELSEWHERE = "https://club.example"
PUBLIC = "8.8.8.8"
"""An address that the whole internet can reach."""
READ = ("channels", "on-air", "standings", "schedule", "bots", "bots/1", "hands", "hands/0", "statistics", "luck")
TO_SCHEMA = Draft202012Validator(messages_schema())


@pytest.fixture(scope="module")
def paused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """A show that stays at its beginning, although six hands have been played. Its archive has one recording."""
    folder = tmp_path_factory.mktemp("media")
    write(folder / "one.jsonl", small_contest())
    with DeskServer(folder, contest_events(), speed=0.001) as opened:
        yield opened


@pytest.fixture
def show(tmp_path: Path) -> Iterator[DeskServer]:
    """A show whose hands are all on air. Each test gets a new one, which it may change."""
    with DeskServer(tmp_path, contest_events(hands=2), speed=0) as opened:
        ended = 0
        with connect(f"ws{opened.address[4:]}/api/v1/show", proxy=None) as socket:
            while ended < 2:
                message = json.loads(socket.recv(timeout=60))
                assert message["type"] != "snapshot", "a show as short as this must be sent entry by entry"
                ended += message["type"] == "hand_ended"
        yield opened


def get(server: DeskServer, path: str, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    return server.web.get(f"{server.address}/api/v1/{path}", headers=sent)


def post(server: DeskServer, path: str, token: str = TOKENS.control, **headers: str) -> httpx.Response:
    sent = {"authorization": f"Bearer {token}", **headers} if token else headers
    return server.web.post(f"{server.address}/api/v1/desk/{path}", headers=sent)


def test_api_reveals_nothing_before_it_is_on_air(paused: DeskServer) -> None:
    played = sum(isinstance(entry.event, HandEnded) for entry in paused.bus.entries)
    answers = "".join(get(paused, path).text for path in READ)
    assert played == 6
    assert '"hand_ended"' not in answers
    hands = get(paused, "hands").json()["hands"]
    assert [each["number"] for each in hands] == list(range(1, len(hands) + 1))
    assert len(hands) <= 1
    assert get(paused, f"hands/{played}").status_code == 404
    assert get(paused, "on-air").json()["picture"]["board"] == []


def test_programs_read_what_viewers_see(show: DeskServer) -> None:
    with connect(f"ws{show.address[4:]}/ws/show?after=999999", proxy=None) as socket:
        welcome, snapshot = (json.loads(socket.recv(timeout=60)) for _ in range(2))
    now = get(show, "on-air").json()
    assert (now["epoch"], now["picture"]) == (welcome["epoch"], snapshot["state"])
    assert {str(each["bot"]): each for each in get(show, "bots").json()["bots"]} == snapshot["state"]["bots"]
    assert get(show, "bots/2").json()["bot"] == snapshot["state"]["bots"]["2"]
    assert get(show, "statistics").json()["statistics"] == snapshot["state"]["statistics"]
    chips = [row["chips"] for row in get(show, "standings").json()["rows"]]
    assert chips == sorted((bot["stack"] for bot in snapshot["state"]["bots"].values()), reverse=True)
    index = show.web.get(f"{show.address}/live/main/index.json").json()
    assert [each["hand"] for each in get(show, "hands").json()["hands"]] == index["outline"]["hands"][1:]
    closed = f"{show.address}/live/main/{index['epoch']}/1.seg"
    assert get(show, "hands/1").json() == show.web.get(closed).json()
    assert get(show, "channels").json()["channels"][0]["last"] == index["last"]


def test_recordings_are_listed_searched_and_read_hand_by_hand(paused: DeskServer) -> None:
    with httpx.Client(base_url=paused.address, timeout=60) as web:
        until_listed(web, "one")
    (listed,) = get(paused, "recordings").json()["recordings"]
    one = get(paused, "recordings/one").json()
    assert one["recording"] == listed
    assert listed["whole"] is True
    assert len(one["hands"]) == listed["hands"]
    assert [bot["place"] for bot in one["bots"]] == list(range(1, listed["bots"] + 1))
    found = get(paused, "recorded-hands?pot=1").json()["hands"]
    assert found[0]["pot"] == listed["biggest"]
    assert get(paused, "recordings?bot=nobody").json()["recordings"] == []


def test_answer_is_sent_again_only_if_it_has_changed(paused: DeskServer, show: DeskServer) -> None:
    with httpx.Client(base_url=paused.address, timeout=60) as web:
        until_listed(web, "one")
    for path in (*READ, "results", "recordings", "recordings/one", "openapi.json", "messages.json"):
        first = get(paused, path)
        again = get(paused, path, if_none_match=first.headers["etag"])
        assert (first.status_code, again.status_code, again.content) == (200, 304, b""), path
    before = get(show, "on-air").headers["etag"]
    show.call_in_server(lambda: show.bus.publish(ControlSet("sound", value=False, was=True)))
    with connect(f"ws{show.address[4:]}/api/v1/show?after=999999", proxy=None) as socket:
        while json.loads(socket.recv(timeout=60)).get("state", {}).get("desk", {}).get("sound", True):
            pass
    assert get(show, "on-air", if_none_match=before).status_code == 200


def test_other_sites_read_the_api_but_press_no_button(show: DeskServer, paused: DeskServer, browser: Browser) -> None:
    page = browser.new_context(bypass_csp=True).new_page()
    page.goto(f"http://localhost:{paused.port}/healthz")  # stands for a page of any other site
    asked = f"{show.address}/api/v1"
    read = "async (at) => { const got = await fetch(at); return [got.status, got.headers.get('etag') !== null]; }"
    assert page.evaluate(read, f"{asked}/standings") == [200, True]
    told = "(at) => new Promise((told) => { new WebSocket(at).onmessage = ({ data }) => told(JSON.parse(data).type); })"
    assert page.evaluate(told, f"{asked.replace('http', 'ws')}/show") == "welcome"
    press = "([at, headers]) => fetch(at, { method: 'POST', headers }).then(String, () => 'refused')"
    token = {"authorization": f"Bearer {TOKENS.control}"}
    assert page.evaluate(press, [f"{asked}/desk/press/pause", token]) == "refused"
    page.context.close()
    at, headers = f"{show.address}/api/v1/standings", {"origin": ELSEWHERE, "host": PUBLIC}
    offered = show.web.options(at, headers={**headers, "access-control-request-method": "POST"})
    assert (offered.status_code, offered.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
    assert show.web.get(at, headers=headers).headers["access-control-allow-origin"] == "*"
    assert show.web.post(at, headers=headers).status_code == 403
    assert post(show, "press/pause", origin=ELSEWHERE, host=PUBLIC).status_code == 403
    assert get(show, "desk", origin=ELSEWHERE, **token).status_code == 403
    assert not show.done


def test_page_may_not_read_a_more_private_network(paused: DeskServer) -> None:
    """For example, a page from the internet in the organiser's browser cannot read a rehearsal on the same machine."""
    for host, origin, reads in (
        ("localhost", "http://localhost:3000", True),
        ("127.0.0.1", ELSEWHERE, False),
        ("[::1]", "null", False),
        ("localhost", "http://localhost.club.example", False),
        ("127.0.0.1", "http://192.168.1.77", False),
        ("192.168.1.5", "http://192.168.1.77:8080", True),
        ("192.168.1.5", ELSEWHERE, False),
        (PUBLIC, ELSEWHERE, True),
    ):
        answer = get(paused, "standings", host=f"{host}:5000", origin=origin)
        assert (answer.status_code == 200, "access-control-allow-origin" in answer.headers) == (reads, reads)
        assert "Origin" in answer.headers["vary"]
        there = urlsplit(paused.address)
        line = create_connection((there.hostname, there.port))
        with (
            nullcontext() if reads else pytest.raises(InvalidStatus, match="403"),
            connect(f"ws://{host}:5000/api/v1/show", sock=line, origin=Origin(origin), proxy=None) as socket,
        ):
            assert json.loads(socket.recv(timeout=60))["type"] == "welcome"


def test_every_page_reads_but_changes_nothing_if_the_organiser_opens_the_api(tmp_path: Path) -> None:
    """The desk, the pages and requests under a foreign host name are refused as before."""
    with DeskServer(tmp_path, contest_events(hands=1), api_for_all=True) as opened:
        for origin in (ELSEWHERE, "null"):
            answer = get(opened, "standings", host="127.0.0.1:5000", origin=origin)
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")
            asked = opened.web.options(f"{opened.address}/api/v1/standings", headers={"origin": origin})
            assert (asked.status_code, asked.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
            with connect(f"ws{opened.address[4:]}/api/v1/show", origin=Origin(origin), proxy=None) as socket:
                assert json.loads(socket.recv(timeout=60))["type"] == "welcome"
            with (
                pytest.raises(InvalidStatus, match="403"),
                connect(f"ws{opened.address[4:]}/ws/show", origin=Origin(origin), proxy=None),
            ):
                pass
            closed = [
                get(opened, "desk", origin=origin, authorization=f"Bearer {TOKENS.control}"),
                post(opened, "press/pause", origin=origin),
                opened.web.post(f"{opened.address}/api/v1/standings", headers={"origin": origin}),
                opened.web.options(f"{opened.address}/api/v1/desk/press/pause", headers={"origin": origin}),
                opened.web.get(f"{opened.address}/results", headers={"origin": origin}),
            ]
            assert {each.status_code for each in closed} == {403}
            assert not [each for each in closed if "access-control-allow-origin" in each.headers]
        rebound = get(opened, "standings", host="evil.example", origin="http://evil.example")
        assert rebound.status_code == 421
        assert not opened.done


def test_invalid_query_or_request_to_the_desk_is_refused_with_a_reason(paused: DeskServer) -> None:
    for path, words in (
        ("hands?since=-1", "since must be a whole number from 0 to 10000000, not '-1'"),
        ("hands/" + "9" * 5000, "the number of a hand must be a whole number"),
        ("bots/77", "There is no bot 77 in this show: /api/v1/bots lists them."),
        ("standings?channel=" + "x" * 5000, "There is no channel xxx"),
        ("recordings?page=x", "page must be a whole number from 0 to 100000, not 'x'"),
        ("recorded-hands?mark=lucky", "mark must be one of Upset, "),
        ("recordings/none", "There is no recording of that name here."),
    ):
        answer = get(paused, path)
        assert answer.status_code in (400, 404)
        assert words in answer.json()["error"]
        assert len(answer.json()["error"]) < 400
    for path, status, words in (
        ("press/dance", 404, "no such button: choose one of start, pause, next"),
        ("press/break?minutes=601", 400, "minutes must be a whole number from 0 to 600"),
        ("set/dance/on", 400, "no such control: 'dance'"),
        ("set/paused/maybe", 400, "paused must be on or off, not 'maybe'"),
        ("set/speed/nan", 400, "speed must be a number such as 1.5, not 'nan'"),
        ("set/chat/off", 400, "chat needs the number of a bot"),
        ("undo/9", 409, "this cannot be undone"),
        ("pages/x/explode", 404, "no such order: choose reload or sound"),
        ("pages/x/reload", 409, "this page is no longer open"),
        ("studio/dance", 404, "no such answer: choose one of unseen, wait, restart"),
        ("studio/restart", 409, "The studio is here"),
    ):
        answer = post(paused, path)
        assert (answer.status_code, words in answer.json()["error"]) == (status, True), answer.text


def test_every_message_and_segment_matches_its_schema_and_malformed_messages_do_not(show: DeskServer) -> None:
    kinds = set()
    with connect(f"ws{show.address[4:]}/api/v1/show", proxy=None) as socket:
        while "heartbeat" not in kinds:  # a heartbeat comes when all entries have been sent
            message = json.loads(socket.recv(timeout=60))
            TO_SCHEMA.validate(message)
            kinds.add(message["type"])
    assert {"welcome", "hand_started", "hole_dealt", "pot_awarded"} <= kinds
    with connect(f"ws{show.address[4:]}/api/v1/show?after=999999", proxy=None) as socket:
        for _ in range(2):
            TO_SCHEMA.validate(json.loads(socket.recv(timeout=60)))
    parts = messages_schema()
    for name, path in (("Segment", "/api/v1/hands/1"), ("LiveIndex", "/live/main/index.json")):
        of_part = {"$ref": f"#/$defs/{name}", "$defs": parts["$defs"]}
        Draft202012Validator(of_part).validate(show.web.get(show.address + path).json())

    head = {"seq": 1, "at_ms": 0, "hold_ms": 0}
    assert TO_SCHEMA.is_valid({**head, "type": "caption_spoken", "text": "All in."})
    for wrong in ({"type": "caption_spoken"}, {"type": "caption_spoken", "text": 1}, {"type": "card_shown"}):
        assert not TO_SCHEMA.is_valid({**head, **wrong})


def test_served_descriptions_keep_all_that_was_promised_and_only_new_fields_break_no_promise(show: DeskServer) -> None:
    for file, path in (("api-v1.json", "openapi.json"), ("messages-v1.json", "messages.json")):
        assert not [*broken_parts(json.loads((ASSETS / "schemas" / file).read_text()), get(show, path).json())]
    old: dict[str, Any] = {"description": "One.", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    more = {**old, "description": "Two.", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
    assert not [*broken_parts(old, more)]
    assert [*broken_parts(more, old)] == ["/properties/b"]
    assert [*broken_parts(old, {**old, "properties": {"a": {"type": "string"}}})] == ["/properties/a/type"]
    assert [*broken_parts(old, {**old, "required": []})] == ["/required/a"]


def test_reference_page_lists_every_route_and_loads_nothing_from_elsewhere(show: DeskServer, browser: Browser) -> None:
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{show.address}/api/v1/")
    described = get(show, "openapi.json").json()
    text = page.inner_text("main")
    routes = [f"{method.upper()} {path}" for path, item in described["paths"].items() for method in item]
    assert not [route for route in routes if route not in text]
    links = page.eval_on_selector_all("a[href^='#']", "links => links.map((link) => link.getAttribute('href'))")
    assert set(links) <= {f"#{name}" for name in described["components"]["schemas"]}
    assert all(url.startswith(show.address) for url in asked)
    page.context.close()


def test_desk_requires_a_valid_bearer_token_and_the_view_token_changes_nothing(show: DeskServer) -> None:
    without = get(show, "desk")
    assert (without.status_code, without.headers["www-authenticate"]) == (401, "Bearer")
    for header in ("", "Bearer", f"Basic {TOKENS.control}", f"Bearer {TOKENS.control}x", "Bearer " + "x" * 5000):
        assert get(show, "desk", authorization=header).status_code == 401
    assert show.web.get(f"{show.address}/api/v1/desk?token={TOKENS.control}").status_code == 401
    assert get(show, "desk", authorization=f"Bearer {TOKENS.view}").status_code == 200
    assert post(show, "press/pause", "").status_code == 401
    assert post(show, "press/pause", TOKENS.view).status_code == 403
    assert not show.done
    assert post(show, "press/pause").json()["said"] == "paused the show"
    show.printed = "KeyError: 'pot'"
    for token in (TOKENS.control, TOKENS.view):
        seen = get(show, "desk", authorization=f"bearer {token}")
        assert seen.json()["lit"] == ["pause"]
        assert "KeyError" not in seen.text, "the output of bots is private"


def test_each_request_to_the_desk_takes_effect_under_its_operators_name(show: DeskServer) -> None:
    for path in (
        "set/paused/on", "set/speed/1.5", "set/card/break%20until%2021:15%20CET", "set/card/none", "set/chat/off?bot=3",
        "undo/0?operator=Ann", "press/faster", "press/break?minutes=10", "press/break", "press/best",
    ):  # fmt: skip
        assert post(show, path).status_code == 200, path
    done = [(each.control, each.value) if isinstance(each, ControlSet) else each.cue for each in show.done]
    back = done[7]
    assert done[:7] == [
        ("paused", True), ("speed", 1.5), ("card", "break until 21:15 CET"), ("card", ""), ("chat", False),
        ("chat", True), ("speed", 2.0),
    ]  # fmt: skip
    assert (back[0], str(back[1])[:12]) == ("card", "break until ")
    assert done[8:] == [("card", ""), "best"]
    assert show.done[0].operator == "remote"
    assert show.done[5].operator == "Ann"


def test_nothing_can_be_stopped_once_the_tournament_is_over(tmp_path: Path) -> None:
    events = [entry.event for entry in small_contest()]
    with DeskServer(tmp_path, events, speed=1000.0) as server:
        while get(server, "desk", authorization=f"Bearer {TOKENS.view}").json()["scene"] != "champion":
            pass
        for stop in ("press/pause", "press/hold", "press/end", "set/paused/on", "set/unseen/on"):
            answer = post(server, stop)
            assert (answer.status_code, answer.json()["error"][:22]) == (409, "the tournament is over"), stop
        assert post(server, "set/paused/off").json()["said"] == "already set"
        assert post(server, "press/break").status_code == 200


def test_buttons_act_and_light_up_as_on_the_desks_page(node: Node) -> None:
    code = """async ([name, controls], load) => {
      const { BUTTONS } = await load("/static/js/desk/buttons.js");
      const stage = { number: 1, title: "The Trials", follows: "", ended: false };
      const desk = { controls, stage, status: { pace: 1 }, undo: { number: 7, words: "x" } };
      return [Object.keys(BUTTONS), BUTTONS[name].act(desk, 0), BUTTONS[name].face(desk).on === true];
    }"""
    changed = [
        {name: not getattr(Controls(), name)}
        for name in ("paused", "held", "governed", "graphics", "sound", "thoughts", "stage_end")
    ]
    states = [{}, *changed, *({"card": card} for card in ("break", "break until 21:15 CET", "technical"))]
    states += [{"view": view} for view in ("table", "held")]
    states += [{"speed": speed} for speed in (*SPEEDS, 1.1)]
    for button, state in product(BUTTONS, states):
        controls = replace(Controls(), **state)  # type: ignore[arg-type]
        names, act, is_lit = node.evaluate(code, [button, {"card": "", **asdict(controls)}])
        assert names == list(BUTTONS)
        match request_for_press(button, controls):
            case SetControl(control=control, value=value):
                assert (act["what"], act["request"]["control"], act["request"]["value"]) == ("set", control, value)
            case GiveCue(cue=cue):
                assert (act["what"], act["request"]["cue"]) == ("cue", cue)
            case _:
                assert act["what"] == "undo"
        assert (button in lit_buttons(controls)) == is_lit, (button, state)
