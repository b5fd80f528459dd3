"""A page that has shown a contest holds no more than before: nothing that flew or was on screen stays."""

from server.game.events import HandEnded
from tests.overlay.conftest import OpenScreen
from tests.overlay.held import held
from tests.overlay.scenes import contest

AT_ONCE = 60
"""About a hand."""
HANDS = 12


def test_hands_shown_again_leave_nothing_behind(open_screen: OpenScreen) -> None:
    screen = open_screen("audio=1")
    entries = contest(speed=100).entries
    played = [at for at, entry in enumerate(entries, 1) if isinstance(entry.event, HandEnded)][HANDS - 1]
    after = []
    for _ in range(2):
        for at in range(0, played, AT_ONCE):
            screen.put(entries[at : min(at + AT_ONCE, played)])
        after.append(held(screen))
    first, second = after
    # A bubble may still be up in one of them; whatever a hand leaves behind is there for each hand.
    assert second.nodes - first.nodes < HANDS
    assert second.listeners - first.listeners < HANDS
    assert max(second.things[kind] - first.things[kind] for kind in second.things) < HANDS
