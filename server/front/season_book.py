"""A season as its ledger tells it: players, versions, games and ratings, kept up to date fact by fact.

Whoever asks gets what it asks for without going through all games. Writes nothing down and decides nothing.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from server.front.season_facts import (
    BotActivated,
    BotBuilt,
    BotTested,
    BotUploaded,
    DrawBegun,
    GamePaired,
    GameRated,
    GameVoided,
    Pair,
    PlayerEntered,
    PlayerRemoved,
    SeasonEnded,
    SeasonOpened,
)
from server.front.season_pairing import ladder
from server.game.events import Event, Fault
from server.game.ratings import START
from server.journal import Entry

LAST_GAMES = 10
MOST_POINTS = 400
"""Of a player's rating history: as many as a line across a page can show."""


class History(Struct):
    """A rating over a player's games, thinned out as it grows."""

    points: list[tuple[int, int]] = field(default_factory=lambda: [(0, START)])
    """After how many games, and what it was then."""
    step: int = 1
    last: tuple[int, int] = (0, START)

    def add(self, games: int, rating: int) -> None:
        """Takes in what the rating is after so many games."""
        self.last = games, rating
        if games % self.step == 0:
            self.points.append(self.last)
        if len(self.points) > MOST_POINTS:
            self.step *= 2
            self.points = self.points[::2]

    def line(self) -> list[tuple[int, int]]:
        """The points to draw, the present one among them."""
        return self.points if self.points[-1] == self.last else [*self.points, self.last]


class Upload(Struct):
    """One version of a bot. `fault` says in words why it cannot play."""

    number: int
    player: int
    name: str
    digest: str
    built: bool = False
    tested: bool = False
    fault: str = ""

    @property
    def ready(self) -> bool:
        return self.built and self.tested and not self.fault


class Player(Struct):
    """Whose bot plays. `active` is the number of its upload, 0 where it has none."""

    number: int
    name: str
    seal: str
    rating: int = START
    active: int = 0
    removed: bool = False
    """By the operator; nobody is known by its name or its secret any more."""
    uploads: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    """Finished ones that count, the oldest first."""
    playing: int = 0
    """The game it is in; 0: in none."""
    won: int = 0
    lost: int = 0
    tied: int = 0
    history: History = field(default_factory=History)
    places: deque[int] = field(default_factory=lambda: deque(maxlen=LAST_GAMES + 1))
    """Where it stood after each of its last games."""


class Game(Struct):
    """One game. `over` once it has been rated, or voided with the reason."""

    number: int
    draw: int
    uploads: Pair
    players: Pair
    before: Pair
    began_ms: int
    after: Pair = (0, 0)
    stacks: Pair = (0, 0)
    hands: int = 0
    forfeited: int = -1
    fault: Fault = ""
    reason: str = ""
    void: str = ""
    over: bool = False
    ended_ms: int = 0


class Book:
    """One season so far."""

    def __init__(self) -> None:
        self.title = ""
        self.seed_commitment = ""
        self.seed = ""
        """Once the season is over."""
        self.players: dict[int, Player] = {}
        self.uploads: dict[int, Upload] = {}
        self.games: list[Game] = []
        self.counted = 0
        """Games paired that were not voided."""
        self.open: set[int] = set()
        """Numbers of games that are being played."""
        self.draw = 0
        self.turns: list[int] = []
        """Players that have still to challenge in the present draw."""
        self.ladder: list[int] = []
        """All players whose bots play or have played, best first; nobody who was removed."""

    # -- reading

    def game(self, number: int) -> Game | None:
        """The game of that number, if there is one."""
        return self.games[number - 1] if 0 < number <= len(self.games) else None

    def members(self) -> list[Player]:
        """Everybody who is in, in the order they came."""
        return [player for player in self.players.values() if not player.removed]

    def active(self) -> set[int]:
        """The players whose bots are to play."""
        return {player.number for player in self.players.values() if player.active}

    def ranking(self) -> list[int]:
        """The active players, best first: the ladder on which opponents are near each other."""
        return [number for number in self.ladder if self.players[number].active]

    def busy(self) -> set[int]:
        """The players whose bots are in a game."""
        return {player for number in self.open for player in self.games[number - 1].players}

    def place(self, player: int) -> int:
        """Its place on the leaderboard, from 1."""
        return self.ladder.index(player) + 1

    def moved(self, player: Player) -> int:
        """How many places it has risen in its last ten games."""
        return player.places[0] - self.place(player.number) if player.places else 0

    def latest(self, of: int, page: int, many: int) -> tuple[Sequence[Game], int]:
        """One page of games, the latest first, and how many pages there are; `of` one player, 0: of all."""
        numbers = self.players[of].games if of in self.players else range(1, len(self.games) + 1)
        end = len(numbers) - (page - 1) * many
        wanted = reversed(numbers[max(end - many, 0) : max(end, 0)])
        return [self.games[number - 1] for number in wanted], max(-(-len(numbers) // many), 1)

    # -- what happens

    def read(self, entries: Iterable[Entry]) -> None:
        """Takes in many."""
        for entry in entries:
            self.take(entry.event, entry.at_ms)

    def take(self, fact: Event, at_ms: int) -> None:
        """Takes in a fact, in the order of the ledger."""
        match fact:
            case SeasonOpened(title=title, seed_commitment=commitment):
                self.title, self.seed_commitment = title, commitment
            case DrawBegun(draw=draw, order=order):
                self.draw, self.turns = draw, list(order)
            case GamePaired():
                self._pair(fact, at_ms)
            case GameRated():
                self._rate(fact, at_ms)
            case GameVoided(game=number, reason=reason):
                self._void(self._close(number, at_ms), reason)
            case SeasonEnded(seed=seed):
                self.seed = seed
            case _:
                self._of_a_bot(fact)

    def _of_a_bot(self, fact: Event) -> None:
        match fact:
            case PlayerEntered(player=number, name=name, seal=seal):
                self.players[number] = Player(number, name, seal)
            case PlayerRemoved(player=number):
                self.players[number].removed, self.players[number].active = True, 0
                self._rank()
            case BotUploaded(upload=number, player=player, name=name, digest=digest):
                self.uploads[number] = Upload(number, player, name, digest)
                self.players[player].uploads.append(number)
            case BotBuilt(upload=number, fault=fault):
                self.uploads[number].built, self.uploads[number].fault = not fault, fault
                if fault:
                    self._rest(number)
            case BotTested(upload=number, fault=fault):
                self.uploads[number].tested, self.uploads[number].fault = True, fault
            case BotActivated(upload=number):
                self.players[self.uploads[number].player].active = number
                self._rank()

    def _rest(self, upload: int) -> None:
        player = self.players[self.uploads[upload].player]
        if player.active == upload:
            player.active = 0
        self._rank()

    def _pair(self, fact: GamePaired, at_ms: int) -> None:
        defender, challenger = (self.uploads[upload].player for upload in fact.uploads)
        pair = defender, challenger
        self.games.append(Game(fact.game, fact.draw, fact.uploads, pair, fact.ratings, at_ms))
        self.open.add(fact.game)
        self.counted += 1
        if challenger in self.turns:
            self.turns.remove(challenger)
        for player in pair:
            self.players[player].playing = fact.game

    def _close(self, number: int, at_ms: int) -> Game:
        game = self.games[number - 1]
        game.over, game.ended_ms = True, at_ms
        self.open.discard(number)
        for player in game.players:
            self.players[player].playing = 0
        return game

    def _void(self, game: Game, reason: str) -> None:
        game.void = reason
        self.counted -= 1

    def _rate(self, fact: GameRated, at_ms: int) -> None:
        game = self._close(fact.game, at_ms)
        game.after, game.stacks, game.hands = fact.ratings, fact.stacks, fact.hands
        game.forfeited, game.fault, game.reason = fact.forfeited, fact.fault, fact.reason
        pair = [self.players[number] for number in game.players]
        for at, player in enumerate(pair):
            mine, theirs = fact.stacks[at], fact.stacks[1 - at]
            player.won += mine > theirs
            player.lost += mine < theirs
            player.tied += mine == theirs
            player.rating += fact.ratings[at] - game.before[at]
            player.games.append(game.number)
            player.history.add(len(player.games), player.rating)
        self._rank()
        for player in pair:
            if not player.removed:
                player.places.append(self.place(player.number))

    def _rank(self) -> None:
        known = (player for player in self.members() if player.active or player.games)
        self.ladder = ladder({player.number: player.rating for player in known})
