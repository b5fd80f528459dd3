"""The picture after each entry, as plain JSON values: the twin of `static/js/overlay/reducer.js`, field by field.

Pure, and quick enough to fold a season. No clock, no socket, no pace; what must never be seen never comes here.
Events of hands and of tournaments and speech stand in modules of their own; here are captions, replays and the desk.
"""

from collections.abc import Callable, Mapping
from typing import Any

from broadcast.on_air.events import CaptionSpoken, PaceChanged, ReplayEnded, ReplayStarted, StorylineShown, TroubleShown
from broadcast.on_air.picture_hand import HAND_STEPS
from broadcast.on_air.picture_speech import lines_after
from broadcast.on_air.picture_state import State, seat_of, swept
from broadcast.on_air.picture_tournament import TOURNAMENT_STEPS
from server.game import events
from server.game.events import Event


def fold(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> State:
    """The picture after the entry. Events that show nothing change only its number and time."""
    step = STEPS.get(type(event))
    changes = step(state, event) if step else {}
    lines = lines_after(state, seq, at_ms, hold_ms, event)
    if lines is not None:
        changes = {**changes, "chat": lines}
    return {**state, **changes, "seq": seq, "at_ms": at_ms}


def _caption_spoken(_state: State, event: CaptionSpoken) -> State:
    return {"caption": event.text}


def _replay_started(state: State, event: ReplayStarted) -> State:
    hand, seats = event.picture["hand"], event.picture["seats"]
    fresh = [{**seat_of(seat["bot"], seat["stack"]), "place": seat["place"]} for seat in seats]
    whole = {} if hand and not hand["over"] else {**swept(), "hand": None, "seats": fresh}
    return {
        **event.picture,
        **whole,
        "scene": "replay",
        "caption": event.told,
        "replay": {"hand": event.hand, "before": state["replay"]["before"] if state["replay"] else state},
        "desk": state["desk"],
    }


def _replay_ended(state: State, _event: ReplayEnded) -> State:
    return {**state["replay"]["before"], "desk": state["desk"]} if state["replay"] else {}


def _control_set(state: State, event: events.ControlSet) -> State:
    desk = state["desk"]
    if event.control == "card":
        card, _, back = str(event.value).partition(" until ")
        rest = {name: value for name, value in desk.items() if name != "back"}
        return {"desk": {**rest, "card": card} | ({"back": back} if back else {})}
    if event.control in ("graphics", "sound"):
        return {"desk": {**desk, event.control: event.value}}
    if event.control in ("chat", "media"):
        listed = f"{event.control}_off"
        others = {*desk[listed]} - {event.bot}
        return {"desk": {**desk, listed: sorted(others if event.value else {*others, event.bot})}}
    return {}


def _pace_changed(state: State, event: PaceChanged) -> State:
    return {"desk": {**state["desk"], "speed": event.speed}}


def _trouble_shown(state: State, event: TroubleShown) -> State:
    return {"desk": {**state["desk"], "trouble": event.text}}


def _storyline_shown(state: State, event: StorylineShown) -> State:
    desk = {name: value for name, value in state["desk"].items() if name != "storyline"}
    return {"desk": {**desk, "storyline": event.text} if event.text else desk}


STEPS: Mapping[type[Event], Callable[[State, Any], State]] = {
    **TOURNAMENT_STEPS,
    **HAND_STEPS,
    CaptionSpoken: _caption_spoken,
    ReplayStarted: _replay_started,
    ReplayEnded: _replay_ended,
    events.ControlSet: _control_set,
    PaceChanged: _pace_changed,
    TroubleShown: _trouble_shown,
    StorylineShown: _storyline_shown,
}
"""What each event changes in the picture; one that is not here shows nothing. Speech needs its entry's time: `fold`."""
