"""In a series, each game starts with new stacks, games won decide the ranking, and the recording proves who won."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.game import events
from server.game.decisions import Call, Decision, Fold
from server.game.events import Event
from server.game.formats import as_series, with_most_hands
from server.game.prizes import final_placings
from server.game.tournament import Tournament, evolve, open_tournament
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.shuffle import named_dice
from server.tournament.director import Director
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import SEED, DiceBot, play_contest
from tests.support.games.recordings import of_kind

THREE_GAMES = as_series(replace(ARENA_FORMAT, starting_stack=300), 3)
BOTS = 5
MORE_CHIPS = (310, *[300] * (BOTS - 2), 290)
"""Starting stacks of a game in which one bot has more chips than the others."""


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(8, BOTS, THREE_GAMES)


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


def make_consistent(entries: Sequence[Entry], kind: type[Event], change: Callable[[Any], Event]) -> list[Entry]:
    """Changes the events of a kind, then the ranking, places and prizes that follow from them."""
    opened = entries[0].event
    assert isinstance(opened, events.TournamentOpened)
    tournament: Tournament = open_tournament(opened)
    changed: list[Entry] = []
    for entry in entries:
        event = change(entry.event) if isinstance(entry.event, kind) else entry.event
        if isinstance(event, events.StageEnded):
            event = tournament.end_stage(0, event.draw_key, named_dice(bytes.fromhex(event.draw_key)))
        if isinstance(event, events.TournamentEnded):
            event = replace(event, placings=final_placings(opened, tournament))
        tournament = evolve(tournament, event)
        changed.append(replace(entry, event=event))
    return changed


def test_a_series_is_proved(entries: list[Entry]) -> None:
    assert make_consistent(entries, Event, lambda event: event) == entries, (
        "without a change, the entries must stay equal"
    )
    proof = verify(entries)
    assert (proof.won, proof.finished) == (3, True)
    assert not [each for each in proof.remarks if "announced" in each], (
        "another number of games is the organiser's choice, and needs no remark"
    )


@pytest.mark.parametrize(("kind", "change"), [
    (events.GameEnded, lambda event: replace(event, ranking=event.ranking[1::-1] + event.ranking[2:])),
    (events.GameEnded, lambda event: replace(event, ranking=() if event.game == 2 else event.ranking)),
    (events.GameEnded, lambda event: replace(event, ranking=event.ranking[:1])),
    (events.GameEnded, lambda event: replace(event, ranking=event.ranking[:1] + event.ranking[:0:-1])),
    (events.GameStarted, lambda event: replace(event, stacks=MORE_CHIPS if event.game == 3 else event.stacks)),
    (events.StageStarted, lambda event: replace(event, series=False)),
    (events.StageStarted, lambda event: replace(event, games=2)),
], ids=[
    "another winner", "no winner", "only a winner", "other places", "more chips", "no series", "a game fewer",
])  # fmt: skip
def test_a_recording_with_forged_results_of_games_is_refuted(
    kind: type[Event], change: Callable[[Any], Event], entries: list[Entry]
) -> None:
    forged = make_consistent(entries, kind, change)
    assert forged != entries
    with pytest.raises(Refuted):
        verify(forged)
