"""Whole contests of every kind with random decisions: each ends by its own rules, and its recording is proved."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game.events import (
    BlindPosted,
    BotRated,
    Event,
    HandStarted,
    SeatVacated,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.ratings import START, gain
from server.game.rules import Level
from server.game.tournament import Format, with_blinds, with_most_hands
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.judge.contest import judge
from tests.support.contests import play_contest
from tests.support.recordings import write

# Small stacks and quick levels: a whole contest in a second.
ENOVA = with_blinds(replace(ENOVA_FORMAT, starting_stack=40), (Level(1, 2), Level(2, 4), Level(5, 10)), 12)
ARENA = replace(ARENA_FORMAT, rules=replace(ARENA_FORMAT.rules, hands_per_level=4), starting_stack=1000)


def events(entries: list[Entry]) -> list[Event]:
    return [entry.event for entry in entries]


def of_kind(entries: list[Entry], kind: type[Event]) -> list[Event]:
    return [event for event in events(entries) if isinstance(event, kind)]


@pytest.mark.parametrize(
    ("contest", "bots", "rating", "seeds"),
    [(ENOVA, 19, 0, 1), (ENOVA, 7, 0, 1), (ARENA, 12, 0, 1), (UPAC_FORMAT, 2, START, 12)],
)
def test_whole_contest_is_proved_keeps_the_rule_book_and_is_the_same_again(
    contest: Format, bots: int, rating: int, seeds: int, tmp_path: Path
) -> None:
    for seed in range(1, 1 + seeds):
        entries = play_contest(seed, bots, contest, rating=rating)
        assert verify(entries).finished
        assert judge(write(tmp_path / f"{seed}.jsonl", entries)).deviations == []
        assert events(play_contest(seed, bots, contest, rating=rating)) == events(entries)


# -- Enova -----------------------------------------------------------------------------------------


def test_antes_may_take_the_last_chip_of_a_bot_whose_blind_is_due() -> None:
    """Nobody is asked for a blind without a chip, nor for a second blind."""
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


def test_recording_in_which_an_unseated_bot_keeps_chips_is_refuted() -> None:
    log = next(log for log in (play_contest(seed, 9, ENOVA) for seed in range(9)) if of_kind(log, SeatVacated))
    at = next(at for at, entry in enumerate(log) if isinstance(entry.event, SeatVacated))
    gone = log[at].event
    assert isinstance(gone, SeatVacated)
    log[at] = Entry(log[at].seq, 0, replace(gone, amount=gone.amount - 1))
    with pytest.raises(Refuted):
        verify(log)


def test_tables_without_seats_and_a_bot_entered_twice_are_refuted() -> None:
    enova = play_contest(2, 19, ENOVA)
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


def test_with_a_limit_of_hands_most_chips_wins() -> None:
    entries = play_contest(4, 12, with_most_hands(ARENA, 5))
    assert len(of_kind(entries, HandStarted)) == 5
    (ended,) = (event for event in of_kind(entries, TournamentEnded) if isinstance(event, TournamentEnded))
    stacks = [placing.stack for placing in ended.placings]
    assert stacks == sorted(stacks, reverse=True)


# -- UPAC ------------------------------------------------------------------------------------------


def test_rating_that_is_not_elos_is_refuted() -> None:
    log = play_contest(1, 2, UPAC_FORMAT, rating=START)
    at = next(at for at, entry in enumerate(log) if isinstance(entry.event, BotRated))
    rated = log[at].event
    assert isinstance(rated, BotRated)
    log[at] = Entry(log[at].seq, 0, replace(rated, rating=rated.rating + 1))
    with pytest.raises(Refuted, match="next rating"):
        verify(log)


def test_elo_is_zero_sum_and_favours_the_weaker() -> None:
    assert gain(1000_00, 1000_00, 1.0) == 600
    assert gain(1000_00, 1000_00, 0.5) == 0
    assert gain(1400_00, 1000_00, 1.0) == 109, "expected 10/11: 12 x 1/11 points"
    assert gain(1000_00, 1400_00, 1.0) == 1091
