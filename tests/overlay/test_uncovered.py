"""In whole shows with much talk, no name, face, card or amount is covered or cut off."""

import asyncio
from pathlib import Path

import pytest

from broadcast.film.film import film_of
from tests.overlay.support.lively_show import lively_entries
from tests.overlay.support.sampled_show import Window, sample

SHOWS = {
    "quick-draw": Window(1920, 1080),
    "enova": Window(390, 844, "tall"),
    "arena": Window(1280, 720, theme="plain"),
    "upac": Window(390, 844, "tall", "plain"),
}
MOMENTS, STRETCHES = 240, 12
SEED = 1871


@pytest.mark.parametrize("contest", SHOWS)
def test_no_name_face_card_or_amount_is_covered_while_all_bots_talk_and_think(contest: str, tmp_path: Path) -> None:
    film = film_of(lively_entries(contest, SEED))
    seen = asyncio.run(sample(film, tmp_path, SHOWS[contest], MOMENTS, STRETCHES))
    assert seen.found == ()
    assert seen.spoken > MOMENTS / 6
    assert seen.thought > MOMENTS / 6
