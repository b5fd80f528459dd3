"""The OpenAPI description of each application is valid, and answers conform to it."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.desk.http_requests import ask, headers
from tests.desk.test_routes import ROUTES
from tests.support.recordings import small_contest, until_listed, write
from tests.web.test_every_app import served

__all__ = ["served"]
NAMES = {
    "bot": "1", "button": "hold", "channel": "main", "control": "sound", "number": "0", "order": "reload", "page": "x",
    "given": "wait", "recording": "one", "table": "1", "value": "off",
}  # fmt: skip
"""The values of the parameters in addresses."""
BODIES = {path: body for path, (_, body) in ROUTES.items()} | {"/api/booth/erase": b'{"number": 1}'}
EXPECTED_FAILURES = {
    "/live/{channel}/{epoch}/{number}.hands": 404,
    "/api/setup/scenes": 409,
    "/api/v1/desk/studio": 404,
    "/api/v1/desk/studio/{given}": 409,
}
"""The status of operations that cannot succeed on this server: for example, its studio is not gone."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    folder = tmp_path_factory.mktemp("media")
    write(folder / "one.jsonl", small_contest())
    with (
        DeskServer(folder, contest_events(), speed=0) as opened,
        httpx.Client(base_url=opened.address, timeout=60) as web,
    ):
        until_listed(web, "one")
        yield opened


def test_description_of_every_application_is_valid(served: tuple[str, FastAPI]) -> None:
    OpenAPIV31SpecValidator(served[1].openapi()).validate()


def test_every_operation_of_the_studio_answers_as_described(server: DeskServer) -> None:
    """Other applications have tests that check the answers of their operations."""
    names = NAMES | {
        "epoch": ask(server, "GET", "/live/main/index.json", headers(server)).json()["epoch"],
        "version": ask(server, "GET", "/films/one/index.json", headers(server)).json()["version"],
    }
    described = server.studio.app.openapi()["paths"]
    for path, method in [(path, method.upper()) for path, item in described.items() for method in item]:
        body = BODIES[path] if method == "POST" else b""
        sent = headers(server, "control", content_type="application/json" if body else "")
        sent |= {"authorization": f"Bearer {TOKENS.control}"} if path.startswith("/api/v1/") else {}
        answer = ask(server, method, path.format(**names), sent, body)
        assert answer.status_code == EXPECTED_FAILURES.get(path, 200), path
        assert answer.headers["content-type"].startswith("application/json"), path
