"""What the desk's pages load: each its scripts in one file, under the same policy as all pages."""

import pytest
from playwright.sync_api import Page, Request

from tests.desk.desk_server import TOKENS, DeskServer
from tests.support.esbuild import needs_esbuild


@needs_esbuild
@pytest.mark.parametrize(
    ("path", "ready", "script"),
    [
        ("/control", "body[data-wire='up']", "/static/js/desk/main.js"),
        ("/booth", "body[data-wire='up']", "/static/js/booth/main.js"),
        ("/setup", ".step", "/static/js/desk/setup.js"),
    ],
)
def test_desk_page_loads_its_scripts_in_one_file(
    path: str, ready: str, script: str, server: DeskServer, tab: Page
) -> None:
    asked: list[Request] = []

    def record(request: Request) -> None:
        asked.append(request)

    tab.on("request", record)
    answer = tab.goto(f"{server.address}{path}?token={TOKENS.control}")
    tab.wait_for_selector(ready)
    tab.remove_listener("request", record)
    own = [request.url for request in asked if request.resource_type == "script" and request.frame == tab.main_frame]
    assert own == [f"{server.address}{script}"]
    assert answer is not None
    assert answer.headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' data:; ")
