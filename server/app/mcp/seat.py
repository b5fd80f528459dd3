"""The seat of an agent (a bot that plays by MCP): what the table has told the agent, and what the agent may do now.

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
    LONGEST_LINE,
    READ_TABLE,
    Act,
    Asked,
    Chat,
    FromSeat,
    Move,
    Name,
    News,
    Refused,
    Table,
    Taken,
    line_of,
    move_fault,
)
from server.game.events import Account

WAIT_SECONDS = 20.0
"""How long an agent's call may wait for a turn. Agents' clients give up after 30 to 60 seconds."""
CONFIRM_SECONDS = 5.0
"""How long the table may take to confirm an action, even on a busy machine."""
MAX_NEWS = 100
"""How many news items are kept for an agent that does not ask for them. The oldest are dropped."""
MAX_HANDS = 50
"""How many of its latest hands an agent can look up."""
MAX_ACTS = 60
"""How many of the agent's actions are kept for each hand."""
_LINE_FROM_TABLE = 1 << 16


class NotNow(Exception):
    """The agent's request is not possible now. The message says why, and what to do."""


class WrongSecret(NotNow):
    """No seat has this secret. Somebody might be guessing."""


class OwnAct(Struct, frozen=True, omit_defaults=True):
    """An action of the agent, with its street and the board."""

    street: str
    board: tuple[str, ...]
    action: Name
    amount: int
    thought: str = ""


class OwnHand(Struct, omit_defaults=True):
    """A hand that the agent has played. `result` is the news of the hand's end that everybody at the table got, if
    there was any.
    """

    game: int
    hand: int
    cards: tuple[str, ...]
    acts: list[OwnAct] = msgspec.field(default_factory=list)
    result: News | UnsetType = UNSET


class Situation(Struct, frozen=True, omit_defaults=True):
    """The answer to an agent that waits for its turn. If `your_turn` is false, only `news` and `next` matter."""

    your_turn: bool
    next: str
    """What to do now."""
    state: int | UnsetType = UNSET
    """The number of this request, which the agent's action must repeat."""
    time_left_ms: int | UnsetType = UNSET
    legal: tuple[Move, ...] | UnsetType = UNSET
    table: Table | UnsetType = UNSET
    news: tuple[News, ...] = ()
    """What has happened since the last answer."""
    heard: int = 0
    """How many news items the agent has received in all, including this answer. The agent may send this number with its
    next wait.
    """
    game_over: bool = False


class Seat:
    """One agent at a table. The socket to the table closes when the game ends; the agent itself may reconnect."""

    def __init__(self, name: str, ends: str = "the game is over") -> None:
        """`ends` tells the agent why the table has closed the connection."""
        self.name = name
        self._ends = ends
        self.over = ""
        """Why the agent will have no more turns, or ""."""
        self.hands = deque[OwnHand](maxlen=MAX_HANDS)
        self._news = deque[News](maxlen=MAX_NEWS)
        self._happened = 0
        """How many news items the seat has had from the table."""
        self._heard = 0
        """How many of these news items the agent has surely received."""
        self._asked: Asked | None = None
        self._due = 0.0
        self._answered: asyncio.Future[Taken | Refused] | None = None
        self._changed = asyncio.Event()
        self._calls = 0
        """How often `wait` has been called."""
        self._chat_at = 0.0
        """When the agent may chat again."""
        self._writer: asyncio.StreamWriter | None = None

    async def listen(self, end: socket.socket) -> None:
        """Reads what the table sends over `end`. Closes `end` once the table closes the connection."""
        reader, self._writer = await asyncio.open_connection(sock=end, limit=_LINE_FROM_TABLE)
        try:
            while line := await reader.readline():
                self._hear(READ_TABLE.decode(line))
        except ConnectionError:
            pass
        finally:
            self.end(self._ends)

    def end(self, why: str) -> None:
        """Ends the seat: there are no more turns."""
        self.over = self.over or why
        if self._writer:
            self._writer.close()
        self._asked = None
        self._settle(Refused(self.over))
        self._changed.set()

    async def wait(self, heard: int | None = None, seconds: float = WAIT_SECONDS) -> Situation:
        """Returns once the agent must act, once the game is over, or after `seconds`.

        The returned news begins after item number `heard`. If `heard` is None, the news begins after the last answer
        that was `delivered`. A new call ends all earlier calls, which then return no news, because their client has
        usually given up.
        """
        self._calls += 1
        self._changed.set()
        since = self._heard if heard is None else min(heard, self._happened)
        mine, until = self._calls, time.monotonic() + seconds
        while not self.over and self._open() is None and mine == self._calls:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), until - time.monotonic())
            except TimeoutError:
                break
        if mine != self._calls:
            return Situation(False, "a later call of wait_for_turn has taken the place of this one", heard=since)
        return self._situation(since)

    def delivered(self, situation: Situation) -> None:
        """Records that the agent has received `situation`, so that its news is not repeated."""
        self._heard = max(self._heard, situation.heard)

    async def act(
        self,
        state: int,
        action: Name,
        amount: int | None = None,
        thought: str = "",
        account: Account | UnsetType = UNSET,
    ) -> None:
        """Answers request number `state`. Returns once the table has accepted the action. Raises NotNow."""
        asked = self._open()
        if self.over:
            raise NotNow(f"{self.over}: you cannot act any more")
        if asked is None or state != asked.state:
            raise NotNow(
                f"too late, or not your turn: request {state} is not open. Call wait_for_turn, and act with the number "
                "`state` that it returns"
            )
        if why := move_fault(asked.legal, action, amount):
            raise NotNow(f"{why}. You still have {self._left_ms()} ms: act again with state {state}")
        if self._answered:
            raise NotNow("your earlier action is under way: wait for its answer")
        self._answered = asyncio.get_running_loop().create_future()
        self._send(Act(state, action, _amount(asked, action, amount), thought, account))
        try:
            said = await asyncio.wait_for(self._answered, CONFIRM_SECONDS)
        except TimeoutError:
            said = Refused("it came too late")
        finally:
            self._answered = None
        if isinstance(said, Refused):
            raise NotNow(f"the table refused the action: {said.why}. Call wait_for_turn")
        self._keep(asked, action, amount, thought)

    def chat(self, text: str) -> None:
        """Says `text` at the table. One chat is allowed every CHAT_SECONDS. Raises NotNow."""
        if self.over or self._writer is None:
            raise NotNow(f"{self.over or 'the game has not begun'}: nobody would hear it")
        now = time.monotonic()
        if now < self._chat_at:
            raise NotNow(f"one chat every {CHAT_SECONDS:g} s: try again in {self._chat_at - now:.1f} s")
        self._send(Chat(text))
        self._chat_at = now + CHAT_SECONDS

    def _send(self, message: FromSeat) -> None:
        assert self._writer, "an agent that is asked is at a table"
        line = line_of(message)
        if len(line) > LONGEST_LINE:
            raise NotNow("the message is too long: leave some of it out")
        self._writer.write(line)

    def _hear(self, message: Asked | News | Taken | Refused) -> None:
        match message:
            case Asked(time_ms=time_ms):
                self._settle(Refused("it came too late"))
                self._asked, self._due = message, time.monotonic() + time_ms / 1000
                self._hand(message.table)
                self._changed.set()
            case News(what="hand_over"):
                self._tell(message)
                if self.hands and self.hands[-1].hand == message.hand:
                    self.hands[-1].result = message
            case News():
                self._tell(message)
            case Taken(state=state):
                if self._asked and self._asked.state == state:
                    self._asked = None
                    self._settle(message)
            case Refused():
                self._settle(message)

    def _tell(self, news: News) -> None:
        self._news.append(news)
        self._happened += 1

    def _settle(self, said: Taken | Refused) -> None:
        """Tells a waiting agent what became of its action."""
        if self._answered and not self._answered.done():
            self._answered.set_result(said)

    def _hand(self, table: Table) -> OwnHand:
        if not (self.hands and (self.hands[-1].game, self.hands[-1].hand) == (table.game, table.hand)):
            self.hands.append(OwnHand(table.game, table.hand, table.your_cards))
        return self.hands[-1]

    def _keep(self, asked: Asked, action: Name, amount: int | None, thought: str) -> None:
        acts, table = self._hand(asked.table).acts, asked.table
        if len(acts) < MAX_ACTS:
            acts.append(OwnAct(table.street, table.board, action, _amount(asked, action, amount), thought))

    def _open(self) -> Asked | None:
        """Returns the open request, if there is time left."""
        return self._asked if self._asked and self._left_ms() > 0 else None

    def _left_ms(self) -> int:
        return max(0, round((self._due - time.monotonic()) * 1000))

    def _situation(self, since: int) -> Situation:
        """Returns the situation, with the news after number `since`."""
        new, asked = self._happened - since, self._open()
        news = tuple(self._news)[max(0, len(self._news) - new) :]
        about = Situation(False, "call wait_for_turn again", news=news, heard=self._happened)
        if self.over:
            return replace(about, next=f"{self.over}: join again for another game", game_over=True)
        if asked is None:
            return about
        return replace(
            about,
            your_turn=True,
            next="call act with this state",
            state=asked.state,
            time_left_ms=self._left_ms(),
            legal=asked.legal,
            table=asked.table,
        )


def _amount(asked: Asked, action: Name, amount: int | None) -> int:
    """Returns the amount of a raise, or the cost of another action."""
    cost: dict[str, int | UnsetType] = {move.action: move.amount for move in asked.legal}
    return (amount or 0) if action == "raise" else cost[action] or 0
