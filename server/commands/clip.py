"""`highnoon clip RECORDING`: a video of a hand or of the best hands, filmed frame by frame in headless browsers."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from broadcast.app import Studio
from broadcast.film.film import Film
from broadcast.video.chromium import NoBrowser, Tab, find_chromium, open_chromium
from broadcast.video.ffmpeg import AnimationFormat, NoEncoder, add_sound, animate, encode, find_ffmpeg
from broadcast.video.frames import BROWSERS, RATE, SOUND_RATE, Clip, capture, cuts_of, sound_of
from broadcast.web.serve import serving
from server.app.recordings.films import Showing, open_showing
from server.commands.highlights import picked
from server.console import ProgressBar, say
from server.errors import Refusal

PREVIEW_SECONDS = 5.0
PREVIEW_BYTES = 1_500_000
"""The largest preview; its quality is lowered until it is no larger, if it can be."""
_PREVIEW_WIDTHS = {"wide": 480, "tall": 270}
_PREVIEW_RATE = 12
_PREVIEW_QUALITIES = (70, 50, 30, 10)
_DARK_SECONDS = 0.5
"""The preview ends before the clip goes dark."""


class Order(Struct, frozen=True):
    """What to make of a recording: a video of one hand, or of the best hands in `reel_ms` milliseconds.

    `hand` is the number in the address of its replay; `shape` is "wide" or "tall"; `preview` is where a small moving
    picture of its end goes, None for none.
    """

    recording: Path
    hand: int | None = None
    reel_ms: int | None = None
    shape: str = "wide"
    theme: str = "western"
    out: Path | None = None
    preview: Path | None = None

    @property
    def film(self) -> Path:
        """The path of the video: `out`, or a name made of the recording's in the current folder."""
        what = "highlights" if self.hand is None else f"hand-{self.hand}"
        return self.out or Path(f"{self.recording.stem}-{what}{'-tall' if self.shape == 'tall' else ''}.mp4")


class Tools(Struct, frozen=True):
    """The paths of the programs that it needs."""

    chromium: str
    ffmpeg: str


async def clip(order: Order) -> int:
    """Makes the video, and its preview if one is asked for; returns 0. Each file appears whole or not at all.

    Raises OSError or JournalDamaged where the recording cannot be read, Refusal where a program is missing, a target
    exists already, or the recording has no such hand.
    """
    _check_target(order.film, ".mp4")
    if order.preview:
        _check_target(order.preview, ".webp")
    tools = find_tools()
    showing = await asyncio.to_thread(open_showing, order.recording, live=False)
    clip = Clip(cuts_of(_stretches(showing, order)), order.shape, order.theme)
    with TemporaryDirectory(prefix="high-noon-") as folder:
        whole = Path(folder) / "whole.mp4"
        try:
            await film_clip(showing.film, clip, _media_of(order.recording, Path(folder)), tools, whole)
            _put(whole, order.film)
            say(f"{order.film}: {clip.frames / RATE:.1f} s, {clip.size[0]}x{clip.size[1]}")
            if order.preview:
                _put(await preview_of(tools.ffmpeg, whole, clip), order.preview)
                say(f"{order.preview}: {order.preview.stat().st_size // 1000} kB")
        except (NoBrowser, NoEncoder) as error:
            raise Refusal(str(error)) from None
    return 0


async def film_clip(film: Film, clip: Clip, media: Path, tools: Tools, whole: Path) -> None:
    """Films the clip into the file `whole`, with the bots' pictures and sounds from the folder `media`.

    Raises NoBrowser where a browser fails, NoEncoder where FFmpeg does, OSError.
    """
    silent = whole.with_name("silent.mp4")

    async def counted(pictures: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        bar = ProgressBar("filming", clip.frames)
        async for picture in pictures:
            yield picture
            bar.step()
        bar.end()

    async with AsyncExitStack() as closing:
        tabs = await open_tabs(closing, film, clip, media, tools.chromium)
        await capture(tabs, clip.frames, lambda taken: encode(tools.ffmpeg, counted(taken), RATE, silent))
        await add_sound(tools.ffmpeg, silent, sound_of(tabs[0], clip.frames), SOUND_RATE, whole)


async def open_tabs(
    closing: AsyncExitStack, film: Film, clip: Clip, media: Path, chromium: str, *, browsers: int = BROWSERS
) -> list[Tab]:
    """Opens the page of the clip in each of `browsers` browsers, until `closing` ends. Raises NoBrowser, OSError."""
    studio = Studio(media, time.monotonic)
    studio.add_clip(film)
    address = await closing.enter_async_context(serving(studio.app, "127.0.0.1", 0))
    opened = [await closing.enter_async_context(open_chromium(chromium)) for _ in range(browsers)]
    return [await browser.open(f"{address}/clip?{clip.query}", clip.size) for browser in opened]


def find_tools() -> Tools:
    """The programs of this machine. Raises Refusal that names the one to install."""
    chromium, ffmpeg = find_chromium(), find_ffmpeg()
    if not chromium:
        raise Refusal("a clip needs Chromium: apt-get install chromium, or set CHROMIUM=/its/path")
    if not ffmpeg:
        raise Refusal("a clip needs FFmpeg: apt-get install ffmpeg")
    return Tools(chromium, ffmpeg)


def _check_target(target: Path, ending: str) -> None:
    if target.suffix.lower() != ending:
        raise Refusal(f"{target} must end in {ending}")
    if target.exists():
        raise Refusal(f"{target} is there already")
    if not os.access(target.parent, os.W_OK):
        raise Refusal(f"nothing can be written into {target.parent}")


def _stretches(showing: Showing, order: Order) -> list[tuple[int, int]]:
    """The stretches of the film to show, each from and until a moment in milliseconds. Raises Refusal."""
    if order.hand is None:
        return [(pick.at_ms, pick.until_ms) for pick in picked(showing, order.reel_ms)]
    hands = showing.film.outline.hands
    if len(hands) < 2:
        raise Refusal("there is no hand in this recording")
    if not 1 <= order.hand < len(hands):
        raise Refusal(f"there is no hand {order.hand} in this recording: its hands are 1 to {len(hands) - 1}")
    return [(hands[order.hand].at_ms, hands[order.hand].until_ms)]


def _media_of(recording: Path, empty: Path) -> Path:
    """The folder `media` above a recording, which has pictures and sounds; `empty` if there is none."""
    places = (parent / "media" for parent in list(recording.resolve().parents)[:4])
    return next((place for place in places if place.is_dir()), empty)


async def preview_of(ffmpeg: str, whole: Path, clip: Clip) -> Path:
    """Makes the preview of the clip `whole`: its last seconds, small; returns its path. Raises NoEncoder."""
    ends = clip.frames / RATE - _DARK_SECONDS
    begins = max(0.0, ends - PREVIEW_SECONDS)
    preview = whole.with_name("preview.webp")
    for quality in _PREVIEW_QUALITIES:
        format_ = AnimationFormat(_PREVIEW_WIDTHS[clip.shape], _PREVIEW_RATE, quality)
        await animate(ffmpeg, whole, (begins, ends - begins), format_, preview)
        if preview.stat().st_size <= PREVIEW_BYTES:
            break
    return preview


def _put(made: Path, target: Path) -> None:
    """Copies a file to `target`, where it appears whole or not at all. Raises OSError."""
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        shutil.copyfile(made, half)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
