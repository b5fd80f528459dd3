"""The messages between the practice server and its processes: one JSON object a line, over one socket.

Events are not sent: the server reads them in the recordings.
"""

from server.app.decisions.faults import OwnFault
from server.app.practice.games.plan import GamePlan
from server.bots.transports.http import Address
from server.journal.link import Message


class PlayGame(Message, frozen=True):
    """The order to play a game. Its authors' bots are called at `addresses`, or their sockets came before the order.

    The connections of such bots are closed `linger_seconds` after the end.
    """

    number: int
    plan: GamePlan
    addresses: tuple[Address, ...]
    linger_seconds: float


class GamesGrown(Message, frozen=True):
    """By the number of each game, up to which number its recording now holds entries."""

    entries: dict[int, int]


class GameOver(Message, frozen=True):
    """A game has ended: `why` is "", or continues "it has lost its game, " in words."""

    number: int
    why: str = ""


class WentWrong(Message, frozen=True):
    """The author's bot of that number in a game has done something wrong."""

    number: int
    bot: int
    fault: OwnFault


class Alive(Message, frozen=True):
    """A sign of life, once a second, and how late the event loop was at the last one."""

    lag_ms: float = 0.0
