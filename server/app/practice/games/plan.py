"""What one practice game is to be: whoever plays it needs nothing else; and what the server and its players say of it.

Between them there is one JSON object a line, over one socket. Events are not sent: the server reads them in recordings.
"""

import socket
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import transcript_of
from server.bots.house.characters import Character
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.game.events import Entrant
from server.game.tournament import Format, StagePlan
from server.journal.link import Message
from server.registration.wishes import House
from server.shuffle import key_of
from server.text.grammar import short_name

HANDS = 24
SEATS = 6
GUEST = 1
"""The number, in its game, of a bot that practises, unless it has taken a challenge."""
Rivals = Sequence[tuple[Character, Entrant]]
"""House bots, each with its entry in the game."""
BotAt = socket.socket | Address
"""A bot of an author: its connection, or the address at which it is called."""


class GamePlan(Struct, frozen=True):
    """A practice game: its last entrants are the `characters`, in their order; before them come bots of authors.

    A house bot thinks for `think_seconds` at most, and plays at that `strength` (see `ladder`).
    """

    contest: Format
    entrants: tuple[Entrant, ...]
    characters: tuple[Character, ...]
    seed: bytes
    journal: str
    """The path of its recording, which is to be made."""
    transcripts: tuple[str, ...]
    """The path of the transcript of each author's bot, in their order; each is for that author alone."""
    think_seconds: float
    strength: int = 0

    @property
    def authors(self) -> int:
        """How many bots of authors play."""
        return len(self.entrants) - len(self.characters)


def plan_game(
    settings: Settings,
    names: Sequence[str],
    contest: Format,
    rivals: Rivals,
    *,
    channel: str,
    run: str,
    house: House,
) -> GamePlan:
    """The game of the bots `names` against `rivals`, whose cards follow from the seed of the settings and `channel`.

    `run` tells recordings apart whose channel has the same name. House bots play as `house` says.
    """
    begun = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    recording = f"{begun}-{channel}-{run}"
    authors = [Entrant(bot, name) for bot, name in enumerate(names, 1)]
    others = (replace(entrant, bot=bot) for bot, (_, entrant) in enumerate(rivals, len(authors) + 1))
    called = " against ".join(map(short_name, names))
    return GamePlan(
        replace(contest, title=f"Practice game of {called}"),
        (*authors, *others),
        tuple(character for character, _ in rivals),
        key_of(settings.seed, channel),
        str(settings.recordings / "practice" / f"{recording}.jsonl"),
        tuple(str(transcript_of(settings.data, recording, author.bot)) for author in authors),
        house.think_ms / 1000 if settings.speed else 0.0,
        house.strength,
    )


def short(contest: Format, seats: int = SEATS, hands: int = HANDS) -> Format:
    """A contest as it is practised: one game of so many seats and hands, with full stacks and the first blinds."""
    return replace(contest, stages=(StagePlan("Practice", 1, hands, seats=seats, draw=False),))


class PlayGame(Message, frozen=True):
    """The order to play a game. Its authors' bots are called at `addresses`, or their sockets came before the order."""

    number: int
    plan: GamePlan
    addresses: tuple[Address, ...]


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
