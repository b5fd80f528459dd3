"""A series of whole games: each starts afresh, games won rank the bots, and the recording proves who won which."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.game.decisions import Call, Decision, Fold
from server.game.events import (
    BotEliminated,
    BotWithdrawn,
    Entrant,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.prizes import final_placings
from server.game.tournament import Tournament, as_series, evolve, open_tournament, with_most_hands
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.shuffle import dice
from server.tournament.director import Director
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import SEED, DiceBot, play_contest

Kind = TypeVar("Kind", bound=Event)

# Levels of three hands, so that the blinds rise within a game.
QUICK = replace(ARENA_FORMAT, rules=replace(ARENA_FORMAT.rules, hands_per_level=3), starting_stack=300)
THREE = as_series(QUICK, 3)
BOTS = 5


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(8, BOTS, THREE)


def of_kind(entries: Sequence[Entry], kind: type[Kind]) -> list[Kind]:
    return [entry.event for entry in entries if isinstance(entry.event, kind)]


def games_of(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The entries of each game, from its start on."""
    games: list[list[Entry]] = []
    for entry in entries:
        if isinstance(entry.event, GameStarted):
            games.append([])
        if games:
            games[-1].append(entry)
    return games


# -- how it is played ------------------------------------------------------------------------------


def test_most_chips_win_a_game_at_the_limit_of_hands() -> None:
    played = play_contest(3, BOTS, as_series(with_most_hands(ARENA_FORMAT, 2), 4))
    games = games_of(played)
    assert [len(of_kind(game, HandStarted)) for game in games] == [2, 2, 1, 2], "the third ended with one bot left"
    for game in games:
        (started,), (ended,) = of_kind(game, GameStarted), of_kind(game, GameEnded)
        left = dict(zip(started.seats, ended.stacks, strict=True))
        assert left[ended.ranking[0]] == max(ended.stacks)
    assert verify(played).won == 4


def test_games_won_rank_the_bots_then_the_sum_of_their_places() -> None:
    shared = 0
    for seed in range(12):
        played = play_contest(seed, 3, as_series(with_most_hands(QUICK, 6), 4))
        rankings = [event.ranking for event in of_kind(played, GameEnded)]
        (ended,) = of_kind(played, StageEnded)
        won = [sum(ranking[0] == bot for ranking in rankings) for bot in ended.ranking]
        places = [sum(ranking.index(bot) + 1 for ranking in rankings) for bot in ended.ranking]
        keys = [(-wins, places) for wins, places in zip(won, places, strict=True)]
        assert keys == sorted(keys)
        shared += len({*won}) < 3
        (end,) = of_kind(played, TournamentEnded)
        assert tuple(line.bot for line in end.placings) == ended.ranking
        assert verify(played).finished
    assert shared, "places had something to decide"


class Quiet(DiceBot):
    """Folds to any bet."""

    def _decide(self, view: View) -> Decision:
        assert view.hand.turn is not None, "it is asked when it is its turn"
        return Fold() if view.hand.turn.to_call else Call()


def test_a_lot_decides_between_equal_chips_at_the_limit_of_hands() -> None:
    """Everybody has paid and won the blinds once, so all end with the same, and neither seat nor number may decide."""
    played = play_contest(1, 4, as_series(with_most_hands(ARENA_FORMAT, 4), 12), kind=Quiet)
    winners = []
    for game in games_of(played):
        (started,), (ended,) = of_kind(game, GameStarted), of_kind(game, GameEnded)
        left = dict(zip(started.seats, ended.stacks, strict=True))
        assert sum(stack == max(ended.stacks) for stack in ended.stacks) > 1
        assert left[ended.ranking[0]] == max(ended.stacks)
        winners.append(started.seats.index(ended.ranking[0]))
    assert len({*winners}) > 1
    assert verify(played).lots >= 12


def test_a_bot_that_never_registered_plays_no_game_and_is_last() -> None:
    played = directed(absent=2)
    assert [event.place for event in of_kind(played, BotEliminated)][:3] == [4, 3, 2]
    (end,) = of_kind(played, TournamentEnded)
    assert end.placings[-1].bot == 2
    assert verify(played).finished


def directed(*, absent: int = 0, cut_after: Callable[[Sequence[Event]], bool] = lambda _: False) -> list[Entry]:
    """A series of five bots whose stage the operator ends as soon as `cut_after` is true of all events so far."""

    async def story() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        entrants = [Entrant(bot, f"Bot {bot}") for bot in range(1, BOTS + 1)]

        def cut() -> bool:
            return cut_after([entry.event for entry in bus.entries])

        director = Director(THREE, entrants, seed=SEED, bus=bus, stage_cut=cut)
        for bot in range(1, BOTS + 1):
            director.welcome(DiceBot(bot, random.Random(f"5 {bot}"), director.hear))
        if absent:
            director.withdraw(absent, "it was not there at the start")
        await director.run()
        return bus.entries

    return asyncio.run(story())


def test_a_game_that_the_operator_ends_counts_once_a_hand_is_played() -> None:
    played = directed(cut_after=lambda events: sum(isinstance(event, HandEnded) for event in events) == 2)
    (ended,) = of_kind(played, GameEnded)
    assert len(of_kind(played, StageCut)) == 1
    assert len(ended.ranking) == BOTS
    assert verify(played).won == 1


def test_a_game_without_a_hand_is_won_by_nobody() -> None:
    played = directed(cut_after=lambda events: sum(isinstance(event, GameStarted) for event in events) == 2)
    first, second = of_kind(played, GameEnded)
    assert (len(first.ranking), second.ranking) == (BOTS, ())
    assert verify(played).won == 1


# -- what a recording proves ------------------------------------------------------------------------


def made_to_fit(entries: Sequence[Entry], change: Callable[[Event], Event]) -> list[Entry]:
    """The entries with a change, and all that follows from it made to fit: ranking, places and prizes."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    tournament: Tournament = open_tournament(opened)
    changed: list[Entry] = []
    for entry in entries:
        event = change(entry.event)
        if isinstance(event, StageEnded):
            event = tournament.end_stage(0, event.draw_key, dice(bytes.fromhex(event.draw_key)))
        if isinstance(event, TournamentEnded):
            event = replace(event, placings=final_placings(opened, tournament))
        tournament = evolve(tournament, event)
        changed.append(replace(entry, event=event))
    return changed


def on(kind: type[Kind], change: Callable[[Kind], Event]) -> Callable[[Event], Event]:
    """Changes the events of one kind."""
    return lambda event: change(event) if isinstance(event, kind) else event


FORGERIES = {
    "another winner": on(GameEnded, lambda event: replace(event, ranking=event.ranking[1::-1] + event.ranking[2:])),
    "no winner": on(GameEnded, lambda event: replace(event, ranking=()) if event.game == 2 else event),
    "only a winner": on(GameEnded, lambda event: replace(event, ranking=event.ranking[:1])),
    "other places": on(GameEnded, lambda event: replace(event, ranking=event.ranking[:1] + event.ranking[:0:-1])),
    "more chips": on(
        GameStarted, lambda event: replace(event, stacks=(310, *event.stacks[1:-1], 290)) if event.game == 3 else event
    ),
    "no series": on(StageStarted, lambda event: replace(event, series=False)),
    "a game fewer": on(StageStarted, lambda event: replace(event, games=2)),
}


def test_a_series_is_proved(entries: list[Entry]) -> None:
    assert made_to_fit(entries, lambda event: event) == entries, "the forger's tools are honest"
    proof = verify(entries)
    assert (proof.won, proof.finished) == (3, True)
    assert not [each for each in proof.remarks if "announced" in each], "the organiser chooses the number of games"


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_no_forgery_of_games_won_holds(forge: Callable[[Event], Event], entries: list[Entry]) -> None:
    forged = made_to_fit(entries, forge)
    assert forged != entries
    with pytest.raises(Refuted):
        verify(forged)


def test_a_final_table_not_ranked_by_games_won_is_refuted(entries: list[Entry]) -> None:
    at = next(at for at, entry in enumerate(entries) if isinstance(entry.event, StageEnded))
    ended = entries[at].event
    assert isinstance(ended, StageEnded)
    order = (*ended.ranking[1::-1], *ended.ranking[2:])
    stacks = dict(zip(ended.ranking, ended.stacks, strict=True))
    forged = [*entries]
    forged[at] = replace(entries[at], event=replace(ended, ranking=order, stacks=tuple(stacks[bot] for bot in order)))
    with pytest.raises(Refuted, match="the ranking"):
        verify(forged)


def test_no_bot_has_a_place_between_the_games(entries: list[Entry]) -> None:
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    tournament = open_tournament(opened)
    for entry in entries:
        tournament = evolve(tournament, entry.event)
        if isinstance(entry.event, GameStarted):
            assert tournament.in_series
            assert not any(record.place for record in tournament.records.values())
    assert sum(record.won for record in tournament.records.values()) == 3
    assert not of_kind(entries, BotWithdrawn)
