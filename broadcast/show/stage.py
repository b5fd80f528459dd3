"""The stage that viewers see, what its end brings, and whether the table has ended it already. Pure."""

from msgspec import Struct

from broadcast.on_air.picture_state import Stage, State
from server.game.events import Event, StageCut, StageEnded
from server.text.grammar import listed, named


class StageOnAir(Struct, frozen=True):
    """The stage that viewers see. `number` counts the stages from 1."""

    number: int
    title: str
    follows: str
    """What ending it now would bring: "as it stands these 2 ride on to High Noon: Ada and Curry"."""


class EndedStages:
    """Knows from the journal how many stages the table has ended, which the show may be yet to reach."""

    def __init__(self) -> None:
        self._last = 0

    def heard(self, event: Event) -> None:
        """Takes in an event of the journal; call it for each, in order."""
        if isinstance(event, StageCut | StageEnded):
            self._last = event.stage

    def for_desk(self, stage: StageOnAir | None) -> dict[str, object] | None:
        """The stage on air as the desk's page receives it; `ended` says whether the table has ended it already."""
        if stage is None:
            return None
        ended = stage.number <= self._last
        return {"number": stage.number, "title": stage.title, "follows": stage.follows, "ended": ended}


def stage_on_air(picture: State) -> StageOnAir | None:
    """The stage of a picture that is on air; None before the first and after the last. During a replay it is
    the stage that the replay interrupts.
    """
    now = picture.replay.before if picture.replay else picture
    stage = now.stage
    if stage is None or now.is_over:
        return None
    return StageOnAir(stage.stage, stage.title, _follows(now, stage))


def _follows(picture: State, stage: Stage) -> str:
    if not stage.advance:
        return "the chips as they stand then decide every place"
    chips = _chips(picture)
    playing = [number for number in stage.bots if not picture.bots[number].place]
    advancing = sorted(playing, key=lambda number: -chips[number])[: stage.advance]
    names = listed(named(picture.bots[number].name) for number in advancing)
    onto = f" to {stage.next_title}" if stage.next_title else ""
    verb = f"these {len(advancing)} ride" if len(advancing) > 1 else "this one rides"
    return f"as it stands {verb} on{onto}: {names}"


def _chips(picture: State) -> dict[int, int]:
    """Every bot's chips; during a hand those it began the hand with."""
    chips = {bot.bot: bot.stack for bot in picture.bots.values()}
    for seat in picture.seats:
        chips[seat.bot] = seat.stack
        if picture.hand and not picture.hand.over:
            chips[seat.bot] += seat.committed - seat.won
    return chips
