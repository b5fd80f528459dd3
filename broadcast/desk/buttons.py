"""The big buttons of the desk, for programs that control the show: what a press requests, and which buttons are lit.

`buttons.js` does the same for the desk's page.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from msgspec import Struct

from server.game.events import Cue
from server.tournament.control_values import Controls, Value

Button = Literal[
    "start", "pause", "next", "hold", "slower", "normal", "faster", "governor",
    "graphics", "mute", "break", "technical", "whole", "keep", "thoughts", "reading", "replay", "best", "end", "undo",
]  # fmt: skip
BUTTONS: tuple[Button, ...] = get_args(Button)
SPEEDS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
"""The steps of "slower" and "faster"."""
_SWITCH_OF_BUTTON: dict[Button, tuple[str, bool]] = {
    "pause": ("paused", True),
    "hold": ("held", True),  # the show pauses at the end of the current hand
    "governor": ("governed", False),  # the governor adapts the speed so that the first stage ends on time
    "graphics": ("graphics", False),
    "mute": ("sound", False),
    "thoughts": ("thoughts", False),
    "end": ("stage_end", True),
}
"""For each of these buttons, the control that it switches, and the control's value while the button is lit."""
_VIEW_OF_BUTTON: dict[Button, str] = {"whole": "table", "keep": "held"}
"""The view that each of these buttons chooses, until a second press. "held" keeps the zoom until the next hand."""
_CUE_OF_BUTTON: dict[Button, Cue] = {"next": "next", "replay": "replay", "best": "best", "reading": "reading"}


class SetControl(Struct, frozen=True):
    """The button sets this control to this value."""

    control: str
    value: Value


class GiveCue(Struct, frozen=True):
    """The button gives this cue."""

    cue: Cue


class UndoChange(Struct, frozen=True):
    """The button undoes the last change."""


def request_for_press(
    button: Button, controls: Controls, break_end: Callable[[], str] = lambda: ""
) -> SetControl | GiveCue | UndoChange:
    """Returns what a press requests under the current `controls`.

    `break_end` returns the end of a break that begins now, such as "21:15 CET", or "" if the end is open.
    """
    if button in _CUE_OF_BUTTON:
        return GiveCue(_CUE_OF_BUTTON[button])
    if button == "undo":
        return UndoChange()
    if button in _SWITCH_OF_BUTTON:
        control, _ = _SWITCH_OF_BUTTON[button]
        return SetControl(control, not getattr(controls, control))
    if button in _VIEW_OF_BUTTON:
        return SetControl("view", "" if controls.view == _VIEW_OF_BUTTON[button] else _VIEW_OF_BUTTON[button])
    if button in ("break", "technical"):
        return SetControl("card", "" if _card_on_screen(controls) == button else _new_card(button, break_end))
    return (
        SetControl("started", value=True)
        if button == "start"
        else SetControl("speed", _next_speed(button, controls.speed))
    )


def lit_buttons(controls: Controls) -> tuple[Button, ...]:
    """Returns the lit buttons. A button is lit if its control has the value in _SWITCH_OF_BUTTON, or if its view or
    card is chosen.
    """
    switched = {button for button, (control, value) in _SWITCH_OF_BUTTON.items() if getattr(controls, control) is value}
    switched |= {button for button, view in _VIEW_OF_BUTTON.items() if controls.view == view}
    return tuple(button for button in BUTTONS if button in switched or button == _card_on_screen(controls))


def time_after(minutes: int) -> str:
    """Returns the time of day `minutes` minutes from now, as the break card shows it: "21:15 CET"."""
    then = datetime.now(UTC).astimezone() + timedelta(minutes=minutes)
    return f"{then:%H:%M} {then.tzname() or 'UTC'}"


def _card_on_screen(controls: Controls) -> str:
    return controls.card.partition(" ")[0]


def _new_card(card: str, break_end: Callable[[], str]) -> str:
    back = break_end() if card == "break" else ""
    return f"{card} until {back}" if back else card


def _next_speed(button: Button, speed: float) -> float:
    if button == "slower":
        return max((each for each in SPEEDS if each < speed), default=speed)
    if button == "faster":
        return min((each for each in SPEEDS if each > speed), default=speed)
    return 1.0
