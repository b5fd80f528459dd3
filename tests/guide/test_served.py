"""The guide's pages are complete, whether the studio serves them or a browser opens their files from disk."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Request, ViewportSize

from broadcast.app import Studio
from broadcast.guide.pages import FIRST, NAMES, STYLE, Guide
from broadcast.guide.render import rendered
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from tests.support.program import highnoon

Web = Callable[..., httpx.Response]


def get(app: FastAPI, address: str, **headers: str) -> httpx.Response:
    """An application's answer to a request for `address`."""

    async def fetch() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=("203.0.113.9", 4321))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:5000") as client:
            return await client.get(address, headers=headers, follow_redirects=True)

    return asyncio.run(fetch())


@pytest.fixture
def web(tmp_path: Path) -> Web:
    """A function that requests an address from the studio."""
    return partial(get, Studio(tmp_path, time.monotonic).app)


def test_every_file_has_its_type_and_the_folder_leads_to_the_first_page(web: Web) -> None:
    for name in Guide().names:
        answer = web(f"/guide/{name}")
        assert answer.status_code == 200, name
        assert (answer.headers["content-type"].startswith("text/html")) == name.endswith(".html")
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert web("/guide").text == web(f"/guide/{FIRST}").text
    assert 'href="/guide/"' in web("/").text


def test_enova_registration_serves_the_guide_too(tmp_path: Path) -> None:
    app = enova_app(EnovaRegistry(tmp_path / "bots.json"))
    link = 'href="/guide/contests.html#enova"'
    assert link in get(app, "/tournament/register").text
    assert 'id="enova"' in get(app, "/guide/contests.html").text


def test_file_in_the_browsers_cache_is_not_sent_again(web: Web) -> None:
    tags = {name: web(f"/guide/{name}").headers["etag"] for name in (STYLE, FIRST)}
    assert len(set(tags.values())) == 2
    for name, tag in tags.items():
        again = web(f"/guide/{name}", **{"if-none-match": tag})
        assert (again.status_code, again.headers["etag"]) == (304, tag)


@pytest.mark.parametrize(
    "name", ["nothing.html", "index.md", "../app.py", "%2e%2e/app.py", "assets/event.toml", "assets/", "pages.py"]
)
def test_only_the_guides_files_are_served(web: Web, name: str) -> None:
    assert web(f"/guide/{name}").status_code == 404


def test_pages_have_no_inline_script_or_style_and_show_html_as_text() -> None:
    guide = Guide()
    pages = [(guide.file(name) or b"").decode() for name in guide.names if name.endswith(".html")]
    assert len(pages) > 10
    assert not [part for page in pages for part in ("<script", "<style", " style=", "javascript:") if part in page]
    assert "<b>" not in rendered("# A\n\n<b>x</b>").html


WIDE: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide, written below a folder that does not exist yet."""
    folder = tmp_path_factory.mktemp("site") / "some/where else"
    ended = highnoon("guide", "--out", str(folder))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith(f"open {folder / FIRST}\n")
    return folder


def test_every_page_opens_from_disk_with_all_it_needs(folder: Path, browser: Browser) -> None:
    failed: list[str] = []
    page = browser.new_page(viewport=PHONE)

    def note_failure(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # when the page is left, a font that is still loading is aborted
            failed.append(request.url)

    page.on("requestfailed", note_failure)
    page.on("console", lambda message: failed.append(message.text))
    for name in NAMES:
        page.goto((folder / f"{name}.html").as_uri())
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 20px \"Barlow Condensed\"'))")
        assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth)"), name
        for size in (PHONE, WIDE) if name in NAMES[::4] else (PHONE,):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {size}"
        page.evaluate("document.querySelectorAll('pre, code').forEach((code) => code.remove())")
        assert "`" not in page.inner_text("body"), f"{name} shows Markdown"
    page.close()
    assert not failed


def test_all_pages_can_be_reached_on_a_phone_by_touch(folder: Path, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / FIRST).as_uri())
    page.tap("text=All pages")
    page.tap("details >> text=The control desk")
    page.wait_for_url("**/desk.html")
    page.tap("a[rel=next]")
    page.wait_for_url("**/obs.html")
    context.close()
