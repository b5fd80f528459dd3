"""Asks a bot the questions that an entrant of a recording was asked, with the same cards, chips and messages.

The hands are replayed from their decks and the recorded decisions. New answers do not change the hands.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial

from msgspec import Struct

from server.bots.bot import Answer
from server.game import events
from server.game.betting import is_decision, repeat_turn, resolve, start_hand
from server.game.cards import Card
from server.game.hand import Hand
from server.game.rules import Rules
from server.game.view import View, view_of
from server.shuffle import deck_of
from server.tournament.dealer import SeatedBot


class BotChoice(Struct, frozen=True):
    """A bot's choice. `act` is "fold", "check", "call", "bet", "raise" or "post".

    `bet` is the bot's total bet on this street after the choice. If there is a `fault`, the answer was not valid.
    """

    act: str
    bet: int
    fault: events.Fault = ""


class RepeatedQuestion(Struct, frozen=True):
    """A question that was asked again. `was` is the recorded choice, and `now` is the new choice.

    `hand` is the hand's number in its game, and `number` is the hand's number in the recording. Both begin at 1.
    """

    number: int
    game: int
    hand: int
    street: events.Street
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    to_call: int
    pot: int
    was: BotChoice
    now: BotChoice


class RecordedHand(Struct):
    """A recorded hand, with its game, seats and events. `chats` has each chat with the number of events before it."""

    number: int
    game: int
    seats: tuple[int, ...]
    hand_events: list[events.Event]
    chats: list[tuple[int, events.ChatSent]]


def hands_of(recording: Sequence[events.Event]) -> Iterator[RecordedHand]:
    """Yields the hands of a recording that are finished and have a known deck."""
    game, number, hand = events.GameStarted(0, 0, (), ()), 0, RecordedHand(0, 0, (), [], [])
    for event in recording:
        match event:
            case events.GameStarted():
                game = event
            case events.HandStarted():
                number += 1
                hand = RecordedHand(number, game.game, game.seats, [event], [])
            case events.ChatSent():
                hand.chats.append((len(hand.hand_events), event))
            case events.HandEnded():
                hand.hand_events.append(event)
                if event.deck_key:
                    yield hand
            case _ if isinstance(event, events.HAND_EVENTS):
                hand.hand_events.append(event)


def count_questions(hands: Sequence[RecordedHand], bot: int) -> int:
    """How many questions a bot was asked in `hands`."""
    return sum(
        isinstance(event, events.TurnStarted) and hand.seats[event.seat] == bot
        for hand in hands
        for event in hand.hand_events
    )


class QuestionRepeater:
    """Asks the bot `asked_bot` every question that entrant number `bot` was asked in the recording."""

    def __init__(self, opened: events.TournamentOpened, bot: int, asked_bot: SeatedBot) -> None:
        self._rules: Rules = opened.rules
        self._entrants = {entrant.bot: entrant for entrant in opened.entrants}
        self._bot = bot
        self._asked_bot = asked_bot

    async def ask(self, recorded: RecordedHand) -> AsyncIterator[RepeatedQuestion]:
        """Asks the bot's questions in one hand, in order. Raises IllegalAction or LookupError if the hand is forged."""
        if self._bot not in recorded.seats:
            return
        seat = recorded.seats.index(self._bot)
        entrants = tuple(self._entrants[bot] for bot in recorded.seats)
        started, ended = recorded.hand_events[0], recorded.hand_events[-1]
        assert isinstance(started, events.HandStarted), "every recorded hand begins with its start"
        assert isinstance(ended, events.HandEnded), "hands_of yields only finished hands"
        deck = deck_of(bytes.fromhex(ended.deck_key))
        hand, new_events = start_hand(
            self._rules, started.hand, started.button, started.stacks, deck, banks_ms=started.banks_ms
        )
        event_index, chats = 0, list(recorded.chats)
        while True:
            event_index += len(new_events)
            view = view_of(hand, seat, recorded.game, entrants)
            self._notify(new_events, view)
            while chats and chats[0][0] <= event_index:
                self._notify([chats.pop(0)[1]], view)
            if hand.over:
                return
            decision = recorded.hand_events[event_index]
            if hand.turn and hand.turn.seat == seat and is_decision(self._rules, decision):
                yield await self._ask_again(recorded.number, hand, view, decision)
            hand, new_events = repeat_turn(hand, decision)

    async def _ask_again(self, number: int, hand: Hand, view: View, decision: events.Event) -> RepeatedQuestion:
        assert hand.turn is not None, "it is the bot's turn"
        answer = await self._asked_bot.ask(view, partial(resolve, hand))
        pot = sum(seat.committed for seat in hand.seats) + hand.dead_money
        return RepeatedQuestion(
            number,
            view.game,
            hand.number,
            hand.street,
            hand.seats[view.seat].cards,
            hand.board,
            hand.turn.to_call,
            pot,
            _choice_in_event(decision),
            _choice_in_answer(answer),
        )

    def _notify(self, new_events: Sequence[events.Event], view: View) -> None:
        for event in new_events:
            if isinstance(event, self._asked_bot.notified_events):
                self._asked_bot.notify(event, view)


def _choice_in_event(decision: events.Event) -> BotChoice:
    if isinstance(decision, events.BlindPosted):
        return BotChoice("post", decision.amount)
    assert isinstance(decision, events.ActionTaken), "a decision posts a blind or is an action"
    return BotChoice(decision.act, decision.bet, decision.fault)


def _choice_in_answer(answer: Answer) -> BotChoice:
    if answer.action is None:
        return BotChoice("fold", 0, answer.fault)
    return BotChoice("post" if answer.action.posts_blind else answer.action.act, answer.action.bet)
