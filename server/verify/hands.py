"""Plays a recorded hand again, with its deck and its decisions, and compares what follows with what is recorded."""

from collections.abc import Collection, Sequence

from server.game.cards import Deck
from server.game.decide import decides, retake, start_hand
from server.game.decisions import IllegalAction
from server.game.events import Event, HandStarted
from server.game.hand import Hand
from server.game.rules import Rules
from server.hand_histories.replay import concealed
from server.verify.refutation import Refuted, same_events

MOST_SEATS = 100
"""At one table: there are not cards for a quarter of them."""


def replay(
    rules: Rules, recorded: Sequence[Event], deck: Deck, unknown: Collection[int] = ()
) -> tuple[Hand, list[Event]]:
    """The hand played again, and its events: same deck, same decisions.

    `recorded` are its events from its start to its end. The cards of the seats in `unknown` are not in it. Raises
    Refuted at the first event that is not what the rules lead to.
    """
    started = recorded[0]
    assert isinstance(started, HandStarted), "hands are collected from their start"
    if len(started.stacks) > MOST_SEATS:
        raise Refuted(f"{len(started.stacks)} sit at one table")
    if sum(stack > 0 for stack in started.stacks) < 2:
        raise Refuted("cards are dealt to fewer than two")
    hand, following = start_hand(rules, started.hand, started.button, started.stacks, deck)
    right: list[Event] = []
    while True:
        shown = concealed(following, unknown)
        same_events(recorded, shown, len(right))
        right += shown
        if hand.over:
            return hand, right
        taken = recorded[len(right)]
        if not decides(hand.rules, taken):
            raise Refuted("a bot has to decide, but the recording goes on without its decision", event=len(right))
        try:
            hand, following = retake(hand, taken)
        except IllegalAction as error:
            raise Refuted(str(error), event=len(right)) from None
