"""`highnoon guide --out DIR` writes files that a browser opens from the disk, without server or JavaScript."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from broadcast.guide.pages import FIRST, NAMES
from tests.support.program import highnoon

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
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("console", lambda message: failed.append(message.text))
    for name in NAMES:
        page.goto((folder / f"{name}.html").as_uri())
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 20px \"Barlow Condensed\"'))")
        assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth)"), name
        for size in (PHONE, WIDE) if name in NAMES[::4] else (PHONE,):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {size}"
    page.close()
    assert not failed


def test_no_page_shows_markdown_syntax(folder: Path, browser: Browser) -> None:
    page = browser.new_page()
    for name in NAMES:
        page.goto((folder / f"{name}.html").as_uri())
        page.evaluate("document.querySelectorAll('pre, code').forEach((code) => code.remove())")
        assert "`" not in page.inner_text("body"), name
    page.close()


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
