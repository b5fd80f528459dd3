"""Notices that a client has hung up while its answer is being made."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.types import Receive

Result = TypeVar("Result")


class ClientDisconnected(Exception):
    """The client has hung up, so nobody waits for the answer."""


async def cancel_on_disconnect(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """Returns the result of `work`. As soon as the client hangs up, cancels `work` and raises ClientDisconnected.

    Call this only after the body of the request has been received.
    """
    answer, hung_up = asyncio.create_task(work), asyncio.create_task(wait_for_disconnect(receive))
    try:
        await asyncio.wait({answer, hung_up}, return_when=asyncio.FIRST_COMPLETED)
        if hung_up.done():
            raise ClientDisconnected
        return answer.result()
    finally:
        for task in (answer, hung_up):
            task.cancel()
        await asyncio.gather(answer, hung_up, return_exceptions=True)


async def wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
