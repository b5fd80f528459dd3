"""Odds are computed in a thread before the hand, and shown when the cards that they depend on are on air."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from broadcast.odds.calculator import OddsCalculator, share_in_permille, situation_after
from broadcast.on_air.diary import Diary
from broadcast.on_air.picture_state import State
from broadcast.on_air.table_state import TableEntry
from server.game.events import ActionTaken, Event, HoleDealt, StreetDealt
from tests.show.show_on_fake_clock import Entries, ShowOnFakeClock, list_types, without_times
from tests.support.games.hand_events import at_table, hand_events, opening


async def show_hand(hand: list[Event]) -> tuple[Entries, State]:
    """Shows a hand whose chances are all computed in time; returns what went on air, and the final picture."""
    odds = OddsCalculator()
    show = ShowOnFakeClock(odds=odds)
    show.bus.publish(*opening(), *hand)
    with show.running_task():
        await show.clock.settle()
        await odds.wait_until_done()
        await show.run_until_aired("hand_ended")
    return show.aired, show.air.picture


@pytest.mark.parametrize("seed", range(8))
async def test_chances_change_after_the_deal_each_street_and_each_fold_until_the_pot_is_won(seed: int) -> None:
    hand = hand_events(seed)
    moments = {max(at for at, event in enumerate(hand) if isinstance(event, HoleDealt))}
    moments |= {
        at
        for at, event in enumerate(hand)
        if isinstance(event, StreetDealt) or (isinstance(event, ActionTaken) and event.act == "fold")
    }
    assert {at for at, entry in enumerate(at_table(hand)) if situation_after(entry)} == moments
    entries, picture = await show_hand(hand)
    odds_shown = [at for at, entry in enumerate(entries) if entry["type"] == "equities_changed"]
    causes = [entries[at - 2 if entries[at - 1]["type"] == "caption_spoken" else at - 1] for at in odds_shown]
    assert [cause["type"] for cause in causes] == [type(hand[at]).__struct_config__.tag for at in sorted(moments)]
    assert all(entries[at]["at_ms"] == cause["at_ms"] for at, cause in zip(odds_shown, causes, strict=True))
    assert "equities_changed" not in list_types(entries)[list_types(entries).index("pot_awarded") :]
    assert all(seat.win is None and seat.tie is None for seat in picture.seats)


async def test_hand_that_begins_before_its_chances_are_ready_is_shown_without_them() -> None:
    loop, busy = asyncio.get_running_loop(), threading.Event()
    loop.set_default_executor(ThreadPoolExecutor(1))
    loop.run_in_executor(None, busy.wait)
    show = ShowOnFakeClock(odds=OddsCalculator())
    show.bus.publish(*opening(), *hand_events(1))
    with show.running_task():
        await show.run_until_aired("hand_ended")
    busy.set()
    without = show.aired
    with_them, _ = await show_hand(hand_events(1))
    assert "hand_ended" in list_types(without)
    assert "equities_changed" not in list_types(without)
    added = ("equities_changed", "caption_spoken", "focus_changed", "hand_named", "hand_told", "highlight_marked")
    played = [[entry for entry in without_times(each) if entry["type"] not in added] for each in (with_them, without)]
    assert played[0] == played[1]


async def test_forged_hand_with_the_same_card_twice_is_shown_without_chances(caplog: pytest.LogCaptureFixture) -> None:
    hand = hand_events(1)
    (_, first), (at, second) = [(at, event) for at, event in enumerate(hand) if isinstance(event, HoleDealt)][:2]
    hand[at] = replace(second, cards=first.cards)
    entries, picture = await show_hand(hand)
    assert "hand_ended" in list_types(entries)
    assert "equities_changed" not in list_types(entries)
    assert picture.hand
    assert picture.hand.over
    (warning,) = caplog.messages
    assert warning.startswith("the chances of a hand cannot be computed: the card ")


async def test_studio_restarted_within_a_hand_still_shows_its_chances(tmp_path: Path) -> None:
    odds = OddsCalculator()
    show = ShowOnFakeClock(odds=odds, diary=Diary(tmp_path / "air"))
    show.bus.publish(*opening(), *hand_events(6))
    with show.running_task():
        await show.clock.settle()
        await odds.wait_until_done()
        await show.run_until_aired("equities_changed")
    before = [(seat.win, seat.tie) for seat in show.air.picture.seats]
    assert (None, None) not in before
    back = ShowOnFakeClock(odds=OddsCalculator(), bus=show.bus, clock=show.clock, diary=Diary(tmp_path / "air"))
    with back.running_task():
        await back.runner.recalled.wait()
        assert back.air.last_seq == show.air.last_seq
        assert [(seat.win, seat.tie) for seat in back.air.picture.seats] == before


class HeldBack(list[TableEntry]):
    """A hand that can be iterated only once the event `until` is set."""

    until: threading.Event

    def __iter__(self) -> Iterator[TableEntry]:
        assert self.until.wait(60)
        return super().__iter__()


async def test_chances_computed_late_do_not_displace_those_of_newer_hands() -> None:
    odds, late = OddsCalculator(), threading.Event()
    first, second, third = (at_table(hand_events(seed)) for seed in (1, 2, 3))
    held = HeldBack(first)
    held.until = late
    odds.prepare(held)
    for hand in (second, third):
        odds.prepare(hand)
        await odds.wait_until_done()
    late.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    await asyncio.sleep(0)
    assert [bool(odds.computed_odds(hand)) for hand in (first, second, third)] == [False, True, True]


@given(st.integers(1, 3_000_000), st.data())
def test_chances_of_0_and_1000_are_reserved_for_certainty(whole: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(0, whole))
    tenths = share_in_permille(part, whole)
    assert (tenths == 0) == (part == 0)
    assert (tenths == 1000) == (part == whole)
    assert abs(tenths - 1000 * part / whole) <= 1
