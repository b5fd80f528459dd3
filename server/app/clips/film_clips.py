"""Makes several video clips of one film at the same time, on this machine or on workers (other machines). A film is a
recording prepared for replay. Each worker gets the film's files only once. This machine checks each clip that it
gets from a worker.
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

from broadcast.film.film import Film, open_film, write_film
from broadcast.video.chromium import BrowserError
from broadcast.video.ffmpeg import FfmpegError, probe_video
from broadcast.video.frames import FRAMES_PER_SECOND, Clip
from server.app.clips.filming import PROCESSORS_PER_CLIP, Tools, film_clip, find_tools
from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.errors import Refusal
from server.submissions.folder_rules import digest_of
from server.system.processes import processor_count
from server.workers.abilities import CORES_RESOURCE, FILM_PROGRAMS
from server.workers.worker_messages import Done, ResultRejected, decode_result, encode
from server.workers.workplace import Workplace

if TYPE_CHECKING:
    from server.workers.connection import KnownWorker
    from server.workers.work_dispatcher import WorkDispatcher

CLIP_JOB = "clip"
MAX_BYTES = 200 << 20
"""The maximum size of a clip from a worker, in bytes. It is enough for many minutes of video."""
FILM_FILE, MEDIA_FOLDER = "clip.film", "media"
_MEDIA_FILE_NAME = re.compile(rb"[\w-]+\.(?:webp|ogg)")
FrameCallback = Callable[[int], object]
"""A function that is called with the number of frames filmed since the last call."""


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


def film_locally(
    film: Film, shots: Sequence[Shot], media: Path, tools: Tools, on_frames: FrameCallback
) -> list[asyncio.Task[Shot]]:
    """Starts filming clips on this machine. Returns a task for each of `shots`, in order.

    The caller must await or cancel the tasks. A task raises the same errors as `film_clip`.
    """
    slots = asyncio.Semaphore(max(1, processor_count() // PROCESSORS_PER_CLIP))

    async def film_one(shot: Shot) -> Shot:
        async with slots:
            await film_clip(film, shot.clip, media, tools, shot.path, lambda: on_frames(1))
        return shot

    return [asyncio.create_task(film_one(shot)) for shot in shots]


async def film_on_workers(  # noqa: PLR0917 (every argument is needed)
    dispatcher: "WorkDispatcher",
    film: Film,
    shots: Sequence[Shot],
    media: Path,
    ffmpeg: str,
    on_frames: FrameCallback,
    work_folder: Path,
) -> list[asyncio.Task[Shot]]:
    """Starts filming clips on workers. Returns a task for each of `shots`, in order. The files to send are first copied
    to `work_folder`.

    The caller must await or cancel the tasks. A task raises OSError if no worker can film its clip. A task raises
    Refusal if the film is too large to send.
    """
    from server.workers.work_dispatcher import Work  # noqa: PLC0415 - Dask is installed only where workers are used

    files = work_folder / "sent"
    await asyncio.to_thread(copy_film_files, film, media, files)
    digest = await asyncio.to_thread(digest_of, files)

    async def film_one(shot: Shot) -> Shot:
        async def keep(done: Done, _worker: "KnownWorker") -> Shot:
            await save_checked_clip(done.result, shot.clip, ffmpeg, shot.path)
            on_frames(shot.clip.frame_count)
            return shot

        order = encode(ClipOrder(shot.path.name, digest, shot.clip))
        needs = {CORES_RESOURCE: float(PROCESSORS_PER_CLIP), FILM_PROGRAMS: 1.0}
        async with dispatcher.open_order(PROCESSORS_PER_CLIP):
            return await dispatcher.do_on_worker(
                Work(f"film {shot.path.name}", CLIP_JOB, order, needs, {digest: files}), keep
            )

    return [asyncio.create_task(film_one(shot)) for shot in shots]


def copy_film_files(film: Film, media: Path, folder: Path) -> None:
    """Creates `folder` with a film and the files of `media` that the film uses. Raises OSError."""
    folder.mkdir()
    write_film(film, "", folder / FILM_FILE)
    (folder / MEDIA_FOLDER).mkdir()
    media_names = {name for segment in film.segments for name in _MEDIA_FILE_NAME.findall(gzip.decompress(segment))}
    for name in sorted(name.decode() for name in media_names):
        if (media / name).is_file():
            shutil.copyfile(media / name, folder / MEDIA_FOLDER / name)


async def film_as_worker(workplace: Workplace, body: bytes) -> bytes:
    """Films the clip of an encoded `ClipOrder` on a worker. Returns the encoded MP4 file. Raises CannotRun, OSError."""
    order = _read_order(body)
    files = workplace.folder_of(order.digest) / "bot"
    film_file = open_film(files / FILM_FILE, "")
    if film_file is None:
        raise FileNotFoundError(f"there is no film in {files}")
    with workplace.temporary_folder() as folder:
        path = Path(folder) / "clip.mp4"
        try:
            await film_clip(film_file.read_film(), order.clip, files / MEDIA_FOLDER, find_tools(), path)
        except (BrowserError, FfmpegError, Refusal) as error:
            raise CannotRun(str(error)) from None
        say(f"{order.name}: {order.clip.frame_count / FRAMES_PER_SECOND:.1f} s of film")
        return encode(path.read_bytes())


async def save_checked_clip(result: bytes, clip: Clip, ffmpeg: str, path: Path) -> None:
    """Saves a worker's clip at `path`. Raises ResultRejected if the clip cannot be decoded, or has a wrong size or
    length. Does not check what the clip shows. Raises OSError.
    """
    try:
        film = _read_film(decode_result(result, MAX_BYTES))
    except msgspec.DecodeError as error:
        raise ResultRejected(str(error)) from None
    await asyncio.to_thread(path.write_bytes, film)
    try:
        frames, size = await probe_video(ffmpeg, path)
    except FfmpegError as error:
        raise ResultRejected(str(error)) from None
    if (frames, size) != (clip.frame_count, clip.size):
        formats = ((frames, size), (clip.frame_count, clip.size))
        actual, expected = (f"{count} frames of {width}x{height}" for count, (width, height) in formats)
        raise ResultRejected(f"it has {actual} instead of {expected}")
