"""The description of the program's JSON is made from its routes, and its answers conform to the description."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.desk.http_requests import ask, headers
from tests.support.recordings import small_contest, until_listed, write
from tests.web.test_every_app import served

__all__ = ["served"]
SAMPLES: dict[tuple[str, str], tuple[str, bytes]] = {
    ("GET", "/healthz"): ("/healthz", b""),
    ("GET", "/results.json"): ("/results.json", b""),
    ("GET", "/live/{channel}/index.json"): ("/live/main/index.json", b""),
    ("GET", "/live/{channel}/{epoch}/open.json"): ("/live/main/{epoch}/open.json", b""),
    ("GET", "/live/{channel}/{epoch}/{number}.hands"): ("/live/main/{epoch}/0.hands", b""),
    ("GET", "/live/{channel}/{epoch}/{number}.seg"): ("/live/main/{epoch}/0.seg", b""),
    ("GET", "/films/{recording}/index.json"): ("/films/one/index.json", b""),
    ("GET", "/films/{recording}/{version}/{number}.seg"): ("/films/one/{version}/1.seg", b""),
    ("GET", "/setup/obs.json"): ("/setup/obs.json", b""),
    ("GET", "/api/setup"): ("/api/setup", b""),
    ("POST", "/api/setup/scenes"): ("/api/setup/scenes", b"{}"),
    ("POST", "/api/page-report"): ("/api/page-report", b'{"page": "overlay", "id": "x"}'),
    ("POST", "/register"): ("/register", b'{"name": "Billy the Kid", "stakes": "high"}'),
    ("POST", "/api/desk/set"): ("/api/desk/set", b'{"control": "held", "value": true}'),
    ("POST", "/api/desk/cue"): ("/api/desk/cue", b'{"cue": "next"}'),
    ("POST", "/api/desk/undo"): ("/api/desk/undo", b"{}"),
    ("POST", "/api/desk/page"): ("/api/desk/page", b'{"page": "x", "order": "reload"}'),
    ("POST", "/api/booth/tell"): ("/api/booth/tell", b'{"key": ""}'),
    ("POST", "/api/booth/note"): ("/api/booth/note", b'{"text": "Ask about the feathers."}'),
    ("POST", "/api/booth/erase"): ("/api/booth/erase", b'{"number": 1}'),
    ("GET", "/api/v1/channels"): ("/api/v1/channels", b""),
    ("GET", "/api/v1/on-air"): ("/api/v1/on-air", b""),
    ("GET", "/api/v1/standings"): ("/api/v1/standings", b""),
    ("GET", "/api/v1/schedule"): ("/api/v1/schedule", b""),
    ("GET", "/api/v1/bots"): ("/api/v1/bots", b""),
    ("GET", "/api/v1/bots/{bot}"): ("/api/v1/bots/1", b""),
    ("GET", "/api/v1/hands"): ("/api/v1/hands", b""),
    ("GET", "/api/v1/hands/{number}"): ("/api/v1/hands/1", b""),
    ("GET", "/api/v1/statistics"): ("/api/v1/statistics", b""),
    ("GET", "/api/v1/luck"): ("/api/v1/luck", b""),
    ("GET", "/api/v1/results"): ("/api/v1/results", b""),
    ("GET", "/api/v1/recordings"): ("/api/v1/recordings", b""),
    ("GET", "/api/v1/recorded-hands"): ("/api/v1/recorded-hands", b""),
    ("GET", "/api/v1/recordings/{recording}"): ("/api/v1/recordings/one", b""),
    ("GET", "/api/v1/desk"): ("/api/v1/desk", b""),
    ("POST", "/api/v1/desk/press/{button}"): ("/api/v1/desk/press/hold", b""),
    ("POST", "/api/v1/desk/set/{control}/{value}"): ("/api/v1/desk/set/sound/off", b""),
    ("POST", "/api/v1/desk/undo/{number}"): ("/api/v1/desk/undo/0", b""),
    ("POST", "/api/v1/desk/pages/{page}/{order}"): ("/api/v1/desk/pages/x/reload", b""),
    ("POST", "/api/booth/tick"): ("/api/booth/tick", b'{"item": 0, "done": true}'),
}
"""A request for each operation of the studio. Other tests check the operations of the other applications."""
EXPECTED_FAILURES = {"/live/{channel}/{epoch}/{number}.hands": 404, "/api/setup/scenes": 409}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    """A studio with a desk, a booth, and a recording."""
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
    description = server.studio.app.openapi()
    operations = {(method.upper(), path) for path, item in description["paths"].items() for method in item}
    assert operations == set(SAMPLES)
    names = {
        "epoch": ask(server, "GET", "/live/main/index.json", headers(server)).json()["epoch"],
        "version": ask(server, "GET", "/films/one/index.json", headers(server)).json()["version"],
    }
    for (method, path), (address, body) in SAMPLES.items():
        sent = headers(server, "control", content_type="application/json" if body else "")
        sent |= {"authorization": f"Bearer {TOKENS.control}"} if path.startswith("/api/v1/") else {}
        answer = ask(server, method, address.format(**names), sent, body)
        assert answer.status_code == EXPECTED_FAILURES.get(path, 200), path
        assert answer.headers["content-type"].startswith("application/json"), path
