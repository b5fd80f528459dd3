"""Notices that a client has hung up while its answer is being made."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.types import Receive

Result = TypeVar("Result")


class HungUp(Exception):
    """The client has hung up, so nobody waits for the answer."""


async def unless_hung_up(receive: Receive, answering: Coroutine[Any, Any, Result]) -> Result:
    """Returns the result of `answering`. As soon as the client hangs up, cancels `answering` and raises HungUp.

    Call this only after the body of the request has been received.
    """
    answer, hung_up = asyncio.create_task(answering), asyncio.create_task(until_hung_up(receive))
    try:
        await asyncio.wait({answer, hung_up}, return_when=asyncio.FIRST_COMPLETED)
        if hung_up.done():
            raise HungUp
        return answer.result()
    finally:
        for task in (answer, hung_up):
            task.cancel()
        await asyncio.gather(answer, hung_up, return_exceptions=True)


async def until_hung_up(receive: Receive) -> None:
    """Waits until the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
