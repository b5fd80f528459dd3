"""The desk's controls as data: each accepts only its own values, and can be set back by anybody with the token."""

from typing import get_args

import msgspec
import pytest

from server.game.events import Control, ControlSet, HandEnded, HouseEvent, StageEnded
from server.tournament.control_values import CARDS, OF_EACH_BOT, SPEEDS, Controls, evolve, set_control, standing

ALL = get_args(Control)
OTHER: dict[str, float | str] = {"speed": 2.0, "card": "break"}
"""What a control may be set to that is no switch."""


def other_than(controls: Controls, control: Control, bot: int) -> bool | float | str:
    return OTHER[control] if control in OTHER else not standing(controls, control, bot)


def test_every_control_is_a_field_of_the_desk_or_each_bots_own() -> None:
    fields = set(Controls.__struct_fields__) - {"chat_off", "media_off"}
    assert fields | set(OF_EACH_BOT) == set(ALL)


@pytest.mark.parametrize("control", ALL)
def test_what_is_set_stands_and_can_be_set_back(control: Control) -> None:
    before = Controls()
    bot = 3 if control in OF_EACH_BOT else 0
    value = other_than(before, control, bot)
    event = set_control(before, control, value, bot=bot, bots=[3, 4], operator="Ada")
    after = evolve(before, event)
    assert standing(after, control, bot) == value
    assert (event.was, event.operator, event.bot) == (standing(before, control, bot), "Ada", bot)
    assert evolve(after, set_control(after, control, event.was, bot=bot, bots=[3, 4])) == before


@pytest.mark.parametrize("control", ALL)
def test_it_stands_in_a_journal_as_it_was_set(control: Control) -> None:
    value = other_than(Controls(), control, 3)
    event = set_control(Controls(), control, value, bot=3, bots=[3])
    assert msgspec.json.decode(msgspec.json.encode(event), type=HouseEvent) == event


@pytest.mark.parametrize("control", OF_EACH_BOT)
def test_a_bots_own_controls_need_a_bot_of_this_tournament(control: str) -> None:
    with pytest.raises(ValueError, match="number of a bot"):
        set_control(Controls(), control, False, bot=9, bots=[1, 2])


@pytest.mark.parametrize("control", sorted(set(ALL) - {"speed", "card"}))
@pytest.mark.parametrize("value", [1, 0, "true", None, 1.0, []])
def test_a_switch_is_true_or_false(control: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{control} is true or false, not"):
        set_control(Controls(), control, value, bot=1, bots=[1])


@pytest.mark.parametrize("value", [0, 0.2, 8.01, True, "2", None, float("nan"), float("inf"), 10**30])
def test_speed_has_bounds(value: object) -> None:
    with pytest.raises(ValueError, match=f"speed is {SPEEDS[0]} to {SPEEDS[1]}, not"):
        set_control(Controls(), "speed", value)


@pytest.mark.parametrize("value", [*CARDS, "break until 21:15 CET"])
def test_there_are_a_few_cards(value: str) -> None:
    assert evolve(Controls(), set_control(Controls(), "card", value)).card == value


@pytest.mark.parametrize(
    "value", ["lunch", True, None, 0, ["break"], "break until", "break until noon", "lunch until 21:15 CET"]
)
def test_there_is_no_other_card(value: object) -> None:
    with pytest.raises(ValueError, match="card is"):
        set_control(Controls(), "card", value)


@pytest.mark.parametrize("control", ["", "Speed", "chat_off", "seed"])
def test_there_is_no_other_control(control: str) -> None:
    with pytest.raises(ValueError, match="there is no control"):
        set_control(Controls(), control, True)


def test_bots_are_muted_one_by_one() -> None:
    controls = Controls()
    for bot in (5, 2, 5):
        controls = evolve(controls, ControlSet("chat", False, True, bot))
    assert controls.chat_off == (2, 5)
    assert evolve(controls, ControlSet("chat", True, False, 2)).chat_off == (5,)


def test_once_a_stage_has_ended_the_next_one_does_not() -> None:
    asked = Controls(stage_end=True)
    assert not evolve(asked, StageEnded(1, (1,), (5000,))).stage_end
    assert evolve(asked, HandEnded((5000,), "")).stage_end
