"""The gate before every hand: shut while the table is ahead of the show or the operator wants it so."""

import asyncio
from collections.abc import Awaitable

import pytest

from server.game.controls import Controls, set_control
from server.game.events import HandStarted
from server.gate import HANDS_AHEAD, Gate

HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def gate_of(controls: Controls | None = None, *, patience: float = 10.0) -> tuple[Gate, Clock]:
    clock = Clock()
    return Gate(controls or Controls(started=True), clock, patience), clock


async def opens(waiting: Awaitable[None]) -> bool:
    """Whether it does without anything happening."""
    task = asyncio.ensure_future(waiting)
    for _ in range(5):
        await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    return False


def test_it_is_shut_until_the_operator_starts() -> None:
    async def story() -> None:
        gate, _ = gate_of(Controls())
        assert not await opens(gate.start())
        assert not await opens(gate())
        gate.heard(set_control(gate.controls, "started", True))
        assert await opens(gate.start())
        assert await opens(gate())

    asyncio.run(story())


def test_the_table_is_never_more_than_one_hand_ahead_of_the_show() -> None:
    async def story() -> None:
        gate, _ = gate_of()
        for shown in range(20):
            gate.has_shown(shown)
            while await opens(gate()):
                gate.heard(HAND)
            assert gate.dealt == shown + HANDS_AHEAD + 1

    asyncio.run(story())


def test_it_opens_as_soon_as_a_hand_has_been_shown() -> None:
    async def story() -> None:
        gate, _ = gate_of()
        gate.heard(HAND)
        gate.heard(HAND)
        waiting = asyncio.ensure_future(gate())
        await asyncio.sleep(0)
        assert not waiting.done()
        gate.has_shown(1)
        await waiting

    asyncio.run(story())


def test_paused_it_is_shut_whatever_was_shown() -> None:
    async def story() -> None:
        gate, _ = gate_of()
        gate.heard(set_control(gate.controls, "paused", True))
        assert not await opens(gate())
        gate.heard(set_control(gate.controls, "paused", False))
        assert await opens(gate())

    asyncio.run(story())


@pytest.mark.parametrize("waited", [9.0, 11.0])
def test_without_a_studio_it_opens_by_itself_after_a_while(waited: float) -> None:
    async def story() -> None:
        gate, clock = gate_of()
        gate.dealt = 5
        gate.studio(here=False)
        clock.now = waited
        assert await opens(gate()) is (waited > 10)
        gate.studio(here=True)
        assert not await opens(gate())

    asyncio.run(story())


def test_a_studio_that_falls_again_and_again_is_not_waited_for_until_it_shows_something() -> None:
    async def story() -> None:
        gate, clock = gate_of()
        gate.dealt = 5
        for clock.now in range(0, 100, 2):
            gate.studio(here=bool(clock.now % 4))
        assert await opens(gate())
        gate.has_shown(1)
        gate.studio(here=True)
        assert not await opens(gate())

    asyncio.run(story())


def test_it_wakes_by_itself_when_its_patience_ends() -> None:
    async def story() -> None:
        gate = Gate(Controls(started=True), asyncio.get_running_loop().time, 0.02)
        gate.dealt = 5
        gate.studio(here=False)
        async with asyncio.timeout(10):
            await gate()

    asyncio.run(story())
