"""How every bot has played, counted from what was on air, and what stands out in it. Pure."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from broadcast.on_air.events import BotStatistics, Chance, Notice, StatisticsChanged
from broadcast.on_air.table_state import HandOdds, TableState
from server.game.events import ActionTaken, Event, FaultNoted, HandEnded, PotAwarded, StreetDealt, TournamentOpened
from server.text.grammar import with_article

FEWEST_HANDS = 10
"""A bot that was dealt fewer is not compared with others."""
FEWEST_ANSWERS = 20
FEWEST_CALLS = 3
FEWEST_SHOWDOWNS = 5
SMALLEST_POT = 500
"""Chips; a smaller one is nobody's pride."""
SLOW_MS = 200
"""Nobody's answers are compared before somebody takes so long."""
SMALLEST_LUCK = 500
"""Chips; less is nobody's luck."""


class Statistics:
    """The statistics of all bots in one tournament, counted event by event."""

    def __init__(self) -> None:
        self._table = TableState()
        self._odds = HandOdds()
        self._rows: dict[int, BotStatistics] = {}
        self._in: set[int] = set()
        self._raised: set[int] = set()
        self._last_in: dict[int, Chance] = {}
        self._runs_out = False
        self._pots: list[PotAwarded] = []

    def take(self, event: Event, table: TableState, odds: HandOdds) -> None:
        """Counts `event`, after which the table and everybody's chances are such."""
        self._table, self._odds = table, odds
        match event:
            case TournamentOpened(entrants=entrants):
                self._rows = {entrant.bot: BotStatistics(entrant.bot) for entrant in entrants}
            case ActionTaken():
                self._acted(event)
            case StreetDealt():
                self._runs_out = self._closed()
            case PotAwarded():
                self._pots.append(event)
            case FaultNoted(bot=bot):
                self._add(bot, faults=1)
            case HandEnded():
                self._end_hand()
            case _:
                pass

    @property
    def event(self) -> StatisticsChanged:
        """The event that puts them on air as they are now."""
        rows = tuple(self._rows.values())
        return StatisticsChanged(rows, tuple(notices(rows)))

    def _acted(self, event: ActionTaken) -> None:
        bot = self._table.bots[event.seat]
        bold = event.act in ("bet", "raise")
        self._add(bot, bets=int(bold), calls=int(event.act == "call"), faults=int(event.fault != ""))
        if not event.fault:
            self._add(bot, answers=1, think_ms=event.think_ms)
        if self._table.street == "preflop" and event.amount:
            self._in.add(bot)
            self._raised |= {bot} if bold else set()
        self._last_in = self._odds.now

    def _closed(self) -> bool:
        """Whether at most one of those still in has chips left, so that nobody can bet any more."""
        live = [seat for seat in self._table.seats if seat.live]
        return len(live) > 1 and sum(seat.stack > 0 for seat in live) <= 1

    def _end_hand(self) -> None:
        table = self._table
        for at, seat in enumerate(table.seats):
            if not seat.dealt_in:
                continue
            bot, seen, won = table.bots[at], seat.ranking != "", seat.won > 0
            self._add(bot, hands=1, vpip=int(bot in self._in), pfr=int(bot in self._raised))
            self._add(bot, showdowns=int(seen), showdowns_won=int(seen and won))
            if seat.won > self._rows[bot].biggest_pot:
                kind = with_article(seat.ranking.split(",")[0])
                self._rows[bot] = replace(self._rows[bot], biggest_pot=seat.won, biggest_with=kind)
        if self._runs_out:
            self._count_luck()
        self._in, self._raised, self._runs_out, self._pots = set(), set(), False, []

    def _count_luck(self) -> None:
        """Expected against actual chips of the pot that everybody plays for, by the chances after the last bet.

        Side pots are left out: what was on air are the chances against everybody.
        """
        table, main = self._table, self._pots[0] if self._pots else None
        if main is None or {*self._last_in} != {*table.live}:
            return
        shares = _shares(self._last_in.values())
        for seat in table.live:
            got = sum(award.amount for award in main.awards if award.seat == seat)
            self._add(table.bots[seat], all_ins=1, luck=got - round(main.amount * shares[seat]))

    def _add(self, bot: int, **counts: int) -> None:
        row = self._rows.get(bot)
        if row is not None:
            self._rows[bot] = replace(row, **{name: getattr(row, name) + count for name, count in counts.items()})


def _shares(chances: Iterable[Chance]) -> dict[int, float]:
    """The share of a pot that each seat may expect, 0 to 1; ties are divided by how often each seat ties."""
    chances_now = list(chances)
    ties = sum(chance.tie for chance in chances_now)
    tied = 1000 - sum(chance.win for chance in chances_now)
    return {each.seat: (each.win + (tied * each.tie / ties if ties else 0)) / 1000 for each in chances_now}


# -- notices --------------------------------------------------------------------------------------


def vpip(row: BotStatistics) -> float:
    """VPIP: the share of its hands, 0 to 1, in which it put chips in before the flop besides its blinds."""
    return row.vpip / row.hands if row.hands else 0.0


def aggression(row: BotStatistics) -> float:
    """How many bets and raises it made for each call."""
    return row.bets / max(1, row.calls)


def think(row: BotStatistics) -> float:
    """How long it thinks on average, in milliseconds."""
    return row.think_ms / row.answers if row.answers else 0.0


def notices(rows: Iterable[BotStatistics]) -> list[Notice]:
    """What stands out, one bot for each title; none where several are level, or after too few hands."""
    bots = list(rows)
    seasoned = [row for row in bots if row.hands >= FEWEST_HANDS]
    clocked = [row for row in bots if row.answers >= FEWEST_ANSWERS]
    clocked = clocked if max(map(think, clocked), default=0) >= SLOW_MS else []
    bold = [row for row in seasoned if row.calls >= FEWEST_CALLS]
    shown = [row for row in bots if row.showdowns >= FEWEST_SHOWDOWNS]
    lucky = [row for row in bots if abs(row.luck) >= SMALLEST_LUCK]
    fortunate, cursed = [row for row in lucky if row.luck > 0], [row for row in lucky if row.luck < 0]
    found = (
        _one(
            "Biggest pot",
            [row for row in bots if row.biggest_pot >= SMALLEST_POT],
            lambda row: row.biggest_pot,
            _pot_words,
        ),
        _one("Loosest", seasoned, vpip, lambda row: f"plays {_share(vpip(row))} of hands"),
        _one("Tightest", seasoned, lambda row: -vpip(row), lambda row: f"plays {_share(vpip(row))} of hands"),
        _one("Boldest", bold, aggression, lambda row: f"{aggression(row):.1f} raises for each call"),
        _one("Raises most", seasoned, lambda row: row.pfr / row.hands, _raise_words),
        _one("Best at showdown", shown, lambda row: row.showdowns_won / row.showdowns, _showdown_words),
        _one("Luckiest", fortunate, lambda row: row.luck, lambda row: f"{row.luck:,} more than fair"),
        _one("Unluckiest", cursed, lambda row: -row.luck, lambda row: f"{-row.luck:,} less than fair"),
        _one("Quickest gun", clocked, lambda row: -think(row), lambda row: _seconds(think(row))),
        _one("Deepest thinker", clocked, think, lambda row: _seconds(think(row))),
        _one("Most misfires", [row for row in bots if row.faults], lambda row: row.faults, _fault_words),
    )
    return [notice for notice in found if notice]


def _one(
    title: str,
    rows: list[BotStatistics],
    measure: Callable[[BotStatistics], float],
    words: Callable[[BotStatistics], str],
) -> Notice | None:
    if not rows:
        return None
    first, *rest = sorted(rows, key=measure, reverse=True)
    level = bool(rest) and measure(rest[0]) == measure(first)
    return None if level else Notice(title, first.bot, words(first))


def _share(part: float) -> str:
    return f"{round(100 * part)}%"


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.1f} seconds an answer"


def _pot_words(row: BotStatistics) -> str:
    return f"{row.biggest_pot:,}{f' with {row.biggest_with}' if row.biggest_with else ''}"


def _raise_words(row: BotStatistics) -> str:
    return f"raises {_share(row.pfr / row.hands)} of hands"


def _showdown_words(row: BotStatistics) -> str:
    return f"won {row.showdowns_won} of {row.showdowns}"


def _fault_words(row: BotStatistics) -> str:
    return f"{row.faults} fault{'' if row.faults == 1 else 's'}"
