"""Requests to OBS when something goes on air: scenes, saved replays, chapters, and captions for the stream. Pure.

A stream carries captions as CEA-608, in western characters. OBS breaks them into rows of 32 characters. A packet holds
two rows in 31 pairs of bytes: four pairs are commands, and each row takes one more. Many players never show what goes
into a second packet.
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
_ROW = 32
_PAIRS = 25
"""Pairs left for the characters of two rows (31 - 4 - 2), two characters per pair; each row begins a new pair."""
_BASIC_NON_ASCII = frozenset("áéíóúçÑñ÷\u2019")
"""What every player supports besides ASCII."""
_NOT_BASIC = str.maketrans(
    {"*": "", "\\": "/", "^": "", "_": "-", "`": "\u2019", "'": "\u2019", "{": "(", "|": "/", "}": ")", "~": "-"}
)
"""Replacements for ASCII characters that are not among the basic ones."""


def scene_of(picture: State) -> str:
    """The name of OBS's scene for `picture`."""
    return "Break" if picture.desk.card else SCENES[picture.scene].obs


def requests_after(event: Event, picture: State) -> Iterator[ObsRequest]:
    """The requests for an event on air, with the `picture` after it; none during a replay."""
    if picture.replay:
        return
    match event:
        case HighlightMarked(hand=hand, mark=mark):
            yield "SaveReplayBuffer", {}
            yield _chapter(f"Hand {hand}: {mark}")
        case GameStarted():
            yield _chapter(_game(event, picture.stage))
        case StageStarted(title=title):
            yield _chapter(title)
        case TournamentEnded():
            yield _chapter("Champion")


def _game(event: GameStarted, stage: Stage | None) -> str:
    number = event.game - stage.first_game + 1 if stage else event.game
    return f"{stage.title if stage else 'Game'}, game {number}"


def _chapter(name: str) -> ObsRequest:
    return "CreateRecordChapter", {"chapterName": name}


def western(text: str) -> str:
    """The text in characters that every player supports; others are transliterated."""
    return "".join(each if each in _BASIC_NON_ASCII else anyascii(each).translate(_NOT_BASIC) for each in text)


def is_western(text: str) -> bool:
    """Whether every player supports a text's characters."""
    return all(each.isascii() or each in _BASIC_NON_ASCII for each in text)


def pieces(text: str) -> Sequence[str]:
    """The text in western characters, in pieces of one or two rows that arrive whole; [] for an empty one."""
    made: list[list[str]] = []
    for row in textwrap.wrap(western(text), _ROW, break_on_hyphens=False):
        if made and len(made[-1]) == 1 and sum(-(-len(each) // 2) for each in (made[-1][0], row)) <= _PAIRS:
            made[-1].append(row)
        else:
            made.append([row])
    return [" ".join(rows) for rows in made]
