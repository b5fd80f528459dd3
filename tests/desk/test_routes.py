"""Every route of the studio is open only to visitors with the right to it. A new route needs a row in KINDS."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from broadcast.web.access import Right
from tests.desk.desk_server import DeskServer, ask, handshake_status, headers

FOREIGN = "http://elsewhere.example"
REPORT = b'{"page": "overlay", "id": "x"}'
# For each kind of route: the status without a token, with the view token, with the control token, with a wrong Host,
# and with a foreign Origin.
EXPECTED: dict[str, tuple[int, int, int, int, int]] = {
    "page": (200, 200, 200, 421, 403),
    "redirect": (307, 307, 307, 421, 403),
    "folder": (404, 404, 404, 421, 403),
    "recording": (404, 404, 404, 421, 403),
    "check-in": (200, 200, 200, 200, 403),
    "report": (200, 200, 200, 421, 403),
    "socket": (101, 101, 101, 421, 403),
    "desk": (403, 200, 200, 421, 403),
    "desk socket": (403, 101, 101, 421, 403),
    "desk change": (403, 403, 200, 421, 403),
    "booth change": (403, 200, 200, 421, 403),
    "booth change of nothing": (403, 409, 409, 421, 403),
    "desk change without OBS": (403, 403, 409, 421, 403),
    "api": (200, 200, 200, 421, 200),
    "api of nothing": (404, 404, 404, 421, 404),
    "api of no number": (400, 400, 400, 421, 400),
    "api socket": (101, 101, 101, 421, 101),
    "remote": (401, 401, 401, 421, 403),  # such requests carry cookies, which do not count on these routes
}
KINDS: dict[str, tuple[str, ...]] = {
    "page": (
        "/", "/overlay", "/projector", "/watch", "/healthz", "/favicon.ico", "/results", "/results.json", "/recordings",
        "/previews.png", "/verify", "/metrics",
    ),
    "recording": (
        "/bots/{name:path}", "/guide/{name:path}", "/recordings/{recording:path}", "/recordings/{recording:path}.jsonl",
        "/previews/{recording:path}.png", "/verify/{recording:path}", "/replay/{recording:path}",
        "/films/{recording:path}/index.json", "/films/{recording:path}/{version}/{number}.seg",
        "/films/{recording:path}/tables/{table}/index.json",
        "/films/{recording:path}/tables/{table}/{version}/{number}.seg",
        "/live/{channel}/index.json", "/live/{channel}/{epoch}/open.json", "/live/{channel}/{epoch}/{number}.seg",
        "/live/{channel}/{epoch}/{number}.hands",
    ),
    "redirect": ("/guide",),
    "folder": (
        "/static/art", "/static/css", "/static/js", "/assets/avatars", "/assets/fonts", "/assets/particles",
        "/assets/sounds", "/media",
    ),
    "check-in": ("/register",),
    "report": ("/api/page-report",),
    "socket": ("/ws/show",),
    "desk": ("/control", "/setup", "/booth", "/setup/obs.json", "/api/setup"),
    "desk change without OBS": ("/api/setup/scenes",),
    "desk socket": ("/ws/desk", "/ws/booth"),
    "booth change": ("/api/booth/tell", "/api/booth/note", "/api/booth/tick"),
    "booth change of nothing": ("/api/booth/erase",),
    "desk change": ("/api/desk/set", "/api/desk/cue", "/api/desk/undo", "/api/desk/page"),
    "api": (
        "/api/v1/", "/api/v1/openapi.json", "/api/v1/messages.json", "/api/v1/channels", "/api/v1/on-air",
        "/api/v1/standings", "/api/v1/schedule", "/api/v1/bots", "/api/v1/hands", "/api/v1/statistics", "/api/v1/luck",
        "/api/v1/results", "/api/v1/recordings", "/api/v1/recorded-hands",
    ),
    "api of no number": ("/api/v1/bots/{bot}", "/api/v1/hands/{number}"),
    "api of nothing": ("/api/v1/recordings/{recording:path}",),
    "api socket": ("/api/v1/show",),
    "remote": (
        "/api/v1/desk", "/api/v1/desk/press/{button}", "/api/v1/desk/set/{control}/{value}",
        "/api/v1/desk/undo/{number}", "/api/v1/desk/pages/{page}/{order}", "/api/v1/desk/studio",
        "/api/v1/desk/studio/{given}",
    ),
}  # fmt: skip
"""The routes of each kind."""
BODIES = {
    "/register": b'{"name": "Billy the Kid"}',
    "/api/page-report": REPORT,
    "/api/setup/scenes": b"{}",
    "/api/booth/tell": b'{"key": ""}',
    "/api/booth/note": b'{"text": "Ask about the feathers."}',
    "/api/booth/erase": b'{"number": 99}',
    "/api/booth/tick": b'{"item": 0, "done": true}',
    "/api/desk/set": b'{"control": "held", "value": true}',
    "/api/desk/cue": b'{"cue": "next"}',
    "/api/desk/undo": b"{}",
    "/api/desk/page": b'{"page": "x", "order": "reload"}',
    **dict.fromkeys((path for path in KINDS["remote"] if path not in ("/api/v1/desk", "/api/v1/desk/studio")), b"{}"),
}
"""The body that is posted to each of these routes. All other routes are read with GET."""
ROUTES = {path: (kind, BODIES.get(path, b"")) for kind, paths in KINDS.items() for path in paths}
RIGHTS: tuple[Right, ...] = ("", "view", "control")


@pytest.fixture(autouse=True)
def something_to_undo_and_a_page_to_reload(server: DeskServer) -> None:
    ask(server, "POST", "/api/desk/set", json_headers(server, "control"), b'{"control": "held", "value": false}')
    ask(server, "POST", "/api/desk/set", json_headers(server, "control"), b'{"control": "held", "value": true}')
    ask(server, "POST", "/api/page-report", json_headers(server, ""), REPORT)


def json_headers(server: DeskServer, right: Right, **changed: str) -> dict[str, str]:
    return headers(server, right, **({"content_type": "application/json"} | changed))


def try_route(server: DeskServer, path: str, right: Right, **changed: str) -> int:
    kind, body = ROUTES[path]
    if kind.endswith("socket"):
        return handshake_status(server, path, headers(server, right, **changed))
    if body:
        return ask(server, "POST", path, json_headers(server, right, **changed), body).status_code
    return ask(server, "GET", f"{path}/" if kind == "folder" else path, headers(server, right, **changed)).status_code


@pytest.mark.parametrize("path", ROUTES)
def test_route_admits_only_visitors_with_the_right(path: str, server: DeskServer) -> None:
    expected = EXPECTED[ROUTES[path][0]]
    statuses = [try_route(server, path, right) for right in RIGHTS]
    statuses.append(try_route(server, path, "control", host="evil.example", origin=""))
    statuses.append(try_route(server, path, "control", origin=FOREIGN))
    if path == "/ws/desk":
        assert try_route(server, path, "control", origin="") == 403
    if path.startswith("/api/v1/"):
        expected = (*expected[:4], 403)  # a page on the internet requests a server on this machine
    assert tuple(statuses) == expected
    wrong = f"desk_{server.port}=0123456789abcdef"
    assert try_route(server, path, "", cookie=wrong) == expected[0], "a wrong token must open no more than no token"
    rebound = f"evil.example:{server.port}"
    assert try_route(server, path, "control", host=rebound, origin=f"http://{rebound}") == 421


@pytest.mark.parametrize("path", [path for path, (kind, _) in ROUTES.items() if kind.startswith("desk change")])
def test_change_must_be_a_json_post_from_the_desks_own_page(path: str, server: DeskServer) -> None:
    body = ROUTES[path][1]
    assert ask(server, "GET", path, headers(server, "control")).status_code == 405
    assert try_route(server, path, "control", origin="") == 403
    assert try_route(server, path, "control", origin="null") == 403
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        sent = json_headers(server, "control", content_type=content_type)
        assert ask(server, "POST", path, sent, body).status_code == 415


@pytest.mark.parametrize(
    "path",
    [path for path, (kind, body) in ROUTES.items() if body and kind not in ("desk change without OBS", "remote")],
)
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff", b'{"a": 1}', b"[" * 5000, b'{"control": "\\ud800"}']
)
def test_malformed_body_is_answered_with_a_reason(path: str, body: bytes, server: DeskServer) -> None:
    answer = ask(server, "POST", path, json_headers(server, "control"), body)
    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "10.0.0.7", "[::1]", "saloon.example", "SALOON.example"])
def test_host_may_be_an_address_or_a_configured_name(host: str, server: DeskServer) -> None:
    named = f"{host}:{server.port}"
    assert ask(server, "GET", "/", headers(server, host=named, origin="")).status_code == 200
    assert ask(server, "GET", "/", headers(server, host=named, origin=f"http://{named.lower()}")).status_code == 200


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example", "[::1", "[::1].evil.example", "a@127.0.0.1"]
)
def test_other_hosts_are_refused_with_a_reason(host: str, server: DeskServer) -> None:
    answer = ask(server, "GET", "/", headers(server, host=host or "x y", origin=""))
    assert answer.status_code in (400, 421)
    assert answer.text.strip()


def test_every_route_of_the_application_has_a_row(server: DeskServer) -> None:
    assert {route.path for route in flat(server.studio.app.router.routes)} == set(ROUTES)


def flat(routes: Iterable[Any]) -> Iterator[Any]:
    """All routes, including the routes of included routers."""
    for route in routes:
        included = getattr(route, "original_router", None)
        yield from flat(included.routes) if included is not None else (route,)
