"""On a published site (static files on nginx), visitors find recordings, watch them, and verify the cards dealt."""

import gzip
import json
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
from broadcast.film.highlights import hands_worth_seeing
from broadcast.on_air.diary import DIARY_SUFFIX, AiredLine, Diary, spoken_line
from broadcast.on_air.events import LineSpoken
from broadcast.publish.destination import Destination
from broadcast.publish.live_files import INDEX_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from broadcast.publish.site import Site
from server.commands.publish import media_beside
from server.game.events import TournamentEnded
from server.journal.journal import Journal, read_journal
from server.season.files import LEDGER_SUFFIX, SeasonFiles
from tests.end_to_end.evening import NAMES, EventFolder, RemoteBots, secrets_of, tournament, write_evening
from tests.publish.hosted_show import HostedShow, name_of_event, publish_show
from tests.publish.test_live_publisher import PublishedShow
from tests.support.background import run_in_thread
from tests.support.games.recordings import aired, of_kind, small_contest, write
from tests.support.program import SECONDS, Program, files_below, highnoon
from tests.support.programs.nginx import nginx, static_host
from tests.support.programs.reused_pages import ReusedPages
from tests.support.published import files_in, published_entries, published_index, published_json

SITE_PATH = "/~ada/poker/2026/"
RECORDING_NAME = "The evening & more"
HOST_TYPES = "types { text/html html; text/css css; text/javascript js; image/svg+xml svg; image/webp webp; }"
"""The only file types that the host is configured for."""
IS_PAGE_READY = "() => document.body?.dataset.ready === 'yes'"
"""JavaScript that tells whether a page is ready. A page that is still loading may have no body."""
SPOKEN_LINE = "voice-00000000000000a1.ogg"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write(folder / "recordings" / f"{RECORDING_NAME}.jsonl", small_contest())
    return folder


@pytest.fixture(scope="module")
def site(data: Path) -> Path:
    publish(data / "recordings", data / "site")
    return data / "site"


@pytest.fixture(scope="module")
def other_recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another recording. Its data folder has two files of spoken commentary. Only the first was on air."""
    data = tmp_path_factory.mktemp("other")
    path = write(data / "recordings/other.jsonl", small_contest(3))
    diary = Diary(path.with_suffix(DIARY_SUFFIX))
    for line in (AiredLine(1, 0, 100), spoken_line(1, "Welcome.", LineSpoken(SPOKEN_LINE, 900))):
        diary.append(line)
    (data / "media").mkdir()
    for name in (SPOKEN_LINE, "voice-00000000000000a2.ogg"):
        (data / "media" / name).write_bytes(b"OggS")
    return path


@pytest.fixture(scope="module")
def full_site(other_recording: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `site`, to which `other_recording` has been published, too."""
    destination = tmp_path_factory.mktemp("both") / "site"
    shutil.copytree(site, destination)
    assert ": 2 recordings;" in publish(other_recording, destination)
    return destination


@pytest.fixture(scope="module")
def host(site: Path, data: Path) -> Iterator[str]:
    """The site's address on an nginx that has no type for `.seg` files (parts of a replay) and compresses nothing."""
    with nginx(data / "nginx", f"location {SITE_PATH} {{ alias {site}/; {HOST_TYPES} }}") as address:
        yield f"{address}{SITE_PATH}"


def publish_command(recording: Path, destination: Path | str, *more: str) -> tuple[str, ...]:
    return ("publish", str(recording), "--to", str(destination), *more)


def publish(recording: Path, destination: Path | str, *more: str) -> str:
    command = highnoon(*publish_command(recording, destination, *more))
    assert command.returncode == 0, command.stderr
    return command.stdout


@pytest.fixture
def page_with_faults(reused_pages: ReusedPages) -> Iterator[Page]:
    """Yields a page that may report errors and request missing files. The fixture `page` forbids both."""
    yield reused_pages.open({"width": 960, "height": 540})
    reused_pages.leave()


def test_visitor_finds_watches_and_proves_a_recording(host: str, page: Page, data: Path) -> None:
    page.goto(host)
    page.get_by_role("link", name="All recordings").click()
    expect(page.locator("body")).not_to_contain_text("Won by")
    page.get_by_role("link", name="Show results").click()
    expect(page.locator("body")).to_contain_text("Won by")
    page.get_by_role("link", name="Hide results").click()
    page.locator("td.what a").click()
    expect(page.get_by_role("link", name="Hands worth watching")).to_have_count(0)
    page.get_by_role("link", name="Watch it from the beginning").click()
    page.wait_for_function(IS_PAGE_READY)
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
    size: tuple[int, int], host: str, browser: Browser, strict_listeners: dict[str, Any]
) -> None:
    (tournament_ended,) = of_kind(small_contest(), TournamentEnded)
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < 400)
    for event, listener in strict_listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    page.clock.install()
    page.goto(host)
    expect(page.get_by_role("heading", name=f"Bot {tournament_ended.placings[0].bot}", exact=True)).to_be_visible()
    expect(page.locator(".hero")).to_contain_text("and $15")
    assert page.locator(".places li").count() == len(tournament_ended.placings)
    hands = page.locator("li[data-seq]")
    expect(hands).to_have_count(3)
    with ThreadPoolExecutor(1) as other_thread:  # `film_recording` needs a thread that has no event loop
        outline = other_thread.submit(film_recording, small_contest()).result().outline  # `outline` lists the hands
    best = [outline.hands[film_part.hand] for film_part in hands_worth_seeing(outline)[:3]]
    starts = [int(hand.get_attribute("data-seq") or 0) for hand in hands.all()]  # the entry from which each hand plays
    assert starts == [hand.decisive.seq if hand.decisive else hand.seq for hand in best] != [hand.seq for hand in best]
    expect(page.locator(".stage")).to_have_count(0)
    for hand in hands.all():
        button = hand.get_by_role("button")
        button.click()
        expect(button).to_have_text("Pause")
        for _ in range(300):
            if button.text_content() == "Play again":
                break
            page.clock.fast_forward(1000)
        expect(button).to_have_text("Play again")
        expect(hand.locator(".scene--table[data-won], .scene--duel")).to_be_visible()
        expect(hand.locator(".third__caption")).not_to_be_empty()
    expect(hands.get_by_role("status").filter(has_text="a")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.context.close()


def test_lost_or_altered_hand_is_named_and_skipped(site: Path, data: Path, page_with_faults: Page) -> None:
    damaged_site = data / "damaged"
    shutil.copytree(site, damaged_site)
    (segments,) = [path for path in (damaged_site / "films" / RECORDING_NAME).iterdir() if path.is_dir()]
    (segments / "2.seg").unlink()
    (segments / "4.seg").write_bytes((segments / "3.seg").read_bytes())
    with nginx(data / "nginx-damaged", f"location /x/ {{ alias {damaged_site}/; {HOST_TYPES} }}") as address:
        query = "hand=1&step=99&debug&motion=off&still&audio=0"
        page_with_faults.goto(f"{address}/x/replay/The%20evening%20%26%20more/index.html?{query}")
        page_with_faults.wait_for_function(IS_PAGE_READY)
        page_with_faults.wait_for_function("() => !document.body.dataset.moving")
        page_with_faults.evaluate("() => { window.highnoon.head.pace = 64; }")
        page_with_faults.keyboard.press("Space")
        expect(page_with_faults.locator("#notice")).to_have_text("Hand 2 is missing here.")
        expect(page_with_faults.locator("#notice")).to_have_text("Hand 4 was altered here, so it is not shown.")
        is_in_hand_5 = "() => window.highnoon.state().seq >= window.highnoon.film.outline.hands[5].seq"
        page_with_faults.wait_for_function(is_in_hand_5)
        assert page_with_faults.evaluate("() => window.highnoon.head.playing")


def test_page_opened_from_a_file_says_how_to_serve_it(site: Path, page_with_faults: Page) -> None:
    for folder in (site / "replay" / RECORDING_NAME, site / "verify" / RECORDING_NAME, site / "bots"):
        page_with_faults.goto((folder / "index.html").as_uri())
        expect(page_with_faults.locator("[data-from-file]")).to_contain_text("python3 -m http.server")


def test_second_publishing_sends_only_changed_files(site: Path, full_site: Path) -> None:
    assert "replay/other/index.html" in (full_site / "index.html").read_text()
    links = re.findall("replay/(.+?)/index.html", (full_site / "recordings/index.html").read_text())
    assert [*dict.fromkeys(links)] == ["other", "The%20evening%20%26%20more"], "the latest recording must come first"
    changed = {name for name in files_in(site) if (full_site / name).stat().st_mtime != (site / name).stat().st_mtime}
    pages = {"index.html", "recordings/index.html", "recordings/results.html"}
    assert changed == {*pages, "bots/bots.json", "previews.png"}
    assert [path.name for path in (full_site / "media").iterdir()] == [SPOKEN_LINE], "unaired lines must be left out"


def test_killed_publishing_keeps_the_old_site_and_resumes(
    site: Path, full_site: Path, other_recording: Path, tmp_path: Path
) -> None:
    destination = tmp_path / "site"
    shutil.copytree(site, destination)
    old_files = files_in(destination)
    for new_files in (1, 5):
        process = Program(*publish_command(other_recording, destination))
        process.poll_until(partial(lambda count: len(files_below(destination)) >= count, len(old_files) + new_files))
        process.close()
        assert {name: (destination / name).read_bytes() for name in old_files} == old_files
    publish(other_recording, destination)
    files = {name: file for name, file in files_in(destination).items() if not name.startswith(".high-noon-half/")}
    assert files == files_in(full_site)


def test_unpublishable_files_are_refused_in_a_sentence(data: Path, site: Path, tmp_path: Path) -> None:
    other = write(tmp_path / f"{RECORDING_NAME}.jsonl", small_contest(4))
    assert f"another recording named {RECORDING_NAME} is there, started at" in refusal_of(other, site)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    assert "has files, but is not a site that this program made" in refusal_of(other, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]
    (tmp_path / "letter.jsonl").write_text("Dear Sir,\n")
    for path in (tmp_path / "full" / "thesis.txt", tmp_path / "letter.jsonl"):
        assert f"{path}: this is not a High Noon recording" in refusal_of(path, tmp_path / "x")
    assert "there is no recording to publish in" in refusal_of(tmp_path / "full", tmp_path / "x")
    assert "a destination is a folder, or s3://bucket" in refusal_of(other, "ftp://host/x")
    journal = Journal.resume(other)[0]
    assert "This contest is still being played: publish it when it is over." in refusal_of(other, tmp_path / "x")
    journal.close()


def refusal_of(recording: Path, destination: Path | str) -> str:
    command = highnoon(*publish_command(recording, destination))
    assert command.returncode == 1
    assert "Traceback" not in command.stderr
    return command.stderr


def test_links_to_a_site_with_an_address_have_a_preview(other_recording: Path, tmp_path: Path) -> None:
    publish(other_recording, tmp_path, "--address", "https://poker.example/2026/")
    page = (tmp_path / "replay/other/index.html").read_text()
    assert '<meta property="og:image" content="https://poker.example/2026/previews/other.png">' in page
    assert (tmp_path / "previews/other.png").read_bytes().startswith(b"\x89PNG")
    front = (tmp_path / "index.html").read_text()
    assert re.search(r'<meta property="og:title" content="Bot \d wins [^"]+">', front)
    assert '<meta property="og:image" content="https://poker.example/2026/previews/other-won.png">' in front
    assert (tmp_path / "previews/other-won.png").read_bytes().startswith(b"\x89PNG")


def test_media_of_a_recording_are_found_in_its_data_folder(tmp_path: Path) -> None:
    season_game = str(SeasonFiles(Path(f"season{LEDGER_SUFFIX}")).game_files(1234).journal)
    paths = [tmp_path / "data/recordings" / path for path in ("evening.jsonl", "practice/game.jsonl", season_game)]
    assert {media_beside(path, tmp_path / "empty") for path in paths} == {tmp_path / "empty"}
    (tmp_path / "data/media").mkdir(parents=True)
    assert {media_beside(path, tmp_path) for path in paths} == {tmp_path / "data/media"}


WIDE_VIEWPORT = {"width": 1280, "height": 720}
HAS_UPDATED = "(times) => window.highnoon?.film.revision >= times"
"""JavaScript that tells whether the page has updated its list of hands at least `times` times."""
NO_SLOW_TIMERS = """const setOften = window.setInterval;
window.setInterval = (work, ms) => ms < 1000 ? setOften(work, ms) : 0;"""
"""Disables timers with intervals of a second or more. The page must notice the end of the show without them."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[EventFolder, Path, str]:
    """Returns a contest that was published live, the folder that the web host serves, and the program's output."""
    folder = tmp_path_factory.mktemp("evening")
    event = write_evening(folder, secrets_of(NAMES), lines='start = "bots"\n[publish]\nto = "host/some/where"')
    with RemoteBots(event.register, secrets_of(NAMES), all_in_rate=0.3), tournament(event) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    return event, folder / "host", terminal.text


@pytest.fixture
def page(reused_pages: ReusedPages, strict_listeners: dict[str, Any]) -> Iterator[Page]:
    yield reused_pages.open(WIDE_VIEWPORT, **strict_listeners)
    reused_pages.leave()


def test_live_site_becomes_an_archive(evening: tuple[EventFolder, Path, str], page: Page, tmp_path: Path) -> None:
    folder, host, output = evening
    site, tournament_ended = host / "some/where", folder.events[-1]
    assert isinstance(tournament_ended, TournamentEnded)
    winner = NAMES[tournament_ended.placings[0].bot - 1]
    assert "1 recording" in output
    assert (site / "recordings" / folder.journal.name).read_bytes() == folder.journal.read_bytes()
    index = published_index(site)
    assert (index["state"], index["recording"]) == ("over", folder.journal.stem)
    for path in ("index.html", "recordings/index.html"):
        assert not re.search("On now|data-published", (site / path).read_text())
    with nginx(tmp_path / "nginx", static_host(host)) as address:
        page.goto(f"{address}/some/where/watch/?theme=plain")
        expect(page.locator("main")).to_contain_text("This show is over.")
        expect(page.locator("body")).not_to_contain_text(winner)
        page.get_by_role("link", name="All recordings").click()
        expect(page.locator("main")).to_contain_text("A night in tests")
        expect(page.locator("body")).not_to_contain_text(winner)
        page.go_back()
        page.get_by_role("link", name="Watch it from the beginning").click()
        page.wait_for_function(IS_PAGE_READY)
        assert page.locator("html").get_attribute("data-theme") == "plain"
        assert f"replay/{folder.journal.stem}/" in page.url
        page.goto(f"{address}/some/where/")
        champion = page.get_by_role("region", name=winner)
        expect(champion).to_contain_text("wins A night in tests")
        assert champion.locator("img").evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 512
        expect(champion.get_by_role("link", name="Watch it from the beginning")).to_be_in_viewport()
        page.goto(f"{address}/some/where/watch/index.html?channel=main&hand=3&step=2&debug")
        page.wait_for_function("() => window.highnoon?.head.place.hand === 3")
        assert page.evaluate("() => window.highnoon.head.place.step") == 2
        assert "replay/" in page.url, "a link to a hand of the show must lead to that hand in the replay"


def test_failure_at_the_end_is_reported_with_a_command(evening: tuple[EventFolder, Path, str], tmp_path: Path) -> None:
    folder, _, _ = evening
    site = tmp_path / "site"
    run_in_thread(Site(Destination(str(site))).begin())
    (site / "films").write_text("a file where a folder should be")
    with tournament(folder, "--speed", "0", "--publish", str(site)) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    (complaint,) = [line for line in terminal.lines if "not published" in line]
    assert complaint.endswith(f"later: highnoon publish {folder.journal} --to {site}")
    assert not [line for line in terminal.lines if line.startswith("highnoon: ")]
    assert "Traceback" not in terminal.text
    assert published_index(site)["state"] == "over", "the show must end even if its recording cannot be published"
    (site / "films").unlink()
    publish(folder.journal, site)
    assert "This show is over." in (site / "watch/index.html").read_text()


def test_publishing_the_recording_of_an_interrupted_show_ends_it(reused_pages: ReusedPages, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run_in_thread(publish_show(site, small_contest(), is_interrupted=True))
    page = reused_pages.open(WIDE_VIEWPORT, fresh=True, script=NO_SLOW_TIMERS)
    page.clock.install()
    with nginx(tmp_path / "nginx", static_host(tmp_path)) as address:
        page.goto(f"{address}/site/watch/?debug&motion=off")
        page.wait_for_function(HAS_UPDATED, arg=2)  # the page updates at its start and when it connects
        page.clock.fast_forward(10_000)
        page.wait_for_function(HAS_UPDATED, arg=3)  # the page updates because nothing new came for ten seconds
        publish(write(tmp_path / "friday.jsonl", small_contest()), site)
        page.clock.fast_forward(round(INDEX_SECONDS * 1000))
        expect(page.get_by_role("link", name="Watch again")).to_be_visible()
        expect(page.locator("#live")).to_have_text("Over")
        page.reload()
        expect(page.locator("main")).to_contain_text("This show is over.")
    reused_pages.leave()
    files = files_in(site)
    returned_show = PublishedShow(site, name_of_event(small_contest()))
    run_in_thread(returned_show.publisher.run())
    assert returned_show.publisher.health_light().colour == "green"
    assert files_in(site) == files, "a publisher that restarts after the end of the show must change no file"


def test_publishing_waits_for_the_end_of_a_live_show(tmp_path: Path) -> None:
    site, recording = tmp_path / "site", write(tmp_path / "friday.jsonl", small_contest())
    with HostedShow(site, clock_lag=0) as show:
        show.publisher = LivePublisher(str(site), show.live, name_of_event(small_contest()))
        entries = aired(small_contest())
        show.put(entries[:-5])
        assert published_index(site)["state"] != "over"
        process = Program(*publish_command(recording, site))
        process.poll_until((site / "recordings/friday/about.json").exists)
        show.put(entries[-5:])
        assert process.wait(SECONDS) == 0
        process.close()
    assert "This show is over." in (site / "watch/index.html").read_text()
    index = published_index(site)
    assert (index["state"], index["recording"]) == ("over", "friday"), "after a show, the index must name its recording"
    for path in ("index.html", "recordings/index.html", "bots/index.html"):
        assert not re.search("On now|data-published", (site / path).read_text())


def test_season_is_published_game_by_game_and_can_be_watched_afterwards(tmp_path: Path, page: Page) -> None:
    site = tmp_path / "site"
    words = ["demo", "--contest", "upac", "--speed", "0", "--port", "0", "--data", str(tmp_path / "data")]
    demo = highnoon(*words, "--publish", str(site))
    assert demo.returncode == 0, demo.stderr
    assert f"published       {site}" in demo.stdout
    index = published_index(site)
    assert (index["state"], index.get("goes_on")) == ("over", None)
    types = [entry["type"] for entry in published_entries(site)]
    games = types.count("tournament_opened")
    assert games == types.count("tournament_ended") > 1
    assert len(list((site / "recordings").glob("*-upac-*.jsonl"))) == games
    # An old copy of this file, kept in a cache, may still say that the show goes on. So the test makes the file say so.
    whole_index = site / "live/main/all.json"
    whole_index.write_bytes(gzip.compress(json.dumps({**published_json(whole_index), "goes_on": True}).encode()))
    with nginx(tmp_path / "nginx", static_host(site)) as host:
        page.goto(f"{host}/watch/?motion=off&debug")
        expect(page.locator("#live")).to_have_text("Over")
        page.keyboard.press("Space")  # pauses the show, which would otherwise soon be over
        page.keyboard.press("Home")
        page.wait_for_function("() => window.highnoon.head.place.hand === 0")
        page.goto(f"{host}/recordings/")
        expect(page.locator("main")).to_contain_text("UPAC")
