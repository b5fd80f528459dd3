"""The job of a worker that films a clip; what goes there with it, and the check of what comes back.

A worker gets a film once, with the pictures and sounds that are in it, however many clips are cut from it.
"""

import asyncio
import gzip
import re
import shutil
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.film.film import Film, found_film, keep_film
from broadcast.video.chromium import NoBrowser
from broadcast.video.ffmpeg import NoEncoder, decoded
from broadcast.video.frames import RATE, Clip
from server.app.clips.filming import film_clip, find_tools
from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.errors import Refusal
from server.workers.orders import NotProved, encode, within
from server.workers.workplace import Workplace

CLIP = "clip"
MOST_BYTES = 200 << 20
"""The largest film of a clip that is taken from a worker: many minutes."""
FILM, MEDIA = "clip.film", "media"
_NAME = re.compile(rb"[\w-]+\.(?:webp|ogg)")


class ClipOrder(Struct, frozen=True):
    """A clip to film, of the film with these files."""

    name: str
    digest: str
    clip: Clip


_read_order = msgspec.msgpack.Decoder(ClipOrder).decode
_read_film = msgspec.msgpack.Decoder(bytes).decode


def bundle(film: Film, media: Path, folder: Path) -> None:
    """Puts a film into `folder`, with those files of `media` that it shows or plays. Raises OSError."""
    folder.mkdir()
    keep_film(film, "", folder / FILM)
    (folder / MEDIA).mkdir()
    named = {name for segment in film.segments for name in _NAME.findall(gzip.decompress(segment))}
    for name in sorted(name.decode() for name in named):
        if (media / name).is_file():
            shutil.copyfile(media / name, folder / MEDIA / name)


async def film_there(place: Workplace, body: bytes) -> bytes:
    """Films a clip: a `ClipOrder` comes in, the bytes of an MP4 go out, both encoded.

    Raises CannotRun where it cannot be filmed here, OSError.
    """
    order = _read_order(body)
    files = place.folder_of(order.digest) / "bot"
    with place.room() as room:
        whole = Path(room) / "whole.mp4"
        try:
            await film_clip(_film_in(files), order.clip, files / MEDIA, find_tools(), whole)
        except (NoBrowser, NoEncoder, Refusal) as error:
            raise CannotRun(str(error)) from None
        say(f"{order.name}: {order.clip.frames / RATE:.1f} s of film")
        return encode(whole.read_bytes())


async def keep_film_of(result: bytes, clip: Clip, ffmpeg: str, whole: Path) -> None:
    """Keeps a film that a worker has returned as `whole`, if it can be played and has the clip's size and length.

    That it shows what it should is not seen by this. Raises NotProved, OSError.
    """
    try:
        film = _read_film(within(result, MOST_BYTES))
    except msgspec.DecodeError as error:
        raise NotProved(str(error)) from None
    await asyncio.to_thread(whole.write_bytes, film)
    try:
        frames, size = await decoded(ffmpeg, whole)
    except NoEncoder as error:
        raise NotProved(str(error)) from None
    if (frames, size) != (clip.frames, clip.size):
        raise NotProved(f"it has {frames} frames of {_pixels(size)} instead of {clip.frames} of {_pixels(clip.size)}")


def _pixels(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _film_in(files: Path) -> Film:
    """The film in a bundle. Raises OSError."""
    found = found_film(files / FILM, "")
    if found is None:
        raise FileNotFoundError(f"there is no film in {files}")
    return found.film()
