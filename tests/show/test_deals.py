"""In a deal, several tables play the same cards. The show follows the main table, and then compares all tables."""

import asyncio
import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from broadcast.commentary.deals.comparison import compare_tables
from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.film.film import Film, film_recording
from broadcast.on_air.table_state import Coverage, TableEntry
from broadcast.show import hold_times
from broadcast.show.deal_lengths import DealLengths
from broadcast.show.main_table import choose_main_table
from server.game import events
from server.game.decisions import Decision, Fold
from server.game.events import Event
from server.game.view import View
from server.journal.journal import Entry
from server.tournament.control_values import Controls
from server.tournament.pause_gate import PauseGate
from tests.commentary.test_deal_lines import aired_tables
from tests.publish.published_pairs import are_shows_alike_before_comparison, pair_of_deals
from tests.show.show_on_fake_clock import ShowOnFakeClock, list_types, running_show, without_times
from tests.support.games.contests import DiceBot
from tests.support.games.deals import play_deals
from tests.support.games.hand_events import hand_events
from tests.support.games.recordings import entries_of

SEATS = 4


def film_entries(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return entries_of(film_recording(entries))  # a film is a recording that viewers can watch


@pytest.mark.parametrize("seed", range(8))
def test_nothing_before_the_comparison_depends_on_the_other_tables(seed: int) -> None:
    one, other = pair_of_deals(seed, hands=1 + seed % 2)
    assert [entry.event for entry in one] != [entry.event for entry in other], "the other tables must differ"
    assert are_shows_alike_before_comparison(one, other, seed)
    assert film_entries(one) != film_entries(other), "the comparison must differ"


class FoldingBot(DiceBot):
    def _decide(self, view: View) -> Decision:
        return Fold()


@pytest.mark.parametrize("minutes", [0, 1])
def test_deal_that_made_no_difference_is_told_in_three_seconds(minutes: int) -> None:
    aired = film_entries(play_deals(3, 4, kind=FoldingBot, minutes=minutes))
    holds_ms = {entry["hold_ms"] for entry in aired if entry["type"] == "deal_compared"}
    assert holds_ms == {hold_times.ALIKE_DEAL_MS} == {3000}
    starts = [entry["at_ms"] for entry in aired if entry["type"] == "game_started"]
    assert not minutes or {after - before for before, after in pairwise(starts)} == {hold_times.ALIKE_DEAL_MS}


@pytest.mark.parametrize("seed", range(4))
def test_only_the_pace_of_a_planned_show_depends_on_the_other_tables(seed: int) -> None:
    def before_comparison(entries: Sequence[Entry]) -> list[dict[str, Any]]:
        aired = without_times(film_entries(entries))
        return aired[: [entry["type"] for entry in aired].index("deal_ended")]

    one, other = pair_of_deals(seed, minutes=1)
    assert before_comparison(one) == before_comparison(other)
    assert without_times(film_entries(one)) != without_times(film_entries(other)), "the comparison must differ"


class GreetingBot(DiceBot):
    """A bot that greets on each of its turns, and then says something else."""

    def _decide(self, view: View) -> Decision:
        self._notify(events.ChatSent(self.id, "Howdy!"))
        self._notify(events.ChatSent(self.id, f"{view.turn.to_call} to call"))
        return super()._decide(view)


def test_greeting_repeated_in_each_deal_is_heard_once() -> None:
    entries = play_deals(3, 5, kind=GreetingBot)
    recorded_chats = [entry.event for entry in entries if isinstance(entry.event, events.ChatSent)]
    assert sum(chat.text == "Howdy!" for chat in recorded_chats) >= 3 * 5 * 3, "the recording must have all greetings"
    aired_lines = [(entry["bot"], entry["text"]) for entry in film_entries(entries) if entry["type"] == "chat_sent"]
    assert [text for _, text in aired_lines].count("Howdy!") == 3, "each bot's greeting must be heard once"
    assert len({*aired_lines}) == len(aired_lines)
    assert len(aired_lines) > 6, "other words must be heard, too"


async def test_table_is_at_most_one_deal_ahead_of_the_show() -> None:
    entries = play_deals(SEATS, 4)
    gate = PauseGate(Controls(started=True))
    show = ShowOnFakeClock(on_hand_shown=gate.set_hands_shown)
    show.bus.listeners.append(gate.apply)
    deals: list[list[Event]] = [[]]
    for entry in entries:
        deals[-1].append(entry.event)
        if isinstance(entry.event, events.DealEnded):
            deals.append([])
    async with show.running_task():
        for number, deal in enumerate(deals[:-1]):
            gate_task = asyncio.create_task(gate())
            while not gate_task.done():
                await show.clock.run(1)
            assert number - list_types(show.aired).count("deal_compared") <= 1
            show.bus.publish(*deal)
        await show.run_until_aired("deal_compared", 4, step=1)
        await show.clock.run(10)
    assert gate.hands_shown == gate.hands_dealt == 4 * SEATS


def test_table_with_the_most_to_tell_is_the_main_table() -> None:
    dull, eventful = hand_events(3), hand_events(1)
    tables = [dull, eventful, dull]
    assert choose_main_table(tables) == 1
    assert choose_main_table([dull, dull, dull]) == 0, "among equal tables, the first must be the main one"
    shuffled = random.Random(1).sample(tables, 3)
    assert shuffled[choose_main_table(shuffled)] is eventful
    entries = play_deals(SEATS, 3, choose_main_table=choose_main_table)
    assert [entry.event for entry in entries] != [entry.event for entry in play_deals(SEATS, 3)]
    assert sum(entry["type"] == "deal_compared" for entry in film_entries(entries)) == 3


EVENING_DEALS, EVENING_MINUTES = 60, 12


@cache
def play_evening(minutes: int = EVENING_MINUTES) -> tuple[Entry, ...]:
    return tuple(play_deals(SEATS, EVENING_DEALS, minutes=minutes))


def first_stage() -> events.StageStarted:
    return next(entry.event for entry in play_evening() if isinstance(entry.event, events.StageStarted))


@cache
def film_evening(minutes: int = EVENING_MINUTES) -> Film:
    return film_recording(play_evening(minutes))


def entries_with_coverage(entries: Sequence[Entry]) -> list[TableEntry]:
    return [*map(DealLengths().add_coverage, aired_tables(entries))]  # coverage: how much of a deal is told


def list_coverages(entries: Sequence[Entry]) -> list[Coverage]:
    return [entry.coverage for entry in entries_with_coverage(entries) if isinstance(entry.event, events.DealEnded)]


@pytest.mark.parametrize("minutes", [6, EVENING_MINUTES, 30])
def test_show_fills_its_planned_minutes_without_exceeding_them(minutes: int) -> None:
    assert 0.8 * 60_000 * minutes < film_evening(minutes).outline.length_ms <= 60_000 * minutes


def test_first_last_and_largest_deals_are_told_in_full() -> None:
    details = [coverage.detail for coverage in list_coverages(play_evening(20))]
    largest_wins = [max(entry.event.won) for entry in play_evening() if isinstance(entry.event, events.DealEnded)]
    assert [details[0], details[-1], details[largest_wins.index(max(largest_wins))]] == ["full"] * 3
    assert {*details} == {"full", "whole comparison", "brief", "only comparison"}
    assert {*list_coverages(play_evening(0))} == {Coverage()}, "without planned minutes, all deals must be told in full"
    assert {coverage.detail for coverage in list_coverages(play_evening(600))} == {"full"}


def test_deal_that_changed_the_title_race_has_a_whole_comparison() -> None:
    facts, details = DealFacts(first_stage()), list[tuple[str, bool]]()
    for entry in entries_with_coverage(play_evening(20)):
        if isinstance(entry.event, events.DealEnded):
            facts.end_deal(entry.event)
            is_alike = compare_tables(entry.event.deal, entry.tables).alike
            details.append((entry.coverage.detail, facts.has_title_race_changed and not is_alike))
    assert ("whole comparison", True) in details
    assert {("brief", False), ("only comparison", False)} <= {*details}
    assert not {("brief", True), ("only comparison", True)} & {*details}


def test_shortened_deal_shows_its_result_and_comparison() -> None:
    aired, details = entries_of(film_evening(20)), [coverage.detail for coverage in list_coverages(play_evening(20))]
    whole_comparison_ms = hold_times.COMPARISON_MS + hold_times.COMPARISON_ROW_MS * SEATS
    compared_ms = {"brief": hold_times.BRIEF_COMPARISON_MS, "whole comparison": whole_comparison_ms}
    starts = [at for at, entry in enumerate(aired) if entry["type"] == "game_started"]
    for deal, (begin, end) in enumerate(pairwise(starts)):
        if details[deal] not in compared_ms:
            continue
        at_ms = {entry["type"]: entry["at_ms"] for entry in aired[begin:end]}
        hold_ms = {entry["type"]: entry["hold_ms"] for entry in aired[begin:end]}
        assert at_ms["hand_started"] == at_ms["pot_awarded"], "board, cards and winner must appear together"
        assert at_ms["deal_compared"] - at_ms["pot_awarded"] == hold_ms["pot_awarded"] == hold_times.HAND_RESULT_MS
        assert hold_ms["deal_compared"] == compared_ms[details[deal]]


@pytest.mark.parametrize("minutes", [0, EVENING_MINUTES])
def test_standings_are_shown_after_a_change_or_five_deals(minutes: int) -> None:
    details = [coverage.detail for coverage in list_coverages(play_evening(minutes))]
    deals, last_shown, places, chances = 0, 0, [*first_stage().bots], dict[int, int]()
    before: tuple[list[int], dict[int, int]] = (places, chances)
    types = ("game_started", "standings_changed", "title_odds_changed", "scene_shown")
    changes = [entry for entry in entries_of(film_evening(minutes)) if entry["type"] in types]
    for entry, next_entry in pairwise(changes):
        match entry:
            case {"type": "standings_changed", "rows": rows} if rows:
                deals, places = deals + 1, [row["bot"] for row in rows]
            case {"type": "title_odds_changed"}:
                chances = {each["bot"]: each["chance"] for each in entry["chances"]}
            case {"type": "game_started"} if deals and next_entry.get("scene") != "matrix":
                has_moved = any(abs(chance - before[1].get(bot, 0)) > 51 for bot, chance in chances.items())
                are_chances_equal = all(abs(chance - before[1].get(bot, 0)) < 49 for bot, chance in chances.items())
                if next_entry.get("scene") == "certainty":
                    assert details[deals - 1] != "only comparison"
                    assert places != before[0] or not are_chances_equal or deals - last_shown >= 5
                    before, last_shown = (places, chances), deals
                elif details[deals - 1] != "only comparison":
                    assert places == before[0]
                    assert not has_moved
                    assert deals - last_shown < 5
    assert (deals, bool(last_shown)) == (EVENING_DEALS, True)


async def test_live_show_has_the_same_comparisons_and_standings_as_its_film() -> None:
    film = entries_of(await asyncio.to_thread(film_evening))
    compared_types = ("deal_compared", "scene_shown")
    async with running_show(*(entry.event for entry in play_evening())) as show:
        await show.run_until_aired("tournament_ended", step=60)
    live_scenes, filmed_scenes = (
        [(entry["type"], entry.get("scene"), entry["hold_ms"]) for entry in entries if entry["type"] in compared_types]
        for entries in (show.aired, film)
    )
    assert live_scenes == filmed_scenes
    assert [entry_type for entry_type, *_ in live_scenes].count("deal_compared") == EVENING_DEALS


async def test_deal_goes_on_air_once_it_is_over_at_all_tables() -> None:
    recorded = [entry.event for entry in play_deals(3, 2, minutes=1)]
    deal_end = next(index for index, event in enumerate(recorded) if isinstance(event, events.DealEnded))
    async with running_show(*recorded[:deal_end]) as show:
        await show.clock.run(60)
        assert "game_started" not in [entry["type"] for entry in show.aired]
        show.bus.publish(recorded[deal_end])
        await show.run_until_aired("deal_compared")
