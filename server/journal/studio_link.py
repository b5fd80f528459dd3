"""The messages between the card room and the studio: one JSON object per line, over one socket. The card room is the
process that plays the games. The studio is the process that runs the show.

Either process may end at any time. Events are not sent, because the studio reads them from the journal.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from server.game.events import ControlSet, CueGiven

MAX_MESSAGE_BYTES = 1 << 20
"""The maximum size of a message, in bytes. The reader of a longer message gets an error."""


class Message(Struct, frozen=True, tag=True):
    """A message: one line of JSON with the class name as its `type`."""


# -- from the studio -------------------------------------------------------------------------------


class Shown(Message, frozen=True):
    """Says how many hands have been on air, and whether the show is over."""

    hands: int
    over: bool = False


class Published(Message, frozen=True):
    """Reports that the whole show has been published."""


class Requested(Message, frozen=True):
    """Asks the card room to write an event of the operator to the journal. The reply is an `Answered` with this
    request's number.
    """

    number: int
    event: ControlSet | CueGiven
    stage: int = 0
    """The number of the stage on air at the time of the request, or 0 if there is none."""


class Beat(Message, frozen=True):
    """Says once a second that the studio is alive."""


# -- from the card room ----------------------------------------------------------------------------


class BotReport(Struct, frozen=True):
    """The organiser's `notes` on the bot named `bot`, and how to `say` its name. Either text may be ""."""

    bot: str
    say: str = ""
    notes: str = ""


class ShowItem(Struct, frozen=True):
    """An item in the run of the show. `at` is its time of day, such as "19:00", or "" if it has no fixed time."""

    what: str
    at: str = ""


class Plan(Message, frozen=True):
    """The card room's first message: what the studio shows and serves, and to whom. An empty value means "not set"."""

    title: str
    journal: str
    media: str
    hosts: tuple[str, ...]
    """Names of this machine, in addition to its addresses."""
    control_token: str
    view_token: str
    speed: float = 1.0
    finish_by: float = 0.0
    """When the first stage should end, in seconds since 1970, or 0 if no time is set."""
    obs_address: str = ""
    obs_password: str = ""
    publish_to: str = ""
    event: str = ""
    """The show's name in the folder or bucket `publish_to`. The name stays the same when the show resumes."""
    bots: tuple[BotReport, ...] = ()
    run_of_show: tuple[ShowItem, ...] = ()
    voice: tuple[str, ...] = ()
    voice_for_all: bool = True
    """Whether all viewers hear the voice, or only viewers who cannot see the picture."""
    voice_thoughts: bool = False
    """Whether the voice also speaks the bots' thoughts that are shown. It speaks thoughts with espeak-ng."""
    authors: str = ""
    """The secret in the links to authors' pages, or "" if there are no such pages."""
    metrics: bool = False
    """Whether the studio serves `/metrics`."""
    api_for_all: bool = False
    """Whether pages of any site may read the API."""
    held: int = 0
    """The number of entries in the journal when the card room started."""
    clock_starts: tuple[float, float] = msgspec.field(default=(0.0, 0.0), name="zeros")
    """Two start times, in seconds since 1970. The times in the `held` oldest entries count from the first start time.
    The times in later entries count from the second.
    """


class Grown(Message, frozen=True):
    """The journal now contains entries up to number `seq`."""

    seq: int


class Answered(Message, frozen=True):
    """The reply to a `Requested`, with the request's number. If the event was not written, `error` says why."""

    number: int
    error: str = ""


class BotHealth(Struct, frozen=True):
    """The state of a bot, for the operator's desk. `box` is the kind of the bot's sandbox ("docker, strict", "light,
    weak"). For a bot without a sandbox, `box` says where it runs ("remote", "house").
    """

    bot: int
    state: Literal["missing", "starting", "here", "gone", "withdrawn"]
    box: str = ""
    last_ms: int = 0
    slowest_ms: int = 0
    slow_ms: int = 2000
    """Answers that take at least this long are slow. In an exhibition, which has a thinking clock, such answers use the
    time bank.
    """
    turns: int = 0
    faults: int = 0
    memory_bytes: int = 0
    peak_memory_bytes: int = 0
    memory_limit_bytes: int = 0
    cpu_seconds: float = 0.0
    note: str = ""
    since: str = ""
    """When the bot lost its connection, such as "hand 14". The value is "" if the bot is connected, or never was."""
    log: str = ""
    """The path of the file with the bot's output, and the last lines of the file. The text is "" while the bot runs."""


class Health(Message, frozen=True):
    """The state of the card room, for the operator's desk. Sent once a second and after each change."""

    doing: str
    """What the card room is doing now: "waiting for 3 of 9 bots", "High Noon, hand 7 of 24"."""
    trouble: str = ""
    """Why the game has to wait, in words for viewers, or ""."""
    notice: str = ""
    """What the operator should check before the start. Viewers do not see it."""
    entries: int = 0
    journal_bytes: int = 0
    write_ms: float = 0.0
    """The time of the slowest write to the journal in the last minute, in milliseconds."""
    disk_free_bytes: int = 0
    lag_ms: float = 0.0
    """How late the event loop was at the last measurement, in milliseconds."""
    bots: tuple[BotHealth, ...] = ()


MessageT = TypeVar("MessageT")
StudioMessage = Shown | Published | Requested | Beat
CardRoomMessage = Plan | Grown | Answered | Health


class Link:
    """One end of the socket. Sending never waits or raises. If the other end stops reading, the socket is closed."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        """Sends a message. Does nothing if the other end is gone."""
        if self._writer.is_closing():
            return
        self._writer.write(msgspec.json.encode(message) + b"\n")
        if self._writer.transport.get_write_buffer_size() > 4 * MAX_MESSAGE_BYTES:
            self._writer.transport.abort()

    def studio_messages(self) -> AsyncIterator[StudioMessage]:
        """Yields the studio's messages until the studio is gone.

        Raises msgspec.DecodeError for an invalid message, and ValueError for a message of more than MAX_MESSAGE_BYTES.
        """
        return self.messages(msgspec.json.Decoder[StudioMessage](StudioMessage))

    def card_room_messages(self) -> AsyncIterator[CardRoomMessage]:
        """Yields the card room's messages until the card room is gone. Raises the same errors as `studio_messages`."""
        return self.messages(msgspec.json.Decoder[CardRoomMessage](CardRoomMessage))

    async def messages(self, decoder: msgspec.json.Decoder[MessageT]) -> AsyncIterator[MessageT]:
        """Yields the other end's messages, decoded by `decoder`, until the other end is gone. Raises the same errors as
        `studio_messages`.
        """
        try:
            while line := await self._reader.readline():
                yield decoder.decode(line)
        except ConnectionError:
            return

    def close(self) -> None:
        self._writer.close()


async def open_link(end: socket.socket) -> Link:
    """Returns a `Link` over `end`, one socket of a pair. The link will close this socket. Raises OSError."""
    return Link(*await asyncio.open_connection(sock=end, limit=MAX_MESSAGE_BYTES))
