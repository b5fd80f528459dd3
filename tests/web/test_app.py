"""The studio's pages over real HTTP: which are served, with which headers, and how a missing page is reported."""

import asyncio
import time
from collections.abc import Callable
from html import escape
from pathlib import Path

import httpx
import pytest

from broadcast.app import Studio
from broadcast.web.serve import serving
from server.game.events import ChatSent


def visit(folder: Path, act: Callable[[httpx.Client], None]) -> None:
    """Calls `act` with a client of a running studio with one channel on air."""

    async def story() -> None:
        studio = Studio(folder, time.monotonic)
        studio.open_channel("main", 1).put(ChatSent(1, "howdy"), 0, 0)
        async with serving(studio.app, "127.0.0.1", 0) as base:
            with httpx.Client(base_url=base, timeout=60) as client:
                await asyncio.to_thread(act, client)

    asyncio.run(story())


@pytest.mark.parametrize("path", ["/", "/overlay", "/projector"])
def test_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(path: str, tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        page = client.get(path)
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"

    visit(tmp_path, act)


@pytest.mark.parametrize("path", ["/nothing", "/control/desk", "/media/no.webp", f"/{'long' * 100}", "/<b>bold</b>"])
def test_missing_page_is_reported_to_people_as_a_page(path: str, tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        page = client.get(path)
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert "No such page" in page.text
        assert f"There is nothing at {escape(path[:80])}" in page.text
        assert len(page.text) < 2000
        assert '<a href="/">' in page.text

    visit(tmp_path, act)


def test_address_for_programs_says_what_it_accepts(tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        page = client.get("/api/page-report")
        assert (page.status_code, page.headers["allow"]) == (405, "POST")
        assert page.json() == {"error": "/api/page-report is for programs, and accepts only POST."}

    visit(tmp_path, act)


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/nothing"), ("POST", "/nothing"), ("PUT", "/")])
def test_missing_page_is_reported_to_programs_as_json(method: str, path: str, tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        answer = client.request(method, path, json={})
        assert answer.status_code == (405 if path == "/" else 404)
        assert path in answer.json()["error"]

    visit(tmp_path, act)


def test_health_says_what_is_on_each_channel(tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        health = client.get("/healthz").json()
        assert health.pop("sending") in ("io_uring", "one by one")
        assert health == {"status": "ok", "channels": {"main": {"seq": 1, "viewers": 0}}}

    visit(tmp_path, act)


def test_fonts_are_cached(tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        path = "/assets/fonts/rye-latin-400-normal.woff2"
        font = client.get(path)
        assert font.headers["cache-control"] == "public, max-age=604800"
        again = client.get("/assets/fonts/rye-latin-400-normal.woff2", headers={"If-None-Match": font.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "public, max-age=604800")
        assert client.get("/assets/fonts/none.woff2").headers["cache-control"] == "no-cache"

    visit(tmp_path, act)


def test_prepared_media_may_be_kept_for_good(tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef.webp").write_bytes(b"RIFF")

    def act(client: httpx.Client) -> None:
        assert "immutable" in client.get("/media/0123456789abcdef.webp").headers["cache-control"]

    visit(tmp_path, act)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/make/pen.py",
        "/static/package.json",
        "/openapi.json",
        "/media/../secret",
        "/media/%2e%2e/secret",
        "/static/..%2fpyproject.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/nothing",
    ],
)
def test_nothing_else_is_served(path: str, tmp_path: Path) -> None:
    media = tmp_path / "media"
    (tmp_path / "secret").write_text("seed")

    def act(client: httpx.Client) -> None:
        request = client.build_request("GET", "/")
        request.url = request.url.copy_with(raw_path=path.encode())
        assert client.send(request).status_code == 404

    visit(media, act)


def test_front_page_lists_every_channel_and_only_what_is_served(tmp_path: Path) -> None:
    def act(client: httpx.Client) -> None:
        page = client.get("/").text
        assert "channel=main" in page
        assert "/register" not in page

    visit(tmp_path, act)
