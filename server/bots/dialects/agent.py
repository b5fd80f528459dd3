"""The messages between a table and an agent, a bot that plays by MCP: JSON lines, the same in every contest. Pure.

Requests are numbered, and each answer names its request. So a late answer never counts for the next request.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from server.bots.dialects.messages import (
    Chatted,
    Decided,
    Heard,
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

LONGEST_LINE = 16_384
"""The maximum size of a line from an agent's seat, in bytes. A request may have 8 KiB of text, which JSON escapes can
double.
"""
Name = Literal["fold", "check", "call", "raise", "all_in", "post_blind"]


class Move(Struct, frozen=True, omit_defaults=True):
    """A legal action. For a raise, `min` and `max` are its limits, as totals for the street. For any other action,
    `amount` is the chips that it costs.
    """

    action: Name
    amount: int | UnsetType = UNSET
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET


class Player(Struct, frozen=True):
    """A seat as everybody at the table sees it. `cards` are known only if they are the agent's own or were shown."""

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
    players: tuple[Player, ...]


class Won(Struct, frozen=True):
    """A pot that was paid out, and how much each winner got, by name."""

    amount: int
    winners: tuple[tuple[str, int], ...]


class Line(Struct, frozen=True, tag=True):
    """A message, with the class name as its `type`."""


class Asked(Line, frozen=True):
    """The table asks for an action. `state` is the number of the request."""

    state: int
    time_ms: int
    table: Table
    legal: tuple[Move, ...]


class News(Line, frozen=True, omit_defaults=True):
    """Something has happened at the table. Fields that do not belong to `what` are left out."""

    what: Literal["hand_started", "cards_dealt", "blind", "action", "street", "chat", "hand_over"]
    hand: int
    player: str = ""
    action: str = ""
    amount: int | UnsetType = UNSET
    bet: int | UnsetType = UNSET
    cards: tuple[Card, ...] = ()
    text: str = ""
    players: tuple[Player, ...] = ()
    pots: tuple[Won, ...] = ()


class Taken(Line, frozen=True):
    """The action for request number `state` is accepted."""

    state: int


class Refused(Line, frozen=True):
    """The latest message is rejected; `why` is a sentence for the agent."""

    why: str


class Act(Line, frozen=True):
    """The agent's action for request number `state`. A raise needs `amount`, its total for the street."""

    state: int
    action: Name
    amount: int = 0
    thought: str = ""
    account: Account | UnsetType = UNSET


class Chat(Line, frozen=True):
    """The agent's chat."""

    text: str


FromTable = Asked | News | Taken | Refused
FromSeat = Act | Chat
READ_TABLE = msgspec.json.Decoder[FromTable](FromTable)
_READ_SEAT = msgspec.json.Decoder[FromSeat](FromSeat)


class AgentDialect(LineDialect):
    """The dialect of one agent. An agent gets only news of the kinds in `news`, as the contest's own bots do. After a
    refused answer, the agent may answer again until its time is up.
    """

    second_try = True

    def __init__(self, news: tuple[type[Event], ...]) -> None:
        super().__init__(LONGEST_LINE)
        self.news = news
        self._state = 0

    def ask(self, view: View) -> bytes:
        self._state += 1
        return line_of(Asked(self._state, view.turn.think_ms, table_of(view), legal_moves(view)))

    def notify(self, event: Event, view: View) -> bytes | None:
        news = _news(event, view)
        return line_of(news) if news else None

    def answer(self, outcome: Outcome) -> bytes:
        if outcome == "taken":
            return line_of(Taken(self._state))
        if isinstance(outcome, Malformed):
            return line_of(Refused(outcome.reason))
        return line_of(Refused("the rules forbid it" if outcome == "illegal" else "it came too late"))

    def _read(self, line: bytes) -> list[Heard]:
        try:
            message = _READ_SEAT.decode(line)
        except msgspec.DecodeError:
            return [Heard(line, Malformed(f"not a message that a seat can send: {quoted_line(line)}"))]
        if isinstance(message, Chat):
            return [Heard(line, Chatted(message.text))]
        if message.state != self._state:
            return []
        return [Heard(line, Decided(_decision(message), message.thought, message.account))]


def table_of(view: View) -> Table:
    """Returns the hand of `view`."""
    hand = view.hand
    return Table(
        game=view.game,
        hand=hand.number,
        street=hand.street,
        you=view.seat,
        your_cards=hand.seats[view.seat].cards,
        board=view.full_board or hand.board,
        pot=sum(seat.committed for seat in hand.seats) + hand.dead,
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
    # a contest with this rule forbids a fold where checking is free
    if turn.to_call or view.hand.rules.silence_checks is not True:
        moves.insert(0, Move("fold", 0))
    if turn.max_raise_to:
        moves.append(Move("raise", min=turn.min_raise_to, max=turn.max_raise_to))
    if turn.max_raise_to == seat.bet + seat.stack or (not turn.max_raise_to and seat.stack == turn.to_call):
        moves.append(Move("all_in", seat.stack))
    return tuple(moves)


def move_fault(legal: Sequence[Move], action: str, amount: int | None) -> str:
    """Explains why an action is not one of the `legal` moves, and lists the legal moves. Returns "" if it is legal."""
    move = next((each for each in legal if each.action == action), None)
    if move is None:
        return f"{action} is not legal now; legal: {', '.join(map(_shown, legal))}"
    if move.min is UNSET or move.max is UNSET:
        return ""
    if amount is None:
        return f"a raise needs an amount from {move.min} to {move.max}, your total for this street"
    if not move.min <= amount <= move.max:
        return f"a raise to {amount} is not legal; the amount must be from {move.min} to {move.max}"
    return ""


def _shown(move: Move) -> str:
    return move.action if move.min is UNSET else f"{move.action} to {move.min}..{move.max}"


def _players(view: View) -> tuple[Player, ...]:
    pairs = zip(view.entrants, view.hand.seats, strict=True)
    return tuple(
        Player(at, entrant.name, seat.stack, seat.bet, seat.committed, _state(seat), seat.act, seat.cards)
        for at, (entrant, seat) in enumerate(pairs)
    )


def _state(seat: Seat) -> Literal["active", "folded", "all_in", "out"]:
    if not seat.dealt_in:
        return "out"
    if seat.folded:
        return "folded"
    return "all_in" if seat.all_in else "active"


def _news(event: Event, view: View) -> News | None:  # noqa: PLR0911 (one answer for each kind of event)
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


def _pots(view: View) -> tuple[Won, ...]:
    names = [entrant.name for entrant in view.entrants]
    return tuple(
        Won(pot.amount, tuple((names[award.seat], award.amount) for award in pot.awards)) for pot in view.hand.awarded
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


def line_of(message: FromTable | FromSeat) -> bytes:
    """Returns the message as a line of JSON."""
    return msgspec.json.encode(message) + b"\n"
