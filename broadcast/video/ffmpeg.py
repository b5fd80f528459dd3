"""Runs FFmpeg for clips: encodes pictures, adds the sound, and makes an animated preview of a part of the clip."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from server.child_environment import environment_for_child
from server.process import end_process
from server.system.processes import own_group_arguments

_MAX_PIXELS = str(1920 * 1088)
"""The maximum number of pixels in a frame of an uploaded video. It limits the memory for decoding."""
_DECODING_SECONDS = 600.0
_QUIET_OPTIONS = ("-hide_banner", "-loglevel", "error", "-nostdin", "-y")
# A browser's JPEG has full range and the BT.601 matrix. Films have limited range and the BT.709 matrix.
_COLOUR_FILTER = "colorspace=iall=bt601-6-625:irange=pc:all=bt709:range=tv:fast=1:format=yuv420p"
_COLOUR_TAGS = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv")
_VIDEO_OPTIONS = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-profile:v", "high", "-threads", "2")
_REPRODUCIBLE = ("-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")


class FfmpegError(Exception):
    """FFmpeg failed. The message says why."""


def find_ffmpeg() -> str | None:
    """Returns the path of FFmpeg, or None if it is not installed."""
    return shutil.which("ffmpeg")


async def encode(program: str, pictures: AsyncIterator[bytes], rate: int, video: Path) -> None:
    """Makes a silent film from JPEGs, `rate` per second. Raises FfmpegError."""
    source = ("-f", "image2pipe", "-c:v", "mjpeg", "-framerate", str(rate), "-i", "pipe:0")
    await _run(
        program, pictures, *source, "-vf", _COLOUR_FILTER, *_VIDEO_OPTIONS, *_COLOUR_TAGS, *_REPRODUCIBLE, str(video)
    )


async def add_sound(program: str, video: Path, sound: AsyncIterator[bytes], rate: int, output: Path) -> None:
    """Adds `sound`, 16-bit stereo samples, to a film. The film can be played while it loads. Raises FfmpegError."""
    sources = ("-f", "s16le", "-ar", str(rate), "-ac", "2", "-i", "pipe:0", "-i", str(video))
    codecs = ("-map", "1:v", "-map", "0:a", "-c:v", "copy", "-c:a", "aac", "-b:a", "192k")
    await _run(program, sound, *sources, *codecs, *_REPRODUCIBLE, "-movflags", "+faststart", str(output))


async def make_preview(
    program: str, video: Path, part: tuple[float, float], preview: Path, *, width: int, rate: int, quality: int
) -> None:
    """Makes an animated WebP of a part of a film. `part` is its start and length in seconds. Raises FfmpegError."""
    start, seconds = part
    source = ("-ss", f"{start:.3f}", "-t", f"{seconds:.3f}", "-i", str(video), "-an")
    filters = f"fps={rate},scale={width}:-2"
    output_options = ("-vf", filters, "-c:v", "libwebp_anim", "-quality", str(quality), "-loop", "0")
    await _run(program, None, *source, *output_options, *_REPRODUCIBLE, "-f", "webp", str(preview))


async def probe_video(program: str, video: Path) -> tuple[int, tuple[int, int]]:
    """Decodes the whole of an uploaded MP4. Returns its number of frames, and its width and height.

    Raises FfmpegError if the file is broken, a frame is too large, or decoding takes too long.
    """
    source = ("-protocol_whitelist", "file", "-xerror", "-max_pixels", _MAX_PIXELS, "-f", "mp4", "-i", str(video))
    counting = ("-map", "0:v:0", "-map", "0:a:0", "-fps_mode", "passthrough", "-progress", "pipe:1", "-f", "null", "-")
    picture_options = ("-map", "0:v:0", "-frames:v", "1", "-pix_fmt", "gray", "-c:v", "pgm", "-f", "image2pipe", "-")
    try:
        async with asyncio.timeout(_DECODING_SECONDS):
            progress = await _run(program, None, *source, *counting)
            first_picture = await _run(program, None, *source, *picture_options)
    except TimeoutError:
        raise FfmpegError(f"it takes more than {_DECODING_SECONDS:g} seconds to decode") from None
    frame_counts = [int(line[6:]) for line in progress.splitlines() if line.startswith(b"frame=")]
    width, height = map(int, first_picture.split(maxsplit=3)[1:3])
    return frame_counts[-1], (width, height)


async def _run(program: str, input_pieces: AsyncIterator[bytes] | None, *arguments: str) -> bytes:
    """Runs FFmpeg, sends it `input_pieces` and returns its output. Ends FFmpeg if cancelled. Raises FfmpegError."""
    process = await asyncio.create_subprocess_exec(
        program, *_QUIET_OPTIONS, *arguments, **own_group_arguments(session=True), env=environment_for_child(),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    assert process.stderr
    output_task = asyncio.create_task(process.stdout.read())
    error_task = asyncio.create_task(process.stderr.read())
    try:
        with suppress(ConnectionError):  # FFmpeg has given up, and its errors say why
            if input_pieces is not None:
                async for piece in input_pieces:
                    process.stdin.write(piece)
                    await process.stdin.drain()
        process.stdin.close()
        output, error = await output_task, (await error_task).decode(errors="replace").strip()
        status = await process.wait()
    except BaseException:
        await end_process(process)
        raise
    if status:
        raise FfmpegError(f"ffmpeg failed: {error.splitlines()[-1] if error else f'status {status}'}")
    return output
