"""Whole contests of every kind with random decisions: each ends by its own rules, and its recording proves."""

from collections import Counter

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT, ARENA_LEVELS
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game.events import (
    BlindPosted,
    BotEliminated,
    BotRated,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    HandStarted,
    SeatVacated,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
    TurnStarted,
)
from server.game.ratings import START, gain
from server.game.rules import Level
from server.game.tournament import Format, with_blinds, with_most_hands
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest

# Small stacks and quick levels: a whole contest in a second.
ENOVA = with_blinds(replace(ENOVA_FORMAT, starting_stack=40), (Level(1, 2), Level(2, 4), Level(5, 10)), 12)
ARENA = replace(ARENA_FORMAT, rules=replace(ARENA_FORMAT.rules, hands_per_level=4), starting_stack=1000)


def events(entries: list[Entry]) -> list[Event]:
    return [entry.event for entry in entries]


def of_kind(entries: list[Entry], kind: type[Event]) -> list[Event]:
    return [event for event in events(entries) if isinstance(event, kind)]


@pytest.mark.parametrize(
    ("contest", "bots", "rating"), [(ENOVA, 19, 0), (ENOVA, 7, 0), (ARENA, 12, 0), (UPAC_FORMAT, 2, START)]
)
def test_a_whole_contest_proves_itself_and_is_the_same_again(contest: Format, bots: int, rating: int) -> None:
    entries = play_contest(1, bots, contest, rating=rating)
    proof = verify(entries)
    assert proof.finished
    assert events(play_contest(1, bots, contest, rating=rating)) == events(entries)


# -- Enova -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def enova() -> list[Entry]:
    return play_contest(2, 19, ENOVA)


def test_enova_sits_at_even_tables_of_at_most_8_and_nobody_sits_twice_before_all_have_sat(
    enova: list[Entry],
) -> None:
    games = [event for event in of_kind(enova, GameStarted) if isinstance(event, GameStarted)]
    first_round = games[:3]
    assert [len(game.seats) for game in first_round] == [7, 6, 6]
    assert max(len(game.seats) for game in games) <= 8
    seated = Counter(bot for game in first_round for bot in game.seats)
    assert set(seated.values()) == {1}


def test_enova_keeps_its_chips_from_table_to_table_and_ends_with_one(enova: list[Entry]) -> None:
    stages = [event for event in of_kind(enova, StageStarted) if isinstance(event, StageStarted)]
    assert [stage.title for stage in stages] == ["The Tables", "The Last Table"]
    assert len(stages[1].bots) <= 8
    assert len(set(stages[1].stacks)) > 1
    vacated = sum(event.amount for event in of_kind(enova, SeatVacated) if isinstance(event, SeatVacated))
    (ended,) = (event for event in of_kind(enova, TournamentEnded) if isinstance(event, TournamentEnded))
    assert ended.placings[0].stack == 19 * 40 - vacated


def test_enova_asks_for_blinds_and_whoever_does_not_post_is_out_and_the_next_is_asked_for_the_big_one() -> None:
    log = [event for seed in range(4) for event in events(play_contest(seed, 9, ENOVA))]
    vacated = [(at, event) for at, event in enumerate(log) if isinstance(event, SeatVacated)]
    assert vacated
    for at, gone in vacated:
        after = log[at + 1 :]
        out = next(event for event in after if isinstance(event, BotEliminated))
        assert out.seat == gone.seat
        if isinstance(after[0], TurnStarted):
            assert (after[0].blind, after[0].seat != gone.seat) == ("big", True)


def test_antes_may_take_the_last_chip_of_whoever_a_blind_would_be_asked_for() -> None:
    """Nobody is asked for a blind without a chip, nor for a second one, whoever fails."""
    antes = with_blinds(ENOVA, (Level(1, 2, 3), Level(5, 10, 10)), 3)
    for seed in range(6):
        log = play_contest(seed, 9, antes)
        assert verify(log).finished
        posted: list[int] = []
        for event in events(log):
            if isinstance(event, HandStarted):
                posted = []
            if isinstance(event, BlindPosted) and event.blind != "ante":
                assert event.amount
                assert event.seat not in posted
                posted.append(event.seat)


def test_a_recording_in_which_an_unseated_bot_keeps_chips_is_refuted() -> None:
    log = next(log for log in (play_contest(seed, 9, ENOVA) for seed in range(9)) if of_kind(log, SeatVacated))
    at = next(at for at, entry in enumerate(log) if isinstance(entry.event, SeatVacated))
    gone = log[at].event
    assert isinstance(gone, SeatVacated)
    log[at] = Entry(log[at].seq, 0, replace(gone, amount=gone.amount - 1))
    with pytest.raises(Refuted):
        verify(log)


def test_a_stage_at_tables_for_nobody_and_a_bot_entered_twice_are_refuted(enova: list[Entry]) -> None:
    at = next(at for at, entry in enumerate(enova) if isinstance(entry.event, StageStarted))
    opened, stage = enova[0].event, enova[at].event
    assert isinstance(opened, TournamentOpened)
    assert isinstance(stage, StageStarted)
    twice = Entry(1, 0, replace(opened, entrants=opened.entrants + opened.entrants[:1]))
    with pytest.raises(Refuted, match="entered twice"):
        verify([twice, *enova[1:]])
    with pytest.raises(Refuted, match="tables of 0"):
        verify([*enova[:at], Entry(at + 1, 0, replace(stage, seats=0)), *enova[at + 1 :]])


# -- Arena -----------------------------------------------------------------------------------------


def test_arena_has_29_levels_of_24_hands_and_the_last_stays() -> None:
    assert len(ARENA_LEVELS) == 29
    assert (ARENA_LEVELS[0], ARENA_LEVELS[-1]) == (Level(10, 20), Level(7500, 15000))
    assert ARENA_FORMAT.rules.hands_per_level == 24


def test_arena_raises_its_blinds_on_time_and_plays_until_one_is_left() -> None:
    entries = play_contest(4, 12, ARENA)
    hands = [event for event in of_kind(entries, HandStarted) if isinstance(event, HandStarted)]
    for hand in hands:
        level = ARENA_LEVELS[min((hand.hand - 1) // 4, 28)]
        assert (hand.small_blind, hand.big_blind) == (level.small, level.big)
    assert len(of_kind(entries, BotEliminated)) == 11


def test_with_a_limit_of_hands_most_chips_wins() -> None:
    entries = play_contest(4, 12, with_most_hands(ARENA, 5))
    assert len(of_kind(entries, HandStarted)) == 5
    (ended,) = (event for event in of_kind(entries, TournamentEnded) if isinstance(event, TournamentEnded))
    stacks = [placing.stack for placing in ended.placings]
    assert stacks == sorted(stacks, reverse=True)


# -- UPAC ------------------------------------------------------------------------------------------


def upac(seed: int, rating: int = START) -> list[Entry]:
    return play_contest(seed, 2, UPAC_FORMAT, rating=rating)


def test_upac_seats_the_defender_as_small_blind_in_round_1_and_then_they_alternate() -> None:
    entries = upac(1)
    small = [event.seat for event in events(entries) if isinstance(event, BlindPosted) and event.blind == "small"]
    assert small == [at % 2 for at in range(len(small))]


def test_upac_a_fault_loses_the_whole_game_0_to_1_and_the_rating_follows() -> None:
    logs = [upac(seed) for seed in range(12)]
    forfeited = [log for log in logs if of_kind(log, GameForfeited)]
    assert forfeited, "dice bots time out now and then"
    for log in forfeited:
        (lost,), (ended,) = of_kind(log, GameForfeited), of_kind(log, GameEnded)
        assert isinstance(lost, GameForfeited)
        assert isinstance(ended, GameEnded)
        assert ended.stacks == tuple(0 if seat == lost.seat else 100 for seat in (0, 1))
        rated = {event.bot: event.rating for event in of_kind(log, BotRated) if isinstance(event, BotRated)}
        assert rated == {1: START + (-600 if lost.seat == 0 else 600), 2: START + (600 if lost.seat == 0 else -600)}


def test_upac_a_rating_that_is_not_elos_is_refuted() -> None:
    log = upac(1)
    at = next(at for at, entry in enumerate(log) if isinstance(entry.event, BotRated))
    rated = log[at].event
    assert isinstance(rated, BotRated)
    log[at] = Entry(log[at].seq, 0, replace(rated, rating=rated.rating + 1))
    with pytest.raises(Refuted, match="next rating"):
        verify(log)


def test_elo_takes_from_the_one_what_it_gives_the_other_and_favours_the_weaker() -> None:
    assert gain(1000_00, 1000_00, 1.0) == 600
    assert gain(1000_00, 1000_00, 0.5) == 0
    assert gain(1400_00, 1000_00, 1.0) == 109, "expected 10/11: 12 x 1/11 points"
    assert gain(1000_00, 1400_00, 1.0) == 1091
