"""When a show that was published live is over, its destination becomes an archive, even after failures."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from broadcast.publish.destination import Destination
from broadcast.publish.live_files import INDEX_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from broadcast.publish.site import Site
from server.game.events import TournamentEnded
from tests.end_to_end.evening import NAMES, EventFolder, RemoteBots, secrets_of, tournament, write_evening
from tests.publish.hosted_show import HostedShow, name_of_event, publish_show
from tests.publish.test_live_publisher import PublishedShow
from tests.publish.test_site import published, publishing
from tests.support.games.recordings import aired, small_contest, write
from tests.support.program import SECONDS, Program, highnoon
from tests.support.programs.nginx import nginx, static_host
from tests.support.programs.reused_pages import ReusedPages
from tests.support.published import files_in, published_entries, published_index, published_json
from tests.voice.spoken_show import run_aside

WIDE = {"width": 1280, "height": 720}
_LULL_MS = 10_000
_HAS_ASKED = "(times) => window.highnoon?.film.revision >= times"
"""Whether the page has asked `times` times for the show so far: at its start, when connected, and after a lull."""
_NO_CHECKS = """const setOften = window.setInterval;
window.setInterval = (work, ms) => ms < 1000 ? setOften(work, ms) : 0;"""
"""Disables the half-minute check for silently lost connections, which would also make a page notice the end."""
_HAND = "(hand) => window.highnoon?.head.place.hand === hand"


def winner(folder: EventFolder) -> str:
    ended = folder.events[-1]
    assert isinstance(ended, TournamentEnded)
    return NAMES[ended.placings[0].bot - 1]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[EventFolder, Path, str]:
    """An evening that was published live, its site, and the program's output."""
    folder = tmp_path_factory.mktemp("evening")
    held = write_evening(folder, secrets_of(NAMES), lines='start = "bots"\n[publish]\nto = "host/some/where"')
    with RemoteBots(held.register, secrets_of(NAMES), wild=0.3), tournament(held) as terminal:
        assert terminal.ended() == 0, terminal.text
    return held, folder / "host", terminal.text


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recordings") / "friday.jsonl", small_contest())


@pytest.fixture
def page(reused_pages: ReusedPages, heard: dict[str, Any]) -> Iterator[Page]:
    yield reused_pages.open(WIDE, **heard)
    reused_pages.leave()


def test_live_site_becomes_an_archive(evening: tuple[EventFolder, Path, str], page: Page, tmp_path: Path) -> None:
    held, host, said = evening
    at = host / "some/where"
    assert "1 recording" in said
    assert (at / "recordings" / held.journal.name).read_bytes() == held.journal.read_bytes()
    index = published_index(at)
    assert (index["state"], index["recording"]) == ("over", held.journal.stem)
    for path in ("index.html", "recordings/index.html"):
        assert not re.search("On now|data-published", (at / path).read_text())
    with nginx(tmp_path / "nginx", static_host(host)) as address:
        page.goto(f"{address}/some/where/watch/?theme=plain")
        expect(page.locator("main")).to_contain_text("This show is over.")
        expect(page.locator("body")).not_to_contain_text(winner(held))
        page.get_by_role("link", name="All recordings").click()
        expect(page.locator("main")).to_contain_text("A night in tests")
        expect(page.locator("body")).not_to_contain_text(winner(held))
        page.go_back()
        page.get_by_role("link", name="Watch it from the beginning").click()
        page.wait_for_function("() => document.body?.dataset.ready === 'yes'")
        assert page.locator("html").get_attribute("data-theme") == "plain"
        assert f"replay/{held.journal.stem}/" in page.url
        page.goto(f"{address}/some/where/")
        champion = page.get_by_role("region", name=winner(held))
        expect(champion).to_contain_text("wins A night in tests")
        assert champion.locator("img").evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 512
        expect(champion.get_by_role("link", name="Watch it from the beginning")).to_be_in_viewport()
        page.goto(f"{address}/some/where/watch/index.html?channel=main&hand=3&step=2&debug")
        page.wait_for_function(_HAND, arg=3)
        assert page.evaluate("() => window.highnoon.head.place.step") == 2
        assert "replay/" in page.url, "a link to a hand of the show leads to that hand of the replay"


def test_failure_of_the_destination_at_the_end_is_reported_with_the_command_to_repeat(
    evening: tuple[EventFolder, Path, str], tmp_path: Path
) -> None:
    held, _, _ = evening
    to = tmp_path / "site"
    run_aside(Site(Destination(str(to))).begin())
    (to / "films").write_text("a file where a folder should be")
    with tournament(held, "--speed", "0", "--publish", str(to)) as terminal:
        assert terminal.ended() == 0, terminal.text
    (complaint,) = [line for line in terminal.lines if "not published" in line]
    assert complaint.endswith(f"later: highnoon publish {held.journal} --to {to}")
    assert not [line for line in terminal.lines if line.startswith("highnoon: ")]
    assert "Traceback" not in terminal.text
    assert published_index(to)["state"] == "over", "the whole show must be published before its recording"
    (to / "films").unlink()
    published(held.journal, to)
    assert "This show is over." in (to / "watch/index.html").read_text()


def test_interrupted_show_is_over_once_its_recording_is_published_and_a_studio_that_returns_changes_nothing(
    recording: Path, reused_pages: ReusedPages, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    run_aside(publish_show(site, small_contest(), broken_off=True))
    page = reused_pages.open(WIDE, fresh=True, script=_NO_CHECKS)
    page.clock.install()
    with nginx(tmp_path / "nginx", static_host(tmp_path)) as address:
        page.goto(f"{address}/site/watch/?debug&motion=off")
        page.wait_for_function(_HAS_ASKED, arg=2)
        page.clock.fast_forward(_LULL_MS)
        page.wait_for_function(_HAS_ASKED, arg=3)
        published(recording, site)
        page.clock.fast_forward(round(INDEX_SECONDS * 1000))
        expect(page.get_by_role("link", name="Watch again")).to_be_visible()
        expect(page.locator("#live")).to_have_text("Over")
        page.reload()
        expect(page.locator("main")).to_contain_text("This show is over.")
    reused_pages.leave()
    before = files_in(site)
    again = PublishedShow(site, name_of_event(small_contest()))
    run_aside(again.publisher.run())
    assert again.publisher.light().colour == "green"
    assert files_in(site) == before


def test_publishing_waits_for_the_end_of_a_show_that_is_still_being_published(recording: Path, tmp_path: Path) -> None:
    with HostedShow(tmp_path / "site", behind=0) as on:
        on.publisher = LivePublisher(str(on.folder), on.live, name_of_event(small_contest()))
        entries = aired(small_contest())
        on.put(entries[:-5])
        assert published_index(on.folder)["state"] != "over"
        process = Program(*publishing(recording, on.folder))
        process.runs_until((on.folder / "recordings/friday/about.json").exists)
        on.put(entries[-5:])
        assert process.wait(SECONDS) == 0
        process.close()
    assert "This show is over." in (on.folder / "watch/index.html").read_text()
    index = published_index(on.folder)
    assert (index["state"], index["recording"]) == ("over", "friday"), "the recording of a whole show must be named"
    for path in ("index.html", "recordings/index.html", "bots/index.html"):
        assert not re.search("On now|data-published", (on.folder / path).read_text())


def test_season_is_published_game_by_game_and_can_be_watched_afterwards(tmp_path: Path, page: Page) -> None:
    site = tmp_path / "site"
    words = ["demo", "--contest", "upac", "--speed", "0", "--port", "0", "--data", str(tmp_path / "data")]
    ended = highnoon(*words, "--publish", str(site))
    assert ended.returncode == 0, ended.stderr
    assert f"published       {site}" in ended.stdout
    index = published_index(site)
    assert (index["state"], index.get("goes_on")) == ("over", None)
    kinds = [entry["type"] for entry in published_entries(site)]
    games = kinds.count("tournament_opened")
    assert games == kinds.count("tournament_ended") > 1
    assert len(list((site / "recordings").glob("*-upac-*.jsonl"))) == games
    whole = site / "live/main/all.json"  # this file may be from before the last game
    whole.write_bytes(gzip.compress(json.dumps({**published_json(whole), "goes_on": True}).encode()))
    with nginx(tmp_path / "nginx", static_host(site)) as host:
        page.goto(f"{host}/watch/?motion=off&debug")
        expect(page.locator("#live")).to_have_text("Over")
        page.keyboard.press("Space")  # pauses, as this short show would soon be over
        page.keyboard.press("Home")
        page.wait_for_function("() => window.highnoon.head.place.hand === 0")
        page.goto(f"{host}/recordings/")
        expect(page.locator("main")).to_contain_text("UPAC")
