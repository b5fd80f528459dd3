"""The build of a bot without a Dockerfile in a bubblewrap box: on a disk in memory that has an end, without a network.

What it has made comes out as a stream of tar, which is taken for what a stranger says.
"""

import asyncio
import shlex
from pathlib import Path

from msgspec.structs import replace

from server.bots.sandbox.bubblewrap.box import BubblewrapPipedBox
from server.bots.sandbox.bubblewrap.command import HANDED_IN
from server.bots.sandbox.bubblewrap.unpack import TooMuch, unpack
from server.bots.sandbox.runner import CannotRun, Exit, Limits
from server.bots.sandbox.threads import in_thread

_LAST_LINES = 15
_DISK_IS_FULL = ("No space left on device", "ENOSPC")


def limits_of_build(limits: Limits) -> Limits:
    """What a build may have: more memory than its bot, and more room in /tmp."""
    return replace(
        limits,
        memory_bytes=limits.build_memory_bytes,
        scratch_bytes=limits.disk_bytes,
        scratch_files=limits.disk_files,
    )


def build_command(order: str) -> str:
    """For a shell in the box: the build, in a copy of what was handed in; then all there is, packed, as its output."""
    order = shlex.quote(order)
    return f"cp -a {HANDED_IN}/. . >&2 && /bin/sh -c {order} >&2 < /dev/null || exit; exec tar -cf - ."


async def follow_build(box: BubblewrapPipedBox, into: Path, limits: Limits, log: Path) -> list[str]:
    """What the build printed, once it has succeeded and what it made lies in the new folder `into`.

    Raises CannotRun with why not and the last of its log.
    """
    taken = asyncio.ensure_future(in_thread(lambda: unpack(box.stdout, into, limits)))
    ended = asyncio.ensure_future(box.ended())
    _, late = await asyncio.wait({taken, ended}, timeout=limits.build_seconds, return_when=asyncio.FIRST_EXCEPTION)
    too_long = bool(late) and not (taken.done() and taken.exception())
    await box.stop()
    await asyncio.wait({taken, ended})
    printed = await in_thread(lambda: log.read_text(errors="replace"))
    lines = [line for line in printed.splitlines() if line.strip()]
    if why := _why(too_long, taken.exception(), ended.result(), lines, limits):
        tail = "".join(f"\n  {line[:300]}" for line in lines[-_LAST_LINES:])
        raise CannotRun(f"its build {why}.{tail and ' The last of the log:'}{tail}")
    return lines


def _why(too_long: bool, untaken: BaseException | None, exit_: Exit, lines: list[str], limits: Limits) -> str:
    most = f"more than the {limits.disk_bytes >> 20} MB or {limits.disk_files} files it may"
    full = any(words in line for line in lines[-_LAST_LINES:] for words in _DISK_IS_FULL)
    if too_long:
        return f"takes longer than {limits.build_seconds:g} s"
    if isinstance(untaken, TooMuch):
        return f"left {most}"
    if exit_.status:
        return f"wrote {most}" if full else exit_.reason
    return f"left what cannot be read ({untaken})" if untaken else ""
