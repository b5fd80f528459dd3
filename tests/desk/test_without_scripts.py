"""Pages in a browser without scripts, and health checks of proxies."""

import re
import socket

import pytest
from playwright.sync_api import Browser, expect

from tests.desk.desk_server import DeskServer
from tests.overlay.support.scripted_show import NAMES


@pytest.mark.parametrize("path", ["", "watch", "projector", "overlay", "bots/Annie%20Oddsley"])
def test_page_without_scripts_says_so_and_lists_the_standings(server: DeskServer, browser: Browser, path: str) -> None:
    with browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{server.address}/{path}")
        expect(page.locator(".plain p")).to_be_visible()
        rows = page.locator(".plain li")
        assert rows.count() == len(NAMES)
        assert any(re.fullmatch(r"Annie Oddsley: [\d,]+ chips", row) for row in rows.all_inner_texts())
        assert "starts here" not in page.inner_text("body")


def test_proxys_health_check_without_a_host_is_answered(server: DeskServer) -> None:
    assert _status(server, b"GET /healthz HTTP/1.0\r\n\r\n") == b"200"
    assert _status(server, b"GET /healthz HTTP/1.0\r\nHost: evil.example\r\n\r\n") == b"421"
    assert _status(server, b"GET /healthz HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n") == b"403"
    assert _status(server, b"GET /control HTTP/1.0\r\n\r\n") == b"403"
    assert _status(server, b"GET /healthz HTTP/1.1\r\n\r\n") == b"400"


def _status(server: DeskServer, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), 60) as line:
        line.sendall(request)
        return line.makefile("rb").readline().split()[1]
