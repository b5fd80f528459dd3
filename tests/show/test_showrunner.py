"""The show stays one hand behind the table, keeps its hold times, and shows nothing early."""

import asyncio
from itertools import pairwise

import pytest

from broadcast.commentary.drama import drama_of
from broadcast.odds.calculator import OddsCalculator
from broadcast.show.hold_times import STAKES, hold_times
from broadcast.show.playback import Playback
from server.game.events import Event
from server.tournament.control_values import Controls
from server.tournament.pause_gate import HANDS_AHEAD, Gate
from tests.show.show_on_fake_clock import Entries, ManualClock, ShowOnFakeClock, kinds, undisturbed
from tests.support.event_loop import in_event_loop
from tests.support.hand_events import at_table, hand_events, opening

ADDED = (
    "caption_spoken",
    "focus_changed",
    "hand_named",
    "hand_told",
    "highlight_marked",
    "stakes_shown",
    "statistics_changed",
    "storyline_told",
    "standings_changed",
    "title_odds_changed",
)
"""The types of entries that the commentary adds to the contest's events."""


def test_every_event_goes_on_air_in_order_and_no_hole_card_before_its_hand_is_over() -> None:
    hand = hand_events(1)
    for length in range(1, len(hand)):
        assert "hole_dealt" not in kinds(undisturbed([*opening(), *hand[:length]])[0])
    events = [*opening(), *hand, *hand_events(3)]
    shown = [kind for kind in kinds(undisturbed(events)[0]) if kind not in ADDED]
    assert shown == [type(event).__struct_config__.tag for event in events]


@pytest.mark.parametrize("speed", [1, 2, 8])
def test_each_event_holds_the_screen_for_its_time_divided_by_the_speed(speed: float) -> None:
    hand = hand_events(5)
    entries = asyncio.run(shown_in_time([*opening(), *hand], speed))
    shown = kinds(entries)
    holds = hold_times(hand, {}, drama_of(at_table(hand), {}).score)
    own = [at for at, kind in enumerate(shown) if kind not in ADDED][-len(hand) :]
    at_stake = ["stakes_shown" in shown[at + 1 : at + 3] for at in own]
    assert any(at_stake)
    longer = [max(hold, STAKES) if high else hold for hold, high in zip(holds, at_stake, strict=True)]
    held = [entries[later]["at_ms"] - entries[at]["at_ms"] for at, later in pairwise(own)]
    assert held == pytest.approx([hold / speed for hold in longer[:-1]], abs=1)


async def shown_in_time(events: list[Event], speed: float = 1, odds: OddsCalculator | None = None) -> Entries:
    """Returns everything on air after `events` have been shown at this speed."""
    show = ShowOnFakeClock(speed, odds=odds)
    show.bus.publish(*events)
    with show.begun():
        await show.clock.run(1000)
    return show.seen


@in_event_loop
async def test_table_is_at_most_one_hand_ahead_of_the_show() -> None:
    gate = Gate(Controls(started=True))
    show = ShowOnFakeClock(shown=gate.has_shown)
    show.bus.listeners.append(gate.hear)
    show.bus.publish(*opening())
    with show.begun():
        for number in range(12):
            waiting = asyncio.create_task(gate())
            while not waiting.done():
                await show.clock.run(1)
            assert number - kinds(show.seen).count("hand_ended") <= HANDS_AHEAD
            show.bus.publish(*hand_events(number))
        await show.until("hand_ended", 12, step=1)


@in_event_loop
async def test_busy_studio_does_not_slow_the_show() -> None:
    """Every sleep ends 0.1 s late, but only the last delay remains."""
    clock = ManualClock()
    playback = Playback(1.0, lambda: clock.now, lambda seconds: clock.sleep(seconds and seconds + 0.1))

    async def hold_ten_times() -> None:
        for _ in range(10):
            await playback.hold(1000)

    showing = asyncio.create_task(hold_ten_times())
    await clock.run(9.9)
    assert not showing.done()
    await clock.run(0.3)
    assert showing.done()
