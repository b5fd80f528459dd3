"""Finds one hand in the text of a recording without decoding the whole text. No I/O.

Decoding the whole text would take too long for a web page. This module checks nothing, because the archive has already
checked the whole recording.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct

from server.game.events import Event, GameStarted, JournalEvent, StageStarted, TournamentOpened

_START_PATTERN = re.compile(
    rb'"type":"(stage|game|hand)_started"'
)  # a JSON string cannot contain a match, because its quotes are escaped
_HAND_ENDED = b'"type":"hand_ended"'
StartEvent = TypeVar("StartEvent", StageStarted, GameStarted)
_decode_event = msgspec.json.Decoder(JournalEvent).decode


class OneHand(Struct, frozen=True):
    """All events of one hand, with its tournament, stage and game.

    In a stage of deals, every table plays the same cards. `deal` is the number of the hand's deal. A deal has at most
    `deal_hands` hands. In other stages, `deal` and `deal_hands` are 0.
    """

    opened: TournamentOpened
    stage: str
    """The title of the hand's stage. It is "" if the recording has no stages."""
    game: GameStarted
    events: tuple[Event, ...]
    deal: int = 0
    deal_hands: int = 0


def find_hand(content: bytes, number: int) -> OneHand | None:
    """Returns hand `number` (from 1) of the recording with this `content`, or None if the hand is missing or
    incomplete.

    In a stage of deals, only the hands at each deal's main table are counted, because only that table was on air.
    """
    opening = find_opening(content)
    try:
        stage, game, begin, deal = next(islice(_shown_hands(content), number - 1, None), (None, None, 0, 0))
        end = content.find(_HAND_ENDED, begin)
        events = _read_events(content, begin, end) if game and end >= 0 else ()
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):  # ValueError: `number` is 0
        return None
    if opening is None or game is None or not events:
        return None
    return OneHand(opening, stage.title if stage else "", game, events, deal, stage.hands if stage and deal else 0)


def _shown_hands(content: bytes) -> Iterator[tuple[StageStarted | None, GameStarted | None, int, int]]:
    """Yields (stage, game, offset, deal) for each hand that was on air. The hand begins at `offset` in `content`.
    `deal` is the number of its deal, or 0 if the stage has no deals. In a deal, only the game at the main table was on
    air. The games at the other tables have `dealt_as`.
    """
    stage, game, deal, is_off_air = None, None, 0, False
    for found in _START_PATTERN.finditer(content):
        offset = found.start()
        match found[1]:
            case b"stage":
                stage, game, deal, is_off_air = _event_at(content, offset, StageStarted), None, 0, False
            case b"game":
                game = _event_at(content, offset, GameStarted)
                has_deals = stage and stage.deals
                is_off_air = bool(has_deals and game and game.dealt_as is not UNSET)
                deal += bool(has_deals) and not is_off_air
            case _ if not is_off_air:
                yield stage, game, offset, deal


def _event_at(content: bytes, offset: int, kind: type[StartEvent]) -> StartEvent | None:
    """Returns the event in the line at `offset` if it is of this `kind`. Otherwise returns None."""
    event = _read_events(content, offset, offset)[0]
    return event if isinstance(event, kind) else None


def find_opening(content: bytes) -> TournamentOpened | None:
    """Returns the event that opens the tournament, or None if it is missing."""
    offset = content.find(b'"type":"tournament_opened"')
    try:
        first = _read_events(content, offset, offset)[0] if offset >= 0 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return first if isinstance(first, TournamentOpened) else None


def _read_events(content: bytes, first_offset: int, last_offset: int) -> tuple[JournalEvent, ...]:
    """Returns the events from the line at `first_offset` to the line at `last_offset`, inclusive."""
    end = content.find(b"\n", last_offset)
    lines = content[content.rfind(b"\n", 0, first_offset) + 1 : end if end >= 0 else None]
    return tuple(map(_decode_event, lines.split(b"\n")))
