"""Plans a practice game, and defines the messages between the server and its game processes.

Messages are JSON objects, one per line, over one socket. Events are not sent: the server reads them from recordings.
"""

import socket
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from server.app.decisions.faults import FaultReport
from server.app.decisions.transcript import transcript_path
from server.bots.house.characters import Character
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.game.events import Entrant
from server.game.formats import Format, StagePlan
from server.journal.studio_link import Message
from server.registration.practice_options import HouseSettings
from server.shuffle import key_of
from server.text.grammar import short_name

DEFAULT_HANDS = 24
DEFAULT_SEATS = 6
GUEST_NUMBER = 1
"""The bot number of the author's bot in its game. In a challenge, this is the challenger's number."""
Rivals = Sequence[tuple[Character, Entrant]]
"""The house bots, each as a character and as an entrant."""
BotEndpoint = socket.socket | Address
"""An author's bot: its connection or, for an HTTP bot, its address."""


class GamePlan(Struct, frozen=True):
    """A practice game. The entrants are the authors' bots, followed by the house bots in the order of `characters`.

    A house bot thinks for at most `think_seconds` and plays at `strength` (see `server/bots/house/ladder.py`).
    """

    contest_format: Format
    entrants: tuple[Entrant, ...]
    characters: tuple[Character, ...]
    seed: bytes
    journal: str
    """The path of the game's recording, which does not exist yet."""
    transcripts: tuple[str, ...]
    """For each author's bot, the path of the transcript of its messages. Only the bot's author may read a transcript.
    """
    think_seconds: float
    strength: int = 0
    agents: bool = False
    """Whether the authors' bots are agents."""

    @property
    def author_count(self) -> int:
        """The number of authors' bots."""
        return len(self.entrants) - len(self.characters)


def plan_game(
    settings: Settings,
    names: Sequence[str],
    contest_format: Format,
    rivals: Rivals,
    *,
    channel: str,
    epoch: str,
    house_settings: HouseSettings,
    agents: bool = False,
) -> GamePlan:
    """Plans a game of the authors' bots `names` against the house bots `rivals`. `channel` is the name of the channel
    that shows the game. This name and the seed in `settings` decide the cards.

    `epoch` distinguishes the recordings of channels with the same name. `house_settings` says how house bots play.
    `agents` says whether the authors' bots are agents (bots that play by MCP).
    """
    now = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    recording = f"{now}-{channel}-{epoch}"
    authors = [Entrant(bot, name) for bot, name in enumerate(names, 1)]
    house_bots = (replace(entrant, bot=bot) for bot, (_, entrant) in enumerate(rivals, len(authors) + 1))
    title = " against ".join(map(short_name, names))
    return GamePlan(
        replace(contest_format, title=f"Practice game of {title}"),
        (*authors, *house_bots),
        tuple(character for character, _ in rivals),
        key_of(settings.seed, channel),
        str(settings.recordings / "practice" / f"{recording}.jsonl"),
        tuple(str(transcript_path(settings.data, recording, author.bot)) for author in authors),
        house_settings.think_ms / 1000 if settings.speed else 0.0,
        house_settings.strength,
        agents,
    )


def practice_format(contest_format: Format, seats: int = DEFAULT_SEATS, hands: int = DEFAULT_HANDS) -> Format:
    """Returns a practice version of `contest_format`: one game of `hands` hands with `seats` bots and usual stacks."""
    return replace(contest_format, stages=(StagePlan("Practice", 1, hands, seats=seats, draws_seats=False),))


class PlayGame(Message, frozen=True):
    """An order to play a game.

    `addresses` are the addresses of the authors' bots if they are HTTP servers. Otherwise `addresses` is empty, and the
    bots' sockets are sent before this order.
    """

    number: int
    plan: GamePlan
    addresses: tuple[Address, ...]


class GamesGrown(Message, frozen=True):
    """Recordings have new entries. `entries` has the number of entries of each such recording, keyed by game number."""

    entries: dict[int, int]


class GameOver(Message, frozen=True):
    """A game has ended. If it failed, `why` is the reason, such as "because the server's disk failed". The reason
    continues a sentence that begins "has lost its game, ".
    """

    number: int
    why: str = ""


class FaultReported(Message, frozen=True):
    """An author's bot has committed a fault in a game."""

    number: int
    bot: int
    fault: FaultReport
