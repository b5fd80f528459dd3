"""What card room and studio tell each other when they are two processes: one JSON object a line, on one socket.

Either side may be gone at any moment; the journal is where the studio reads what happened.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from server.game.events import ControlSet, CueGiven

LONGEST = 1 << 20
"""Bytes of a message."""


class Message(Struct, frozen=True, tag=True):
    """One line."""


# -- from the studio -------------------------------------------------------------------------------


class Shown(Message, frozen=True):
    """So many hands have been on air, and whether the show has come to its end."""

    hands: int
    over: bool = False


class Requested(Message, frozen=True):
    """The operator wants this to stand in the journal; `Answered` comes back with the same number."""

    number: int
    event: ControlSet | CueGiven
    stage: int = 0
    """The stage that the operator saw on air; 0: none."""


class Beat(Message, frozen=True):
    """The studio is alive; once a second."""


# -- from the card room ----------------------------------------------------------------------------


class Plan(Message, frozen=True):
    """The first message: what the studio is to serve, and to whom."""

    title: str
    journal: str
    """Path of the journal to follow."""
    media: str
    hosts: tuple[str, ...]
    """Names by which this machine may be called, besides its addresses."""
    control_token: str
    view_token: str
    speed: float = 1.0
    """0 is as fast as it goes."""
    finish_by: float = 0.0
    """Seconds since 1970 by which the first stage should be over; 0: whenever it is."""
    obs_address: str = ""
    """Where OBS listens; "": nobody talks with it."""
    obs_password: str = ""
    held: int = 0
    """How many entries the journal held when this card room began."""
    zeros: tuple[float, float] = (0.0, 0.0)
    """From when the times of those count, and the times of later ones, in seconds since 1970."""


class Grown(Message, frozen=True):
    """The journal holds entries up to this number."""

    seq: int


class Answered(Message, frozen=True):
    """The event of `Requested` with this number is in the journal, or in words why it is not."""

    number: int
    error: str = ""


class BotHealth(Struct, frozen=True):
    """How a bot is. Times in milliseconds; `box` says in what it runs ("docker", "light", "remote", "house")."""

    bot: int
    state: Literal["missing", "starting", "here", "gone", "withdrawn"]
    box: str = ""
    last_ms: int = 0
    slowest_ms: int = 0
    turns: int = 0
    faults: int = 0
    memory_bytes: int = 0
    note: str = ""
    """What is wrong with it, if anything."""


class Health(Message, frozen=True):
    """How the card room is; once a second, and when it changes."""

    doing: str
    """In words: "waiting for 3 of 9 bots", "High Noon, hand 7 of 24"."""
    trouble: str = ""
    """In words for viewers why the game waits, "" while it does not."""
    notice: str = ""
    """In words for the operator alone what to look at before the start."""
    entries: int = 0
    journal_bytes: int = 0
    write_ms: float = 0.0
    """The slowest write of the last minute."""
    disk_free_bytes: int = 0
    hands_dealt: int = 0
    lag_ms: float = 0.0
    """How long the event loop was last held up."""
    bots: tuple[BotHealth, ...] = ()


Heard = TypeVar("Heard")
FromStudio = Shown | Requested | Beat
FromRoom = Plan | Grown | Answered | Health


class Link:
    """One end. Sending never waits and never raises: a side that does not read is cut off, as one that is gone."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        """Puts a message on its way, unless the other end is gone."""
        if self._writer.is_closing():
            return
        self._writer.write(msgspec.json.encode(message) + b"\n")
        if self._writer.transport.get_write_buffer_size() > 4 * LONGEST:
            self._writer.transport.abort()

    def from_studio(self) -> AsyncIterator[FromStudio]:
        """What the studio says, until it is gone. Raises msgspec.DecodeError for what is no such message."""
        return self._messages(msgspec.json.Decoder[FromStudio](FromStudio))

    def from_room(self) -> AsyncIterator[FromRoom]:
        """What the card room says, until it is gone. Raises msgspec.DecodeError for what is no such message."""
        return self._messages(msgspec.json.Decoder[FromRoom](FromRoom))

    async def _messages(self, decoder: msgspec.json.Decoder[Heard]) -> AsyncIterator[Heard]:
        try:
            while line := await self._reader.readline():
                yield decoder.decode(line)
        except ConnectionError:
            return

    def close(self) -> None:
        self._writer.close()


async def open_link(end: socket.socket) -> Link:
    """This process's end of a pair of connected sockets, in use from now on."""
    return Link(*await asyncio.open_connection(sock=end, limit=LONGEST))
