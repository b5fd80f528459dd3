"""On real pages, each spoken line is heard with its caption, and only where the page's address asks for it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Request, expect

from broadcast.app import Studio
from broadcast.film.film import Film, film_recording
from broadcast.media.loudness_meter import Samples, integrated_lufs
from broadcast.on_air.diary import read_diary, select_spoken
from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.video.chromium import open_tab
from broadcast.video.frames import FRAMES_PER_SECOND, SOUND_RATE, Clip, Cut, capture_sound
from broadcast.voice.speech_encoding import TARGET_LUFS
from broadcast.voice.spoken_captions import CARD_EVENTS, MAX_CARD_TURN_MS
from broadcast.web.serve import serving
from server.config.event_show import ESPEAK_COMMAND
from server.game.events import PotAwarded
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import small_contest
from tests.support.programs.browsers import film_browser
from tests.support.programs.espeak import needs_espeak
from tests.voice.spoken_show import Heard, play, run_aside

pytestmark = needs_espeak
IS_LOUD = "() => window.highnoon.level() > 0.02"
FIRST_ENTRIES = small_contest()[:70]
CLIP_LINES = 6
"""How many lines the clip has: the last lines of a hand, up to the line about the winner."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    return play(FIRST_ENTRIES, tmp_path_factory.mktemp("evening"), ESPEAK_COMMAND)


def clip_sounds(heard: Heard, films: Sequence[Film], clip: Clip) -> list[Samples]:
    """The sound of `clip` in each of `films`, as the clip's page renders it."""

    async def rendered(film: Film) -> Samples:
        studio = Studio(heard.media, time.monotonic)
        studio.add_clip(film)
        async with serving(studio.app, "127.0.0.1", 0) as address:
            async with open_tab(film_browser(), f"{address}/clip?{clip.query_and_fragment}", (320, 180)) as tab:
                raw = b"".join([piece async for piece in capture_sound(tab, clip.frame_count)])
            return np.frombuffer(raw, "<i2").reshape(-1, 2) / 32768

    async def all_sounds() -> list[Samples]:
        return [await rendered(film) for film in films]

    return run_aside(all_sounds())


def test_clip_speaks_one_line_at_a_time_at_its_moment_at_minus_16_lufs(heard: Heard) -> None:
    spoken = select_spoken(read_diary(heard.diary))
    won_ms = next(entry.at_ms for entry in heard.entries if isinstance(entry.event, PotAwarded))
    lines = [(entry.at_ms, entry.event) for entry in heard.lines if entry.at_ms <= won_ms][-CLIP_LINES:]
    from_ms = lines[0][0] - 500
    lost = {seq: replace(said, number=said.number ^ 1) for seq, said in spoken.items()}
    films = [film_recording(FIRST_ENTRIES, spoken=each) for each in (lost, spoken)]
    asked = Clip((Cut(from_ms, (won_ms + 2000 - from_ms) * FRAMES_PER_SECOND // 1000),))
    without, with_voice = clip_sounds(heard, films, asked)
    plain = [(at - from_ms, line) for at, line in lines if isinstance(line, LineSpoken) and not line.describe]
    voice, won_ms = with_voice - without, won_ms - from_ms

    def between(begin_ms: float, end_ms: float) -> Samples:
        begin, end = (max(0, round(ms * SOUND_RATE / 1000)) for ms in (begin_ms, end_ms))
        return voice[begin:end]

    silent_from = 0.0
    dealt = [entry.at_ms - from_ms for entry in heard.entries if isinstance(entry.event, CARD_EVENTS)]
    for at_ms, line in plain:
        turned_ms = at_ms + (MAX_CARD_TURN_MS if at_ms in dealt else 0)
        assert np.abs(between(silent_from, at_ms - 20)).max(initial=0) < 0.02
        assert np.abs(between(at_ms, turned_ms + 300)).max() > 0.05, "the line must begin with its caption"
        silent_from = turned_ms + line.ms + 20
    assert len(plain) > 4
    assert integrated_lufs(between(0, won_ms), SOUND_RATE) == pytest.approx(TARGET_LUFS, abs=1)


@pytest.fixture(scope="module")
def shows(heard: Heard) -> Iterator[ShowServer]:
    with ShowServer(heard.media) as show_server:
        yield show_server


def open_page(shows: ShowServer, browser: Browser, channel: str, settings: str) -> tuple[Screen, list[str]]:
    """An overlay with sound switched on, and a list that collects the addresses of sounds that it requests."""
    screen = Screen(shows, browser, channel, f"audio=1{settings}", width=640, height=360)
    screen.page.get_by_role("button", name="Click for sound").click()
    screen.page.wait_for_load_state("networkidle")
    screen.stop_clock()
    asked: list[str] = []

    def collect(request: Request) -> None:
        if request.url.endswith(".ogg"):
            asked.append(request.url)

    screen.page.on("request", collect)
    return screen, asked


@pytest.mark.parametrize(("settings", "most"), [("", 1), ("&voice=describe", 2)])
def test_describing_lines_are_heard_only_if_the_address_asks_for_them(
    settings: str, most: int, heard: Heard, shows: ShowServer, browser: Browser
) -> None:
    screen, asked = open_page(shows, browser, f"up to {most}", settings)
    first, second = (line for line, _ in heard.files[:2])
    with screen.page.expect_request(f"**/{first.sound}") if most == 2 else nullcontext():
        screen.put([OnAirEntry(0, 0, first.ms, replace(first, describe=True))])
    with screen.page.expect_request(f"**/{second.sound}"):
        screen.put([OnAirEntry(0, 100, second.ms, replace(second, describe=False))])
    screen.wait(IS_LOUD)
    assert [Path(url).name for url in asked] == [first.sound, second.sound][-most:]
    assert not screen.complaints
    screen.close()


def test_screen_reader_is_silent_while_the_voice_describes_the_picture(
    heard: Heard, shows: ShowServer, browser: Browser
) -> None:
    shows.channel("read", [entry for entry in heard.entries if entry.at_ms < heard.lines[0].at_ms])
    page = browser.new_page()
    page.goto(f"{shows.address}/watch?channel=read&voice=describe")
    log, sound = page.get_by_label("What is seen"), page.get_by_role("button", name="Sound")
    expect(log).to_have_attribute("aria-live", "polite")
    sound.click()
    shows.put(shows.studio.channels["read"], [heard.lines[0]])
    expect(log).to_have_attribute("aria-live", "off")
    sound.click()
    expect(log).to_have_attribute("aria-live", "polite")
    page.close()
