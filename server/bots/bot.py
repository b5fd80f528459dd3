"""Asks a connected bot for decisions, each within a time limit, and sends the bot news. All messages are in the dialect
(the message format) of the bot's contest.

Whatever a bot does becomes an answer, an event or a fault, never an exception. This module knows no rules of poker. The
caller passes a function, `resolve`, that applies the rules. The contest's rules also say how long a bot may think.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from server.bots.dialects import messages
from server.bots.message_records import BotFault, Direction, FaultLimit, Record, Transcript
from server.bots.owed_answers import OwedAnswers
from server.bots.transports.clock import Clock, Timer
from server.bots.transports.connection import Connection
from server.game.decisions import Action, Decision, IllegalAction
from server.game.events import Account, BotDisconnected, ChatSent, Event, Fault, FaultNoted
from server.game.hand import Hand
from server.game.view import View
from server.text.names_and_chat import chat_remark, clean_chat, clean_thought

CHAT_SECONDS = 5.0
"""The shortest time between two chats of a bot, in seconds. The rules say: "Any more than 1 chat message every 5
seconds will be ignored".
"""


class Answer(Struct, frozen=True):
    """A bot's answer after `think_ms` milliseconds. The answer has either an action or a fault.

    `note` is the bot's own comment on its action, made safe to show. It is "" if there is no comment. If the comment is
    too long for `note`, `thought` is the whole comment. `account` has the tokens and dollars that the bot says it has
    spent.
    """

    action: Action | None
    think_ms: int
    fault: Fault = ""
    note: str = ""
    thought: str = ""
    account: Account | UnsetType = UNSET


class PendingRequest:
    """A request that its bot has not answered yet. `is_sent` is True once the kernel has the whole request. An
    answer that comes earlier does not count.
    """

    def __init__(self, resolve: Callable[[Decision], Action], asked_at: float, hand: Hand) -> None:
        self.resolve = resolve
        self.hand = hand
        self.asked_at = asked_at
        self.is_sent = False
        self.refusal_fault: Fault = ""
        """The fault of the latest answer that was refused, or "" if no answer was refused."""
        self.think_ms = hand.turn.think_ms if hand.turn else hand.rules.think_ms
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.timer: Timer | None = None

    @property
    def is_open(self) -> bool:
        return self.is_sent and not self.answer.done()

    def settle(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class Bot:
    """One bot of the tournament, from the moment it connects."""

    def __init__(
        self,
        bot: int,
        dialect: messages.Dialect,
        connection: Connection,
        notify: Callable[[Event], object],
        clock: Clock | None = None,
        *,
        record: Record | None = None,
        has_numbered_answers: bool = False,
    ) -> None:
        """`bot` is the bot's number. `notify` is called with each ChatSent, FaultNoted and BotDisconnected of the bot.

        By default, `clock` is the running event loop. `record` keeps the messages to and from the bot.
        `has_numbered_answers` says that each answer contains the number of its request. If so, the dialect ignores late
        answers, and the next request does not wait for them.
        """
        self.id = bot
        self.notified_events: tuple[type[Event], ...] = dialect.notified_events
        """The kinds of events to pass to the method `notify`."""
        self._dialect = dialect
        self._connection = connection
        self._notify = notify
        self._clock: Clock = clock or asyncio.get_running_loop()
        self.connected = True
        """Whether the bot can still be asked."""
        self._has_sent_anything = False
        self._question: PendingRequest | None = None
        self._owed_answers = OwedAnswers(self._clock)
        """The late answers that the bot still owes."""
        self._game, self._spent_ms = 0, 0
        """The number of the current game, and how many milliseconds the bot has thought in it."""
        self._chatted_at = float("-inf")
        self._fault_limit = FaultLimit(self._clock)
        self._transcript = Transcript(self._clock)
        self._record = record or Record()
        self._has_numbered_answers = has_numbered_answers
        connection.attach(self._receive, self._report_loss)

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks the bot for a decision in the hand that `view` shows. The bot's time starts when the request is sent.

        `resolve` turns a decision into an action. If the rules forbid the decision, `resolve` raises IllegalAction. In
        some contests, the bot may then answer again. If the time is up or the bot is gone, the answer has a fault and
        no action. If an earlier request is still unanswered, the bot first gets some time to answer that request.
        Raises no exception for a fault of the bot. Raises RuntimeError if another call of `ask` has not ended.
        """
        await self._owed_answers.wait_until_caught_up()
        if not self.connected:
            await asyncio.sleep(0)  # without this pause, a table of disconnected bots would block the event loop
            return Answer(None, 0, "disconnected")
        if self._question is not None:
            raise RuntimeError(f"bot {self.id} is asked twice at once")
        question = PendingRequest(resolve, self._clock.time(), view.hand)
        if (left_ms := self._left_ms(view)) is not UNSET:
            question.think_ms = min(question.think_ms, left_ms)
        self._question = question
        self._set_timer(question)
        request = self._dialect.ask(view)
        withdraw = self._connection.send(request, on_sent=partial(self._start_time, question, request))
        try:
            answer = await question.answer
        finally:
            self._question = None
            withdraw()
            if question.timer:
                question.timer.cancel()
        self._spent_ms += answer.think_ms
        if not answer.action and view.hand.rules.fault_costs == "rest":  # a missing action costs all further hands
            self._disconnect("gave no valid answer in time, and is out of the game")
        return answer

    def _left_ms(self, view: View) -> int | UnsetType:
        """Returns how many milliseconds the bot has left in the game of `view`, or UNSET if there is no limit."""
        if view.game != self._game:
            self._game, self._spent_ms = view.game, 0
        bank = view.hand.rules.time_bank_ms
        return bank if bank is UNSET else max(0, bank - self._spent_ms)

    def notify(self, event: Event, view: View) -> None:
        """Reports `event` to the bot if the bot's dialect has a message for such events. Never blocks.

        `view` is the hand after the event, as the bot's seat sees it. If too many messages are waiting to be sent, chat
        is dropped first.
        """
        message = self._dialect.notify(event, view) if self.connected else None
        if message is not None:
            self._send(message, droppable=isinstance(event, ChatSent))

    def hang_up(self) -> None:
        """Closes the connection to the bot. From now on, `ask` returns the fault "disconnected"."""
        self._mark_disconnected()
        self._connection.close()

    def _disconnect(self, reason: str) -> None:
        if self.connected:
            self.hang_up()
            self._notify(BotDisconnected(self.id, reason))

    def _start_time(self, question: PendingRequest, request: bytes) -> None:
        """Starts the bot's time. Call this when the kernel has taken the request."""
        self._log(">", request)
        question.is_sent = True
        question.asked_at = self._clock.time()
        self._set_timer(question)

    def _set_timer(self, question: PendingRequest) -> None:
        """Starts or restarts the bot's timer, which counts from `asked_at`."""
        if question.timer:
            question.timer.cancel()
        ends_at = question.asked_at + question.think_ms / 1000
        question.timer = self._clock.call_at(ends_at, partial(self._end_time, question))

    def _end_time(self, question: PendingRequest) -> None:
        self._connection.drain()  # an answer that has arrived by now is not late, even if it is still unread
        if question.answer.done():
            return
        if question.is_sent and not question.refusal_fault and not self._has_numbered_answers:
            self._owed_answers.add(question.hand, question.asked_at)
        self._log("!", b"the time is up without a valid answer")
        if not question.refusal_fault:
            self._record.record_fault(self._describe_silence(question))
        question.settle(Answer(None, question.think_ms, question.refusal_fault or "timeout"))

    def _describe_silence(self, question: PendingRequest) -> BotFault:
        unfinished, within = self._dialect.unfinished, f"within {self._time_given(question)}"
        if unfinished:
            reason = f"the end of its message did not arrive {within}"
        elif self._has_sent_anything:
            reason = f"no answer {within}"
        else:
            reason = f"no answer {within}, and nothing at all before (does it flush what it writes?)"
        return BotFault("timeout", reason, unfinished, question.hand)

    def _time_given(self, question: PendingRequest) -> str:
        return f"{question.think_ms / 1000:g} s"

    def _think_ms(self, question: PendingRequest) -> int:
        return round((self._clock.time() - question.asked_at) * 1000)

    def _receive(self, received: bytes) -> None:
        self._log("<", received)
        self._has_sent_anything = True
        for message in self._dialect.receive(received):
            self._handle(message)

    def _log(self, direction: Direction, message: bytes) -> None:
        self._transcript.record(direction, message)
        self._record.record(direction, message)

    def _handle(self, message: messages.BotMessage) -> None:
        match message.content:
            case messages.DecisionMessage() as decided:
                self._accept_decision(decided, message.raw)
            case messages.ChatMessage(text=text):
                self._pass_on_chat(text)
            case messages.LogRequest():
                self._send(self._dialect.logs(self._transcript.lines), droppable=True)
            case messages.NoAnswer():  # the bot says that a late answer will not come
                if self._owed_answers:  # if the bot owes none, the current request stays open until its time is up
                    self._owed_answers.pop_oldest_request()
            case messages.Malformed(reason=reason) as malformed:
                self._refuse(malformed, "malformed", reason, message.raw)
            case messages.Incompatible(reason=reason):
                self._disconnect(reason)

    def _accept_decision(self, message: messages.DecisionMessage, sent: bytes) -> None:
        """Accepts only the first valid decision: "The server will use the first valid take_action message it receives
        within the 3-second limit".
        """
        if self._owed_answers:
            self._report_late_answer(sent)
            return
        question = self._question
        if question is None or not question.is_open:
            self._refuse("not expected", "illegal", "an action that was not requested", sent)
            return
        try:
            action = question.resolve(message.decision)
        except IllegalAction as error:
            self._refuse("illegal", "illegal", str(error), sent)
        except Exception as error:  # a bug in this program: `ask` must raise it, not the socket's reader
            question.answer.set_exception(error)
        else:
            self._owed_answers.clear()
            self._send(self._dialect.answer("accepted"))
            note, thought = clean_chat(message.note), clean_thought(message.note)
            question.settle(
                Answer(action, self._think_ms(question), note=note, thought=thought, account=message.account)
            )

    def _pass_on_chat(self, text: str) -> None:
        now = self._clock.time()
        if now - self._chatted_at >= CHAT_SECONDS:
            self._chatted_at = now
            if remark := chat_remark(text):
                self._log("!", f"the chat is shown without {remark}".encode())
            self._notify(ChatSent(self.id, clean_chat(text)))

    def _refuse(self, outcome: messages.Outcome, fault: Fault, reason: str, sent: bytes) -> None:
        self._send(self._dialect.answer(outcome), droppable=True)
        question, hand, is_first = self._question, None, False
        if self._owed_answers:
            self._owed_answers.pop_oldest_request()
        elif question and question.is_open:
            is_first = not question.refusal_fault
            question.refusal_fault, hand = fault, question.hand
            if not self._dialect.allows_retry:
                question.settle(Answer(None, self._think_ms(question), fault))
        self._report(BotFault(fault, reason, sent, hand), is_first=is_first)

    def _report_late_answer(self, sent: bytes) -> None:
        self._send(self._dialect.answer("not expected"), droppable=True)
        owed = self._owed_answers.pop_oldest_request()
        self._report(BotFault("timeout", owed.describe_lateness(self._clock.time()), sent, owed.hand, late=True))

    def _report(self, bot_fault: BotFault, *, is_first: bool = False) -> None:
        """Reports a fault to the journal and to the bot's author. If faults come too often, leaves some out. The author
        still gets the first fault of each turn, because that fault can cost the bot its turn.
        """
        detail = self._fault_limit.count_fault(bot_fault.reason)
        if detail or is_first:
            self._record.record_fault(replace(bot_fault, reason=detail or bot_fault.reason))
        if detail:
            self._notify(FaultNoted(self.id, bot_fault.fault, detail))

    def _send(self, message: bytes, *, droppable: bool = False) -> None:
        if message:
            self._log(">", message)
            self._connection.send(message, droppable=droppable)

    def _report_loss(self, reason: str) -> None:
        self._log("!", b"the connection is gone")
        self._mark_disconnected()
        self._notify(BotDisconnected(self.id, reason))

    def _mark_disconnected(self) -> None:
        self.connected = False
        self._owed_answers.clear()
        if self._question:
            self._question.settle(Answer(None, self._think_ms(self._question), "disconnected"))
