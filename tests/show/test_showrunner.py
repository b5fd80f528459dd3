"""The show keeps each event on screen for a while, prepares it once, and sets a pace at which stages end on time."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

import pytest

from broadcast.commentary.drama import drama_of
from broadcast.on_air.table_state import with_tables
from broadcast.show import hold_times as times
from broadcast.show.finish_estimator import GAME_MS, HAND_MS, MAX_CHANGE, MAX_FACTOR, MIN_FACTOR, FinishEstimator
from broadcast.show.hold_times import hold_times
from broadcast.show.playback import Playback
from broadcast.show.show_queue import ShowQueue
from server.game import events
from server.game.cards import parse_cards
from tests.show.show_on_fake_clock import ManualClock, list_types, running_show
from tests.support.games.hand_events import at_table, hand_events, opening
from tests.support.games.recordings import small_contest


@pytest.mark.parametrize("speed", [1, 2, 8])
async def test_hold_time_of_each_event_is_divided_by_the_speed(speed: float) -> None:
    hand = hand_events(5)
    async with running_show(*opening(), *hand, speed=speed) as show:
        await show.clock.run(1000)
    entries, names = show.aired, list_types(show.aired)
    holds_ms = hold_times(hand, {}, drama_of(at_table(hand), {}).score)
    contest_types = {str(event.__struct_config__.tag) for event in get_args(events.JournalEvent)}
    numbers = [number for number, name in enumerate(names) if name in contest_types][-len(hand) :]
    stakes_ms = [times.STAKES_MS * ("stakes_shown" in names[number + 1 : number + 3]) for number in numbers]
    assert any(stakes_ms)  # stakes: how the bot would stand if it wins, loses or folds
    longer_ms = [*map(max, holds_ms, stakes_ms)]
    held_ms = [entries[following]["at_ms"] - entries[number]["at_ms"] for number, following in pairwise(numbers)]
    assert held_ms == pytest.approx([hold_ms / speed for hold_ms in longer_ms[:-1]], abs=1)


async def test_busy_studio_does_not_slow_the_show() -> None:
    """Every sleep ends 0.1 s late. These delays must not add up."""
    clock = ManualClock()
    playback = Playback(1.0, lambda: clock.now, lambda seconds, woken: clock.wait(seconds and seconds + 0.1, woken))

    async def hold_ten_times() -> None:
        for _ in range(10):
            await playback.hold(1000)

    holding = asyncio.create_task(hold_ten_times())
    await clock.run(9.9)
    assert not holding.done()
    await clock.run(0.3)
    assert holding.done()


ENTRIES = list(with_tables(small_contest()))
HAND_ENDS = [entry.seq for entry in ENTRIES if isinstance(entry.event, events.HandEnded)]


def prepare_next(queue: ShowQueue, after: int = 0) -> int:
    """Prepares all entries that may be prepared now. Returns the number of the last one, or 0 if there are none."""
    return max((group[-1].seq for group in queue.preview_groups(after)), default=0)


def test_only_the_next_hand_is_prepared() -> None:
    new_queue, resumed_queue = ShowQueue(), ShowQueue()
    for entry in ENTRIES:
        new_queue.accept(entry)
        resumed_queue.accept(entry)
    assert [prepare_next(new_queue), prepare_next(new_queue)] == [HAND_ENDS[0], 0]
    while new_queue.pop()[-1].seq < HAND_ENDS[0]:
        assert prepare_next(new_queue) == 0
    assert prepare_next(new_queue) == HAND_ENDS[1]
    last_aired = HAND_ENDS[1] - 3
    (first, *_), *_ = resumed_queue.preview_groups(last_aired)
    assert first.seq <= last_aired < HAND_ENDS[1], "the interrupted hand must be prepared from its start"
    while resumed_queue.pop()[-1].seq < HAND_ENDS[0]:
        assert prepare_next(resumed_queue, last_aired) == 0


def test_every_entry_is_prepared_once_and_before_its_turn() -> None:
    queue, prepared_seqs = ShowQueue(), list[int]()
    for entry in ENTRIES:
        queue.accept(entry)
        prepared_seqs += [entry.seq for group in queue.preview_groups(0) for entry in group]
    while queue.next_group:
        assert queue.next_group[-1].seq in prepared_seqs
        queue.pop()
        prepared_seqs += [entry.seq for group in queue.preview_groups(0) for entry in group]
    assert prepared_seqs == [entry.seq for entry in ENTRIES]


HAND_START = events.HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")
TURN = events.TurnStarted(0, 100, 101, 5000, 3000)


def action(act: str, think_ms: int = 0) -> events.ActionTaken:
    return events.ActionTaken(0, act, 100, 100, False, think_ms)  # type: ignore[arg-type]


@pytest.mark.parametrize(("think_ms", "hold_ms"), [(0, 0), (700, 700), (2900, 1200)])
def test_turn_stays_as_long_as_the_bot_thought_up_to_a_limit(think_ms: int, hold_ms: int) -> None:
    assert hold_times([HAND_START, TURN, action("call", think_ms)])[1] == hold_ms


@pytest.mark.parametrize(("sound_ms", "hold_ms"), [(0, 3500), (2900, 3500), (4200, 4200), (5000, 5000), (9000, 5000)])
def test_win_holds_until_the_winners_sound_has_played(sound_ms: int, hold_ms: int) -> None:
    assert hold_times([events.PotAwarded(0, 900, (events.Award(2, 900),))], {2: sound_ms, 3: 5000}) == [hold_ms]


@pytest.mark.parametrize(
    ("actions", "amount", "ranking", "hold_ms"),
    [
        (["raise", *["fold"] * 5], 600, "", 2000),
        (["raise", *["fold"] * 5], 800, "", 3500),
        (["call", "check"], 600, "pair of aces, king kicker", 3500),
    ],
)
def test_small_uncontested_pot_is_shown_briefly(actions: list[str], amount: int, ranking: str, hold_ms: int) -> None:
    award = events.PotAwarded(0, amount, (events.Award(2, amount),))
    hand = [HAND_START, *map(action, actions), events.HandShown(2, parse_cards("As Kd"), ranking), award]
    assert hold_times(hand)[-1] == hold_ms


@pytest.mark.parametrize("score", [0, 10, 20, 60, 80, 100])
def test_drama_sets_the_pace_of_a_hand_within_bounds(score: int) -> None:
    flop = events.StreetDealt("flop", parse_cards("2c 3c 4c"))
    hand: list[events.Event] = [HAND_START, TURN, action("call"), flop, TURN]
    plain_holds_ms, paced_holds_ms = hold_times(hand), hold_times(hand, None, score)
    for plain_ms, paced_ms in zip(plain_holds_ms, paced_holds_ms, strict=True):
        assert round(plain_ms * times.DULL_FACTOR) <= paced_ms <= round(plain_ms * times.DRAMATIC_FACTOR)
    assert (sum(paced_holds_ms) < sum(plain_holds_ms)) == (score < 25)


def test_many_folds_before_the_flop_are_shown_together() -> None:
    turn_and_fold = [TURN, action("fold", 1200)]
    holds_ms = hold_times([HAND_START, *turn_and_fold * 10, TURN, action("call", 1200)])
    assert 0.98 * times.MAX_FOLDS_MS < sum(holds_ms[1:21]) <= times.MAX_FOLDS_MS
    assert holds_ms[-2:] == [1200, 1200]
    assert hold_times([HAND_START, TURN, action("fold", 700)])[1:] == [700, 800]


@pytest.mark.parametrize(
    ("amount", "score", "max_ms"),
    [(600, 0, times.MAX_SMALL_HAND_MS), (2000, times.ORDINARY_SCORE, times.MAX_ORDINARY_HAND_MS), (2000, 90, None)],
)
def test_only_great_hands_may_be_long(amount: int, score: int, max_ms: int | None) -> None:
    pot = events.PotAwarded(0, amount, (events.Award(2, amount),))
    long_betting = [TURN, action("bet", 1200), TURN, action("call", 1200)] * 8
    total_ms = sum(hold_times([HAND_START, *long_betting, pot], None, score))
    assert total_ms > times.MAX_ORDINARY_HAND_MS if max_ms is None else 0.98 * max_ms < total_ms <= max_ms


BOTS = tuple(range(1, 13))
STACKS = (5000,) * 12
Floats = list[float]
TimedEvent = tuple[events.Event, float]
"""An event, and its time on screen at speed 1, in milliseconds."""


def play_trials(hand_ms: float = HAND_MS, spread: float = 0.0) -> Iterator[TimedEvent]:
    """A stage of twelve bots. With a `spread` of 0.4, a hand lasts 60 % to 140 % of `hand_ms`. Nobody goes broke."""
    dice = random.Random(1)
    yield events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000
    for game in range(1, 16):
        yield events.GameStarted(game, 6, BOTS[:6], STACKS[:6]), 3000
        for hand in range(1, 7):
            yield events.HandStarted(hand, 0, 50, 100, 0, STACKS[:6], ""), 1000
            yield events.HandEnded(STACKS[:6], ""), hand_ms * dice.uniform(1 - spread, 1 + spread) - 1000
        yield events.GameEnded(game, STACKS[:6]), 15000
    yield events.StageEnded(1, BOTS, STACKS, BOTS[:6]), 2000


def simulate_show(trials: Iterator[TimedEvent], finish_by: float = 0, speed: float = 1) -> tuple[float, Floats, Floats]:
    """Returns when the show ends and, after each hand, the speed factor and the expected end. Times are in seconds."""
    estimate, now, factor = FinishEstimator(finish_by), 0.0, 1.0
    factors, expected_ends = Floats(), Floats()
    for event, hold_ms in trials:
        estimate.record(event, hold_ms)
        now += hold_ms / 1000 / speed / factor
        if isinstance(event, events.HandEnded):
            factor = estimate.update_governor(now, speed)
            factors.append(factor)
            expected_ends.append(now + estimate.eta_s(speed * factor))
    return now, factors, expected_ends


def test_stage_is_estimated_from_the_usual_length_of_a_hand() -> None:
    estimate = FinishEstimator()
    assert estimate.eta_s(1.0) == 0.0, "there must be no estimate before anything is shown"
    assert not estimate.is_planned
    estimate.record(events.StageStarted(1, "The Tables", 0, 8, BOTS, STACKS, 8), 7000)
    assert not estimate.is_planned, "without a number of games, the number of hands must be unknown"
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000)
    assert estimate.stage_left_ms() == pytest.approx(90 * HAND_MS + 15 * GAME_MS)
    assert estimate.eta_s(2.0) == pytest.approx(estimate.eta_s(1.0) / 2)
    assert estimate.is_planned


@pytest.mark.parametrize("hand_ms", [25_000, 36_000, 48_000])
@pytest.mark.parametrize("deadline_share", [0.6, 0.8, 1.0, 1.2])
@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_stage_ends_on_time_at_any_speed(hand_ms: float, deadline_share: float, speed: float) -> None:
    usual_end, ungoverned_factors, expected_ends = simulate_show(play_trials(hand_ms, 0.4), speed=speed)
    assert set(ungoverned_factors) == {1.0}, "without a deadline, the pace must not change"
    assert expected_ends[45] == pytest.approx(usual_end, rel=0.1), "halfway, the estimate must be right within 10 %"
    end, factors, _ = simulate_show(play_trials(hand_ms, 0.4), finish_by=deadline_share * usual_end, speed=speed)
    assert end == pytest.approx(deadline_share * usual_end, rel=0.04)
    assert MIN_FACTOR <= min(factors) <= max(factors) <= MAX_FACTOR
    changes = [factor / previous for previous, factor in zip([1.0, *factors], factors, strict=False)]
    assert 1 - MAX_CHANGE - 1e-9 <= min(changes) <= max(changes) <= 1 + MAX_CHANGE + 1e-9


def test_pace_stays_at_its_limit_if_the_deadline_is_impossible() -> None:
    usual_end, _, _ = simulate_show(play_trials())
    late_end, fast_factors, _ = simulate_show(play_trials(), finish_by=usual_end / 4)
    early_end, slow_factors, _ = simulate_show(play_trials(), finish_by=usual_end * 3)
    assert fast_factors[20:] == [MAX_FACTOR] * len(fast_factors[20:])
    assert slow_factors[20:] == [MIN_FACTOR] * len(slow_factors[20:])
    assert late_end == pytest.approx(usual_end / 2, rel=0.05)
    assert early_end == pytest.approx(usual_end / 0.75, rel=0.05)


def test_estimate_for_a_series_lasts_until_its_last_game_ends() -> None:
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Arena", 3, 0, BOTS, STACKS, seats=12, series=True), 7000)
    left_ms = [estimate.stage_left_ms()]
    for game in range(1, 4):
        estimate.record(events.GameStarted(game, 0, BOTS, STACKS), 3000)
        for seat in range(11):
            estimate.record(events.HandStarted(seat + 1, 0, 10, 20, 0, STACKS, ""), 1000)
            estimate.record(events.HandEnded(STACKS, ""), HAND_MS - 1000)
            estimate.record(events.BotEliminated(seat + 1, seat, 12 - seat), 0)
        estimate.record(events.GameEnded(game, STACKS, BOTS), 15000)
        left_ms.append(estimate.stage_left_ms())
    assert left_ms[0] > left_ms[1] > left_ms[2] > left_ms[3] == 0.0, "the stage must last until its last game ends"


def test_estimate_for_a_game_falls_during_hands_and_is_0_between_games() -> None:
    estimate = FinishEstimator()
    estimate.record(events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000)
    assert estimate.game_left_ms() == 0.0
    estimate.record(events.GameStarted(1, 6, BOTS[:6], STACKS[:6]), 3000)
    assert estimate.game_left_ms() == 6 * HAND_MS
    estimate.record(events.HandStarted(1, 0, 50, 100, 0, STACKS[:6], ""), 0)
    assert estimate.game_left_ms() == 6 * HAND_MS
    estimate.record(events.BotEliminated(1, 0, 12), 12_000)
    expected_hand_ms = (12_000 + 3 * HAND_MS) / 3
    assert estimate.game_left_ms() == pytest.approx(6 * expected_hand_ms - 12_000)
    assert estimate.hands_ms(2) == pytest.approx(3 * expected_hand_ms - 12_000)
    estimate.record(events.HandEnded(STACKS[:6], ""), 0)
    estimate.record(events.GameEnded(1, STACKS[:6]), 15_000)
    assert estimate.game_left_ms() == 0.0
