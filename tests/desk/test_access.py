"""Only holders of a token get into the desk, requests have limits, and foreign page reports are not trusted."""

import json
import re
import secrets
from contextlib import ExitStack
from pathlib import Path

import pytest

from broadcast.web import request_checks
from broadcast.web.access import Tokens
from broadcast.web.connections import http_connection
from tests.desk.desk_server import TOKENS, DeskServer, ask, contest_events, cookie, headers
from tests.web.stranger_connections import call, pour, read_to_end

MANY_BYTES = 40_000_000


def exchange(server: DeskServer, token: str) -> tuple[int, str, str]:
    """Returns the status, new address and cookie that a browser gets for a token."""
    answer = ask(server, "GET", f"/control?token={token}", headers(server, origin=""))
    return answer.status_code, answer.headers.get("location", ""), answer.headers.get("set-cookie", "")


def test_token_becomes_a_cookie_that_no_script_or_other_site_can_use(server: DeskServer) -> None:
    status, address, cookie = exchange(server, TOKENS.control)
    assert (status, address) == (303, "/control")
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert TOKENS.control not in cookie
    page = ask(server, "GET", "/control", headers(server, origin="", cookie=cookie.partition(";")[0]))
    assert page.status_code == 200
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    both = headers(server, cookie=f"desk_{server.port}=foreign; {cookie.partition(';')[0]}")
    assert ask(server, "GET", "/control", both).status_code == 200, "a foreign cookie before ours must lock nobody out"


@pytest.mark.parametrize("token", ["wrong", "%00", "%ff", "", "control-in-tests ", "CONTROL-IN-TESTS", "x" * 2000])
def test_wrong_token_is_refused_with_a_reason_and_sets_no_cookie(token: str, server: DeskServer) -> None:
    answer = ask(server, "GET", f"/control?token={token}", headers(server, origin=""))
    assert answer.status_code == 403
    assert "token=…" in answer.text
    assert "set-cookie" not in answer.headers


def test_cookie_stays_valid_after_the_studio_restarts(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as first:
        cookie = exchange(first, TOKENS.control)[2].partition(";")[0]
        port = first.port
    with DeskServer(tmp_path, contest_events(hands=1), port=port) as second:
        assert ask(second, "GET", "/control", headers(second, cookie=cookie)).status_code == 200


@pytest.mark.parametrize(("control", "view"), [("short", "x" * 20), ("x" * 20, ""), ("x" * 20, "x" * 20)])
def test_short_or_equal_tokens_are_refused(control: str, view: str) -> None:
    with pytest.raises(ValueError, match="token"):
        Tokens(control, view)


@pytest.mark.parametrize("path", ["/register", "/api/page-report", "/healthz", "/nothing"])
def test_connection_with_an_endless_body_is_closed(path: str, server: DeskServer) -> None:
    with call(server.port, "127.0.0.1") as stranger:
        stranger.sendall(head(server, path, "Transfer-Encoding: chunked"))
        assert pour(stranger, b"1000\r\n" + b"x" * 4096 + b"\r\n", MANY_BYTES) < MANY_BYTES


@pytest.mark.parametrize("path", ["/register", "/api/page-report", "/api/desk/set"])
def test_body_of_8_kib_is_read_and_a_longer_one_refused_with_a_reason(path: str, server: DeskServer) -> None:
    longest = b'{"name": "Ada"}'.ljust(request_checks.MAX_BODY_BYTES)
    assert server.web.post(f"{server.address}/register", content=longest).status_code == 200
    with call(server.port, "127.0.0.1") as stranger:
        stranger.sendall(head(server, path, "Content-Length: 9000") + b"x" * 9000)
        answer = read_to_end(stranger)
    expected = b"403" if path == "/api/desk/set" else b"413"
    assert expected in answer.splitlines()[0]
    assert b'"error"' in answer


def test_body_that_never_arrives_times_out(server: DeskServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_checks, "BODY_SECONDS", 0.5)
    paths = ("/register", "/api/page-report", "/healthz", "/api/desk/set")
    with ExitStack() as lines:
        strangers = {path: lines.enter_context(call(server.port, "127.0.0.1")) for path in paths}
        for path, stranger in strangers.items():
            stranger.sendall(head(server, path, "Content-Length: 10") + b"x")
        for path, stranger in strangers.items():
            assert re.match(rb"HTTP/1.1 (403|408) ", read_to_end(stranger)), path


def test_connection_with_an_incomplete_head_or_none_is_closed(
    server: DeskServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "HEAD_SECONDS", 0.5)
    halves = (b"", b"GET /control HTTP/1.1\r\nHo", b"GET /healthz HTTP/1.1\r\nHost: nobody\r\n")
    with ExitStack() as lines:
        strangers = {part: lines.enter_context(call(server.port, "127.0.0.1")) for part in halves}
        for part, stranger in strangers.items():
            stranger.sendall(part)
        for part, stranger in strangers.items():
            assert b"200" not in read_to_end(stranger), part


def head(server: DeskServer, path: str, *more: str) -> bytes:
    lines = (f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Content-Type: application/json", *more, "", "")
    return "\r\n".join(lines).encode()


def test_page_opened_by_a_link_on_another_site_is_reloaded(server: DeskServer) -> None:
    """Browsers send the cookie only with the reload, because the first request comes from another site."""
    from_link = headers(server, origin="", sec_fetch_site="cross-site")
    assert ask(server, "GET", "/control", from_link).headers["refresh"] == "0"
    assert "refresh" not in ask(server, "GET", "/control", headers(server, sec_fetch_site="same-origin")).headers


IN_OBS = {"version": "2.18.6", "streaming": True, "recording": True}


@pytest.mark.parametrize(
    ("query", "sent", "counts"),
    [
        ("", {}, True),
        ("", {"x-forwarded-for": "203.0.113.9"}, False),
        ("", {"forwarded": "for=203.0.113.9"}, False),
        ("", {"x-real-ip": "203.0.113.9"}, False),
        ("?token=guessed-token-of-a-stranger", {"x-forwarded-for": "203.0.113.9"}, False),
        (f"?token={TOKENS.view}", {"x-forwarded-for": "203.0.113.9"}, True),
        ("", {"x-forwarded-for": "203.0.113.9", "cookie": "view"}, True),
    ],
)
def test_page_reports_are_trusted_only_from_this_machine_and_token_holders(
    server: DeskServer, query: str, sent: dict[str, str], counts: bool
) -> None:
    if "cookie" in sent:
        sent = sent | {"cookie": cookie(server, "view")}
    name = secrets.token_hex(4)
    body = json.dumps({"page": "overlay", "id": name, "frames": 60, "obs": IN_OBS}).encode()
    sent = headers(server, content_type="application/json") | sent
    assert ask(server, "POST", f"/api/page-report{query}", sent, body).json() == {"order": ""}
    reports = server.call_in_server(server.studio.pages.reports)
    assert {page.report.id: page.ours for page in reports}[name] is counts


@pytest.mark.parametrize(
    "wrong",
    [
        {"frames": 10**9}, {"frames": -1}, {"seq": -1}, {"seq": 1 << 60}, {"level": 1e300}, {"id": "x" * 41},
        {"channel": "x" * 81}, {"obs": {"version": "x" * 41}}, {"page": "watch"}, {"more": 1},
    ],
)  # fmt: skip
def test_page_report_beyond_the_limits_is_refused(server: DeskServer, wrong: dict[str, object]) -> None:
    body = json.dumps({"page": "overlay", "id": "wrong"} | wrong).encode()
    assert ask(server, "POST", "/api/page-report", headers(server), body).status_code == 400
