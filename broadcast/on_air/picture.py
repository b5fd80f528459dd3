"""Computes the picture, everything that is on screen, after each event on air. `static/js/overlay/reducer.js` does the
same in the browser.

No I/O, and fast enough for a season of many games. This module gets only entries that viewers may see. Hands,
tournaments and speech have modules of their own. This module applies captions, replays and the operator's settings.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from broadcast.on_air import events as on_air
from broadcast.on_air.picture_hand import HAND_STEPS
from broadcast.on_air.picture_speech import chat_after
from broadcast.on_air.picture_state import FRESH_TABLE, Replay, Seat, State
from broadcast.on_air.picture_tournament import TOURNAMENT_STEPS
from server.game import events
from server.game.events import Event


def reduce(state: State, seq: int, at_ms: int, hold_ms: int, event: Event) -> State:
    """Returns the picture after an entry. An event that changes nothing on screen changes only `seq` and `at_ms` of the
    picture.
    """
    step = STEPS.get(type(event))
    after = step(state, event) if step else state
    table = "replay" if state.replay else "table"
    scene = table if type(event) in HAND_STEPS else after.scene
    return replace(after, seq=seq, at_ms=at_ms, scene=scene, chat=chat_after(after, seq, at_ms, hold_ms, event))


def _caption_spoken(state: State, event: on_air.CaptionSpoken) -> State:
    return replace(state, caption=event.text)


def _replay_started(state: State, event: on_air.ReplayStarted) -> State:
    picture = event.picture
    if not picture.hand or picture.hand.over:
        seats = tuple(Seat(seat.bot, seat.stack, place=seat.place) for seat in picture.seats)
        picture = replace(picture, **FRESH_TABLE, hand=None, seats=seats)
    replay = Replay(event.hand, state.replay.before if state.replay else replace(state, chat=()))
    return replace(picture, scene="replay", caption=event.told, replay=replay, desk=state.desk)


def _replay_ended(state: State, _event: on_air.ReplayEnded) -> State:
    return replace(state.replay.before, desk=state.desk) if state.replay else state


def _control_set(state: State, event: events.ControlSet) -> State:
    if event.control == "card":
        card, _, back = str(event.value).partition(" until ")
        return _with_desk(state, card=card, back=back or UNSET)
    if event.control in ("graphics", "sound"):
        return _with_desk(state, **{event.control: event.value})
    if event.control == "view":
        # The view "held" keeps the current zoom.
        return _with_desk(state, view=event.value, kept=state.focus if event.value == "held" else UNSET)
    if event.control == "thoughts":
        after = _with_desk(state, thoughts=UNSET if event.value else False)
        return after if event.value else replace(after, chat=tuple(line for line in state.chat if not line.is_thought))
    if event.control in ("chat", "media"):
        field = f"{event.control}_off"
        others = {*getattr(state.desk, field)} - {event.bot}
        after = _with_desk(state, **{field: tuple(sorted(others if event.value else {*others, event.bot}))})
        return replace(after, chat=tuple(line for line in state.chat if line.bot not in after.desk.chat_off))
    return state


def _pace_changed(state: State, event: on_air.PaceChanged) -> State:
    return _with_desk(state, speed=event.speed)


def _scene_shown(state: State, event: on_air.SceneShown) -> State:
    return replace(state, scene=event.scene)


def _trouble_shown(state: State, event: on_air.TroubleShown) -> State:
    return _with_desk(state, trouble=event.text)


def _storyline_shown(state: State, event: on_air.StorylineShown) -> State:
    return _with_desk(state, storyline=event.text or UNSET)


def _with_desk(state: State, **changes: object) -> State:
    return replace(state, desk=replace(state.desk, **changes))


STEPS: Mapping[type[Event], Callable[[State, Any], State]] = {
    **TOURNAMENT_STEPS,
    **HAND_STEPS,
    on_air.CaptionSpoken: _caption_spoken,
    on_air.ReplayStarted: _replay_started,
    on_air.ReplayEnded: _replay_ended,
    events.ControlSet: _control_set,
    on_air.PaceChanged: _pace_changed,
    on_air.SceneShown: _scene_shown,
    on_air.TroubleShown: _trouble_shown,
    on_air.StorylineShown: _storyline_shown,
}
"""What each event changes in the picture. Events that are not listed change nothing. `reduce` also updates the lines of
chat.
"""
