"""A storyline that commentators put on air stays until it can be read, or until they remove it."""

import asyncio

import pytest

from broadcast.show import commentators
from broadcast.show.commentators import SECONDS_A_CHARACTER, StorylineOnAir
from tests.support.event_loop import in_event_loop

SECONDS = 1.0


@in_event_loop
async def test_storyline_has_its_whole_time_even_if_it_replaces_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commentators, "SECONDS", SECONDS)
    loop = asyncio.get_running_loop()
    on_air: list[tuple[float, str]] = []
    over = asyncio.Event()

    def put(text: str) -> None:
        on_air.append((loop.time(), text))
        if not text:
            over.set()

    storyline = StorylineOnAir(put)
    storyline.show("one", pinned=False)
    await asyncio.sleep(SECONDS / 2)
    storyline.show("two", pinned=False)
    await over.wait()
    (_, first), (began, second), (ended, last) = on_air
    assert (first, second, last) == ("one", "two", "")
    assert ended - began >= SECONDS + SECONDS_A_CHARACTER * len(second)
