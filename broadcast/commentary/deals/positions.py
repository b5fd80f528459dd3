"""The names that poker players have for the seats of a hand. No I/O."""

from collections.abc import Sequence
from itertools import takewhile

from server.game.events import BlindPosted, Event, HandStarted
from server.game.hand import seats_clockwise
from server.text.grammar import number_in_words

_LATE = ("in the lojack", "in the hijack", "in the cutoff")
"""The last seats before the button."""
_IN_THE_BLINDS = {"small": "in the small blind", "big": "in the big blind"}


def position_of(events: Sequence[Event], hand: int, seat: int) -> str:
    """Returns the position of `seat` in hand number `hand` of a game's `events`: "on the button", "under the gun"."""
    start = next(index for index, event in enumerate(events) if isinstance(event, HandStarted) and event.hand == hand)
    started, *later_events = events[start:]
    assert isinstance(started, HandStarted)
    happened = takewhile(lambda event: not isinstance(event, HandStarted), later_events)
    named = {
        event.seat: _IN_THE_BLINDS[event.blind]
        for event in happened
        if isinstance(event, BlindPosted) and event.blind in _IN_THE_BLINDS
    }
    named[started.button] = "on the button"
    others = [
        other_seat
        for other_seat in seats_clockwise(started.button, len(started.stacks))
        if started.stacks[other_seat] and other_seat not in named
    ]
    named |= zip(reversed(others[1:]), reversed(_LATE), strict=False)
    for behind, other_seat in enumerate(each for each in others if each not in named):
        named[other_seat] = f"under the gun plus {number_in_words(behind)}" if behind else "under the gun"
    return named[seat]
