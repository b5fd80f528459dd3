"""The messages between the card room and the studio process: one JSON object a line, over one socket.

Either process may end at any moment. Events are not sent: the studio reads them in the journal.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from server.game.events import ControlSet, CueGiven

LONGEST = 1 << 20
"""The most bytes of a message."""


class Message(Struct, frozen=True, tag=True):
    """One line, with the class name as `type`."""


# -- from the studio -------------------------------------------------------------------------------


class Shown(Message, frozen=True):
    """How many hands have been on air, and whether the show is over."""

    hands: int
    over: bool = False


class Published(Message, frozen=True):
    """The show is at the place where it is published, to its end."""


class Requested(Message, frozen=True):
    """The operator asks for an event to be written; `Answered` comes back with the same number."""

    number: int
    event: ControlSet | CueGiven
    stage: int = 0
    """The stage that the operator saw on air; 0: none."""


class Beat(Message, frozen=True):
    """A sign of life from the studio, sent once a second."""


# -- from the card room ----------------------------------------------------------------------------


class BotNotes(Struct, frozen=True):
    """What the organiser wrote of the bot of that name: how to `say` it, and `notes`; "" for nothing."""

    bot: str
    say: str = ""
    notes: str = ""


class ShowItem(Struct, frozen=True):
    """A line of the run of the show: what comes, and `at` what time of day ("19:00"; "" where it has none)."""

    what: str
    at: str = ""


class Plan(Message, frozen=True):
    """The first message: what the studio is to show and serve, and who may see it."""

    title: str
    journal: str
    """Path of the journal to follow."""
    media: str
    hosts: tuple[str, ...]
    """Names by which this machine may be called, besides its addresses."""
    control_token: str
    view_token: str
    speed: float = 1.0
    """A factor of the show's speed; 0: without any waits."""
    finish_by: float = 0.0
    """Seconds since 1970 by which the first stage should be over; 0: no such time."""
    obs_address: str = ""
    """Where OBS listens, "host:port"; "": OBS is not used."""
    obs_password: str = ""
    publish_to: str = ""
    """Where the show is published while it is on, a folder or a bucket; "": nowhere."""
    event: str = ""
    """What the event is called there, the same when it is resumed."""
    bots: tuple[BotNotes, ...] = ()
    """What those who comment should know of single bots."""
    run_of_show: tuple[ShowItem, ...] = ()
    voice: tuple[str, ...] = ()
    """The command that speaks captions; none: nobody does."""
    voice_for_all: bool = True
    """Whether all viewers hear it, or those alone who cannot see the picture."""
    authors: str = ""
    """The secret from which the links of authors' pages follow; "": there are no such pages."""
    held: int = 0
    """How many entries the journal held when this process began."""
    zeros: tuple[float, float] = (0.0, 0.0)
    """When `at_ms` was 0 for those entries, and for later ones, in seconds since 1970."""


class Grown(Message, frozen=True):
    """The journal holds the entries up to number `seq`."""

    seq: int


class Answered(Message, frozen=True):
    """The reply to the `Requested` of that number: its event was written, or `error` says in words why not."""

    number: int
    error: str = ""


class BotHealth(Struct, frozen=True):
    """The state of a bot, for the desk. `box` says how it runs ("docker, strict", "light, weak", "remote", "house")."""

    bot: int
    state: Literal["missing", "starting", "here", "gone", "withdrawn"]
    box: str = ""
    last_ms: int = 0
    slowest_ms: int = 0
    turns: int = 0
    faults: int = 0
    memory_bytes: int = 0
    peak_memory_bytes: int = 0
    memory_limit_bytes: int = 0
    """0 where there is none."""
    cpu_seconds: float = 0.0
    note: str = ""
    """What is wrong with it, in words; "" for nothing."""
    since: str = ""
    """Since when it is gone: "hand 14"; "" where it is here, or was never."""
    log: str = ""
    """Where all that it printed is kept, and the last of it; "" while it runs."""


class Health(Message, frozen=True):
    """The state of the card room, for the desk: sent once a second, and when it changes."""

    doing: str
    """In words: "waiting for 3 of 9 bots", "High Noon, hand 7 of 24"."""
    trouble: str = ""
    """Why the game waits, in words for viewers; "" while it does not."""
    notice: str = ""
    """What to look at before the start, in words for the operator only."""
    entries: int = 0
    journal_bytes: int = 0
    write_ms: float = 0.0
    """The slowest write to the journal of the last minute."""
    disk_free_bytes: int = 0
    lag_ms: float = 0.0
    """How late the event loop was at the last look."""
    bots: tuple[BotHealth, ...] = ()


Heard = TypeVar("Heard")
FromStudio = Shown | Published | Requested | Beat
FromRoom = Plan | Grown | Answered | Health


class Link:
    """One end of the socket. Sending never waits and never raises; an end that does not read is disconnected."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        """Sends a message, unless the other end is gone."""
        if self._writer.is_closing():
            return
        self._writer.write(msgspec.json.encode(message) + b"\n")
        if self._writer.transport.get_write_buffer_size() > 4 * LONGEST:
            self._writer.transport.abort()

    def from_studio(self) -> AsyncIterator[FromStudio]:
        """The studio's messages, until it is gone. Raises msgspec.DecodeError for an unknown one, ValueError for
        one that is longer than LONGEST.
        """
        return self.messages(msgspec.json.Decoder[FromStudio](FromStudio))

    def from_room(self) -> AsyncIterator[FromRoom]:
        """The card room's messages, until it is gone. Raises as `from_studio`."""
        return self.messages(msgspec.json.Decoder[FromRoom](FromRoom))

    async def messages(self, decoder: msgspec.json.Decoder[Heard]) -> AsyncIterator[Heard]:
        """What the other end sends, as `decoder` reads it, until it is gone. Raises as `from_studio`."""
        try:
            while line := await self._reader.readline():
                yield decoder.decode(line)
        except ConnectionError:
            return

    def close(self) -> None:
        """Closes the socket."""
        self._writer.close()


async def open_link(end: socket.socket) -> Link:
    """A `Link` over one end of a connected pair of sockets, which it owns from now on. Raises OSError."""
    return Link(*await asyncio.open_connection(sock=end, limit=LONGEST))
