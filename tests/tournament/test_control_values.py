"""The operator's controls accept only valid values. A pause or a missing studio (the show's server) delays hands."""

import asyncio
from collections.abc import Awaitable
from itertools import product
from typing import get_args

import anyio
import msgspec
import pytest
from msgspec.structs import replace

from server.game.events import Control, ControlSet, HandEnded, HandStarted, JournalEvent, StageEnded
from server.tournament import control_values
from server.tournament.control_values import SPEED_RANGE, Controls, current_value, evolve, set_control
from server.tournament.pause_gate import MAX_HANDS_AHEAD, PauseGate

SWITCHES: list[Control] = sorted(set(get_args(Control)) - {"speed", "card", "view"})
CONTROL_VALUES: tuple[tuple[Control, float | str | None], ...] = (
    *((switch, None) for switch in SWITCHES),
    *(("speed", limit) for limit in SPEED_RANGE),
    *(("card", card) for card in (*control_values.CARD_CONTROL_VALUES, "break until 21:15 CET") if card),
    ("view", "table"),
)
"""Each control with the value to set, or with None to flip a switch. A card is a notice that covers the show."""


@pytest.mark.parametrize(("control", "value"), CONTROL_VALUES)
def test_control_is_set_recorded_and_reset(control: Control, value: float | str | None) -> None:
    before = Controls()
    bot = 3 if control in control_values.PER_BOT_CONTROLS else 0
    new_value = not current_value(before, control, bot) if value is None else value
    event = set_control(before, control, new_value, bot=bot, bots=[3, 4], operator="Ada")
    after = evolve(before, event)
    assert current_value(after, control, bot) == new_value
    assert (event.was, event.operator, event.bot) == (current_value(before, control, bot), "Ada", bot)
    assert evolve(after, set_control(after, control, event.was, bot=bot, bots=[3, 4])) == before
    assert msgspec.json.decode(msgspec.json.encode(event), type=JournalEvent) == event


WRONG_SWITCHES: tuple[object, ...] = (1, "true", None)
WRONG_CARDS = ("lunch", True, None, 0, ["break"], "break until", "break until noon", "lunch until 21:15 CET")
WRONG_SPEEDS = (0, 0.2, 8.01, True, "2", None, float("nan"), float("inf"), 10**30)


@pytest.mark.parametrize(("control", "value", "why"), [
    *((switch, wrong, f"{switch} must be true or false, not") for switch, wrong in product(SWITCHES, WRONG_SWITCHES)),
    *(("speed", value, f"speed must be {SPEED_RANGE[0]} to {SPEED_RANGE[1]}, not") for value in WRONG_SPEEDS),
    *(("card", value, "card must be") for value in WRONG_CARDS),
    *(("view", value, "view must be") for value in ("near", True, None, 0)),
    *((unknown, True, "no such control") for unknown in ("", "Speed", "chat_off", "seed")),
])  # fmt: skip
def test_control_refuses_wrong_values_and_unknown_bots(control: str, value: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        set_control(Controls(), control, value, bot=1, bots=[1])
    if control in control_values.PER_BOT_CONTROLS:
        with pytest.raises(ValueError, match="number of a bot"):
            set_control(Controls(), control, False, bot=9, bots=[1, 2])


def test_bots_are_muted_one_by_one() -> None:
    controls = Controls()
    for bot in (5, 2, 5):
        controls = evolve(controls, ControlSet("chat", False, True, bot))
    assert controls.chat_off == (2, 5)
    assert evolve(controls, ControlSet("chat", True, False, 2)).chat_off == (5,)


def test_ending_a_stage_does_not_end_the_next_one() -> None:
    ending_controls = Controls(stage_end=True)  # The stage will end after the current hand.
    assert not evolve(ending_controls, StageEnded(1, (1,), (5000,))).stage_end
    assert evolve(ending_controls, HandEnded((5000,), "")).stage_end


STARTED_CONTROLS = Controls(started=True)


async def ends_at_once(wait: Awaitable[None]) -> bool:
    with anyio.move_on_after(0) as limit:
        await wait
    return not limit.cancelled_caught


def switch(gate: PauseGate, control: Control, *, on: bool) -> None:
    gate.apply(set_control(gate.controls, control, on))


async def test_next_hand_waits_for_the_start_the_end_of_a_pause_and_the_studio() -> None:
    gate = PauseGate(Controls())
    for has_started in (False, True):
        switch(gate, "started", on=has_started)
        assert await ends_at_once(gate.wait_for_start()) is await ends_at_once(gate()) is has_started
    for paused in (True, False):
        switch(gate, "paused", on=paused)
        assert await ends_at_once(gate()) is not paused
    gate.set_studio_gone(is_gone=True)
    next_hand = asyncio.ensure_future(gate())
    await asyncio.sleep(0)
    gate.hands_dealt = 5
    assert not next_hand.done()
    switch(gate, "unseen", on=True)  # The table plays on, although nobody sees the hands.
    await next_hand
    switch(gate, "unseen", on=False)
    gate.hands_dealt = 0
    assert not await ends_at_once(gate())
    gate.set_studio_gone(is_gone=False)
    assert await ends_at_once(gate())


async def test_table_is_never_further_ahead_of_the_show_than_allowed() -> None:
    gate = PauseGate(STARTED_CONTROLS)
    for hands_shown in range(3):
        gate.set_hands_shown(hands_shown)
        while await ends_at_once(gate()):
            gate.apply(HandStarted(1, 0, 50, 100, 0, (5000, 5000), ""))
        assert gate.hands_dealt == hands_shown + MAX_HANDS_AHEAD + 1


def test_only_a_tournament_without_a_studio_can_be_played_unseen() -> None:
    for controls, is_studio_gone, reason in (
        (Controls(), True, "the tournament has not started"),
        (STARTED_CONTROLS, False, "the studio is running: the table plays as the show continues"),
        (STARTED_CONTROLS, True, ""),
    ):
        gate = PauseGate(controls)
        gate.set_studio_gone(is_gone=is_studio_gone)
        assert gate.why_cannot_play_unseen(set_control(controls, "unseen", True)) == reason
        assert gate.why_cannot_play_unseen(set_control(replace(controls, unseen=True), "unseen", False)) == ""
