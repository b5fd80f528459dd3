"""The messages between a table and an agent: JSON lines, the same in every contest. No I/O.

An agent is a bot that plays by MCP (Model Context Protocol). Requests are numbered, and each answer names its request.
So a late answer is never taken for an answer to a later request.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from server.bots.dialects.messages import (
    BotMessage,
    ChatMessage,
    DecisionMessage,
    LineDialect,
    Malformed,
    Outcome,
    quoted_line,
)
from server.game.cards import Card
from server.game.decisions import AllIn, Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import (
    Account,
    ActionTaken,
    BlindPosted,
    ChatSent,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Street,
    StreetDealt,
)
from server.game.hand import Seat
from server.game.view import View

MAX_LINE_BYTES = 16_384
"""The maximum size of a line from an agent, in bytes. A line may have 8 KiB of text, and JSON escapes can make the text
twice as long.
"""
ActionName = Literal["fold", "check", "call", "raise", "all_in", "post_blind"]


class Move(Struct, frozen=True, omit_defaults=True):
    """A legal action. For a raise, `min` and `max` are its limits, as totals for the street. For any other action,
    `amount` is how many chips the action costs.
    """

    action: ActionName
    amount: int | UnsetType = UNSET
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET


class SeatInfo(Struct, frozen=True):
    """A seat as the agent sees it. `cards` has the agent's own cards or cards that were shown. `cards` is empty if the
    seat's cards are hidden.
    """

    seat: int
    name: str
    chips: int
    bet: int
    in_pot: int
    state: Literal["active", "folded", "all_in", "out"]
    last_act: str
    cards: tuple[Card, ...]


class Table(Struct, frozen=True):
    """A hand as the agent's seat sees it."""

    game: int
    hand: int
    street: Street
    you: int
    """The agent's own seat."""
    your_cards: tuple[Card, ...]
    board: tuple[Card, ...]
    pot: int
    current_bet: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    players: tuple[SeatInfo, ...]


class PotResult(Struct, frozen=True):
    """A pot that was paid out. `winners` has each winner's name and chips."""

    amount: int
    winners: tuple[tuple[str, int], ...]


class AgentMessage(Struct, frozen=True, tag=True):
    """A message, with the class name as its `type`."""


class Asked(AgentMessage, frozen=True):
    """The table asks for an action within `time_ms` milliseconds. `state` is the number of the request."""

    state: int
    time_ms: int
    table: Table
    legal: tuple[Move, ...]


class News(AgentMessage, frozen=True, omit_defaults=True):
    """Something has happened at the table. `what` is its kind. Fields that do not apply to this kind are left out."""

    what: Literal["hand_started", "cards_dealt", "blind", "action", "street", "chat", "hand_over"]
    hand: int
    player: str = ""
    action: str = ""
    amount: int | UnsetType = UNSET
    bet: int | UnsetType = UNSET
    cards: tuple[Card, ...] = ()
    text: str = ""
    players: tuple[SeatInfo, ...] = ()
    pots: tuple[PotResult, ...] = ()


class Taken(AgentMessage, frozen=True):
    """The action for request number `state` is accepted."""

    state: int


class Refused(AgentMessage, frozen=True):
    """The latest message is rejected. `why` is a sentence for the agent."""

    why: str


class Act(AgentMessage, frozen=True):
    """The agent's action for request number `state`. A raise needs `amount`, its total for the street."""

    state: int
    action: ActionName
    amount: int = 0
    thought: str = ""
    account: Account | UnsetType = UNSET
    """The tokens and dollars that the agent says it has spent."""


class Chat(AgentMessage, frozen=True):
    """The agent's chat."""

    text: str


TableMessage = Asked | News | Taken | Refused
SeatMessage = Act | Chat
TABLE_DECODER = msgspec.json.Decoder[TableMessage](TableMessage)
_SEAT_DECODER = msgspec.json.Decoder[SeatMessage](SeatMessage)


class AgentDialect(LineDialect):
    """Writes the messages to one agent, and reads the agent's messages. `notified_events` are the types of events that
    the contest reports to its bots. The agent gets only such events. After a refused answer, the agent may answer again
    until its time is up.
    """

    allows_retry = True

    def __init__(self, notified_events: tuple[type[Event], ...]) -> None:
        super().__init__(MAX_LINE_BYTES)
        self.notified_events = notified_events
        self._request_number = 0

    def ask(self, view: View) -> bytes:
        self._request_number += 1
        return encode_line(Asked(self._request_number, view.turn.think_ms, table_of(view), legal_moves(view)))

    def notify(self, event: Event, view: View) -> bytes | None:
        news = _news_message(event, view)
        return encode_line(news) if news else None

    def answer(self, outcome: Outcome) -> bytes:
        if outcome == "accepted":
            return encode_line(Taken(self._request_number))
        if isinstance(outcome, Malformed):
            return encode_line(Refused(outcome.reason))
        return encode_line(Refused("the rules forbid it" if outcome == "illegal" else "it came too late"))

    def _read(self, line: bytes) -> list[BotMessage]:
        try:
            message = _SEAT_DECODER.decode(line)
        except msgspec.DecodeError:
            return [BotMessage(line, Malformed(f"not a message that a seat can send: {quoted_line(line)}"))]
        if isinstance(message, Chat):
            return [BotMessage(line, ChatMessage(message.text))]
        if message.state != self._request_number:
            return []
        return [BotMessage(line, DecisionMessage(_decision(message), message.thought, message.account))]


def table_of(view: View) -> Table:
    """Returns the hand as the seat of `view` sees it."""
    hand = view.hand
    return Table(
        game=view.game,
        hand=hand.number,
        street=hand.street,
        you=view.seat,
        your_cards=hand.seats[view.seat].cards,
        board=view.full_board or hand.board,
        pot=sum(seat.committed for seat in hand.seats) + hand.dead_money,
        current_bet=hand.current_bet,
        button=hand.button,
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        ante=hand.ante,
        players=_players(view),
    )


def legal_moves(view: View) -> tuple[Move, ...]:
    """Returns the legal actions of the seat of `view`, which must act now."""
    turn, seat = view.turn, view.hand.seats[view.seat]
    if turn.blind:
        return Move("post_blind", turn.to_call), Move("fold", 0)
    moves = [Move("call", turn.to_call) if turn.to_call else Move("check", 0)]
    # In some contests, silence means a check. In those contests, a bot that can check may not fold.
    if turn.to_call or view.hand.rules.silence_checks is not True:
        moves.insert(0, Move("fold", 0))
    if turn.max_raise_to:
        moves.append(Move("raise", min=turn.min_raise_to, max=turn.max_raise_to))
    if turn.max_raise_to == seat.bet + seat.stack or (not turn.max_raise_to and seat.stack == turn.to_call):
        moves.append(Move("all_in", seat.stack))
    return tuple(moves)


def move_fault(legal: Sequence[Move], action: str, amount: int | None) -> str:
    """Returns why `action` with `amount` is not one of the `legal` moves. Returns "" if it is legal."""
    move = next((move for move in legal if move.action == action), None)
    if move is None:
        return f"{action} is not legal now; legal: {', '.join(map(_describe_move, legal))}"
    if move.min is UNSET or move.max is UNSET:
        return ""
    if amount is None:
        return f"a raise needs an amount from {move.min} to {move.max}, your total for this street"
    if not move.min <= amount <= move.max:
        return f"a raise to {amount} is not legal; the amount must be from {move.min} to {move.max}"
    return ""


def _describe_move(move: Move) -> str:
    return move.action if move.min is UNSET else f"{move.action} to {move.min}..{move.max}"


def _players(view: View) -> tuple[SeatInfo, ...]:
    pairs = zip(view.entrants, view.hand.seats, strict=True)
    return tuple(
        SeatInfo(index, entrant.name, seat.stack, seat.bet, seat.committed, _seat_state(seat), seat.act, seat.cards)
        for index, (entrant, seat) in enumerate(pairs)
    )


def _seat_state(seat: Seat) -> Literal["active", "folded", "all_in", "out"]:
    if not seat.dealt_in:
        return "out"
    if seat.folded:
        return "folded"
    return "all_in" if seat.all_in else "active"


def _news_message(event: Event, view: View) -> News | None:  # noqa: PLR0911 (one answer for each kind of event)
    hand, names = view.hand.number, [entrant.name for entrant in view.entrants]
    match event:
        case HandStarted():
            return News("hand_started", hand)
        case HoleDealt(seat=seat, cards=cards) if seat == view.seat:
            return News("cards_dealt", hand, cards=cards)
        case BlindPosted(seat=seat, blind=blind, amount=amount):
            return News("blind", hand, names[seat], blind, amount)
        case ActionTaken(seat=seat, act=act, amount=amount, bet=bet):
            return News("action", hand, names[seat], act, amount, bet)
        case StreetDealt(street=street, cards=cards):
            return News("street", hand, action=street, cards=cards)
        case HandEnded():
            return News("hand_over", hand, cards=table_of(view).board, players=_players(view), pots=_pots(view))
        case ChatSent(bot=bot, text=text):
            author = next((entrant.name for entrant in view.entrants if entrant.bot == bot), "")
            return News("chat", hand, author, text=text) if author else None
        case _:
            return None


def _pots(view: View) -> tuple[PotResult, ...]:
    names = [entrant.name for entrant in view.entrants]
    return tuple(
        PotResult(pot.amount, tuple((names[award.seat], award.amount) for award in pot.awards))
        for pot in view.hand.pot_awards
    )


def _decision(act: Act) -> Decision:
    match act.action:
        case "fold":
            return Fold()
        case "check" | "call":
            return Call()
        case "raise":
            return RaiseTo(act.amount)
        case "all_in":
            return AllIn()
        case "post_blind":
            return PostBlind(act.amount)


def encode_line(message: TableMessage | SeatMessage) -> bytes:
    """Returns the message as a line of JSON."""
    return msgspec.json.encode(message) + b"\n"
