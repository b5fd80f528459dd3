"""A bot: a dialect on a wire under a deadline. Whatever a bot does wrong is data here and never leaves as an exception.

Knows no poker beyond the values of a decision; the rules come in as `resolve`. Time comes from a monotonic clock.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct

from server.bots.dialects.messages import (
    Chatted,
    Decided,
    Illegal,
    Malformed,
    NotExpected,
    Outcome,
    Said,
    Taken,
    WantsLogs,
)
from server.bots.fault_limit import Sparing
from server.bots.owed_answers import Owed
from server.bots.transports.outbox import Clock, Timer
from server.game.decisions import Action, Decision, IllegalAction
from server.game.events import BotDisconnected, ChatSent, Event, Fault, FaultNoted
from server.game.view import View

CHAT_SECONDS = 5.0
""" "Any more than 1 chat message every 5 seconds will be ignored"."""
TRANSCRIPT_LINES = 40
TRANSCRIPT_LETTERS = 300
"""Kept of one message in the transcript."""


class Dialect(Protocol):
    """How a contest's bots talk; pure. An answer of no bytes is not sent."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events that bots are told."""

    @property
    def second_try(self) -> bool:
        """Whether a bot whose answer was refused may give another one in its time."""

    def ask(self, view: View) -> bytes: ...

    def tell(self, event: Event, view: View) -> bytes | None: ...

    def receive(self, received: bytes) -> list[Said]: ...

    def answer(self, outcome: Outcome) -> bytes: ...

    def logs(self, transcript: Sequence[str]) -> bytes: ...


class Wire(Protocol):
    """A connection to one bot: bytes only."""

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """Starts reading. `lost` is called once, with the reason, when the other end is gone."""

    def send(
        self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Puts a whole message on its way and returns at once what takes it back. Droppable ones are given up first.

        `handed` is called when the kernel has it, after all that the bot said before has been read.
        """

    def drain(self) -> None:
        """Reads what has already arrived, now."""

    def close(self) -> None:
        """Sends what waits, then closes; `lost` is not called."""


class Answer(Struct, frozen=True):
    """What a bot does, after how many milliseconds; None with the fault for which it does nothing by itself."""

    action: Action | None
    think_ms: int
    fault: Fault = ""


class _Question:
    """A request that waits for its answer. It can be answered only once it is with the kernel."""

    def __init__(self, resolve: Callable[[Decision], Action], asked_at: float, think_ms: int) -> None:
        self.resolve = resolve
        self.asked_at = asked_at
        self.handed = False
        self.refused: Fault = ""
        """What was wrong with the last answer, where one came that did not count."""
        self.think_ms = think_ms
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.timer: Timer | None = None

    @property
    def open(self) -> bool:
        return self.handed and not self.answer.done()

    def settle(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class Bot:
    """One bot of the tournament, from its connection on."""

    def __init__(
        self, bot: int, dialect: Dialect, wire: Wire, notify: Callable[[Event], object], clock: Clock | None = None
    ) -> None:
        """`notify` hears ChatSent, FaultNoted and BotDisconnected. The clock is the running loop's unless given."""
        self.id = bot
        self._dialect = dialect
        self._wire = wire
        self._notify = notify
        self._clock: Clock = clock or asyncio.get_running_loop()
        self._began = self._clock.time()
        self._connected = True
        self._question: _Question | None = None
        self._owed = Owed(self._clock)
        self._chatted_at = float("-inf")
        self._faults = Sparing(self._clock)
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)
        wire.attach(self._received, self._lost)

    @property
    def connected(self) -> bool:
        """Whether it can still be asked."""
        return self._connected

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events it wants to hear of."""
        return self._dialect.news

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """The first valid decision within the time of the rules, counted from handing the request to the kernel.

        `resolve` says what a decision comes to, or raises IllegalAction for what the rules forbid; the bot is told and
        may try again, if its contest allows that. A bot that lets its time pass, or is gone, has a fault for an action.
        Never raises for a bot's misdeed.
        A bot that was silent is given some time first to catch up: what it says late is no answer to this.
        """
        await self._owed.caught_up()
        if not self._connected:
            await asyncio.sleep(0)  # A table of dead bots must not keep the loop to itself.
            return Answer(None, 0, "disconnected")
        if self._question is not None:
            raise RuntimeError(f"bot {self.id} is asked twice at once")
        turn = view.hand.turn
        question = _Question(resolve, self._clock.time(), turn.think_ms if turn else view.hand.rules.think_ms)
        self._question = question
        self._set_timer(question)
        request = self._dialect.ask(view)
        withdraw = self._wire.send(request, handed=partial(self._handed, question, request))
        try:
            return await question.answer
        finally:
            self._question = None
            withdraw()
            if question.timer:
                question.timer.cancel()

    def tell(self, event: Event, view: View) -> None:
        """Gives the bot news, if its contest tells that kind. Chat is the first to go if the bot does not read."""
        message = self._dialect.tell(event, view) if self._connected else None
        if message is not None:
            self._send(message, droppable=isinstance(event, ChatSent))

    def hang_up(self) -> None:
        """Closes the connection from our side; whoever asks from now on gets a fold."""
        self._connected = False
        self._owed.clear()
        self._wire.close()
        self._settle_disconnected()

    # -- the clock ---------------------------------------------------------------------------------

    def _handed(self, question: _Question, request: bytes) -> None:
        """The request is with the kernel: the time starts now."""
        self._note(">", request)
        question.handed = True
        question.asked_at = self._clock.time()
        self._set_timer(question)

    def _set_timer(self, question: _Question) -> None:
        """A bot that does not even take the request has the same time for that."""
        if question.timer:
            question.timer.cancel()
        ends_at = question.asked_at + question.think_ms / 1000
        question.timer = self._clock.call_at(ends_at, partial(self._time_up, question))

    def _time_up(self, question: _Question) -> None:
        self._wire.drain()  # An answer that is there already came in time, however busy we were.
        if question.answer.done():
            return
        if question.handed and not question.refused:
            self._owed.add()
        self._note("!", b"the time is up without a valid answer")
        question.settle(Answer(None, question.think_ms, question.refused or "timeout"))

    def _think_ms(self, question: _Question) -> int:
        return round((self._clock.time() - question.asked_at) * 1000)

    # -- what the bot says -------------------------------------------------------------------------

    def _received(self, received: bytes) -> None:
        self._note("<", received)
        for said in self._dialect.receive(received):
            self._hear(said)

    def _hear(self, said: Said) -> None:
        match said:
            case Decided(decision=decision):
                self._decided(decision)
            case Chatted(text=text):
                self._chatted(text)
            case WantsLogs():
                self._send(self._dialect.logs(tuple(self._transcript)), droppable=True)
            case Malformed(reason=reason):
                self._refuse(said, "malformed", reason)

    def _decided(self, decision: Decision) -> None:
        """ "The server will use the first valid take_action message it receives within the 3-second limit"."""
        if self._owed:
            self._came_late()
            return
        question = self._question
        if question is None or not question.open:
            self._refuse(NotExpected(), "illegal", "an action nobody had asked for")
            return
        try:
            action = question.resolve(decision)
        except IllegalAction as error:
            self._refuse(Illegal(), "illegal", str(error))
        except Exception as error:  # Our own mistake: it belongs to whoever asked, not to the reader of this socket.
            question.answer.set_exception(error)
        else:
            self._owed.clear()
            self._send(self._dialect.answer(Taken()))
            question.settle(Answer(action, self._think_ms(question)))

    def _chatted(self, text: str) -> None:
        now = self._clock.time()
        if now - self._chatted_at >= CHAT_SECONDS:
            self._chatted_at = now
            self._notify(ChatSent(self.id, text))

    def _refuse(self, outcome: Outcome, fault: Fault, reason: str) -> None:
        self._send(self._dialect.answer(outcome), droppable=True)
        question = self._question
        if self._owed:
            self._owed.pay()
        elif question and question.open:
            question.refused = fault
            if not self._dialect.second_try:
                question.settle(Answer(None, self._think_ms(question), fault))
        self._tell_fault(fault, reason)

    def _came_late(self) -> None:
        """An answer to a request whose time was up."""
        self._send(self._dialect.answer(NotExpected()), droppable=True)
        self._tell_fault("timeout", f"an answer came {self._owed.pay():.1f} seconds late and does not count")

    def _tell_fault(self, fault: Fault, reason: str) -> None:
        if detail := self._faults.note(reason):
            self._notify(FaultNoted(self.id, fault, detail))

    # -- the wire ----------------------------------------------------------------------------------

    def _send(self, message: bytes, *, droppable: bool = False) -> None:
        if message:
            self._note(">", message)
            self._wire.send(message, droppable=droppable)

    def _lost(self, reason: str) -> None:
        self._connected = False
        self._owed.clear()
        self._notify(BotDisconnected(self.id, reason))
        self._settle_disconnected()

    def _settle_disconnected(self) -> None:
        if self._question:
            self._question.settle(Answer(None, self._think_ms(self._question), "disconnected"))

    def _note(self, way: str, message: bytes) -> None:
        """Keeps a line of the bot's own transcript: seconds since it connected, `>` to the bot, `<` from it."""
        text = message[:TRANSCRIPT_LETTERS].decode(errors="replace").rstrip("\n")
        self._transcript.append(f"{self._clock.time() - self._began:.3f} {way} {text}")
