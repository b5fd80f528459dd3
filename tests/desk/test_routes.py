"""Each route of the studio (a show's server) is open only to visitors with the right to it. KINDS lists all routes."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import pytest

from broadcast.web import request_checks
from broadcast.web.access import Right, Tokens
from broadcast.web.connections import http_connection
from tests.desk.desk_server import TOKENS, DeskServer, ask, cookie, handshake_status, make_headers
from tests.support.public_pages import PUBLIC_ADDRESSES
from tests.web.stranger_connections import call, read_to_end, send_repeatedly

PAGE_REPORT = b'{"page": "overlay", "id": "x"}'
# The status of each kind of route: without a token, with the view token, with the control token, and with a wrong Host.
STATUSES: dict[str, tuple[int, int, int, int]] = {
    "page": (200, 200, 200, 421),
    "redirect": (307, 307, 307, 421),
    "folder": (404, 404, 404, 421),
    "recording": (404, 404, 404, 421),
    "check-in": (200, 200, 200, 200),
    "report": (200, 200, 200, 421),
    "socket": (101, 101, 101, 421),
    "desk": (403, 200, 200, 421),
    "desk socket": (403, 101, 101, 421),
    "desk change": (403, 403, 200, 421),
    "booth change": (403, 200, 200, 421),
    "booth change of a missing note": (403, 409, 409, 421),
    "desk change without OBS": (403, 403, 409, 421),
    "api of a missing recording": (404, 404, 404, 421),
    "api of a malformed number": (400, 400, 400, 421),
    "api socket": (101, 101, 101, 421),
    "remote": (401, 401, 401, 421),  # Remote controls ignore cookies, in which this test sends its token.
}
KINDS: dict[str, tuple[str, ...]] = {
    "page": (*(path for path in PUBLIC_ADDRESSES if "{" not in path and path != "/guide"), "/metrics"),
    "recording": tuple(path for path in PUBLIC_ADDRESSES if "{" in path and not path.startswith(("/api/", "/own/"))),
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
    "booth change of a missing note": ("/api/booth/erase",),
    "desk change": ("/api/desk/set", "/api/desk/cue", "/api/desk/undo", "/api/desk/page"),
    "api of a malformed number": ("/api/v1/bots/{bot}", "/api/v1/hands/{number}"),
    "api of a missing recording": ("/api/v1/recordings/{recording:path}",),
    "api socket": ("/api/v1/show",),
    "remote": (
        "/api/v1/desk", "/api/v1/desk/press/{button}", "/api/v1/desk/set/{control}/{value}",
        "/api/v1/desk/undo/{number}", "/api/v1/desk/pages/{page}/{order}", "/api/v1/desk/studio",
        "/api/v1/desk/studio/{given}",
    ),
}  # fmt: skip
POST_BODIES = {
    "/register": b'{"name": "Billy the Kid"}',
    "/api/page-report": PAGE_REPORT,
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
ROUTES = {path: (kind, POST_BODIES.get(path, b"")) for kind, paths in KINDS.items() for path in paths}


@pytest.fixture(autouse=True)
def something_to_undo_and_a_page_to_reload(server: DeskServer) -> None:
    ask(server, "POST", "/api/desk/set", json_headers(server, "control"), b'{"control": "held", "value": false}')
    ask(server, "POST", "/api/desk/set", json_headers(server, "control"), b'{"control": "held", "value": true}')
    ask(server, "POST", "/api/page-report", json_headers(server, ""), PAGE_REPORT)


def json_headers(server: DeskServer, right: Right, **changed: str) -> dict[str, str]:
    return make_headers(server, right, **({"content_type": "application/json"} | changed))


def request_route(server: DeskServer, path: str, right: Right, **changed: str) -> int:
    kind, body = ROUTES[path]
    if kind.endswith("socket"):
        return handshake_status(server, path, make_headers(server, right, **changed))
    if body:
        return ask(server, "POST", path, json_headers(server, right, **changed), body).status_code
    address = f"{path}/" if kind == "folder" else path
    return ask(server, "GET", address, make_headers(server, right, **changed)).status_code


@pytest.mark.parametrize("path", ROUTES)
def test_route_is_open_only_to_visitors_with_the_right(path: str, server: DeskServer) -> None:
    expected = STATUSES[ROUTES[path][0]]
    statuses = [request_route(server, path, right) for right in get_args(Right)]
    statuses.append(request_route(server, path, "control", host="evil.example", origin=""))
    assert tuple(statuses) == expected
    assert request_route(server, path, "control", origin="http://elsewhere.example") == 403
    if path == "/ws/desk":
        assert request_route(server, path, "control", origin="") == 403
    guessed_cookie = f"desk_{server.port}=0123456789abcdef"
    assert request_route(server, path, "", cookie=guessed_cookie) == expected[0], "a wrong token must count as no token"
    rebound_host = f"evil.example:{server.port}"
    assert request_route(server, path, "control", host=rebound_host, origin=f"http://{rebound_host}") == 421


@pytest.mark.parametrize("path", [path for path, (kind, _) in ROUTES.items() if kind.startswith("desk change")])
def test_change_must_be_a_json_post_from_the_desks_own_page(path: str, server: DeskServer) -> None:
    body = ROUTES[path][1]
    assert ask(server, "GET", path, make_headers(server, "control")).status_code == 405
    assert request_route(server, path, "control", origin="") == 403
    assert request_route(server, path, "control", origin="null") == 403
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = json_headers(server, "control", content_type=content_type)
        assert ask(server, "POST", path, headers, body).status_code == 415


@pytest.mark.parametrize("path", [path for path in POST_BODIES if path not in ("/api/setup/scenes", *KINDS["remote"])])
def test_malformed_body_is_answered_with_a_reason(path: str, server: DeskServer) -> None:
    for body in (b"", b"{", b"[]", b"null", b"\xff", b'{"a": 1}', b"[" * 5000, b'{"control": "\\ud800"}'):
        response = ask(server, "POST", path, json_headers(server, "control"), body)
        assert response.status_code == 400, body
        assert json.loads(response.content)["error"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "10.0.0.7", "[::1]", "saloon.example", "SALOON.example"])
def test_host_may_be_an_address_or_a_configured_name(host: str, server: DeskServer) -> None:
    address = f"{host}:{server.port}"
    for origin in ("", f"http://{address.lower()}"):
        assert ask(server, "GET", "/", make_headers(server, host=address, origin=origin)).status_code == 200


def test_other_hosts_are_refused_with_a_reason(server: DeskServer) -> None:
    for host in ("x y", "evil.example", "127.0.0.1.evil.example", "[::1", "[::1].evil.example", "a@127.0.0.1"):
        response = ask(server, "GET", "/", make_headers(server, host=host, origin=""))
        assert response.status_code in (400, 421), host
        assert response.text.strip()


def test_every_route_of_the_application_is_listed(server: DeskServer) -> None:
    assert {route.path for route in flatten_routes(server.studio.app.router.routes)} == set(ROUTES)


def flatten_routes(routes: Iterable[Any]) -> Iterator[Any]:
    """Yields every route, including those of included routers."""
    for route in routes:
        included = getattr(route, "original_router", None)
        yield from flatten_routes(included.routes) if included is not None else (route,)


def test_cookie_of_a_token_is_hidden_from_scripts_and_other_sites(server: DeskServer) -> None:
    response = ask(server, "GET", f"/control?token={TOKENS.control}", make_headers(server, origin=""))
    assert (response.status_code, response.headers["location"]) == (303, "/control")
    cookie = response.headers["set-cookie"]
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert TOKENS.control not in cookie
    page = ask(server, "GET", "/control", make_headers(server, origin="", cookie=cookie.partition(";")[0]))
    assert page.status_code == 200
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    cookies = make_headers(server, cookie=f"desk_{server.port}=foreign; {cookie.partition(';')[0]}")
    assert ask(server, "GET", "/control", cookies).status_code == 200, "our cookie must be found beside a foreign one"


@pytest.mark.parametrize("token", ["wrong", "%00", "%ff", "", "control-in-tests ", "CONTROL-IN-TESTS", "x" * 2000])
def test_wrong_token_is_refused_with_a_reason_and_sets_no_cookie(token: str, server: DeskServer) -> None:
    response = ask(server, "GET", f"/control?token={token}", make_headers(server, origin=""))
    assert response.status_code == 403
    assert "token=…" in response.text
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize(("control", "view"), [("short", "x" * 20), ("x" * 20, ""), ("x" * 20, "x" * 20)])
def test_short_or_equal_tokens_are_refused(control: str, view: str) -> None:
    with pytest.raises(ValueError, match="token"):
        Tokens(control, view)


@pytest.mark.parametrize("path", ["/register", "/api/page-report", "/healthz", "/nothing"])
def test_connection_with_an_endless_body_is_closed(path: str, server: DeskServer) -> None:
    many_bytes = 40_000_000
    with call(server.port, "127.0.0.1") as stranger:
        stranger.sendall(write_head(server, path, "Transfer-Encoding: chunked"))
        assert send_repeatedly(stranger, b"1000\r\n" + b"x" * 4096 + b"\r\n", many_bytes) < many_bytes


@pytest.mark.parametrize("path", ["/register", "/api/page-report", "/api/desk/set"])
def test_body_over_8_kib_is_refused_with_a_reason(path: str, server: DeskServer) -> None:
    longest_body = b'{"name": "Ada"}'.ljust(request_checks.MAX_BODY_BYTES)
    assert server.web.post(f"{server.address}/register", content=longest_body).status_code == 200
    with call(server.port, "127.0.0.1") as stranger:
        stranger.sendall(write_head(server, path, "Content-Length: 9000") + b"x" * 9000)
        response = read_to_end(stranger)
    expected_status = b"403" if path == "/api/desk/set" else b"413"
    assert expected_status in response.splitlines()[0]
    assert b'"error"' in response


def test_body_that_never_arrives_times_out(server: DeskServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_checks, "BODY_SECONDS", 0.2)
    for path in ("/register", "/api/page-report", "/healthz", "/api/desk/set"):
        with call(server.port, "127.0.0.1") as stranger:
            stranger.sendall(write_head(server, path, "Content-Length: 10") + b"x")
            assert re.match(rb"HTTP/1.1 (403|408) ", read_to_end(stranger)), path


def test_connection_with_an_incomplete_head_is_closed(server: DeskServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "HEAD_SECONDS", 0.2)
    for head in (b"", b"GET /control HTTP/1.1\r\nHo", b"GET /healthz HTTP/1.1\r\nHost: nobody\r\n"):
        with call(server.port, "127.0.0.1") as stranger:
            stranger.sendall(head)
            assert b"200" not in read_to_end(stranger), head


def write_head(server: DeskServer, path: str, *more: str) -> bytes:
    lines = (f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Content-Type: application/json", *more, "", "")
    return "\r\n".join(lines).encode()


def test_page_opened_by_a_link_on_another_site_is_reloaded(server: DeskServer) -> None:
    """A browser omits the cookie after a click on another site. When it reloads the page, it sends the cookie."""
    headers_from_link = make_headers(server, origin="", sec_fetch_site="cross-site")
    assert ask(server, "GET", "/control", headers_from_link).headers["refresh"] == "0"
    assert "refresh" not in ask(server, "GET", "/control", make_headers(server, sec_fetch_site="same-origin")).headers


def test_page_report_is_trusted_only_from_this_machine_or_with_a_token(server: DeskServer) -> None:
    forwarded_headers, view_cookie = {"x-forwarded-for": "203.0.113.9"}, {"cookie": cookie(server, "view")}
    rows: list[tuple[str, dict[str, str], bool]] = [
        ("", {}, True),
        ("", forwarded_headers, False),
        ("", {"forwarded": "for=203.0.113.9"}, False),
        ("", {"x-real-ip": "203.0.113.9"}, False),
        ("?token=guessed-token-of-a-stranger", forwarded_headers, False),
        (f"?token={TOKENS.view}", forwarded_headers, True),
        ("", forwarded_headers | view_cookie, True),
    ]
    for number, (query, more_headers, is_trusted) in enumerate(rows):
        headers = make_headers(server, content_type="application/json") | more_headers
        body = json.dumps({"page": "overlay", "id": f"report {number}"}).encode()
        assert ask(server, "POST", f"/api/page-report{query}", headers, body).json() == {"order": ""}
        reports = server.call_in_server(server.studio.pages.reports)
        assert {page.report.id: page.is_ours for page in reports}[f"report {number}"] is is_trusted, more_headers


def test_page_report_beyond_the_limits_is_refused(server: DeskServer) -> None:
    rows: list[dict[str, object]] = [
        {"frames": 10**9}, {"frames": -1}, {"seq": -1}, {"seq": 1 << 60}, {"level": 1e300}, {"id": "x" * 41},
        {"channel": "x" * 81}, {"obs": {"version": "x" * 41}}, {"page": "watch"}, {"more": 1},
    ]  # fmt: skip
    for wrong_fields in rows:
        body = json.dumps({"page": "overlay", "id": "wrong"} | wrong_fields).encode()
        assert ask(server, "POST", "/api/page-report", make_headers(server), body).status_code == 400, wrong_fields
