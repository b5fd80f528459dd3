"""What the studio serves, with which headers, and how it reports a missing page; its static files and its times."""

import os
import re
import time
import tracemalloc
from collections.abc import Iterator
from html import escape
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from broadcast.web.bundle import BUNDLE_FOLDER, DIGEST_FILE, bundled_file, find_bundles, sources_digest
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import local_time
from server.paths import STATIC, TEMPLATES
from tests.support.programs.esbuild import needs_esbuild
from tests.web.stranger_connections import studio_aside


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a studio that has something on air and a media file; beside the folder of media is a secret."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "secret").write_text("seed")
    (folder / "media").mkdir()
    (folder / "media" / "0123456789abcdef.webp").write_bytes(b"RIFF")
    with (
        studio_aside(folder / "media") as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        yield client


def test_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(web: httpx.Client) -> None:
    page = web.get("/overlay")
    assert (page.status_code, page.headers["x-content-type-options"]) == (200, "nosniff")
    policy = page.headers["content-security-policy"]
    assert ("default-src 'self'" in policy, "unsafe-inline" in policy) == (True, False)


def test_missing_page_is_reported_to_people_as_a_page_and_to_programs_as_json(web: httpx.Client) -> None:
    for path in ("/nothing", "/control/desk", "/media/no.webp", f"/{'long' * 100}", "/<b>bold</b>"):
        page = web.get(path)
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert f"There is nothing at {escape(path[:80])}" in page.text
        assert len(page.text) < 2000
        assert '<a href="/">' in page.text
    for method, path in (("GET", "/api/nothing"), ("POST", "/nothing"), ("PUT", "/")):
        answer = web.request(method, path, json={})
        assert answer.status_code == (405 if path == "/" else 404)
        assert path in answer.json()["error"]


def test_fonts_are_cached_for_a_week_and_media_forever(web: httpx.Client) -> None:
    path = "/assets/fonts/rye-latin-400-normal.woff2"
    font = web.get(path)
    assert font.headers["cache-control"] == "public, max-age=604800"
    again = web.get(path, headers={"If-None-Match": font.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "public, max-age=604800")
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
def shelf(tmp_path: Path) -> TestClient:
    """A client of an application with a script, a picture and a large file in `tmp_path`."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "large.webp").write_bytes(bytes(1_000_000))
    (tmp_path / "main.js").write_text("export const noon = 12;\n" * 40)
    app = FastAPI()
    app.mount("/static", StaticFolder(tmp_path))
    return TestClient(app)


def test_text_is_gzipped_and_a_file_that_the_browser_has_is_not_sent_again(shelf: TestClient, tmp_path: Path) -> None:
    whole = shelf.get("/static/main.js")
    assert whole.headers["content-encoding"] == "gzip"
    assert int(whole.headers["content-length"]) < len(whole.content) / 10
    assert "content-encoding" not in shelf.get("/static/main.js", headers={"Accept-Encoding": "identity"}).headers
    assert "content-encoding" not in shelf.get("/static/parts/large.webp").headers
    known = {"If-None-Match": whole.headers["etag"]}
    assert shelf.get("/static/main.js", headers=known).status_code == 304
    (tmp_path / "main.js").write_text("changed")
    os.utime(tmp_path / "main.js", ns=(1, 1))
    changed = shelf.get("/static/main.js", headers=known)
    assert (changed.status_code, changed.text) == (200, "changed")


def test_other_spellings_of_a_files_path_take_no_memory(shelf: TestClient) -> None:
    tracemalloc.start()
    try:
        for number in range(1, 9):
            assert shelf.get(f"/static/parts{'/' * number}large.webp").status_code == 200
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
def test_every_module_and_sheet_of_a_page_is_bundled_whole() -> None:
    assert find_bundles(STATIC), "run: make bundle"
    named = re.compile(r'(?:type="module" src|rel="stylesheet" href)="[^"]*?static/([^"]*)"')
    names = {name for path in TEMPLATES.rglob("*.html") for name in named.findall(path.read_text(encoding="utf-8"))}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js"):
        bundle = bundled_file(STATIC / name)
        assert bundle != STATIC / name, name
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", bundle.read_text(encoding="utf-8")), name


def test_time_in_any_zone_is_shown_in_the_machines_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as environment:
        environment.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        shown: dict[float | str, str] = {
            1_795_724_100: "2026-11-27 05:15 JST", "2026-11-26T20:15:00.123+00:00": "2026-11-27 05:15 JST",
            "2026-11-26 20:15:00": "2026-11-26 20:15", "2026-11-26": "2026-11-26",
            "0001-01-01T00:00:00+14:00": "0001-01-01 00:00", "yesterday evening, late": "yesterday evenin", "": "",
        }  # fmt: skip
        found = {moment: local_time(moment) for moment in shown}
    time.tzset()
    assert found == shown
