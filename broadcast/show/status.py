"""The state of the show for the operator's desk, including the stage of the contest that viewers see. No I/O."""

from msgspec import Struct

from broadcast.on_air.picture_state import Stage, State
from broadcast.on_air.scenes import SceneName
from server.text.grammar import join_with_and, name_in_sentence


class StageOnAir(Struct, frozen=True):
    """The stage that viewers see. `number` is counted from 1."""

    number: int
    title: str
    follows: str
    """What would happen if the stage ended now, such as "as it stands, these 2 ride on to High Noon: Ada and Curry"."""


class ShowStatus(Struct, frozen=True):
    """The state of the show at one moment: what is on air, how fast it runs, and how many hands wait."""

    scene: SceneName
    doing: str
    """What is on air, such as "High Noon, hand 7 of 24"."""
    hands_shown: int
    hands_ahead: int
    """How many hands are over at the table but have not begun on air."""
    eta_s: float
    """The seconds until the current stage is over at the current pace, or 0 if unknown."""
    pace: float
    """The pace that viewers see: the operator's speed, multiplied by `governor` and by `planned`."""
    governor: float
    """The governor multiplies the operator's speed by this factor, to end the show on time. 1.0 changes nothing."""
    waiting: str
    """Why the show stands still, or "" while it runs."""
    planned: float = 1.0
    """The speed of the channel, without the operator's speed and the governor's factor."""
    timed: bool = False
    """Whether the current stage has a deadline."""
    stage: StageOnAir | None = None
    """The stage on air, or None before the first stage and after the last stage."""
    out: tuple[int, ...] = ()
    """The bots whose elimination viewers have seen."""
    is_over: bool = False
    """Whether viewers have seen the champion, after whom nothing follows. The value stays the same during replays."""


def live_picture(picture: State) -> State:
    """Returns `picture`, or, during a replay, the picture before the replay."""
    return picture.replay.before if picture.replay else picture


def stage_on_air(picture: State) -> StageOnAir | None:
    """Returns the stage on air, or None before the first and after the last stage. During a replay, returns the stage
    before the replay.
    """
    live = live_picture(picture)
    stage = live.stage
    if stage is None or live.is_over:
        return None
    return StageOnAir(stage.stage, stage.title, _describe_end(live, stage))


def _describe_end(picture: State, stage: Stage) -> str:
    if not stage.advance:
        return "the current chips decide every place"
    chips = _chips(picture)
    playing = [number for number in stage.bots if not picture.bots[number].place]
    advancing = sorted(playing, key=lambda number: -chips[number])[: stage.advance]
    names = join_with_and(name_in_sentence(picture.bots[number].name) for number in advancing)
    target = f" to {stage.next_title}" if stage.next_title else ""
    verb = f"these {len(advancing)} ride" if len(advancing) > 1 else "this one rides"
    return f"as it stands, {verb} on{target}: {names}"


def _chips(picture: State) -> dict[int, int]:
    """Returns every bot's chips. During a hand, these are the chips at the start of the hand."""
    chips = {bot.bot: bot.stack for bot in picture.bots.values()}
    for seat in picture.seats:
        chips[seat.bot] = seat.stack
        if picture.hand and not picture.hand.over:
            chips[seat.bot] += seat.committed - seat.won
    return chips
