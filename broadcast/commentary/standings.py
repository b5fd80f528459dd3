"""The standings of a stage: who has how many chips after how many games, and who advances. Pure."""

from broadcast.on_air.events import StandingsChanged
from broadcast.on_air.facts import Standing
from server.game.events import BotEliminated, Event, GameEnded, GameStarted, StageStarted, TournamentOpened


class Standings:
    """The standings of a stage, counted game by game."""

    def __init__(self) -> None:
        self._stacks: dict[int, int] = {}
        self._games: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._wins: dict[int, int] = {}
        self._sums: dict[int, int] = {}
        """Of everybody's places in the games of a series."""
        self._ranks: dict[int, int] = {}
        self._stage = StageStarted(0, "", 0, 0, (), ())
        self._seats: tuple[int, ...] = ()

    def take(self, event: Event) -> None:
        """Counts `event`. Raises KeyError for a bot that is no entrant, as in a forged recording."""
        match event:
            case TournamentOpened(entrants=entrants, starting_stack=stack):
                self._stacks = {entrant.bot: stack for entrant in entrants}
                self._games = dict.fromkeys(self._stacks, 0)
            case StageStarted(bots=bots, stacks=stacks):
                self._stage = event
                self._stacks |= dict(zip(bots, stacks, strict=True))
                self._ranks = {}
                self._wins, self._sums = dict.fromkeys(bots, 0), dict.fromkeys(bots, 0)
            case GameStarted(seats=seats):
                self._seats = seats
                for bot in seats:
                    self._games[bot] += 1
                    self._places.pop(bot, None)
            case GameEnded(stacks=stacks, ranking=ranking):
                self._stacks |= dict(zip(self._seats, stacks, strict=True))
                for place, bot in enumerate(ranking, 1):
                    self._wins[bot] += place == 1
                    self._sums[bot] += place
            case BotEliminated(bot=bot, place=place):
                self._places[bot] = place
            case _:
                pass

    @property
    def are_shown(self) -> bool:
        """Whether standings are shown between games: only if the stage has more than one."""
        return self._stage.games != 1

    @property
    def has_next(self) -> bool:
        """Whether another stage follows this one."""
        return self._stage.advance > 0

    def event(self) -> StandingsChanged:
        """The event that puts the table on air as it is now; places gained and lost count from the last such event."""
        best_first = sorted(self._stage.bots, key=self._ranked_by)
        rows = []
        for rank, bot in enumerate(best_first, 1):
            moved = self._ranks.get(bot, rank) - rank
            place = 0 if self._stage.series else self._places.get(bot, 0)
            rows.append(Standing(rank, bot, self._stacks[bot], moved, self._games[bot], place, self._wins[bot]))
            self._ranks[bot] = rank
        return StandingsChanged(tuple(rows), self._stage.advance)

    def _ranked_by(self, bot: int) -> tuple[int, int, int]:
        if self._stage.series:
            return -self._wins[bot], self._sums[bot], bot
        return self._places.get(bot, 0), -self._stacks[bot], bot
