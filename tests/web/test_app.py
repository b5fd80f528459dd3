"""The studio (a show's server) sends the right files and headers, makes each answer only once, and delays nobody."""

import asyncio
import gc
import gzip
import hashlib
import os
import re
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from broadcast.live.channel import HANDS_PER_BLOCK  # The index of hands leaves out full blocks of this many hands.
from broadcast.web.answers import MAX_CACHED, AnswerCache, compressed_answer
from broadcast.web.bundle import BUNDLE_FOLDER, DIGEST_FILE, bundled_file, find_bundles, sources_digest
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import local_time
from server.contests.arena.rules import ARENA_FORMAT
from server.game.formats import as_series
from server.journal.journal import Entry
from server.paths import STATIC, TEMPLATES
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot
from tests.support.games.recordings import aired
from tests.support.programs.esbuild import needs_esbuild
from tests.support.public_pages import PUBLIC_ADDRESSES, Evening
from tests.web.stranger_connections import studio_in_thread
from tests.web.test_every_app import routes_of


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yields a client of a studio that has one media file. A secret file lies beside the media folder."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "secret").write_text("seed")
    (folder / "media").mkdir()
    (folder / "media" / "0123456789abcdef.webp").write_bytes(b"RIFF")
    with (
        studio_in_thread(folder / "media") as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        yield client


def test_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(web: httpx.Client) -> None:
    page = web.get("/overlay")
    assert (page.status_code, page.headers["x-content-type-options"]) == (200, "nosniff")
    policy = page.headers["content-security-policy"]
    assert ("default-src 'self'" in policy, "unsafe-inline" in policy) == (True, False)


def test_missing_page_is_reported_as_a_page_or_as_json(web: httpx.Client) -> None:
    for path in ("/nothing", "/control/desk", "/media/no.webp", f"/{'long' * 100}", "/<b>bold</b>"):
        page = web.get(path)
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert f"There is nothing at {escape(path[:80])}" in page.text
        assert len(page.text) < 2000
        assert '<a href="/">' in page.text
    for method, path in (("GET", "/api/nothing"), ("POST", "/nothing"), ("PUT", "/")):
        response = web.request(method, path, json={})
        assert response.status_code == (405 if path == "/" else 404)
        assert path in response.json()["error"]


def test_fonts_are_cached_for_a_week_and_media_forever(web: httpx.Client) -> None:
    path = "/assets/fonts/rye-latin-400-normal.woff2"
    font = web.get(path)
    assert font.headers["cache-control"] == "public, max-age=604800"
    response = web.get(path, headers={"If-None-Match": font.headers["etag"]})
    assert (response.status_code, response.headers["cache-control"]) == (304, "public, max-age=604800")
    assert web.get("/assets/fonts/none.woff2").headers["cache-control"] == "no-cache"
    assert "immutable" in web.get("/media/0123456789abcdef.webp").headers["cache-control"]


def test_files_outside_the_public_folders_are_not_served(web: httpx.Client) -> None:
    for path in (
        *("/assets/make/pen.py", "/static/package.json", "/openapi.json", "/docs", "/static//etc/passwd"),
        *("/media/../secret", "/media/%2e%2e/secret", "/static/..%2fpyproject.toml", "/static/js/nothing.js"),
        *("/assets/%2e%2e/%2e%2e/etc/passwd", "/static/js/", "/static/js/..%2f..%2fpackage.json"),
        *("/static/js/%2fetc/hosts.js", "/static/js/%00.js", f"/static/js/{'a' * 5000}.js"),
    ):
        request = web.build_request("GET", "/")
        request.url = request.url.copy_with(raw_path=path.encode())
        assert web.send(request).status_code == 404, path


@pytest.fixture
def site(tmp_path: Path) -> TestClient:
    """Returns a client of an application that serves `tmp_path`, a folder with a script and a large picture."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "large.webp").write_bytes(bytes(1_000_000))
    (tmp_path / "main.js").write_text("export const noon = 12;\n" * 40)
    app = FastAPI()
    app.mount("/static", StaticFolder(tmp_path))
    return TestClient(app)


def test_text_is_gzipped_and_cached_files_are_not_sent_again(site: TestClient, tmp_path: Path) -> None:
    response = site.get("/static/main.js")
    assert response.headers["content-encoding"] == "gzip"
    assert int(response.headers["content-length"]) < len(response.content) / 10
    assert "content-encoding" not in site.get("/static/main.js", headers={"Accept-Encoding": "identity"}).headers
    assert "content-encoding" not in site.get("/static/parts/large.webp").headers
    headers = {"If-None-Match": response.headers["etag"]}
    assert site.get("/static/main.js", headers=headers).status_code == 304
    (tmp_path / "main.js").write_text("changed")
    os.utime(tmp_path / "main.js", ns=(1, 1))
    response = site.get("/static/main.js", headers=headers)
    assert (response.status_code, response.text) == (200, "changed")


def test_other_spellings_of_a_files_path_take_no_memory(site: TestClient) -> None:
    tracemalloc.start()
    try:
        for number in range(1, 9):
            assert site.get(f"/static/parts{'/' * number}large.webp").status_code == 200
        assert tracemalloc.get_traced_memory()[0] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["", "js/main.js", "css/late.css", f"{BUNDLE_FOLDER}/{DIGEST_FILE}"])
def test_only_a_bundle_of_the_current_sources_is_used(tmp_path: Path, name: str) -> None:
    for folder in ("css", "js", BUNDLE_FOLDER):
        (tmp_path / folder).mkdir()
    (tmp_path / "js/main.js").write_text("export const noon = 12;\n")
    (tmp_path / BUNDLE_FOLDER / DIGEST_FILE).write_text(sources_digest(tmp_path))
    if name:
        (tmp_path / name).write_text("p {}")
    assert find_bundles(tmp_path) == (None if name else tmp_path / BUNDLE_FOLDER)


@needs_esbuild
def test_every_module_and_stylesheet_is_bundled_with_its_imports() -> None:
    assert find_bundles(STATIC), "run: make bundle"
    link = re.compile(r'(?:type="module" src|rel="stylesheet" href)="[^"]*?static/([^"]*)"')
    names = {name for path in TEMPLATES.rglob("*.html") for name in link.findall(path.read_text(encoding="utf-8"))}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js"):
        bundle = bundled_file(STATIC / name)
        assert bundle != STATIC / name, name
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", bundle.read_text(encoding="utf-8")), name


def test_time_in_any_zone_is_shown_in_the_machines_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as environment:
        environment.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        expected: dict[float | str, str] = {
            1_795_724_100: "2026-11-27 05:15 JST", "2026-11-26T20:15:00.123+00:00": "2026-11-27 05:15 JST",
            "2026-11-26 20:15:00": "2026-11-26 20:15", "2026-11-26": "2026-11-26",
            "0001-01-01T00:00:00+14:00": "0001-01-01 00:00", "yesterday evening, late": "yesterday evenin", "": "",
        }  # fmt: skip
        times = {moment: local_time(moment) for moment in expected}
    time.tzset()
    assert times == expected


UNCACHED_ROUTES = ("/healthz", "/favicon.ico", "/guide", "/recordings/{recording:path}.jsonl", "/api/v1/results")
"""For these routes, no AnswerCache makes answers. They send files, short texts, or the answers of other routes."""


@pytest.fixture(scope="module")
def contest() -> Sequence[Entry]:
    return play_contest(1, 6, as_series(ARENA_FORMAT, 2), kind=CharacterBot)


@pytest.fixture
def evening(tmp_path: Path, contest: Sequence[Entry]) -> Evening:
    """Returns a studio in which a test can air two games of the contest Arena, hand by hand."""
    return Evening(tmp_path, contest, aired(contest))


async def test_public_answer_is_made_once_per_state_whatever_its_query(evening: Evening) -> None:
    pages = {path for path, methods in routes_of(evening.studio.app.router.routes) if "GET" in methods}
    assert pages == set(PUBLIC_ADDRESSES)
    # isinstance would raise an error for a weakref.proxy whose object is gone.
    caches = [cache for cache in gc.get_objects() if type(cache) is AnswerCache]
    made_counts: dict[str, int] = {}
    evening.play(2 * HANDS_PER_BLOCK + 2)
    transport = httpx.ASGITransport(app=evening.studio.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        routes = await evening.addresses(web)
        for path in routes:
            count = sum(cache.made_count for cache in caches)
            for query in ("", "", "x=1", "x=2"):
                web.cookies.clear()
                response = await web.get(f"{path}{'&' if '?' in path else '?'}{query}")
                assert response.status_code < 400 or not routes[path], path
            made_counts[path] = sum(cache.made_count for cache in caches) - count
        not_made = {path for path, route in routes.items() if route in ("", *UNCACHED_ROUTES)}
        prepared_routes = ("/live/", "/films/", "/api/v1/hands/")  # Segments (pieces of a show) are made in advance.
        not_made |= {path for path, route in routes.items() if route.startswith(prepared_routes)}
        assert made_counts == {path: path not in not_made for path in routes}


class TurnTimer:
    """Measures the processor time of the longest turn (one pass) of the running event loop, in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.thread_time()
        self._measure()

    def _measure(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        asyncio.get_running_loop().call_soon(self._measure)


async def request_page(app: ASGIApp, path: str) -> None:
    """Requests a page without an HTTP client, so that no client's work is measured."""
    address, is_read = urlsplit(path), False
    headers = [(b"host", b"127.0.0.1"), (b"accept-encoding", b"gzip")]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "scheme": "http", "root_path": "", "headers": headers}

    async def receive() -> Message:
        nonlocal is_read
        is_read, was_read = True, is_read
        return {"type": "http.disconnect"} if was_read else {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        pass

    scope |= {"path": unquote(address.path), "query_string": address.query.encode()}
    await app(scope, receive, send)


async def test_no_public_answer_blocks_the_event_loop(evening: Evening) -> None:
    """After each of four hands, requests each page twice and measures the longest turn of the event loop.

    Only the shortest of a page's four measurements counts, because the machine may be busy. The limit is six times
    `yardstick()`. On a processor that compresses 50 MB a second, this limit is 2 ms.
    """
    evening.play(2 * HANDS_PER_BLOCK - 6)  # The index of hands is now almost as long as it can get.
    turns: dict[str, list[float]] = {}
    yardsticks = []
    transport = httpx.ASGITransport(app=evening.studio.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        paths = [*await evening.addresses(web)]
    for path in paths:  # The first requests are not measured, because they also do work that a process does only once.
        await request_page(evening.studio.app, path)
    timer = TurnTimer()
    gc.disable()
    try:
        for _ in range(4):
            evening.play(1)
            await asyncio.sleep(0)  # Ends this turn of the loop, because playing the hand must not be measured.
            yardsticks.append(yardstick())
            for path in paths:
                timer.longest = 0.0
                for _ in range(2):
                    await asyncio.create_task(request_page(evening.studio.app, path))
                turns.setdefault(path, []).append(timer.longest)
    finally:
        gc.enable()
    assert {path: seconds for path, seconds in turns.items() if min(seconds) > 6 * min(yardsticks)} == {}


def yardstick() -> float:
    """Returns the processor time, in seconds, that this machine needs to compress a fixed text of 16 KB."""
    text = b"".join(hashlib.sha256(bytes([number])).hexdigest().encode() for number in range(256))
    start = time.thread_time()
    gzip.compress(text, 1)
    return time.thread_time() - start


async def test_cache_makes_an_answer_once_per_state_and_keeps_the_latest() -> None:
    cache = AnswerCache()
    for state in (1, 2):
        answers = await asyncio.gather(*(cache.get("page", state, lambda: compressed_answer(b"x")) for _ in range(100)))
        assert len({id(answer) for answer in answers}) == 1
    assert cache.made_count == 2
    cache = AnswerCache()
    for key in (*range(MAX_CACHED), 0, MAX_CACHED, 0, 1):
        await cache.get(key, None, lambda: compressed_answer(b"text"))
    assert cache.made_count == MAX_CACHED + 2, "key 1, the least recently used key, must be dropped"
