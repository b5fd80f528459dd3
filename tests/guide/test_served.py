"""The guide's pages are complete, whether a server sends them or a browser opens their files from disk."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, ViewportSize
from starlette.testclient import TestClient

from broadcast.app import Studio  # `Studio`: the server of a show's pages
from broadcast.guide.pages import FIRST_PAGE, PAGE_NAMES, Guide
from broadcast.guide.render import render_page
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from tests.support.program import highnoon


def test_exactly_the_files_of_the_guide_are_served(tmp_path: Path) -> None:
    web, etags = TestClient(Studio(tmp_path, time.monotonic).app, base_url="http://127.0.0.1:5000"), set[str]()
    for name in Guide().names:
        answer = web.get(f"/guide/{name}")
        assert answer.status_code == 200, name
        assert (answer.headers["content-type"].startswith("text/html")) == name.endswith(".html")
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        etags.add(etag := answer.headers["etag"])
        again = web.get(f"/guide/{name}", headers={"if-none-match": etag})
        assert (again.status_code, again.headers["etag"]) == (304, etag), "a cached file must not be sent again"
    assert len(etags) == len(Guide().names)
    assert web.get("/guide").text == web.get(f"/guide/{FIRST_PAGE}").text
    assert 'href="/guide/"' in web.get("/").text
    for name in ("nothing.html", "index.md", "../app.py", "%2e%2e/app.py", "assets/event.toml", "assets/", "pages.py"):
        assert web.get(f"/guide/{name}").status_code == 404, name


def test_enova_registration_serves_the_guide_too(tmp_path: Path) -> None:
    web = TestClient(enova_app(EnovaRegistry(tmp_path / "bots.json")), base_url="http://127.0.0.1:5000")
    assert 'href="/guide/contests.html#enova"' in web.get("/tournament/register").text
    assert 'id="enova"' in web.get("/guide/contests.html").text


def test_pages_have_no_inline_script_or_style_and_show_html_as_text() -> None:
    guide = Guide()
    pages = [(guide.file(name) or b"").decode() for name in guide.names if name.endswith(".html")]
    assert len(pages) > 10
    assert not [part for page in pages for part in ("<script", "<style", " style=", "javascript:") if part in page]
    assert "<b>" not in render_page("# A\n\n<b>x</b>").html


PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def guide_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes the guide to a folder that does not exist yet, and returns this folder."""
    guide_folder = tmp_path_factory.mktemp("site") / "some/where else"
    run = highnoon("guide", "--out", str(guide_folder))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith(f"open {guide_folder / FIRST_PAGE}\n")
    return guide_folder


def test_every_page_opens_from_disk_with_all_it_needs(guide_folder: Path, browser: Browser) -> None:
    failures: list[str] = []
    page = browser.new_page(viewport=PHONE)

    def note_failure(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # Leaving a page aborts fonts that are still loading.
            failures.append(request.url)

    page.on("requestfailed", note_failure)
    page.on("console", lambda message: failures.append(message.text))
    for name in PAGE_NAMES:
        page.goto((guide_folder / f"{name}.html").as_uri())
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 20px \"Barlow Condensed\"'))")
        assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth)"), name
        for width in (390, 1280) if name in PAGE_NAMES[::4] else (390,):
            page.set_viewport_size({"width": width, "height": 720})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {width}"
        page.evaluate("document.querySelectorAll('pre, code').forEach((code) => code.remove())")
        assert "`" not in page.inner_text("body"), f"{name} shows Markdown"
    page.close()
    assert not failures


def test_all_pages_can_be_reached_on_a_phone_by_touch(guide_folder: Path, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((guide_folder / FIRST_PAGE).as_uri())
    page.tap("text=All pages")
    page.tap("details >> text=The control desk")
    page.wait_for_url("**/desk.html")
    page.tap("a[rel=next]")
    page.wait_for_url("**/obs.html")
    context.close()
