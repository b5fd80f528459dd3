"""What can happen in a season: one frozen value for each fact, a line of the season's ledger. No game is played here.

Players, uploads, games and draws count from 1. Pairs are defender's, challenger's; ratings are hundredths of a point.
"""

from server.game.events import Event, Fault

Pair = tuple[int, int]


class SeasonOpened(Event, frozen=True):
    """The first fact. `seed_commitment` is the SHA-256 of the secret seed behind all draws and cards."""

    title: str
    seed_commitment: str


class PlayerEntered(Event, frozen=True):
    """`seal` tells whether somebody knows the player's secret, and does not give it away."""

    player: int
    name: str
    seal: str = ""


class PlayerRemoved(Event, frozen=True):
    """The operator has taken the player out. Its games stay, for the ratings of others follow from them."""

    player: int


class BotUploaded(Event, frozen=True):
    """A version of a player's bot; its files are kept under its number. `digest` is their SHA-256."""

    upload: int
    player: int
    name: str
    digest: str = ""


class BotBuilt(Event, frozen=True):
    """The bot can be run; or, with a `fault` in words, it cannot, and is not active any more."""

    upload: int
    fault: str = ""


class BotTested(Event, frozen=True):
    """It has played against itself; with a `fault` in words it has not got to the end."""

    upload: int
    fault: str = ""


class BotActivated(Event, frozen=True):
    """From here on it plays for its player, in place of the one before."""

    upload: int


class DrawBegun(Event, frozen=True):
    """Everybody who is active challenges once, in this order of players."""

    draw: int
    order: tuple[int, ...]


class GamePaired(Event, frozen=True):
    """A game begins between two uploads; ratings as they are now."""

    game: int
    draw: int
    uploads: Pair
    ratings: Pair


class GameRated(Event, frozen=True):
    """The game is over. `stacks` are final chips; `forfeited` says whose fault cost it (0, 1; -1: nobody's)."""

    game: int
    stacks: Pair
    ratings: Pair
    hands: int
    forfeited: int = -1
    fault: Fault = ""
    reason: str = ""
    """What the fault was, for its owner."""


class GameVoided(Event, frozen=True):
    """The game could not be brought to its end, through no fault of its bots: it does not count."""

    game: int
    reason: str


class SeasonEnded(Event, frozen=True):
    """The seed, for everybody to check."""

    seed: str


SeasonFact = (
    SeasonOpened | PlayerEntered | PlayerRemoved | BotUploaded | BotBuilt | BotTested | BotActivated
    | DrawBegun | GamePaired | GameRated | GameVoided | SeasonEnded
)  # fmt: skip
"""Everything that can stand in a ledger."""
