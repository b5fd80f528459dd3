"""Keeps the seat of an agent (a bot that plays by MCP): what the table has told the agent, and what it may do now.

The seat remains while the agent disconnects and reconnects.
"""

import asyncio
import socket
import time
from collections import deque

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from server.bots.bot import CHAT_SECONDS
from server.bots.dialects.agent import (
    MAX_LINE_BYTES,
    TABLE_DECODER,
    Act,
    ActionName,
    Asked,
    Chat,
    Move,
    News,
    Refused,
    SeatMessage,
    Table,
    Taken,
    encode_line,
    move_fault,
)
from server.game.events import Account

WAIT_SECONDS = 20.0
"""How many seconds an agent's call may wait for a turn. Agents' clients give up after 30 to 60 seconds."""
CONFIRM_SECONDS = 5.0
"""How many seconds the table may take to confirm an action, even on a busy machine."""
MAX_NEWS = 100
"""How many items of news from the table are kept until the agent asks for them. The oldest items are dropped."""
MAX_HANDS = 50
"""An agent can look up this many of the hands that it played last."""
MAX_ACTS = 60
"""How many of the agent's actions are kept for each hand."""
_MAX_TABLE_LINE_BYTES = 1 << 16


class AgentRequestError(Exception):
    """The agent's request is not possible now. The message says why, and what to do."""


class WrongSecret(AgentRequestError):
    """No seat has the secret in the request. Somebody might be guessing."""


class AgentAction(Struct, frozen=True, omit_defaults=True):
    """An action of the agent, with its street and the board."""

    street: str
    board: tuple[str, ...]
    action: ActionName
    amount: int
    thought: str = ""


class AgentHand(Struct, omit_defaults=True):
    """A hand that the agent has played. `result` is the news of the hand's end, if the table has sent it."""

    game: int
    hand: int
    cards: tuple[str, ...]
    acts: list[AgentAction] = msgspec.field(default_factory=list)
    result: News | UnsetType = UNSET


class Situation(Struct, frozen=True, omit_defaults=True):
    """The answer to an agent that waits for its turn. If `your_turn` is false, there is no `state`, `time_left_ms`,
    `legal` or `table`.
    """

    your_turn: bool
    next: str
    """What the agent should do now."""
    state: int | UnsetType = UNSET
    """The number of the table's request. The agent's action must repeat this number."""
    time_left_ms: int | UnsetType = UNSET
    legal: tuple[Move, ...] | UnsetType = UNSET
    table: Table | UnsetType = UNSET
    news: tuple[News, ...] = ()
    """What has happened at the table since the last answer."""
    heard: int = 0
    """How many news items the agent has received in all, including this answer. The agent may send this number with its
    next call of `wait_for_turn`.
    """
    game_over: bool = False


class AgentSeat:
    """One agent at a table. Its seat stays connected to the table even if the agent disconnects and reconnects."""

    def __init__(self, name: str, default_end_reason: str = "the game is over") -> None:
        """`default_end_reason` tells the agent why the table has closed the connection, if no other reason is known."""
        self.name = name
        self._default_end_reason = default_end_reason
        self.end_reason = ""
        """Why the agent will have no more turns, or "" if more turns may come."""
        self.hands = deque[AgentHand](maxlen=MAX_HANDS)
        self._news = deque[News](maxlen=MAX_NEWS)
        self._news_count = 0
        """How many news items the seat has received from the table."""
        self._delivered_count = 0
        """How many of these news items the agent has certainly received."""
        self._open_request: Asked | None = None
        self._deadline = 0.0
        self._answer_future: asyncio.Future[Taken | Refused] | None = None
        self._changed = asyncio.Event()
        self._wait_calls = 0
        """How often `wait_for_turn` has been called."""
        self._next_chat_at = 0.0
        """When the agent may chat again."""
        self._writer: asyncio.StreamWriter | None = None

    async def listen(self, table_socket: socket.socket) -> None:
        """Reads the table's messages from `table_socket`. Closes the socket once the table closes the connection."""
        reader, self._writer = await asyncio.open_connection(sock=table_socket, limit=_MAX_TABLE_LINE_BYTES)
        try:
            while line := await reader.readline():
                self._handle_message(TABLE_DECODER.decode(line))
        except ConnectionError:
            pass
        finally:
            self.end(self._default_end_reason)

    def end(self, why: str) -> None:
        """Ends the seat: there are no more turns."""
        self.end_reason = self.end_reason or why
        if self._writer:
            self._writer.close()
        self._open_request = None
        self._resolve_answer(Refused(self.end_reason))
        self._changed.set()

    async def wait_for_turn(self, heard: int | None = None, seconds: float = WAIT_SECONDS) -> Situation:
        """Returns once the agent must act, once the game is over, or after `seconds`.

        The returned news begins after item number `heard`. If `heard` is None, the news begins after the last answer
        that `record_delivery` recorded. A new call ends all earlier calls. The earlier calls return no news, because
        their client has usually given up.
        """
        self._wait_calls += 1
        self._changed.set()
        since = self._delivered_count if heard is None else min(heard, self._news_count)
        call_number, until = self._wait_calls, time.monotonic() + seconds
        while not self.end_reason and self._find_open_request() is None and call_number == self._wait_calls:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), until - time.monotonic())
            except TimeoutError:
                break
        if call_number != self._wait_calls:
            return Situation(False, "a later call of wait_for_turn has taken the place of this one", heard=since)
        return self._make_situation(since)

    def record_delivery(self, situation: Situation) -> None:
        """Records that the agent has received `situation`, so that its news is not repeated."""
        self._delivered_count = max(self._delivered_count, situation.heard)

    async def act(
        self,
        state: int,
        action: ActionName,
        amount: int | None = None,
        thought: str = "",
        account: Account | UnsetType = UNSET,
    ) -> None:
        """Answers request number `state`. Returns once the table has accepted the action. Raises AgentRequestError."""
        request = self._find_open_request()
        if self.end_reason:
            raise AgentRequestError(f"{self.end_reason}: you cannot act any more")
        if request is None or state != request.state:
            raise AgentRequestError(
                f"too late, or not your turn: request {state} is not open. Call wait_for_turn, and act with the number "
                "`state` that it returns"
            )
        if why := move_fault(request.legal, action, amount):
            raise AgentRequestError(f"{why}. You still have {self._left_ms()} ms: act again with state {state}")
        if self._answer_future:
            raise AgentRequestError("your earlier action is under way: wait for its answer")
        self._answer_future = asyncio.get_running_loop().create_future()
        self._send(Act(state, action, _amount_of(request, action, amount), thought, account))
        try:
            answer = await asyncio.wait_for(self._answer_future, CONFIRM_SECONDS)
        except TimeoutError:
            answer = Refused("it came too late")
        finally:
            self._answer_future = None
        if isinstance(answer, Refused):
            raise AgentRequestError(f"the table refused the action: {answer.why}. Call wait_for_turn")
        self._record_action(request, action, amount, thought)

    def chat(self, text: str) -> None:
        """Says `text` at the table. One chat is allowed every CHAT_SECONDS. Raises AgentRequestError."""
        if self.end_reason or self._writer is None:
            raise AgentRequestError(f"{self.end_reason or 'the game has not begun'}: nobody would hear it")
        now = time.monotonic()
        if now < self._next_chat_at:
            raise AgentRequestError(f"one chat every {CHAT_SECONDS:g} s: try again in {self._next_chat_at - now:.1f} s")
        self._send(Chat(text))
        self._next_chat_at = now + CHAT_SECONDS

    def _send(self, message: SeatMessage) -> None:
        assert self._writer, "only a seat that is connected to a table sends messages"
        line = encode_line(message)
        if len(line) > MAX_LINE_BYTES:
            raise AgentRequestError("the message is too long: leave some of it out")
        self._writer.write(line)

    def _handle_message(self, message: Asked | News | Taken | Refused) -> None:
        match message:
            case Asked(time_ms=time_ms):
                self._resolve_answer(Refused("it came too late"))
                self._open_request, self._deadline = message, time.monotonic() + time_ms / 1000
                self._find_or_add_hand(message.table)
                self._changed.set()
            case News(what="hand_over"):
                self._add_news(message)
                if self.hands and self.hands[-1].hand == message.hand:
                    self.hands[-1].result = message
            case News():
                self._add_news(message)
            case Taken(state=state):
                if self._open_request and self._open_request.state == state:
                    self._open_request = None
                    self._resolve_answer(message)
            case Refused():
                self._resolve_answer(message)

    def _add_news(self, news: News) -> None:
        self._news.append(news)
        self._news_count += 1

    def _resolve_answer(self, answer: Taken | Refused) -> None:
        """Tells the agent whether the table accepted the agent's action, if the agent waits for this answer."""
        if self._answer_future and not self._answer_future.done():
            self._answer_future.set_result(answer)

    def _find_or_add_hand(self, table: Table) -> AgentHand:
        if not (self.hands and (self.hands[-1].game, self.hands[-1].hand) == (table.game, table.hand)):
            self.hands.append(AgentHand(table.game, table.hand, table.your_cards))
        return self.hands[-1]

    def _record_action(self, request: Asked, action: ActionName, amount: int | None, thought: str) -> None:
        acts, table = self._find_or_add_hand(request.table).acts, request.table
        if len(acts) < MAX_ACTS:
            acts.append(AgentAction(table.street, table.board, action, _amount_of(request, action, amount), thought))

    def _find_open_request(self) -> Asked | None:
        """Returns the table's open request, or None if there is none or no time is left to answer."""
        return self._open_request if self._open_request and self._left_ms() > 0 else None

    def _left_ms(self) -> int:
        return max(0, round((self._deadline - time.monotonic()) * 1000))

    def _make_situation(self, since: int) -> Situation:
        """Returns the situation, with the news after item number `since`."""
        new_count, request = self._news_count - since, self._find_open_request()
        news = tuple(self._news)[max(0, len(self._news) - new_count) :]
        situation = Situation(False, "call wait_for_turn again", news=news, heard=self._news_count)
        if self.end_reason:
            return replace(situation, next=f"{self.end_reason}: join again for another game", game_over=True)
        if request is None:
            return situation
        return replace(
            situation,
            your_turn=True,
            next="call act with this state",
            state=request.state,
            time_left_ms=self._left_ms(),
            legal=request.legal,
            table=request.table,
        )


def _amount_of(request: Asked, action: ActionName, amount: int | None) -> int:
    """Returns the amount of a raise. For any other action, returns what the action costs."""
    cost: dict[str, int | UnsetType] = {move.action: move.amount for move in request.legal}
    return (amount or 0) if action == "raise" else cost[action] or 0
