"""The games of a contest that are over, for the authors of their bots: taken in event by event. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from server.game.events import (
    ActionTaken,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    StageStarted,
    TournamentOpened,
    TurnStarted,
)


class AiredGame(Struct):
    """A game of a bot that has been on air: what it won in chips, its answer times, the first hand in the show."""

    game: int
    stage: str
    first_hand: int
    """Counted over all hands of the show, from 1."""
    hands: int = 0
    won: int = 0
    limit_ms: int = 0
    times: list[int] = []
    faults: int = 0
    """Turns without a valid answer in time, though it was there."""
    gone: int = 0
    """Turns that came after it had gone."""

    @property
    def slowest(self) -> int:
        """The slowest answer, in milliseconds; 0 without any."""
        return max(self.times, default=0)


class AuthorGames:
    """The games of all bots, and the events of each game."""

    def __init__(self) -> None:
        self._hands = 0
        self._stage = ""
        self._before: list[Event] = []
        """What a game needs to be understood: how the contest opened, and its stages."""
        self._on: list[tuple[int, AiredGame]] = []
        """By seat, the bots of the game that is on, each with its game."""
        self._stacks: tuple[int, ...] = ()
        self._game = 0
        self._of_bots: dict[int, list[AiredGame]] = {}
        self._events: dict[int, list[Event]] = {}

    def of(self, bot: int) -> Sequence[AiredGame]:
        """The games of a bot, the latest last."""
        return self._of_bots.get(bot, ())

    def events(self, game: int) -> list[Event]:
        """The events of a game that is over, and those of the contest without which they mean nothing."""
        return [*self._before, *self._events[game]]

    def take(self, event: Event) -> None:
        """Takes in the next event."""
        if self._on or isinstance(event, GameStarted):
            self._take_in_game(event)
        if isinstance(event, TournamentOpened | StageStarted):
            self._before.append(event)
            self._stage = event.title if isinstance(event, StageStarted) else ""

    def _take_in_game(self, event: Event) -> None:
        match event:
            case GameStarted(game=number):
                self._game, self._stacks = number, event.stacks
                self._events[number] = []
                self._on = [(bot, AiredGame(number, self._stage, self._hands + 1)) for bot in event.seats]
            case HandStarted():
                self._hands += 1
                for _, game in self._on:
                    game.hands += 1
            case TurnStarted(seat=seat):
                self._on[seat][1].limit_ms = event.think_ms
            case ActionTaken(seat=seat):
                played = self._on[seat][1]
                played.times.append(event.think_ms)
                gone = event.fault == "disconnected"
                played.gone += gone
                played.faults += bool(event.fault) and not gone
            case _:
                pass
        self._events[self._game].append(event)
        if isinstance(event, GameEnded):
            self._end(event)

    def _end(self, event: GameEnded) -> None:
        for (bot, game), began, left in zip(self._on, self._stacks, event.stacks, strict=True):
            game.won = left - began
            self._of_bots.setdefault(bot, []).append(game)
        self._on = []
