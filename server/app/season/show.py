"""The show of a season. It shows recordings of finished games, so the bots never wait for the show. After each game,
the show chooses the next one. It considers the finished games that began after its last choice, and shows the most
interesting of them.
"""

import asyncio
import contextlib
import logging
import shutil
import time
from collections.abc import Iterable

from msgspec.structs import replace

from broadcast.commentary.storylines.earlier_facts import EarlierFacts
from broadcast.desk.desk import Desk
from broadcast.obs.control import ObsControl
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from broadcast.show.status import ShowStatus
from broadcast.web.access import Tokens
from server.console import say
from server.game.events import ControlSet, CueGiven, Event
from server.journal.bus import Bus
from server.journal.journal import JournalDamaged, read_journal
from server.journal.studio_link import Health
from server.season.events import GameRated
from server.season.files import SeasonFiles
from server.season.ledger import Ledger
from server.season.season_state import Game
from server.text.grammar import count_text
from server.tournament.control_values import Controls, evolve

BEFORE_START = ShowStatus("starting", "the season has not begun", 0, 0, 0, 1, 1, "waiting for the start")
NOTHING_YET = ShowStatus("starting", "waiting for the first game", 0, 0, 0, 1, 1, "waiting for the table")
REFUSED_CONTROLS = {
    "stage_end": "a season has no stages",
    "unseen": "a season never waits for its show",
}
"""The desk's controls that a season refuses, and why."""
FEW_HANDS = 10
"""A game with fewer hands than this is shown only for lack of a longer game."""


def interest_key(game: Game) -> tuple[bool, int]:
    """Returns the key that sorts games by how interesting they are. The best game has the greatest key. Short games
    and forfeited games come last. Other games are better if their bots are strong and have similar ratings.
    """
    defender, challenger = game.ratings_before
    is_long = game.forfeited < 0 and game.hands >= FEW_HANDS
    return is_long, defender + challenger - 2 * abs(defender - challenger)


def earlier_duels(games: Iterable[Game], game: Game) -> EarlierFacts:
    """Returns the earlier games between the two players of `game`, and which of these games each player won. The player
    whose bot had more chips is the winner. In the result, a bot is identified by its player's number.
    """
    duels, won = list[str](), {player: list[str]() for player in game.players}
    for other in games:
        if other.number < game.number and other.over and not other.void_reason and {*other.players} == {*game.players}:
            duels.append(f"season/{other.number}")
            if other.stacks[0] != other.stacks[1]:
                won[other.players[other.stacks[1] > other.stacks[0]]].append(duels[-1])
    return EarlierFacts(duels=tuple(duels), duels_won={player: tuple(names) for player, names in won.items()})


class SeasonShow:
    """The show of one season, and its control desk. Pausing the show does not stop the season."""

    def __init__(self, air: AirLog, ledger: Ledger, store: SeasonFiles, *, waits_for_start: bool = False) -> None:
        """The show is written to `air`. If `waits_for_start`, the season starts only when START is pressed at the
        desk.
        """
        self.shown_games: list[int] = []
        """The numbers of the games that were shown, including the one on air."""
        self.on_air = 0
        """The number of the game on air, or 0 for none."""
        self.showrunner: Showrunner | None = None
        """The show that is on air or, between two games, the last show. None before the first game."""
        self._is_running = False
        self._air = air
        self._ledger = ledger
        self._store = store
        self._considered_game_count = len(ledger.standings.games)
        self._bus = Bus(None, time.monotonic)
        self._controls = Controls(started=not waits_for_start)
        self._start_pressed = asyncio.Event()
        self._operator_settings: dict[tuple[str, int], ControlSet] = {}

    def make_desk(self, tokens: Tokens, obs: ObsControl | None, publisher: LivePublisher | None = None) -> Desk:
        """Makes the show's control desk. `tokens` give access to the desk. The operator's settings last until the
        program ends.
        """
        self._desk = Desk(
            tokens,
            self._request,
            controls=lambda: self._controls,
            health=self._health,
            status=lambda: self.status,
            bots=self._names,
            recordings=self._ledger.path.parent,
            obs=obs,
            publishing=publisher.health_light if publisher else None,
        )
        return self._desk

    @property
    def status(self) -> ShowStatus:
        if self.showrunner:
            status = self.showrunner.status
            # a game has no stage that the desk could end, and its winner does not end the season
            return replace(status, stage=None, is_over=status.is_over and not self._is_running)
        return NOTHING_YET if self._controls.started else BEFORE_START

    def _health(self) -> Health:
        """Returns how many games were played, and the state of the ledger. Leaves out the state of bots, because each
        game starts and ends its own bots.
        """
        standings, path = self._ledger.standings, self._ledger.path
        doing = f"{count_text(standings.counted_games, 'game')}, {len(standings.open_games)} of them being played"
        journal_bytes, disk_free_bytes = 0, 0
        with contextlib.suppress(OSError):  # the folder may have been removed
            journal_bytes, disk_free_bytes = path.stat().st_size, shutil.disk_usage(path.parent).free
        return Health(
            doing="the season is over" if standings.seed else doing if self._controls.started else BEFORE_START.waiting,
            entries=len(self._ledger.entries),
            journal_bytes=journal_bytes,
            disk_free_bytes=disk_free_bytes,
        )

    async def wait_for_start(self) -> None:
        """Waits until START is pressed at the desk. Returns at once if the season starts by itself."""
        if not self._controls.started:
            say("ready; the season begins when START is pressed at the desk")
            await self._start_pressed.wait()

    async def run(self) -> None:
        """Shows games until the season is over and its last game has been shown."""
        self._is_running = True
        try:
            while game := await self._choose_game():
                self._considered_game_count, self.on_air = len(self._ledger.standings.games), game.number
                await self._show_game(game)
                self.on_air = 0
        finally:
            self._is_running, self.on_air = False, 0

    def withholds(self, event: Event) -> bool:
        """Whether an event of the season's record must stay secret. This is so if the event is the result of a game
        that is on air or might still be shown.
        """
        if not self._is_running or not isinstance(event, GameRated):
            return False
        return event.game == self.on_air or event.game > self._considered_game_count

    async def _choose_game(self) -> Game | None:
        """Waits for new games. Returns the most interesting of them, or None once the season is over."""
        standings = self._ledger.standings
        while True:
            new_games = [
                game for game in standings.games[self._considered_game_count :] if game.over and not game.void_reason
            ]
            if new_games:
                return max(new_games, key=interest_key)
            if standings.seed:
                return None
            await self._ledger.wait_for_change()

    async def _show_game(self, game: Game) -> None:
        """Shows one game from its recording, or prints why the recording cannot be read."""
        path = self._store.game_files(game.number).journal
        try:
            entries = read_journal(path).entries
        except (OSError, JournalDamaged) as error:
            say(f"game {game.number} cannot be shown: {error}")
            return
        self.shown_games.append(game.number)
        bus = self._bus = Bus(None, time.monotonic)
        bus.load(entries)
        bus.publish(*self._operator_settings.values())
        # The desk's events reach the show through the bus, so the bus stays open until the show has its winner.
        show = self.showrunner = Showrunner(
            self._air, clock=time.monotonic, on_crowned=bus.close, odds=OddsCalculator()
        )
        show.use_earlier_contests(earlier_duels(self._ledger.standings.games, game))
        try:
            await show.run(bus.follow())
        except Exception as error:  # the season continues without its show
            logging.getLogger(__name__).error("the show of game %d failed: %s", game.number, error, exc_info=error)

    async def _request(self, event: ControlSet | CueGiven, _stage: int) -> str:
        if isinstance(event, ControlSet):
            if event.control in REFUSED_CONTROLS:
                return REFUSED_CONTROLS[event.control]
            self._controls = evolve(self._controls, event)
            if event.control == "started":
                self._start_pressed.set()
            else:
                self._operator_settings[event.control, event.bot] = event
        self._bus.publish(event)
        self._desk.apply(event)
        return ""

    def _names(self) -> dict[int, str]:
        standings = self._ledger.standings
        names = {player.number: player for player in standings.players.values() if player.active}
        return {number: standings.uploads[player.active].name for number, player in names.items()}
