"""Fixtures: a film and a short clip of the film, shared by the tests of a file because browsers start slowly."""

import asyncio
from pathlib import Path

import pytest
from msgspec import Struct

from broadcast.film.film import Film, film_of
from broadcast.video.frames import Clip, Cut
from server.app.clips.filming import film_clip
from tests.support.browsers import film_tools
from tests.support.recordings import entries_of, small_contest

BEFORE_MS = 250
"""How many milliseconds of the clip come before the flop."""
FRAMES = 16
"""The length of the clip in frames."""


class Filmed(Struct, frozen=True):
    """A clip that contains a flop, and the clip's file."""

    clip: Clip
    file: Path


@pytest.fixture(scope="module")
def film() -> Film:
    return film_of(small_contest())


@pytest.fixture(scope="module")
def filmed(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    flop = next(entry for entry in entries_of(film) if entry["type"] == "street_dealt")
    clip = Clip((Cut(flop["at_ms"] - BEFORE_MS, FRAMES),))
    file = tmp_path_factory.mktemp("clip") / "clip.mp4"
    asyncio.run(film_clip(film, clip, file.parent, film_tools(), file))
    return Filmed(clip, file)
