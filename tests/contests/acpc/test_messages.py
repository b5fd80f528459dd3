"""The messages that the guide describes are those of the dialect: every state of random hands, and every mistake."""

import random
import re

import pytest

from server.bots.dialects.messages import Decided, Malformed
from server.contests.acpc.contest import CONTEST
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.contests.contest import Mistake
from server.game.decide import decision_behind, resolve, start_hand
from server.game.events import HandStarted
from server.game.hand import Hand
from server.game.view import view_of
from server.hand_histories.replay import cards_in
from tests.contests.acpc.hands import deck_of_cards, entrants_of, match, read_by
from tests.game.random_hands import random_deck

TYPES = {message.name: message.type for message in CONTEST.protocol.messages}


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_state_is_as_the_guide_says(players: int) -> None:
    for hand in match(Game(players), 20, seed=players):
        dealt = [*(hand.hole[seat] for seat in hand.players), cards_in(hand.events).board]
        deck = deck_of_cards("".join(card for cards in dealt for card in cards))
        decisions = [decision_behind(act) for act in hand.acts]
        for lines in read_by(Game(players), hand.started.button, deck, decisions):
            assert all(re.fullmatch(TYPES["MATCHSTATE"], line.removesuffix("\r\n")) for line in lines)


def test_every_example_is_as_the_guide_says() -> None:
    for message in CONTEST.protocol.messages:
        assert all(re.fullmatch(message.type, example) for example in message.examples)


def asked() -> tuple[Acpc, Hand, str]:
    """A dialect that has been asked in a fresh hand, with that hand and the state that it was sent."""
    hand, events = start_hand(rules_of(Game(2)), 1, 1, (20_000, 20_000), random_deck(random.Random(1)))
    dialect, view = Acpc(), view_of(hand, 1, 1, entrants_of(2))
    dialect.receive(b"VERSION:2.0.0\r\n")
    for event in events:
        if isinstance(event, dialect.news):
            dialect.notify(event, view)
    assert isinstance(events[0], HandStarted)
    return dialect, hand, dialect.ask(view).decode().strip()


@pytest.mark.parametrize("mistake", CONTEST.protocol.mistakes, ids=lambda mistake: mistake.sent)
def test_every_mistake_is_noted_as_the_guide_says(mistake: Mistake) -> None:
    dialect, _, state = asked()
    said = dialect.receive(f"{mistake.sent.replace('{state}', state)}\r\n".encode())[0].said
    assert isinstance(said, Malformed)
    assert said.reason.startswith(mistake.answered)


def test_what_a_bot_is_told_that_it_could_answer_is_taken() -> None:
    dialect, hand, state = asked()
    assert CONTEST.words.expected_in(hand) == "f, c (costs 50) or r200 to r20000, within 10 s"
    for action in ("f", "c", "r200", "r20000"):
        dialect, hand, state = asked()
        (heard,) = dialect.receive(f"{state}:{action}\r\n".encode())
        assert isinstance(heard.said, Decided)
        resolve(hand, heard.said.decision)
