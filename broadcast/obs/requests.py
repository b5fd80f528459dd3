"""What OBS is asked to do when something goes on air: the scene it shows, the hands it keeps, what it captions."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from broadcast.on_air.events import CaptionSpoken, HighlightMarked
from broadcast.on_air.picture import State
from server.game.events import GameStarted, StageStarted

Order = tuple[str, Mapping[str, object]]
"""A request to OBS, and what goes with it."""
_OF_SHOW = {
    "starting": "Starting",
    "finalists": "Starting",
    "standings": "Standings",
    "replay": "Replay",
    "champion": "Champion",
}


class _Kind(Struct):
    type: str


def scene_of(picture: State) -> str:
    """The scene of OBS that goes with what is on air."""
    return "Break" if picture["desk"]["card"] else _OF_SHOW.get(picture["scene"], "Table")


def orders(text: bytes, picture: State) -> Iterator[Order]:
    """What follows from an entry as it went on air; `picture` is the one after it. Nothing follows from a replay."""
    kind = msgspec.json.decode(text, type=_Kind).type
    if picture["replay"]:
        return
    match kind:
        case "caption_spoken":
            yield "SendStreamCaption", {"captionText": msgspec.json.decode(text, type=CaptionSpoken).text}
        case "highlight_marked":
            marked = msgspec.json.decode(text, type=HighlightMarked)
            yield "SaveReplayBuffer", {}
            yield _chapter(f"Hand {marked.hand}: {marked.mark}")
        case "game_started":
            yield _chapter(_game(msgspec.json.decode(text, type=GameStarted), picture["stage"]))
        case "stage_started":
            yield _chapter(msgspec.json.decode(text, type=StageStarted).title)
        case "tournament_ended":
            yield _chapter("Champion")


def _game(event: GameStarted, stage: Mapping[str, Any] | None) -> str:
    number = event.game - stage["first_game"] + 1 if stage else event.game
    return f"{stage['title'] if stage else 'Game'}, game {number}"


def _chapter(name: str) -> Order:
    return "CreateRecordChapter", {"chapterName": name}
