"""In a series, equal stacks are ranked by lot, and a game that the operator ends has a winner only after a hand."""

import random

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.game import events
from server.game.decisions import Call, Decision, Fold
from server.game.events import Event
from server.game.formats import as_series, with_most_hands
from server.game.view import View
from server.journal.bus import Bus
from server.tournament.director import Director
from server.verify.recording import verify
from tests.support.games.contests import SEED, DiceBot, play_contest
from tests.support.games.recordings import of_kind

THREE_GAMES = as_series(replace(ARENA_FORMAT, starting_stack=300), 3)
BOTS = 5


class FoldingBot(DiceBot):
    """Folds to any bet."""

    def _decide(self, view: View) -> Decision:
        assert view.hand.turn is not None, "a bot is asked only on its turn"
        return Fold() if view.hand.turn.to_call else Call()


def test_equal_stacks_after_the_last_hand_are_ranked_by_lot() -> None:
    """Everybody has paid and won the blinds equally often, so all end with equal stacks."""
    played = play_contest(1, 4, as_series(with_most_hands(ARENA_FORMAT, 4), 12), kind=FoldingBot)
    winners = set()
    for started, ended in zip(of_kind(played, events.GameStarted), of_kind(played, events.GameEnded), strict=True):
        left = dict(zip(started.seats, ended.stacks, strict=True))
        assert sum(stack == max(ended.stacks) for stack in ended.stacks) > 1
        assert left[ended.ranking[0]] == max(ended.stacks)
        winners.add(started.seats.index(ended.ranking[0]))
    assert len(winners) > 1, "neither the seat nor the bot's number may decide"
    assert verify(played).lots >= 12


@pytest.mark.parametrize(("last", "ranked"), [(events.HandEnded, [BOTS]), (events.GameStarted, [BOTS, 0])])
async def test_a_game_that_the_operator_ends_has_a_winner_only_after_a_hand(
    last: type[Event], ranked: list[int]
) -> None:
    """The operator ends the stage at the second event of the kind `last`."""
    bus = Bus(None, lambda: 0.0)
    entrants = [events.Entrant(bot, f"Bot {bot}") for bot in range(1, BOTS + 1)]

    def cut() -> bool:
        return len(of_kind(bus.entries, last)) == 2

    director = Director(THREE_GAMES, entrants, seed=SEED, bus=bus, stage_cut=cut)
    for bot in range(1, BOTS + 1):
        director.welcome(DiceBot(bot, random.Random(f"5 {bot}"), director.hear))
    await director.run()
    played = bus.entries
    assert [len(ended.ranking) for ended in of_kind(played, events.GameEnded)] == ranked
    assert verify(played).won == 1


def test_recording_of_a_series_proves_who_won_and_needs_no_remark_on_the_number_of_games() -> None:
    proof = verify(play_contest(8, BOTS, THREE_GAMES))
    assert (proof.won, proof.finished) == (3, True)
    assert not [each for each in proof.remarks if "announced" in each]
