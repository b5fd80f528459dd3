"""Finds one hand in the text of a recording without decoding the rest. Pure.

Decoding everything would take too long for a web page. This module checks nothing, because the indexer has checked the
whole recording.
"""

import msgspec
from msgspec import Struct

from server.game.events import Event, GameStarted, HouseEvent, StageStarted, TournamentOpened

_HAND, _END = b'"type":"hand_started"', b'"type":"hand_ended"'  # cannot occur in a string, where quotes are escaped
_read = msgspec.json.Decoder(HouseEvent).decode


class OneHand(Struct, frozen=True):
    """All events of one hand, with its tournament, stage and game."""

    opened: TournamentOpened
    stage: str
    """The title of the hand's stage; "" if the recording has no stages."""
    game: GameStarted
    events: tuple[Event, ...]


def one_hand(content: bytes, number: int) -> OneHand | None:
    """Hand `number` of the recording, counted from 1; None if the hand is missing or incomplete."""
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
    first = opening(content)
    try:
        (seated,), events = _lines(content, game, game), _lines(content, begin, end)
        staged = _lines(content, stage, stage)[0] if stage >= 0 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if first is None or not isinstance(seated, GameStarted):
        return None
    return OneHand(first, staged.title if isinstance(staged, StageStarted) else "", seated, events)


def opening(content: bytes) -> TournamentOpened | None:
    """The event that opens the tournament; None if it is missing."""
    at = content.find(b'"type":"tournament_opened"')
    try:
        first = _lines(content, at, at)[0] if at >= 0 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return first if isinstance(first, TournamentOpened) else None


def _lines(content: bytes, first: int, last: int) -> tuple[HouseEvent, ...]:
    """The events from the line at offset `first` to the line at offset `last`."""
    end = content.find(b"\n", last)
    lines = content[content.rfind(b"\n", 0, first) + 1 : end if end >= 0 else None]
    return tuple(map(_read, lines.split(b"\n")))
