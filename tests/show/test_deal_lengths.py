"""A show of deals fits its planned length: deals that matter are told in full or at least compared, others briefly."""

import asyncio
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest

from broadcast.commentary.deals.comparison import compare
from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.film.film import Film, film_of
from broadcast.on_air.table_state import TableEntry, Telling
from broadcast.show.deal_lengths import DealLengths
from broadcast.show.hold_times import COMPARED, COMPARED_BRIEFLY, COMPARED_PER_ROW, RESULT
from server.game import events
from server.journal.journal import Entry
from tests.commentary.test_deal_lines import aired_tables
from tests.show.show_on_fake_clock import playing
from tests.support.games.deals import play_deals
from tests.support.games.recordings import entries_of

SEATS, DEALS, MINUTES = 4, 60, 12
CHANGES = ("game_started", "standings_changed", "title_odds_changed", "scene_shown")


@cache
def evening(minutes: int = MINUTES) -> tuple[Entry, ...]:
    return tuple(play_deals(SEATS, DEALS, minutes=minutes))


def stage() -> events.StageStarted:
    return next(entry.event for entry in evening() if isinstance(entry.event, events.StageStarted))


@cache
def film(minutes: int = MINUTES) -> Film:
    return film_of(evening(minutes))


def entries_with_lengths(entries: Sequence[Entry]) -> list[TableEntry]:
    """Returns what goes on air, with how each deal is told once the deal has ended."""
    return [*map(DealLengths().after, aired_tables(entries))]


def tellings(entries: Sequence[Entry]) -> list[Telling]:
    """Returns how each deal is told, in order."""
    return [entry.telling for entry in entries_with_lengths(entries) if isinstance(entry.event, events.DealEnded)]


@pytest.mark.parametrize("minutes", [6, MINUTES, 30])
def test_show_takes_at_most_the_planned_minutes_and_uses_most_of_them(minutes: int) -> None:
    length_ms = film(minutes).outline.length_ms
    assert 0.8 * 60_000 * minutes < length_ms <= 60_000 * minutes


def test_first_and_last_deal_and_the_largest_are_told_in_full() -> None:
    told = [telling.how for telling in tellings(evening(20))]
    won = [max(entry.event.won) for entry in evening() if isinstance(entry.event, events.DealEnded)]
    assert [told[0], told[-1], told[won.index(max(won))]] == ["full"] * 3
    assert {*told} == {"full", "compared", "short", "line"}


def test_all_deals_are_told_in_full_without_a_plan_or_with_enough_time() -> None:
    assert {*tellings(evening(0))} == {Telling()}
    assert {telling.how for telling in tellings(evening(600))} == {"full"}


def test_deal_that_moved_the_title_is_told_with_its_whole_comparison() -> None:
    facts, told = DealFacts(stage()), list[tuple[str, bool]]()
    for entry in entries_with_lengths(evening(20)):
        if isinstance(entry.event, events.DealEnded):
            facts.end(entry.event)
            is_alike = compare(entry.event.deal, entry.tables).alike
            told.append((entry.telling.how, facts.moved_title and not is_alike))
    assert ("compared", True) in told
    assert {("short", False), ("line", False)} <= {*told}
    assert not {("short", True), ("line", True)} & {*told}


def test_deal_not_told_in_full_shows_the_result_of_its_hand_and_then_the_comparison() -> None:
    seen, told = entries_of(film(20)), [telling.how for telling in tellings(evening(20))]
    compared_ms = {"short": COMPARED_BRIEFLY, "compared": COMPARED + COMPARED_PER_ROW * SEATS}
    starts = [at for at, entry in enumerate(seen) if entry["type"] == "game_started"]
    for deal, (begin, end) in enumerate(pairwise(starts)):
        if told[deal] not in compared_ms:
            continue
        at_ms = {entry["type"]: entry["at_ms"] for entry in seen[begin:end]}
        hold_ms = {entry["type"]: entry["hold_ms"] for entry in seen[begin:end]}
        assert at_ms["hand_started"] == at_ms["pot_awarded"], "the board, the cards and the winner appear at once"
        assert at_ms["deal_compared"] - at_ms["pot_awarded"] == hold_ms["pot_awarded"] == RESULT
        assert hold_ms["deal_compared"] == compared_ms[told[deal]]


@pytest.mark.parametrize("minutes", [0, MINUTES])
def test_standings_are_shown_if_a_place_or_a_chance_has_changed_or_after_five_deals(minutes: int) -> None:
    told = [telling.how for telling in tellings(evening(minutes))]
    deals, last, places, chances = 0, 0, [*stage().bots], dict[int, int]()
    before: tuple[list[int], dict[int, int]] = (places, chances)
    shown = [entry for entry in entries_of(film(minutes)) if entry["type"] in CHANGES]
    for entry, after in pairwise(shown):
        match entry:
            case {"type": "standings_changed", "rows": rows} if rows:
                deals, places = deals + 1, [row["bot"] for row in rows]
            case {"type": "title_odds_changed"}:
                chances = {each["bot"]: each["chance"] for each in entry["chances"]}
            case {"type": "game_started"} if deals and after.get("scene") != "matrix":
                moved = any(abs(chance - before[1].get(bot, 0)) > 51 for bot, chance in chances.items())
                same = all(abs(chance - before[1].get(bot, 0)) < 49 for bot, chance in chances.items())
                if after.get("scene") == "certainty":
                    assert told[deals - 1] != "line"
                    assert places != before[0] or not same or deals - last >= 5
                    before, last = (places, chances), deals
                elif told[deals - 1] != "line":
                    assert places == before[0]
                    assert not moved
                    assert deals - last < 5
    assert (deals, bool(last)) == (DEALS, True)


async def test_live_show_tells_each_deal_and_shows_the_standings_as_its_film_does() -> None:
    filmed_show = entries_of(await asyncio.to_thread(film))
    told = ("deal_compared", "scene_shown")
    with playing(*(entry.event for entry in evening())) as show:
        await show.until("tournament_ended", step=60)
    live, filmed = (
        [(entry["type"], entry.get("scene"), entry["hold_ms"]) for entry in seen if entry["type"] in told]
        for seen in (show.seen, filmed_show)
    )
    assert live == filmed
    assert [kind for kind, *_ in live].count("deal_compared") == DEALS


async def test_deal_goes_on_air_once_it_is_over_at_all_tables() -> None:
    recorded = [entry.event for entry in play_deals(3, 2, minutes=1)]
    end = next(at for at, event in enumerate(recorded) if isinstance(event, events.DealEnded))
    with playing(*recorded[:end]) as show:
        await show.clock.run(60)
        assert "game_started" not in [entry["type"] for entry in show.seen]
        show.bus.publish(recorded[end])
        await show.until("deal_compared")
