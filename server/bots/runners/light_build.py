"""The build of a bot without a Dockerfile in a bubblewrap box: in its own folder, without a network, within limits."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from server.bots.runners.light_box import LightProcess
from server.bots.runners.runner import CannotRun, Exit, Limits
from server.bots.runners.threads import in_thread

_LOOK_SECONDS = 0.2
_MOST_FILES = 20_000
_LAST_LINES = 15


def limits_of_build(limits: Limits) -> Limits:
    """What a build may have: more memory than its bot, and more room in /tmp."""
    return replace(limits, memory_bytes=limits.build_memory_bytes, scratch_bytes=limits.disk_bytes)


async def follow_build(box: LightProcess, folder: Path, limits: Limits, log: Path) -> list[str]:
    """What the build printed, once it has succeeded. Raises CannotRun with why not and the last of it."""
    ended = asyncio.ensure_future(box.ended())
    why = await _watched(ended, folder, limits)
    await box.stop()
    exit_ = await ended
    lines = await in_thread(lambda: _lines(log))
    if why or exit_.status:
        told = "".join(f"\n  {line[:300]}" for line in lines[-_LAST_LINES:])
        raise CannotRun(f"its build {why or exit_.reason}.{told and ' The last of the log:'}{told}")
    return lines


async def _watched(ended: asyncio.Future[Exit], folder: Path, limits: Limits) -> str:
    """Why the build has to be ended; "" once it has by itself."""
    late = asyncio.get_running_loop().time() + limits.build_seconds
    while not (await asyncio.wait({ended}, timeout=_LOOK_SECONDS))[0]:
        if asyncio.get_running_loop().time() > late:
            return f"takes longer than {limits.build_seconds:g} s"
        if _too_much(folder, limits.disk_bytes):
            return f"writes more than the {limits.disk_bytes >> 20} MB or {_MOST_FILES} files it may"
    too_much = _too_much(folder, limits.disk_bytes)
    return f"wrote more than the {limits.disk_bytes >> 20} MB or {_MOST_FILES} files it may" if too_much else ""


def _lines(log: Path) -> list[str]:
    return [line for line in log.read_text(errors="replace").splitlines() if line.strip()]


def _too_much(folder: Path, most: int) -> bool:
    for number, size in enumerate(_sizes(folder)):
        most -= size
        if most < 0 or number > _MOST_FILES:
            return True
    return False


def _sizes(folder: Path) -> Iterator[int]:
    """What each file takes on the disk, in bytes; files come and go meanwhile."""
    for here, folders, files in os.walk(folder):
        for name in (*folders, *files):
            try:
                yield os.lstat(os.path.join(here, name)).st_blocks * 512
            except OSError:
                yield 0
