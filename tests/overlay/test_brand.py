"""The organiser's branding is on every page and on every scene. It covers nothing."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy

import httpx
import pytest
from fastapi import FastAPI
from markupsafe import escape
from playwright.sync_api import Browser

from broadcast.on_air.events import FocusChanged
from broadcast.web.brand import BRAND_FILE, Brand, read_brand, write_brand
from server.app.branding import prepare_brand, update_branding
from server.app.decisions.author_reports import author_link
from server.config.event_brand import BrandingPlan
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from server.errors import Refusal
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.overlay.conftest import SHAPES
from tests.overlay.support.scenes import SCENES, one_table
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.overlay.test_scenes import NO_FAULTS, find_layout_faults, full_table
from tests.support.bots.submission import write_bot
from tests.support.games.contests import play_contest
from tests.support.games.recordings import KEPT_FOLDER, aired
from tests.support.program import highnoon
from tests.support.public_pages import AUTHORS, RECORDING, Evening
from tests.web.test_every_app import clip, practice, season, studio_gone

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 80"><rect width="320" height="80" fill="#123a6b"/>'
    '<circle cx="44" cy="40" r="24" fill="#ffcf5c"/></svg>'
)
TITLE, SPONSOR = "The <b>City</b> Poker Cup", "Presented by the Silver Dollar Bank & Söhne"
BRANDING = re.compile(r'<div class="branding"[^>]*>.*?</div>', re.DOTALL)
LINKED_FILES = re.compile(r'(?:href|src)="([^"]*brand/\w+\.(?:css|webp))"')
# Returns whether the branding is visible, whether its logo is shown, whether its texts are shown in full, and whether
# the branding covers the header or the content.
_LOOK_OF_BRANDING = """() => {
  const slot = document.querySelector("body > .branding");
  const { left, top, right, bottom } = slot.getBoundingClientRect();
  const [logo] = slot.querySelectorAll("img");
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const next = [...document.querySelectorAll("body > header, body > main")].map((node) => node.getBoundingClientRect());
  return {
    seen: slot.contains(hit) && left >= 0 && right <= innerWidth + 1 && top >= 0 && bottom <= innerHeight,
    logo: logo.naturalWidth > 0 && logo.height > 10,
    texts: [...slot.querySelectorAll("b, span")].every((node) => node.scrollWidth <= node.clientWidth + 1 ||
      getComputedStyle(node).display === "inline"),
    over: next.some((box) => box.top < bottom - 1 && box.bottom > top + 1),
  };
}"""


@pytest.fixture(scope="module")
def brand(tmp_path_factory: pytest.TempPathFactory) -> Brand:
    folder = tmp_path_factory.mktemp("brand")
    (folder / "logo.svg").write_text(LOGO)
    plan = BrandingPlan(TITLE, SPONSOR, folder / "logo.svg", "#0f2d4f", "#ffffff", "#4fc3f7")
    prepared = prepare_brand(folder / "event.toml", plan)
    assert prepared
    return prepared


@pytest.fixture(scope="module")
def branded(brand: Brand, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    media = tmp_path_factory.mktemp("media")
    write_brand(media, brand)
    with ShowServer(media) as server:
        yield server


@pytest.mark.parametrize("theme", ["western", "plain"])
@pytest.mark.parametrize("shape", SHAPES)
def test_branding_covers_nothing_on_any_scene(shape: str, theme: str, branded: ShowServer, browser: Browser) -> None:
    width, height = SHAPES[shape]
    settings = f"motion=off&still&shape={shape}&theme={theme}"
    screen = Screen(branded, browser, f"{shape}-{theme}", settings, width=width, height=height)
    for scene, script in SCENES.items():
        screen.tidy()
        screen.show(script())
        slot = screen.page.locator(".stage > .branding")
        assert slot.inner_text().split("\n")[-2:] == [TITLE, SPONSOR], scene
        assert slot.locator("img").evaluate("(logo) => logo.naturalWidth"), scene
        box = slot.bounding_box()
        assert box, f"the branding is not visible: {scene}"
        assert 0 < box["x"] < width - box["width"], scene
        assert box["y"] < height - box["height"], scene
        if shape == "wide" or scene != "names":
            assert find_layout_faults(screen) == NO_FAULTS, scene
    assert not screen.complaints
    screen.close()


@pytest.mark.parametrize("page", ["overlay", "projector"])
def test_tables_of_any_size_fit_beside_branding(page: str, branded: ShowServer, browser: Browser) -> None:
    screen = Screen(branded, browser, f"{page}-tables", "motion=off&still", page=page)
    for count in range(2, 13):
        scripts = [full_table(count, stack) for stack in (123456, 123456789)]
        for zoom, seats in (("duel", (0, count - 1)), ("group", (0, 1, count - 1))) if count > 2 else ():
            focus = FocusChanged(zoom, seats, None, "", silent=False)  # type: ignore[arg-type]
            scripts.append(one_table([f"Gunslinger Gus No {bot:02}" for bot in range(count)]).hand().put(focus))
        for script in scripts:
            screen.show(script)
            assert screen.page.locator(".stage > .branding").is_visible()
            assert find_layout_faults(screen) == NO_FAULTS, count
    screen.close()


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("page", ["", "watch", "recordings", "guide/obs.html", "bots/"])
def test_branding_is_visible_and_covers_nothing(page: str, phone: bool, branded: ShowServer, browser: Browser) -> None:
    width, height = (390, 844) if phone else (1920, 1080)
    branded.channel("main", SCENES["betting"]().entries, title="Friday")
    window = browser.new_context(viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone)
    tab = window.new_page()
    tab.goto(f"{branded.address}/{page}", wait_until="networkidle")
    assert tab.evaluate(_LOOK_OF_BRANDING) == {"seen": True, "logo": True, "texts": True, "over": False}
    window.close()


def evening_app(folder: Path) -> FastAPI:
    """Makes a studio with a recording, and with a show that has aired three hands. Returns the studio's app."""
    entries = play_contest(1, 6)
    show = Evening(folder, entries, aired(entries))
    show.play(3)
    return show.studio.app


EVENING_PAGES = (
    "/", "/watch", "/overlay", "/projector", "/results", "/recordings", f"/recordings/{RECORDING}",
    f"/replay/{RECORDING}", f"/verify/{RECORDING}", "/verify", "/bots/", "/bots/Nobody", "/guide/", "/api/v1/",
    "/nowhere", "/watch?channel=other", f"/own/{author_link(AUTHORS, 1, 'Bot 1')}",
)  # fmt: skip
APPS: dict[str, tuple[Callable[[Path], FastAPI], tuple[str, ...]]] = {
    "an evening": (evening_app, EVENING_PAGES),
    "practice": (lambda folder: practice(folder, "quick-draw"), ("/practice",)),
    "a season": (season, ("/season", "/season/games", "/upload")),
    "a clip": (clip, ("/clip",)),
    "Enova's registration": (
        lambda folder: enova_app(EnovaRegistry(folder / "bots.json"), media=folder / "media"),
        ("/tournament/register", "/guide/evening.html"),
    ),
    "the studio is gone": (studio_gone, ("/watch", "/overlay", "/setup")),
}


@pytest.mark.parametrize("name", APPS)
async def test_every_page_has_the_branding_and_its_files_are_served(name: str, brand: Brand, tmp_path: Path) -> None:
    write_brand(tmp_path / "media", brand)
    make, paths = APPS[name]
    cookie = {"cookie": f"desk_5000={TOKENS.cookie_value('control')}"}
    transport = httpx.ASGITransport(app=make(tmp_path))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:5000", headers=cookie) as web:
        for path in paths:
            page = await web.get(path)
            assert "text/html" in page.headers["content-type"], path
            assert_branded(page.text, str(page.url))
            for address in LINKED_FILES.findall(page.text):
                file = (await web.get(str(page.url.join(address)))).raise_for_status()
                assert file.content in (brand.logo, brand.colours.encode())
                assert file.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_desk_booth_and_setup_page_have_the_branding(brand: Brand, tmp_path: Path) -> None:
    write_brand(tmp_path, brand)
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        for page in ("control", "booth", "setup"):
            answer = server.web.get(f"{server.address}/{page}?token={TOKENS.control}", follow_redirects=True)
            assert_branded(answer.raise_for_status().text, page)


def assert_branded(page: str, where: str) -> None:
    """Asserts that a page has the branding once, escapes both texts, and links to the logo and the colours."""
    [slot] = BRANDING.findall(page) or [""]
    assert str(escape(TITLE)) in slot, where
    assert str(escape(SPONSOR)) in slot, where
    assert len(LINKED_FILES.findall(page)) == 2, where


def test_every_page_of_a_published_site_has_the_branding_and_its_files(brand: Brand, tmp_path: Path) -> None:
    data, site = tmp_path / "data", tmp_path / "site"
    write_brand(data / "media", brand)
    (data / "recordings").mkdir()
    recording = copy(KEPT_FOLDER / "quick-draw.jsonl", data / "recordings")
    assert highnoon("publish", str(recording), "--to", str(site)).returncode == 0
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 6
    for page in pages:
        assert_branded(page.read_text(), str(page))
        files = {(page.parent / address).read_bytes() for address in LINKED_FILES.findall(page.read_text())}
        assert files == {brand.colours.encode(), brand.logo}


def test_check_refuses_unsafe_branding_and_puts_valid_branding_on_reports(tmp_path: Path) -> None:
    write_bot(tmp_path / "bot")
    (tmp_path / "logo.svg").write_text(LOGO)
    event = tmp_path / "event.toml"
    text = f'name = "A"\ndate = 2026-11-21\nmode = "practice"\n[branding]\ntitle = "{TITLE}"\nlogo = "logo.svg"\n'
    event.write_text(text)
    command = ("check", str(tmp_path / "bot"), "--no-run", "--report", str(tmp_path / "r.html"), "--event", str(event))
    assert highnoon(*command).returncode == 0
    [slot] = BRANDING.findall((tmp_path / "r.html").read_text())
    assert str(escape(TITLE)) in slot
    assert 'src="data:image/webp;base64,' in slot
    (tmp_path / "logo.svg").write_text(LOGO.replace("<circle", "<script/><circle"))
    refused = highnoon(*command)
    assert (refused.returncode, "branding.logo: it has a script" in refused.stderr) == (1, True)


def test_event_without_branding_removes_old_branding_and_invalid_branding_is_ignored(tmp_path: Path) -> None:
    event = tmp_path / "event.toml"
    update_branding(event, BrandingPlan("City Poker Cup"), tmp_path / "media")
    brand = read_brand(tmp_path / "media")
    assert brand
    assert (brand.title, brand.logo, brand.ground) == ("City Poker Cup", b"", "#1f1209")
    update_branding(event, None, tmp_path / "media")
    assert read_brand(tmp_path / "media") is None
    (tmp_path / "bad.svg").write_text("<svg")
    with pytest.raises(Refusal, match=r"event\.toml, branding\.logo: it is not"):
        update_branding(event, BrandingPlan(logo=tmp_path / "bad.svg"), tmp_path / "media")
    valid = {"ground": "#000000", "ink": "#ffffff", "accent": "#ffffff"}
    for invalid in ({"accent": "red}*{display:none"}, {"logo": "PHN2Zz4="}, {"title": "x" * 101}):
        (tmp_path / BRAND_FILE).write_text(json.dumps(valid | invalid))
        assert read_brand(tmp_path) is None, invalid
