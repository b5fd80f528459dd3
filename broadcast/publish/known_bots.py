"""The bots of a published site: which recordings each has played in, in one file that the page of a bot reads."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from broadcast.archive.queries import BotRow, RecordingRow
from server.game.events import Entrant
from server.text.grammar import short_name

BOTS = "bots/bots.json"


class PublishedBot(Struct, frozen=True, omit_defaults=True):
    """A bot of a recording, by its name as pages show it; `place` is 0 where it has none."""

    name: str
    player: str = ""
    avatar: str = ""
    version: str = ""
    place: int = 0


class PublishedRecording(RecordingRow, frozen=True):
    """What is kept beside a recording. One that was published by an earlier version tells no bots."""

    entrants: tuple[PublishedBot, ...] = ()


class _Recording(Struct, frozen=True):
    name: str
    title: str
    begun: str
    bots: int
    hands: int


class _KnownBot(Struct):
    """A bot as it last was; `played` has the number of each recording and the place there, the latest first."""

    name: str
    player: str
    avatar: str
    version: str
    played: list[tuple[int, int]]


def bots_of(entrants: Sequence[Entrant], rows: Sequence[BotRow]) -> tuple[PublishedBot, ...]:
    """The bots of a recording, by the event that opens it and its rows in the archive."""
    places = {row.bot: row.place for row in rows}
    return tuple(
        PublishedBot(
            short_name(each.name), short_name(each.player), each.avatar, each.version or "", places.get(each.bot, 0)
        )
        for each in entrants
    )


def known_bots(recordings: Sequence[PublishedRecording]) -> bytes:
    """The file of all bots of some recordings, the latest first, as JSON."""
    bots: dict[str, _KnownBot] = {}
    for number, recording in enumerate(recordings):
        for each in recording.entrants:
            new = _KnownBot(each.name, each.player, each.avatar, each.version, [])
            bots.setdefault(each.name, new).played.append((number, each.place))
    listed = [_Recording(each.name, each.title, each.begun, each.bots, each.hands) for each in recordings]
    return msgspec.json.encode({"recordings": listed, "bots": list(bots.values())})
