"""All routes must be listed: those of the studio (a show's server) in ROUTES, those of other servers in STATUSES."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Mount

from broadcast.api.studio_gone import Gone  # `Gone`: the state of a contest that has lost its studio
from broadcast.app import Studio
from broadcast.film.film import Film  # A film is a recording that can be watched.
from broadcast.film.outline import Outline
from broadcast.web.guarded_app import guarded_app
from server.app.mcp.serve import add_agent_routes
from server.app.practice.agents import PracticeDoor
from server.app.practice.author_routes import challenge_router, practice_page_router
from server.app.practice.status import Status, status_router
from server.app.season.season import Season, open_ledger
from server.app.studio.author_pages import AuthorGames, AuthorPages
from server.app.studio.studio_watch import gone_app
from server.contests import CONTESTS
from server.contests.enova.venue.open_registration import _close_router
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from server.journal.studio_link import Plan
from server.registration.register import register_router
from server.season.builds import StartBot
from tests.desk.desk_server import accept_registration
from tests.desk.test_routes import ROUTES, flatten_routes
from tests.season.sample_seasons import SEED
from tests.season.season_server import PLAN, SECRETS, TOKENS
from tests.support.described import check_description
from tests.support.games.practice import practice_server
from tests.support.source_files import program_modules

SERVER_ADDRESS = "http://127.0.0.1:5000"
EVIL_ORIGIN = "http://evil.example"
BRANDING_ROUTE = "/brand/{name}"
"""The route of an event's own pictures. Few events have this route, which tests/overlay/test_brand.py tests."""
STATUSES: dict[tuple[str, str], dict[str, int]] = {
    ("registration", "/register"): {"POST": 400},
    ("Enova", "/tournament/register"): {"GET": 200, "POST": 400},
    ("Enova", "/tournament/close"): {"GET": 403, "POST": 403},
    ("practice", "/practice"): {"GET": 200},
    ("practice", "/register"): {"POST": 400},
    ("practice", "/practice/own/{token}"): {"GET": 404},
    ("practice", "/practice/own/{token}/{number:int}"): {"GET": 404},
    ("practice", "/practice/own/{token}/challenges"): {"POST": 404},
    ("practice", "/practice/challenge/{code}"): {"GET": 404},
    ("practice", "/practice/status/{given}"): {"GET": 404},
    ("practice for Enova", "/tournament/register"): {"GET": 200, "POST": 400},
    ("practice for the Arena", "/practice"): {"GET": 200, "POST": 400},
    ("agents", "/mcp"): {"POST": 503},
    ("agents", "/llms.txt"): {"GET": 200},
    ("agents", "/skill.md"): {"GET": 200},
    ("season", "/season"): {"GET": 200},
    ("season", "/season.json"): {"GET": 200},
    ("season", "/season/bots/{number:int}"): {"GET": 404},
    ("season", "/season/games"): {"GET": 200},
    ("season", "/season/games/{number:int}"): {"GET": 404},
    ("season", "/season/games/{number:int}/{log}.log"): {"GET": 404},
    ("season", "/season/games/{number:int}/{side}"): {"GET": 404},
    ("season", "/season/players"): {"GET": 403, "POST": 403},
    ("season", "/season/workers"): {"GET": 403},
    ("season", "/season/workers.json"): {"GET": 403},
    ("season", "/upload"): {"GET": 200, "POST": 400},
    ("season", "/upload/enter"): {"POST": 400},
    ("season", "/upload/activate"): {"POST": 400},
    ("season", "/upload/tests/{number:int}/{log}.log"): {"GET": 404},
    ("authors", "/own/{link}"): {"GET": 404},
    ("authors", "/own/{link}/{number:int}"): {"GET": 404},
    ("clip", "/clip"): {"GET": 200},
    ("clip", "/films/clip/index.json"): {"GET": 200},
    ("clip", "/films/clip/{version}/{number:int}.seg"): {"GET": 404},
    ("studio gone", "/api/desk/studio"): {"GET": 403, "POST": 403},
    ("studio gone", "/api/v1/desk/studio"): {"GET": 401},
    ("studio gone", "/api/v1/desk/studio/{given}"): {"POST": 401},
    ("studio gone", "/api/v1/desk/{path:path}"): {"POST": 503},
    ("studio gone", "/control"): {"GET": 403},
    ("studio gone", "/setup"): {"GET": 403},
    ("studio gone", "/{path:path}"): {"GET": 503},
}
"""The expected statuses, keyed by application and route, then by method. The requests have no valid token."""
ANY_HOST = ("/register", "/tournament/register")
"""Bots register at these routes, and may call the server by any name. So a request without Origin may have any Host."""


def registration(_: Path) -> FastAPI:
    app = guarded_app()
    app.include_router(register_router(accept_registration))
    return app


def enova(folder: Path) -> FastAPI:
    registry = EnovaRegistry(folder / "bots.json")
    app = enova_app(registry)
    app.include_router(_close_router(registry, TOKENS.control, lambda: None))
    return app


def practice(folder: Path, contest: str) -> FastAPI:
    server, studio = practice_server(folder)
    if contest == "quick-draw":
        studio.app.include_router(status_router(Status(server)))
        studio.app.include_router(practice_page_router(server))
        studio.app.include_router(challenge_router(server, contest))
    studio.app.include_router(CONTESTS[contest].venue().practice_setup(server, ()).router)
    return studio.app


def agents(folder: Path) -> FastAPI:
    """Returns the server of the tools for AI agents, before any agent has joined."""
    app, (server, _) = guarded_app(), practice_server(folder)
    contest = CONTESTS["quick-draw"]
    add_agent_routes(app, PracticeDoor(server, contest, contest.venue().practice_setup(server, ()).make_format))
    return app


def season(folder: Path) -> FastAPI:
    async def refuse_bot(*_: object) -> StartBot:
        raise AssertionError("nobody submits a bot")

    studio = Studio(folder / "media", time.monotonic)
    Season(open_ledger(folder / "x.jsonl", "Spring", SEED), PLAN, SECRETS, studio, refuse_bot)
    return studio.app


def authors(folder: Path) -> FastAPI:
    studio = Studio(folder / "media", time.monotonic)
    studio.app.include_router(AuthorPages("ab" * 32, lambda: {1: "Ann"}, folder, AuthorGames()).router())
    return studio.app


def clip(folder: Path) -> FastAPI:
    studio = Studio(folder / "media", time.monotonic)
    studio.add_clip(Film(Outline(), ()))
    return studio.app


def studio_gone(folder: Path) -> FastAPI:
    plan = Plan("A night", "x.jsonl", str(folder / "media"), (), TOKENS.control, TOKENS.view)
    return gone_app(plan, lambda: Gone("", 1, started=True, unseen=False, waiting=0), lambda *_: "")


APPS: dict[str, Callable[[Path], FastAPI]] = {
    "registration": registration,
    "Enova": enova,
    "practice": lambda folder: practice(folder, "quick-draw"),
    "practice for Enova": lambda folder: practice(folder, "enova"),
    "practice for the Arena": lambda folder: practice(folder, "arena"),
    "agents": agents,
    "season": season,
    "authors": authors,
    "clip": clip,
    "studio gone": studio_gone,
}


@pytest.fixture(params=APPS)
def named_app(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, FastAPI]:
    return request.param, APPS[request.param](tmp_path)


async def get_status(app: FastAPI, method: str, path: str, **headers: str) -> int:
    transport = httpx.ASGITransport(app, client=("203.0.113.9", 4321))
    async with httpx.AsyncClient(transport=transport, base_url=SERVER_ADDRESS) as web:
        address = re.sub(r"\{[^}]*\}", "7", path)
        return check_description(app, await web.request(method, address, headers=headers)).status_code


async def test_strangers_get_the_listed_status_and_foreign_pages_nothing(named_app: tuple[str, FastAPI]) -> None:
    name, app = named_app
    rows = [(path, methods) for (app_name, path), methods in STATUSES.items() if app_name == name]
    for path, method, status in [(path, *item) for path, methods in rows for item in methods.items()]:
        assert await get_status(app, method, path) == status, (path, method)
        for headers, expected in (
            ({"cookie": "desk_5000=0123456789abcdef"}, status),
            ({"origin": SERVER_ADDRESS}, status),
            ({"origin": EVIL_ORIGIN}, 403),
            ({"origin": "null"}, 403),
            ({"host": "evil.example", "origin": EVIL_ORIGIN}, 421),
            ({"host": "evil.example"}, status if path in ANY_HOST else 421),
        ):
            assert await get_status(app, method, path, **headers) == expected, (path, method, headers)
        assert await get_status(app, method, f"{path}?token=0123456789abcdef") == status, (path, method)
        behind_a_token = name == "studio gone" and not path.startswith(("/{path:path}", "/api/v1/"))
        assert await get_status(app, "PATCH", path) == (403 if behind_a_token else 405), path


def test_every_route_has_a_row_and_a_valid_description(named_app: tuple[str, FastAPI]) -> None:
    name, app = named_app
    OpenAPIV31SpecValidator(app.openapi()).validate()
    rows = {path: set(methods) for (app_name, path), methods in STATUSES.items() if app_name == name}
    served_routes: dict[str, set[str]] = {}
    for path, methods in routes_of(app.router.routes):
        if path in rows or path not in ROUTES:
            served_routes.setdefault(path, set()).update(methods - {"HEAD"})
    assert served_routes == rows


def test_every_route_in_the_source_has_a_row_and_every_app_is_guarded() -> None:
    """Searches the source, because the applications here lack the routes that are added while a contest runs."""
    route = re.compile(r"\.(?:get|post|put|patch|delete|head|mount|\w+_route)\(\s*f?\"(/[^\"]+)\"")
    paths = {path for module in program_modules() for path in route.findall(module.text)}
    assert len(paths) > 60
    rows = {*ROUTES, *(path for _, path in STATUSES), BRANDING_ROUTE}

    def is_row(path: str, row: str) -> bool:
        prefix, _, parameter = path.partition("{")
        return row.startswith(prefix) if parameter else row == path

    assert not {path for path in paths if not any(is_row(path, row) for row in rows)}
    application = re.compile(r"\b(?:FastAPI|Starlette)\(|\bclass \w+\((?:FastAPI|Starlette)\b")
    makers = [module.path.as_posix() for module in program_modules() if application.search(module.text)]
    assert makers == ["broadcast/web/guarded_app.py"]


def routes_of(routes: Iterable[Any]) -> Iterator[tuple[str, set[str]]]:
    """Yields the path and methods of every route. Leaves out folders of files, which only the studio has."""
    for route in flatten_routes(routes):
        if not isinstance(route, Mount):
            yield route.path, set(getattr(route, "methods", None) or ())
