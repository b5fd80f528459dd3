"""Which stage is on air, what follows when it is ended there, and whether the table has ended it already. Pure."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from server.game.events import Event, StageCut, StageEnded
from server.text.grammar import listed, named


class SeenStage(Struct, frozen=True):
    """The stage that viewers see."""

    number: int
    title: str
    follows: str
    """In words, what its end brings as it stands on air: "as it stands these 2 ride on to High Noon: Ada and Curry"."""


class EndedStages:
    """Follows the journal."""

    def __init__(self) -> None:
        self._last = 0

    def heard(self, event: Event) -> None:
        """Takes in an entry of the journal, in its order."""
        if isinstance(event, StageCut | StageEnded):
            self._last = event.stage

    def told(self, seen: SeenStage | None) -> dict[str, object] | None:
        """What a desk is told of the stage on air; `ended`: the table is through with it."""
        if seen is None:
            return None
        ended = seen.number <= self._last
        return {"number": seen.number, "title": seen.title, "follows": seen.follows, "ended": ended}


def seen_stage(picture: Mapping[str, Any]) -> SeenStage | None:
    """The stage of a picture that is on air; None before the first and after the last. A repeat is of no stage."""
    now = picture["replay"]["before"] if picture["replay"] else picture
    stage = now["stage"]
    if stage is None or now["scene"] == "champion":
        return None
    return SeenStage(stage["stage"], stage["title"], _follows(now, stage))


def _follows(picture: Mapping[str, Any], stage: Mapping[str, Any]) -> str:
    if not stage["advance"]:
        return "the chips as they stand then decide every place"
    chips = _chips(picture)
    playing = [number for number in stage["bots"] if not picture["bots"][str(number)]["place"]]
    riders = sorted(playing, key=lambda number: -chips[number])[: stage["advance"]]
    names = listed(named(picture["bots"][str(number)]["name"]) for number in riders)
    onto = f" to {stage['next_title']}" if stage["next_title"] else ""
    verb = f"these {len(riders)} ride" if len(riders) > 1 else "this one rides"
    return f"as it stands {verb} on{onto}: {names}"


def _chips(picture: Mapping[str, Any]) -> dict[int, int]:
    """Everybody's chips; of who sits at the table those at the last end of a hand."""
    chips = {bot["bot"]: bot["stack"] for bot in picture["bots"].values()}
    for seat in picture["seats"]:
        chips[seat["bot"]] = seat["stack"]
        if picture["hand"] and not picture["hand"]["over"]:
            chips[seat["bot"]] += seat["committed"] - seat["won"]
    return chips
