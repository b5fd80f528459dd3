"""A small file system that a test can fill. Fixture: import `small_disk` into a conftest."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

DISK_BYTES = 1024 * 1024


class NoDisk(Exception):
    """This machine cannot mount a file system; the message says why."""


@contextmanager
def mounted_disk(disk: Path, size: int = DISK_BYTES) -> Iterator[None]:
    """Mounts a file system of `size` bytes at the new folder `disk`. Raises NoDisk."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        raise NoDisk("only root can mount a small file system")
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=False).returncode:
        raise NoDisk("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    disk = tmp_path / "disk"
    with ExitStack() as mounted:
        try:
            mounted.enter_context(mounted_disk(disk))
        except NoDisk as reason:
            pytest.skip(str(reason))
        yield disk
