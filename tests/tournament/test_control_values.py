"""Each control of the desk accepts only its own values, and can be reset."""

from typing import get_args

import msgspec
import pytest

from server.game.events import Control, ControlSet, HandEnded, HouseEvent, StageEnded
from server.tournament.control_values import CARD_VALUES, PER_BOT, SPEEDS, Controls, current_value, evolve, set_control

ALL = get_args(Control)
OTHER: dict[str, float | str] = {"speed": 2.0, "card": "break", "view": "table"}
"""For each control that is not a switch, a value that is not its default."""


@pytest.mark.parametrize("control", ALL)
def test_a_control_is_set_journalled_and_reset(control: Control) -> None:
    before = Controls()
    bot = 3 if control in PER_BOT else 0
    value = OTHER[control] if control in OTHER else not current_value(before, control, bot)
    event = set_control(before, control, value, bot=bot, bots=[3, 4], operator="Ada")
    after = evolve(before, event)
    assert current_value(after, control, bot) == value
    assert (event.was, event.operator, event.bot) == (current_value(before, control, bot), "Ada", bot)
    assert evolve(after, set_control(after, control, event.was, bot=bot, bots=[3, 4])) == before
    assert msgspec.json.decode(msgspec.json.encode(event), type=HouseEvent) == event


SWITCHES = sorted(set(ALL) - {"speed", "card", "view"})
NOT_SWITCHES: tuple[object, ...] = (1, 0, "true", None, 1.0, [])
WRONG_CARDS = ("lunch", True, None, 0, ["break"], "break until", "break until noon", "lunch until 21:15 CET")
NOT_SPEEDS = (0, 0.2, 8.01, True, "2", None, float("nan"), float("inf"), 10**30)


@pytest.mark.parametrize(
    ("control", "value", "why"),
    [
        *((each, value, f"{each} must be true or false, not") for each in SWITCHES for value in NOT_SWITCHES),
        *(("speed", value, f"speed must be {SPEEDS[0]} to {SPEEDS[1]}, not") for value in NOT_SPEEDS),
        *(("card", value, "card must be") for value in WRONG_CARDS),
        *(("view", value, "view must be") for value in ("near", True, None, 0)),
        *((unknown, True, "no such control") for unknown in ("", "Speed", "chat_off", "seed")),
    ],
)
def test_a_control_refuses_wrong_values_and_unknown_bots(control: str, value: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        set_control(Controls(), control, value, bot=1, bots=[1])
    if control in PER_BOT:
        with pytest.raises(ValueError, match="number of a bot"):
            set_control(Controls(), control, False, bot=9, bots=[1, 2])


@pytest.mark.parametrize(
    ("control", "value"),
    [*(("card", card) for card in (*CARD_VALUES, "break until 21:15 CET")), *(("speed", limit) for limit in SPEEDS)],
)
def test_a_control_accepts_every_card_and_both_limits_of_the_speed(control: Control, value: str | float) -> None:
    assert current_value(evolve(Controls(), set_control(Controls(), control, value)), control) == value


def test_bots_are_muted_one_by_one() -> None:
    controls = Controls()
    for bot in (5, 2, 5):
        controls = evolve(controls, ControlSet("chat", False, True, bot))
    assert controls.chat_off == (2, 5)
    assert evolve(controls, ControlSet("chat", True, False, 2)).chat_off == (5,)


def test_ending_a_stage_does_not_end_the_next_one() -> None:
    ending = Controls(stage_end=True)
    assert not evolve(ending, StageEnded(1, (1,), (5000,))).stage_end
    assert evolve(ending, HandEnded((5000,), "")).stage_end
