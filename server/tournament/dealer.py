"""Plays the hands of a game: asks the bots, applies the rules, and writes each event to the journal."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import UNSET, Struct

from server.bots.bot import Answer
from server.game.betting import carry_out, fault_decision, is_decision, repeat_turn, resolve, start_hand
from server.game.cards import Deck
from server.game.decisions import Action, Decision
from server.game.events import ActionTaken, Entrant, Event, HandEnded, NoteGiven
from server.game.hand import Hand, next_banks_ms
from server.game.rules import Rules
from server.game.view import View, view_of


class SeatedBot(Protocol):
    """A bot at a table, with any kind of connection."""

    @property
    def notified_events(self) -> tuple[type[Event], ...]:
        """The types of the events that `notify` accepts."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks the bot for its decision in the hand that `view` shows. Returns an answer even if the bot fails.

        `resolve` turns a decision into an action under the rules, or raises IllegalAction.
        """

    def notify(self, event: Event, view: View) -> None:
        """Reports `event` to the bot. `view` is the hand after the event, as the bot sees it. Never blocks."""


class Log(Protocol):
    """The log to which a table writes its events. After a crash, the table first repeats the events that were recorded
    before the crash. `next_recorded` is the next event to repeat. `will_repeat` says whether any event of a type is
    still to be repeated.
    """

    @property
    def next_recorded(self) -> Event | None: ...

    def will_repeat(self, event_type: type[Event]) -> bool: ...

    async def write(self, events: Sequence[Event], notes: Sequence[NoteGiven] = ()) -> None: ...


class Table(Struct):
    """A table during a game: who sits where, and the current hand."""

    rules: Rules
    game: int
    entrants: tuple[Entrant, ...]
    bots: tuple[SeatedBot, ...]
    log: Log
    hand: Hand | None = None

    def notify(self, event: Event) -> None:
        """Reports `event` to all bots at the table that accept events of its type, even to bots that have folded or
        have no chips. Does nothing before the first hand.
        """
        if self.hand is None:
            return
        for seat, bot in enumerate(self.bots):
            if isinstance(event, bot.notified_events):
                bot.notify(event, self._view(self.hand, seat))

    async def play_hand(self, number: int, button: int, stacks: Sequence[int], deck: Deck) -> Hand:
        """Plays a hand and returns its final state. `stacks` are chips by seat. Seats with 0 chips get no cards.

        Bots get an event only after it is in the journal. In a resumed tournament, bots get all events of the
        interrupted hand, but no events of earlier hands. The hand's end and the bots' notes on its actions are written
        together. Raises OSError if the disk fails permanently, Diverged if the journal contains different events.
        """
        banks_ms = next_banks_ms(self.rules, len(stacks), self.hand)
        hand, events = start_hand(self.rules, number, button, stacks, deck, banks_ms=banks_ms)
        is_already_played = self.log.will_repeat(HandEnded)
        action_count, notes = 0, list[NoteGiven]()
        while True:
            await self.log.write(events, notes if hand.over else ())
            self.hand = hand
            if not is_already_played:
                for event in events:
                    self.notify(event)
            if hand.over:
                return hand
            bot = self.entrants[hand.turn.seat].bot if hand.turn else 0
            hand, events, answer = await self._play_turn(hand)
            action_count += isinstance(events[0], ActionTaken)
            if answer and answer.note and isinstance(events[0], ActionTaken):
                notes.append(NoteGiven(bot, action_count, answer.note, answer.thought or UNSET, answer.account))

    async def _play_turn(self, hand: Hand) -> tuple[Hand, list[Event], Answer | None]:
        """Asks the bot whose turn it is, or repeats the recorded action of this turn. Returns the hand, its new events,
        and the bot's answer. For a recorded action, the answer is None.
        """
        recorded = self.log.next_recorded
        if recorded is not None and is_decision(self.rules, recorded):
            return *repeat_turn(hand, recorded), None
        assert hand.turn is not None, "it is always somebody's turn until the hand is over"
        seat = hand.turn.seat
        answer = await self.bots[seat].ask(self._view(hand, seat), partial(resolve, hand))
        action = answer.action or resolve(hand, fault_decision(hand, answer.fault))
        return *carry_out(hand, action, think_ms=answer.think_ms, fault=answer.fault), answer

    def _view(self, hand: Hand, seat: int) -> View:
        return view_of(hand, seat, self.game, self.entrants)
