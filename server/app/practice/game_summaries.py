"""Describes a finished practice game for a bot's author: its result, the bot's faults and its answer times.

The process `python -m server.app.practice.game_summaries LINK SOCKETS` makes the descriptions. A description takes a
tenth of a second, which would delay the process that shows the games.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct

from broadcast.odds.certainty import Interval, interval_of
from broadcast.odds.earned import NOTHING_EARNED, earned_in_each_unit
from server.app.decisions.faults import FaultReport
from server.app.practice.games.child import Alive, Child, run_child
from server.app.practice.games.plan import GUEST_NUMBER
from server.app.results.ladder_place import RungResults
from server.game.events import ActionTaken, Event, GameStarted, TournamentEnded, TournamentOpened, TurnStarted
from server.journal.journal import JournalDamaged, read_journal
from server.journal.studio_link import Link, Message
from server.system.processes import lower_priority

BINS_MS = (10, 30, 100, 300, 1000, 3000)
"""The longest answer time that each bar of a chart includes, in milliseconds. One more bar is for longer times."""


class GameSummary(Struct, frozen=True):
    """A description of one practice game. `recording` is the recording's name. Despite its name, `begun` is the time
    when the game ended, in seconds since 1970.

    The bot took place `place` among `of` bots, and won `won` chips. `earned` is `won` without the luck of the board
    cards, or None if cards are unknown. `rivals` has the name and the earnings of each house bot, but leaves out
    house bots with unknown earnings. `times` are the bot's answer times in milliseconds, and `limit_ms` is the limit
    for each answer.
    """

    recording: str
    begun: int
    place: int
    of: int
    hands: int
    won: int
    earned: float | None
    limit_ms: int
    times: tuple[int, ...] = ()
    faults: tuple[FaultReport | str, ...] = ()
    """Older versions of the server stored faults as text."""
    more: int = 0
    """The number of faults beyond those in `faults`."""
    rivals: tuple[tuple[str, float], ...] = ()
    bot: int = GUEST_NUMBER
    """The bot's number in the game."""
    against: tuple[str, ...] = ()
    """The name of the other author's bot, if the game was a challenge."""
    strength: int = 0
    """The strength of all house bots, from 1, or 0 if the author did not choose it."""


class PracticePage(Struct, frozen=True):
    """The latest games of one bot, the oldest first. `rungs` has the bot's results against house bots of each strength.
    These results include games that are no longer listed.
    """

    name: str
    games: tuple[GameSummary, ...] = ()
    rungs: RungResults = ()
    client: str = ""
    """A hash of the bot's latest address, or "" on pages from older versions."""


class HouseBotComparison(Struct, frozen=True):
    """A house bot compared with the author's bot, in the games in which both bots played. In these games, the house bot
    earned `ahead` more chips per game than the author's bot.

    `interval` is the 95 % interval of `ahead`. It is None if there are fewer than five games, or if their results
    are too similar.
    """

    name: str
    games: int
    ahead: float
    interval: Interval | None


class Totals(Struct, frozen=True):
    """Statistics of a page's games. `won` and `earned` are chips per game, and all times are in milliseconds.

    `interval` is the 95 % interval of `earned`. It is None if there are fewer than five games, or if their results are
    too similar. `bars` has the number of answers for each upper bound in `BINS_MS`, and then the number of all slower
    answers. Of 100 answers, 99 took at most `p99`.
    """

    hands: int
    won: float
    earned: float
    interval: Interval | None
    answers: int
    p99: int
    slowest: int
    limit: int
    bars: tuple[int, ...]
    faults: int
    met: tuple[HouseBotComparison, ...]
    """The house bots that the bot met at their usual strength, the most successful first."""

    @property
    def better_and_worse_counts(self) -> tuple[int, int]:
        """How many house bots are better than the author's bot, and how many are worse. Ignores differences that are
        not certain at 95 % confidence.
        """
        intervals = [comparison.interval for comparison in self.met if comparison.interval]
        return sum(interval.low > 0 for interval in intervals), sum(interval.high < 0 for interval in intervals)

    @property
    def place(self) -> int:
        """The bot's place among the house bots: 1 if no house bot has earned more."""
        return 1 + sum(comparison.ahead > 0 for comparison in self.met)


class SummaryOrder(Message, frozen=True):
    """An order to describe the game whose recording is at `path`. The other fields have facts about the game that are
    not in the recording.

    `bot` is the number of the author's bot. `against` has the name of the other author's bot, if there is one.
    `strength` is the strength of the house bots.
    """

    recording: str
    path: str
    ended: int
    faults: tuple[FaultReport, ...]
    more: int
    bot: int
    strength: int
    against: tuple[str, ...]


def summarize_game(order: SummaryOrder, events: Sequence[Event]) -> GameSummary:
    """Describes a game from its events. Raises LookupError or ValueError if the events contradict each other."""
    bot, author_count = order.bot, 1 + len(order.against)
    end_event = next(event for event in reversed(events) if isinstance(event, TournamentEnded))
    seat, limit, times = -1, 0, list[int]()
    for event in events:
        match event:
            case GameStarted(seats=seats):
                seat = seats.index(bot)
            case TurnStarted(think_ms=ms) if event.seat == seat:
                limit = ms
            case ActionTaken(think_ms=ms) if event.seat == seat:
                times.append(ms)
    # A practice game is a single unit, in which each bot's earnings are added up.
    unit = next((unit for unit in earned_in_each_unit(events) if bot in unit), {})
    result = unit.get(bot, NOTHING_EARNED)
    opened = (event for event in events if isinstance(event, TournamentOpened))
    names = {entrant.bot: entrant.name for event in opened for entrant in event.entrants}
    return GameSummary(
        order.recording,
        order.ended,
        next(placing.place for placing in end_event.placings if placing.bot == bot),
        len(end_event.placings),
        result.hands,
        round(result.won),
        None if result.unknown else float(result.earned),
        limit,
        tuple(times),
        order.faults,
        order.more,
        tuple(
            (names[rival], float(own.earned)) for rival, own in unit.items() if rival > author_count and not own.unknown
        ),
        bot,
        order.against,
        order.strength,
    )


@lru_cache(maxsize=128)
def compute_totals(page: PracticePage) -> Totals:
    """Returns the statistics of a page's games. The function is cached because confidence intervals take long to
    compute, and pages are viewed repeatedly.
    """
    games = [game for game in page.games if game.hands]
    earnings = [game.won if game.earned is None else game.earned for game in games]
    times = sorted(ms for game in games for ms in game.times)
    bars = Counter(bisect_left(BINS_MS, ms) for ms in times)
    return Totals(
        sum(game.hands for game in games),
        fmean(game.won for game in games) if games else 0.0,
        fmean(earnings) if games else 0.0,
        interval_of(earnings),
        len(times),
        times[min(len(times) - 1, len(times) * 99 // 100)] if times else 0,
        times[-1] if times else 0,
        max((game.limit_ms for game in games), default=0),
        tuple(bars[index] for index in range(len(BINS_MS) + 1)),
        sum(len(game.faults) + game.more for game in games),
        _compare_with_house_bots([game for game in games if not game.strength]),
    )


def _compare_with_house_bots(games: Sequence[GameSummary]) -> tuple[HouseBotComparison, ...]:
    leads_by_name: dict[str, list[float]] = {}
    for game in games:
        for name, earned in game.rivals if game.earned is not None else ():
            leads_by_name.setdefault(name, []).append(earned - (game.earned or 0))
    items = leads_by_name.items()
    met = (HouseBotComparison(name, len(leads), fmean(leads), interval_of(leads)) for name, leads in items)
    return tuple(sorted(met, key=lambda comparison: -comparison.ahead))


class SummaryAnswer(Message, frozen=True):
    """The answer to an order: the game's description, or None and the reason."""

    game: GameSummary | None
    why: str = ""


class GameSummarizer:
    """Lets another process describe games, one after the other."""

    def __init__(self) -> None:
        decoder = msgspec.json.Decoder[Alive | SummaryAnswer](Alive | SummaryAnswer)
        self.child = Child("server.app.practice.game_summaries", (), decoder, self._on_message, self._on_end)
        self._lock = asyncio.Lock()
        self._answer_future: asyncio.Future[SummaryAnswer] | None = None

    async def summarize(self, order: SummaryOrder) -> SummaryAnswer:
        """Lets the other process describe the game of an order."""
        async with self._lock:
            self._answer_future = asyncio.get_running_loop().create_future()
            self.child.send(order)
            return await self._answer_future

    def _on_message(self, message: Alive | SummaryAnswer) -> None:
        if isinstance(message, SummaryAnswer) and self._answer_future and not self._answer_future.done():
            self._answer_future.set_result(message)

    def _on_end(self, why: str) -> str:
        self._on_message(SummaryAnswer(None, f"the process that computed it {why}"))
        return "it is restarted"


def summarize(order: SummaryOrder) -> SummaryAnswer:
    """Describes the game of an order. If that fails, returns the reason."""
    try:
        events = [entry.event for entry in read_journal(Path(order.path)).entries]
        return SummaryAnswer(summarize_game(order, events))
    except (OSError, JournalDamaged, LookupError, ValueError, StopIteration) as error:
        return SummaryAnswer(None, str(error))


async def summarize_games(link: Link) -> None:
    """Describes the games that the server orders over `link`."""
    async for order in link.messages(msgspec.json.Decoder(SummaryOrder)):
        link.send(await asyncio.to_thread(summarize, order))


if __name__ == "__main__":
    lower_priority(19)  # running games need the processor more
    run_child(summarize_games)
