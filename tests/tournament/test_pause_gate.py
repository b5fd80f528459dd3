"""The gate before every hand: shut while the table is ahead of the show, or while the operator wants it shut."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from server.game.events import HandStarted
from server.tournament.control_values import Controls, set_control
from server.tournament.pause_gate import HANDS_AHEAD, Gate

HAND = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
STARTED = Controls(started=True)


def at_a_gate(script: Callable[[Gate], Awaitable[None]]) -> Callable[[], None]:
    """A test with the gate of a tournament that has started."""

    async def story() -> None:
        await script(Gate(STARTED))

    def test() -> None:
        asyncio.run(story())

    return test


async def opens(waiting: Awaitable[None]) -> bool:
    """Whether it opens without anything happening."""
    task = asyncio.ensure_future(waiting)
    for _ in range(5):
        await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    return False


@at_a_gate
async def test_the_gate_is_shut_until_the_operator_starts(gate: Gate) -> None:
    gate.controls = Controls()
    assert not await opens(gate.start())
    assert not await opens(gate())
    gate.heard(set_control(gate.controls, "started", True))
    assert await opens(gate.start())
    assert await opens(gate())


@at_a_gate
async def test_the_table_is_never_more_than_one_hand_ahead_of_the_show(gate: Gate) -> None:
    for shown in range(20):
        gate.has_shown(shown)
        while await opens(gate()):
            gate.heard(HAND)
        assert gate.dealt == shown + HANDS_AHEAD + 1


@at_a_gate
async def test_a_hand_that_has_been_shown_opens_the_gate(gate: Gate) -> None:
    gate.heard(HAND)
    gate.heard(HAND)
    waiting = asyncio.ensure_future(gate())
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.has_shown(1)
    await waiting


@at_a_gate
async def test_a_pause_shuts_the_gate(gate: Gate) -> None:
    gate.heard(set_control(gate.controls, "paused", True))
    assert not await opens(gate())
    gate.heard(set_control(gate.controls, "paused", False))
    assert await opens(gate())


@at_a_gate
async def test_no_hand_is_dealt_while_the_studio_is_gone(gate: Gate) -> None:
    gate.miss(missed=True)
    assert not await opens(gate())
    gate.miss(missed=False)
    assert await opens(gate())


@at_a_gate
async def test_the_operator_may_let_the_table_play_on_unseen(gate: Gate) -> None:
    gate.dealt = 5
    gate.miss(missed=True)
    waiting = asyncio.ensure_future(gate())
    await asyncio.sleep(0)
    gate.heard(set_control(gate.controls, "unseen", True))
    await waiting
    gate.heard(set_control(gate.controls, "unseen", False))
    assert not await opens(gate())


@pytest.mark.parametrize("unseen", [False, True])
def test_a_shut_gate_costs_no_time(unseen: bool) -> None:
    """It looks again only when something happens."""
    looks = 0

    class Looked(Gate):
        def _open(self) -> bool:
            nonlocal looks
            looks += 1
            return super()._open()

    async def story() -> None:
        gate = Looked(Controls(started=True, paused=True, unseen=unseen))
        gate.miss(missed=True)
        assert not await opens(gate())

    asyncio.run(story())
    assert looks == 1


@pytest.mark.parametrize(
    ("controls", "missed", "words"),
    [(Controls(), True, "has not begun"), (STARTED, False, "the studio is there"), (STARTED, True, "")],
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
