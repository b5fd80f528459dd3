"""Makes several video clips of one film (a recording as it is shown) at the same time, on this machine or on workers,
which are other machines. Each worker gets the film's files only once. A worker's clip is checked before it is kept.
"""

import asyncio
import gzip
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from broadcast.film.film import Film, keep_film, open_film
from broadcast.video.chromium import NoBrowser
from broadcast.video.ffmpeg import NoEncoder, probe_film
from broadcast.video.frames import FRAMES_PER_SECOND, Clip
from server.app.clips.filming import FILM_NEEDS, Tools, film_clip, find_tools
from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.errors import Refusal
from server.submissions.folder_scan import digest_of
from server.system.processes import processors
from server.workers.abilities import CORE_ABILITY, FILMS
from server.workers.orders import Done, ResultRejected, decode_result, encode
from server.workers.workplace import Workplace

if TYPE_CHECKING:
    from server.workers.asking import Asking
    from server.workers.connection import KnownWorker

CLIP_JOB = "clip"
MAX_BYTES = 200 << 20
"""The maximum size of a clip from a worker, in bytes. Many minutes of video fit in. A larger clip is rejected."""
FILM, MEDIA = "clip.film", "media"
_MEDIA_FILE_NAME = re.compile(rb"[\w-]+\.(?:webp|ogg)")
Step = Callable[[int], object]
"""Called with the number of frames filmed since the last call."""


class Shot(Struct, frozen=True):
    """A clip to film, and where to save it."""

    clip: Clip
    path: Path


class ClipOrder(Struct, frozen=True):
    """An order to film a clip. `name` is the clip's file name. `digest` identifies the film's files."""

    name: str
    digest: str
    clip: Clip


_read_order = msgspec.msgpack.Decoder(ClipOrder).decode
_read_film = msgspec.msgpack.Decoder(bytes).decode


def film_locally(film: Film, shots: Sequence[Shot], media: Path, tools: Tools, step: Step) -> list[asyncio.Task[Shot]]:
    """Starts filming clips on this machine; returns a task for each of `shots`, in order.

    The caller must await or cancel the tasks. A task raises the same errors as `film_clip`.
    """
    slots = asyncio.Semaphore(max(1, processors() // FILM_NEEDS))

    async def film_one(shot: Shot) -> Shot:
        async with slots:
            await film_clip(film, shot.clip, media, tools, shot.path, lambda: step(1))
        return shot

    return [asyncio.create_task(film_one(shot)) for shot in shots]


async def film_on_workers(  # noqa: PLR0917 (what is filmed, by whom, and how it is checked)
    asking: "Asking", film: Film, shots: Sequence[Shot], media: Path, ffmpeg: str, step: Step, work: Path
) -> list[asyncio.Task[Shot]]:
    """Starts filming clips on workers; returns a task for each of `shots`, in order. `work` is a folder for the files
    to send.

    The caller must await or cancel the tasks. A task raises OSError if no worker can film its clip, Refusal if the film
    is too large to send.
    """
    from server.workers.asking import Work  # noqa: PLC0415 - Dask is installed only where workers are used

    files = work / "sent"
    await asyncio.to_thread(bundle, film, media, files)
    digest = await asyncio.to_thread(digest_of, files)

    async def film_one(shot: Shot) -> Shot:
        async def keep(done: Done, _worker: "KnownWorker") -> Shot:
            await save_checked_clip(done.result, shot.clip, ffmpeg, shot.path)
            step(shot.clip.frames)
            return shot

        order = encode(ClipOrder(shot.path.name, digest, shot.clip))
        needs = {CORE_ABILITY: float(FILM_NEEDS), FILMS: 1.0}
        async with asking.slot(FILM_NEEDS):
            return await asking.done(Work(f"film {shot.path.name}", CLIP_JOB, order, needs, {digest: files}), keep)

    return [asyncio.create_task(film_one(shot)) for shot in shots]


def bundle(film: Film, media: Path, folder: Path) -> None:
    """Creates `folder` with a film and the files of `media` that the film uses. Raises OSError."""
    folder.mkdir()
    keep_film(film, "", folder / FILM)
    (folder / MEDIA).mkdir()
    named = {name for segment in film.segments for name in _MEDIA_FILE_NAME.findall(gzip.decompress(segment))}
    for name in sorted(name.decode() for name in named):
        if (media / name).is_file():
            shutil.copyfile(media / name, folder / MEDIA / name)


async def film_as_worker(workplace: Workplace, body: bytes) -> bytes:
    """Films a clip from an encoded `ClipOrder`; returns the encoded bytes of an MP4. Raises CannotRun, OSError."""
    order = _read_order(body)
    files = workplace.folder_of(order.digest) / "bot"
    found = open_film(files / FILM, "")
    if found is None:
        raise FileNotFoundError(f"there is no film in {files}")
    with workplace.room() as room:
        path = Path(room) / "clip.mp4"
        try:
            await film_clip(found.film(), order.clip, files / MEDIA, find_tools(), path)
        except (NoBrowser, NoEncoder, Refusal) as error:
            raise CannotRun(str(error)) from None
        say(f"{order.name}: {order.clip.frames / FRAMES_PER_SECOND:.1f} s of film")
        return encode(path.read_bytes())


async def save_checked_clip(result: bytes, clip: Clip, ffmpeg: str, path: Path) -> None:
    """Saves a worker's clip at `path` if it can be decoded and has the right size and length. Does not check what the
    clip shows. Raises ResultRejected, OSError.
    """
    try:
        film = _read_film(decode_result(result, MAX_BYTES))
    except msgspec.DecodeError as error:
        raise ResultRejected(str(error)) from None
    await asyncio.to_thread(path.write_bytes, film)
    try:
        frames, size = await probe_film(ffmpeg, path)
    except NoEncoder as error:
        raise ResultRejected(str(error)) from None
    if (frames, size) != (clip.frames, clip.size):
        both = ((frames, size), (clip.frames, clip.size))
        actual, expected = (f"{count} frames of {width}x{height}" for count, (width, height) in both)
        raise ResultRejected(f"it has {actual} instead of {expected}")
