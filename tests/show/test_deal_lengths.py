"""A show of deals fits its planned length: deals that matter are told in full, others shortly or in one line."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest

from broadcast.film.film import Film, film_of
from broadcast.on_air.table_state import Telling
from broadcast.show.deal_lengths import DealLengths
from broadcast.show.hold_times import COMPARED_SHORTLY, RESULT
from server.game import events
from server.journal.journal import Entry
from tests.commentary.test_deal_lines import aired_tables
from tests.show.show_on_fake_clock import ShowOnFakeClock
from tests.support.deals import play_deals
from tests.support.recordings import entries_of

SEATS, DEALS, MINUTES = 4, 60, 12


@cache
def evening(minutes: int = MINUTES) -> tuple[Entry, ...]:
    return tuple(play_deals(SEATS, DEALS, minutes=minutes))


@cache
def film(minutes: int = MINUTES) -> Film:
    return film_of(evening(minutes))


def tellings(entries: Sequence[Entry]) -> list[Telling]:
    """How each deal is told."""

    lengths = DealLengths()
    weighed = map(lengths.after, aired_tables(entries))
    return [entry.telling for entry in weighed if isinstance(entry.event, events.DealEnded)]


@pytest.mark.parametrize("minutes", [6, MINUTES, 30])
def test_show_takes_at_most_the_planned_minutes_and_uses_most_of_them(minutes: int) -> None:
    length_ms = film(minutes).outline.length_ms
    assert 0.8 * 60_000 * minutes < length_ms <= 60_000 * minutes


def test_first_and_last_deal_and_the_largest_are_told_in_full() -> None:
    told = [telling.how for telling in tellings(evening())]
    won = [max(entry.event.won) for entry in evening() if isinstance(entry.event, events.DealEnded)]
    assert [told[0], told[-1], told[won.index(max(won))]] == ["full"] * 3
    assert {*told} == {"full", "short", "line"}


def test_all_deals_are_told_in_full_without_a_plan_or_with_enough_time() -> None:
    assert {*tellings(evening(0))} == {Telling()}
    made_a_difference = [telling.how for telling in tellings(evening(600))]
    assert "short" not in made_a_difference
    assert "full" in made_a_difference


def test_deal_told_shortly_shows_the_result_of_its_hand_and_then_the_comparison() -> None:
    seen, told = entries_of(film()), [telling.how for telling in tellings(evening())]
    starts = [at for at, entry in enumerate(seen) if entry["type"] == "game_started"]
    for deal, (begin, end) in enumerate(pairwise(starts)):
        if told[deal] != "short":
            continue
        at_ms = {entry["type"]: entry["at_ms"] for entry in seen[begin:end]}
        hold_ms = {entry["type"]: entry["hold_ms"] for entry in seen[begin:end]}
        assert at_ms["hand_started"] == at_ms["pot_awarded"], "the board, the cards and the winner appear at once"
        assert at_ms["deal_compared"] - at_ms["pot_awarded"] == hold_ms["pot_awarded"] == RESULT
        assert hold_ms["deal_compared"] == COMPARED_SHORTLY


async def test_live_show_tells_each_deal_as_its_film_does() -> None:
    show = ShowOnFakeClock()
    show.bus.publish(*(entry.event for entry in evening()))
    with show.begun():
        await show.until("tournament_ended", step=60)
    live, filmed = (
        [(entry["deal"]["deal"], entry["hold_ms"]) for entry in seen if entry["type"] == "deal_compared"]
        for seen in (show.seen, entries_of(film()))
    )
    assert live == filmed
    assert len(live) == DEALS


async def test_deal_goes_on_air_once_it_is_over_at_all_tables() -> None:
    recorded = [entry.event for entry in play_deals(3, 2, minutes=1)]
    end = next(at for at, event in enumerate(recorded) if isinstance(event, events.DealEnded))
    show = ShowOnFakeClock()
    show.bus.publish(*recorded[:end])
    with show.begun():
        await show.clock.run(60)
        assert "game_started" not in [entry["type"] for entry in show.seen]
        show.bus.publish(recorded[end])
        await show.until("deal_compared")
