"""Which contest bots are meant for whose author has not said so: a bot at an address is asked."""

import asyncio
from collections.abc import Sequence

from server.app.sparring.seats import ANYWHERE
from server.bots.dialects.http_calls import Request
from server.bots.http_bot import call_within
from server.bots.transports.clock import Clock
from server.bots.transports.http import CallFailed, HostRefused, HttpConnection, find_host, host_and_port
from server.console import plain, tell
from server.contests import CONTESTS, DEFAULT
from server.errors import Refusal

ADDRESS = "http://"
SECONDS = 5.0
"""How long a bot may take to answer."""
_READY = Request("POST", "/player/ready")
"""Only bots of some contests know the path; they expect another method there, so this begins nothing."""
_ANSWERS = {status: each.id for each in CONTESTS.values() for status in each.ready_statuses}


async def contest_asked(texts: Sequence[str], contest: str) -> str:
    """The contest of the bots that `texts` name, if `contest` is "". Raises Refusal where nothing tells it."""
    called = next((text for text in texts if text.startswith(ADDRESS)), "")
    if contest or not called:
        return contest or DEFAULT
    try:
        address = await find_host(*host_and_port(called), ANYWHERE)
    except HostRefused as error:
        raise Refusal(f"{called} {error}") from None
    connection, clock = HttpConnection(address), asyncio.get_running_loop()
    try:
        found = _ANSWERS.get(await _status(connection, clock), "")
    except CallFailed as failed:
        raise Refusal(f"{plain(called)} cannot be asked for its contest: {failed}") from None
    finally:
        await connection.close()
    if not found:
        choices = " or ".join(f"--contest {each}" for each in dict.fromkeys(_ANSWERS.values()))
        raise Refusal(f"{plain(called)} does not tell its contest: add {choices}")
    tell(f"{plain(called)} answers like a bot of {found}; --contest says otherwise")
    return found


async def _status(connection: HttpConnection, clock: Clock) -> int:
    return (await call_within(connection, _READY, SECONDS, clock)).status
