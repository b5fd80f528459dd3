"""Play one hand: ask, decide, write down. Knows no clock, no connection and no tournament."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct

from server.bots.bot import Answer
from server.game.cards import Deck
from server.game.decide import carry_out, decides, fault_decision, resolve, retake, start_hand
from server.game.decisions import Action, Decision
from server.game.events import Entrant, Event, HandEnded
from server.game.hand import Hand
from server.game.rules import Rules
from server.game.view import View, view_of
from server.tournament.log_writer import Clerk


class Seated(Protocol):
    """Who sits at a table."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events it wants to hear of."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer: ...

    def tell(self, event: Event, view: View) -> None: ...


class Table(Struct):
    """A table during one game: who sits where, and the hand as it stands."""

    rules: Rules
    game: int
    entrants: tuple[Entrant, ...]
    bots: tuple[Seated, ...]
    clerk: Clerk
    hand: Hand | None = None

    def tell(self, event: Event) -> None:
        """Gives news to every bot at the table that wants it, the folded and the busted too; none before a deal."""
        if self.hand is None:
            return
        for seat, bot in enumerate(self.bots):
            if isinstance(event, bot.news):
                bot.tell(event, self._view(self.hand, seat))

    async def play_hand(self, number: int, button: int, stacks: Sequence[int], deck: Deck) -> Hand:
        """The finished hand. Each step is in the journal before any bot hears of it.

        Of a hand that broke off the bots, which have begun anew, hear all; of one that is over nothing.
        """
        hand, events = start_hand(self.rules, number, button, stacks, deck)
        heard_before = self.clerk.recalls(HandEnded)
        while True:
            await self.clerk.write(events)
            self.hand = hand
            if not heard_before:
                for event in events:
                    self.tell(event)
            if hand.over:
                return hand
            hand, events = await self._turn(hand)

    async def _turn(self, hand: Hand) -> tuple[Hand, list[Event]]:
        """The hand after asking the seat whose turn it is, or recalling what it did, and the events that led there."""
        recalled = self.clerk.recalled
        if recalled is not None and decides(self.rules, recalled):
            return retake(hand, recalled)
        assert hand.turn is not None, "a hand that is not over has somebody to act"
        seat = hand.turn.seat
        answer = await self.bots[seat].ask(self._view(hand, seat), partial(resolve, hand))
        action = answer.action or resolve(hand, fault_decision(hand, answer.fault))
        return carry_out(hand, action, think_ms=answer.think_ms, fault=answer.fault)

    def _view(self, hand: Hand, seat: int) -> View:
        return view_of(hand, seat, self.game, self.entrants)
