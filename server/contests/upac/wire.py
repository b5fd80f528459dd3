"""Lets a program play in the contest UPAC: reads the server's lines, and writes answers. No I/O."""

from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Choice, LineWire, Opponent, Question, Spot, comment_lines
from server.contests.upac.rules import UPAC
from server.game.cards import Card
from server.game.events import Street

_STREET_NAMES: dict[str, Street] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}


class UpacWire(LineWire):
    """Reads the lines to one bot, and writes its answers. The bot is in seat 0, and the other bot is in seat 1."""

    def __init__(self) -> None:
        self._round = 0
        self._street: Street = "preflop"
        self._hole: tuple[Card, ...] = ()
        self._board: tuple[Card, ...] = ()
        self._chips_before_street = 0
        """How many chips each of the two bots had put into the pot before this street."""
        self._highest_total = 0
        """The higher of the two bots' chips in the pot."""
        self._is_new_street = False

    def read(self, message: bytes) -> Question | None:
        match message.decode().split():
            case ["START", _]:
                self._round += 1
            case ["PREFLOP", *cards]:
                self._street, self._hole, self._board = "preflop", tuple(cards), ()
                self._chips_before_street, self._is_new_street = 0, False
            case [("FLOP" | "TURN" | "RIVER") as dealt, *cards]:
                self._street, self._board, self._is_new_street = _STREET_NAMES[dealt], (*self._board, *cards), True
            case ["STACK", *numbers]:
                return Question(self._spot(*map(int, numbers)), {})
        return None

    def write(self, choice: Choice) -> bytes:
        raise_by = choice.amount + self._chips_before_street - self._highest_total
        action = {"fold": "F", "raise": f"R{raise_by}"}.get(choice.action, "C")
        return comment_lines(choice) + f"{action}\n".encode()

    def _spot(self, own_pushed: int, own_total: int, other_pushed: int, other_total: int) -> Spot:
        """Returns the situation. A bot's total is its stack plus the chips that it has pushed into the pot."""
        if self._is_new_street:  # The other bot may have bet already. The lower amount is without that bet.
            self._chips_before_street, self._is_new_street = min(own_pushed, other_pushed), False
        self._highest_total = max(own_pushed, other_pushed)
        to_call, max_total = self._highest_total - own_pushed, min(own_total, other_total)
        legal = [Move("fold", 0), Move("call", to_call) if to_call else Move("check", 0)]
        if max_total > self._highest_total:
            legal.append(
                Move(
                    "raise",
                    min=self._highest_total + 1 - self._chips_before_street,
                    max=max_total - self._chips_before_street,
                )
            )
        return Spot(
            hand=self._round,
            street=self._street,
            you=0,
            your_cards=self._hole,
            board=self._board,
            pot=own_pushed + other_pushed,
            to_call=to_call,
            your_chips=own_total - own_pushed,
            your_bet=own_pushed - self._chips_before_street,
            big_blind=UPAC.levels[0].big,
            others=(
                Opponent(
                    1,
                    other_total - other_pushed,
                    other_pushed - self._chips_before_street,
                    "active" if other_total > other_pushed else "all_in",
                ),
            ),
            legal=tuple(legal),
        )
