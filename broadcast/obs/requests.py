"""Turns events on air into requests to OBS: to save replays, to begin chapters, and to show stream captions. Also names
the OBS scene for each state of the show. No I/O.

A stream carries captions as CEA-608, in western characters. OBS breaks captions into rows of 32 characters. A packet
holds 31 pairs of bytes. Four pairs are commands, and one pair begins each row. So two rows in a packet have room for at
most 50 characters. Many video players never show the text of a second packet.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from anyascii import anyascii

from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import Stage, State
from broadcast.on_air.scenes import SCENES
from server.game.events import Event, GameStarted, StageStarted, TournamentEnded

ObsRequest = tuple[str, Mapping[str, object]]
"""A request to OBS: its type and its fields."""
_ROW_CHARACTERS = 32
"""The number of characters in a row."""
_CHARACTER_PAIRS = 25
"""How many pairs of bytes are left for the characters of two rows: 31 - 4 - 2. Both characters of a pair are in the
same row.
"""
_BASIC_NON_ASCII = frozenset("áéíóúçÑñ÷\u2019")
"""The characters outside ASCII that every video player supports."""
_REPLACEMENTS = str.maketrans(
    {"*": "", "\\": "/", "^": "", "_": "-", "`": "\u2019", "'": "\u2019", "{": "(", "|": "/", "}": ")", "~": "-"}
)
"""Replacements for the ASCII characters that some video players lack."""


def scene_of(state: State) -> str:
    """Returns the name of the OBS scene for `state`."""
    return "Break" if state.desk.card else SCENES[state.scene].obs_scene


def requests_after(event: Event, state: State) -> Iterator[ObsRequest]:
    """Yields the requests to send after an event on air. `state` is the state of the show after the event.

    Replays cause no requests. A mark, such as "Bluff", says why a hand is worth saving.
    """
    if state.replay:
        return
    match event:
        case HighlightMarked(hand=hand, mark=mark):
            yield "SaveReplayBuffer", {}
            yield _chapter(f"Hand {hand}: {mark}")
        case GameStarted():
            yield _chapter(_game(event, state.stage))
        case StageStarted(title=title):
            yield _chapter(title)
        case TournamentEnded():
            yield _chapter("Champion")


def _game(event: GameStarted, stage: Stage | None) -> str:
    number = event.game - stage.first_game + 1 if stage else event.game
    which = "deal" if stage and stage.deals else "game"
    return f"{stage.title if stage else 'Game'}, {which} {number}"


def _chapter(name: str) -> ObsRequest:
    return "CreateRecordChapter", {"chapterName": name}


def to_western_characters(text: str) -> str:
    """Returns the text in characters that every video player supports. Transliterates all other characters."""
    return "".join(each if each in _BASIC_NON_ASCII else anyascii(each).translate(_REPLACEMENTS) for each in text)


def is_western(text: str) -> bool:
    """Whether the text needs no transliteration, because every character is ASCII or in `_BASIC_NON_ASCII`."""
    return all(each.isascii() or each in _BASIC_NON_ASCII for each in text)


def split_into_packets(text: str) -> Sequence[str]:
    """Splits a text in western characters into packets, each with the text of one or two rows.

    Returns [] for an empty text.
    """
    found: list[list[str]] = []
    for row in textwrap.wrap(to_western_characters(text), _ROW_CHARACTERS, break_on_hyphens=False):
        if (
            found
            and len(found[-1]) == 1
            and sum(-(-len(each) // 2) for each in (found[-1][0], row)) <= _CHARACTER_PAIRS
        ):
            found[-1].append(row)
        else:
            found.append([row])
    return [" ".join(rows) for rows in found]
