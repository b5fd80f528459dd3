"""Films a video clip of a replay frame by frame in headless browsers, and adds its sound."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct

from broadcast.app import Studio
from broadcast.film.film import Film
from broadcast.video.chromium import Tab, find_chromium, open_tab
from broadcast.video.ffmpeg import add_sound, encode, find_ffmpeg, make_preview
from broadcast.video.frames import BROWSER_COUNT, FRAMES_PER_SECOND, SOUND_RATE, Clip, capture_frames, capture_sound
from broadcast.web.serve import serving
from server.errors import Refusal

PROCESSORS_PER_CLIP = 2
"""How many processors one clip keeps busy. Two browsers draw the frames, and one encoder compresses them."""
PREVIEW_SECONDS = 5.0
PREVIEW_BYTES = 1_500_000
"""The target size of a preview in bytes. A larger preview is encoded again at lower quality."""
_PREVIEW_WIDTHS = {"wide": 480, "tall": 270}
_PREVIEW_RATE = 12
_PREVIEW_QUALITIES = (70, 50, 30, 10)


class Tools(Struct, frozen=True):
    """The paths of the programs that filming needs."""

    chromium: str
    ffmpeg: str


def find_tools() -> Tools:
    """Finds Chromium and FFmpeg on this machine. Raises Refusal if one is missing."""
    chromium = find_chromium()
    if not chromium:
        raise Refusal("a clip needs Chromium: apt-get install chromium, or set CHROMIUM=/its/path")
    return Tools(chromium, find_encoder())


def find_encoder() -> str:
    """Finds FFmpeg. Raises Refusal if it is missing."""
    ffmpeg = find_ffmpeg()
    if not ffmpeg:
        raise Refusal("a clip needs FFmpeg: apt-get install ffmpeg")
    return ffmpeg


async def film_clip(  # noqa: PLR0917 (what is filmed, with what, and where it goes)
    film: Film, clip: Clip, media: Path, tools: Tools, path: Path, on_frame: Callable[[], object] = lambda: None
) -> None:
    """Films the clip into the file at `path`, with the bots' pictures and sounds from the folder `media`.

    `on_frame` is called for each frame. Raises OSError, BrowserError or FfmpegError.
    """
    silent_path = path.with_name(f"silent-{path.name}")

    async def count_frames(pictures: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for picture in pictures:
            yield picture
            on_frame()

    async with AsyncExitStack() as exit_stack:
        tabs = await open_tabs(exit_stack, film, clip, media, tools.chromium, browsers=BROWSER_COUNT)
        await capture_frames(
            tabs,
            clip.frame_count,
            lambda pictures: encode(tools.ffmpeg, count_frames(pictures), FRAMES_PER_SECOND, silent_path),
        )
        await add_sound(tools.ffmpeg, silent_path, capture_sound(tabs[0], clip.frame_count), SOUND_RATE, path)


async def open_tabs(
    exit_stack: AsyncExitStack, film: Film, clip: Clip, media: Path, chromium: str, *, browsers: int
) -> list[Tab]:
    """Opens the clip's page in `browsers` browsers, which `exit_stack` closes. Raises BrowserError, OSError."""
    studio = Studio(media, time.monotonic)
    studio.add_clip(film)
    address = await exit_stack.enter_async_context(serving(studio.app, "127.0.0.1", 0))
    page = f"{address}/clip?{clip.query_and_fragment}"
    return [await exit_stack.enter_async_context(open_tab(chromium, page, clip.size)) for _ in range(browsers)]


async def make_clip_preview(ffmpeg: str, path: Path, clip: Clip) -> Path:
    """Makes a small preview of the end of the clip at `path`. Returns the preview's path. Raises FfmpegError."""
    clip_seconds = clip.frame_count / FRAMES_PER_SECOND
    start = max(0.0, clip_seconds - PREVIEW_SECONDS)
    preview = path.with_name("preview.webp")
    part, width = (start, clip_seconds - start), _PREVIEW_WIDTHS[clip.shape]
    for quality in _PREVIEW_QUALITIES:
        await make_preview(ffmpeg, path, part, preview, width=width, rate=_PREVIEW_RATE, quality=quality)
        if preview.stat().st_size <= PREVIEW_BYTES:
            break
    return preview
