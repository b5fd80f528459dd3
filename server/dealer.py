"""Play one hand: ask, decide, publish. Knows no clock, no wire and no tournament."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from server.bots.bot import Bot
from server.bots.view import View, view_of
from server.game.cards import Deck
from server.game.decide import check, fault_decision, start_hand, take_turn
from server.game.events import Entrant, Event
from server.game.hand import Hand
from server.game.rules import Rules

Publish = Callable[[Sequence[Event]], object]


class Table(Struct):
    """A table during one game: who sits where, and the hand as it stands."""

    rules: Rules
    game: int
    entrants: tuple[Entrant, ...]
    bots: tuple[Bot, ...]
    hand: Hand | None = None

    def tell(self, event: Event) -> None:
        """Gives news to every bot at the table, the folded and the busted ones too; none before the first deal."""
        if self.hand is None:
            return
        for seat, bot in enumerate(self.bots):
            bot.tell(event, self._view(self.hand, seat))

    async def play_hand(self, number: int, button: int, stacks: Sequence[int], deck: Deck, publish: Publish) -> Hand:
        """The finished hand. Each step is published before any bot hears of it."""
        hand, events = start_hand(self.rules, number, button, stacks, deck)
        while True:
            publish(events)
            self.hand = hand
            if hand.over:
                self.tell(events[-1])
                return hand
            hand, events = await self._turn(hand)

    async def _turn(self, hand: Hand) -> tuple[Hand, list[Event]]:
        """The hand after asking the seat whose turn it is, and the events that led there."""
        assert hand.turn is not None, "a hand that is not over has somebody to act"
        seat = hand.turn.seat
        answer = await self.bots[seat].ask(self._view(hand, seat), partial(check, hand))
        decision = fault_decision(hand) if answer.fault else answer.decision
        return take_turn(hand, decision, think_ms=answer.think_ms, fault=answer.fault)

    def _view(self, hand: Hand, seat: int) -> View:
        return view_of(hand, seat, self.game, self.entrants)
