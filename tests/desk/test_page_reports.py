"""Reports from the show's pages: which are trusted as the operator's pages, and which reports are refused."""

import json
import secrets

import pytest

from tests.desk.desk_server import TOKENS, DeskServer
from tests.desk.http_requests import ask, cookie, headers

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
def test_only_this_machine_and_token_holders_are_trusted_as_the_operators_pages(
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
def test_report_beyond_its_limits_is_refused(server: DeskServer, wrong: dict[str, object]) -> None:
    body = json.dumps({"page": "overlay", "id": "wrong"} | wrong).encode()
    assert ask(server, "POST", "/api/page-report", headers(server), body).status_code == 400
