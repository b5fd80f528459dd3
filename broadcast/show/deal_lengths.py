"""Decides how much of each deal the show tells, so that a stage takes no longer than planned.

In a deal, several tables play the same cards, and the show presents one of them, the main table. The whole deal is
played before its main table goes on air. Deals that matter are told in full, or with the whole comparison of their
tables. Other deals are told with results and a short comparison, or only the comparison. The choice depends only on the
recording, so a show, its replays and its films agree. No I/O.
"""

from collections.abc import Sequence
from math import inf

from msgspec.structs import replace

from broadcast.commentary.deals.comparison import compare_tables
from broadcast.commentary.deals.deal_facts import PAIRS_EVERY, DealFacts
from broadcast.commentary.drama import drama_of
from broadcast.commentary.storylines.deal_lines import MIN_DEALS_FOR_LEAD, has_passed_step
from broadcast.on_air.deal_tables import DealTable
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.table_state import Coverage, TableEntry
from broadcast.show.hold_times import (
    ALIKE_DEAL_MS,
    BRIEF_COMPARISON_MS,
    COMPARISON_MS,
    COMPARISON_ROW_MS,
    HAND_RESULT_MS,
    SEATED_MS,
    hold_times,
)
from server.game.deals import scores_of
from server.game.events import DealEnded, HandEnded, HandStarted, StageStarted

OUTSIDE_DEALS_MS = 44_000
"""The time of the scenes before and after all deals, in milliseconds: line-up, last standings and champion."""
MAX_FULL_DEAL_SHARES, MAX_BRISK_MS = 2.5, 36_000
"""An even share is the planned time divided by the number of deals. If a deal is told in full, its hands together take
at most MAX_FULL_DEAL_SHARES even shares, and at most MAX_BRISK_MS milliseconds. But one even share is always allowed.
"""
LATE_DEALS = 1.5
"""A deal that matters may make the show late. The delay is at most the time for telling this many deals in full."""
MIN_SHARES_AHEAD = 2
"""The show usually tells only the comparison of a small deal. The show tells more only if it stays at least this many
even shares ahead of its plan.
"""
LARGE_DEALS_FRACTION = 0.1
"""A deal is large if at most this fraction of the deals so far had such a large win. The deal itself counts as one of
them.
"""
SMALL_WIN_STACKS = 0.1
"""A deal is small if every bot wins less than this fraction of a starting stack, at all tables together."""
STANDINGS_MS = SCENES["certainty"].hold_ms
"""How long the standings are shown. Their scene is called "certainty"."""


class DealLengths:
    """Follows the entries of the journal (the contest's recording). Once a deal has ended, decides how much of it to
    tell.

    The planned time is shared evenly. Only a deal that matters may make the show late. Each large deal matters, and so
    does the first deal that the tables did not all play alike. A deal also matters if it changed the leader, noticeably
    changed the title odds (the bots' chances to win the tournament), or took a bot's title odds past a step such as
    50 %. The show tells such a deal in full if there is time. Otherwise it tells at least the whole comparison of the
    deal's tables, if there is time for that. The largest deal so far may take all the time that is left. Time is set
    aside for the last deal.
    """

    def __init__(self) -> None:
        self._facts: DealFacts | None = None
        """The facts about the current stage, or None if the stage has no deals or no planned length."""
        self._left_ms = self._max_hand_ms = self._full_deal_ms = self._hands_ms = 0
        self._share_ms = 0.0
        """An even share of the planned time."""
        self._hand: list[TableEntry] = []
        self._largest_wins: list[int] = []
        """For each deal so far, the largest number of chips that a bot won."""
        self._are_all_alike_so_far = True
        """Whether, in each deal so far, all tables have played alike."""

    def add_coverage(self, entry: TableEntry) -> TableEntry:
        """Returns `entry`. If a deal ends with this entry, adds how much of the deal to tell."""
        event = entry.event
        if isinstance(event, StageStarted):
            self._begin(event)
        if self._facts is None:
            return entry
        if isinstance(event, HandStarted):
            self._hand = []
        self._hand.append(entry)
        if isinstance(event, HandEnded):
            times = hold_times([played.event for played in self._hand], None, drama_of(self._hand, {}).score)
            self._hands_ms += min(sum(times), self._max_hand_ms)
        if not isinstance(event, DealEnded):
            return entry
        self._facts.end_deal(event)
        return replace(entry, coverage=self._choose_coverage(self._facts, event, entry.tables))

    def _begin(self, stage: StageStarted) -> None:
        self._facts, self._hands_ms, self._largest_wins, self._are_all_alike_so_far = None, 0, [], True
        if stage.deals and stage.minutes:
            self._facts = DealFacts(stage)
            # After every PAIRS_EVERY deals, the scene "matrix" shows which bots are better than which.
            matrix_scenes_ms = (stage.deals // PAIRS_EVERY) * SCENES["matrix"].hold_ms
            self._left_ms = max(0, 60_000 * stage.minutes - OUTSIDE_DEALS_MS - matrix_scenes_ms)
            share_ms = self._left_ms / stage.deals
            max_ms = round(max(share_ms, min(MAX_FULL_DEAL_SHARES * share_ms, MAX_BRISK_MS)))
            self._max_hand_ms = max_ms // max(1, stage.hands)
            self._full_deal_ms = _full_ms(max_ms, min(stage.seats, len(stage.bots)))
            self._left_ms -= self._full_deal_ms  # this time is kept for the last deal
            self._share_ms = self._left_ms / stage.deals

    def _choose_coverage(self, facts: DealFacts, event: DealEnded, tables: Sequence[DealTable]) -> Coverage:
        """Decides how to tell a deal, and subtracts the deal's time from the time that is left."""
        hands_ms, self._hands_ms = self._hands_ms, 0
        allowed_delay_ms = self._allowed_delay_ms(facts, event)
        if compare_tables(event.deal, tables).alike:
            self._left_ms -= ALIKE_DEAL_MS
            return Coverage("only comparison", 0)
        self._are_all_alike_so_far = False
        if event.decided or facts.deals == facts.stage.deals:
            return Coverage("full", self._max_hand_ms)
        deals_left = (facts.stage.deals or 0) - facts.deals
        room_ms = self._left_ms - deals_left * ALIKE_DEAL_MS
        max_ms = min(self._left_ms - deals_left * self._share_ms + allowed_delay_ms, room_ms)
        standings_ms = STANDINGS_MS if facts.are_standings_due else 0
        result_ms = sum(table.hands for table in tables[:1]) * HAND_RESULT_MS + standings_ms
        full_ms = _full_ms(hands_ms, len(tables), standings_ms)
        whole_comparison_ms = result_ms + _comparison_ms(len(tables))
        brief_ms = result_ms + BRIEF_COMPARISON_MS
        if full_ms <= max_ms:
            return self._spend(facts, Coverage("full", self._max_hand_ms), full_ms)
        if allowed_delay_ms > 0 and whole_comparison_ms <= room_ms:
            return self._spend(facts, Coverage("whole comparison", HAND_RESULT_MS), whole_comparison_ms)
        if brief_ms <= max_ms:
            return self._spend(facts, Coverage("brief", HAND_RESULT_MS), brief_ms)
        self._left_ms -= ALIKE_DEAL_MS
        return Coverage("only comparison", 0)

    def _spend(self, facts: DealFacts, coverage: Coverage, ms: int) -> Coverage:
        """Returns `coverage`, and subtracts `ms` from the time that is left. If the standings are due, records that
        they are shown.
        """
        self._left_ms -= ms
        if facts.are_standings_due:
            facts.record_standings_shown()
        return coverage

    def _allowed_delay_ms(self, facts: DealFacts, event: DealEnded) -> float:
        """Returns how many milliseconds the show may be behind its plan after a deal. If the number is negative, the
        show must be ahead of its plan by that many milliseconds.
        """
        largest_win = max(scores_of(event).values())
        self._largest_wins.append(largest_win)
        as_large_count = sum(win >= largest_win for win in self._largest_wins)
        if as_large_count == 1 and facts.deals >= MIN_DEALS_FOR_LEAD:
            return inf
        is_large = as_large_count <= LARGE_DEALS_FRACTION * facts.deals
        has_passed = any(
            has_passed_step(facts.title_chances_before.get(bot, 0.0), chance)
            for bot, chance in facts.title_chances.items()
        )
        if self._are_all_alike_so_far or is_large or has_passed or facts.has_title_race_changed:
            return LATE_DEALS * self._full_deal_ms
        is_small = largest_win < SMALL_WIN_STACKS * max(facts.stage.stacks, default=0)
        return -MIN_SHARES_AHEAD * self._share_ms if is_small else 0


def _full_ms(hands_ms: int, rows: int, standings_ms: int = STANDINGS_MS) -> int:
    """Returns how many milliseconds a deal takes if it is told in full."""
    return SEATED_MS + hands_ms + _comparison_ms(rows) + standings_ms


def _comparison_ms(rows: int) -> int:
    """Returns for how many milliseconds the whole comparison of a deal is shown."""
    return COMPARISON_MS + COMPARISON_ROW_MS * rows
