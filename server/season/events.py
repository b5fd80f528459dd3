"""Defines the events of a season. Each is a line of the season's ledger (its journal).

Players, uploads, games and draws (rounds of games) are numbered from 1. Pairs are (defender, challenger). Ratings are
in hundredths of a point.
"""

from server.game.events import Event, Fault

Pair = tuple[int, int]


class SeasonOpened(Event, frozen=True):
    """The season begins. `seed_commitment` is the SHA-256 of the secret seed, which determines all draws and cards."""

    title: str
    seed_commitment: str


class PlayerEntered(Event, frozen=True):
    """A player joins the season. `seal` is a hash of the player's secret, or "" if the player has no secret."""

    player: int
    name: str
    seal: str = ""


class PlayerRemoved(Event, frozen=True):
    """The operator removes a player. The games stay, because other players' ratings depend on them."""

    player: int


class BotUploaded(Event, frozen=True):
    """A player uploads a version of a bot. Its files are kept under the number `upload`. `digest` is their SHA-256."""

    upload: int
    player: int
    name: str
    digest: str = ""


class BotBuilt(Event, frozen=True):
    """A version was built. If there is a `fault`, the build has failed, and the version cannot run."""

    upload: int
    fault: str = ""


class BotTested(Event, frozen=True):
    """A version has played its test game against itself. If there is a `fault`, the version has failed the test."""

    upload: int
    fault: str = ""


class BotActivated(Event, frozen=True):
    """From now on, this version plays for its player instead of the previous version."""

    upload: int


class DrawBegun(Event, frozen=True):
    """A draw begins. Each active player challenges another player once, in the given `order`."""

    draw: int
    order: tuple[int, ...]


class GamePaired(Event, frozen=True):
    """A game begins between two uploads. `ratings` are their players' ratings at that moment."""

    game: int
    draw: int
    uploads: Pair
    ratings: Pair


class GameRated(Event, frozen=True):
    """A game is over, and its result is valid. It had `hands` hands. `stacks` are the final chips, and `ratings` are
    the new ratings. `forfeited` is the side whose fault ended the game: 0 or 1, or -1 if no fault ended it.
    """

    game: int
    stacks: Pair
    ratings: Pair
    hands: int
    forfeited: int = -1
    fault: Fault = ""
    reason: str = ""
    """A description of the fault for the bot's owner."""


class GameVoided(Event, frozen=True):
    """A game could not be finished, although its bots were not at fault. The game does not count."""

    game: int
    reason: str


class SeasonEnded(Event, frozen=True):
    """The season is over. The seed is published so that everybody can check draws and cards."""

    seed: str


SeasonEvent = (
    SeasonOpened | PlayerEntered | PlayerRemoved | BotUploaded | BotBuilt | BotTested | BotActivated
    | DrawBegun | GamePaired | GameRated | GameVoided | SeasonEnded
)  # fmt: skip
"""All events that a ledger may contain."""
