"""The show stays one hand behind the table, keeps hold times, shows nothing early, and prepares each entry once."""

import asyncio
from itertools import pairwise
from typing import get_args

import pytest

from broadcast.commentary.drama import drama_of
from broadcast.on_air.table_state import with_tables
from broadcast.show import hold_times as times
from broadcast.show.hold_times import hold_times
from broadcast.show.playback import Playback
from broadcast.show.show_queue import ShowQueue
from server.game import events
from server.game.cards import parse_cards
from server.tournament.control_values import Controls
from server.tournament.pause_gate import HANDS_AHEAD, PauseGate
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock, kinds, playing, undisturbed
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
    own = [at for at, kind in enumerate(shown) if kind in HOUSE_EVENTS][-len(hand) :]
    at_stake = ["stakes_shown" in shown[at + 1 : at + 3] for at in own]
    assert any(at_stake)
    longer = [max(hold, times.STAKES_MS) if high else hold for hold, high in zip(holds, at_stake, strict=True)]
    held = [entries[later]["at_ms"] - entries[at]["at_ms"] for at, later in pairwise(own)]
    assert held == pytest.approx([hold / speed for hold in longer[:-1]], abs=1)


async def test_table_is_at_most_one_hand_ahead_of_the_show() -> None:
    gate = PauseGate(Controls(started=True))
    show = ShowOnFakeClock(shown=gate.set_hands_shown)
    show.bus.listeners.append(gate.apply)
    show.bus.publish(*opening())
    with show.begun():
        for number in range(12):
            waiting = asyncio.create_task(gate())
            while not waiting.done():
                await show.clock.run(1)
            assert number - kinds(show.seen).count("hand_ended") <= HANDS_AHEAD
            show.bus.publish(*hand_events(number))
        await show.until("hand_ended", 12, step=1)


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
        (["fold"] * 5, 150, "", 2000),
        (["fold"] * 5, 3000, "", 3500),
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
