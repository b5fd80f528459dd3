"""Fixtures: an empty media library, and a function that lets it prepare files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadcast.media.library import MediaLibrary, Prepared
from tests.support.disks import small_disk

__all__ = ["library", "prepare", "small_disk"]


@pytest.fixture
def library(tmp_path: Path) -> MediaLibrary:
    return MediaLibrary(tmp_path / "media")


@pytest.fixture
def prepare(library: MediaLibrary, tmp_path: Path) -> Callable[..., Prepared]:
    """`prepare(avatar=content)` writes the bytes to a file; returns what the library prepares from it."""

    def prepared(**contents: bytes) -> Prepared:
        files = {kind: tmp_path / f"theirs.{kind}" for kind in contents}
        for kind, path in files.items():
            path.write_bytes(contents[kind])
        return library.prepare(**files)

    return prepared
