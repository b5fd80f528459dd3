"""Films many clips of one film: as many at a time as this machine's processors allow, or on workers."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from broadcast.film.film import Film
from broadcast.video.frames import Clip
from server.app.clips.clip_job import CLIP, ClipOrder, bundle, keep_film_of
from server.app.clips.filming import FILM_NEEDS, Tools, film_clip
from server.submissions.digest import digest_of
from server.workers.abilities import CORE, FILMS
from server.workers.orders import Done, encode

if TYPE_CHECKING:
    from server.workers.asking import Asking
    from server.workers.connection import KnownWorker

Step = Callable[[int], object]
"""Called with how many more frames are filmed."""


class Shot(Struct, frozen=True):
    """A clip, and the file into which it is filmed."""

    clip: Clip
    whole: Path


def film_here(film: Film, shots: Sequence[Shot], media: Path, tools: Tools, step: Step) -> list[asyncio.Task[Shot]]:
    """Begins to film clips on this machine; returns a task for each, in their order.

    Whoever does not await them cancels them. They raise as `film_clip`.
    """
    places = asyncio.Semaphore(max(1, len(os.sched_getaffinity(0)) // FILM_NEEDS))

    async def filmed(shot: Shot) -> Shot:
        async with places:
            await film_clip(film, shot.clip, media, tools, shot.whole, lambda: step(1))
        return shot

    return [asyncio.create_task(filmed(shot)) for shot in shots]


async def film_on_workers(  # noqa: PLR0917 (what is filmed, by whom, and how it is checked, in the order one says it)
    asking: "Asking", film: Film, shots: Sequence[Shot], media: Path, ffmpeg: str, step: Step, work: Path
) -> list[asyncio.Task[Shot]]:
    """Has workers film clips; returns a task for each, in their order. What is sent is put below `work`.

    Whoever does not await them cancels them. They raise OSError where no worker can film one, Refusal where the film
    is too large to be sent.
    """
    from server.workers.asking import Work  # noqa: PLC0415 - only who uses workers has Dask

    files = work / "sent"
    await asyncio.to_thread(bundle, film, media, files)
    digest = await asyncio.to_thread(digest_of, files)

    async def filmed(shot: Shot) -> Shot:
        async def kept(done: Done, _worker: "KnownWorker") -> Shot:
            await keep_film_of(done.result, shot.clip, ffmpeg, shot.whole)
            step(shot.clip.frames)
            return shot

        order = encode(ClipOrder(shot.whole.name, digest, shot.clip))
        needs = {CORE: float(FILM_NEEDS), FILMS: 1.0}
        async with asking.place(FILM_NEEDS):
            return await asking.done(Work(f"film {shot.whole.name}", CLIP, order, needs, {digest: files}), kept)

    return [asyncio.create_task(filmed(shot)) for shot in shots]
