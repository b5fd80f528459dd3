"""Asks a bot every question that another one was asked in a recording, with the same cards, chips and news before it.

The hands are played again from their decks and recorded decisions; what the bot answers now changes nothing in them.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial

from msgspec import Struct

from server.bots.bot import Answer
from server.game.cards import Card
from server.game.decide import decides, resolve, retake, start_hand
from server.game.events import (
    OF_A_HAND,
    ActionTaken,
    BlindPosted,
    ChatSent,
    Entrant,
    Event,
    Fault,
    GameStarted,
    HandEnded,
    HandStarted,
    Street,
    TournamentOpened,
    TurnStarted,
)
from server.game.hand import Hand
from server.game.rules import Rules
from server.game.view import view_of
from server.shuffle import deck_of
from server.tournament.dealer import Seated


class Chosen(Struct, frozen=True):
    """What a bot chose: "fold", "check", "call", "bet", "raise" or "post", and its bet on the street after it.

    With a `fault` it chose nothing that counts.
    """

    act: str
    bet: int
    fault: Fault = ""


class Question(Struct, frozen=True):
    """A question that was asked twice. Hands are counted from 1, `hand` within the game, `number` in all."""

    number: int
    game: int
    hand: int
    street: Street
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    to_call: int
    pot: int
    was: Chosen
    now: Chosen


class RecordedHand(Struct):
    """A hand of a recording: who sat where in which game, its events, and chats by how many of those came before."""

    number: int
    game: int
    seats: tuple[int, ...]
    events: list[Event]
    chats: list[tuple[int, ChatSent]]


def hands_of(events: Sequence[Event]) -> Iterator[RecordedHand]:
    """The hands of a recording that were played to their end, and whose decks are known since."""
    game, number, hand = GameStarted(0, 0, (), ()), 0, RecordedHand(0, 0, (), [], [])
    for event in events:
        match event:
            case GameStarted():
                game = event
            case HandStarted():
                number += 1
                hand = RecordedHand(number, game.game, game.seats, [event], [])
            case ChatSent():
                hand.chats.append((len(hand.events), event))
            case HandEnded():
                hand.events.append(event)
                if event.deck_key:
                    yield hand
            case _ if isinstance(event, OF_A_HAND):
                hand.events.append(event)


def questions_in(hands: Sequence[RecordedHand], bot: int) -> int:
    """How often a bot was asked in `hands`."""
    return sum(
        isinstance(event, TurnStarted) and hand.seats[event.seat] == bot for hand in hands for event in hand.events
    )


class SecondAsking:
    """Asks `seated` what entrant `bot` was asked."""

    def __init__(self, opened: TournamentOpened, bot: int, seated: Seated) -> None:
        self._rules: Rules = opened.rules
        self._entrants = {entrant.bot: entrant for entrant in opened.entrants}
        self._bot = bot
        self._seated = seated

    async def ask(self, recorded: RecordedHand) -> AsyncIterator[Question]:
        """Every question of the bot in a hand, in order. Raises IllegalAction or LookupError where it is forged."""
        if self._bot not in recorded.seats:
            return
        seat = recorded.seats.index(self._bot)
        entrants = tuple(self._entrants[bot] for bot in recorded.seats)
        started, ended = recorded.events[0], recorded.events[-1]
        assert isinstance(started, HandStarted), "see hands_of"
        assert isinstance(ended, HandEnded), "see hands_of"
        deck = deck_of(bytes.fromhex(ended.deck_key))
        hand, events = start_hand(self._rules, started.hand, started.button, started.stacks, deck)
        done, chats = 0, list(recorded.chats)
        while True:
            done += len(events)
            self._tell(hand, events, seat, recorded.game, entrants)
            while chats and chats[0][0] <= done:
                self._tell(hand, [chats.pop(0)[1]], seat, recorded.game, entrants)
            if hand.over:
                return
            taken = recorded.events[done]
            if hand.turn and hand.turn.seat == seat and decides(self._rules, taken):
                yield await self._asked(recorded, hand, seat, entrants, taken)
            hand, events = retake(hand, taken)

    async def _asked(
        self, recorded: RecordedHand, hand: Hand, seat: int, entrants: tuple[Entrant, ...], taken: Event
    ) -> Question:
        assert hand.turn is not None, "it is the bot's turn"
        view = view_of(hand, seat, recorded.game, entrants)
        answer = await self._seated.ask(view, partial(resolve, hand))
        pot = sum(each.committed for each in hand.seats) + hand.dead
        return Question(
            recorded.number,
            recorded.game,
            hand.number,
            hand.street,
            hand.seats[seat].cards,
            hand.board,
            hand.turn.to_call,
            pot,
            _was(taken),
            _now(answer),
        )

    def _tell(self, hand: Hand, events: Sequence[Event], seat: int, game: int, entrants: tuple[Entrant, ...]) -> None:
        for event in events:
            if isinstance(event, self._seated.news):
                self._seated.tell(event, view_of(hand, seat, game, entrants))


def _was(taken: Event) -> Chosen:
    if isinstance(taken, BlindPosted):
        return Chosen("post", taken.amount)
    assert isinstance(taken, ActionTaken), "see `decides`"
    return Chosen(taken.act, taken.bet, taken.fault)


def _now(answer: Answer) -> Chosen:
    if answer.action is None:
        return Chosen("fold", 0, answer.fault)
    return Chosen("post" if answer.action.posts_blind else answer.action.act, answer.action.bet)
