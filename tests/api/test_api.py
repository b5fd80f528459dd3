"""The API shows programs only what viewers see. With a token, programs also press buttons of the operator's desk."""

import json
import re
from collections.abc import Generator, Iterator
from html import unescape
from itertools import islice, product
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types
from msgspec.structs import asdict, replace
from playwright.sync_api import Browser
from websockets.sync.client import connect
from websockets.typing import Origin

from assets.make.public_api import broken_parts
from broadcast.api.messages import messages_schema
from broadcast.desk.buttons import BUTTONS, SPEEDS, GiveCue, SetControl, lit_buttons, request_for_press
from server.game.events import ControlSet
from server.paths import ASSETS
from server.tournament.control_values import Controls
from tests.desk.desk_server import TOKENS, DeskServer, contest_events, handshake_status, make_headers
from tests.support.described import check_description
from tests.support.games.recordings import small_contest, wait_until_listed, write
from tests.support.programs.in_node import Node

FOREIGN_ORIGIN = "https://club.example"
PUBLIC_ADDRESS = "8.8.8.8"
"""An address that the whole internet can reach."""
READ_PATHS = ("channels", "on-air", "standings", "schedule", "bots", "bots/1", "hands", "hands/0", "statistics", "luck")


@pytest.fixture(scope="module")
def slow_show(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """A server with one recording and a show of six hands. The show is so slow that it stays at its beginning."""
    folder = tmp_path_factory.mktemp("media")
    write(folder / "one.jsonl", small_contest())
    with (
        DeskServer(folder, contest_events(), speed=0.001) as server,
        httpx.Client(base_url=server.address, timeout=60) as web,
    ):
        wait_until_listed(web, "one")
        yield server


@pytest.fixture
def show(tmp_path: Path) -> Iterator[DeskServer]:
    """Starts a new show of two hands for each test. Yields the show's server once both hands have ended on air."""
    with DeskServer(tmp_path, contest_events(hands=2), speed=0) as server:
        messages, ended = receive(server, "/api/v1/show"), 0
        while ended < 2:
            message_type = next(messages)["type"]
            assert message_type != "snapshot", "such a short show must be sent entry by entry, not as a snapshot"
            ended += message_type == "hand_ended"
        messages.close()
        yield server


def receive(server: DeskServer, path: str) -> Generator[Any, None, None]:
    """Opens a WebSocket, and yields the content of each message."""
    with connect(f"ws{server.address[4:]}{path}", proxy=None) as socket:
        while True:
            yield json.loads(socket.recv(timeout=60))


def get(server: DeskServer, path: str, **headers: str) -> httpx.Response:
    """Requests `path` (below /api/v1/ unless `path` begins with "/"). Checks the response against the API's schema."""
    fields = {name.replace("_", "-"): text for name, text in headers.items()}
    address = server.address + (path if path.startswith("/") else f"/api/v1/{path}")
    return check_description(server.studio.app, server.web.get(address, headers=fields))


def post(server: DeskServer, path: str, token: str = TOKENS.control, **headers: str) -> httpx.Response:
    fields = {"authorization": f"Bearer {token}", **headers} if token else headers
    return check_description(server.studio.app, server.web.post(f"{server.address}/api/v1/desk/{path}", headers=fields))


def test_programs_read_what_viewers_see(show: DeskServer) -> None:
    welcome, snapshot = islice(receive(show, "/ws/show?after=999999"), 2)
    on_air = get(show, "on-air").json()  # "picture" is the state of the show, and not an image.
    assert (on_air["epoch"], on_air["picture"]) == (welcome["epoch"], snapshot["state"])
    assert {str(item["bot"]): item for item in get(show, "bots").json()["bots"]} == snapshot["state"]["bots"]
    assert get(show, "bots/2").json()["bot"] == snapshot["state"]["bots"]["2"]
    assert get(show, "statistics").json()["statistics"] == snapshot["state"]["statistics"]
    chips = [row["chips"] for row in get(show, "standings").json()["rows"]]
    assert chips == sorted((bot["stack"] for bot in snapshot["state"]["bots"].values()), reverse=True)
    index = get(show, "/live/main/index.json").json()
    assert [item["hand"] for item in get(show, "hands").json()["hands"]] == index["outline"]["hands"][1:]
    assert get(show, "hands/1").json() == get(show, f"/live/main/{index['epoch']}/1.seg").json()
    assert get(show, "hands/2").json() == get(show, f"/live/main/{index['epoch']}/open.json").json()
    assert get(show, "channels").json()["channels"][0]["last"] == index["last"]


def test_recordings_are_listed_searched_and_read_hand_by_hand(slow_show: DeskServer) -> None:
    (listed_recording,) = get(slow_show, "recordings").json()["recordings"]
    recording = get(slow_show, "recordings/one").json()
    assert recording["recording"] == listed_recording
    assert listed_recording["whole"] is True  # "whole": The recording has a champion.
    assert len(recording["hands"]) == listed_recording["hands"]
    assert [bot["place"] for bot in recording["bots"]] == list(range(1, listed_recording["bots"] + 1))
    hands = get(slow_show, "recorded-hands?pot=1").json()["hands"]
    assert hands[0]["pot"] == listed_recording["biggest"]
    assert get(slow_show, "recordings?bot=nobody").json()["recordings"] == []
    version = get(slow_show, "/films/one/index.json").json()["version"]
    for path in (f"{version}/1.seg", "tables/1/index.json", f"tables/1/{version}/1.seg"):
        assert get(slow_show, f"/films/one/{path}").status_code == 200, path


def test_response_is_sent_again_only_if_it_has_changed(slow_show: DeskServer, show: DeskServer) -> None:
    for path in (*READ_PATHS, "results", "recordings", "recordings/one", "openapi.json", "messages.json"):
        response = get(slow_show, path)
        second_response = get(slow_show, path, if_none_match=response.headers["etag"])
        assert (response.status_code, second_response.status_code, second_response.content) == (200, 304, b""), path
    old_tag = get(show, "on-air").headers["etag"]
    show.call_in_server(lambda: show.bus.publish(ControlSet("sound", value=False, was=True)))
    snapshots = (message["state"] for message in receive(show, "/api/v1/show?after=999999") if "state" in message)
    assert not all(state.get("desk", {}).get("sound", True) for state in snapshots)
    assert get(show, "on-air", if_none_match=old_tag).status_code == 200


def test_other_sites_read_the_api_but_press_nothing(show: DeskServer, slow_show: DeskServer, browser: Browser) -> None:
    page = browser.new_context(bypass_csp=True).new_page()
    page.goto(f"http://localhost:{slow_show.port}/healthz")  # To a browser, another port is another origin.
    api_address = f"{show.address}/api/v1"
    fetch_status = "async (at) => { const reply = await fetch(at); return [reply.status, reply.headers.has('etag')]; }"
    assert page.evaluate(fetch_status, f"{api_address}/standings") == [200, True]
    receive_first = "(at) => new Promise((done) => new WebSocket(at).onmessage = ({ data }) => done(data))"
    welcome = page.evaluate(receive_first, f"{api_address.replace('http', 'ws')}/show")
    assert json.loads(welcome)["type"] == "welcome"
    press_button = "([at, headers]) => fetch(at, { method: 'POST', headers }).then(String, () => 'refused')"
    token = {"authorization": f"Bearer {TOKENS.control}"}
    assert page.evaluate(press_button, [f"{api_address}/desk/press/pause", token]) == "refused"
    page.context.close()
    address, headers = f"{api_address}/standings", {"origin": FOREIGN_ORIGIN, "host": PUBLIC_ADDRESS}
    preflight = show.web.options(address, headers={**headers, "access-control-request-method": "POST"})
    assert (preflight.status_code, preflight.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
    assert show.web.get(address, headers=headers).headers["access-control-allow-origin"] == "*"
    assert show.web.post(address, headers=headers).status_code == 403
    assert post(show, "press/pause", origin=FOREIGN_ORIGIN, host=PUBLIC_ADDRESS).status_code == 403
    assert get(show, "desk", origin=FOREIGN_ORIGIN, **token).status_code == 403
    assert not show.done  # `done` lists the changes and cues from the desk.


def test_page_may_not_read_a_more_private_network(slow_show: DeskServer) -> None:
    """A website that the organiser visits cannot read a rehearsal on the organiser's machine."""
    for host, origin, may_read in (
        ("localhost", "http://localhost:3000", True),
        ("127.0.0.1", FOREIGN_ORIGIN, False),
        ("[::1]", "null", False),
        ("localhost", "http://localhost.club.example", False),
        ("127.0.0.1", "http://192.168.1.77", False),
        ("192.168.1.5", "http://192.168.1.77:8080", True),
        ("192.168.1.5", FOREIGN_ORIGIN, False),
        (PUBLIC_ADDRESS, FOREIGN_ORIGIN, True),
    ):
        response = get(slow_show, "standings", host=f"{host}:5000", origin=origin)
        assert (response.status_code == 200, "access-control-allow-origin" in response.headers) == (may_read, may_read)
        assert "Origin" in response.headers["vary"]
        status = handshake_status(slow_show, "/api/v1/show", {"host": f"{host}:5000", "origin": origin})
        assert status == (101 if may_read else 403)


def test_opened_api_lets_pages_of_any_site_read_but_change_nothing(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1), api_for_all=True) as server:
        for origin in (FOREIGN_ORIGIN, "null"):
            response = get(server, "standings", host="127.0.0.1:5000", origin=origin)
            assert (response.status_code, response.headers["access-control-allow-origin"]) == (200, "*")
            preflight = server.web.options(f"{server.address}/api/v1/standings", headers={"origin": origin})
            assert (preflight.status_code, preflight.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
            with connect(f"ws{server.address[4:]}/api/v1/show", origin=Origin(origin), proxy=None) as socket:
                assert json.loads(socket.recv(timeout=60))["type"] == "welcome"
            assert handshake_status(server, "/ws/show", make_headers(server, origin=origin)) == 403
            refused_responses = [
                get(server, "desk", origin=origin, authorization=f"Bearer {TOKENS.control}"),
                post(server, "press/pause", origin=origin),
                server.web.post(f"{server.address}/api/v1/standings", headers={"origin": origin}),
                server.web.options(f"{server.address}/api/v1/desk/press/pause", headers={"origin": origin}),
                server.web.get(f"{server.address}/results", headers={"origin": origin}),
            ]
            assert {response.status_code for response in refused_responses} == {403}
            assert not [response for response in refused_responses if "access-control-allow-origin" in response.headers]
        response = get(server, "standings", host="evil.example", origin="http://evil.example")
        assert response.status_code == 421
        assert not server.done


def test_invalid_query_or_desk_request_is_refused_with_the_reason(slow_show: DeskServer) -> None:
    for path, reason in (
        ("hands?since=-1", "since must be a whole number from 0 to 10000000, not '-1'"),
        ("hands/" + "9" * 5000, "the number of a hand must be a whole number"),
        ("hands/7", "This hand has not been on air, or is no longer kept: /api/v1/hands lists them."),
        ("bots/77", "There is no bot 77 in this show: /api/v1/bots lists them."),
        ("standings?channel=" + "x" * 5000, "There is no channel xxx"),
        ("recordings?page=x", "page must be a whole number from 0 to 100000, not 'x'"),
        ("recorded-hands?mark=lucky", "mark must be one of Upset, "),
        ("recordings/none", "There is no recording of that name here."),
    ):
        response = get(slow_show, path)
        assert response.status_code in (400, 404)
        assert reason in response.json()["error"]
        assert len(response.json()["error"]) < 400
    for path, status, reason in (
        ("press/dance", 404, "no such button: choose one of start, pause, next"),
        ("press/break?minutes=601", 400, "minutes must be a whole number from 0 to 600"),
        ("set/dance/on", 400, "no such control: 'dance'"),
        ("set/paused/maybe", 400, "paused must be on or off, not 'maybe'"),
        ("set/speed/nan", 400, "speed must be a number such as 1.5, not 'nan'"),
        ("set/chat/off", 400, "chat needs the number of a bot"),
        ("undo/9", 409, "this cannot be undone"),
        ("pages/x/explode", 404, "no such order: choose reload or sound"),
        ("pages/x/reload", 409, "this page is no longer open"),
        ("studio/dance", 404, "no such answer: choose one of unseen, wait, restart"),  # unseen: Play on without a show.
        ("studio/restart", 409, "The studio is here"),
    ):
        response = post(slow_show, path)
        assert (response.status_code, reason in response.json()["error"]) == (status, True), response.text


def test_messages_and_segments_match_their_schemas(show: DeskServer) -> None:
    validator, types = Draft202012Validator(messages_schema()), set()
    messages = receive(show, "/api/v1/show")
    while "heartbeat" not in types:  # The first heartbeat comes after all entries.
        message = next(messages)
        validator.validate(message)
        types.add(message["type"])
    assert {"welcome", "hand_started", "hole_dealt", "pot_awarded"} <= types
    for message in islice(receive(show, "/api/v1/show?after=999999"), 2):
        validator.validate(message)
    for name, path in (("Segment", "/api/v1/hands/1"), ("LiveIndex", "/live/main/index.json")):
        schema = {"$ref": f"#/$defs/{name}", "$defs": messages_schema()["$defs"]}
        Draft202012Validator(schema).validate(get(show, path).json())
    entry = {"seq": 1, "at_ms": 0, "hold_ms": 0}
    assert validator.is_valid({**entry, "type": "caption_spoken", "text": "All in."})
    for event in ({"type": "caption_spoken"}, {"type": "caption_spoken", "text": 1}, {"type": "card_shown"}):
        assert not validator.is_valid({**entry, **event})


def test_served_descriptions_keep_every_field_that_was_promised(show: DeskServer) -> None:
    for file, path in (("api-v1.json", "openapi.json"), ("messages-v1.json", "messages.json")):
        assert not [*broken_parts(json.loads((ASSETS / "schemas" / file).read_text()), get(show, path).json())]
    schema: dict[str, Any] = {"description": "One.", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    wider_schema = schema | {"description": "Two.", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
    assert not [*broken_parts(schema, wider_schema)]
    assert [*broken_parts(wider_schema, schema)] == ["/properties/b"]
    assert [*broken_parts(schema, schema | {"properties": {"a": {"type": "string"}}})] == ["/properties/a/type"]
    assert [*broken_parts(schema, schema | {"required": []})] == ["/required/a"]


def test_reference_page_lists_every_route_and_explains_every_link(show: DeskServer) -> None:
    page = get(show, "", accept="text/html").text
    description = get(show, "openapi.json").json()
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    routes = [f"{method.upper()} {path}" for path, item in description["paths"].items() for method in item]
    assert not [route for route in routes if route not in text]
    assert set(re.findall(r'href="#([^"]+)"', page)) <= {*description["components"]["schemas"]}


def test_only_the_control_token_changes_anything_at_the_desk(show: DeskServer) -> None:
    response = get(show, "desk")
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    for header in ("", "Bearer", f"Basic {TOKENS.control}", f"Bearer {TOKENS.control}x", "Bearer " + "x" * 5000):
        assert get(show, "desk", authorization=header).status_code == 401
    assert show.web.get(f"{show.address}/api/v1/desk?token={TOKENS.control}").status_code == 401
    assert get(show, "desk", authorization=f"Bearer {TOKENS.view}").status_code == 200
    assert post(show, "press/pause", "").status_code == 401
    assert post(show, "press/pause", TOKENS.view).status_code == 403
    assert not show.done
    assert get(show, "desk/studio", authorization=f"Bearer {TOKENS.view}").status_code == 404, "the studio is running"
    assert post(show, "press/pause").json()["said"] == "paused the show"
    show.printed = "KeyError: 'pot'"
    for token in (TOKENS.control, TOKENS.view):
        response = get(show, "desk", authorization=f"bearer {token}")
        assert response.json()["lit"] == ["pause"]
        assert "KeyError" not in response.text, "the API must not reveal the output of bots"


def test_desk_request_takes_effect_under_its_operators_name(show: DeskServer) -> None:
    show.web.post(f"{show.address}/api/page-report", json={"page": "overlay", "id": "x"})
    for path in (
        "pages/x/reload", "set/paused/on", "set/speed/1.5", "set/card/break%20until%2021:15%20CET", "set/card/none",
        "set/chat/off?bot=3", "undo/0?operator=Ann", "press/faster", "press/break?minutes=10", "press/break",
        "press/best",
    ):  # fmt: skip
        assert post(show, path).status_code == 200, path
    changes = [(event.control, event.value) if isinstance(event, ControlSet) else event.cue for event in show.done]
    timed_break = changes.pop(7)
    assert (timed_break[0], str(timed_break[1])[:12]) == ("card", "break until ")
    assert changes == [
        ("paused", True), ("speed", 1.5), ("card", "break until 21:15 CET"), ("card", ""), ("chat", False),
        ("chat", True), ("speed", 2.0), ("card", ""), "best",
    ]  # fmt: skip
    assert (show.done[0].operator, show.done[5].operator) == ("remote", "Ann")


def test_nothing_can_be_stopped_once_the_tournament_is_over(tmp_path: Path) -> None:
    with DeskServer(tmp_path, [entry.event for entry in small_contest()], speed=1000.0) as server:
        while get(server, "desk", authorization=f"Bearer {TOKENS.view}").json()["scene"] != "champion":
            pass
        for path in ("press/pause", "press/hold", "press/end", "set/paused/on", "set/unseen/on"):
            response = post(server, path)
            assert (response.status_code, response.json()["error"][:22]) == (409, "the tournament is over")
        assert post(server, "set/paused/off").json()["said"] == "already set"
        assert post(server, "press/break").status_code == 200


def test_buttons_of_the_api_act_and_light_up_like_those_of_the_desk(node: Node) -> None:
    code = """async ([name, controls], load) => {
      const { BUTTONS } = await load("/static/js/desk/buttons.js");
      const stage = { number: 1, title: "The Trials", follows: "", ended: false };
      const desk = { controls, stage, status: { pace: 1 }, undo: { number: 7, words: "x" } };
      return [Object.keys(BUTTONS), BUTTONS[name].act(desk, 0), BUTTONS[name].face(desk).on === true];
    }"""
    switches = ("paused", "held", "governed", "graphics", "sound", "thoughts", "stage_end")
    states = [{}, {"view": "table"}, {"view": "held"}, *({name: not getattr(Controls(), name)} for name in switches)]
    states += [{"card": card} for card in ("break", "break until 21:15 CET", "technical")]
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
