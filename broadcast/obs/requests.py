"""The requests to OBS when something goes on air: scenes, saved replays, chapters. Pure."""

from collections.abc import Iterator, Mapping

from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import Stage, State
from broadcast.on_air.scenes import SCENES
from server.game.events import Event, GameStarted, StageStarted, TournamentEnded

ObsRequest = tuple[str, Mapping[str, object]]
"""A request to OBS: its type and its fields."""


def scene_of(picture: State) -> str:
    """The name of the scene that OBS should show with `picture` on air."""
    return "Break" if picture.desk.card else SCENES[picture.scene].obs


def requests_after(event: Event, picture: State) -> Iterator[ObsRequest]:
    """The requests that follow from an event on air; `picture` is the one after it. None during a replay."""
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
