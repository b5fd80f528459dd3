"""Replays a recorded hand with its deck and decisions, and compares what follows with what is recorded."""

from collections.abc import Collection, Sequence

from server.game.cards import Deck
from server.game.decide import decides, retake, start_hand
from server.game.decisions import IllegalAction
from server.game.events import Event, HandStarted
from server.game.hand import Hand
from server.game.rules import Rules
from server.hand_histories.replay import concealed
from server.verify.refutation import Refuted, same_events

MAX_SEATS = 100
"""The most seats of a table; the deck is too small for a quarter of them."""


def replay(
    rules: Rules, recorded: Sequence[Event], deck: Deck, unknown: Collection[int] = ()
) -> tuple[Hand, list[Event]]:
    """Replays a hand with the same deck and decisions; returns it and its events.

    `recorded` are its events from start to end, without the cards of seats in `unknown`. Raises Refuted at the first
    event that does not follow from the rules.
    """
    started = recorded[0]
    assert isinstance(started, HandStarted), "hands are collected from their start"
    if len(started.stacks) > MAX_SEATS:
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
