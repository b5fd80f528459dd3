"""New connections take turns: a few in each turn of the loop, and every group of addresses as soon as any other."""

import asyncio
from collections.abc import Callable

from broadcast.web.connections.context import AT_ONCE, RoundRobin


def begun_in(turns_of_loop: int, *waiting: str) -> list[str]:
    """Whose callbacks ran after this many turns of the loop, of the groups `waiting` in this order."""

    async def story() -> list[str]:
        begun: list[str] = []
        turns = RoundRobin(asyncio.get_running_loop())
        for group in waiting:
            turns.wait(group.partition("/")[0], group, _recording(begun, group))
        for _ in range(turns_of_loop):
            await asyncio.sleep(0)
        return list(begun)

    return asyncio.run(story())


def _recording(begun: list[str], group: str) -> Callable[[], None]:
    return lambda: begun.append(group)


def test_only_a_few_begin_in_one_turn_of_the_loop() -> None:
    many = ["one"] * 100
    assert [len(begun_in(turns, *many)) for turns in (1, 2, 3, 60)] == [AT_ONCE, 2 * AT_ONCE, 3 * AT_ONCE, 100]


def test_large_group_delays_no_other() -> None:
    begun = begun_in(100, *["large"] * 50, "small", *["large"] * 50, "other")
    assert begun[:6] == ["large", "small", "other", "large", "large", "large"]
    assert len(begun) == 102


def test_site_with_many_groups_delays_no_other() -> None:
    begun = begun_in(100, *(f"large/{number}" for number in range(50)), "small", "large/0")
    assert begun[:4] == ["large/0", "small", "large/1", "large/2"]
    assert begun[-1] == "large/0"


def test_single_callback_begins_at_once() -> None:
    assert begun_in(1, "one") == ["one"]


def test_failing_callback_keeps_nobody_waiting() -> None:
    async def story() -> tuple[list[str], int]:
        loop, begun, failures = asyncio.get_running_loop(), list[str](), list[object]()
        loop.set_exception_handler(lambda _, context: failures.append(context["exception"]))
        turns = RoundRobin(loop)
        for begin in (_failing, _recording(begun, "second"), _recording(begun, "third")):
            turns.wait("one", "one", begin)
        for _ in range(5):
            await asyncio.sleep(0)
        turns.wait("one", "one", _recording(begun, "late"))
        await asyncio.sleep(0)
        return begun, len(failures)

    assert asyncio.run(story()) == (["second", "third", "late"], 1)


def _failing() -> None:
    raise ValueError
