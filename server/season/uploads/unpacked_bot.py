"""Unpacks an uploaded archive into a temporary folder, which is removed afterwards."""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from server.submissions.commands import CommandSubmission, read_commands


@contextlib.asynccontextmanager
async def unpacked(archive: bytes, incoming: Path) -> AsyncIterator[CommandSubmission]:
    """The bot in `archive`, with its faults, unpacked below the folder `incoming`. Raises OSError."""
    folder = await asyncio.to_thread(_made, incoming)
    try:
        yield await asyncio.to_thread(_read, archive, folder)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _made(incoming: Path) -> Path:
    incoming.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=incoming))


def _read(archive: bytes, folder: Path) -> CommandSubmission:
    path = folder / "bot.zip"
    path.write_bytes(archive)
    return read_commands(path, folder / "unpacked")
