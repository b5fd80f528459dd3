"""Fixtures: one film and two clips of the same moment of it, shared by the folder because browsers start slowly."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.film import Film, film_of
from broadcast.film.segments import read_segment
from broadcast.video.frames import Clip, Cut
from server.app.clips.filming import film_clip, find_tools
from tests.support.browsers import find_browser
from tests.support.recordings import small_contest

BEFORE_MS = 500
"""How long after the beginning of the clip the flop falls."""
FRAMES = 27


class Clips(Struct, frozen=True):
    """A clip around a flop, filmed twice: two files of it; and the film it is cut from."""

    film: Film
    clip: Clip
    files: Sequence[Path]


def entries_of(film: Film) -> list[dict[str, Any]]:
    """All that is put on air in a film."""
    return [entry for segment in film.segments for entry in read_segment(segment).entries]


@pytest.fixture(scope="module")
def film() -> Film:
    return film_of(small_contest())


@pytest.fixture(scope="module")
def clips(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Clips:
    flop = next(entry for entry in entries_of(film) if entry["type"] == "street_dealt")
    clip = Clip((Cut(flop["at_ms"] - BEFORE_MS, FRAMES),))
    files = [tmp_path_factory.mktemp("clip") / "clip.mp4" for _ in range(2)]
    tools = find_tools()
    tools = replace(tools, chromium=find_browser() or tools.chromium)
    for file in files:
        asyncio.run(film_clip(film, clip, file.parent, tools, file))
    return Clips(film, clip, files)
