"""Collects statistics about each bot's play from the events on air, and says how much the numbers prove. No I/O."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from broadcast.commentary.statistics.hand_counts import HandCounts, Pair, divide_chips
from broadcast.commentary.statistics.notices import find_notices
from broadcast.commentary.statistics.reading_scores import ReadingCounts
from broadcast.odds.earned import NOTHING_EARNED, EarnedByBot, Earnings, in_whole_chips
from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.shared_types import BotStatistics, Taken
from broadcast.on_air.table_state import TableState
from server.game import events
from server.game.events import Event
from server.game.tournament import stacks_after_forfeit
from server.text.grammar import hand_kind_text, join_within_width, name_in_sentence


class Statistics:
    """The statistics of all bots in one tournament, counted event by event."""

    def __init__(self) -> None:
        self._table = TableState()
        self._rows: dict[int, BotStatistics] = {}
        self.hands = 0
        """The number of finished hands."""
        self._hand_counts = HandCounts()
        self._chips_taken: dict[tuple[int, int], int] = {}
        """The total of chips that the first bot of each pair took from the second bot. It is negative if the second bot
        took more. The first bot has the lower number.
        """
        self._earnings = Earnings()
        self._is_run_out = False
        """Whether the board is dealt without more betting, because at most one live bot has chips left."""
        self.reading_counts = ReadingCounts()
        """How true the claims and estimates in the bots' thoughts were."""

    def apply(self, event: Event, table: TableState) -> None:
        """Counts `event`. `table` is the table after the event."""
        before, self._table = self._table, table
        self._hand_counts.apply(event, before)
        self._earnings.apply(event)
        self.reading_counts.apply(event)
        match event:
            case events.TournamentOpened(entrants=entrants):
                self._rows = {entrant.bot: BotStatistics(entrant.bot) for entrant in entrants}
            case events.ActionTaken(seat=seat, fault="", think_ms=think_ms):
                self._add(table.bots[seat], answers=1, think_ms=think_ms)
            case events.ActionTaken(seat=seat):
                self._add(table.bots[seat], faults=1)
            case events.StreetDealt():
                live = [seat for seat in table.seats if seat.is_in_hand]
                # Betting is over once at most one live seat has chips.
                self._is_run_out = len(live) > 1 and sum(not seat.all_in for seat in live) <= 1
            case events.FaultNoted(bot=bot):
                self._add(bot, faults=1)
            case events.ChatSent(bot=bot, text=text):
                self._add(bot, words=len(text.split()))
            case events.HandEnded():
                self._end_hand()
            case events.GameForfeited(seat=seat):
                self._add_taken(divide_chips(_changes_by_forfeit(seat, table)))

    @property
    def luck(self) -> Mapping[int, Fraction]:
        """How many chips luck gave each bot in the current or last hand. It is empty if luck depends on unknown
        cards.
        """
        return self._earnings.luck

    @property
    def on_air_event(self) -> StatisticsChanged:
        """The event that puts the current statistics on air."""
        rows = self._with_luck()
        crosstable = tuple(
            Taken(one, other, chips) if chips > 0 else Taken(other, one, -chips)
            for (one, other), chips in sorted(self._chips_taken.items())
            if chips
        )
        return StatisticsChanged(rows, tuple(find_notices(rows)), self.hands, crosstable)

    def closing_event(self) -> StatisticsChanged:
        """Returns the statistics at the end of the tournament, with the 95 % interval of each bot's earnings."""
        counted, units = self.on_air_event, self._earnings.units
        rows = (
            replace(row, **_interval_fields(units, row.bot)) if row.earned is not None else row for row in counted.rows
        )
        return replace(counted, rows=tuple(rows), closing=True)

    def _end_hand(self) -> None:
        table = self._table
        self._hand_counts.count_showdown(table)
        for index, seat in enumerate(table.seats):
            if not seat.dealt_in:
                continue
            bot, all_in = table.bots[index], self._is_run_out and seat.is_in_hand
            self._add(bot, hands=1, all_ins=int(all_in))
            self._add(bot, **self._hand_counts.counts_of(index))
            if bot in self._rows and seat.won > self._rows[bot].biggest_pot:
                kind = hand_kind_text(seat.ranking)
                self._rows[bot] = replace(self._rows[bot], biggest_pot=seat.won, biggest_with=kind)
        self._add_taken(self._hand_counts.chips_taken(table))
        self.hands, self._is_run_out = self.hands + 1, False

    def _add_taken(self, taken: Mapping[Pair, int]) -> None:
        bots = self._table.bots
        for (taker, loser), chips in taken.items():
            one, other = bots[taker], bots[loser]
            pair = min(one, other), max(one, other)
            self._chips_taken[pair] = self._chips_taken.get(pair, 0) + (chips if one < other else -chips)

    def _with_luck(self) -> tuple[BotStatistics, ...]:
        """Returns the rows with chips won, chips earned, and luck. Luck is rounded to whole chips in such a way that
        the luck of all bots still adds up to 0.
        """
        units = self._earnings.units
        totals = {bot: sum((unit[bot] for unit in units if bot in unit), NOTHING_EARNED) for bot in self._rows}
        luck = in_whole_chips({bot: total.luck for bot, total in totals.items()})
        reading = self.reading_counts.scores()
        rows: list[BotStatistics] = []
        for bot, row in self._rows.items():
            won, is_known = totals[bot].won, row.hands and not totals[bot].unknown
            earned = won - luck[bot] if is_known else None
            rows.append(replace(row, won=won, luck=luck[bot], earned=earned, reading=reading.get(bot)))
        return tuple(rows)

    def _add(self, bot: int, **counts: int) -> None:
        row = self._rows.get(bot)
        if row is not None:
            self._rows[bot] = replace(row, **{name: getattr(row, name) + count for name, count in counts.items()})


def _changes_by_forfeit(seat: int, table: TableState) -> dict[int, int]:
    """Returns the change in each seat's stack, in chips, if `seat` forfeits the game."""
    before = [each.stack for each in table.seats]
    return {
        index: after - was
        for index, (was, after) in enumerate(zip(before, stacks_after_forfeit(seat, before), strict=True))
    }


def _interval_fields(units: Sequence[EarnedByBot], bot: int) -> dict[str, int]:
    """Returns the fields `low` and `high`, the 95 % interval of a bot's earnings in all `units` together, in chips.

    `units` are independent parts of the tournament, such as games. Returns {} if there are too few units for an
    interval, or if their results are too similar.
    """
    from broadcast.odds.certainty import interval_of  # noqa: PLC0415  NumPy would delay a studio's start

    earned = [float(unit[bot].earned) for unit in units if bot in unit]
    interval = interval_of(earned)
    if interval is None:
        return {}
    return {"low": round(len(earned) * interval.low), "high": round(len(earned) * interval.high)}


def significance_text(counted: StatisticsChanged, names: Mapping[int, str]) -> str:
    """Returns one or two sentences on how much the bots' earnings prove. `names` are keyed by bot."""
    rows_with_interval = [row for row in counted.rows if row.low is not None and row.high is not None]
    if not rows_with_interval:
        return f"After only {counted.hands:,} hands, nobody can tell a good bot from a lucky one."
    certain_names = [
        name_in_sentence(names[row.bot]) for row in rows_with_interval if (row.low or 0) > 0 or (row.high or 0) < 0
    ]
    who = join_within_width(certain_names)
    truth = "One night isn't enough to tell a good bot from a lucky one."
    if not certain_names:
        return f"{truth} It could all still be luck."
    if len(certain_names) == 1:
        return f"{truth.removesuffix('.')}, but {who}'s result looks like more than luck."
    return f"{truth} Only the results of {who} look like more than luck."
