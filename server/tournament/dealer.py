"""Plays one hand: asks the bots, applies the rules, writes each event to the journal. Knows no clock, no tournament."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct

from server.bots.bot import Answer
from server.game.cards import Deck
from server.game.decide import carry_out, decides, fault_decision, resolve, retake, start_hand
from server.game.decisions import Action, Decision
from server.game.events import ActionTaken, Entrant, Event, HandEnded, NoteGiven
from server.game.hand import Hand
from server.game.rules import Rules
from server.game.view import View, view_of
from server.tournament.log_writer import LogWriter


class Seated(Protocol):
    """A bot that sits at a table, however it is connected."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events that are passed to `tell`; others are not."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks for a decision in the hand of `view`. Returns an answer whatever the bot does.

        `resolve` turns a decision into the action that the rules make of it, or raises IllegalAction.
        """

    def tell(self, event: Event, view: View) -> None:
        """Tells the bot of `event`; `view` is the hand after it, as the bot sees it. Never blocks."""


class Table(Struct):
    """A table during one game: who sits where, and the hand as it stands."""

    rules: Rules
    game: int
    entrants: tuple[Entrant, ...]
    bots: tuple[Seated, ...]
    log: LogWriter
    hand: Hand | None = None

    def tell(self, event: Event) -> None:
        """Passes `event` to every bot at the table that wants its kind, also to those that have folded or are broke.

        Does nothing before the first hand is dealt.
        """
        if self.hand is None:
            return
        for seat, bot in enumerate(self.bots):
            if isinstance(event, bot.news):
                bot.tell(event, self._view(self.hand, seat))

    async def play_hand(self, number: int, button: int, stacks: Sequence[int], deck: Deck) -> Hand:
        """Plays a hand to its end and returns it. `stacks` are chips by seat, 0 for a seat that is not dealt in.

        Each event is in the journal before any bot is told of it. When a tournament is resumed, the bots are told all
        of the hand that was broken off, and nothing of the hands before. Raises OSError where the disk fails for good,
        Diverged where the journal holds something else. What the bots noted on their actions comes after its end.
        """
        hand, events = start_hand(self.rules, number, button, stacks, deck)
        heard_before = self.log.recalls(HandEnded)
        actions, notes = 0, list[NoteGiven]()
        while True:
            await self.log.write(events)
            self.hand = hand
            if not heard_before:
                for event in events:
                    self.tell(event)
            if hand.over:
                self.log.note(*notes)
                return hand
            bot = self.entrants[hand.turn.seat].bot if hand.turn else 0
            hand, events, note = await self._turn(hand)
            actions += isinstance(events[0], ActionTaken)
            if note and isinstance(events[0], ActionTaken):
                notes.append(NoteGiven(bot, actions, note))

    async def _turn(self, hand: Hand) -> tuple[Hand, list[Event], str]:
        """Asks the seat whose turn it is, or repeats what the journal says it did.

        Returns the hand after that, the events that led there, and what the bot noted on its action.
        """
        recalled = self.log.recalled
        if recalled is not None and decides(self.rules, recalled):
            return *retake(hand, recalled), ""
        assert hand.turn is not None, "a hand that is not over has somebody to act"
        seat = hand.turn.seat
        answer = await self.bots[seat].ask(self._view(hand, seat), partial(resolve, hand))
        action = answer.action or resolve(hand, fault_decision(hand, answer.fault))
        return *carry_out(hand, action, think_ms=answer.think_ms, fault=answer.fault), answer.note

    def _view(self, hand: Hand, seat: int) -> View:
        return view_of(hand, seat, self.game, self.entrants)
