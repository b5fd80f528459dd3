"""What an author is told of a practice game that is over: its result, its faults, its answer times. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.odds.certainty import FEWEST, Interval, interval_of
from broadcast.odds.earned import NOTHING, units_of
from server.app.practice.guests import GUEST
from server.game.events import ActionTaken, Event, GameStarted, TournamentEnded, TurnStarted

BINS_MS = (10, 30, 100, 300, 1000, 3000)
"""The upper ends of the bars in which answer times are counted; the last bar has all that took longer."""


class OwnGame(Struct, frozen=True):
    """One practice game: `recording` is its name, `begun` when, in seconds since 1970.

    `earned` is what was won without luck of the board, in chips, None where cards are not known. `times` are its
    answer times, `limit_ms` is what it had for each.
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
    faults: tuple[str, ...] = ()
    more: int = 0
    """Faults beyond those in `faults`."""


class OwnPage(Struct, frozen=True):
    """All games of one bot, the latest last."""

    name: str
    games: tuple[OwnGame, ...] = ()


class Totals(Struct, frozen=True):
    """A page in numbers: chips in 100 hands, with the 95 % interval of what was earned, None for fewer than five games.

    `bars` are how many answers fell into each bar of `BINS_MS` and beyond; `p99` is the time within which 99 of 100
    were given.
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


def game_of(recording: str, begun: int, events: Sequence[Event], faults: Sequence[str], more: int) -> OwnGame:
    """The game of the bot that practises. Raises LookupError or ValueError where the events do not hang together."""
    ended = next(event for event in reversed(events) if isinstance(event, TournamentEnded))
    seat, limit, times = -1, 0, list[int]()
    for event in events:
        match event:
            case GameStarted(seats=seats):
                seat = seats.index(GUEST)
            case TurnStarted(think_ms=ms) if event.seat == seat:
                limit = ms
            case ActionTaken(think_ms=ms) if event.seat == seat:
                times.append(ms)
            case _:
                pass
    result = next((unit[GUEST] for unit in units_of(events) if GUEST in unit), NOTHING)
    return OwnGame(
        recording,
        begun,
        next(placing.place for placing in ended.placings if placing.bot == GUEST),
        len(ended.placings),
        result.hands,
        result.won,
        None if result.unknown else float(result.earned),
        limit,
        tuple(times),
        tuple(faults),
        more,
    )


def totals_of(page: OwnPage) -> Totals:
    """A page's games added up."""
    games = [game for game in page.games if game.hands]
    hands = sum(game.hands for game in games)
    each = [100 * (game.won if game.earned is None else game.earned) / game.hands for game in games]
    times = sorted(ms for game in games for ms in game.times)
    return Totals(
        hands,
        100 * sum(game.won for game in games) / max(1, hands),
        100 * sum(game.won if game.earned is None else game.earned for game in games) / max(1, hands),
        interval_of(each) if len(each) >= FEWEST else None,
        len(times),
        times[min(len(times) - 1, len(times) * 99 // 100)] if times else 0,
        times[-1] if times else 0,
        max((game.limit_ms for game in games), default=0),
        _bars(times),
        sum(len(game.faults) + game.more for game in games),
    )


def _bars(times: Sequence[int]) -> tuple[int, ...]:
    edges = (-1, *BINS_MS)
    within = [sum(low < ms <= high for ms in times) for low, high in zip(edges, BINS_MS, strict=False)]
    return (*within, sum(ms > BINS_MS[-1] for ms in times))
