"""What the studio serves over real HTTP, with which headers, and how it reports a missing page."""

from collections.abc import Iterator
from html import escape

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

from tests.web.stranger_connections import small_studio


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a studio that has something on air and a media file; beside the folder of media is a secret."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "secret").write_text("seed")
    (folder / "media").mkdir()
    (folder / "media" / "0123456789abcdef.webp").write_bytes(b"RIFF")
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(small_studio(folder / "media")) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/", "/overlay", "/projector"])
def test_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(path: str, web: httpx.Client) -> None:
    page = web.get(path)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/nothing", "/control/desk", "/media/no.webp", f"/{'long' * 100}", "/<b>bold</b>"])
def test_missing_page_is_reported_to_people_as_a_page(path: str, web: httpx.Client) -> None:
    page = web.get(path)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "No such page" in page.text
    assert f"There is nothing at {escape(path[:80])}" in page.text
    assert len(page.text) < 2000
    assert '<a href="/">' in page.text


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/nothing"), ("POST", "/nothing"), ("PUT", "/")])
def test_missing_page_is_reported_to_programs_as_json(method: str, path: str, web: httpx.Client) -> None:
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
        "/docs",
        "/static/js/nothing.js",
        "/static/js/",
        "/static/js/..%2f..%2fpackage.json",
        "/static//etc/passwd",
        "/static/js/%2fetc/hosts.js",
        "/static/js/%00.js",
        f"/static/js/{'a' * 5000}.js",
    ],
)
def test_files_outside_the_public_folders_are_not_served(path: str, web: httpx.Client) -> None:
    request = web.build_request("GET", "/")
    request.url = request.url.copy_with(raw_path=path.encode())
    assert web.send(request).status_code == 404
