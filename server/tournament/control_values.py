"""Describes the controls at the operator's desk as plain data. All functions are pure."""

import re
from collections.abc import Collection
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from server.game.events import Control, ControlSet, Event, StageEnded

Value = bool | float | str

SPEED_RANGE = (0.25, 8.0)
CARD_CONTROL_VALUES = ("", "break", "technical")
_BREAK_WITH_TIME = re.compile(r"break until \d\d:\d\d [\w+: -]{1,40}")
VIEWS = ("", "table", "held")
PER_BOT_CONTROLS = ("chat", "media")


class Controls(Struct, frozen=True):
    """The values of all controls at the desk. The defaults are the values at the start of a tournament."""

    started: bool = False
    """Whether the first stage may start. Nobody can change this once the stage has started."""
    paused: bool = False
    """Whether the show and the table are paused now."""
    held: bool = False
    """Whether the show will pause at the end of the hand or leaderboard that is now on air."""
    speed: float = 1.0
    """The speed that the operator has set. 1.0 is normal. If `governed` is True, the show may run faster or slower."""
    governed: bool = True
    """Whether the show adapts its speed so that the first stage ends by the time in the event file, if there is one."""
    card: str = ""
    """The card on screen instead of the show: "break", "break until 21:15 CET" or "technical". "" means no card."""
    graphics: bool = True
    """Whether the overlay shows its graphics."""
    sound: bool = True
    """Whether the overlay plays sounds."""
    stage_end: bool = False
    """Whether the stage will end after the current hand. The operator can undo this until the stage ends."""
    unseen: bool = False
    """Whether the table plays on while no studio (the process that runs the show) shows the hands. The server switches
    this off once a studio shows hands again.
    """
    view: str = ""
    """What the camera shows. "table" shows the whole table, "held" keeps the view until the next hand, and "" lets the
    show decide.
    """
    thoughts: bool = True
    """Whether the show displays what bots think about their actions."""
    chat_off: tuple[int, ...] = ()
    """The numbers of the bots whose chat is not shown."""
    media_off: tuple[int, ...] = ()
    """The numbers of the bots for which the show uses the default picture, particles and sound."""


def current_value(controls: Controls, control: Control, bot: int = 0) -> Value:
    """Returns the value of a control. For "chat" and "media", the value says whether the show uses the chat or media of
    bot `bot`.
    """
    if control in PER_BOT_CONTROLS:
        return bot not in (controls.chat_off if control == "chat" else controls.media_off)
    value: Value = getattr(controls, control)
    return value


def set_control(
    controls: Controls, control: str, value: object, *, bot: int = 0, bots: Collection[int] = (), operator: str = ""
) -> ControlSet:
    """Returns the event that sets `control` to `value`. If the control is one of `PER_BOT_CONTROLS`, `bot` must be one
    of `bots`.

    If the control, the value or the bot is wrong, raises ValueError with a message for the operator.
    """
    valid_control = next((name for name in get_args(Control) if name == control), None)
    if valid_control is None:
        raise ValueError(f"no such control: {control!r}; choose one of {', '.join(get_args(Control))}")
    if valid_control in PER_BOT_CONTROLS and bot not in bots:
        raise ValueError(f"{control} needs the number of a bot in this tournament, not {bot}")
    bot = bot if valid_control in PER_BOT_CONTROLS else 0
    return ControlSet(
        valid_control, _check_value(valid_control, value), current_value(controls, valid_control, bot), bot, operator
    )


def evolve(controls: Controls, event: Event) -> Controls:
    """Returns the controls after `event`. The end of a stage switches `stage_end` off."""
    match event:
        case ControlSet(control="chat", value=value, bot=bot):
            return replace(controls, chat_off=_switch_bot(controls.chat_off, bot, off=not value))
        case ControlSet(control="media", value=value, bot=bot):
            return replace(controls, media_off=_switch_bot(controls.media_off, bot, off=not value))
        case ControlSet(control=control, value=value):
            return replace(controls, **{control: value})
        case StageEnded():
            return replace(controls, stage_end=False)
        case _:
            return controls


def _check_value(control: Control, value: object) -> Value:
    """Returns `value`. Converts a speed to a float. Raises ValueError if the control cannot have this value."""
    if control == "card":
        if isinstance(value, str) and (value in CARD_CONTROL_VALUES or _BREAK_WITH_TIME.fullmatch(value)):
            return value
        raise ValueError(f'card must be "break", "break until 21:15 CET", "technical" or "" for none, not {value!r}')
    if control == "view":
        if isinstance(value, str) and value in VIEWS:
            return value
        raise ValueError(f'view must be "table", "held" or "" for the show\'s own choice, not {value!r}')
    if control == "speed":
        low, high = SPEED_RANGE
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise ValueError(f"speed must be {low} to {high}, not {value!r}")
    if isinstance(value, bool):
        return value
    raise ValueError(f"{control} must be true or false, not {value!r}")


def _switch_bot(bots_off: tuple[int, ...], bot: int, *, off: bool) -> tuple[int, ...]:
    return tuple(sorted({*bots_off, bot} if off else {*bots_off} - {bot}))
