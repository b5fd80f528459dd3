"""The events of a season, one to each line of its ledger.

Players, uploads, games and draws count from 1. Pairs are (defender, challenger); ratings are in hundredths of a
point.
"""

from server.game.events import Event, Fault

Pair = tuple[int, int]


class SeasonOpened(Event, frozen=True):
    """The first event. All draws and cards follow from the secret seed whose SHA-256 is `seed_commitment`."""

    title: str
    seed_commitment: str


class PlayerEntered(Event, frozen=True):
    """A player joins the season. `seal` is a hash of the player's secret, "" for none."""

    player: int
    name: str
    seal: str = ""


class PlayerRemoved(Event, frozen=True):
    """The operator removes a player, whose games stay because the ratings of others follow from them."""

    player: int


class BotUploaded(Event, frozen=True):
    """A player uploads a version of its bot. Its files are kept under number `upload`; `digest` is their SHA-256."""

    upload: int
    player: int
    name: str
    digest: str = ""


class BotBuilt(Event, frozen=True):
    """A version has been built and can be run; with a `fault` it cannot, and is no longer active."""

    upload: int
    fault: str = ""


class BotTested(Event, frozen=True):
    """A version has finished its test game against itself; with a `fault` it has not."""

    upload: int
    fault: str = ""


class BotActivated(Event, frozen=True):
    """A version plays for its player from now on, instead of the previous one."""

    upload: int


class DrawBegun(Event, frozen=True):
    """A round of games begins, in which each active player challenges once, in this order."""

    draw: int
    order: tuple[int, ...]


class GamePaired(Event, frozen=True):
    """A game begins between two uploads; `ratings` are the players' at that moment."""

    game: int
    draw: int
    uploads: Pair
    ratings: Pair


class GameRated(Event, frozen=True):
    """A game is over and counts: final chips, new ratings, how many hands were played.

    `forfeited` is the side whose fault ended it, 0 or 1, or -1 if none did.
    """

    game: int
    stacks: Pair
    ratings: Pair
    hands: int
    forfeited: int = -1
    fault: Fault = ""
    reason: str = ""
    """The fault in words for the bot's owner."""


class GameVoided(Event, frozen=True):
    """A game could not be finished, through no fault of its bots, and does not count."""

    game: int
    reason: str


class SeasonEnded(Event, frozen=True):
    """The season is over; the seed is published, so that everybody can check draws and cards."""

    seed: str


SeasonFact = (
    SeasonOpened | PlayerEntered | PlayerRemoved | BotUploaded | BotBuilt | BotTested | BotActivated
    | DrawBegun | GamePaired | GameRated | GameVoided | SeasonEnded
)  # fmt: skip
"""All events that a ledger may contain."""
