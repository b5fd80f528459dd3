"""The starter's own reading of a state: whose turn it is, what is to call, what a raise comes to at least."""

import runpy

import pytest

from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.game.decide import decision_behind, start_hand, take_turn
from server.game.view import view_of
from server.hand_histories.replay import cards_in
from server.paths import ASSETS
from tests.contests.acpc.hands import deck_of_cards, entrants_of, match

READ = runpy.run_path(str(ASSETS / "starters/acpc/python/bot.py"))["State"]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_starter_knows_whose_turn_it_is_and_what_may_be_raised(players: int) -> None:
    for recorded in match(Game(players), 40, seed=players):
        dealt = [*(recorded.hole[seat] for seat in recorded.players), cards_in(recorded.events).board]
        deck = deck_of_cards("".join(card for cards in dealt for card in cards))
        hand, events = start_hand(rules_of(Game(players)), 1, recorded.started.button, (20_000,) * players, deck)
        dialect, reader = Acpc(), hand.dealt_order()[0]
        for act in [*recorded.acts, None]:
            for event in events:
                if isinstance(event, dialect.news):
                    dialect.notify(event, view_of(hand, reader, 1, entrants_of(players)))
            turn = hand.turn
            if turn is None:
                break
            now = READ(dialect.ask(view_of(hand, turn.seat, 1, entrants_of(players))).decode().strip())
            seat = hand.seats[turn.seat]
            assert now.my_turn
            assert now.me == hand.dealt_order().index(turn.seat)
            assert now.to_call == turn.to_call
            if turn.min_raise_to:
                assert min(now.least, 20_000) == turn.min_raise_to + seat.committed - seat.bet
            assert act
            hand, events = take_turn(hand, decision_behind(act))
