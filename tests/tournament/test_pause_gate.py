"""The gate before each hand is closed while the table is ahead of the show or the operator pauses."""

import asyncio
from collections.abc import Awaitable

import pytest
from msgspec.structs import replace

from server.game.events import Control, HandStarted
from server.tournament.control_values import Controls, set_control
from server.tournament.pause_gate import HANDS_AHEAD, Gate

HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
STARTED = Controls(started=True)


async def opens(waiting: Awaitable[None]) -> bool:
    """Whether `waiting` ends by itself."""
    task = asyncio.ensure_future(waiting)
    for _ in range(5):
        await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    return False


def switch(gate: Gate, control: Control, *, on: bool) -> None:
    gate.hear(set_control(gate.controls, control, on))


async def test_the_gate_is_closed_before_the_start_in_pauses_and_without_a_studio() -> None:
    gate = Gate(Controls())
    assert not await opens(gate.start())
    assert not await opens(gate())
    switch(gate, "started", on=True)
    assert await opens(gate.start())
    assert await opens(gate())
    switch(gate, "paused", on=True)
    assert not await opens(gate())
    switch(gate, "paused", on=False)
    assert await opens(gate())
    gate.miss(missed=True)
    waiting = asyncio.ensure_future(gate())
    await asyncio.sleep(0)
    gate.dealt = 5
    assert not waiting.done()
    switch(gate, "unseen", on=True)
    await waiting
    switch(gate, "unseen", on=False)
    gate.dealt = 0
    assert not await opens(gate())
    gate.miss(missed=False)
    assert await opens(gate())


async def test_the_table_is_never_further_ahead_of_the_show_than_allowed() -> None:
    gate = Gate(STARTED)
    for shown in range(3):
        gate.has_shown(shown)
        while await opens(gate()):
            gate.hear(HAND)
        assert gate.dealt == shown + HANDS_AHEAD + 1


@pytest.mark.parametrize(
    ("controls", "missed", "words"),
    [(Controls(), True, "has not started"), (STARTED, False, "the studio is running"), (STARTED, True, "")],
)
def test_only_a_tournament_whose_studio_is_gone_can_be_played_unseen(
    controls: Controls, missed: bool, words: str
) -> None:
    gate = Gate(controls)
    gate.miss(missed=missed)
    why = gate.why_not(set_control(controls, "unseen", True))
    assert words in why
    assert bool(why) is bool(words)
    assert gate.why_not(set_control(replace(controls, unseen=True), "unseen", False)) == ""
