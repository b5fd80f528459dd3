"""A clip's file has the right frames of a film (a recorded show), and each sound at its moment."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from broadcast.film.film import Film, film_recording
from broadcast.film.highlights import FADE_IN_MS
from broadcast.video.chromium import BrowserError, Tab, find_chromium, open_tab
from broadcast.video.frames import FRAMES_PER_SECOND, SOUND_RATE, Clip, Cut, cuts_of
from server.app.clips.filming import PREVIEW_BYTES, film_clip, make_clip_preview, open_tabs
from server.paths import ASSETS
from tests.support.games.recordings import entries_of, small_contest
from tests.support.programs.browsers import chromium_or_skip, film_tools_or_skip

pytestmark = pytest.mark.programs
BEFORE_MS = 250
"""How many milliseconds before the flop the clip begins."""
FRAME_COUNT = 16


@pytest.fixture(scope="module")
def film() -> Film:
    return film_recording(small_contest())


@pytest.fixture(scope="module")
def clip(film: Film) -> Clip:
    flop = next(entry for entry in entries_of(film) if entry["type"] == "street_dealt")
    return Clip((Cut(flop["at_ms"] - BEFORE_MS, FRAME_COUNT),))  # A cut is a stretch of the film.


@pytest.fixture(scope="module")
def clip_file(film: Film, clip: Clip, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes the clip's file once for all tests, because browsers start slowly."""
    file = tmp_path_factory.mktemp("clip") / "clip.mp4"
    asyncio.run(film_clip(film, clip, file.parent, film_tools_or_skip(), file))
    return file


def probe(file: Path) -> dict[str, dict[str, Any]]:
    """Decodes every frame of a file. Returns what ffprobe says about each stream, keyed by the stream's kind."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", str(file)]
    output = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {stream["codec_type"]: stream for stream in output["streams"]}


def decode_sound(file: Path) -> NDArray[np.float64]:
    """Returns the sound of a file as media players play it, mixed to one channel."""
    command = ["ffmpeg", "-v", "error", "-i", str(file), "-f", "f32le", "-ar", str(SOUND_RATE), "-ac", "1", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, "<f4").astype(np.float64)


@asynccontextmanager
async def open_clip(film: Film, clip: Clip, media: Path) -> AsyncIterator[Tab]:
    """Yields a browser's page that can draw each frame of a clip."""
    async with AsyncExitStack() as closing:
        (tab,) = await open_tabs(closing, film, clip, media, chromium_or_skip(), browsers=1)
        yield tab


def find_onset_ms(samples: NDArray[np.float64], after_ms: float = 0) -> float:
    """Returns when the sound after `after_ms` first reaches a fifth of its peak."""
    rest = np.abs(samples[round(after_ms * SOUND_RATE / 1000) :])
    return after_ms + float(np.argmax(rest > rest.max() / 5)) * 1000 / SOUND_RATE


def test_clip_has_the_codecs_that_players_and_sites_accept(clip_file: Path, clip: Clip) -> None:
    streams = probe(clip_file)
    video, audio = streams["video"], streams["audio"]
    assert (video["codec_name"], video["profile"], video["pix_fmt"]) == ("h264", "High", "yuv420p")
    assert (video["width"], video["height"], video["r_frame_rate"]) == (1920, 1080, "30/1")
    assert int(video["nb_read_frames"]) == FRAME_COUNT == clip.frame_count
    assert (audio["codec_name"], audio["sample_rate"]) == ("aac", "48000")
    assert float(video["start_time"]) == float(audio["start_time"]) == 0
    content = clip_file.read_bytes()
    assert 0 < content.index(b"moov") < content.index(b"mdat"), "media players need a file's index before its frames"


def test_sound_is_within_five_milliseconds_of_its_moment(clip_file: Path) -> None:
    samples = decode_sound(clip_file)
    onset_in_file_ms = find_onset_ms(decode_sound(ASSETS / "sounds" / "flop.ogg"))
    padded_samples = len(samples) - FRAME_COUNT * SOUND_RATE // FRAMES_PER_SECOND
    assert 0 <= padded_samples < 1024, "only the last block of AAC may be padded"
    assert find_onset_ms(samples, BEFORE_MS - 100) - onset_in_file_ms == pytest.approx(BEFORE_MS, abs=5)


@pytest.mark.parametrize("theme", ["western", "plain"])
def test_clip_is_darker_only_where_its_parts_join(theme: str, film: Film, tmp_path: Path) -> None:
    parts = [Cut(hand.at_ms + 3000, 15) for hand in film.outline.hands[1:3]]
    file = tmp_path / "two.mp4"
    asyncio.run(film_clip(film, Clip((*parts,), theme=theme), tmp_path, film_tools_or_skip(), file))
    options = ["-v", "info", "-i", str(file), "-vf", "blackdetect=d=0.01,scale=64:36", "-pix_fmt", "gray"]
    output = subprocess.run(["ffmpeg", *options, "-f", "rawvideo", "-"], check=True, capture_output=True)
    assert b"black_start" not in output.stderr
    brightness = np.frombuffer(output.stdout, np.uint8).reshape(2 * 15, -1).mean(axis=1)
    assert brightness[[14, 15]].max() < 0.6 * brightness[[0, -1]].min()
    assert brightness[[0, -1]].min() > 0.9 * brightness.max(), "the first and last frames must not be darkened"


def test_preview_is_small_and_moves(clip_file: Path, clip: Clip, tmp_path: Path) -> None:
    preview = asyncio.run(make_clip_preview(film_tools_or_skip().ffmpeg, Path(shutil.copy(clip_file, tmp_path)), clip))
    with Image.open(preview) as picture:
        assert (picture.format, picture.size, picture.info["loop"]) == ("WEBP", (480, 270), 0)
        assert getattr(picture, "n_frames", 1) > 2
    assert preview.stat().st_size <= PREVIEW_BYTES


async def test_tall_clip_fills_a_phone_and_shows_its_hands_in_order(film: Film, tmp_path: Path) -> None:
    _, first, second, *_ = film.outline.hands
    assert (first.game, second.game) == (1, 1)
    clip = Clip((Cut(first.at_ms + 3000, 4), Cut(second.at_ms + 3000, 40)), "tall", "plain")
    async with open_clip(film, clip, tmp_path) as tab:
        await tab.evaluate("clip.show(20)")
        for key, setting in (("shape", "tall"), ("theme", "plain")):
            assert await tab.evaluate(f"document.documentElement.dataset.{key}") == setting
        page_text = await tab.evaluate("document.body.textContent")
        assert f"Hand {second.hand} of" in page_text
        assert f"Hand {first.hand} of" not in page_text
        width = await tab.evaluate("document.querySelector('.stage').getBoundingClientRect().width")
        assert width == pytest.approx(1080, abs=2)
        with Image.open(BytesIO(await tab.screenshot(90))) as picture:
            assert picture.size == (1080, 1920)
        with pytest.raises(BrowserError, match="the page failed: Error: no film"):
            await tab.evaluate("Promise.reject(new Error('no film'))")


async def test_part_starts_with_its_sentence_and_then_shows_the_caption(film: Film, tmp_path: Path) -> None:
    sentences = ("One: a #1 & a 50% chance", "Two hands later: Doc leads with 9,300")
    parts = [(hand.at_ms + FADE_IN_MS, hand.until_ms) for hand in film.outline.hands[1:3]]
    clip = Clip(cuts_of(parts, sentences))  # The first `bridge_frames` frames of a cut show its sentence.
    async with open_clip(film, clip, tmp_path) as tab:
        cut_start = 0
        for cut, sentence in zip(clip.cuts, sentences, strict=True):
            for frame, is_shown in ((1, True), (cut.bridge_frames - 1, True), (cut.bridge_frames + 1, False)):
                await tab.evaluate(f"clip.show({cut_start + frame})")
                caption = await tab.evaluate("document.querySelector('.third__caption').textContent")
                assert (caption == sentence) is is_shown, (frame, caption)
            cut_start += cut.frames


async def test_browser_that_dies_is_reported_in_a_sentence() -> None:
    with pytest.raises(BrowserError, match="the browser ended"):
        async with open_tab("/bin/false", "about:blank", (100, 100)):
            pass


def test_cut_starts_and_ends_slightly_early() -> None:
    assert cuts_of([(10_000, 12_000), (100, 1090)]) == (Cut(10_000 - FADE_IN_MS, 60), Cut(0, 29))
    assert cuts_of([(10_000, 12_000)], ["Doc leads"]) == (Cut(10_000 - FADE_IN_MS, 60, "Doc leads", 60),)


def test_chromium_variable_comes_before_path_and_playwright(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fetched_chromium = tmp_path / "chromium-1200" / "chrome-linux" / "chrome"
    for program in (fetched_chromium, tmp_path / "google-chrome"):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(0o755)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("CHROMIUM", "/its/own")
    assert find_chromium() == "/its/own"
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() == str(tmp_path / "google-chrome")
    monkeypatch.setenv("PATH", "")
    assert find_chromium() == str(fetched_chromium)
    fetched_chromium.unlink()
    assert find_chromium() is None
