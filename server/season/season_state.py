"""Follows the state of a season (many rated games) through its ledger: players, uploads, games, ratings, places."""

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from server.game.events import Event, Fault
from server.game.ratings import STARTING_RATING
from server.journal.journal import Entry
from server.season import events
from server.season.pairing import players_by_rating

LAST_GAMES = 10
MAX_POINTS = 400
"""The maximum number of points in a player's rating graph. No page is wide enough to show more."""


class Upload(Struct):
    """One version of a bot. `fault` says why the version cannot play, or is ""."""

    number: int
    player: int
    name: str
    digest: str
    built: bool = False
    tested: bool = False
    fault: str = ""

    @property
    def ready(self) -> bool:
        """Whether the version was built and tested without a fault, so that its owner may activate it."""
        return self.built and self.tested and not self.fault


class Player(Struct):
    """A player. `active` is the number of the upload that plays, or 0. `seal` is a hash of the player's secret."""

    number: int
    name: str
    seal: str
    active: int = 0
    removed: bool = False
    """Whether the operator has removed the player. The name is then free, and the secret is no longer valid."""
    uploads: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    """The numbers of the player's rated games, oldest first."""
    won: int = 0
    lost: int = 0
    tied: int = 0
    ratings: list[int] = field(default_factory=lambda: [STARTING_RATING])
    """The initial rating and the ratings after each game, in hundredths of a point."""
    places: deque[int] = field(default_factory=lambda: deque(maxlen=LAST_GAMES + 1))
    """The player's place after each of the latest games, oldest first."""

    @property
    def rating(self) -> int:
        """The current rating, in hundredths of a point."""
        return self.ratings[-1]

    def rating_history(self) -> list[tuple[int, int]]:
        """Returns the points of the rating graph, oldest first. Each point is a number of games and the rating after
        these games.
        """
        games = len(self.ratings) - 1
        shown_counts = (*range(0, games, games // MAX_POINTS + 1), games)
        return [(count, self.ratings[count]) for count in shown_counts]


class Game(Struct):
    """A game. `over` is true once the game is rated or void. Pairs are (defender, challenger).

    `ratings_before` and `ratings_after` are ratings in hundredths of a point. `forfeited` is the side whose fault ended
    the game: 0 or 1, or -1 if no fault ended it. `reason` describes this fault. `void_reason` says why the game does
    not count, or is "".
    """

    number: int
    draw: int
    uploads: events.Pair
    players: events.Pair
    ratings_before: events.Pair
    began_ms: int
    ratings_after: events.Pair = (0, 0)
    stacks: events.Pair = (0, 0)
    hands: int = 0
    forfeited: int = -1
    fault: Fault = ""
    reason: str = ""
    void_reason: str = ""
    over: bool = False


class Standings:
    """The state of one season so far."""

    def __init__(self) -> None:
        self.title = ""
        self.seed_commitment = ""
        self.seed = ""
        """The secret seed, or "" before the season is over."""
        self.players: dict[int, Player] = {}
        self.uploads: dict[int, Upload] = {}
        self.games: list[Game] = []
        self.counted_games = 0
        """The number of games that have been started and are not void."""
        self.open_games: set[int] = set()
        """The numbers of the games that are being played."""
        self.draw = 0
        """The number of the current draw, in which each active player challenges another player once."""
        self.challengers_left: list[int] = []
        """The players who have not yet challenged in the current draw, in the order of the draw."""
        self.leaderboard: list[int] = []
        """The numbers of the players whose bots play or have played, best first. Removed players are left out."""

    def game(self, number: int) -> Game | None:
        """Returns game `number`, or None."""
        return self.games[number - 1] if 0 < number <= len(self.games) else None

    def members(self) -> list[Player]:
        """Returns all players who were not removed, in the order in which they entered."""
        return [player for player in self.players.values() if not player.removed]

    def ranking(self) -> list[int]:
        """Returns the active players, best first. Opponents are drawn from neighbours in this list."""
        return [number for number in self.leaderboard if self.players[number].active]

    def busy_players(self) -> set[int]:
        """Returns the players who are in a game now."""
        return {player for number in self.open_games for player in self.games[number - 1].players}

    def place(self, player: int) -> int:
        """Returns a player's place on the leaderboard, from 1. Raises ValueError if the player is not on the
        leaderboard.
        """
        return self.leaderboard.index(player) + 1

    def places_risen(self, player: Player) -> int:
        """Returns how many places a player rose over the last ten games. A fall is negative."""
        return player.places[0] - self.place(player.number) if player.places else 0

    def finished_games_page(self, player: int, page: int, per_page: int) -> tuple[Sequence[Game], int]:
        """Returns one page of a player's finished games, latest first, and the number of pages.

        Pages are numbered from 1 and have `per_page` games. If `player` is 0, the pages list all games of the season,
        even open and void games.
        """
        numbers = self.players[player].games if player in self.players else range(1, len(self.games) + 1)
        end = len(numbers) - (page - 1) * per_page
        page_numbers = reversed(numbers[max(end - per_page, 0) : max(end, 0)])
        return [self.games[number - 1] for number in page_numbers], max(-(-len(numbers) // per_page), 1)

    def apply_entries(self, entries: Iterable[Entry]) -> None:
        """Applies the next entries of a ledger."""
        for entry in entries:
            self.apply(entry.event, entry.at_ms)

    def apply(self, event: Event, at_ms: int) -> None:
        """Applies the next event of the ledger. `at_ms` is the event's time in the ledger, in milliseconds."""
        match event:
            case events.SeasonOpened(title=title, seed_commitment=commitment):
                self.title, self.seed_commitment = title, commitment
            case events.DrawBegun(draw=draw, order=order):
                self.draw, self.challengers_left = draw, list(order)
            case events.GamePaired():
                self._add_game(event, at_ms)
            case events.GameRated():
                self._add_result(event)
            case events.GameVoided(game=number, reason=reason):
                self._end_game(number).void_reason = reason
                self.counted_games -= 1
            case events.SeasonEnded(seed=seed):
                self.seed = seed
            case _:
                self._apply_to_bots(event)

    def _apply_to_bots(self, event: Event) -> None:
        match event:
            case events.PlayerEntered(player=number, name=name, seal=seal):
                self.players[number] = Player(number, name, seal)
            case events.PlayerRemoved(player=number):
                self.players[number].removed, self.players[number].active = True, 0
                self._update_leaderboard()
            case events.BotUploaded(upload=number, player=player, name=name, digest=digest):
                self.uploads[number] = Upload(number, player, name, digest)
                self.players[player].uploads.append(number)
            case events.BotBuilt(upload=number, fault=fault):
                self.uploads[number].built, self.uploads[number].fault = not fault, fault
                if fault and self.players[self.uploads[number].player].active == number:
                    self.players[self.uploads[number].player].active = 0
                    self._update_leaderboard()
            case events.BotTested(upload=number, fault=fault):
                self.uploads[number].tested, self.uploads[number].fault = True, fault
            case events.BotActivated(upload=number):
                self.players[self.uploads[number].player].active = number
                self._update_leaderboard()

    def _add_game(self, event: events.GamePaired, at_ms: int) -> None:
        defender, challenger = (self.uploads[upload].player for upload in event.uploads)
        players = defender, challenger
        self.games.append(Game(event.game, event.draw, event.uploads, players, event.ratings, at_ms))
        self.open_games.add(event.game)
        self.counted_games += 1
        if challenger in self.challengers_left:
            self.challengers_left.remove(challenger)

    def _end_game(self, number: int) -> Game:
        game = self.games[number - 1]
        game.over = True
        self.open_games.discard(number)
        return game

    def _add_result(self, event: events.GameRated) -> None:
        game = self._end_game(event.game)
        game.ratings_after, game.stacks, game.hands = event.ratings, event.stacks, event.hands
        game.forfeited, game.fault, game.reason = event.forfeited, event.fault, event.reason
        pair = [self.players[number] for number in game.players]
        for side, player in enumerate(pair):
            own_stack, other_stack = event.stacks[side], event.stacks[1 - side]
            player.won += own_stack > other_stack
            player.lost += own_stack < other_stack
            player.tied += own_stack == other_stack
            player.ratings.append(player.rating + event.ratings[side] - game.ratings_before[side])
            player.games.append(game.number)
        self._update_leaderboard()
        for player in pair:
            if not player.removed:
                player.places.append(self.place(player.number))

    def _update_leaderboard(self) -> None:
        ranked_players = (player for player in self.members() if player.active or player.games)
        self.leaderboard = players_by_rating({player.number: player.rating for player in ranked_players})
