"""A thread computes odds before a hand is shown. New odds go on air just after the card or fold that changes them."""

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
from tests.support.idle_loop import settle


async def show_hand(hand: list[Event]) -> tuple[Entries, State]:
    """Shows a hand after its chances are computed. Returns what went on air, and the last state of the show."""
    odds = OddsCalculator()
    show = ShowOnFakeClock(odds=odds)
    show.bus.publish(*opening(), *hand)
    async with show.running_task():
        await settle()
        await odds.wait_until_done()
        await show.run_until_aired("hand_ended")
    return show.aired, show.air.picture


@pytest.mark.parametrize("seed", range(8))
async def test_chances_change_with_the_deal_each_street_and_each_fold(seed: int) -> None:
    hand = hand_events(seed)
    event_indexes = [max(index for index, event in enumerate(hand) if isinstance(event, HoleDealt))]
    event_indexes += [
        index
        for index, event in enumerate(hand)
        if isinstance(event, StreetDealt) or (isinstance(event, ActionTaken) and event.act == "fold")
    ]
    assert [index for index, entry in enumerate(at_table(hand)) if situation_after(entry)] == event_indexes
    entries, picture = await show_hand(hand)
    changes = [index for index, entry in enumerate(entries) if entry["type"] == "equities_changed"]
    causes = [entries[index - (2 if entries[index - 1]["type"] == "caption_spoken" else 1)] for index in changes]
    assert [cause["type"] for cause in causes] == [type(hand[index]).__struct_config__.tag for index in event_indexes]
    assert [entries[index]["at_ms"] for index in changes] == [cause["at_ms"] for cause in causes]
    assert "equities_changed" not in list_types(entries)[list_types(entries).index("pot_awarded") :]
    assert all(seat.win is None and seat.tie is None for seat in picture.seats)


async def test_hand_whose_chances_are_not_ready_is_shown_without_them() -> None:
    loop, busy = asyncio.get_running_loop(), threading.Event()
    loop.set_default_executor(ThreadPoolExecutor(1))
    loop.run_in_executor(None, busy.wait)
    show = ShowOnFakeClock(odds=OddsCalculator())
    show.bus.publish(*opening(), *hand_events(1))
    async with show.running_task():
        await show.run_until_aired("hand_ended")
    busy.set()
    with_chances, _ = await show_hand(hand_events(1))
    assert "hand_ended" in list_types(show.aired)
    assert "equities_changed" not in list_types(show.aired)
    added_types = ("equities_changed", "caption_spoken", "focus_changed", "hand_named", "hand_told", "highlight_marked")
    played_entries = [entry for entry in without_times(show.aired) if entry["type"] not in added_types]
    assert played_entries == [entry for entry in without_times(with_chances) if entry["type"] not in added_types]


async def test_forged_hand_with_the_same_card_twice_is_shown_without_chances(caplog: pytest.LogCaptureFixture) -> None:
    hand = hand_events(1)
    (_, first), (index, second) = [found for found in enumerate(hand) if isinstance(found[1], HoleDealt)][:2]
    assert isinstance(first, HoleDealt)
    hand[index] = replace(second, cards=first.cards)
    entries, picture = await show_hand(hand)
    assert "hand_ended" in list_types(entries)
    assert "equities_changed" not in list_types(entries)
    assert picture.hand
    assert picture.hand.over
    (warning,) = caplog.messages
    assert warning.startswith("the chances of a hand cannot be computed: the card ")


async def test_studio_restarted_within_a_hand_still_shows_its_chances(tmp_path: Path) -> None:
    odds = OddsCalculator()
    show = ShowOnFakeClock(odds=odds, diary=Diary(tmp_path / "air"))  # A studio is a show's server.
    show.bus.publish(*opening(), *hand_events(6))
    async with show.running_task():
        await settle()
        await odds.wait_until_done()
        await show.run_until_aired("equities_changed")
    chances = [(seat.win, seat.tie) for seat in show.air.picture.seats]
    assert (None, None) not in chances
    restarted = ShowOnFakeClock(odds=OddsCalculator(), bus=show.bus, clock=show.clock, diary=Diary(tmp_path / "air"))
    async with restarted.running_task():
        await restarted.runner.recalled.wait()  # The studio now shows what was on air before.
        assert restarted.air.last_seq == show.air.last_seq
        assert [(seat.win, seat.tie) for seat in restarted.air.picture.seats] == chances


async def test_late_chances_do_not_displace_those_of_newer_hands() -> None:
    odds, release_hand = OddsCalculator(), threading.Event()
    first, second, third = (at_table(hand_events(seed)) for seed in (1, 2, 3))

    class LateHand(list[TableEntry]):
        def __iter__(self) -> Iterator[TableEntry]:
            assert release_hand.wait(60)
            return super().__iter__()

    odds.prepare(LateHand(first))
    for hand in (second, third):
        odds.prepare(hand)
        await odds.wait_until_done()
    release_hand.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    await asyncio.sleep(0)
    assert [bool(odds.computed_odds(hand)) for hand in (first, second, third)] == [False, True, True]


@given(st.integers(1, 3_000_000), st.data())
def test_only_certain_results_have_chances_of_0_and_1000(board_count: int, data: st.DataObject) -> None:
    won_count = data.draw(st.integers(0, board_count))
    permille = share_in_permille(won_count, board_count)
    assert (permille == 0) == (won_count == 0)
    assert (permille == 1000) == (won_count == board_count)
    assert abs(permille - 1000 * won_count / board_count) <= 1
