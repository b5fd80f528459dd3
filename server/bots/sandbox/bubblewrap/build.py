"""Builds a bot that has no Dockerfile, in a bubblewrap box without a network, on a tmpfs of limited size.

The box returns the result as a tar stream, which the bot's author could have made harmful.
"""

import asyncio
import shlex
from pathlib import Path

from msgspec.structs import replace

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.box import BubblewrapPipedBox
from server.bots.sandbox.bubblewrap.command import SUBMISSION_FOLDER
from server.bots.sandbox.bubblewrap.unpack import ArchiveTooLarge, unpack
from server.bots.sandbox.runner import CannotRun, Exit
from server.bots.sandbox.threads import run_in_thread

_LAST_LINES = 15
_DISK_IS_FULL = ("No space left on device", "ENOSPC")


def limits_of_build(limits: Limits) -> Limits:
    """Returns the limits of a build. A build has more memory and more room in /tmp than a bot."""
    return replace(
        limits,
        memory_bytes=limits.build_memory_bytes,
        scratch_bytes=limits.disk_bytes,
        scratch_files=limits.disk_files,
    )


def build_script(command: str) -> str:
    """Returns a shell command that runs the build in a copy of the submitted folder. Afterwards, the command prints
    that copy as a tar stream.
    """
    command = shlex.quote(command)
    return f"cp -a {SUBMISSION_FOLDER}/. . >&2 && /bin/sh -c {command} >&2 < /dev/null || exit; exec tar -cf - ."


async def follow_build(box: BubblewrapPipedBox, into: Path, limits: Limits, log: Path) -> list[str]:
    """Waits for the build, and puts its result into the new folder `into`. Returns the lines that the build printed.

    If the build fails, raises CannotRun with the reason and the end of the build's log.
    """
    unpacking = asyncio.ensure_future(run_in_thread(lambda: unpack(box.stdout, into, limits)))
    ended = asyncio.ensure_future(box.wait_for_exit())
    _, unfinished = await asyncio.wait(
        {unpacking, ended}, timeout=limits.build_seconds, return_when=asyncio.FIRST_EXCEPTION
    )
    is_too_slow = bool(unfinished) and not (unpacking.done() and unpacking.exception())
    await box.stop()
    await asyncio.wait({unpacking, ended})
    printed = await run_in_thread(lambda: log.read_text(errors="replace"))
    lines = [line for line in printed.splitlines() if line.strip()]
    if reason := _failure_reason(is_too_slow, unpacking.exception(), ended.result(), lines, limits):
        tail = "".join(f"\n  {line[:300]}" for line in lines[-_LAST_LINES:])
        raise CannotRun(f"its build {reason}.{tail and ' The end of its log:'}{tail}")
    return lines


def _failure_reason(
    is_too_slow: bool, unpack_error: BaseException | None, exit_: Exit, lines: list[str], limits: Limits
) -> str:
    allowed = f"more than the {limits.disk_bytes >> 20} MB or {limits.disk_files} files allowed"
    is_disk_full = any(message in line for line in lines[-_LAST_LINES:] for message in _DISK_IS_FULL)
    if is_too_slow:
        return f"takes longer than {limits.build_seconds:g} s"
    if isinstance(unpack_error, ArchiveTooLarge):
        return f"left {allowed}"
    if exit_.status:
        return f"wrote {allowed}" if is_disk_full else exit_.reason
    return f"left files that cannot be read ({unpack_error})" if unpack_error else ""
