"""A wire is the bot's side of a contest's protocol: it reads the server's messages and writes the bot's decisions."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import UNSET

from server.bots.dialects.http_calls import Reply, Request
from server.bots.dialects.messages import DecisionMessage
from server.bots.dialects.wire import Choice, OpponentChat, Question, Rejection, Wire
from server.contests import CONTESTS
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.contests.contest import Contest
from server.game.betting import resolve, start_hand, take_turn
from server.game.events import ChatSent, Event
from server.game.hand import Hand
from server.game.view import View, view_of
from tests.bots.views import asked_view, entrants_of
from tests.game.random_hands import random_deck

HANDS = 60
THOUGHT = 'He said "fold", and looked away: weak.'
RAISES = {"bet", "raise"}
ACTS = {"fold": {"fold"}, "check": {"check"}, "call": {"call"}, "raise": RAISES, "all_in": {"call", *RAISES}}


class Bot:
    """A seat: the server's side of the messages, and the bot's."""

    def __init__(self, contest: Contest) -> None:
        self.dialect: Any
        self.dialect = contest.make_http_dialect(entrants_of(6)) if contest.uses_http else contest.make_dialect()
        self.wire: Wire = contest.wire()
        if self.wire.hello:
            assert not self.dialect.receive(self.wire.hello)

    def hear(self, event: Event, view: View) -> None:
        """Sends the event to the bot, which must not take it for a question. Bots that are web servers get none."""
        news = self.dialect.notify(event, view) if isinstance(event, self.dialect.news_types) else None
        if isinstance(news, bytes):
            assert not isinstance(self.wire.read(news), Question)

    def ask(self, view: View) -> Question:
        asked = self.dialect.ask(view)
        question = self.wire.read(asked.body if isinstance(asked, Request) else asked)
        assert isinstance(question, Question)
        return question

    def answer(self, choice: Choice, view: View) -> DecisionMessage:
        """Returns the decision that the server reads in the bot's answer."""
        written = self.wire.write(choice)
        over_http = bool(self.wire.action_path)
        decided = (
            self.dialect.read(Reply(200, written), view) if over_http else self.dialect.receive(written)[0].content
        )
        assert isinstance(decided, DecisionMessage), decided
        return decided


@pytest.mark.parametrize("contest", CONTESTS.values(), ids=list(CONTESTS))
def test_random_hands_are_played_by_the_wire_as_at_the_table(contest: Contest) -> None:
    dice, chosen = random.Random(contest.id), set[str]()
    for number in range(1, HANDS + 1):
        bots = [Bot(contest) for _ in range(2 if contest.is_duel else dice.randint(2, 6))]
        entrants = entrants_of(len(bots))
        hand, events = _start(contest, number, len(bots), dice)
        while True:
            for event in events:
                for at, bot in enumerate(bots):
                    bot.hear(event, view_of(hand, at, 1, entrants))
            if hand.turn is None:
                break
            bot, view = bots[hand.turn.seat], view_of(hand, hand.turn.seat, 1, entrants)
            question = bot.ask(view)
            _check(question, view)
            legal = question.spot.legal
            move = dice.choice([each for each in legal for _ in range(1 if each.action in ("fold", "all_in") else 3)])
            amount = 0 if move.min is UNSET or move.max is UNSET else dice.choice((move.min, move.max))
            choice = Choice(move.action, amount, "" if move.action == "post_blind" else THOUGHT)
            decided = bot.answer(choice, view)
            assert decided.note == (THOUGHT if choice.thought else "")
            action = resolve(hand, decided.decision)
            assert action.posts_blind == (choice.action == "post_blind")
            assert action.posts_blind or action.act in ACTS[choice.action]
            assert choice.action != "raise" or action.bet == choice.amount
            chosen.add(choice.action)
            hand, events = take_turn(hand, decided.decision)
    assert chosen >= {"fold", "check", "call", "raise"}


def _check(question: Question, view: View) -> None:
    """Asserts that the bot has read what its seat may know, and nothing else."""
    spot, hand, turn = question.spot, view.hand, view.turn
    me = hand.seats[view.seat]
    pot = sum(seat.committed for seat in hand.seats)
    assert (spot.street, spot.your_cards, spot.board) == (hand.street, me.cards, hand.board)
    # Enova's messages lack the pot. Heads-up, the pot leaves out the part of a blind that the other bot cannot call.
    assert spot.pot == pot or (spot.pot < pot and (hand.rules.blinds == "asked" or len(hand.seats) == 2))
    legal = {move.action: move for move in spot.legal}
    if not turn.blind:
        assert (spot.to_call, spot.your_chips + spot.your_bet) == (turn.to_call, me.stack + me.bet)
        assert ("raise" in legal) <= bool(turn.max_raise_to)
        assert not turn.max_raise_to or legal.keys() & {"raise", "all_in"}
    live = sum(seat.live for seat in hand.seats) - 1
    assert sum(each.state in ("active", "all_in") for each in spot.others) == live
    assert not set(question.names.values()) - {entrant.name for entrant in view.entrants}


def _start(contest: Contest, number: int, seats: int, dice: random.Random) -> tuple[Hand, Sequence[Event]]:
    if contest.id == "acpc":  # every hand begins with the same chips
        return start_hand(rules_of(Game(seats)), number, 0, (20_000,) * seats, random_deck(dice))
    stacks = [dice.randint(1, 99) if contest.is_duel else dice.choice((1, 2, 17, 100, 5000)) for _ in range(seats)]
    return start_hand(contest.format.rules, number, 0, stacks, random_deck(dice))


def test_chats_and_refusals_are_heard() -> None:
    bot = Bot(CONTESTS["quick-draw"])
    view = asked_view()
    chat = bot.dialect.notify(ChatSent(view.entrants[1].bot, 'I "always" bluff'), view)
    assert bot.wire.read(chat) == OpponentChat(view.entrants[1].name, 'I "always" bluff')
    assert bot.wire.read(bot.dialect.answer("illegal")) == Rejection("INVALID_RAISE_AMOUNT")
    assert bot.wire.read(bot.dialect.answer("taken")) is None
