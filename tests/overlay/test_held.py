"""A page that has shown a contest holds no more than before: nothing that flew or was on screen stays."""

from tests.overlay.conftest import OpenScreen
from tests.overlay.held import held
from tests.overlay.scenes import TRIALS, opened

AT_ONCE = 120
"""About two hands."""
HANDS = 6


def test_hands_shown_again_leave_nothing_behind(open_screen: OpenScreen) -> None:
    screen = open_screen("audio=1")
    script = opened(speed=100).game(TRIALS, (5000,) * 6)
    for hand in range(HANDS):
        script.wheel(hand)
    after = []
    for _ in range(2):
        for at in range(0, len(script.entries), AT_ONCE):
            screen.put(script.entries[at : at + AT_ONCE])
        after.append(held(screen))
    first, second = after
    # Whatever a hand leaves behind is there for each hand.
    assert second.nodes - first.nodes < HANDS
    assert second.listeners - first.listeners < HANDS
    assert max(second.things[kind] - first.things[kind] for kind in second.things) < HANDS
