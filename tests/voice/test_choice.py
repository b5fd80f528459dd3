"""Which captions are spoken, and for how long: important ones never wait, and nothing depends on the future."""

from msgspec.structs import replace

from broadcast.voice.choice import LINGER_MS, Shown, captions_of, weight_of
from server.game.events import (
    ActionTaken,
    Event,
    HandShown,
    HandStarted,
    StreetDealt,
    TurnStarted,
)

FOLD, RAISE = (
    ActionTaken(1, "fold", 0, 0, all_in=False, think_ms=9),
    ActionTaken(2, "raise", 300, 300, all_in=False, think_ms=9),
)
FLOP = StreetDealt("flop", ())


def shown(*events: Event, hold: int = 1000) -> list[Shown]:
    return [Shown(seq, event, f"caption {seq}", hold) for seq, event in enumerate(events)]


def rooms(*events: Event, hold: int = 1000) -> dict[int, int]:
    return {caption.seq: caption.room_ms for caption in captions_of(shown(*events, hold=hold))}


def test_line_ends_before_a_card_or_an_equally_important_caption_and_with_its_hand() -> None:
    assert rooms(FOLD, FOLD, RAISE, FLOP) == {0: 1000, 1: 1000, 2: 1000, 3: 1000}
    assert rooms(RAISE, FOLD, FOLD)[0] == 1000 + LINGER_MS
    assert rooms(RAISE, TurnStarted(1, 100, 200, 900, 9), FOLD)[0] == 2000 + LINGER_MS
    assert rooms(RAISE, FOLD, hold=600) == {0: 1200}


def test_last_of_simultaneous_captions_is_spoken() -> None:
    show = [replace(each, hold=hold) for each, hold in zip(shown(*[HandShown(0, ())] * 3), (0, 0, 4000), strict=True)]
    assert [(caption.seq, caption.room_ms) for caption in captions_of(show)] == [(2, 4000)]


def test_only_storylines_are_spoken_to_all_as_a_hand_begins() -> None:
    begun = HandStarted(1, 0, 50, 100, 0, (), "")
    assert weight_of(begun, "Hand 1 of 6. Doc has the button.") < 30 <= weight_of(begun, "Doc has won five in a row.")
