"""Reports on each bot in a series of games, from the events: games won, thinking time, timeouts and errors."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from server.game.events import ActionTaken, Event, GameStarted
from server.game.tournament import Tournament


class Tally(Struct, frozen=True):
    """One bot's report. Action errors are refused actions, unreadable answers and lost connections, not timeouts."""

    games_won: int = 0
    actions: int = 0
    mean_think_ms: int = 0
    timeouts: int = 0
    action_errors: int = 0
    action_error_share: float = 0.0
    """Action errors as a share of the bot's actions, from 0 to 1."""


class SeriesTallies:
    """Counts the actions, times and errors of each bot in a series."""

    def __init__(self) -> None:
        self._seats: tuple[int, ...] = ()
        self._actions, self._think_ms = Counter[int](), Counter[int]()
        self._timeouts, self._errors = Counter[int](), Counter[int]()

    def apply(self, event: Event) -> None:
        match event:
            case GameStarted(seats=seats):
                self._seats = seats
            case ActionTaken(seat=seat, think_ms=think_ms, fault=fault):
                bot = self._seats[seat]
                self._actions[bot] += 1
                self._think_ms[bot] += think_ms
                if fault:
                    (self._timeouts if fault == "timeout" else self._errors)[bot] += 1

    def report(self, tournament: Tournament) -> Mapping[int, Tally]:
        """Returns the bots' reports, keyed by bot number. `tournament` is the state after all applied events."""
        tallies = {}
        for bot, record in tournament.records.items():
            actions, errors = self._actions[bot], self._errors[bot]
            mean, share = round(self._think_ms[bot] / max(1, actions)), round(errors / max(1, actions), 4)
            tallies[bot] = Tally(record.games_won, actions, mean, self._timeouts[bot], errors, share)
        return tallies
