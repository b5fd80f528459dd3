"""Static files are served from memory, only from their folder, and bundled only if these sources were bundled."""

import asyncio
import gzip
import os
import re
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from broadcast.web.bundle import FOLDER, SOURCES, bundle_of, bundled, digest
from broadcast.web.static_files import StaticFolder
from server.paths import STATIC, TEMPLATES
from tests.support.esbuild import needs_esbuild

SCRIPT = "export const noon = 12;\n" * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "shelf"
    (files / "parts").mkdir(parents=True)
    (files / "main.js").write_text(SCRIPT)
    (files / "parts" / "star.svg").write_text("<svg/>")
    (files / "face.webp").write_bytes(bytes(range(256)))
    return files


class Web:
    def __init__(self, folder: Path) -> None:
        self._app = FastAPI()
        self._app.mount("/static", StaticFolder(folder))

    def get(self, path: str, *, headers: Mapping[str, str] | None = None, method: str = "GET") -> Response:
        async def answer() -> Response:
            async with AsyncClient(transport=ASGITransport(self._app), base_url="http://127.0.0.1") as client:
                return await client.request(method, path, headers=headers)

        return asyncio.run(answer())


@pytest.fixture
def web(folder: Path) -> Web:
    return Web(folder)


def test_text_is_gzipped_for_browsers_that_accept_it(web: Web) -> None:
    squeezed = web.get("/static/main.js", headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert int(squeezed.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    assert "content-encoding" not in web.get("/static/main.js", headers={"Accept-Encoding": "identity"}).headers
    assert "content-encoding" not in web.get("/static/face.webp").headers


def test_browser_that_has_the_file_gets_304(web: Web, folder: Path) -> None:
    tag = web.get("/static/main.js").headers["etag"]
    assert web.get("/static/main.js", headers={"If-None-Match": tag}).status_code == 304
    (folder / "main.js").write_text("changed")
    os.utime(folder / "main.js", ns=(1, 1))
    changed = web.get("/static/main.js", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.text) == (200, "changed")


def test_other_spellings_of_a_files_path_take_no_memory(web: Web, folder: Path) -> None:
    (folder / "parts" / "large.webp").write_bytes(bytes(1_000_000))
    tracemalloc.start()
    try:
        for number in range(1, 9):
            assert web.get(f"/static/parts{'/' * number}large.webp").status_code == 200
        assert tracemalloc.get_traced_memory()[0] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "css").mkdir()
    (tmp_path / "js").mkdir()
    (tmp_path / "js/main.js").write_text("export const noon = 12;\n")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / SOURCES).write_text(digest(tmp_path))
    return tmp_path


def test_bundle_of_the_current_sources_is_used(static: Path) -> None:
    assert bundle_of(static) == static / FOLDER


@pytest.mark.parametrize(("name", "text"), [("js/main.js", ""), ("css/late.css", "p {}"), (f"{FOLDER}/{SOURCES}", "")])
def test_bundle_of_other_sources_is_not_used(static: Path, name: str, text: str) -> None:
    (static / name).write_text(text)
    assert bundle_of(static) is None


@needs_esbuild
def test_every_module_and_sheet_of_a_page_is_bundled_whole() -> None:
    assert bundle_of(STATIC), "run: make bundle"
    named = re.compile(r'(?:type="module" src|rel="stylesheet" href)="[^"]*?static/([^"]*)"')
    names = {name for path in TEMPLATES.rglob("*.html") for name in named.findall(path.read_text(encoding="utf-8"))}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js"):
        bundle = bundled(STATIC / name)
        assert bundle != STATIC / name, name
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", bundle.read_text(encoding="utf-8")), name
