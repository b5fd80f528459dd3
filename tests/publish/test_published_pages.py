"""The first page and a bot's page on a static host under a path, during a show and afterwards."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry
from server.game.events import TournamentEnded, TournamentOpened
from tests.publish.hosted_show import HostedShow
from tests.publish.test_published_page import hands
from tests.publish.test_site import published
from tests.support.browsers import PATIENCE_MS
from tests.support.nginx import nginx, static_host
from tests.support.published import published_index
from tests.support.recordings import aired, small_contest, write
from tests.support.reused_pages import ReusedPages

_READY = "() => document.body?.dataset.ready === 'yes'"
_SHOWS = "(seq) => window.highnoon?.state().seq === seq"


def opened() -> TournamentOpened:
    event = small_contest()[0].event
    assert isinstance(event, TournamentOpened)
    return event


def name_of(bot: int) -> str:
    return next(each.name for each in opened().entrants if each.bot == bot)


def last_placed() -> int:
    ended = small_contest()[-1].event
    assert isinstance(ended, TournamentEnded)
    return ended.placings[-1].bot


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with two recordings of the same bots."""
    folder = tmp_path_factory.mktemp("bots")
    for name in ("one", "two"):
        write(folder / "recordings" / f"{name}.jsonl", small_contest())
    published(folder / "recordings", folder / "host/some/where")
    with nginx(folder / "nginx", static_host(folder / "host")) as address:
        yield f"{address}/some/where"


@pytest.fixture
def page(reused_pages: ReusedPages) -> Iterator[Page]:
    complaints: list[str] = []
    heard: dict[str, Any] = {
        "pageerror": lambda error: complaints.append(str(error)),
        "response": lambda answer: complaints.append(answer.url) if answer.status >= 400 else None,
    }
    yield reused_pages.open({"width": 390, "height": 844}, is_mobile=True, has_touch=True, **heard)
    reused_pages.leave()
    assert not complaints


def test_bot_page_lists_recordings_and_hides_results_until_asked(archive: str, page: Page) -> None:
    name = name_of(last_placed())
    page.goto(f"{archive}/recordings/one/index.html")
    page.get_by_role("link", name=name, exact=True).click()
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    expect(page.locator("h1").locator("visible=true")).to_have_text(name)
    expect(page.locator("#played li")).to_have_count(2)
    for words in ("Place", "of 8", "Out of chips"):
        expect(page.locator("body")).not_to_contain_text(words)
    assert not page.locator("#chips-box").is_visible()
    page.get_by_role("link", name="Show results").click()
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    expect(page.locator("#played")).to_contain_text("Place 8")
    assert page.inner_text("#place") == "8th of 8"
    assert page.locator("#chips .chart__mine").count() == 1
    page.locator("#played a").get_by_text("Watch").first.click()
    page.wait_for_url("**/replay/**")


@pytest.fixture
def show(tmp_path: Path) -> Iterator[HostedShow]:
    with HostedShow(tmp_path / "host/a/b", whole_site=True) as on:
        yield on


@pytest.fixture
def host(show: HostedShow, tmp_path: Path) -> Iterator[str]:
    with nginx(tmp_path / "nginx", static_host(tmp_path / "host")) as address:
        yield f"{address}/a/b"


@pytest.fixture(scope="module")
def on_air() -> Sequence[OnAirEntry]:
    return aired(small_contest())


def test_bot_page_follows_the_live_show_and_names_lead_to_it(
    show: HostedShow, host: str, page: Page, on_air: Sequence[OnAirEntry]
) -> None:
    second, third, *_ = hands(on_air)[1:]
    show.put(on_air[:second])
    page.goto(f"{host}/watch/index.html?debug&motion=off")
    page.wait_for_function(_SHOWS, arg=second, timeout=PATIENCE_MS)
    page.locator("#tab-standings").click()
    row = page.locator("#standings .standing").first
    name = row.locator("a").inner_text()
    row.locator("button.star").click()
    row.locator("a").click()
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    assert page.url == f"{host}/bots/index.html?bot={quote(name)}"
    expect(page.locator("h1").locator("visible=true")).to_have_text(name)
    expect(page.get_by_role("button", name=f"Follow {name}")).to_have_attribute("aria-pressed", "true")
    before = page.locator("#hands li").count()
    show.put(on_air[second:third])
    expect(page.locator("#hands li")).not_to_have_count(before, timeout=PATIENCE_MS)
    page.locator("#hands a").first.click()
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    assert f"{host}/watch/index.html?channel=main&hand=" in page.url


def test_recording_of_an_earlier_show_leaves_the_live_pages_alone(
    show: HostedShow, host: str, page: Page, on_air: Sequence[OnAirEntry], tmp_path: Path
) -> None:
    show.behind = 0
    show.put(on_air[:40])
    pages = {path: path.read_bytes() for name in ("watch", "bots") for path in (show.folder / name).glob("*.html")}
    published(write(tmp_path / "older.jsonl", small_contest(3)), show.folder)
    assert {path: path.read_bytes() for path in pages} == pages
    assert "recording" not in published_index(show.folder)
    listed = (show.folder / "recordings/index.html").read_text()
    assert "On now" in listed
    assert "replay/older/index.html" in listed
    page.goto(f"{host}/bots/index.html?bot={quote(name_of(1))}")
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    expect(page.locator("#played li")).to_have_count(1)
    expect(page.locator("#live")).to_be_visible()
