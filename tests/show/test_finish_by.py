"""The governor estimates how long the rest of a stage takes, and sets the show's pace so that it ends on time."""

import random
from collections.abc import Iterator

import pytest

from broadcast.show.finish_estimator import GAME_MS, HAND_MS, MAX_CHANGE, MAX_FACTOR, MIN_FACTOR, FinishEstimator
from server.game import events

BOTS = tuple(range(1, 13))
STACKS = (5000,) * 12
Shown = tuple[events.Event, float]
"""An event, and its time on screen at speed 1, in milliseconds."""


def trials(hand_ms: float = HAND_MS, spread: float = 0.0, seed: int = 1) -> Iterator[Shown]:
    """The Trials of twelve bots. Hands take `hand_ms`, give or take the fraction `spread`, and nobody goes broke."""
    dice = random.Random(seed)
    yield events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000
    for game in range(1, 16):
        yield events.GameStarted(game, 6, BOTS[:6], STACKS[:6]), 3000
        for hand in range(1, 7):
            yield events.HandStarted(hand, 0, 50, 100, 0, STACKS[:6], ""), 1000
            yield events.HandEnded(STACKS[:6], ""), hand_ms * dice.uniform(1 - spread, 1 + spread) - 1000
        yield events.GameEnded(game, STACKS[:6]), 15000
    yield events.StageEnded(1, BOTS, STACKS, BOTS[:6]), 2000


def run_show(
    shown: Iterator[Shown], finish_by: float = 0.0, speed: float = 1.0
) -> tuple[float, list[float], list[float]]:
    """Returns the end of the show, and, after each hand, the governor's factor and the expected end (in seconds)."""
    estimate, now, governor = FinishEstimator(finish_by), 0.0, 1.0
    governors, expected = list[float](), list[float]()
    for event, ms in shown:
        estimate.record(event, ms)
        now += ms / 1000 / speed / governor
        if isinstance(event, events.HandEnded):
            governor = estimate.update_governor(now, speed)
            governors.append(governor)
            expected.append(now + estimate.eta_s(speed * governor))
    return now, governors, expected


def test_stage_with_a_fixed_number_of_hands_is_estimated_from_the_usual_length_of_a_hand() -> None:
    estimate = FinishEstimator()
    assert estimate.eta_s(1.0) == 0.0, "there must be no estimate before anything was shown"
    assert not estimate.is_planned
    estimate.record(events.StageStarted(1, "The Tables", 0, 8, BOTS, STACKS, 8), 7000)
    assert not estimate.is_planned
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000)
    assert estimate.stage_left_ms() == pytest.approx(90 * HAND_MS + 15 * GAME_MS)
    assert estimate.eta_s(2.0) == pytest.approx(estimate.eta_s(1.0) / 2)
    assert estimate.is_planned


@pytest.mark.parametrize("hand_ms", [25_000, 36_000, 48_000])
@pytest.mark.parametrize("goal", [0.6, 0.8, 1.0, 1.2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_stage_ends_on_time_where_possible(hand_ms: float, goal: float, seed: int) -> None:
    plain, still, expected = run_show(trials(hand_ms, 0.4, seed))
    assert set(still) == {1.0}, "without a deadline, the governor must do nothing"
    assert expected[45] == pytest.approx(plain, rel=0.1), (
        "from halfway on, the estimate may be wrong by at most a tenth"
    )
    over, governors, _ = run_show(trials(hand_ms, 0.4, seed), finish_by=goal * plain)
    assert over == pytest.approx(goal * plain, rel=0.04)
    assert MIN_FACTOR <= min(governors) <= max(governors) <= MAX_FACTOR
    steps = [after / before for before, after in zip([1.0, *governors], governors, strict=False)]
    assert 1 - MAX_CHANGE - 1e-9 <= min(steps) <= max(steps) <= 1 + MAX_CHANGE + 1e-9


def test_pace_stays_at_its_limit_if_the_deadline_is_impossible() -> None:
    plain, _, _ = run_show(trials())
    late, fast, _ = run_show(trials(), finish_by=plain / 4)
    early, slow, _ = run_show(trials(), finish_by=plain * 3)
    assert fast[20:] == [MAX_FACTOR] * len(fast[20:])
    assert slow[20:] == [MIN_FACTOR] * len(slow[20:])
    assert late == pytest.approx(plain / 2, rel=0.05)
    assert early == pytest.approx(plain / 0.75, rel=0.05)


def test_governor_allows_for_the_operators_speed() -> None:
    plain, _, _ = run_show(trials())
    over, governors, _ = run_show(trials(), finish_by=plain / 2, speed=2.0)
    assert over == pytest.approx(plain / 2, rel=0.04)
    assert governors[-20] == pytest.approx(1.0, abs=0.1)


def test_in_every_game_of_a_series_all_bots_but_one_must_go_broke() -> None:
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Arena", 3, 0, BOTS, STACKS, seats=12, series=True), 7000)
    left = [estimate.stage_left_ms()]
    for game in range(1, 4):
        estimate.record(events.GameStarted(game, 0, BOTS, STACKS), 3000)
        for out in range(11):
            estimate.record(events.HandStarted(out + 1, 0, 10, 20, 0, STACKS, ""), 1000)
            estimate.record(events.HandEnded(STACKS, ""), HAND_MS - 1000)
            estimate.record(events.BotEliminated(out + 1, out, 12 - out), 0)
        estimate.record(events.GameEnded(game, STACKS, BOTS), 15000)
        left.append(estimate.stage_left_ms())
    assert left[0] > left[1] > left[2] > left[3] == 0.0, "the stage must continue until its last game has ended"


def test_estimate_for_a_game_falls_within_each_hand_and_is_0_between_games() -> None:
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000)
    assert estimate.game_left_ms() == 0.0
    estimate.record(events.GameStarted(1, 6, BOTS[:6], STACKS[:6]), 3000)
    assert estimate.game_left_ms() == 6 * HAND_MS
    estimate.record(events.HandStarted(1, 0, 50, 100, 0, STACKS[:6], ""), 0)
    assert estimate.game_left_ms() == 6 * HAND_MS
    estimate.record(events.BotEliminated(1, 0, 12), 12_000)
    a_hand = (12_000 + 3 * HAND_MS) / 3
    assert estimate.game_left_ms() == pytest.approx(6 * a_hand - 12_000)
    assert estimate.hands_ms(2) == pytest.approx(3 * a_hand - 12_000)
    estimate.record(events.HandEnded(STACKS[:6], ""), 0)
    estimate.record(events.GameEnded(1, STACKS[:6]), 15_000)
    assert estimate.game_left_ms() == 0.0
