"""A bot that is an HTTP server. Each decision is one request, and only the reply to that request counts.

Everything that a bot does wrong becomes a fault in an answer, never an exception.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from server.bots.bot import Answer
from server.bots.dialects.http_calls import HttpDialect, Refused, Reply, Request
from server.bots.dialects.messages import Malformed
from server.bots.message_records import BotFault, FaultLimit, Record
from server.bots.owed_answers import LATE_SECONDS, OverdueRequest
from server.bots.transports.clock import Clock
from server.bots.transports.http import Address, CallFailed, HttpConnection
from server.game.decisions import Action, Decision, IllegalAction
from server.game.events import Event, FaultNoted
from server.game.view import View
from server.text.names_and_chat import clean_chat, clean_thought

MAX_NEWS = 64
"""The maximum number of queued requests that report events (news). If there are more, the oldest is dropped."""
LAST_NEWS_SECONDS = 2.0
"""How many seconds `close` may take to send the remaining news. After that, unsent news is dropped."""
LATE_LOOP_PASSES = 24
"""After the deadline for an answer, the event loop runs at most this many more times. In these passes, the loop can
read an answer that arrived before the deadline while this process was busy.
"""


async def call_with_timeout(connection: HttpConnection, request: Request, seconds: float, clock: Clock) -> Reply:
    """Sends `request` and returns the reply. Raises CallFailed if the reply is not complete after `seconds`, as
    measured by `clock`.
    """
    call = asyncio.ensure_future(connection.call(request))
    try:
        return await _wait_for_reply(call, seconds, clock)
    finally:
        await _cancel(call)


async def call_on_new_connection(address: Address, request: Request, seconds: float) -> Reply:
    """Does the same as `call_with_timeout`, over a new connection to the bot at `address`."""
    connection = HttpConnection(address)
    try:
        return await call_with_timeout(connection, request, seconds, asyncio.get_running_loop())
    finally:
        await connection.close()


async def _wait_for_reply(call: asyncio.Future[Reply], seconds: float, clock: Clock) -> Reply:
    await _wait(call, seconds, clock)
    for _ in range(LATE_LOOP_PASSES):
        if call.done():
            return call.result()
        await asyncio.sleep(0)
    raise CallFailed("timeout", f"no complete answer within {seconds:g} s")


async def _wait(task: asyncio.Future[Any], seconds: float, clock: Clock) -> None:
    time_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    timer = clock.call_at(clock.time() + seconds, time_up.cancel)
    try:
        await asyncio.wait({task, time_up}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()


async def _cancel(task: asyncio.Future[Any]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # Marks the error as seen. The task failed too late to matter.


class HttpBot:
    """One bot of the tournament that is an HTTP server. It gets its turns and its news as requests."""

    def __init__(
        self,
        bot: int,
        dialect: HttpDialect,
        connection: HttpConnection,
        notify: Callable[[Event], object],
        clock: Clock | None = None,
        *,
        record: Record | None = None,
    ) -> None:
        """`bot` is the bot's number. `notify` is called with an event FaultNoted for each fault to be put into the
        journal. By default, `clock` is the running event loop. `record` keeps the messages to and from the bot.
        """
        self.id = bot
        self.notified_events: tuple[type[Event], ...] = dialect.notified_events
        """The kinds of events to pass to the method `notify`."""
        self._dialect = dialect
        self._connection = connection
        self._notify = notify
        self._clock: Clock = clock or asyncio.get_running_loop()
        self._fault_limit = FaultLimit(self._clock)
        self._record = record or Record()
        self.connected = True
        """Whether the bot still plays. Only `hang_up` sets this to False. It stays True if the bot's server fails,
        because that server may answer the next call.
        """
        self._is_asked = False
        self._queue: deque[tuple[Request, float]] = deque(maxlen=MAX_NEWS)
        self._delivery: asyncio.Task[None] | None = None
        self._late_call: asyncio.Task[None] | None = None
        """The task that waits for a late answer, if there is one."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks for a decision in the hand that `view` shows, within the time that the rules give.

        The queued news is sent first, and may take as long as the rules allow for a decision. `resolve` turns a
        decision into an action, or raises IllegalAction. Raises no exception for a fault of the bot. Raises
        RuntimeError if another call of `ask` has not ended.
        """
        if not self.connected:
            await asyncio.sleep(0)  # without this pause, a table of disconnected bots would block the event loop
            return Answer(None, 0, "disconnected")
        if self._is_asked:
            raise RuntimeError(f"bot {self.id} is asked twice at once")
        self._is_asked = True
        try:
            turn, rules_think_ms = view.hand.turn, view.hand.rules.think_ms
            # News gets the full time even if the bot's time is almost up. Some bots exit when a call is cut off.
            await self.deliver_news(rules_think_ms / 1000)
            return await self._ask(view, resolve, (turn.think_ms if turn else rules_think_ms) / 1000)
        finally:
            self._is_asked = False

    def notify(self, event: Event, view: View) -> None:
        """Queues the requests that report `event` to the bot. They are sent one by one, in the background."""
        if self.connected:
            seconds = view.hand.rules.think_ms / 1000
            self.send(self._dialect.notify(event, view), seconds)

    def send(self, requests: list[Request], seconds: float) -> None:
        """Queues requests whose replies are ignored. Each may take `seconds`."""
        self._queue.extend((request, seconds) for request in requests)
        if self._queue and not self._delivery:
            self._delivery = asyncio.create_task(self._deliver())

    async def deliver_news(self, seconds: float) -> None:
        """Waits until all queued news is sent. After `seconds`, drops unsent news and reports a fault of the bot."""
        if not (delivery := self._delivery):
            return
        await _wait(delivery, seconds, self._clock)
        if not delivery.done():
            self._drop_news(f"took more than {seconds:g} s to answer the news")
            delivery.cancel()
            await asyncio.wait({delivery})

    def hang_up(self) -> None:
        """Stops sending anything. From now on, `ask` returns the fault "disconnected"."""
        self.connected = False
        self._queue.clear()
        for task in self._background_tasks():
            if not task.cancelling():  # A second cancel would interrupt the task while it closes the connection.
                task.cancel()

    async def close(self) -> None:
        """Sends the last news, within LAST_NEWS_SECONDS, then hangs up and closes the connection."""
        if self.connected:
            await self.deliver_news(LAST_NEWS_SECONDS)
        background = self._background_tasks()
        self.hang_up()
        if background:
            await asyncio.wait(background)
        await self._connection.close()

    def _background_tasks(self) -> set[asyncio.Task[None]]:
        return {task for task in (self._delivery, self._late_call) if task}

    async def _ask(self, view: View, resolve: Callable[[Decision], Action], seconds: float) -> Answer:
        asked_at, request = self._clock.time(), self._dialect.ask(view)
        call = asyncio.ensure_future(self._connection.call(request))
        may_be_late = False
        try:
            reply = await self._record_call(request, _wait_for_reply(call, seconds, self._clock))
        except CallFailed as failed:
            may_be_late = failed.fault == "timeout" and not self._late_call
            fault = self._fault_answer(
                BotFault(failed.fault, str(failed), self._connection.reply_start, view.hand), asked_at
            )
            if may_be_late:
                await self._keep_old_connection(call, OverdueRequest(view.hand, asked_at, self._clock.time()))
            return fault
        finally:
            if not may_be_late:
                await _cancel(call)
        message = self._dialect.read(reply, view)
        if isinstance(message, Malformed):
            return self._fault_answer(BotFault("malformed", message.reason, reply.body, view.hand), asked_at)
        if isinstance(message, Refused):
            return self._fault_answer(BotFault("illegal", message.reason, reply.body, view.hand), asked_at)
        try:
            action = resolve(message.decision)
        except IllegalAction as error:
            return self._fault_answer(BotFault("illegal", str(error), reply.body, view.hand), asked_at)
        note, thought = clean_chat(message.note), clean_thought(message.note)
        return Answer(action, self._think_ms(asked_at), note=note, thought=thought, account=message.account)

    async def _keep_old_connection(self, call: asyncio.Future[Reply], overdue: OverdueRequest) -> None:
        """Keeps the connection of `call` for a late reply, and opens a new connection for the next calls."""
        self._late_call = asyncio.create_task(self._wait_for_late_reply(call, self._connection, overdue))
        self._connection = self._connection.successor()
        await asyncio.sleep(0)  # The new task must start now. If it were cancelled first, nobody would close `call`.

    async def _wait_for_late_reply(
        self, call: asyncio.Future[Reply], connection: HttpConnection, overdue: OverdueRequest
    ) -> None:
        """If a late answer comes, tells the author how late it was. The answer does not count."""
        try:
            reply = await _wait_for_reply(call, LATE_SECONDS, self._clock)
            self._record.record("<", f"{reply.status}\n".encode() + reply.body)
            self._report(
                BotFault("timeout", overdue.describe_lateness(self._clock.time()), reply.body, overdue.hand, late=True)
            )
        except CallFailed:
            pass  # no answer came
        finally:
            await _cancel(call)
            await connection.close()
            self._late_call = None

    async def _record_call(self, request: Request, reply: Awaitable[Reply]) -> Reply:
        self._record.record(">", f"{request.method} {request.path}\n".encode() + request.body)
        try:
            received = await reply
        except CallFailed as failed:
            self._record.record("!", str(failed).encode())
            raise
        self._record.record("<", f"{received.status}\n".encode() + received.body)
        return received

    async def _deliver(self) -> None:
        try:
            while self._queue:
                request, seconds = self._queue.popleft()
                try:
                    await self._record_call(request, call_with_timeout(self._connection, request, seconds, self._clock))
                except CallFailed as failed:
                    if failed.fault == "timeout":
                        self._drop_news("did not answer the news in time")
        finally:
            self._delivery = None

    def _drop_news(self, reason: str) -> None:
        self._queue.clear()
        self._report(BotFault("timeout", reason, b"", None))

    def _fault_answer(self, bot_fault: BotFault, asked_at: float) -> Answer:
        self._report(bot_fault)
        return Answer(None, self._think_ms(asked_at), bot_fault.fault)

    def _report(self, bot_fault: BotFault) -> None:
        """Reports every fault to the author, but only some to the journal."""
        self._record.record_fault(bot_fault)
        if detail := self._fault_limit.count_fault(bot_fault.reason):
            self._notify(FaultNoted(self.id, bot_fault.fault, detail))

    def _think_ms(self, asked_at: float) -> int:
        return round((self._clock.time() - asked_at) * 1000)
