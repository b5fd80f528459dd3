"""What is spoken depends on no card that is still to come: pairs of shows that differ only in such cards."""

import random
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.on_air.events import LineSpoken, OnAirEntry
from server.config.event_show import ESPEAK
from server.game.events import Event, HoleDealt, StreetDealt
from server.journal.journal import Entry
from tests.publish.published_pairs import random_pair
from tests.support.espeak import needs_espeak
from tests.voice.spoken_show import play

PAIRS = 2


def on_air(events: Sequence[Event], deals: int, folder: Path) -> list[OnAirEntry]:
    """What was on air before the card that differs, without the random names of sounds."""
    folder.mkdir()
    heard = play([Entry(number, 0, event) for number, event in enumerate(events, 1)], folder, ESPEAK)
    dealt = [at for at, entry in enumerate(heard.entries) if isinstance(entry.event, HoleDealt | StreetDealt)]
    return [replace(entry, event=_nameless(entry.event)) for entry in heard.entries[: dealt[deals]]]


def _nameless(event: Event) -> Event:
    return replace(event, sound="") if isinstance(event, LineSpoken) else event


def times(entries: Sequence[OnAirEntry]) -> list[int]:
    return [entry.at_ms for entry in entries if not isinstance(entry.event, LineSpoken)]


@needs_espeak
def test_no_line_gives_a_hidden_card_away(tmp_path: Path) -> None:
    dice, compared, lines = random.Random(21), 0, 0
    while compared < PAIRS:
        pair = random_pair(dice)
        one = on_air(pair.one, pair.deals, tmp_path / f"{dice.random()}")
        other = on_air(pair.other, pair.deals, tmp_path / f"{dice.random()}")
        if times(one) == times(other):  # a hand's drama sets its pace, and nothing else
            assert one == other
            compared += 1
            lines += sum(isinstance(entry.event, LineSpoken) for entry in one)
    assert lines > 5 * PAIRS
