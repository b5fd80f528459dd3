"""A gallery in a folder of its own, and what it makes of the bytes of a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadcast.media.library import Gallery, Prepared


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    return Gallery(tmp_path / "media")


@pytest.fixture
def prepare(gallery: Gallery, tmp_path: Path) -> Callable[..., Prepared]:
    """`prepare(avatar=content)`: the bytes written to a file and shown to the gallery."""

    def prepared(**contents: bytes) -> Prepared:
        files = {kind: tmp_path / f"theirs.{kind}" for kind in contents}
        for kind, path in files.items():
            path.write_bytes(contents[kind])
        return gallery.prepare(**files)

    return prepared
