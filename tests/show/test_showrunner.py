"""The show stays one hand behind the table, keeps hold times, shows nothing early, and prepares each entry once.

The governor estimates how long the rest of a stage takes, and sets the show's pace so that it ends on time.
"""

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
from tests.show.show_on_fake_clock import ManualClock, kinds, playing, undisturbed
from tests.support.games.hand_events import at_table, hand_events, opening
from tests.support.games.recordings import small_contest

HOUSE_EVENTS = {str(event.__struct_config__.tag) for event in get_args(events.JournalEvent)}
"""The types of the contest's events. The commentary adds entries of other types."""


async def test_every_event_goes_on_air_in_order_and_no_hole_card_before_its_hand_is_over() -> None:
    hand = hand_events(1)
    for length in range(1, len(hand)):
        assert "hole_dealt" not in kinds((await undisturbed([*opening(), *hand[:length]]))[0])
    both = [*opening(), *hand, *hand_events(3)]
    shown = [kind for kind in kinds((await undisturbed(both))[0]) if kind in HOUSE_EVENTS]
    assert shown == [type(event).__struct_config__.tag for event in both]


@pytest.mark.parametrize("speed", [1, 2, 8])
async def test_each_event_holds_the_screen_for_its_time_divided_by_the_speed(speed: float) -> None:
    hand = hand_events(5)
    with playing(*opening(), *hand, speed=speed) as show:
        await show.clock.run(1000)
    entries, shown = show.seen, kinds(show.seen)
    holds = hold_times(hand, {}, drama_of(at_table(hand), {}).score)
    contest_entries = [at for at, kind in enumerate(shown) if kind in HOUSE_EVENTS][-len(hand) :]
    at_stake = ["stakes_shown" in shown[at + 1 : at + 3] for at in contest_entries]
    assert any(at_stake)
    longer = [max(hold, times.STAKES_MS) if high else hold for hold, high in zip(holds, at_stake, strict=True)]
    held = [entries[later]["at_ms"] - entries[at]["at_ms"] for at, later in pairwise(contest_entries)]
    assert held == pytest.approx([hold / speed for hold in longer[:-1]], abs=1)


async def test_busy_studio_does_not_slow_the_show() -> None:
    """Every sleep ends 0.1 s late, but these delays must not add up."""
    clock = ManualClock()
    playback = Playback(1.0, lambda: clock.now, lambda seconds, woken: clock.wait(seconds and seconds + 0.1, woken))

    async def hold_ten_times() -> None:
        for _ in range(10):
            await playback.hold(1000)

    showing = asyncio.create_task(hold_ten_times())
    await clock.run(9.9)
    assert not showing.done()
    await clock.run(0.3)
    assert showing.done()


ENTRIES = list(with_tables(small_contest()))
ENDS = [entry.seq for entry in ENTRIES if isinstance(entry.event, events.HandEnded)]


def last_prepared(queue: ShowQueue, after: int = 0) -> int:
    """Returns the number of the last entry that is prepared so far; 0 if there is none."""
    return max((group[-1].seq for group in queue.preview_groups(after)), default=0)


def test_nothing_beyond_the_next_hand_is_prepared_until_that_hand_starts_and_nothing_that_was_on_air() -> None:
    fresh, resumed = ShowQueue(), ShowQueue()
    for entry in ENTRIES:
        fresh.accept(entry)
        resumed.accept(entry)
    assert [last_prepared(fresh), last_prepared(fresh)] == [ENDS[0], 0]
    while fresh.pop()[-1].seq < ENDS[0]:
        assert last_prepared(fresh) == 0
    assert last_prepared(fresh) == ENDS[1]
    was_on_air = ENDS[1] - 3
    (first, *_), *_ = resumed.preview_groups(was_on_air)
    assert first.seq <= was_on_air < ENDS[1], "the unfinished hand is prepared as a whole"
    while resumed.pop()[-1].seq < ENDS[0]:
        assert last_prepared(resumed, was_on_air) == 0


def test_every_entry_is_prepared_once_and_before_its_turn() -> None:
    queue, prepared = ShowQueue(), list[int]()
    for entry in ENTRIES:
        queue.accept(entry)
        prepared += [each.seq for group in queue.preview_groups(0) for each in group]
    while queue.next_group:
        assert queue.next_group[-1].seq in prepared
        queue.pop()
        prepared += [each.seq for group in queue.preview_groups(0) for each in group]
    assert prepared == [entry.seq for entry in ENTRIES]


START = events.HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")
TURN = events.TurnStarted(0, 100, 101, 5000, 3000)


def action(act: str, think_ms: int = 0) -> events.ActionTaken:
    return events.ActionTaken(0, act, 100, 100, False, think_ms)  # type: ignore[arg-type]


@pytest.mark.parametrize(("thought", "shown"), [(0, 0), (700, 700), (2900, 1200)])
def test_turn_holds_for_as_long_as_its_bot_thought_up_to_a_limit(thought: int, shown: int) -> None:
    assert hold_times([START, TURN, action("call", thought)])[1] == shown


@pytest.mark.parametrize(("sound_ms", "hold"), [(0, 3500), (2900, 3500), (4200, 4200), (5000, 5000), (9000, 5000)])
def test_win_holds_until_the_winners_sound_has_played(sound_ms: int, hold: int) -> None:
    assert hold_times([events.PotAwarded(0, 900, (events.Award(2, 900),))], {2: sound_ms, 3: 5000}) == [hold]


@pytest.mark.parametrize(
    ("acts", "amount", "shown", "hold"),
    [
        (["raise", *["fold"] * 5], 600, "", 2000),
        (["raise", *["fold"] * 5], 800, "", 3500),
        (["call", "check"], 600, "pair of aces, king kicker", 3500),
    ],
)
def test_small_uncontested_pot_is_shown_only_briefly(acts: list[str], amount: int, shown: str, hold: int) -> None:
    award = events.PotAwarded(0, amount, (events.Award(2, amount),))
    hand = [START, *map(action, acts), events.HandShown(2, parse_cards("As Kd"), shown), award]
    assert hold_times(hand)[-1] == hold


@pytest.mark.parametrize("score", [0, 10, 20, 60, 80, 100])
def test_drama_sets_the_pace_of_a_hand_within_bounds(score: int) -> None:
    hand: list[events.Event] = [START, TURN, action("call"), events.StreetDealt("flop", parse_cards("2c 3c 4c")), TURN]
    plain, paced = hold_times(hand), hold_times(hand, None, score)
    assert all(
        round(ms * times.DULL_FACTOR) <= now <= round(ms * times.DRAMATIC_FACTOR)
        for ms, now in zip(plain, paced, strict=True)
    )
    assert (sum(paced) < sum(plain)) == (score < 25)


def test_many_folds_before_the_flop_are_shown_together_and_few_for_their_full_time() -> None:
    fold = [TURN, action("fold", 1200)]
    held = hold_times([START, *fold * 10, TURN, action("call", 1200)])
    assert 0.98 * times.MAX_FOLDS_MS < sum(held[1:21]) <= times.MAX_FOLDS_MS
    assert held[-2:] == [1200, 1200]
    assert hold_times([START, TURN, action("fold", 700)])[1:] == [700, 800]


LONG = [TURN, action("bet", 1200), TURN, action("call", 1200)] * 8


@pytest.mark.parametrize(
    ("amount", "score", "most"),
    [(600, 0, times.MAX_SMALL_HAND_MS), (2000, times.ORDINARY_SCORE, times.MAX_ORDINARY_HAND_MS), (2000, 90, None)],
)
def test_small_and_ordinary_hands_are_short_and_great_hands_are_not(amount: int, score: int, most: int | None) -> None:
    total = sum(hold_times([START, *LONG, events.PotAwarded(0, amount, (events.Award(2, amount),))], None, score))
    assert total > times.MAX_ORDINARY_HAND_MS if most is None else 0.98 * most < total <= most


BOTS = tuple(range(1, 13))
STACKS = (5000,) * 12
Floats = list[float]
Shown = tuple[events.Event, float]
"""An event, and its time on screen at speed 1, in milliseconds."""


def trials(hand_ms: float = HAND_MS, spread: float = 0.0) -> Iterator[Shown]:
    """The Trials of twelve bots. Hands take `hand_ms`, give or take the fraction `spread`, and nobody goes broke."""
    dice = random.Random(1)
    yield events.StageStarted(1, "The Trials", 15, 6, BOTS, STACKS, 6), 7000
    for game in range(1, 16):
        yield events.GameStarted(game, 6, BOTS[:6], STACKS[:6]), 3000
        for hand in range(1, 7):
            yield events.HandStarted(hand, 0, 50, 100, 0, STACKS[:6], ""), 1000
            yield events.HandEnded(STACKS[:6], ""), hand_ms * dice.uniform(1 - spread, 1 + spread) - 1000
        yield events.GameEnded(game, STACKS[:6]), 15000
    yield events.StageEnded(1, BOTS, STACKS, BOTS[:6]), 2000


def run_show(shown: Iterator[Shown], finish_by: float = 0.0, speed: float = 1.0) -> tuple[float, Floats, Floats]:
    """Returns the end of the show, and, after each hand, the governor's factor and the expected end (in seconds)."""
    estimate, now, governor = FinishEstimator(finish_by), 0.0, 1.0
    governors, expected = Floats(), Floats()
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
@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_stage_ends_on_time_at_any_speed(hand_ms: float, goal: float, speed: float) -> None:
    plain, still, expected = run_show(trials(hand_ms, 0.4), speed=speed)
    assert set(still) == {1.0}, "without a deadline, the governor must do nothing"
    assert expected[45] == pytest.approx(plain, rel=0.1), (
        "from halfway on, the estimate may be wrong by at most a tenth"
    )
    over, governors, _ = run_show(trials(hand_ms, 0.4), finish_by=goal * plain, speed=speed)
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
