"""Finds one hand in the text of a recording without decoding the rest, which would take too long for a web page. Pure.

The recording was read as a whole when it came into the index; nothing is checked here.
"""

import msgspec
from msgspec import Struct

from server.game.events import Event, GameStarted, HouseEvent, StageStarted, TournamentOpened

_HAND, _END = b'"type":"hand_started"', b'"type":"hand_ended"'  # within a string every quote has a stroke before it
_read = msgspec.json.Decoder(HouseEvent).decode


class OneHand(Struct, frozen=True):
    """All events of one hand, and the tournament, stage and game it is played in."""

    opened: TournamentOpened
    stage: str
    """The title of its stage, "" where there is none."""
    game: GameStarted
    events: tuple[Event, ...]


def one_hand(content: bytes, number: int) -> OneHand | None:
    """The hand of that number, counted from the recording's first as 1; None where there is none, or not all of it."""
    begin = -1
    for _ in range(number):
        begin = content.find(_HAND, begin + 1)
        if begin < 0:
            return None
    end = content.find(_END, begin)
    game = content.rfind(b'"type":"game_started"', 0, max(begin, 0))
    if min(begin, end, game) < 0:
        return None
    stage = content.rfind(b'"type":"stage_started"', 0, game)
    lines = content[_start(content, begin) : _stop(content, end)].split(b"\n")
    try:
        first, seated, events = opening(content), _read(_line(content, game)), tuple(map(_read, lines))
        begun = _read(_line(content, stage)) if stage >= 0 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if first is None or not isinstance(seated, GameStarted):
        return None
    return OneHand(first, begun.title if isinstance(begun, StageStarted) else "", seated, events)


def opening(content: bytes) -> TournamentOpened | None:
    """The event that opens the tournament; None where the recording holds none."""
    at = content.find(b'"type":"tournament_opened"')
    try:
        first = _read(_line(content, at)) if at >= 0 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return first if isinstance(first, TournamentOpened) else None


def _line(content: bytes, at: int) -> bytes:
    return content[_start(content, at) : _stop(content, at)]


def _start(content: bytes, at: int) -> int:
    return content.rfind(b"\n", 0, at) + 1


def _stop(content: bytes, at: int) -> int:
    end = content.find(b"\n", at)
    return end if end >= 0 else len(content)
