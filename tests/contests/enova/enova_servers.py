"""Enova bots for tests: real HTTP servers in this process, with answers of any kind."""

import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from tests.bots.http_servers import HOST, Caller, answer, host_playing
from tests.contests.enova.enova_table import rack

Form = dict[str, Any]
Reply = tuple[int, bytes]
OK: Reply = (200, b"")
NEVER: Reply = (0, b"never")
HANG_UP: Reply = (0, b"hang up")


class EnovaServer:
    """A bot that answers each path and form with the reply of `choose`.

    The reply NEVER means no answer, and HANG_UP ends the connection. A form with bad nesting also ends it, because a
    real bot would fail on such a form. `heard` lists all calls.
    """

    def __init__(self, choose: Callable[[str, Form], Reply]) -> None:
        self._choose = choose
        self.heard: list[tuple[str, Form]] = []
        self.port = 0

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    def paths(self) -> list[str]:
        return [form.get("event", path) for path, form in self.heard]

    async def play(self, caller: Caller) -> None:
        while True:
            head, body = await caller.heard()
            path, form = head.split(" ", 2)[1], rack(body) if body else {}
            self.heard.append((path, form))
            reply = self._choose(path, form)
            if reply == NEVER:
                await caller.gone()
            if reply in (NEVER, HANG_UP):
                return
            status, content = reply
            await caller.say(answer(content, status=f"{status} Fine"))


@contextlib.asynccontextmanager
async def serving_bots(bots: Sequence[EnovaServer]) -> AsyncIterator[None]:
    """Serves the bots, each on its own port, and closes their connections at the end of the block."""
    async with contextlib.AsyncExitStack() as hosts:
        for bot in bots:
            host = await hosts.enter_async_context(host_playing(bot.play))
            bot.port = host.address.port
        yield


def player(dice: random.Random) -> EnovaServer:

    def choose(path: str, form: Form) -> Reply:
        if path == "/player/notify":
            return 404, b"the sample bot has no such page"
        return OK if path != "/player/action" else _by_dice(form, dice)

    return EnovaServer(choose)


def _by_dice(form: Form, dice: random.Random) -> Reply:
    """A random legal answer, often all-in. Some amounts are numbers, others strings."""
    low, high, luck = int(form["minimum_bet"]), int(form["maximum_bet"]), dice.random()
    if form["blind"] == "true":
        return 200, b'{"action":"blind","amount":"%d"}' % low
    if luck < 0.2 and low:
        return 200, b'{"action":"fold"}'
    return 200, b'{"action": "bet", "amount": %d}' % (high if luck > 0.6 else low)
