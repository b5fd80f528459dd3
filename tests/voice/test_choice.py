"""Which captions are spoken and how long each may take; no line depends on cards that are not dealt yet."""

import random
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.voice.choice import LINGER_MS, Shown, captions_of, weight_of
from server.config.event_show import ESPEAK
from server.game.events import ActionTaken, Event, HandShown, HandStarted, HoleDealt, StreetDealt, TurnStarted
from server.journal.journal import Entry
from tests.publish.published_pairs import random_pair
from tests.support.espeak import needs_espeak
from tests.voice.spoken_show import play

FOLD = ActionTaken(1, "fold", 0, 0, all_in=False, think_ms=9)
RAISE = ActionTaken(2, "raise", 300, 300, all_in=False, think_ms=9)
FLOP = StreetDealt("flop", ())


def shown_events(*events: Event, hold: int = 1000) -> list[Shown]:
    return [Shown(seq, event, f"caption {seq}", hold) for seq, event in enumerate(events)]


def rooms_ms(*events: Event, hold: int = 1000) -> dict[int, int]:
    """How many milliseconds each spoken caption may take, by the index of its event."""
    return {caption.seq: caption.room_ms for caption in captions_of(shown_events(*events, hold=hold))}


def test_line_ends_with_its_hand_and_before_a_card_or_an_equally_important_caption() -> None:
    assert rooms_ms(FOLD, FOLD, RAISE, FLOP) == {0: 1000, 1: 1000, 2: 1000}
    assert rooms_ms(RAISE, FOLD, FOLD)[0] == 1000 + LINGER_MS
    assert rooms_ms(RAISE, TurnStarted(1, 100, 200, 900, 9), FOLD)[0] == 2000 + LINGER_MS
    assert rooms_ms(RAISE, FOLD, hold=600) == {0: 1200}


def test_line_about_cards_has_time_only_from_when_they_lie_face_up() -> None:
    assert rooms_ms(FLOP, FOLD, FOLD, hold=3000) == {0: 3000 - 1060 + LINGER_MS, 1: 3000, 2: 3000}
    assert rooms_ms(FLOP, FOLD, FOLD)[0] == 300 + LINGER_MS
    assert rooms_ms(HoleDealt(1, ()), TurnStarted(1, 100, 200, 900, 9), FOLD, FOLD)[0] == 1000 + LINGER_MS


def test_only_the_last_of_simultaneous_captions_is_spoken() -> None:
    show = [
        replace(each, hold=hold) for each, hold in zip(shown_events(*[HandShown(0, ())] * 3), (0, 0, 4000), strict=True)
    ]
    assert [(caption.seq, caption.room_ms) for caption in captions_of(show)] == [(2, 4000)]


def test_only_storylines_are_spoken_to_all_at_the_beginning_of_a_hand() -> None:
    start = HandStarted(1, 0, 50, 100, 0, (), "")
    assert weight_of(start, "Hand 1 of 6. Doc has the button.") < 30 <= weight_of(start, "Doc has won five in a row.")


COMPARED_PAIRS = 2
"""How many pairs of hands are compared; the hands of a pair differ only in a hidden card."""


def on_air(events: Sequence[Event], deals: int, folder: Path) -> list[OnAirEntry]:
    """What was on air before deal number `deals`, in which two shows differ. Leaves out the random names of sounds."""
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
    while compared < COMPARED_PAIRS:
        pair = random_pair(dice)
        one = on_air(pair.one, pair.deals, tmp_path / f"{dice.random()}")
        other = on_air(pair.other, pair.deals, tmp_path / f"{dice.random()}")
        if times(one) == times(other):  # a hidden card may change a hand's pace, by its drama, and nothing else
            assert one == other
            compared += 1
            lines += sum(isinstance(entry.event, LineSpoken) for entry in one)
    assert lines > 3 * COMPARED_PAIRS
