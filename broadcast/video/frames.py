"""Defines clips, which are videos of parts of a show. Serves the page that plays a clip, and captures the clip's frames
and sound from browsers.

Two browsers take turns, frame by frame. The colours of a frame may differ a little, depending on what its browser
painted before it. So one browser always paints the even frames, and the other browser the odd frames. A clip is then
the same each time.
"""

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from itertools import chain, repeat
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct

from broadcast.film.film import Film, FilmIndex, index_of
from broadcast.film.highlights import FADE_IN_MS
from broadcast.film.reel_sentences import bridge_ms
from broadcast.film.segments import Segment
from broadcast.video.chromium import Tab
from broadcast.web.answers import gzipped_json
from broadcast.web.routes import Route

FRAMES_PER_SECOND = 30
SOUND_RATE = 48_000
BROWSER_COUNT = 2
MAX_FRAMES_AHEAD = 8
"""How many frames a browser may be ahead of the encoder."""
JPEG_QUALITY = 92
SIZES = {"wide": (1920, 1080), "tall": (1080, 1920)}
_SOUND_PIECE_SAMPLES = 10 * SOUND_RATE


class Cut(Struct, frozen=True):
    """A stretch of a film (a recorded show): the start in milliseconds, and the number of frames.

    During the first `bridge_frames` frames, the sentence `bridge` replaces the captions.
    """

    from_ms: int
    frames: int
    bridge: str = ""
    bridge_frames: int = 0


class Clip(Struct, frozen=True):
    """A clip. `cuts` are the parts of the film that it shows, `shape` is "wide" or "tall", and `theme` is the look of
    the page.
    """

    cuts: tuple[Cut, ...]
    shape: str = "wide"
    theme: str = "western"

    @property
    def frame_count(self) -> int:
        return sum(cut.frames for cut in self.cuts)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return SIZES[self.shape]

    @property
    def query_and_fragment(self) -> str:
        """The query and the fragment in the address of this clip's page. The bridges are in the fragment, because
        servers limit the length of a query.
        """
        cuts = [("cut", f"{cut.from_ms}:{cut.frames}") for cut in self.cuts]
        query = urlencode([("shape", self.shape), ("theme", self.theme), ("rate", FRAMES_PER_SECOND), *cuts])
        return f"{query}#{urlencode([('bridge', f'{cut.bridge_frames}:{cut.bridge}') for cut in self.cuts])}"


def cuts_of(stretches: Iterable[tuple[int, int]], bridges: Iterable[str] = ()) -> tuple[Cut, ...]:
    """Returns the cuts for `stretches` of a film, each with a start and an end in milliseconds. `bridges` has the
    sentence for each stretch.

    A cut starts and ends `FADE_IN_MS` before its stretch does.
    """
    return tuple(
        Cut(
            max(0, at_ms - FADE_IN_MS),
            max(1, (until_ms - at_ms) * FRAMES_PER_SECOND // 1000),
            bridge,
            bridge_ms(bridge) * FRAMES_PER_SECOND // 1000,
        )
        for (at_ms, until_ms), bridge in zip(stretches, chain(bridges, repeat("")), strict=False)
    )


async def capture_frames(
    tabs: Sequence[Tab], frame_count: int, encode: Callable[[AsyncIterator[bytes]], Awaitable[None]]
) -> None:
    """Passes all frames of a clip to `encode` in order, as JPEGs. Raises BrowserError, and what `encode` raises."""
    captured: list[asyncio.Queue[bytes]] = [asyncio.Queue(MAX_FRAMES_AHEAD) for _ in tabs]
    try:
        async with asyncio.TaskGroup() as turns:
            for turn, tab in enumerate(tabs):
                turns.create_task(_capture(tab, range(turn, frame_count, len(tabs)), captured[turn]))
            await encode(_in_order(captured, frame_count))
    except BaseExceptionGroup as group:  # the first exception caused the others
        raise group.exceptions[0] from None


async def _in_order(captured: Sequence[asyncio.Queue[bytes]], frame_count: int) -> AsyncIterator[bytes]:
    for number in range(frame_count):
        yield await captured[number % len(captured)].get()


async def _capture(tab: Tab, numbers: Iterable[int], captured: asyncio.Queue[bytes]) -> None:
    """Captures the frames with these `numbers`. While the page is unchanged, uses the last picture again."""
    picture = b""
    for number in numbers:
        if await tab.evaluate(f"clip.show({number})") or not picture:
            picture = await tab.screenshot(JPEG_QUALITY)
        await captured.put(picture)


async def capture_sound(tab: Tab, frame_count: int) -> AsyncIterator[bytes]:
    """Yields the sound of a clip of `frame_count` frames, as pieces of 16-bit stereo samples. Raises BrowserError."""
    await tab.evaluate(f"clip.show({frame_count - 1})")
    samples = frame_count * SOUND_RATE // FRAMES_PER_SECOND
    for begins in range(0, samples, _SOUND_PIECE_SAMPLES):
        piece = await tab.evaluate(f"clip.sound({begins}, {min(_SOUND_PIECE_SAMPLES, samples - begins)})")
        yield base64.b64decode(piece)


def clip_router(film: Film, templates: Jinja2Templates) -> APIRouter:
    """Returns the routes of the page `/clip`, and of its film below `/films/clip`."""
    router = APIRouter(route_class=Route)
    _, film_index = index_of(film)

    @router.get("/clip")
    async def page(request: Request) -> Response:
        """Returns the page that plays the clip. The program that captures the frames sets the page's clock."""
        return templates.TemplateResponse(request, "recordings/clip.html")

    @router.get("/films/clip/index.json", response_model=FilmIndex)
    async def index(request: Request) -> Response:
        """Returns the index of the film."""
        return gzipped_json(film_index, request)

    @router.get("/films/clip/{version}/{number:int}.seg", response_model=Segment)
    async def segment(request: Request, version: str, number: int) -> Response:
        """Returns a segment of the film. Ignores `version`."""
        if number >= len(film.segments):
            raise HTTPException(404)
        return gzipped_json(film.segments[number], request)

    return router
