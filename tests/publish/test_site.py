"""A published site on nginx under a path, without High Noon's server: recordings can be found, watched and proved."""

import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from broadcast.film.film import film_recording
from broadcast.film.highlights import ranked_picks
from broadcast.on_air.diary import DIARY_SUFFIX, AiredLine, Diary, spoken_line
from broadcast.on_air.events import LineSpoken
from server.commands.publish import media_beside
from server.game.events import TournamentEnded
from server.journal.journal import Journal, read_journal
from server.season.files import LEDGER_SUFFIX, SeasonFiles
from tests.support.games.recordings import small_contest, write
from tests.support.program import Program, highnoon
from tests.support.programs.nginx import nginx
from tests.support.programs.reused_pages import ReusedPages
from tests.support.published import files_in

PATH = "/~ada/poker/2026/"
STILL = "debug&motion=off&still&audio=0"
NAME = "The evening & more"
TYPES = "types { text/html html; text/css css; text/javascript js; image/svg+xml svg; image/webp webp; }"
"""The only file types that the host is configured for."""
READY = "() => document.body?.dataset.ready === 'yes'"
"""False while the page is loading and has no body yet."""
SPOKEN = "voice-00000000000000a1.ogg"
_LONGEST_SECONDS = 300


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write(folder / "recordings" / f"{NAME}.jsonl", small_contest())
    return folder


@pytest.fixture(scope="module")
def site(data: Path) -> Path:
    published(data / "recordings", data / "site")
    return data / "site"


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another recording. One of two spoken lines in its data folder has been on air."""
    data = tmp_path_factory.mktemp("other")
    path = write(data / "recordings/other.jsonl", small_contest(3))
    diary = Diary(path.with_suffix(DIARY_SUFFIX))
    for line in (AiredLine(1, 0, 100), spoken_line(1, "Welcome.", LineSpoken(SPOKEN, 900))):
        diary.append(line)
    (data / "media").mkdir()
    for name in (SPOKEN, "voice-00000000000000a2.ogg"):
        (data / "media" / name).write_bytes(b"OggS")
    return path


@pytest.fixture(scope="module")
def both(other: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the site in which the other recording was also published."""
    destination = tmp_path_factory.mktemp("both") / "site"
    shutil.copytree(site, destination)
    assert ": 2 recordings;" in published(other, destination)
    return destination


@pytest.fixture(scope="module")
def host(site: Path, data: Path) -> Iterator[str]:
    """The address of the site on nginx, which has no type for `.seg` and compresses nothing."""
    with nginx(data / "nginx", f"location {PATH} {{ alias {site}/; {TYPES} }}") as address:
        yield f"{address}{PATH}"


def publishing(recording: Path, destination: Path | str, *more: str) -> tuple[str, ...]:
    return ("publish", str(recording), "--to", str(destination), *more)


def published(recording: Path, destination: Path | str, *more: str) -> str:
    ended = highnoon(*publishing(recording, destination, *more))
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture
def page(reused_pages: ReusedPages) -> Iterator[Page]:
    yield reused_pages.open({"width": 960, "height": 540})
    reused_pages.leave()


def test_visitor_finds_watches_and_proves_a_recording(host: str, page: Page, heard: dict[str, Any], data: Path) -> None:
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    page.goto(host)
    page.get_by_role("link", name="All recordings").click()
    expect(page.locator("body")).not_to_contain_text("Won by")
    page.get_by_role("link", name="Show results").click()
    expect(page.locator("body")).to_contain_text("Won by")
    page.get_by_role("link", name="Hide results").click()
    page.locator("td.what a").click()
    expect(page.get_by_role("link", name="Hands worth watching")).to_have_count(0)
    page.get_by_role("link", name="Watch it from the beginning").click()
    page.wait_for_function(READY)
    page.keyboard.press("Space")
    expect(page.locator("#time")).not_to_have_text("0:00")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => location.search.includes('hand=1')")
    page.locator("header.head a").click()
    page.get_by_role("link", name="Prove it yourself").click()
    expect(page.locator(".stamp")).to_have_text("Cards proved")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the recording").click()
    path = data / "downloaded.jsonl"
    download.value.save_as(path)
    assert read_journal(path).entries == list(small_contest())


@pytest.mark.parametrize("size", [(1920, 1080), (390, 844)], ids=["wide", "phone"])
def test_front_page_names_the_champion_and_plays_the_best_hands_to_their_end(
    size: tuple[int, int], host: str, browser: Browser, heard: dict[str, Any]
) -> None:
    ended = small_contest()[-1].event
    assert isinstance(ended, TournamentEnded)
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < 400)
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    page.clock.install()
    page.goto(host)
    expect(page.get_by_role("heading", name=f"Bot {ended.placings[0].bot}", exact=True)).to_be_visible()
    expect(page.locator(".hero")).to_contain_text("and $15")
    assert page.locator(".places li").count() == len(ended.placings)
    hands = page.locator("li[data-seq]")
    expect(hands).to_have_count(3)
    with ThreadPoolExecutor(1) as aside:  # this thread already has the browser's event loop
        outline = aside.submit(film_recording, small_contest()).result().outline
    best = [outline.hands[pick.hand] for pick in ranked_picks(outline)[:3]]
    begin = [int(hand.get_attribute("data-seq") or 0) for hand in hands.all()]
    assert begin == [hand.decisive.seq if hand.decisive else hand.seq for hand in best] != [hand.seq for hand in best]
    expect(page.locator(".stage")).to_have_count(0)
    for hand in hands.all():
        button = hand.get_by_role("button")
        button.click()
        expect(button).to_have_text("Pause")
        for _ in range(_LONGEST_SECONDS):
            if button.text_content() == "Play again":
                break
            page.clock.fast_forward(1000)
        expect(button).to_have_text("Play again")
        expect(hand.locator(".scene--table[data-won], .scene--duel")).to_be_visible()
        expect(hand.locator(".third__caption")).not_to_be_empty()
    expect(hands.get_by_role("status").filter(has_text="a")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.context.close()


def test_lost_or_altered_hand_is_named_and_skipped(site: Path, data: Path, page: Page) -> None:
    broken = data / "broken"
    shutil.copytree(site, broken)
    (segments,) = [path for path in (broken / "films" / NAME).iterdir() if path.is_dir()]
    (segments / "2.seg").unlink()
    (segments / "4.seg").write_bytes((segments / "3.seg").read_bytes())
    with nginx(data / "nginx-broken", f"location /x/ {{ alias {broken}/; {TYPES} }}") as address:
        page.goto(f"{address}/x/replay/The%20evening%20%26%20more/index.html?hand=1&step=99&{STILL}")
        page.wait_for_function(READY)
        page.wait_for_function("() => !document.body.dataset.moving")
        page.evaluate("() => { window.highnoon.head.pace = 64; }")
        page.keyboard.press("Space")
        expect(page.locator("#notice")).to_have_text("Hand 2 is missing here.")
        expect(page.locator("#notice")).to_have_text("Hand 4 was altered here, so it is not shown.")
        page.wait_for_function("() => window.highnoon.state().seq >= window.highnoon.film.outline.hands[5].seq")
        assert page.evaluate("() => window.highnoon.head.playing")


def test_page_opened_from_a_file_says_how_to_serve_it(site: Path, page: Page) -> None:
    for folder in (site / "replay" / NAME, site / "verify" / NAME, site / "bots"):
        page.goto((folder / "index.html").as_uri())
        expect(page.locator("[data-from-file]")).to_contain_text("python3 -m http.server")


def test_later_recording_is_listed_first_and_unchanged_files_are_not_sent_again(site: Path, both: Path) -> None:
    assert "replay/other/index.html" in (both / "index.html").read_text()
    listed = (both / "recordings/index.html").read_text()
    assert listed.index("replay/other/index.html") < listed.index("replay/The%20evening%20%26%20more/index.html")
    changed = {name for name in files_in(site) if (both / name).stat().st_mtime_ns != (site / name).stat().st_mtime_ns}
    assert changed == {
        "bots/bots.json", "previews.png",
        "index.html", "recordings/index.html", "recordings/results.html",
    }  # fmt: skip
    assert [path.name for path in (both / "media").iterdir()] == [SPOKEN], "only what its show has said is published"


def test_killed_publishing_keeps_the_old_site_and_continues(
    site: Path, both: Path, other: Path, tmp_path: Path
) -> None:
    destination = tmp_path / "site"
    shutil.copytree(site, destination)
    old = files_in(destination)
    for more in (1, 5):
        process = Program(*publishing(other, destination))
        process.runs_until(partial(lambda files: len(files_in(destination)) >= files, len(old) + more))
        process.close()
        assert {name: (destination / name).read_bytes() for name in old} == old
    published(other, destination)
    half_written = ".high-noon-half/"
    whole = {name: each for name, each in files_in(destination).items() if not name.startswith(half_written)}
    assert whole == files_in(both)


def test_unpublishable_files_are_refused_in_a_sentence(data: Path, site: Path, tmp_path: Path) -> None:
    other = write(tmp_path / f"{NAME}.jsonl", small_contest(4))
    assert f"another recording named {NAME} is there, started at" in _refusal(other, site)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    assert "has files, but is not a site that this program made" in _refusal(other, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]
    (tmp_path / "letter.jsonl").write_text("Dear Sir,\n")
    for path in (tmp_path / "full" / "thesis.txt", tmp_path / "letter.jsonl"):
        assert f"{path}: this is not a High Noon recording" in _refusal(path, tmp_path / "x")
    assert "there is no recording to publish in" in _refusal(tmp_path / "full", tmp_path / "x")
    assert "a destination is a folder, or s3://bucket" in _refusal(other, "ftp://host/x")
    journal = Journal.resume(other)[0]
    assert "This contest is still being played: publish it when it is over." in _refusal(other, tmp_path / "x")
    journal.close()


def _refusal(recording: Path, destination: Path | str) -> str:
    ended = highnoon(*publishing(recording, destination))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr


def test_links_to_a_site_with_an_address_have_a_preview(other: Path, tmp_path: Path) -> None:
    published(other, tmp_path, "--address", "https://poker.example/2026/")
    page = (tmp_path / "replay/other/index.html").read_text()
    assert '<meta property="og:image" content="https://poker.example/2026/previews/other.png">' in page
    assert (tmp_path / "previews/other.png").read_bytes().startswith(b"\x89PNG")
    front = (tmp_path / "index.html").read_text()
    assert re.search(r'<meta property="og:title" content="Bot \d wins [^"]+">', front)
    assert '<meta property="og:image" content="https://poker.example/2026/previews/other-won.png">' in front
    assert (tmp_path / "previews/other-won.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "path",
    ["evening.jsonl", "practice/game.jsonl", SeasonFiles(Path(f"season{LEDGER_SUFFIX}")).game_files(1234).journal],
)
def test_media_of_a_recording_are_found_in_its_data_folder(path: Path | str, tmp_path: Path) -> None:
    recording = tmp_path / "data/recordings" / path
    assert media_beside(recording, tmp_path / "empty") == tmp_path / "empty"
    (tmp_path / "data/media").mkdir(parents=True)
    assert media_beside(recording, tmp_path) == tmp_path / "data/media"
